"""What the tables are folded from: the committed games, counted by bot, by opponent and by deal group."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby

from arena.dealer.values import GameRecord, GameSpec, HandRecord
from arena.players.faults import Fault
from arena.rules.result import Position, ResultKind
from arena.standings.advice import AdviceCount, times_followed
from arena.standings.luck import Luck, judged
from arena.standings.parts import Parts
from arena.standings.statistics import Estimate, ratio_over_groups

SIXTHS = 6
"""A game is won in sixths, so that a first place shared by two or three is counted exactly, and quickly."""

Finish = tuple[tuple[str, ...], tuple[int, ...]]
"""How a game came out: who met, by the alphabet, and the place of each."""


@dataclass(slots=True)
class GroupSum:
    """Games of one deal group.

    won: in sixths of a game. margin: of all games. hands: in the games that have any. hands_margin: of those games.
    luck: what of that margin was luck, see `arena.standings.luck`; 0 where it was not judged.
    """

    games: int = 0
    won: int = 0
    margin: float = 0.0
    hands: int = 0
    hands_margin: float = 0.0
    luck: float = 0.0


@dataclass(slots=True)
class Sums:
    """Sums by deal group, of one bot or of one bot against another. The sums of all are exact.

    A game lost unplayed, by a bot in quarantine, is a game won and lost with its margin, as the series declares it. As
    it has no hands it says nothing of the margin a hand.
    """

    groups: dict[int, GroupSum] = field(default_factory=dict)

    def add(self, group: int, won: int, margin: float, hands: int, luck: float = 0.0) -> None:
        """Count one game of a group."""
        sums = self.groups.get(group)
        if sums is None:
            sums = self.groups[group] = GroupSum()
        sums.games += 1
        sums.won += won
        sums.margin += margin
        if hands:
            sums.hands += hands
            sums.hands_margin += margin
            sums.luck += luck

    @property
    def games(self) -> int:
        """Games, those lost unplayed included."""
        return sum([group.games for group in self.groups.values()])

    @property
    def hands(self) -> int:
        """Hands in those games."""
        return sum([group.hands for group in self.groups.values()])

    @property
    def won(self) -> Fraction:
        """Games won; a game that k bots share counts 1/k for each. Against one other: it was ahead, a tie is half."""
        return Fraction(sum([group.won for group in self.groups.values()]), SIXTHS)

    @property
    def margin(self) -> float:
        """Sum of the margins. They are multiples of one half, so it is exact."""
        return sum([group.margin for group in self.groups.values()])

    def won_share(self) -> Estimate | None:
        """Share of the games won, with its interval over groups; `None` without a game."""
        return ratio_over_groups((group.won / SIXTHS, group.games) for group in self.groups.values())

    def margin_a_game(self) -> Estimate | None:
        """Margin a game, with its interval over groups; `None` without a game."""
        return ratio_over_groups((group.margin, group.games) for group in self.groups.values())

    def margin_a_hand(self) -> Estimate | None:
        """Margin a hand of the games that have hands, with its interval over groups; `None` without a hand."""
        return ratio_over_groups((group.hands_margin, group.hands) for group in self.groups.values() if group.hands)

    def adjusted_a_hand(self) -> Estimate | None:
        """Margin a hand less what was luck, with its interval over groups; the margin itself if nobody judged that."""
        return ratio_over_groups(
            (group.hands_margin - group.luck, group.hands) for group in self.groups.values() if group.hands
        )


@dataclass(slots=True)
class Part:
    """Hands in one role, and the points made in it less those given away."""

    hands: int = 0
    points: int = 0

    def add(self, points: int) -> None:
        """Count one hand."""
        self.hands += 1
        self.points += points


@dataclass(slots=True)
class BotTally:
    """Everything counted of one bot.

    won_alone, drawn: games in which it was first, alone or with others.
    made, suffered: how hands ended that it won and that it lost, by kind. walls: those nobody won, ties included.
    faults: by kind, those of games lost unplayed as `QUARANTINED`.
    box, captain, out: three-hand, its hands by role.
    advice_given, advice_got: three-hand, as the one who sits out and as the captain.
    """

    sums: Sums = field(default_factory=Sums)
    won_alone: int = 0
    drawn: int = 0
    made: Counter[ResultKind] = field(default_factory=Counter)
    suffered: Counter[ResultKind] = field(default_factory=Counter)
    walls: int = 0
    faults: Counter[Fault] = field(default_factory=Counter)
    box: Part = field(default_factory=Part)
    captain: Part = field(default_factory=Part)
    out: Part = field(default_factory=Part)
    advice_given: AdviceCount = field(default_factory=AdviceCount)
    advice_got: AdviceCount = field(default_factory=AdviceCount)


@dataclass(slots=True)
class Tally:
    """The fold of a run's complete deal groups.

    bots: by name, in order of entry.
    against: one bot (first) against another, in the games they shared: who was ahead, and by how many points.
    finishes: how often games came out how, by deal group.
    team: three-hand with `captain_points: team`, where the one who sits out scores what the captain wins.
    judged: whether what was luck is known.
    games, hands: counted. faulty: games of these in which a bot committed a fault. unplayed: that a bot lost in
        quarantine.
    incomplete: finished games left out because their group is not complete in its pairing.
    """

    bots: dict[str, BotTally]
    team: bool = False
    judged: bool = False
    against: dict[tuple[str, str], Sums] = field(default_factory=dict)
    finishes: dict[Finish, dict[int, int]] = field(default_factory=dict)
    games: int = 0
    hands: int = 0
    faulty: int = 0
    unplayed: int = 0
    incomplete: int = 0


def tally(
    games: Iterable[tuple[GameSpec, GameRecord]],
    bots: Iterable[str],
    group_size: Callable[[GameSpec], int],
    without: frozenset[str] = frozenset(),
    *,
    team: bool = False,
    luck: Luck | None = None,
    parts: Parts | None = None,
) -> Tally:
    """Fold the games of a run, in schedule order.

    bots: all of the run, in order of entry.
    group_size: how many games make the deal group complete in this game's pairing.
    without: bots whose games are left out, as if they had never entered.
    team: see `Tally`.
    luck: judges what was luck in each game, some milliseconds a hand; nobody does by default.
    parts: takes in what bots made by seat and role, in all games that count.
    """
    result = Tally({name: BotTally() for name in bots if name not in without}, team, luck is not None)
    for _, members in groupby(judged(games, luck), key=lambda game: (game[0].group, sorted(game[0].seats))):
        played = list(members)
        first = played[0][0]
        if not without.isdisjoint(first.seats):
            continue
        if len(played) < group_size(first):
            result.incomplete += len(played)
            continue
        for spec, record, lucky in played:
            _count_game(result, spec, record, lucky)
            if parts is not None:
                parts.add(spec, record)
    return result


def _count_game(result: Tally, spec: GameSpec, record: GameRecord, lucky: Sequence[float]) -> None:
    bots = [result.bots[name] for name in spec.seats]
    margins, places, hands = record.outcome.margins, record.outcome.places, len(record.hands)
    result.games += 1
    result.hands += hands
    if record.faults:
        unplayed = any(fault.fault is Fault.QUARANTINED for fault in record.faults)
        result.unplayed += unplayed
        result.faulty += not unplayed
    _count_finish(result, spec, places)
    share = SIXTHS // places.count(1)
    for bot, place, margin, points in zip(bots, places, margins, lucky, strict=True):
        first = place == 1
        bot.sums.add(spec.group, first * share, margin, hands, points)
        bot.won_alone += first and share == SIXTHS
        bot.drawn += first and share < SIXTHS
    _count_meetings(result, spec, places, margins, hands, lucky)
    for fault in record.faults:
        bots[fault.seat].faults[fault.fault] += 1
    for hand in record.hands:
        _count_hand(bots, hand, result.team)


def _count_finish(result: Tally, spec: GameSpec, places: Sequence[int]) -> None:
    names = tuple(sorted(spec.seats))
    finish = names, tuple([places[spec.seats.index(name)] for name in names])
    groups = result.finishes.setdefault(finish, {})
    groups[spec.group] = groups.get(spec.group, 0) + 1


def _count_meetings(
    result: Tally,
    spec: GameSpec,
    places: Sequence[int],
    margins: Sequence[float],
    hands: int,
    lucky: Sequence[float],
) -> None:
    """Count a game for each bot against each other.

    A margin is own points less the mean of the others'. So of two margins the difference, times 1/2 or in three-hand
    2/3, is the points of one less those of the other. (Of a shutout, whose bonus holds against one of two others, it is
    a mean.)
    """
    others = len(spec.seats) - 1
    for seat, name in enumerate(spec.seats):
        for rival, rival_name in enumerate(spec.seats):
            if rival != seat:
                sums = result.against.get((name, rival_name))
                if sums is None:
                    sums = result.against[name, rival_name] = Sums()
                ahead = places[rival] - places[seat]
                won = SIXTHS // 2 if ahead == 0 else SIXTHS * (ahead > 0)
                margin, luck = [(points[seat] - points[rival]) * others / (others + 1) for points in (margins, lucky)]
                sums.add(spec.group, won, margin, hands, luck)


def _count_hand(bots: Sequence[BotTally], hand: HandRecord, team: bool) -> None:
    nondealer, dealer, out = hand.roles
    result = hand.result
    winner = result.winner
    if winner is None:
        bots[nondealer].walls += 1
        bots[dealer].walls += 1
    else:
        bots[hand.roles.seat(winner)].made[result.kind] += 1
        bots[hand.roles.seat(1 - winner)].suffered[result.kind] += 1
    if out is not None:
        points = result.points if winner == Position.NONDEALER else -result.points
        bots[dealer].box.add(-points)
        bots[nondealer].captain.add(points)
        bots[out].out.add(max(points, 0) if team else 0)
        if hand.advice:
            given, followed = len(hand.advice), times_followed(hand)
            bots[out].advice_given.add(given, followed, points)
            bots[nondealer].advice_got.add(given, followed, points)
