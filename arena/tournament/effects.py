"""What seats, dealing, roles and advice are worth, as tables of a run, or of two that differ by advice alone."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.errors import InputError
from arena.records.store import Run
from arena.rules.game import Play
from arena.rules.view import GameKind
from arena.standings.effects import difference, effects, merged
from arena.standings.parts import THREE_ROLES, TWO_ROLES, ByGroup, Pairing, Parts
from arena.standings.sheet import Cell, Column, Sheet, render
from arena.tournament.config import SeriesConfig, config_of, differences
from arena.tournament.results import Results, results_of

ALL = "all bots"
"""What the row of all bots together is called. A bot may be called so too: here it is told apart by being `None`."""

EFFECT_COLUMNS = (
    Column("part", "part", text=True),
    Column("bot", "bot", text=True),
    Column("effect", "effect", 2, signed=True, pm="effect_pm"),
)
ADVICE_COLUMNS = (
    Column("bot", "bot", text=True),
    Column("captain_hands", "hands as captain"),
    Column("got", "its advisers' advice", 2, signed=True, pm="got_pm"),
    Column("adviser_hands", "hands sat out"),
    Column("given", "its own advice", 2, signed=True, pm="given_pm"),
)


@dataclass(frozen=True, slots=True)
class Effects:
    """The effects in a run as it stands.

    effects: for programs, a row for each part of all bots and of each bot.
    seats, roles: for people, a row for all bots and one a bot, a column a part. Only three-hand has the roles.
    advice: what it is worth, where two runs tell. notes: what a reader has to know, a sentence each.
    """

    title: str
    effects: Sheet
    seats: Sheet
    roles: Sheet | None
    advice: Sheet | None
    notes: tuple[str, ...]

    def as_text(self, form: str) -> str:
        """The tables in a format of tabulate, each under its heading."""
        tables = [("Seat and dealing", self.seats), ("Roles", self.roles), ("Worth of advice", self.advice)]
        return "\n".join([f"{heading}\n\n{render(sheet, form)}" for heading, sheet in tables if sheet is not None])

    def as_json(self) -> str:
        """Everything, for a program."""
        parts: dict[str, object] = {"title": self.title, "effects": self.effects.records()}
        if self.advice is not None:
            parts["advice"] = self.advice.records()
        return json.dumps(parts | {"notes": self.notes}, indent=2, ensure_ascii=False) + "\n"


def effects_of(run: Run, without: frozenset[str] = frozenset(), unadvised: Run | None = None) -> Effects:
    """The effects in a run, without the games of some bots.

    unadvised: the same deal groups of the same bots, played without advice.
    Raises `InputError` for runs that do not match, and as `results_of` does.
    """
    if unadvised is not None:
        _match(run, unadvised)
    results, parts = _counted(run, without)
    names = (None, *results.tally.bots)
    seats = [f"seat_{seat}" for seat in range(run.info.format.seats)]
    kinds = [seats, TWO_ROLES, *([THREE_ROLES] if results.three_hand else [])]
    told = {key: effect for kind in kinds for key, effect in effects(parts, kind).items()}
    rows: list[list[Cell]] = [
        [part, _label(name), told.get((part, name))] for kind in kinds for part in kind for name in names
    ]
    notes = [*results.about, *_notes(run)]
    advice = None
    if unadvised is not None:
        others, other_parts = _counted(unadvised, without)
        both = _groups(results) & _groups(others)
        advice = Sheet(ADVICE_COLUMNS, [*_advice_rows(names, parts, other_parts, both)])
        notes += _advice_notes(len(both), len(_groups(results)), len(_groups(others)), run.info.format.play)
    return Effects(
        results.title,
        Sheet(EFFECT_COLUMNS, rows),
        _wide(rows, names, [*(seats if results.three_hand else seats[:1]), "dealer"]),
        _wide(rows, names, THREE_ROLES) if results.three_hand else None,
        advice,
        tuple(notes),
    )


def _label(name: str | None) -> str:
    return ALL if name is None else name


def _wide(rows: Sequence[Sequence[Cell]], names: Sequence[str | None], shown: Sequence[str]) -> Sheet:
    """The effects of some parts, a column each. Of two parts one is enough: the other's is its opposite.

    rows: of each part one for each of `names`, in their order.
    """
    cells = [[cell for part, _, cell in rows if part == one] for one in shown]
    columns = [Column(part, part.replace("_", " "), 2, signed=True, pm=f"{part}_pm") for part in shown]
    wide = [[_label(name), *told] for name, *told in zip(names, *cells, strict=True)]
    return Sheet([Column("bot", "bot", text=True), *columns], wide)


def _counted(run: Run, without: frozenset[str]) -> tuple[Results, Parts]:
    format_ = run.info.format
    parts = Parts(team=format_.game is GameKind.THREE_HAND and format_.rules.captain_points == "team")
    return results_of(run, without, parts=parts), parts


def _groups(results: Results) -> set[tuple[Pairing, int]]:
    """The complete deal groups, by pairing."""
    return {(pairing, group) for (pairing, _), groups in results.tally.finishes.items() for group in groups}


def _match(run: Run, unadvised: Run) -> None:
    """Refuse two runs that differ by more than advice."""
    if run.info.format.game is not GameKind.THREE_HAND:
        raise InputError(f"{run.folder}: advice is given in three-hand only, and this is another game")
    told = []
    if run.info.format.rules.adviser_view == "none":
        told.append(f"{run.folder} was played without advice: expected adviser_view other than none")
    if unadvised.info.format.rules.adviser_view != "none":
        told.append(f"{unadvised.folder} was played with advice: expected rules: {{adviser_view: none}}")
    if run.info.seed != unadvised.info.seed:
        told.append("their seeds differ, so that they have other cards: give both series the same seed")
    bots, others = [{bot.name: bot.content_hash for bot in each.info.bots} for each in (run, unadvised)]
    if missing := sorted(bots.keys() ^ others.keys()):
        told.append(f"only one of them has {', '.join(missing)}")
    if changed := sorted(name for name in bots.keys() & others.keys() if bots[name] != others[name]):
        told.append(f"these bots have other contents: {', '.join(changed)}")
    before, after = [_but_for_advice(each) for each in (run, unadvised)]
    if keys := differences(before, after):
        told.append(f"their series differ in {', '.join(keys)}")
    if told:
        raise InputError(f"{run.folder} and {unadvised.folder} cannot be compared: {'; '.join(told)}")


def _but_for_advice(run: Run) -> SeriesConfig:
    config = config_of(run.info)
    return config.model_copy(update={"rules": config.rules | {"adviser_view": "none"}})


def _advice_rows(
    names: Sequence[str | None], parts: Parts, others: Parts, both: set[tuple[Pairing, int]]
) -> Iterator[list[Cell]]:
    def paired(sums: dict[tuple[Pairing, str], ByGroup], name: str | None) -> ByGroup:
        return merged(
            {group: part for group, part in groups.items() if (pairing, group) in both}
            for (pairing, bot), groups in sums.items()
            if name in (None, bot)
        )

    for name in names:
        captain, unadvised = paired(parts.captains, name), paired(others.captains, name)
        adviser, silent = paired(parts.advisers, name), paired(others.advisers, name)
        yield [
            _label(name),
            sum([part.hands for part in captain.values()]),
            difference(captain, unadvised),
            sum([part.hands for part in adviser.values()]),
            difference(adviser, silent),
        ]


def _notes(run: Run) -> Iterator[str]:
    format_ = run.info.format
    yield "±: the 95 % interval, taken over deal groups. Points a hand."
    yield "A part's effect: the margin in it less the mean of all such parts, for the same bot against the same others."
    if format_.game is GameKind.THREE_HAND:
        yield "Who is out scores nothing while others do: that alone makes out a loss and the other two roles a gain."
        yield "The non-dealer has the same effect as the dealer, with the other sign; out has no part in it."
    else:
        yield "Seat 1 and the non-dealer have the same effects as seat 0 and the dealer, with the other sign."
    if format_.play is Play.DEALS:
        yield "By deals each seat has the same role in every hand, so that the effect of a seat is that of its role."


def _advice_notes(both: int, with_it: int, without: int, play: Play) -> Iterator[str]:
    yield f"Advice: {both:,} deal groups are complete in both runs, of {with_it:,} with advice and {without:,} without."
    yield "Its worth: the captain's points a hand less the box's, with advice less without."
    if play is Play.GAMES:
        yield "In games to the target the hands after the first that differs are others: play by deals tells it sooner."
