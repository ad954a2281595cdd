"""A bot of OpenSpiel in the arena. README.md says what can be carried over, and what cannot."""

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from arena.bot import Action, ActionKind, Bot, Turn, TurnKind, defend, discard, knock, serve
from arena.cards import DECK_SIZE, mask_of
from arena.rules.actions import PASS, PILE, STOCK, TAKE

try:
    import pyspiel
except ImportError:
    sys.exit("this bot needs OpenSpiel, which is not installed here; install it with: pip install open_spiel")


def make_bot(game: Any, player: int) -> Any:  # noqa: ANN401 - OpenSpiel has no types
    """The `pyspiel.Bot` that plays as `player` of OpenSpiel's `game`. For another bot change this."""
    return pyspiel.make_simple_gin_rummy_bot(game.get_parameters(), player)


# OpenSpiel's actions: a card is 0 to 51, melds are numbered from MELDS.
DRAW_UPCARD, DRAW_STOCK, PASS_BY, GO_DOWN, MELDS = 52, 53, 54, 55, 56
DRAWS = 29
"""Cards that are drawn from the stock in a hand at most."""
HIGHEST_LIMIT = 10
"""OpenSpiel knows no higher one."""


def theirs(card: int) -> int:
    """OpenSpiel's number of a card: its suits are spades, clubs, diamonds, hearts."""
    return (card + 13) % DECK_SIZE


def ours(card: int) -> int:
    """The arena's number of a card of OpenSpiel's."""
    return (card - 13) % DECK_SIZE


_UTILS = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
MELD_OF: dict[int, int] = {MELDS + i: mask_of(map(ours, meld)) for i, meld in _UTILS.int_to_meld.items()}
"""The mask of the meld that an action lays down."""
_LAYS_DOWN = {meld: action for action, meld in MELD_OF.items()}


class Event(NamedTuple):
    """A public event of a hand. position: 0 the non-dealer, which is OpenSpiel's player 0. card: 255 if hidden."""

    position: int
    kind: ActionKind
    card: int


def events_of(turn: Turn) -> list[Event]:
    """The history of a turn."""
    pairs = zip(turn.history[::2], turn.history[1::2], strict=True)
    return [Event(head >> 4, ActionKind(head & 15), card) for head, card in pairs]


def past_of(turn: Turn, events: list[Event], position: int, hand: Iterable[int]) -> tuple[list[int], dict[int, int]]:
    """The ten cards that a position was dealt, and by event what it drew from the stock, if it now holds `hand`.

    Worked out backwards. A card from the stock had not been seen before, and no more is known of it: it is taken to be
    the one that was discarded then, if that can be.
    """
    held = list(hand)
    drawn = {}
    for i, event in reversed(list(enumerate(events))):
        if event.position != position:
            continue
        if event.kind in {ActionKind.DISCARD, ActionKind.KNOCK}:
            held.append(event.card)
        elif event.kind in {ActionKind.TAKE, ActionKind.PILE}:
            held.remove(event.card)
        elif event.kind is ActionKind.STOCK:
            seen = {earlier.card for earlier in events[:i]}
            card = events[i + 1].card if i + 1 < len(events) else turn.drawn
            if card is None or card in seen:
                card = next(card for card in held if card not in seen)
            held.remove(card)
            drawn[i] = card
    return held, drawn


def hand_opposite(turn: Turn) -> list[int]:
    """What the opponent may hold: what is known of it, and the turn's dice for the rest."""
    if turn.kind is TurnKind.DEFEND:
        return [*b"".join(turn.knocker_melds), *turn.knocker_unmatched]
    elsewhere = {*turn.hand, *turn.discard_pile, *turn.opponent_known}
    unseen = [card for card in range(DECK_SIZE) if card not in elsewhere]
    return [*turn.opponent_known, *turn.random.sample(unseen, 10 - len(turn.opponent_known))]


