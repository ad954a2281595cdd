"""One game at one table: what is asked next, and what an answer leads to. No waiting, no clock, no process.

A table always stands at one question (`asked`) until the game is over. The room carries the question to the
bot and comes back with `decide`, `advise` or `fault`; the table deals, scores and records.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from arena import dealing
from arena.dealer.clocks import SeatClock
from arena.dealer.values import AdviceRecord, FaultRecord, GameRecord, GameSpec, HandRecord, RoomRules, TimeUse
from arena.players.faults import Failure, Fault
from arena.rules.actions import Action
from arena.rules.game import Game, GameFormat, GameOutcome, Play, Roles
from arena.rules.hand import Hand
from arena.rules.notices import GameOver, HandOver, hand_over
from arena.rules.result import HandResult, Position
from arena.rules.view import Advice, Frame, GameKind, HandView, Role, Turn


class FaultCost(StrEnum):
    """What a bot's fault costs it: the hand it happened in, or the whole game."""

    HAND = "forfeit_hand"
    GAME = "forfeit_game"


@dataclass(frozen=True, slots=True)
class TableRules:
    """What all tables of a series share.

    format: game, scoring, play and rules.
    seed: the master seed, 32 bytes.
    hints: whether turns carry hints.
    cost: what a fault costs.
    decision_ms: the limit told in every turn, 0 for none.
    """

    format: GameFormat
    seed: bytes
    hints: bool = True
    cost: FaultCost = FaultCost.HAND
    decision_ms: int = 0


NOT_PLAYED = "not played: faults used up earlier in the schedule"
_TWO_HAND = (Role.NONDEALER, Role.DEALER)
_THREE_HAND = (Role.CAPTAIN, Role.BOX, Role.OUT)


def first_roles(table_rules: TableRules, group: int) -> Roles:
    """Who plays the first hand of a group's games in which role, by seat (RULES A14, section 2)."""
    three_hand = table_rules.format.game is GameKind.THREE_HAND
    if table_rules.format.play is Play.DEALS:
        return Roles(nondealer=0, dealer=1, out=2 if three_hand else None)
    if three_hand:
        box, captain, out = dealing.role_draw(table_rules.seed, group).order
        return Roles(nondealer=captain, dealer=box, out=out)
    dealer = dealing.first_dealer(table_rules.seed, group)
    return Roles(nondealer=1 - dealer, dealer=dealer, out=None)


def forfeited_game(spec: GameSpec, shared: TableRules, bots: Sequence[str]) -> GameRecord:
    """The record of a game that is not played because these of its bots are quarantined."""
    game = Game(shared.format, first_roles(shared, spec.group))
    faults = []
    for seat, name in enumerate(spec.seats):
        if name in bots:
            game.forfeit(seat)
            faults.append(FaultRecord(seat, 0, 0, Fault.QUARANTINED, NOT_PLAYED))
    return GameRecord(spec.index, (), game.outcome(), tuple(faults), tuple(TimeUse() for _ in spec.seats))


