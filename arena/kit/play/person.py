"""A person's side of a decision: what is asked, in words, and what is typed, as an action. Neither screen nor keys."""

import re

from arena.cards import CARD_TEXT, cards_text, mask_of, parse_card
from arena.errors import InputError
from arena.melds import Melds
from arena.rules.actions import PASS, PILE, STOCK, TAKE, Action, ActionKind, big_gin, defend, discard, knock
from arena.rules.view import HandView, TurnKind
from arena.rules.words import Words, card_word, card_words, joined

_LETTER_OF_SIGN = str.maketrans("♣♦♥♠♧♢♡♤", "CDHSCDHS")
_CARD = re.compile("(10|[A2-9TJQK])([CDHS])")
_LAY_OFF = re.compile(r"\blay ?off\b|\boff\b|\+")
_WORDS: dict[tuple[ActionKind, ...], dict[str, Action]] = {
    (ActionKind.PASS, ActionKind.TAKE): {"take": TAKE, "t": TAKE, "pass": PASS, "p": PASS},
    (ActionKind.STOCK, ActionKind.PILE): {
        "stock": STOCK, "s": STOCK, "draw": STOCK, "pile": PILE, "p": PILE, "take": PILE, "t": PILE,
    },
    (ActionKind.PILE, ActionKind.PASS): {"take": PILE, "t": PILE, "pile": PILE, "pass": PASS},
}  # fmt: skip
"""What is typed where no card belongs to the answer, by the kinds of action that are open."""

_FEW = 3
"""Knocks that a question names."""
GENERAL_HELP = (
    "hint: what simple would do; look: the whole discard pile",
    "sort: loose cards by suit or by rank; quit: end the game",
)


def question(view: HandView, captain: str = "") -> Words:
    """What is asked. captain: the name of the player who is to be advised, empty for a decision of one's own."""
    if view.kind is TurnKind.DEFEND:
        words: Words = [
            ("", "Lay down: "),
            ("", "best, or melds?" if captain else "Enter for the best, or your melds?"),
        ]
    elif view.kind is TurnKind.DISCARD:
        words = _discard_question(view)
    else:
        top = card_word(view.discard_pile[-1])
        if ActionKind.TAKE in view.legal:
            words = [("", "Take "), top, ("", " or pass?")]
        elif ActionKind.STOCK in view.legal:
            words = [("", "Draw from the stock, or take "), top, ("", " from the pile?")]
        else:
            words = [("", "The last discard: take "), top, ("", " to knock with it, or pass?")]
    if captain:
        return [("", "Your advice to "), ("name", captain), ("", ", Enter for none: "), *words]
    return words


def _discard_question(view: HandView) -> Words:
    left = dict(zip(view.discards, view.deadwood, strict=False))
    gins = bytes([card for card in view.knocks if not left[card]])
    best = sorted([card for card in view.knocks if left[card]], key=left.__getitem__)
    knocks: list[Words] = [[card_word(card), ("", f" leaves {left[card]}")] for card in best[:_FEW]]
    if len(best) > _FEW:
        knocks.append([("", "...")])
    ways: list[Words] = []
    if ActionKind.DISCARD in view.legal:
        ways.append([("", "discard")])
    if knocks or (ActionKind.KNOCK in view.legal and not view.deadwood):
        ways.append([("", "knock"), *([("", " ("), *joined(knocks), ("", ")")] if knocks else [])])
    if gins:
        ways.append([("", "gin ("), *card_words(gins), ("", ")")])
    if ActionKind.BIG_GIN in view.legal:
        ways.append([("", "big gin")])
    (kind, first), *rest = joined([*ways[:-1], [("", "or "), *ways[-1]]] if len(ways) > 1 else ways)
    return [(kind, first.capitalize()), *rest, ("", "?")]


def help_lines(view: HandView, advising: bool) -> list[str]:
    """What can be typed, a way a line."""
    if view.kind is TurnKind.DEFEND:
        lines = [
            "best: the melds and lay-offs that leave the least" if advising else "Enter: the best melds and lay-offs",
            "4s 5s 6s / 9c 9d 9h: these melds, and the best lay-offs beside them; none: no melds",
            "4s 5s 6s lay off 7d 8d: with these lay-offs; lay off none: without any",
        ]
    elif view.kind is TurnKind.DISCARD:
        card = CARD_TEXT[view.discards[0]].lower() if view.discards else "7h"
        lines = []
        if ActionKind.DISCARD in view.legal:
            lines.append(f"{card}: discard it; ten is t or 10")
        if ActionKind.KNOCK in view.legal:
            cards = f", one of {cards_text(view.knocks)}," if view.knocks else ""
            lines.append(f"knock 7h, k 7h: knock with that discard{cards} and the best melds")
            lines.append("gin: the same with a discard that leaves nothing unmatched")
            lines.append("knock 7h 4s 5s 6s / qc qd qh: with these melds and no others")
        if ActionKind.BIG_GIN in view.legal:
            lines.append("big gin: all eleven cards are melded")
    elif ActionKind.TAKE in view.legal:
        lines = ["take, t: take the upcard", "pass, p: leave it"]
    elif ActionKind.STOCK in view.legal:
        lines = ["stock, s: draw from the stock", "pile, p: take the top of the discard pile"]
    else:
        lines = ["take, t: take the last discard, and then knock", "pass: leave it, and nobody scores"]
    if advising:
        lines.append("Enter: no advice. Words may follow after a semicolon: stock; you need an ace")
    return [*lines, *GENERAL_HELP]