def replay(turn: Turn) -> list[int]:
    """The actions that lead OpenSpiel to a turn: the deal and what has happened, with cards that nobody saw guessed."""
    events, me = events_of(turn), turn.position
    dealt, drawn = past_of(turn, events, me, turn.hand)
    others, others_drawn = past_of(turn, events, 1 - me, hand_opposite(turn))
    drawn |= others_drawn
    first, second = (dealt, others) if me == 0 else (others, dealt)
    actions = [theirs(card) for card in (*first, *second, turn.upcard)]
    for i, event in enumerate(events):
        if event.kind is ActionKind.PASS:
            actions.append(PASS_BY)
        elif event.kind is ActionKind.PILE and actions.count(DRAW_STOCK) == DRAWS:
            continue  # the last discard: in OpenSpiel the knock with it takes it
        elif event.kind in {ActionKind.TAKE, ActionKind.PILE}:
            actions.append(DRAW_UPCARD)
        elif event.kind is ActionKind.STOCK:
            actions += DRAW_STOCK, theirs(drawn[i])
        elif event.kind is ActionKind.DISCARD:
            actions.append(theirs(event.card))
        elif event.kind is ActionKind.KNOCK:
            laid = [_LAYS_DOWN[meld] for whole in turn.knocker_melds for meld in parts(whole)]
            actions += GO_DOWN, theirs(event.card), *laid, PASS_BY
    return actions


def parts(meld: bytes) -> list[int]:
    """A meld as masks that OpenSpiel has: a run of more than five cards is two."""
    cards = bytes(sorted(meld))
    if len(cards) <= 5:
        return [mask_of(cards)]
    cut = max(3, len(cards) - 5)
    return [mask_of(cards[:cut]), mask_of(cards[cut:])]


@cache
def seat(limit: int, player: int) -> tuple[Any, Any]:
    """The start of OpenSpiel's game with a limit, and the bot that plays in it. They take long to make."""
    game = pyspiel.load_game("gin_rummy", {"oklahoma": False, "knock_card": limit})
    return game.new_initial_state(), make_bot(game, player)


class OpenSpiel(Bot):
    """Keeps nothing from turn to turn: each is played to from the deal."""

    version = "1.0"

    def decide(self, turn: Turn) -> Action:
        """What the bot does at the turn's place in OpenSpiel. Where that has no such place, as `arena.bot.Bot` does."""
        start, bot = seat(min(turn.limit, HIGHEST_LIMIT), turn.position)
        bot.restart()
        state = start.clone()
        for action in replay(turn):
            if state.is_terminal() or action not in state.legal_actions():
                return super().decide(turn)
            inform(bot, state, turn.position, action)
            state.apply_action(action)
        return decision(turn, steps(bot, state)) or super().decide(turn)


def inform(bot: Any, state: Any, me: int, action: int) -> None:  # noqa: ANN401
    """Tell a bot what is done next in a state, as OpenSpiel does."""
    player = state.current_player()
    if player == 1 - me:
        bot.inform_action(state, player, action)
    elif player == me and bot.provides_force_action():
        bot.force_action(state, action)


def steps(bot: Any, state: Any) -> Iterator[int]:  # noqa: ANN401
    """The bot's actions from here on, one after the other."""
    while True:
        action = bot.step(state)
        yield action
        state.apply_action(action)


def decision(turn: Turn, actions: Iterator[int]) -> Action | None:
    """A bot's actions as one of the arena's, `None` if it is forbidden here."""
    if turn.kind is TurnKind.UPCARD:
        return TAKE if next(actions) == DRAW_UPCARD else PASS
    if turn.kind is TurnKind.DRAW and ActionKind.PASS in turn.legal:
        return PILE if next(actions) == GO_DOWN else PASS
    if turn.kind is TurnKind.DRAW:
        return PILE if next(actions) == DRAW_UPCARD else STOCK
    if turn.kind is TurnKind.DEFEND:
        layoffs = [ours(action) for action in until_pass(actions)] if turn.knocker_unmatched else []
        return defend(melds(actions), mask_of(layoffs))
    action = next(actions)
    goes_down = action == GO_DOWN
    if goes_down:
        action = next(actions)
    if action >= DECK_SIZE or ours(action) not in turn.discards:
        return None
    return knock(ours(action), melds(actions)) if goes_down else discard(ours(action))


def melds(actions: Iterator[int]) -> tuple[int, ...]:
    """The melds that are laid down next."""
    return tuple([MELD_OF[action] for action in until_pass(actions)])


def until_pass(actions: Iterator[int]) -> Iterator[int]:
    """The actions before the next pass."""
    return iter(lambda: next(actions), PASS_BY)


if __name__ == "__main__":
    serve(OpenSpiel)
