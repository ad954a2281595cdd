"""The figures of a results page: what was played, the tables, what is drawn of them."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from arena.errors import HostError
from arena.extras import needing
from arena.pages.page import Figures, Plot
from arena.pages.plots import Drawn, dot_plot
from arena.records.store import Run
from arena.rules.options import PRESETS
from arena.standings.sheet import Column, Sheet, shown
from arena.standings.statistics import Estimate
from arena.tournament.config import SeriesConfig, config_of
from arena.tournament.results import Results

if TYPE_CHECKING:  # they need what a base install does not have
    from arena.standings.ratings import Rating, Ratings


def facts_of(run: Run, config: SeriesConfig, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What was played, by name."""
    info = run.info
    play = "games to the target" if config.play == "games" else "single deals"
    yield "Game", f"{config.game}, {play}{', Hollywood scoring' if config.scoring == 'hollywood' else ''}"
    yield "Rules", _rules(run)
    yield "Deal groups", f"{config.groups:,} a pairing, each in all seatings"
    yield "Bots", ", ".join([f"{bot.name} {bot.version}".strip() for bot in info.bots if bot.name in names])
    yield "Played with", f"Gin Arena {info.arena_version}"


def _rules(run: Run) -> str:
    """The preset that is nearest, and the options that differ from it."""
    options = run.info.format.rules.as_text()
    differing = {
        preset: [f"{name}: {value}" for name, value in options.items() if rules.as_text()[name] != value]
        for preset, rules in PRESETS.items()
    }
    preset = min(differing, key=lambda name: len(differing[name]))
    return f"{preset} preset{'; ' if differing[preset] else ''}{', '.join(differing[preset])}"


_HEADINGS = {
    "Hands": ("ends", "How hands ended"),
    "Advice given, from outside": ("advice-given", "Advice given, from outside"),
    "Advice got, as captain": ("advice-got", "Advice got, as captain"),
}
"""Names and headings on the page, where they are other than on a terminal."""


def tables_of(results: Results) -> list[Figures]:
    """The standings as tables of the page, the ranking first."""
    return [Figures(*_HEADINGS.get(heading, (heading.lower(), heading)), sheet) for heading, sheet in results.tables]


def plots_of(run: Run, results: Results, names: Sequence[str], *, rated: bool, luck: str | None) -> Iterator[Plot]:
    """The margins a hand, the same without luck, and the ratings, or a sentence why there are none.

    rated: whether ratings are wanted. luck: why it is not judged, empty where it is, `None` where nobody asked.
    """
    sums = [(name, results.tally.bots[name].sums) for name in names]
    ratings, about = _ratings(run, results) if rated else (None, [])
    absent = [] if ratings else about
    bare = _margins([(name, one.margin_a_hand()) for name, one in sums])
    adjusted = _margins([(name, one.adjusted_a_hand()) for name, one in sums]) if luck == "" else []
    if plot := dot_plot(bare, beside=adjusted):
        yield Plot("Margin a hand", "points, with 95 % intervals", plot, [*absent, *([luck] if luck else [])])
    if plot := dot_plot(adjusted, beside=bare):
        yield Plot("Margin a hand without the luck of the draws", "points, with 95 % intervals", plot)
    if ratings and (plot := dot_plot([_rating(one) for one in ratings.bots], ratings.at)):
        yield Plot("Ratings", "with 95 % intervals; 400 points are odds of ten to one", plot, about)


def _margins(estimates: Sequence[tuple[str, Estimate | None]]) -> list[Drawn]:
    return [Drawn(name, one.mean, one.low, one.high, shown(_MARGIN, one)) for name, one in estimates if one is not None]


_MARGIN = Column("margin_a_hand", "margin a hand", 2, signed=True)


def _ratings(run: Run, results: Results) -> tuple["Ratings | None", Sequence[str]]:
    """The ratings, and what a reader has to know of them or of their absence."""
    scale = config_of(run.info).ratings
    try:
        with needing("statistics"):
            from arena.standings.ratings import ratings_of  # noqa: PLC0415 - a base install cannot
            from arena.tournament.ratings import cycle_notes, scale_notes  # noqa: PLC0415

            anchor = scale.anchor if scale.anchor in results.tally.bots else None
            ratings = ratings_of(results.tally, run.info.seed, anchor, scale.at)
    except HostError as error:
        return None, [f"Ratings are not shown: {error}."]
    if isinstance(ratings, str):
        return None, [f"{ratings[:1].upper()}{ratings[1:]}."] if results.tally.games else []
    return ratings, [*scale_notes(ratings, results.tally, run.info.format.seats), *cycle_notes(ratings)]


def _rating(one: "Rating") -> Drawn:
    ends = "" if one.low is None or one.high is None else f", {one.low:.0f} to {one.high:.0f}"
    return Drawn(one.bot, one.rating, one.low, one.high, f"{one.rating:.0f}{ends}")


def times_of(config: SeriesConfig, sheet: Sheet) -> Figures:
    """The decision times."""
    how = "each by its own clock" if config.timed else "the time of a batch shared out among its turns"
    about = f"Milliseconds, {how}. Times are never the same twice; all else on this page follows from the record."
    return Figures("times", "Decision times", sheet, [about])