def read_action(line: str, view: HandView) -> Action:
    """The action that a line means. Whether the rules allow it is for the table.

    Raises `InputError`, saying what was expected, for what means nothing here.
    """
    text = " ".join(line.lower().split())
    if view.kind is TurnKind.DEFEND:
        return _defence(text)
    if view.kind is TurnKind.DISCARD:
        return _discard(text, view)
    words = _WORDS[view.legal]
    if text not in words:
        raise _unclear(_either([_PLAIN[kind] for kind in view.legal]), line)
    return words[text]


def _discard(text: str, view: HandView) -> Action:
    first, _, rest = text.partition(" ")
    if text in ("big gin", "biggin", "big_gin"):
        return big_gin()
    if first == "gin":
        return knock(_gin_card(view, read_card(rest) if rest else None))
    if first in ("knock", "k"):
        return _knock(rest, view)
    if first in ("discard", "d"):
        return discard(read_card(rest))
    try:
        return discard(read_card(text))
    except InputError:
        raise _unclear(_either([_NAMED[kind] for kind in view.legal]), text) from None


_PLAIN = {ActionKind.PASS: "pass", ActionKind.TAKE: "take", ActionKind.STOCK: "stock", ActionKind.PILE: "pile"}
_NAMED = {ActionKind.DISCARD: "a card such as 7h", ActionKind.KNOCK: "knock and a card", ActionKind.BIG_GIN: "big gin"}


def _gin_card(view: HandView, card: int | None) -> int:
    """The discard that leaves nothing: the one that is named, or of several the last, as they come to the same."""
    left = dict(zip(view.discards, view.deadwood, strict=False))
    gins = [card for card, count in left.items() if not count]
    if card is not None and (card in gins or card not in left):  # of others the table tells why not
        return card
    if card is not None:
        raise _unclear("a discard that leaves nothing unmatched", f"{CARD_TEXT[card]}, which leaves {left[card]}")
    if not gins:
        least = f"the best leaves {min(left.values())}" if left else "say the card: gin 7h"
        raise _unclear(f"a discard that leaves nothing unmatched; {least}", "gin")
    return gins[-1]


def _knock(text: str, view: HandView) -> Action:
    if not text:
        if len(view.knocks) == 1:
            return knock(view.knocks[0])
        which = f", one of {cards_text(view.knocks)}" if view.knocks else ""
        raise _unclear(f"a card to knock with{which}", "none")
    first, _, rest = text.partition(" ")
    return knock(read_card(first), read_melds(rest) if rest else None)


def _defence(text: str) -> Action:
    if text in ("", "best"):
        return defend()
    own, *off = _LAY_OFF.split(text)
    if len(off) > 1:
        raise _unclear("melds, then lay off and cards", text)
    layoffs = None if not off else 0 if off[0].strip() in ("", "none") else mask_of(read_cards(off[0]))
    return defend(None if own.strip() in ("", "best") else read_melds(own), layoffs)


def read_melds(text: str) -> Melds:
    """Melds such as `4s 5s 6s / 9c 9d 9h` or `(4s 5s 6s) (9c 9d 9h)`; `none` is none. Raises `InputError`."""
    if text.strip() == "none":
        return ()
    parts = text.replace("(", "/").replace(")", "/").split("/")
    melds = tuple([mask_of(read_cards(part)) for part in parts if part.strip()])
    if not melds:
        raise _unclear("melds such as 4s 5s 6s / 9c 9d 9h", text)
    return melds


def read_cards(text: str) -> bytes:
    """Cards such as `4s 5s 10s`, `4S,5S,TS` or `4♠5♠10♠`, each once. Raises `InputError`."""
    left = text.upper().translate(_LETTER_OF_SIGN).replace(",", " ")
    found: list[int] = []
    while left := left.lstrip():
        match = _CARD.match(left)
        if match is None:
            raise _unclear("a card such as 7h, 10h or th", left.split()[0].lower())
        found.append(parse_card(match[1].replace("10", "T") + match[2]))
        left = left[match.end() :]
    if len(set(found)) < len(found):
        raise _unclear("every card once", text.strip())
    return bytes(found)


def read_card(text: str) -> int:
    """One card. Raises `InputError`."""
    found = read_cards(text)
    if len(found) != 1:
        raise _unclear("one card such as 7h", text)
    return found[0]


def _either(ways: list[str]) -> str:
    *most, last = ways
    return f"{', '.join(most)} or {last}" if most else last


def _unclear(expected: str, got: str) -> InputError:
    return InputError(f"expected {expected}, got {got.strip() or 'nothing'}; ? helps")
