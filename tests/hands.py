"""Hands for tests: decks with chosen cards, play written as text, and random play."""

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from arena.cards import mask_of, parse_card, parse_cards
from arena.errors import IllegalAction
from arena.rules.actions import Action, ActionKind
from arena.rules.deal import Deal
from arena.rules.hand import Hand
from arena.rules.handstate import HandState
from arena.rules.options import Rules
from arena.rules.replay import replay_steps
from arena.rules.result import HandResult

# Ten cards without a meld or a likely one, for the player a test is not about.
DULL = "AC 3D 5H 7S 9C JD KH 2S 4C 6D"


def deck(nondealer: str = "", dealer: str = "", upcard: str = "", draws: str = "", dealer_draws: str = "") -> bytes:
    """A deck as played, with a two-ended stock. `draws` come first from its front, `dealer_draws` from its back.

    Places not given are filled with the cards that are left, ascending.
    """
    given = [parse_cards(text) for text in (nondealer, dealer, upcard, draws, dealer_draws)]
    rest = [card for card in range(52) if card not in b"".join(given)]
    for place, size in ((0, 10), (1, 10), (2, 1)):
        while len(given[place]) < size:
            given[place] += bytes((rest.pop(0),))
    made = b"".join(given[:4]) + bytes(rest) + given[4][::-1]
    assert sorted(made) == list(range(52))
    return made


def action(text: str) -> Action:
    """`pass`, `discard KS`, `knock KS`, `knock KS: 4S 5S 6S, QH QD QC`, `defend: KS KD KH / 7S 8S`."""
    words, _, declared = text.partition(":")
    kind, *card = words.split()
    melds_text, _, layoffs_text = declared.partition("/")
    melds = tuple(mask_of(parse_cards(meld)) for meld in melds_text.split(",") if meld.strip())
    return Action(
        ActionKind[kind.upper()],
        parse_card(card[0]) if card else None,
        melds if declared else None,
        mask_of(parse_cards(layoffs_text)) if "/" in declared else None,
    )


def play(hand: Hand, text: str) -> Hand:
    """Apply actions written as for `action`, with `;` between them."""
    for part in text.split(";"):
        hand.apply(action(part))
    return hand


def started(rules: Rules | None = None, /, text: str = "", **cards: str) -> Hand:
    """A hand dealt from `deck(**cards)`, in which the actions of `text` have been played."""
    hand = Hand(rules or Rules(), deck(**cards))
    return play(hand, text) if text else hand


def stall(hand: Hand, stock: int) -> Hand:
    """Let both players draw from the stock and discard what they drew until so many stock cards are left.

    Starts with a draw and ends before the discard.
    """
    while True:
        play(hand, "stock")
        view = hand.view(hand.to_act, hints=False)
        if view.stock == stock:
            return hand
        hand.apply(Action(ActionKind.DISCARD, view.drawn))


def finished(hand: Hand) -> HandResult:
    """The result of a hand that is over."""
    assert hand.result is not None
    return hand.result


def refusal(hand: Hand, text: str) -> str:
    """The message with which actions are refused, which must leave the hand as it was."""
    before = everything(hand)
    with pytest.raises(IllegalAction) as refused:
        play(hand, text)
    assert everything(hand) == before
    return str(refused.value)


def everything(hand: Hand) -> tuple[object, ...]:
    """All that a hand and its deal consist of, to be compared."""
    state = [getattr(hand, name) for name in HandState.__slots__ if name != "deal"]
    return _frozen(state), _frozen([getattr(hand.deal, name) for name in Deal.__slots__])


def _frozen(value: object) -> object:
    if isinstance(value, bytearray):
        return bytes(value)
    return tuple(_frozen(part) for part in value) if isinstance(value, list | tuple) else value


def random_action(hand: Hand, dice: Random, caution: float) -> Action:
    """A legal action. `caution` (0 to 1) is how often a possible knock is left, and a discard is the best."""
    view = hand.view(hand.to_act, hints=True)
    kinds = list(view.legal)
    if ActionKind.DISCARD in kinds and len(kinds) > 1:
        kinds = kinds[:1] if dice.random() < caution else kinds[1:]
    kind = dice.choice(kinds)
    if kind is ActionKind.KNOCK:
        return Action(kind, dice.choice(view.knocks))
    if kind is ActionKind.DISCARD:
        best = view.discards[view.deadwood.index(min(view.deadwood))]
        return Action(kind, best if dice.random() < caution else dice.choice(view.discards))
    return Action(kind)


def random_play(hand: Hand, seed: int) -> Iterator[Action]:
    """Play a hand to its end; yields each action before it is applied."""
    dice = Random(seed)
    caution = dice.choice((0.0, 0.5, 0.9, 1.0))
    while hand.result is None:
        chosen = random_action(hand, dice, caution)
        yield chosen
        hand.apply(chosen)


def replay(rules: Rules, deck: Sequence[int], moves: bytes, recorded: HandResult) -> Hand:
    """The hand after all its recorded moves."""
    *_, hand = replay_steps(rules, deck, moves, recorded)
    return hand
