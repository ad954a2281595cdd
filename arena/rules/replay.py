"""A recorded hand played again, with no bot: for checking it and for looking at it."""

from collections.abc import Iterator, Sequence

from arena.errors import IllegalAction, RecordError
from arena.rules.actions import Action, ActionKind
from arena.rules.hand import Hand
from arena.rules.handstate import position_name
from arena.rules.options import Rules
from arena.rules.result import HandResult, ResultKind
from arena.rules.view import HIDDEN

_WITH_CARD = (ActionKind.DISCARD, ActionKind.KNOCK)
_DECLARING = (ActionKind.KNOCK, ActionKind.BIG_GIN)


def replay_steps(rules: Rules, deck: Sequence[int], moves: bytes, recorded: HandResult) -> Iterator[Hand]:
    """The hand (one object, which moves on) before each recorded decision, and once more at its end.

    Its `result` is what the rules say, to be compared with `recorded`.

    moves: as `Hand.moves`.
    recorded: gives the melds and lay-offs that counted and, in a forfeit, whose it was; nothing else of it is read.
    Raises `RecordError` at the first move that the rules do not allow or that does not follow from the deck.
    """
    hand = Hand(rules, deck)
    yield hand
    # The hand writes down more than one event where a draw is forced, so its own record says what comes next.
    while (start := len(hand.moves)) < len(moves):
        event = moves[start : start + 2]
        try:
            hand.apply(recorded_action(event, recorded))
        except (IllegalAction, ValueError) as error:
            raise RecordError(f"move {start // 2 + 1}: {error}") from error
        for at in range(start, len(hand.moves), 2):
            made, stands = hand.moves[at : at + 2], moves[at : at + 2]
            if made != stands:
                raise RecordError(f"move {at // 2 + 1}: expected {_text(made)}, got {_text(stands)}")
        yield hand
    if recorded.kind is ResultKind.FORFEIT and recorded.winner is not None and hand.result is None:
        hand.forfeit(1 - recorded.winner)
        yield hand


def recorded_action(event: bytes, recorded: HandResult) -> Action:
    """The action of an event, two bytes of `Hand.moves`. Raises `ValueError` if it is none.

    recorded: the result of the hand, for the melds and lay-offs that counted.
    """
    if len(event) != 2:
        raise ValueError("expected two bytes a move, got one")
    kind = ActionKind(event[0] & 15)
    card = event[1] if kind in _WITH_CARD else None
    if kind is ActionKind.DEFEND:
        return Action(kind, None, recorded.defender_melds, recorded.layoffs)
    if kind not in _DECLARING:
        return Action(kind, card)
    if recorded.kind is ResultKind.FORFEIT and not recorded.melds:
        # A knocker at fault keeps no melds in the record; the best are legal wherever others were.
        return Action(kind, card)
    return Action(kind, card, recorded.melds)


def _text(event: bytes | bytearray) -> str:
    """An event in a message, whatever its bytes."""
    if not event:
        return "no move"
    try:
        card = None if event[1] == HIDDEN else event[1]
        return f"{position_name(event[0] >> 4)} {Action(ActionKind(event[0] & 15), card)}"
    except (ValueError, IndexError):
        return f"the bytes {event.hex()}"
