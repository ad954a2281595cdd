"""The results page of a run: its record, read once for the figures, and then those of its hands that are shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import HostError, InputError
from arena.pages.choice import Choice, Chosen, HandKey, Swing
from arena.pages.hands import Data, game_data, hands_data
from arena.pages.page import Page, grid_of, render_page
from arena.pages.plots import course_of
from arena.records.excerpt import complete_games
from arena.records.store import Run
from arena.standings.luck import luck_of
from arena.standings.timing import noting_times, timing_of, timing_sheet
from arena.tournament.config import config_of
from arena.tournament.page_figures import facts_of, plots_of, tables_of, times_of
from arena.tournament.results import CROSSTABLE_LEGEND, results_of, write_whole

HANDS = 4_000
"""Hands on a page of which nobody says how many: it stays below four megabytes or so."""
_FEWEST = 4
"""Hands a pairing all the same, where there are many pairings."""
_MOST_IN_GRID = 100
_MOST_COURSES = 12


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a page is to have.

    hands: of each pairing at most; by default all of a small run, and a choice of a large one.
    without: bots whose games are left out.
    times: whether decision times are told. ratings: whether ratings are, which need what a base install does not have.
    luck: whether margins without the luck of the draws are, which takes longer and needs the same.
    """

    hands: int | None = None
    without: frozenset[str] = frozenset()
    times: bool = True
    ratings: bool = True
    luck: bool = False


EVERYTHING = Wanted()
_BEGINNING = b"<!doctype html>"
"""Of a page, this arena's and others'."""


def write_page(run: Run, out: Path, wanted: Wanted = EVERYTHING) -> None:
    """Write the page of a run, see `page_of`.

    Raises `InputError` for a place where there can be no file or is one of something else, such as the record itself,
    and `HostError` where it cannot be written.
    """
    if out.is_dir() or not out.parent.is_dir():
        raise InputError(f"--out: expected a file in a folder that is there, got {out}")
    if out.exists() and not _is_page(out):
        raise InputError(f"--out: expected a new file, or a page to be replaced, got {out}, which is something else")
    text = page_of(run, wanted)
    try:
        write_whole(out, text)
    except OSError as error:
        raise HostError(f"{error.filename or out}: {error.strerror}, so the page is not written") from error


def _is_page(path: Path) -> bool:
    """Whether it is a file of HTML, and no device either."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_BEGINNING)).lower() == _BEGINNING


def page_of(run: Run, wanted: Wanted = EVERYTHING) -> str:
    """The page of a run, finished or not, as HTML. But for decision times it follows from the record.

    Of deal groups that are not complete in all pairings no hand is shown, for others have still to play their decks. In
    a published run everything may be shown that is in it.
    """
    without = wanted.without
    done = run.done()
    in_play = bool(run.premises.config)
    schedule = [game for game in run.games() if without.isdisjoint(game.seats)]
    pairings = len({frozenset(game.seats) for game in schedule})
    most = max(HANDS // max(pairings, 1), _FEWEST) if wanted.hands is None else wanted.hands
    choice = Choice([bot.name for bot in run.info.bots], most, complete_games(run, done) if in_play else done)
    clock = timing_of(run.starts(), run.networks())
    luck = luck_of(run.info) if wanted.luck else None
    judge = None if isinstance(luck, str) else luck
    results = results_of(run, without, choice.noting(noting_times(run.records(), clock), without), luck=judge)
    names = [str(name) for (name,) in results.standings.select("bot").rows]
    chosen = choice.chosen()
    config = config_of(run.info)
    ranking, *tables = tables_of(results)
    against = results.tally.against
    groups = {pair: sum(group.hands > 0 for group in sums.groups.values()) for pair, sums in against.items()}
    why_not = luck if isinstance(luck, str) else "" if luck else None
    return render_page(
        Page(
            title=results.title,
            facts=list(facts_of(run, config, names)),
            progress=_progress(sum(game.index in done for game in schedule), len(schedule), in_play=in_play),
            ranking=ranking,
            plots=list(plots_of(run, results, names, rated=wanted.ratings, luck=why_not)),
            grid=grid_of(names, results.crosstable, groups, _met(chosen), _MOST_IN_GRID),
            grid_legend=CROSSTABLE_LEGEND,
            courses=[one for name in names[:_MOST_COURSES] if (one := course_of(name, results.tally.bots[name].sums))],
            tables=tables,
            times=times_of(config, timing_sheet({name: clock[name] for name in names})) if wanted.times else None,
            notes=results.notes,
            hands=_hands(run, names, chosen),
        )
    )


def _progress(finished: int, scheduled: int, *, in_play: bool) -> str:
    """How much of a run is there, a sentence or two; nothing of a complete one."""
    if finished == scheduled:
        return ""
    part = f"{finished:,} of {scheduled:,} games of its schedule"
    if not in_play:
        return f"A part of a run: {part} are in it. Figures are of the deal groups that are complete in their pairing."
    return (
        f"This run is not complete: {part} are finished ({100 * finished // scheduled} %). Figures are of the deal "
        "groups that are complete in their pairing; hands are shown only of those that all pairings have finished, so "
        "that nobody sees cards still to be played."
    )


def _met(chosen: Sequence[Chosen]) -> set[frozenset[str]]:
    """Every two bots of whose games hands are shown."""
    return {
        frozenset((one, other)) for part in chosen if part.reasons for one in part.pairing for other in part.pairing
    }


def _hands(run: Run, names: Sequence[str], chosen: Sequence[Chosen]) -> Data:
    """The hands that are shown, for the page's script."""
    numbers = {name: number for number, name in enumerate(names)}
    games: Data = {}
    hands: list[Data] = []
    reasons = {key: reason for part in chosen for key, reason in part.reasons.items()}
    swings = {key: swing for part in chosen for key, swing in part.swings.items()}
    wanted: dict[int, list[int]] = {}
    for key in sorted(reasons):
        wanted.setdefault(key.game, []).append(key.hand)
    for index, of_game in wanted.items():
        spec, record = run.record(index)
        assert record is not None
        games[str(index)] = game_data(spec, record, numbers)
        for number, hand in zip(of_game, hands_data(run.info, spec, record, of_game), strict=True):
            key = HandKey(index, number)
            hands.append({**hand, "why": reasons[key]} | _swing_data(swings.get(key), numbers))
    pairings = [
        {"bots": [numbers[name] for name in part.pairing], "seen": part.seen, "shown": len(part.reasons)}
        for part in chosen
    ]
    adviser_sees = run.info.format.rules.adviser_view == "captain"
    return {"bots": names, "adviser_sees": adviser_sees, "pairings": pairings, "games": games, "hands": hands}


def _swing_data(swing: Swing | None, numbers: dict[str, int]) -> Data:
    return {"swing": [numbers[swing.bot], swing.points]} if swing else {}
