"""The result tables of a run: folded from its store, written beside it."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import factorial
from pathlib import Path

from arena.dealer.values import OWN_GROUPS, GameRecord, GameSpec
from arena.errors import HostError, InputError
from arena.records.store import Run
from arena.rules.view import GameKind
from arena.standings.luck import Luck
from arena.standings.parts import Parts
from arena.standings.sheet import Sheet, render
from arena.standings.tables import Table, crosstable, for_people, meetings, standings
from arena.standings.tally import Tally, tally
from arena.standings.timing import noting_times, timing_of, timing_sheet
from arena.tournament.config import SeriesConfig, config_of
from arena.tournament.schedule import NOT_MIRRORED


@dataclass(frozen=True, slots=True)
class Shown:
    """The tables of a run, to be shown.

    title: name of the series and what was played.
    about: what a reader of any table has to know. legend: what the columns of the standings are. A sentence each.
    standings, crosstable, meetings: see `arena.standings.tables`.
    tables: the standings for people, the ranking first.
    less_luck: the crosstable without what was luck, `None` where that was not judged.
    """

    title: str
    about: tuple[str, ...]
    legend: tuple[str, ...]
    standings: Sheet
    tables: Sequence[Table]
    crosstable: Sheet
    meetings: Sheet
    less_luck: Sheet | None

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the standings has to know."""
        return *self.about, *self.legend

    def as_text(self, form: str) -> str:
        """The standings for people in a format of tabulate, each table under its heading."""
        return "\n".join([f"{heading}\n\n{render(sheet, form)}" for heading, sheet in self.tables])

    def as_markdown(self) -> str:
        """The standings as a page of Markdown."""
        parts = [f"# {self.title}\n"]
        parts += [f"## {heading}\n\n{render(sheet, 'pipe')}" for heading, sheet in self.tables]
        parts.append("## Notes\n\n" + "".join([f"* {note}\n" for note in self.notes]))
        return "\n".join(parts)

    def crosstable_as(self, form: str) -> str:
        """The crosstable in a format; with the one less luck below it, or beside it for programs, if judged."""
        less = self.less_luck
        if less is None:
            return render(self.crosstable, form)
        if form in ("csv", "tsv"):
            rows = [[*row, *more[1:]] for row, more in zip(self.crosstable.rows, less.rows, strict=True)]
            return render(Sheet([*self.crosstable.columns, *less.columns[1:]], rows), form)
        return f"{render(self.crosstable, form)}\nLess luck\n\n{render(less, form)}"

    def crosstable_markdown(self) -> str:
        """The crosstable as a page of Markdown."""
        return f"# {self.title}\n\n{CROSSTABLE_LEGEND}\n\n{render(self.crosstable, 'pipe')}"

    def as_json(self) -> str:
        """Everything, for a program."""
        parts = {
            "title": self.title,
            "standings": self.standings.records(),
            "crosstable": self.meetings.records(),
            "notes": self.notes,
        }
        return json.dumps(parts, indent=2, ensure_ascii=False) + "\n"


@dataclass(frozen=True, slots=True)
class Results(Shown):
    """The tables of a run as it stands, and what they are made of.

    three_hand: whether there are roles and advice.
    """

    tally: Tally
    three_hand: bool


LESS_LUCK = "Less luck: the margin a hand without the luck of the draws, as right, and mostly surer; see docs/luck.md."
CROSSTABLE_LEGEND = "Margin a hand of the row against the column in the games that both played, ± the 95 % interval."


def results_of(
    run: Run,
    without: frozenset[str] = frozenset(),
    games: Iterable[tuple[GameSpec, GameRecord]] | None = None,
    parts: Parts | None = None,
    luck: Luck | None = None,
) -> Results:
    """Fold the tables of a run, leaving out the games of the bots in `without`.

    games: those of the run, where somebody else looks at them as they pass. parts, luck: see `tally`.
    Raises `InputError` for a bot that is not in the run, or when fewer than two would stay.
    """
    config = config_of(run.info)
    names = [bot.name for bot in run.info.bots]
    if unknown := sorted(without.difference(names)):
        raise InputError(f"--without: expected a bot of the run ({', '.join(names)}), got {', '.join(unknown)}")
    if len(without) > len(names) - run.info.format.seats:
        raise InputError("--without: expected enough bots to stay for a game")
    return _results(run, config, run.records() if games is None else games, without, parts, luck)


def write_results(run: Run) -> Results:
    """Write the tables into the run's folder and return them. Times go into files of their own.

    Raises `HostError` if they cannot be written.
    """
    config = config_of(run.info)
    times = timing_of(run.starts(), run.networks())
    results = _results(run, config, noting_times(run.records(), times), frozenset())
    for name, text in {
        "standings.md": results.as_markdown(),
        "standings.csv": render(results.standings, "csv"),
        "standings.json": results.as_json(),
        "crosstable.md": results.crosstable_markdown(),
        "crosstable.csv": render(results.crosstable, "csv"),
        "timing.md": _timing_markdown(results.title, config.timed, timing_sheet(times), _broken_off(run)),
        "timing.json": render(timing_sheet(times), "json"),
    }.items():
        _write(run.folder / name, text)
    return results


