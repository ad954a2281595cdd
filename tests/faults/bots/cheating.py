"""Bots that do what the rules forbid."""

from itertools import combinations

from culprit import EVERY, Moment, serve

from arena.protocol.v1 import player_pb2 as pb


def is_meld(cards: tuple[int, ...]) -> bool:
    """Whether these are one rank, or a row of one suit; cards count up from the ace, suit after suit."""
    one_rank = len({card % 13 for card in cards}) == 1
    one_suit = len({card // 13 for card in cards}) == 1
    return one_rank or (one_suit and max(cards) - min(cards) == len(cards) - 1)


def no_meld(moment: Moment) -> bytes:
    """Three cards of the hand that are none."""
    return next(bytes(cards) for cards in combinations(moment.turn.hand, 3) if not is_meld(cards))


def missing(moment: Moment) -> int:
    """A card that it does not hold."""
    return next(card for card in range(52) if card not in moment.turn.hand)


def act(
    moment: Moment, action: int, card: int | None = None, melds: list[bytes] | None = None, layoffs: bytes | None = None
) -> list[pb.Decision]:
    """A decision."""
    decision = pb.Decision(turn_id=moment.turn.id, action=pb.Action.ValueType(action), card=card, layoffs=layoffs)
    if melds is not None:
        decision.melds.melds.extend(melds)
    return [decision]


def act_out_of_turn(moment: Moment) -> list[pb.Decision]:
    """Every kind of action that is closed at a turn, by and by."""
    closed = [action for action in pb.Action.values() if action and action not in moment.turn.legal]
    return act(moment, closed[moment.turn.seed // int(EVERY) % len(closed)], moment.turn.hand[0])


def defend(moment: Moment, *melds: bytes, layoffs: bytes | None = None) -> list[pb.Decision]:
    return act(moment, pb.ACTION_DEFEND, None, list(melds), layoffs)


def knock_too_high(moment: Moment) -> list[pb.Decision]:
    turn = moment.turn
    return act(moment, pb.ACTION_KNOCK, next(card for card in turn.discards if card not in turn.knocks))


def lay_off_misfit(moment: Moment) -> list[pb.Decision]:
    turn = moment.turn
    misfits = (card for card in turn.hand if not any(is_meld((*meld, card)) for meld in turn.knocker_melds))
    return defend(moment, layoffs=bytes([next(misfits)]))


serve({
    "acts out of turn": act_out_of_turn,
    "discards what it does not hold": lambda moment: act(moment, pb.ACTION_DISCARD, missing(moment)),
    "knocks above the limit": knock_too_high,
    "melds what is no meld": lambda moment: defend(moment, no_meld(moment)),
    "melds what it does not hold": lambda moment: defend(moment, bytes([0, 1, 2]), bytes([3, 4, 5])),
    "lays off what does not fit": lay_off_misfit,
    "lays off what it does not hold": lambda moment: defend(moment, layoffs=bytes([missing(moment)])),
})  # fmt: skip
