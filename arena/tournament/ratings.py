"""The ratings of a run as tables: the bots on one scale, and what is certain of every two of them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from arena.errors import InputError
from arena.records.store import Run
from arena.standings.ratings import COPIES, Rating, Ratings, ratings_of
from arena.standings.sheet import Cell, Column, Sheet, render
from arena.standings.significance import Pair
from arena.standings.statistics import FEWEST_GROUPS
from arena.standings.tally import BotTally, Tally
from arena.tournament.config import config_of
from arena.tournament.results import results_of

LEAST_P = 0.0001
"""P-values below are told as this one."""
MOST_CYCLES = 10
"""Cycles that are told to people; of more only how many."""

RATING_COLUMNS = (
    Column("place", "#"),
    Column("bot", "bot", text=True),
    Column("margin_a_hand", "margin a hand", 2, signed=True, pm="margin_a_hand_pm"),
    Column("rating", "rating"),
    Column("rating_low", "from"),
    Column("rating_high", "to"),
    Column("won_percent", "won %", 1),
    Column("games", "games"),
    Column("groups", "deal groups"),
)
PAIR_COLUMNS = (
    Column("bot", "bot", text=True),
    Column("against", "against", text=True),
    Column("margin_a_hand", "margin a hand", 2, signed=True, pm="margin_a_hand_pm"),
    Column("groups", "deal groups"),
    Column("p", "p", 4),
    Column("p_holm", "p by Holm", 4),
    Column("significant", "significant", text=True),
    Column("outranks_percent", "outranks %", 2),
)


@dataclass(frozen=True, slots=True)
class RatedRun:
    """The ratings of a run as it stands.

    ratings: a row a bot, the highest rating first. pairs: a row for every two bots, of whom the first is rated higher.
    outranks: the probability in percent that the bot of the row outranks that of the column.
    notes: what a reader has to know, a sentence each. cycles: see `arena.standings.significance`.
    """

    title: str
    ratings: Sheet
    pairs: Sheet
    outranks: Sheet
    cycles: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]

    def as_text(self, form: str) -> str:
        """Both tables in a format of tabulate, each under its heading."""
        parts = [("Ratings", self.ratings), ("Every two bots", self.pairs)]
        return "\n".join([f"{heading}\n\n{render(sheet, form)}" for heading, sheet in parts])

    def as_json(self) -> str:
        """Everything, for a program."""
        parts = {
            "title": self.title,
            "ratings": self.ratings.records(),
            "pairs": self.pairs.records(),
            "cycles": self.cycles,
            "notes": self.notes,
        }
        return json.dumps(parts, indent=2, ensure_ascii=False) + "\n"


def rated(run: Run, without: frozenset[str] = frozenset(), anchor: str | None = None) -> RatedRun:
    """The ratings of a run, without the games of some bots. anchor: instead of the one of the series.

    Raises `InputError` where there can be none, and as `results_of` does.
    """
    results = results_of(run, without)
    scale = config_of(run.info).ratings
    ratings = ratings_of(results.tally, run.info.seed, anchor or scale.anchor, scale.at)
    if isinstance(ratings, str):
        hint = "; --anchor BOT takes another" if anchor is None and scale.anchor in without else ""
        raise InputError(f"{run.folder}: {ratings}{hint}")
    return RatedRun(
        results.title,
        Sheet(RATING_COLUMNS, [*_rows(ratings, results.tally)]),
        Sheet(PAIR_COLUMNS, [*_pair_rows(ratings)]),
        _outranks(ratings),
        ratings.cycles,
        (
            *results.about,
            *scale_notes(ratings, results.tally, run.info.format.seats),
            *_pair_notes(ratings),
            *cycle_notes(ratings),
        ),
    )


def _rows(ratings: Ratings, tally: Tally) -> Iterator[list[Cell]]:
    for rating in ratings.bots:
        better = sum(other.rating > rating.rating for other in ratings.bots)
        yield [1 + better, *_row(rating, tally.bots[rating.bot])]


def _row(rating: Rating, bot: BotTally) -> list[Cell]:
    won = 100 * float(bot.sums.won / bot.sums.games)
    margin = bot.sums.margin_a_hand()
    return [rating.bot, margin, rating.rating, rating.low, rating.high, won, rating.games, rating.groups]


def _pair_rows(ratings: Ratings) -> Iterator[list[Cell]]:
    met: Mapping[frozenset[str], Pair] = {frozenset((pair.bot, pair.against)): pair for pair in ratings.pairs}
    for bot, against in combinations([rating.bot for rating in ratings.bots], 2):
        above = ratings.outranks.get((bot, against))
        yield [bot, against, *_meeting(bot, met.get(frozenset((bot, against)))), None if above is None else 100 * above]


def _outranks(ratings: Ratings) -> Sheet:
    names = [rating.bot for rating in ratings.bots]
    columns = [Column("bot", "bot", text=True), *[Column(name, name, 2) for name in names]]
    shares = {pair: 100 * share for pair, share in ratings.outranks.items()}
    return Sheet(columns, [[row, *[shares.get((row, column)) for column in names]] for row in names])


def _meeting(bot: str, pair: Pair | None) -> Sequence[Cell]:
    if pair is None:
        return (None,) * 5
    margin = pair.margin if pair.margin is None or pair.bot == bot else pair.margin.turned()
    values = [None if p is None else max(p, LEAST_P) for p in (pair.p, pair.holm)]
    said = None if pair.significant is None else "yes" if pair.significant else "no"
    return (margin, pair.groups, *values, said)


def scale_notes(ratings: Ratings, tally: Tally, seats: int) -> Iterator[str]:
    """What a reader of ratings has to know, a sentence each. seats: how many play in a game."""
    if tally.faulty or tally.unplayed:
        yield (
            f"Faults: in {tally.faulty:,} of these games a bot committed one, and {tally.unplayed:,} were lost "
            "unplayed. They count as the series declares, here too."
        )
    if ratings.unrated:
        yield f"Not rated, as no game counts: {', '.join(ratings.unrated)}."
    model = "Bradley-Terry" if seats == 2 else "Plackett-Luce"
    where = f"{ratings.anchor} stands at" if ratings.anchor else "the mean of all is"
    yield f"Rating: {model}, over all games; {where} {ratings.at:.0f}, and 400 more are odds of ten to one."
    if ratings.outranks:
        yield f"From, to: the 95 % interval, by {COPIES:,} bootstrap samples of the deal groups. ±: that of the margin."
    else:
        yield "No intervals: some bot has one deal group only."


def _pair_notes(ratings: Ratings) -> Iterator[str]:
    if ratings.outranks:
        yield "Outranks %: how probable it is that the first of two is the stronger, by the same samples."
    yield f"p: how often equal bots would come out so far apart; {LEAST_P} stands for less too."
    yield (
        "Significant: the margin a hand differs from 0, said of all pairs together at 95 % by Holm's correction, from "
        f"{FEWEST_GROUPS} deal groups on."
    )


def cycle_notes(ratings: Ratings) -> Iterator[str]:
    """The sentence of the cycles, if there are any."""
    cycles = [" > ".join((*cycle, cycle[0])) for cycle in ratings.cycles]
    more = f", and {len(cycles) - MOST_CYCLES:,} more" if len(cycles) > MOST_CYCLES else ""
    if cycles:
        told = ", ".join(cycles[:MOST_CYCLES])
        yield f"Cycles: {told}{more}. Each beats the next significantly, so no order and no rating is right for them."
