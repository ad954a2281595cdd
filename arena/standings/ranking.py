"""Who stands where: the order of the bots by the criteria of the series, and never by name."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations

from arena.standings.tally import Tally

CRITERIA = ("games_won", "margin", "head_to_head")
"""What `rank_by` may name: the share of games won, the margin a game, the games among those still tied."""


def rank(tally: Tally, rank_by: Sequence[str]) -> list[tuple[int, str]]:
    """Places and names, best first; bots that no criterion tells apart share a place and stand in order of entry.

    Bots without a game that counts stand last. All values compared are exact, so that rounding breaks no tie.
    """
    tied = [
        group for group in _split(list(tally.bots), lambda name: Fraction(tally.bots[name].sums.games > 0)) if group
    ]
    for criterion in rank_by:
        tied = [part for group in tied for part in _split(group, _score(tally, criterion, group))]
    places = []
    place = 1
    for group in tied:
        places += [(place, name) for name in group]
        place += len(group)
    return places


def _split(group: Sequence[str], score: Callable[[str], Fraction]) -> list[list[str]]:
    scores = {name: score(name) for name in group}
    return [[name for name in group if scores[name] == value] for value in sorted(set(scores.values()), reverse=True)]


def _score(tally: Tally, criterion: str, group: Sequence[str]) -> Callable[[str], Fraction]:
    """How a criterion values the bots of a group that is tied so far."""
    all_met = criterion == "head_to_head" and all(pair in tally.against for pair in permutations(group, 2))

    def games_won(name: str) -> Fraction:
        sums = tally.bots[name].sums
        return sums.won / sums.games if sums.games else Fraction(0)

    def margin(name: str) -> Fraction:
        sums = tally.bots[name].sums
        return Fraction(sums.margin) / sums.games if sums.games else Fraction(0)

    def head_to_head(name: str) -> Fraction:
        """Share of the games ahead of the others of the group; it decides nothing unless all of them met."""
        if not all_met:
            return Fraction(0)
        meetings = [tally.against[name, other] for other in group if other != name]
        games = sum(sums.games for sums in meetings)
        return sum((sums.won for sums in meetings), Fraction(0)) / games if games else Fraction(0)

    return {"games_won": games_won, "margin": margin, "head_to_head": head_to_head}[criterion]
