"""What the tables are folded from: the committed games, counted by bot, by opponent and by deal group."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby

from arena.dealer.values import GameRecord, GameSpec, HandRecord
from arena.rules.actions import ActionKind
from arena.standings.statistics import Estimate, ratio_over_groups

SUFFERED = "_suffered"
"""Marks the other side of a hand's end: `gin` by the winner, `gin_suffered` by the loser."""


@dataclass(slots=True)
class GroupSum:
    """Games of one deal group: how many, won (a tie shared), the margins, the hands."""

    games: int = 0
    won: Fraction = Fraction(0)
    margin: float = 0.0
    hands: int = 0

    def add(self, won: Fraction, margin: float, hands: int) -> None:
        """Count one game."""
        self.games += 1
        self.won += won
        self.margin += margin
        self.hands += hands


class Sums:
    """Sums by deal group, of one bot or of one bot against another."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.groups: dict[int, GroupSum] = {}

    def add(self, group: int, won: Fraction, margin: float, hands: int) -> None:
        """Count one game of a group."""
        self.groups.setdefault(group, GroupSum()).add(won, margin, hands)

    @property
    def games(self) -> int:
        """Games played."""
        return sum(group.games for group in self.groups.values())

    @property
    def hands(self) -> int:
        """Hands in those games."""
        return sum(group.hands for group in self.groups.values())

    @property
    def won(self) -> Fraction:
        """Games won; a game that k bots share counts 1/k for each."""
        return sum((group.won for group in self.groups.values()), Fraction(0))

    @property
    def margin(self) -> float:
        """Sum of the margins. Margins are multiples of one half, so the sum is exact."""
        return sum(group.margin for group in self.groups.values())

    def won_share(self) -> Estimate:
        """Share of the games won, with its interval over groups."""
        return ratio_over_groups((float(group.won), group.games) for group in self.groups.values())

    def margin_a_hand(self) -> Estimate:
        """Margin a hand, with its interval over groups."""
        return ratio_over_groups((group.margin, group.hands) for group in self.groups.values())


@dataclass(slots=True)
class Part:
    """Hands in one role, and the points made in it less those given away."""

    hands: int = 0
    points: int = 0


@dataclass(slots=True)
class AdviceCount:
    """Advice of one bot from its seat outside, by whether the captain did as advised.

    points: the captain's points less the box's, over the hands with any advice that were wholly followed, or not.
    """

    given: int = 0
    followed: int = 0
    hands_followed: int = 0
    points_followed: int = 0
    hands_other: int = 0
    points_other: int = 0


@dataclass(slots=True)
class BotTally:
    """Everything counted of one bot.

    hands: how its hands ended, as `gin`, `knock`, `undercut` (made), `undercut_suffered`, `wall`, ...
    """

    sums: Sums = field(default_factory=Sums)
    drawn: int = 0
    won_alone: int = 0
    hands: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    roles: dict[str, Part] = field(default_factory=dict)
    advice: AdviceCount = field(default_factory=AdviceCount)


@dataclass(slots=True)
class Tally:
    """The fold of a run's complete groups.

    against: margins of one bot (first) against another, in the games they shared.
    incomplete: games left out because their group is not complete in its pairing.
    """

    bots: dict[str, BotTally]
    against: dict[tuple[str, str], Sums]
    games: int = 0
    hands: int = 0
    incomplete: int = 0


def tally(
    games: Iterable[tuple[GameSpec, GameRecord]],
    bots: Iterable[str],
    group_size: Callable[[GameSpec], int],
    without: frozenset[str] = frozenset(),
) -> Tally:
    """Fold the games of a run, in schedule order.

    group_size: how many games make the deal group complete in this game's pairing.
    without: bots whose games are left out, as if they had never entered.
    """
    result = Tally({name: BotTally() for name in bots if name not in without}, {})
    for _, members in groupby(games, key=lambda game: (game[0].group, sorted(game[0].seats))):
        played = list(members)
        first = played[0][0]
        if not without.isdisjoint(first.seats):
            continue
        if len(played) < group_size(first):
            result.incomplete += len(played)
            continue
        for spec, record in played:
            _count_game(result, spec, record)
    return result


def _count_game(result: Tally, spec: GameSpec, record: GameRecord) -> None:
    outcome, hands = record.outcome, len(record.hands)
    result.games += 1
    result.hands += hands
    winners = outcome.places.count(1)
    others = len(spec.seats) - 1
    for seat, name in enumerate(spec.seats):
        bot = result.bots[name]
        won = Fraction(1, winners) if outcome.places[seat] == 1 else Fraction(0)
        bot.sums.add(spec.group, won, outcome.margins[seat], hands)
        if won == 1:
            bot.won_alone += 1
        elif won:
            bot.drawn += 1
        for rival, rival_name in enumerate(spec.seats):
            if rival != seat:
                # A margin is own points less the mean of the others', so this is own points less the rival's.
                margin = (outcome.margins[seat] - outcome.margins[rival]) * others / (others + 1)
                ahead = _ahead(outcome.places[seat], outcome.places[rival])
                result.against.setdefault((name, rival_name), Sums()).add(spec.group, ahead, margin, hands)
    for hand in record.hands:
        _count_hand(result, spec, hand)
    for fault in record.faults:
        result.bots[spec.seats[fault.seat]].faults[fault.fault.value] += 1


def _ahead(place: int, rival: int) -> Fraction:
    return Fraction(1, 2) if place == rival else Fraction(int(place < rival))


def _count_hand(result: Tally, spec: GameSpec, hand: HandRecord) -> None:
    roles, ended = hand.roles, hand.result
    nondealer, dealer = result.bots[spec.seats[roles.nondealer]], result.bots[spec.seats[roles.dealer]]
    by_position = (nondealer, dealer)
    if ended.winner is None:
        for bot in by_position:
            bot.hands[ended.kind.value] += 1
    else:
        by_position[ended.winner].hands[ended.kind.value] += 1
        by_position[1 - ended.winner].hands[ended.kind.value + SUFFERED] += 1
    if roles.out is not None:
        captain_points = ended.points * _sign(ended.winner)
        for bot, role, points in (
            (nondealer, "captain", captain_points),
            (dealer, "box", -captain_points),
            (result.bots[spec.seats[roles.out]], "out", 0),
        ):
            part = bot.roles.setdefault(role, Part())
            part.hands += 1
            part.points += points
        _count_advice(result.bots[spec.seats[roles.out]].advice, hand, captain_points)


def _sign(winner: int | None) -> int:
    return 0 if winner is None else 1 if winner == 0 else -1


def _count_advice(count: AdviceCount, hand: HandRecord, captain_points: int) -> None:
    if not hand.advice:
        return
    followed = sum(1 for advice in hand.advice if _did(hand, advice.move) == (advice.action.kind, advice.action.card))
    count.given += len(hand.advice)
    count.followed += followed
    if followed == len(hand.advice):
        count.hands_followed += 1
        count.points_followed += captain_points
    else:
        count.hands_other += 1
        count.points_other += captain_points


def _did(hand: HandRecord, move: int) -> tuple[int, int | None]:
    """What was done at a move: its kind, and the card where it was the player's choice."""
    if 2 * move >= len(hand.moves):
        return 0, None
    kind, card = hand.moves[2 * move] & 0x0F, hand.moves[2 * move + 1]
    return kind, card if kind in (ActionKind.DISCARD, ActionKind.KNOCK) else None
