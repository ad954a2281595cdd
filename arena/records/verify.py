"""Checks a run against the law, with no bot: every hand is dealt, replayed and scored again.

What is recomputed, from the seed, the rules and the moves alone:

- that the seed is the one committed to, and that game, scoring, play and rules are those of the configuration;
- the order of the schedule, and which bot has which seat in each seating;
- the first roles of a game (in three-hand the draw for them), and the roles of every hand;
- every deck, and every card drawn from it;
- that every move is legal, melds, lay-offs and advice included, and what it leads to: the end, deadwood, points;
- totals, bonuses, margins, places, columns and the ending of every game;
- that every forfeit has its fault and every fault its forfeit, and what a quarantined bot lost unplayed.

What cannot be: who was to meet whom, what the bots were, the kind and the words of a fault, the words of advice, and
whether melds were declared or left to the arena. A digest protects these against accidents and careless hands; against
a forger only if `Verified.digest` was published, which is the same for the same run on any machine.
Decision times are not protected: no result hangs on them. A game that was taken out is a game not yet played.
"""

import hashlib
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, fields

from arena import dealing
from arena.cards import cards_text, mask_text
from arena.dealer.table import FaultCost, TableRules, first_roles, forfeited_game
from arena.dealer.values import AdviceRecord, GameRecord, GameSpec, HandRecord
from arena.errors import IllegalAction, RecordError
from arena.players.faults import Culprit, Fault
from arena.records import notation
from arena.records.digest import game_digest
from arena.records.plan import check_plan, same
from arena.records.store import OUTCOME, Run
from arena.rules.game import Game, GameOutcome
from arena.rules.hand import Hand
from arena.rules.options import Rules
from arena.rules.replay import replay_steps
from arena.rules.result import HandResult, Position, ResultKind


@dataclass(frozen=True, slots=True)
class Verified:
    """A run without a difference.

    games, hands: how many were checked. scheduled: how many games there are to be.
    digest: of all that was checked. Runs with the same digest are the same, decision times aside.
    """

    games: int
    scheduled: int
    hands: int
    digest: str


def verify(run: Run) -> Verified:
    """Check a run. Raises `RecordError` at the first difference: where it is, what was expected and what was found."""
    settings = check_plan(run)
    shared = TableRules(run.info.format, bytes.fromhex(run.info.seed), cost=settings.cost)
    quarantine = _Quarantine(settings.quarantine_after)
    whole = hashlib.sha256(run.digest.encode())
    games = hands = 0
    for (spec, record), written in zip(run.records(), run.digests(), strict=True):
        place = f"game {spec.index}"
        if spec.index == games:  # of a game before a gap in the record nobody can say who was quarantined
            quarantine.check(place, spec, record)
        _check_game(place, shared, spec, record)
        lines = [notation.encode(hand) for hand in record.hands]
        digest = game_digest(spec.index, OUTCOME.text(record.outcome), lines, record.faults)
        same(f"{place}: digest of its hands, faults and words", written, digest)
        whole.update(digest.encode())
        games += 1
        hands += len(record.hands)
    return Verified(games, len(run), hands, whole.hexdigest())