def _results(
    run: Run,
    config: SeriesConfig,
    games: Iterable[tuple[GameSpec, GameRecord]],
    without: frozenset[str],
    parts: Parts | None = None,
    luck: Luck | None = None,
) -> Results:
    names = [bot.name for bot in run.info.bots]
    three_hand = run.info.format.game is GameKind.THREE_HAND
    team = three_hand and run.info.format.rules.captain_points == "team"
    counted = tally(games, names, _group_size, without, team=team, luck=luck, parts=parts)
    whole = standings(counted, config.rank_by, three_hand=three_hand)
    return Results(
        title=title_of(config),
        about=tuple(_about(run, counted, without)),
        legend=tuple(_legend(config, three_hand, counted.judged)),
        standings=whole,
        tables=for_people(whole, three_hand=three_hand),
        crosstable=crosstable(counted, config.rank_by),
        meetings=meetings(counted, config.rank_by),
        tally=counted,
        three_hand=three_hand,
        less_luck=crosstable(counted, config.rank_by, less_luck=True) if counted.judged else None,
    )


def write_whole(path: Path, text: str) -> None:
    """Replace a file as a whole, so that nobody ever reads half of it. Raises `OSError`."""
    draft = path.with_name(path.name + ".part")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def _write(path: Path, text: str) -> None:
    try:
        write_whole(path, text)
    except OSError as error:
        raise HostError(
            f"{path}: {error.strerror}, so the tables are not all written; every finished game is kept: put that "
            f"right, then `arena resume {path.parent}` writes them"
        ) from error


def _group_size(spec: GameSpec) -> int:
    return 1 if spec.group >= OWN_GROUPS else factorial(len(spec.seats))


def title_of(config: SeriesConfig) -> str:
    """The name of a series and what is played, in words."""
    scoring = ", Hollywood" if config.scoring == "hollywood" else ""
    played = "to the target" if config.play == "games" else "by deals"
    return f"{config.name}: {config.game}{scoring}, {played}"


def _timing_markdown(title: str, timed: bool, times: Sheet, broken_off: str) -> str:
    how = "each by its own clock" if timed else "the time of a batch shared out among its turns"
    return f"# {title}\n\nTimes in milliseconds, {how}.\n\n{render(times, 'pipe')}{broken_off}"


def _broken_off(run: Run) -> str:
    """How often games were void, a paragraph, or nothing: where none was, and where that is not published.

    It stands with the times, for it is never the same twice.
    """
    kinds = Counter(void.fault for _, void in run.voids())
    if not kinds:
        return ""
    told = ", ".join(f"{kind} {kinds[kind]}" for kind in sorted(kinds))
    return f"\nGames broken off, and played again from their start: {told}.\n"


def _about(run: Run, counted: Tally, without: frozenset[str]) -> Iterator[str]:
    mirrored = scheduled = 0
    for game in run.games():
        scheduled += without.isdisjoint(game.seats)
        mirrored += game.group < OWN_GROUPS
    yield f"{counted.games:,} games and {counted.hands:,} hands count: those of complete deal groups."
    if counted.games < scheduled:
        missing = scheduled - counted.games
        stopped = "A comparison stops at its verdict" if config_of(run.info).stops_itself else "Not finished"
        yield f"{stopped}: {missing:,} of {scheduled:,} games are missing or in incomplete groups."
    if without:
        yield f"Without {', '.join(sorted(without))}: their games are left out."
    if counted.unplayed:
        yield (
            f"Not played, because a bot had used up its faults (quarantined): {counted.unplayed:,} of these games. "
            "That bot has lost them, as the series declares; in the margin a hand they do not count. Hands of "
            "them that were played before this was certain do not count either, so more may have been played."
        )
    if run.info.amended:
        yield "Amended: games of bots that did not change are taken over from an earlier run."
    if mirrored < len(run):
        yield NOT_MIRRORED
    yield f"Seed commitment {run.info.commitment}."


def _legend(config: SeriesConfig, three_hand: bool, judged: bool) -> Iterator[str]:
    yield f"Ranked by {', then '.join(criterion.replace('_', ' ') for criterion in config.rank_by)}."
    yield "won %: a first place shared by two bots is half a game. ±: the 95 % interval, taken over deal groups."
    if three_hand:
        yield "Margin: own points less the mean of the others'; as box or captain, less the opponent's."
        yield "Hands: those of a bot's games, also where it sat out."
        yield "Captain's margin: that of the hand, a mean over all advice that was followed, and over the rest."
    else:
        yield "Margin: own points less the opponent's."
    if judged:
        yield LESS_LUCK
