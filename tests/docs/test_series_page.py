"""docs/series.md: every key with its default, and examples that the arena takes."""

import re
from collections.abc import Mapping

import pytest
import yaml
from pages import DOCS, ROOT, blocks, page, section, tables
from pydantic import BaseModel

from arena.documents import check, parse_document
from arena.players.faults import Culprit, Fault
from arena.rules.options import rules_from
from arena.tournament.comparison import Comparison
from arena.tournament.config import BotEntry, Clock, FaultPolicy, Remote, Resources, Scale, SeriesConfig

PAGE = page("series.md")
BARE = SeriesConfig.model_validate({"name": "bare", "bots": ["a", "b"]})
WRITTEN = BARE.model_dump(mode="json")
HANGING = {
    "compare": "see below, with `format: compare`",
    "gauntlet": "`1` with `format: gauntlet`",
    "triples": "`all` in three-hand",
    "batch": "`128`, or `1` if `timed`",
}
"""The defaults that hang on other keys, as the page tells them."""


def keys_under(heading: str) -> dict[str, str]:
    """Key and default of each row of the first table under a heading."""
    return {row["key"].strip("`"): row.get("default", "") for row in tables(section(PAGE, heading))[0]}


def flow(value: object) -> str:
    """A value as YAML in a line."""
    return yaml.safe_dump(value, default_flow_style=True, width=1000).removesuffix("\n").removesuffix("\n...")


@pytest.mark.parametrize(
    ("heading", "model", "values"),
    [
        ("`ratings`", Scale, WRITTEN["ratings"]),
        ("`clock`", Clock, WRITTEN["clock"]),
        ("`faults`", FaultPolicy, WRITTEN["faults"]),
        ("`remote`", Remote, WRITTEN["remote"]),
        ("`limits`", Resources, WRITTEN["limits"]),
        ("`compare`", Comparison, Comparison().model_dump(mode="json")),
    ],
)
def test_a_section_has_every_key_with_its_default(
    heading: str, model: type[BaseModel], values: Mapping[str, object]
) -> None:
    told = {key: "none" if values[key] is None else f"`{flow(values[key])}`" for key in model.model_fields}
    assert keys_under(heading) == told


def test_the_page_has_every_key_with_its_default() -> None:
    expected = {key: f"`{flow(WRITTEN[key])}`" for key in SeriesConfig.model_fields}
    expected |= {
        "name": "required",
        "bots": "required",
        "secret_file": "a fresh secret",
        "ratings": "see below",
        "clock": "see below",
        "remote": "see below",
        "faults": "see below",
        "limits": "see below",
        "cluster": "this machine",
    }
    assert keys_under("Keys") == expected | HANGING


def test_the_defaults_that_hang_on_other_keys_are_told_right() -> None:
    gauntlet = BARE.model_copy(update={"format": "gauntlet"}).filled()
    three_hand = BARE.model_copy(update={"game": "three-hand"}).filled()
    timed = BARE.model_copy(update={"timed": True}).filled()
    assert (gauntlet.gauntlet, three_hand.triples, BARE.filled().batch, timed.batch) == (1, "all", 128, 1)


def test_the_page_has_every_key_of_a_bot() -> None:
    assert list(keys_under("Bots")) == list(BotEntry.model_fields)


def test_the_page_has_every_fault_of_a_bot() -> None:
    kinds = [row["kind"].strip("`") for row in tables(section(PAGE, "Faults"))[0]]
    assert kinds == [fault.value for fault in Fault if fault.culprit is Culprit.BOT]


EXAMPLES = [
    text
    for path in [*DOCS.glob("*.md"), ROOT / "README.md"]
    for text in blocks(path.read_text(encoding="utf-8"), "yaml")
    if not re.search("^(run|references):", text, re.MULTILINE)  # a bot.yaml, an assignment
]


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_example_is_taken(text: str) -> None:
    given = [line.split(":")[0] for line in text.splitlines()]
    bare = "".join(line for line in ("name: a\n", "bots: [a]\n") if line.split(":")[0] not in given)
    config, problems = check(SeriesConfig, parse_document(bare + text, "page"))
    assert not problems
    assert config is not None
    rules_from(config.rules)
