"""The one module that maps values to messages and back. What a field means stands in proto/arena/v1/player.proto.

The arena writes turns and notices and reads decisions, which it trusts in nothing. A bot of `arena.bot` reads the
arena's notices and writes decisions; its turns it reads straight from the message, field by field as it needs them.

A turn is written some thirty thousand times a second. So what stays the same through a hand is encoded once a hand, and
a turn starts as a copy of that; setting the rest one by one is quicker than passing it to a constructor.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from arena.cards import CARD_TEXT, DECK_SIZE, FULL_DECK, by_rank, cards_of, mask_of
from arena.errors import MalformedDecision
from arena.protocol.v1 import player_pb2 as pb
from arena.rules.actions import PASS, PILE, STOCK, TAKE, Action, ActionKind, big_gin, defend, discard, knock
from arena.rules.notices import GameOver, HandOver, Setup
from arena.rules.result import ResultKind
from arena.rules.view import Advice, Frame, GameKind, Role, Scores, Turn, TurnKind

PROTOCOL_VERSION = 1
MAX_MELDS = 5
"""Melds that a decision may carry; no hand has so many."""
MAX_TEXT = 200
"""Characters of a text that are kept."""

# The wire's names of the values of the rules. Numbers are the same, types are not.
_KINDS = {kind: pb.TurnKind.Value(f"TURN_KIND_{kind.name}") for kind in TurnKind}
_ROLES = {role: pb.Role.Value(f"ROLE_{role.name}") for role in Role}
_GAMES = {game: pb.Game.Value(f"GAME_{game.name}") for game in GameKind}
_ACTIONS = {kind: pb.Action.Value(f"ACTION_{kind.name}") for kind in ActionKind}
_ENDS = {kind: pb.HandEnd.Value(f"HAND_END_{kind.name}") for kind in ResultKind}

_END_OF = {number: kind for kind, number in _ENDS.items()}
_PLAIN = {_ACTIONS[action.kind]: action for action in (PASS, TAKE, STOCK, PILE)}
_DISCARDS = tuple(discard(card) for card in range(DECK_SIZE))
_KNOCKS = tuple(knock(card) for card in range(DECK_SIZE))
_DEFEND = defend()
_BIG_GIN = big_gin()


# What the arena writes.


def setup_message(game: GameKind, hollywood: bool, rules: Mapping[str, str], hints: bool) -> pb.Setup:
    """What all requests of a stream begin with. rules: every option by name, its value as text."""
    return pb.Setup(game=_GAMES[game], hollywood=hollywood, rules=rules, hints=hints)


def add_turn(request: pb.PlayRequest, turn: Turn, bank_ms: int = 0, decision_ms: int | None = None) -> None:
    """Put one more turn into a request.

    bank_ms: what is left of the game's time bank, 0 where none is told.
    decision_ms: what is left of the time for this decision, where that is told, instead of all of it.
    """
    view = turn.view
    message = request.turns.add()
    message.MergeFromString(_frame_part(turn.frame) + _kind_part(view.kind, view.legal))
    message.id = turn.id
    message.seed = turn.seed
    message.hand = view.hand
    message.discard_pile = view.discard_pile
    message.opponent_known = view.opponent_known
    message.stock = view.stock
    message.history = view.history
    message.deadwood = view.deadwood
    if view.drawn is not None:
        message.drawn = view.drawn
    if view.discards:
        message.discards = view.discards
        message.knocks = view.knocks
    if view.knocker_melds or view.knocker_unmatched:
        message.knocker_melds.extend(view.knocker_melds)
        message.knocker_unmatched = view.knocker_unmatched
    if turn.advising:
        message.advising = True
    if turn.advice is not None:
        _write_advice(message.advice, turn.advice)
    if bank_ms:
        message.bank_ms = bank_ms
    if decision_ms is not None and decision_ms < turn.frame.decision_ms:
        message.decision_ms = max(decision_ms, 1)  # 0 is no limit


@lru_cache(maxsize=4096)  # as many hands as are in play, each seen from two or three seats, and some more
def _frame_part(frame: Frame) -> bytes:
    """The wire bytes of what stays the same in all turns that a seat has in one hand."""
    scores = frame.scores
    columns = [
        pb.Column(totals=totals, open=is_open) for totals, is_open in zip(scores.columns, scores.open, strict=True)
    ]
    return pb.Turn(
        game_id=frame.game_id,
        hand_number=frame.hand_number,
        role=_ROLES[frame.role],
        totals=scores.totals,
        hands_won=scores.hands_won,
        columns=columns,
        limit=frame.limit,
        multiplier=frame.multiplier,
        upcard=frame.upcard,
        decision_ms=frame.decision_ms,
    ).SerializeToString()


@lru_cache(maxsize=64)  # there are some twenty
def _kind_part(kind: TurnKind, legal: tuple[ActionKind, ...]) -> bytes:
    """The wire bytes of what is asked and which kinds of action are open."""
    return pb.Turn(kind=_KINDS[kind], legal=[_ACTIONS[action] for action in legal]).SerializeToString()


def _write_advice(message: pb.Advice, advice: Advice) -> None:
    message.action = _ACTIONS[advice.action.kind]
    if advice.action.card is not None:
        message.card = advice.action.card
    message.text = advice.text


def add_hand_over(request: pb.PlayRequest, notice: HandOver) -> None:
    """Put one more notice of a finished hand into a request."""
    request.hands_over.add(
        game_id=notice.game_id,
        hand_number=notice.hand_number,
        end=_ENDS[notice.end],
        role=_ROLES[notice.role],
        points=notice.points,
        knocked=notice.knocked,
        knocker_melds=notice.knocker_melds,
        knocker_unmatched=notice.knocker_unmatched,
        defender_melds=notice.defender_melds,
        layoffs=notice.layoffs,
        defender_unmatched=notice.defender_unmatched,
        history=notice.history,
        totals=notice.totals,
    )


def add_game_over(request: pb.PlayRequest, notice: GameOver) -> None:
    """Put one more notice of a finished game into a request."""
    request.games_over.add(game_id=notice.game_id, totals=notice.totals)


# What the arena reads. It comes from a bot, and may be anything that parses.


def read_decision(decision: pb.Decision) -> Action:
    """The action of a decision. Raises `MalformedDecision` where it is none; whether it is legal is for the rules.

    Fields that do not belong to the action are not looked at.
    """
    number = decision.action
    if number in _PLAIN:
        return _PLAIN[number]
    if number == pb.ACTION_DISCARD:
        return _DISCARDS[_read_card(decision)]
    if number == pb.ACTION_KNOCK:
        card = _read_card(decision)
        return knock(card, _read_melds(decision.melds.melds)) if decision.HasField("melds") else _KNOCKS[card]
    if number == pb.ACTION_BIG_GIN:
        return big_gin(_read_melds(decision.melds.melds)) if decision.HasField("melds") else _BIG_GIN
    if number == pb.ACTION_DEFEND:
        melds = _read_melds(decision.melds.melds) if decision.HasField("melds") else None
        layoffs = _read_mask(decision.layoffs, "cards to lay off") if decision.HasField("layoffs") else None
        return _DEFEND if melds is None and layoffs is None else defend(melds, layoffs)
    raise MalformedDecision("an action from 1 to 8", str(number))


def read_text(decision: pb.Decision) -> str:
    """The text that goes with advice, cut to `MAX_TEXT` characters."""
    return decision.text[:MAX_TEXT]


def _read_card(decision: pb.Decision) -> int:
    card = decision.card
    if card >= DECK_SIZE:
        raise MalformedDecision("a card from 0 to 51", str(card))
    if not decision.HasField("card"):
        raise MalformedDecision("a card with the action", "none")
    return card


def _read_melds(melds: Iterable[bytes]) -> tuple[int, ...]:
    given = tuple(melds)
    if len(given) > MAX_MELDS:
        raise MalformedDecision(f"at most {MAX_MELDS} melds", str(len(given)))
    _read_mask(b"".join(given), "cards in melds")
    return tuple([mask_of(meld) for meld in given])


def _read_mask(cards: bytes, what: str) -> int:
    if len(cards) > DECK_SIZE:
        raise MalformedDecision(f"at most {DECK_SIZE} {what}", str(len(cards)))
    mask = mask_of(cards)
    if mask > FULL_DECK or mask.bit_count() != len(cards):
        got = " ".join([CARD_TEXT[card] if card < DECK_SIZE else str(card) for card in cards])
        raise MalformedDecision(f"{what} from 0 to 51, each once", got)
    return mask


# What a bot reads and writes.


def read_setup(message: pb.Setup) -> Setup:
    """What is played."""
    return Setup(GameKind(message.game), message.hollywood, dict(message.rules), message.hints)


def read_hand_over(message: pb.HandOver) -> HandOver:
    """A notice of a finished hand."""
    return HandOver(
        game_id=message.game_id,
        hand_number=message.hand_number,
        role=Role(message.role),
        end=_END_OF[message.end],
        points=message.points,
        history=message.history,
        totals=tuple(message.totals),
        knocked=message.knocked,
        knocker_melds=tuple(message.knocker_melds),
        knocker_unmatched=message.knocker_unmatched,
        defender_melds=tuple(message.defender_melds),
        layoffs=message.layoffs,
        defender_unmatched=message.defender_unmatched,
    )


def read_game_over(message: pb.GameOver) -> GameOver:
    """A notice of a finished game."""
    return GameOver(message.game_id, tuple(message.totals))


def read_advice(message: pb.Advice) -> Advice:
    """A recommendation."""
    card = message.card if message.HasField("card") else None
    return Advice(Action(ActionKind(message.action), card), message.text)


def read_scores(message: pb.Turn) -> Scores:
    """The score before this hand."""
    return Scores(
        tuple(message.totals),
        tuple(message.hands_won),
        tuple([tuple(column.totals) for column in message.columns]),
        tuple([column.open for column in message.columns]),
    )


def game_numbers(games: Iterable[GameKind]) -> list[pb.Game.ValueType]:
    """The games of a bot's introduction."""
    return [_GAMES[game] for game in games]


def add_decision(response: pb.PlayResponse, turn_id: int, action: Action, text: str = "") -> None:
    """Put one more decision into a response. text: for advice only."""
    decision = response.decisions.add()
    decision.turn_id = turn_id
    decision.action = _ACTIONS[action.kind]
    if action.card is not None:
        decision.card = action.card
    if action.melds is not None:
        decision.melds.CopyFrom(pb.Melds(melds=[by_rank(meld) for meld in action.melds]))
    if action.layoffs is not None:
        decision.layoffs = cards_of(action.layoffs)
    if text:
        decision.text = text


def add_no_advice(response: pb.PlayResponse, turn_id: int) -> None:
    """Put an answer into a response that recommends nothing."""
    response.decisions.add(turn_id=turn_id)
