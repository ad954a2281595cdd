"""A hand in words that a person can follow: cards, melds, what was done, and the arithmetic at its end.

A player's cards stand sorted into melds, in parentheses, and what is left over, with its count behind.
A style may dress up the words: it is given the kind of a word (one of `KINDS`) and the word, and returns what to show,
which must be as wide on the screen.
"""

from collections.abc import Callable, Iterable, Sequence

from wcwidth import wcswidth

from arena.cards import CARD_TEXT, PIPS, by_rank, pips, suit_of
from arena.melds import best_melds
from arena.rules.actions import ActionKind
from arena.rules.result import HandResult, ResultKind
from arena.rules.view import HIDDEN

KINDS = ("", "title", "name", "red", "black", "score", "advice", "fault")
"""Kinds of words: plain ones have none, cards are `red` or `black`."""

Style = Callable[[str, str], str]
Words = list[tuple[str, str]]
"""A text as (kind, word)."""

DID = {
    ActionKind.PASS: "passes",
    ActionKind.TAKE: "takes",
    ActionKind.STOCK: "draws",
    ActionKind.PILE: "takes",
    ActionKind.DISCARD: "discards",
    ActionKind.KNOCK: "knocks with",
    ActionKind.BIG_GIN: "declares big gin",
}
"""What a player did, without the card."""
DRAWS = (ActionKind.TAKE, ActionKind.STOCK, ActionKind.PILE)
"""After these the same player goes on."""

PARTS = {2: ("non-dealer", "dealer"), 3: ("captain", "box", "out")}
"""The parts in a hand, in the order of `Roles.seen_from` the non-dealer, by the number of players."""

_CARDS_WIDTH = len("(2S 3S 4S) (2H 3H 4H) (2C 3C 4C) TD")


def width(text: str) -> int:
    """How many columns of a terminal a printable text takes: a name may have letters that are two wide."""
    return wcswidth(text)


def plain(kind: str, word: str) -> str:
    """The style of plain text."""
    del kind
    return word


def styled(words: Words, style: Style) -> str:
    """The text in a style."""
    return "".join([style(kind, word) for kind, word in words])


def joined(parts: Iterable[Words], separator: str = ", ") -> Words:
    """Texts with something between them; empty ones are left out."""
    words: Words = []
    for part in parts:
        if words and part:
            words.append(("", separator))
        words += part
    return words


def limit_text(limit: int) -> str:
    """How much a knock may leave."""
    return f"a knock may leave {limit}" if limit else "only gin goes down"


def doubled_text(multiplier: int) -> str:
    """What a spade upcard does, after the limit; empty for another."""
    return ", and the spade doubles everything" if multiplier > 1 else ""


def card_word(number: int) -> tuple[str, str]:
    """A card as a word."""
    return "red" if suit_of(number) in {1, 2} else "black", CARD_TEXT[number]


def shown_card(number: int) -> Words:
    """The card of a move, after what was done; nothing where it has none."""
    return [] if number == HIDDEN else [("", " "), card_word(number)]


def card_words(numbers: Iterable[int]) -> Words:
    """Cards in the order given."""
    return joined(([card_word(number)] for number in numbers), " ")


def melded(melds: Iterable[int], left: Iterable[int]) -> Words:
    """Melds in parentheses, then the cards left over in the order given."""
    parts = [[("", "("), *card_words(by_rank(meld)), ("", ")")] for meld in melds]
    return joined([*parts, card_words(left)], " ")


def sorted_hand(mask: int, order: Callable[[int], Iterable[int]] = by_rank) -> Words:
    """A hand sorted into melds and the rest, in a column, with the count of the rest behind.

    order: puts the rest, a mask, in an order.
    """
    melds = best_melds(mask)
    left = mask & ~sum(melds)
    words = melded(melds, order(left))
    fill = _CARDS_WIDTH - sum([len(word) for _, word in words])
    return [*words, ("", f"{' ' * fill}{pips(left):4}")]


def laid_down(mask: int, melds: Iterable[int]) -> Words:
    """Melds, the other cards of a hand that is laid down, and how these are counted."""
    left = by_rank(mask & ~sum(melds))
    count = "+".join([str(PIPS[number]) for number in left])
    total = f"  {count} = {pips(mask & ~sum(melds))}" if "+" in count else f"  {pips(mask & ~sum(melds))}"
    return [*melded(melds, left), ("", total)]


def arithmetic(result: HandResult, multiplier: int, names: Sequence[str], you: int | None = None) -> Words:
    """Who scores what at the end of a hand, and why.

    names: of the players, by position. you: the position of who reads it, if it is one of them.
    """
    if result.winner is None or result.knocker_deadwood is None or result.defender_deadwood is None:
        tie = f"{result.knocker_deadwood} to {result.defender_deadwood}"
        return [("", f"{tie if result.kind is ResultKind.TIE else 'A wall'}: nobody scores")]
    knocker, defender = result.knocker_deadwood, result.defender_deadwood
    bonus = result.points // multiplier - abs(defender - knocker)
    winner, loser = result.winner, names[1 - result.winner]
    has, undercuts, wins, scores = (
        ("have", "undercut", "win", "score") if winner == you else ("has", "undercuts", "wins", "scores")
    )
    why, sum_ = {
        ResultKind.KNOCK: ("", f"{defender} - {knocker}"),
        ResultKind.GIN: (f" {has} gin and", f"{bonus} + {defender}"),
        ResultKind.BIG_GIN: (f" {has} big gin and", f"{bonus} + {defender}"),
        ResultKind.UNDERCUT: (f" {undercuts} and", f"{bonus} + {knocker} - {defender}"),
        ResultKind.FORFEIT: (f" {wins}, as {loser} failed, and", f"{bonus} + {defender}"),
    }[result.kind]
    doubled = f"({sum_}) x {multiplier}" if multiplier > 1 else sum_
    return [("name", names[winner]), ("", f"{why} {scores} {doubled} = "), ("score", str(result.points))]