class _Quarantine:
    """Counts faults in schedule order."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._counts: Counter[str] = Counter()

    def check(self, place: str, spec: GameSpec, record: GameRecord) -> None:
        """Check who is quarantined in the next game of the schedule."""
        expected = [name for name in spec.seats if self._counts[name] >= self._most]
        found = [spec.seats[fault.seat] for fault in record.faults if fault.fault is Fault.QUARANTINED]
        same(f"{place}: bots in quarantine", expected, found)
        if not expected:
            self._counts.update(spec.seats[fault.seat] for fault in record.faults)


# -- a game -----------------------------------------------------------------------------------------------------------


def _check_game(place: str, shared: TableRules, spec: GameSpec, record: GameRecord) -> None:
    barred = [spec.seats[fault.seat] for fault in record.faults if fault.fault is Fault.QUARANTINED]
    if barred:
        unplayed = forfeited_game(spec, shared, barred)
        same(f"{place}: hands of a game that was not played", 0, len(record.hands))
        same(f"{place}: faults of a game that was not played", unplayed.faults, record.faults)
        _check_fields(place, unplayed.outcome, record.outcome)
        return
    game = Game(shared.format, first_roles(shared, spec.group))
    for number, hand in enumerate(record.hands, 1):
        where = f"{place}, hand {number}"
        same(f"{where}: number", number, hand.number)
        if game.roles is None:
            raise RecordError(f"{where}: expected the game to be over, found a hand")
        same(f"{where}: seats", game.roles, hand.roles)
        _check_hand(where, shared, spec, hand)
        game.record(hand.result)
    for seat in _check_faults(place, shared.cost, record):
        game.forfeit(seat)
    if game.roles is not None:
        raise RecordError(f"{place}: expected hand {len(record.hands) + 1}, found none, and the game is not over")
    _check_fields(place, game.outcome(), record.outcome)


def _check_faults(place: str, cost: FaultCost, record: GameRecord) -> Iterator[int]:
    """Check that faults and forfeited hands belong together; yields the seat of a fault that cost the game."""
    forfeits = {
        (hand.number, hand.roles.seat(1 - hand.result.winner))
        for hand in record.hands
        if hand.result.kind is ResultKind.FORFEIT and hand.result.winner is not None
    }
    at_play = set[tuple[int, int]]()
    for fault in record.faults:
        same(f"{place}: culprit of a fault", Culprit.BOT, fault.fault.culprit)
        if not 1 <= fault.hand <= len(record.hands):
            raise RecordError(f"{place}: expected faults in hands 1 to {len(record.hands)}, found one in {fault.hand}")
        hand = record.hands[fault.hand - 1]
        if fault.seat != hand.roles.out:  # advice costs nothing
            at_play.add((fault.hand, fault.seat))
            same(f"{place}: move of the fault in hand {fault.hand}", len(hand.moves) // 2 + 1, fault.move)
            if fault.fault is Fault.NEVER_READY or cost is FaultCost.GAME:
                yield fault.seat
    same(f"{place}: faults at play (hand, seat)", sorted(forfeits), sorted(at_play))


def _check_fields(place: str, expected: HandResult | GameOutcome, found: HandResult | GameOutcome) -> None:
    for field in fields(expected):
        shown = [_shown(field.name, getattr(value, field.name)) for value in (expected, found)]
        same(f"{place}: {field.name}", *shown)


def _shown(name: str, value: object) -> object:
    """A field's value as a person reads it: masks as cards."""
    if isinstance(value, int) and name == "layoffs":
        return f"[{mask_text(value)}]"
    if isinstance(value, tuple) and name in {"melds", "defender_melds"}:
        return f"[{', '.join([mask_text(meld) for meld in value])}]"
    return value


# -- a hand -----------------------------------------------------------------------------------------------------------


def _check_hand(where: str, shared: TableRules, spec: GameSpec, hand: HandRecord) -> None:
    rules = shared.format.rules
    cards = dealing.deck(shared.seed, spec.group, hand.number)
    deck = dealing.as_played(cards, hand.roles, rules.stock == "two_ended")
    same(f"{where}: deck", cards_text(deck), cards_text(hand.deck))
    try:
        played = _replayed(rules, hand)
    except RecordError as error:
        raise RecordError(f"{where}: {error}") from error
    if played.result is None:
        raise RecordError(f"{where}: expected moves up to the end of the hand, found {len(hand.moves) // 2} of them")
    _check_fields(where, played.result, hand.result)


def _replayed(rules: Rules, hand: HandRecord) -> Hand:
    """Play the recorded moves, checking the advice on the way. Raises `RecordError`."""
    advice = deque(hand.advice)
    played = Hand(rules, hand.deck)
    for played in replay_steps(rules, hand.deck, hand.moves, hand.result):
        if advice and advice[0].move == len(played.moves) // 2:
            _check_advice(played, advice.popleft())
    if advice:
        raise _misplaced(advice[0])
    return played


def _check_advice(hand: Hand, advice: AdviceRecord) -> None:
    if hand.result is not None or hand.to_act != Position.NONDEALER:
        raise _misplaced(advice)
    try:
        hand.copy().apply(advice.action)
    except IllegalAction as error:
        raise RecordError(f"advice before move {advice.move + 1}: {error}") from error


def _misplaced(advice: AdviceRecord) -> RecordError:
    return RecordError(f"advice before move {advice.move + 1}: expected a decision of the captain after it, found none")
