"""What a comparison asks, as the key `compare` of a series says it. `arena compare` writes it into its run."""

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StrictInt, model_validator

from arena.standings.sequential import Bounds, Unit

OLD, NEW = "old", "new"
"""What the two versions are called in the run of a comparison."""
SEATINGS = 2
USUAL = {"not-worse": ("-0.3", "0"), "better": ("0", "0.3")}
"""What a new version may be asked to prove, and the bounds where none are given."""
ALIKE = 500
"""Deal groups without a decision that differs after which two versions are taken to play alike."""

WIDEST_SD = 0.05
"""How far bounds may be apart in standard deviations. Further ones would be told apart by so few deal groups that these
do not know yet what a standard deviation is.
"""


def hands_a_group(bots: int) -> int:
    """Hands of a deal group: two of the versions, and two of each of them against each other bot."""
    return SEATINGS * (2 * bots - 3)


def parse_bound(text: str) -> tuple[float, Unit]:
    """The number and the unit of a bound such as `-0.3` or `0.02sd`. Raises `ValueError` with what was expected."""
    match = re.fullmatch(r"([+-]?[0-9]{1,3}(?:\.[0-9]{1,6})?)(sd)?", text)
    if match is None:
        raise ValueError("points a hand such as -0.3, or standard deviations such as -0.02sd")
    return float(match[1]), Unit.SD if match[2] else Unit.POINTS


def bounds_of(worse: str, better: str) -> Bounds:
    """The bounds that two texts say; 0 goes with either unit. Raises `ValueError` with what was expected."""
    (low, unit), (high, other) = parse_bound(worse), parse_bound(better)
    if low and high and unit is not other:
        raise ValueError(f"both bounds in one unit, such as -0.3 and 0, or -0.02sd and 0sd, not {worse} and {better}")
    if low >= high:
        raise ValueError(f"a bound for worse below the one for better, not {worse} and {better}")
    bounds = Bounds(low, high, unit if low else other)
    if bounds.unit is Unit.SD and round(bounds.width, 6) > WIDEST_SD:
        raise ValueError(f"bounds no more than {WIDEST_SD:g}sd apart, not {worse} and {better}; or points a hand")
    return bounds


def _text(value: object) -> object:
    return repr(value) if type(value) in (int, float) else value


def _bound(text: str) -> str:
    parse_bound(text)
    return text


_Bound = Annotated[str, AfterValidator(_bound), BeforeValidator(_text)]
"""A bound in a model: a text, or a number for points a hand."""


class Comparison(BaseModel):
    """What is asked of the first two bots of a series, the old version and the new one.

    hypothesis: what the new one is to prove. worse: at this difference or less it has failed. better: at this one or
    more it has not. alike: deal groups without a difference in play that end it. scores: what is judged.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    hypothesis: Literal["not-worse", "better"] = "not-worse"
    worse: _Bound = "-0.3"
    better: _Bound = "0"
    alike: Annotated[StrictInt, Field(ge=1, le=1_000_000)] = ALIKE
    scores: Literal["adjusted", "raw"] = "raw"

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        bounds_of(self.worse, self.better)
        return self

    @property
    def bounds(self) -> Bounds:
        """Both bounds, as numbers."""
        return bounds_of(self.worse, self.better)
