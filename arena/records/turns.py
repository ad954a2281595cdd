"""The turns of a recorded game: each as it was sent to a bot, byte for byte but for the time that was left.

The game is played again at a table of the dealer, with the recorded answers, up to the turn that is wanted.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple, Self

from arena.dealer.table import Table, TableRules
from arena.dealer.values import FaultRecord, GameRecord, GameSpec, HandRecord
from arena.errors import IllegalAction, InputError, RecordError
from arena.players.faults import Failure, Fault
from arena.rules.replay import recorded_action
from arena.rules.view import Advice


class TurnName(NamedTuple):
    """What a turn is called: `17.4.9`, its game, its hand and its move, and `17.4.9a` for advice on that move.

    game: from 0. hand, move: from 1. advising: whether advice was asked.
    """

    game: int
    hand: int
    move: int
    advising: bool = False

    def __str__(self) -> str:
        return f"{self.game}.{self.hand}.{self.move}{'a' * self.advising}"

    @classmethod
    def of(cls, text: str) -> Self:
        """The name that a text is. Raises `InputError`."""
        match = re.fullmatch(r"([0-9]{1,18})\.([0-9]{1,9})\.([0-9]{1,9})(a?)", text)
        if match is None:
            raise InputError(
                f"{text!r} names no turn, expected game, hand and move, such as 17.4.9, or 17.4.9a for the advice on it"
            )
        return cls(int(match[1]), int(match[2]), int(match[3]), bool(match[4]))


class Recorded(NamedTuple):
    """What was answered to a turn.

    text: in words: the action, what was advised, the kind of the fault and what was said of it.
    fault: what went wrong, `None` if nothing did. legal answers have none.
    """

    text: str
    fault: FaultRecord | None = None


class AskedTurn(NamedTuple):
    """A turn of a recorded game.

    table: stands at it: `table.asked` is the turn, `table.seat` the seat that was asked.
    recorded: what was answered.
    """

    name: TurnName
    table: Table
    recorded: Recorded


def asked_turns(shared: TableRules, spec: GameSpec, record: GameRecord) -> Iterator[AskedTurn]:
    """Every turn of a game, in order. It is one table, which moves on with the next.

    Raises `RecordError` for a record that cannot be played again.
    """
    if not record.hands:
        return
    left = list(record.advised) or [0] * len(spec.seats)
    table = Table(spec, shared, tuple([count > 0 for count in left]))
    faults = {(fault.hand, fault.move, fault.seat): fault for fault in record.faults}
    while table.asked is not None:
        number = table.asked.frame.hand_number
        if number > len(record.hands):
            raise RecordError(f"game {spec.index}: expected hand {number}, found none, and the game is not over")
        hand, at, advising = record.hands[number - 1], len(table.hand.moves), table.asked.advising
        fault = faults.get((number, at // 2 + 1, table.seat))
        name = TurnName(spec.index, number, at // 2 + 1, advising)
        yield AskedTurn(name, table, _recorded(hand, at, fault, advising=advising))
        try:
            left[table.seat] -= advising
            if fault is not None:
                table.fault(Failure(fault.fault, fault.detail))
            elif advising:
                _advise(table, hand, at // 2, last=not left[table.seat])
            else:
                table.decide(recorded_action(hand.moves[at : at + 2], hand.result))
        except (IllegalAction, ValueError) as error:
            raise RecordError(f"game {spec.index}, hand {number}, move {at // 2 + 1}: {error}") from error


def asked_turn(shared: TableRules, spec: GameSpec, record: GameRecord, name: TurnName) -> AskedTurn:
    """The turn of that name. Raises `InputError` where none was asked, and as `asked_turns` does."""
    if not 1 <= name.hand <= len(record.hands):
        played = f"the hands 1 to {len(record.hands)}" if record.hands else "no hand"
        raise InputError(f"there is no turn {name}: of game {spec.index} {played} were played")
    moves: list[TurnName] = []
    for turn in asked_turns(shared, spec, record):
        if turn.name == name:
            return turn
        if turn.name.hand > name.hand:
            break
        if turn.name.hand == name.hand:
            moves.append(turn.name)
    if name.advising:
        advised = ", ".join([str(one) for one in moves if one.advising]) or "none in this hand"
        raise InputError(f"there is no turn {name}: no advice was asked there; advice was asked at: {advised}")
    if 1 <= name.move < moves[-1].move:
        raise InputError(
            f"there is no turn {name}: that draw was forced, as both had passed; the next is {name.move + 1}"
        )
    raise InputError(f"there is no turn {name}: expected a move from 1 to {moves[-1].move}")


def _advise(table: Table, hand: HandRecord, move: int, *, last: bool) -> None:
    """Answer as the adviser did. Who came too late for advice, or failed, was asked no more."""
    given = next((advice for advice in hand.advice if advice.move == move), None)
    if given is not None:
        table.advise(Advice(given.action, given.text))
    elif last:
        table.fault(Failure(Fault.TIMEOUT, ""))
    else:
        table.advise(None)


def _recorded(hand: HandRecord, at: int, fault: FaultRecord | None, *, advising: bool) -> Recorded:
    if fault is not None:
        return Recorded(f"{fault.fault}: {fault.detail}", fault)
    if advising:
        given = next((advice for advice in hand.advice if advice.move == at // 2), None)
        return Recorded("no advice" if given is None else str(given.action))
    try:
        return Recorded(str(recorded_action(hand.moves[at : at + 2], hand.result)))
    except ValueError as error:
        raise RecordError(f"hand {hand.number}, move {at // 2 + 1}: {error}") from error