class Table:
    """One game in progress.

    asked: the turn that waits for an answer, `None` once the game is over.
    seat: the seat that has to answer it. clock: the one that it answers by.
    ended: by seat, the hands that ended since the seat was last asked; the room takes them along.
    """

    def __init__(self, spec: GameSpec, shared: TableRules, advisers: tuple[bool, ...]) -> None:
        """Deal the first hand. `advisers` says by seat who wants to be asked for advice."""
        seats = range(len(spec.seats))
        self.spec = spec
        self._shared = shared
        self._advisers = list(advisers)
        self._game_ids = tuple(dealing.opaque_id(shared.seed, spec.index, seat) for seat in seats)
        self._turns = [0] * len(seats)  # a count of its own for each: none can tell from it what others were asked
        self._advised = [0] * len(seats)
        self._hands: list[HandRecord] = []
        self._faults: list[FaultRecord] = []
        self.ended: tuple[list[HandOver], ...] = tuple([] for _ in seats)
        self._times: tuple[list[float], ...] = tuple([] for _ in seats)
        self._clocks = tuple(SeatClock() for _ in range(2 * len(seats)))  # to play by, then to advise by
        self._charged = False  # whether time was counted for the turn that is asked
        self.game = Game(shared.format, first_roles(shared, spec.group))
        self.asked: Turn | None = None
        self.seat = 0
        self._deal()

    def decide(self, action: Action) -> None:
        """Take the decision of the seat that was asked. Raises `IllegalAction` and stays where it is."""
        self.hand.apply(action)
        self._proceed()

    def advise(self, advice: Advice | None) -> None:
        """Take the advice of the seat that was asked for it; `None` for none worth having.

        Raises `IllegalAction` for an action that the captain may not do, and stays where it is.
        """
        if advice is not None:
            self.hand.copy().apply(advice.action)
            move = len(self.hand.moves) // 2
            self._advice.append(AdviceRecord(move, advice.action, advice.text))
        self._ask_player(advice)

    def fault(self, failure: Failure) -> None:
        """Charge the seat that was asked with a fault, at the declared cost.

        Advice costs nothing, and late advice is none and no fault (RULES T2). But who is late has used up its time for
        advice in this game, and who is not there cannot be waited for: neither is asked for advice again in it.
        """
        if self.asked is None:
            msg = f"game {self.spec.index} is over: nobody is asked"
            raise RuntimeError(msg)
        late = self.asked.advising and failure.fault is Fault.TIMEOUT
        if not late:
            self._charge(self.seat, failure)
        if self.asked.advising:
            self._advisers[self.seat] = not late and failure.fault is not Fault.NEVER_READY
            self._ask_player(None)
        elif failure.fault is Fault.NEVER_READY or self._shared.cost is FaultCost.GAME:
            self._forfeit_game(self.seat)
        else:
            self.hand.forfeit(self._position(self.seat))
            self._proceed()

    def use_time(self, seconds: float, free: float) -> None:
        """Count the time of the seat that was asked; what is beyond `free` seconds is drawn from its bank.

        A turn that has to be asked again counts as one decision, and all its time together.
        """
        times = self._times[self.seat]
        if self._charged:
            times[-1] += seconds
        else:
            times.append(seconds)
        self._charged = True
        self.clock.spend(seconds, free)

    def time_left(self, rules: RoomRules) -> tuple[float, float]:
        """Seconds that the turn may still take: of its time for a decision, and of the bank beyond that."""
        return self.clock.left(rules, len(self._hands) + 1)

    def take_ended(self, seat: int) -> list[HandOver]:
        """The hands that ended since the seat was last asked: from now on it has been told."""
        ended = self.ended[seat].copy()
        self.ended[seat].clear()
        return ended

    def game_over(self, seat: int) -> GameOver:
        """The notice for a seat: final points, bonuses included; of a game broken off the points so far."""
        totals = self.game.totals if self.asked else self._outcome.totals
        return GameOver(self._game_ids[seat], tuple([totals[other] for other in self.roles.seen_from(seat)]))

    def record(self) -> GameRecord:
        """The finished game."""
        clocks = zip(self._clocks, self._clocks[len(self._times) :], strict=False)
        overtime = [playing.overtime + advising.overtime for playing, advising in clocks]
        times = tuple(map(TimeUse.of, self._times, overtime))
        return GameRecord(
            self.spec.index, tuple(self._hands), self._outcome, tuple(self._faults), times, tuple(self._advised)
        )

    @cached_property
    def _outcome(self) -> GameOutcome:
        """What the finished game came to: reckoned once, and told to every seat and the record."""
        return self.game.outcome()

    def _deal(self) -> None:
        roles = self.game.roles
        if roles is None:
            self.asked = None
            return
        self.roles = roles
        shared, number, rules = self._shared, len(self._hands) + 1, self._shared.format.rules
        deck = dealing.deck(shared.seed, self.spec.group, number)
        self._deck = dealing.as_played(deck, roles, rules.stock == "two_ended")
        self.hand = Hand(rules, self._deck)
        self._advice: list[AdviceRecord] = []
        seats = range(len(self.spec.seats))
        self._seeds = tuple(dealing.TurnSeeds(shared.seed, self.spec.group, number, seat) for seat in seats)
        self._frames = tuple(self._frame(seat, number) for seat in seats)
        self._ask()

    def _frame(self, seat: int, number: int) -> Frame:
        hand, scores = self.hand, self.game.scores(seat)
        return Frame(
            self._game_ids[seat],
            number,
            self._role(seat),
            scores,
            hand.limit,
            hand.multiplier,
            hand.deal.upcard,
            self._shared.decision_ms,
        )

    def _proceed(self) -> None:
        if self.hand.result is None:
            self._ask()
        else:
            self._end_hand(self.hand.result)
            self._deal()

    def _end_hand(self, result: HandResult) -> None:
        hand, roles = self.hand, self.roles
        record = HandRecord(len(self._hands) + 1, roles, self._deck, hand.moves, tuple(self._advice), result)
        self._hands.append(record)
        self.game.record(result)
        totals, history, masks = self.game.totals, hand.deal.history, hand.deal.masks
        for seat, ended in enumerate(self.ended):
            seen = tuple([totals[other] for other in roles.seen_from(seat)])
            ended.append(hand_over(self._game_ids[seat], record.number, self._role(seat), result, masks, history, seen))

    def _forfeit_game(self, seat: int) -> None:
        self._end_hand(self.hand.forfeit(self._position(seat)))
        self.game.forfeit(seat)
        self.asked = None

    def _charge(self, seat: int, failure: Failure) -> None:
        hand, move = len(self._hands) + 1, len(self.hand.moves) // 2 + 1
        self._faults.append(FaultRecord(seat, hand, move, failure.fault, failure.detail, failure.output))

    def _role(self, seat: int) -> Role:
        names = _TWO_HAND if self.roles.out is None else _THREE_HAND
        return names[self.roles.index(seat)]

    def _position(self, seat: int) -> Position:
        return Position.NONDEALER if seat == self.roles.nondealer else Position.DEALER

    def _ask(self) -> None:
        """Ask whoever has to speak next: the adviser before the captain, where there is one."""
        out = self.roles.out
        if out is not None and self.hand.to_act == Position.NONDEALER and self._advisers[out]:
            view = self._adviser_view()
            if view is not None:
                self._put(out, view, advising=True)
                return
        self._ask_player(None)

    def _ask_player(self, advice: Advice | None) -> None:
        hand = self.hand
        position = hand.to_act
        seat = self.roles.seat(position)
        self._put(seat, hand.view(position, self._shared.hints), advice=advice)

    def _adviser_view(self) -> HandView | None:
        """What the player who sits out sees of the captain's decision (RULES T1)."""
        rule = self._shared.format.rules.adviser_view
        if rule == "none":
            return None
        if rule == "public":
            return self.hand.view(Position.NONDEALER, hints=False).public()
        return self.hand.view(Position.NONDEALER, self._shared.hints)

    def _put(self, seat: int, view: HandView, *, advising: bool = False, advice: Advice | None = None) -> None:
        self._turns[seat] += 1
        self._advised[seat] += advising
        self.seat = seat
        self.clock = self._clocks[seat + len(self._turns) * advising]
        self.clock.spent = 0.0
        self._charged = False
        turn_id = self._game_ids[seat] << 16 | self._turns[seat] & 0xFFFF
        self.asked = Turn(turn_id, self._frames[seat], view, self._seeds[seat].next(), advising, advice)
