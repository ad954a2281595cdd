"""No byte that is sent to a seat hangs on a card that the seat has not been told.

A game is played by a room, and all that leaves it is kept. Then the cards change places that a seat had not been told
up to some message, hand by hand, and all later cards with them; the same decisions are made again. As long as the
public events are the same, so must be every byte sent to that seat: turns, hints, advice, and all notices.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest
from playing import FORMATS

from arena import dealing
from arena.cards import mask_of
from arena.dealer.room import Room
from arena.dealer.table import FaultCost, Table, TableRules
from arena.dealer.values import GameRecord, GameSpec, RoomRules
from arena.melds import deadwood
from arena.players.player import Exchange, Player
from arena.players.spec import inline_spec
from arena.protocol.v1 import player_pb2 as pb
from arena.rules.game import GameFormat
from arena.rules.view import HIDDEN, Frame

SEED = dealing.master_seed("hidden")
ROOM = RoomRules(tables=1, batch=1, timed=False, decision=3600.0, bank=0.0, quarantine_after=1000)
GAMES = 3
"""Games tried of each kind; in each every seat is looked at, at two messages."""

_RULES = {name: replace(format_.rules, target=25) for name, format_ in FORMATS.items()}
KINDS = {
    "gin": (FORMATS["gin"], True),
    "gin, no hints": (FORMATS["gin"], False),
    "hollywood": (FORMATS["gin-hollywood"], True),
    "oklahoma": (FORMATS["oklahoma"], True),
    "oklahoma, hollywood, no hints": (FORMATS["oklahoma-hollywood"], False),
    "deals": (FORMATS["gin-deals"], True),
    "three-hand": (FORMATS["three-hand"], True),
    "three-hand, hollywood": (FORMATS["three-hand-hollywood"], True),
    "three-hand, no hints": (FORMATS["three-hand"], False),
    "three-hand, public view": (
        replace(FORMATS["three-hand"], rules=replace(_RULES["three-hand"], adviser_view="public")),
        True,
    ),
    "three-hand, no adviser": (
        replace(FORMATS["three-hand-deals"], rules=replace(_RULES["three-hand"], adviser_view="none")),
        True,
    ),
    "every option": (
        replace(
            FORMATS["gin"],
            rules=replace(
                _RULES["gin"],
                wall_last_discard="knock_only", big_gin=31, return_taken="allow", defence="min_first", stock="top",
                knock_limit=4, undercut_on_tie=False,
            ),
        ),
        True,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Sent:
    """One message: to whom, its bytes, and what was answered."""

    seat: int
    data: bytes
    answers: tuple[pb.Decision, ...]


@dataclass
class Script:
    """What the seats answer: what their dice say; or what is written down, and then nothing, which ends the game soon.

    sent: all messages so far.
    """

    dice: Random
    written: list[Sent] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)

    def answer(self, seat: int, request: pb.PlayRequest) -> list[pb.Decision]:
        place = len(self.sent)
        if not self.written:
            decisions = [_decision(turn, self.dice) for turn in request.turns]
        elif place < len(self.written) and self.written[place].seat == seat:
            decisions = list(self.written[place].answers)
        else:
            decisions = [pb.Decision() for _ in request.turns]
        self.sent.append(Sent(seat, request.SerializeToString(deterministic=True), tuple(decisions)))
        return decisions


class Seat(Player):
    """A player without a process, which reads from a script."""

    def __init__(self, seat: int, script: Script, logs: Path) -> None:
        super().__init__(inline_spec(f"seat {seat}", run=("no",)), ready=1.0, goodbye=1.0, logs=logs)
        self.hello = pb.HelloResponse(advises=True)
        self._seat = seat
        self._script = script

    async def exchange(self, request: pb.PlayRequest, ids: object, limit: float) -> Exchange:
        decisions = self._script.answer(self._seat, request)
        asked = [turn.id for turn in request.turns]
        return Exchange(dict(zip(asked, decisions, strict=False)), None, 0.0)


def _decision(turn: pb.Turn, dice: Random) -> pb.Decision:
    """Mostly a legal one; now and then an illegal knock, which forfeits the hand."""
    kinds = list(turn.legal)
    if turn.advising and dice.random() < 0.3:
        return pb.Decision()
    if pb.ACTION_DISCARD not in kinds and pb.ACTION_KNOCK not in kinds:
        return pb.Decision(action=dice.choice(kinds), text="well ...")
    cards = list(turn.discards) or list(range(52))
    left = [deadwood(mask_of(card for card in turn.hand if card != shed)) for shed in cards]
    best = cards[left.index(min(left))]
    if min(left) <= turn.limit and pb.ACTION_KNOCK in kinds and dice.random() < 0.5:
        return pb.Decision(action=pb.ACTION_KNOCK, card=best)
    if dice.random() < 0.01 or pb.ACTION_DISCARD not in kinds:
        return pb.Decision(action=pb.ACTION_KNOCK, card=dice.choice(cards))
    return pb.Decision(action=pb.ACTION_DISCARD, card=best if dice.random() < 0.8 else dice.choice(cards))


def play(
    format_: GameFormat, hints: bool, group: int, script: Script, logs: Path, decks: Sequence[bytes] = ()
) -> GameRecord:
    """Play a game through a room. decks: as played, hand by hand, in place of the first ones that would be dealt."""
    rest = iter(decks)

    def as_played(*dealt: object) -> bytes:
        return next(rest, None) or original(*dealt)  # type: ignore[arg-type]

    original = dealing.as_played
    seats = range(format_.seats)
    shared = TableRules(format_, SEED, hints, FaultCost.HAND)
    room = Room([Seat(seat, script, logs) for seat in seats], shared, ROOM)
    spec = GameSpec(group, group, 0, tuple(f"seat {seat}" for seat in seats))
    with patch.object(dealing, "as_played", as_played):
        (record,) = asyncio.run(room.play([spec], lambda: False)).records
    return record


def told(messages: Sequence[Sent]) -> dict[int, set[int]]:
    """The cards that messages name, by the number of the hand."""
    named: dict[int, set[int]] = {}
    for message in messages:
        request = pb.PlayRequest.FromString(message.data)
        for turn in request.turns:
            cards = [turn.hand, turn.discard_pile, turn.opponent_known, turn.history[1::2], turn.discards, turn.knocks]
            cards += [*turn.knocker_melds, turn.knocker_unmatched, bytes([turn.upcard])]
            named.setdefault(turn.hand_number, set()).update(b"".join(cards))
        for over in request.hands_over:
            shown = [*over.knocker_melds, over.knocker_unmatched, *over.defender_melds, over.layoffs]
            shown += [over.defender_unmatched, over.history[1::2]]
            named.setdefault(over.hand_number, set()).update(b"".join(shown))
    return {number: cards - {HIDDEN} for number, cards in named.items()}


def changed(decks: Sequence[bytes], named: dict[int, set[int]], dice: Random) -> list[bytes]:
    """The decks with the cards in other places that are not named."""
    made = []
    for number, deck in enumerate(decks, 1):
        places = [place for place in range(52) if deck[place] not in named.get(number, ())]
        if dice.random() < 0.5:  # of the stock alone: so the same public events follow more often
            places = [place for place in places if place > 20]
        cards = [deck[place] for place in places]
        dice.shuffle(cards)
        new = bytearray(deck)
        for place, card in zip(places, cards, strict=True):
            new[place] = card
        made.append(bytes(new))
    return made


def public(script: Script, record: GameRecord, messages: int) -> list[object]:
    """The public events up to a message: who was asked, what was answered, and what came of the hands before."""
    sent = script.sent[:messages]
    requests = [pb.PlayRequest.FromString(message.data) for message in sent]
    begun = max(turn.hand_number for request in requests for turn in request.turns)
    told_over = {over.hand_number for request in requests for over in request.hands_over}
    over = [hand for hand in record.hands if hand.number < begun or hand.number in told_over]
    results = [(hand.result.kind, hand.result.winner, hand.result.points) for hand in over]
    answered = [[decision.SerializeToString() for decision in message.answers] for message in sent[:-1]]
    return [[message.seat for message in sent], answered, results]


def compared(kind: str, logs: Path) -> Iterator[tuple[int, list[bytes], list[bytes]]]:
    """By game, seat and moment: how many hidden cards are elsewhere, and what was sent to the seat in both games."""
    format_, hints = KINDS[kind]
    format_ = replace(format_, rules=replace(format_.rules, target=25))
    for group in range(GAMES):
        dice = Random(f"{kind} {group}")
        first = Script(Random(group))
        record = play(format_, hints, group, first, logs)
        decks = [hand.deck for hand in record.hands]
        for seat in range(format_.seats):
            own = [place for place, message in enumerate(first.sent) if message.seat == seat]
            for end in (dice.choice(own) + 1, own[-1] + 1):
                messages = [message for message in first.sent[:end] if message.seat == seat]
                others = changed(decks, told(messages), dice)
                second = Script(Random(group), first.sent[:end])
                again = play(format_, hints, group, second, logs, others)
                if len(second.sent) < end or public(first, record, end) != public(second, again, end):
                    continue
                elsewhere = sum(map(int.__ne__, b"".join(decks), b"".join(others)))
                after = [message.data for message in second.sent[:end] if message.seat == seat]
                yield elsewhere, [message.data for message in messages], after


@pytest.mark.parametrize("kind", KINDS)
def test_every_byte_to_a_seat_stays_when_the_cards_change_that_it_was_not_told(kind: str, tmp_path: Path) -> None:
    games, elsewhere, messages = 0, 0, 0
    for cards, before, after in compared(kind, tmp_path):
        assert after == before
        games += 1
        elsewhere += cards
        messages += len(before)
    seats = KINDS[kind][0].seats
    assert games > GAMES * seats * 2 / 3, "too few of the games had the same public events"
    assert elsewhere > 15 * games
    assert messages > 3 * games


@pytest.mark.parametrize("kind", ["gin", "three-hand", "three-hand, public view"])
def test_a_dealer_that_tells_a_hidden_card_is_found_out(kind: str, tmp_path: Path) -> None:
    frame = Table._frame

    def leaking(table: Table, seat: int, number: int) -> Frame:
        return replace(frame(table, seat, number), decision_ms=table._deck[36])  # the middle of the stock

    with patch.object(Table, "_frame", leaking):
        assert any(after != before for _, before, after in compared(kind, tmp_path))
