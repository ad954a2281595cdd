"""Showdowns as JSON, one object a line: what `arena score` answers.

A line is `{"rules": {...}, "knocker": "4S 5S ...", "melds": ["4S 5S 6S", ...], "defender": "...",
"defender_melds": [...], "layoffs": ["7S", ...], "upcard": "6S"}`. Only the two hands are required; what is left
out or null is chosen best, `rules` are options over the house preset. Eleven cards of the knocker are a big gin.
"""

import json

from arena.cards import mask_of, mask_text, parse_card, parse_cards
from arena.errors import CardError, IllegalAction, InputError
from arena.melds import Melds
from arena.rules.options import rules_from
from arena.rules.result import HandResult
from arena.rules.showdown import showdown, terms

_FIELDS = ("rules", "knocker", "melds", "defender", "defender_melds", "layoffs", "upcard")
_KNOCKER = 0
_SIDES = {_KNOCKER: "knocker", 1: "defender", None: None}


def score_line(text: str) -> str:
    """Score the showdown in a line of JSON; the answer is a line of JSON without its end.

    What cannot be scored is answered with `{"error": "a sentence"}`; nothing is raised.
    """
    try:
        answer = _answer(_score(_read(text)))
    except (InputError, IllegalAction) as error:
        answer = {"error": str(error)}
    except RecursionError:
        answer = {"error": "expected a JSON object, got brackets nested too deep"}
    return json.dumps(answer)


def _read(text: str) -> dict[str, object]:
    """The object in a line of JSON. Raises `InputError`."""
    try:
        given = json.loads(text, object_pairs_hook=_without_repetition)
    except json.JSONDecodeError as error:
        raise InputError(f"expected a JSON object, got text that is no JSON at column {error.colno}") from None
    except ValueError:
        raise InputError("expected a JSON object of texts, got a number too long to read") from None
    if not isinstance(given, dict):
        raise InputError(f"expected a JSON object, got {_shown(given)}")
    for name in given:
        if name not in _FIELDS:
            raise InputError(f"expected only the fields {', '.join(_FIELDS)}, got {_shown(name)}")
    return given


def _without_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"expected every field once, got {_shown(twice)} twice")
    return fields


def _score(given: dict[str, object]) -> HandResult:
    """The result of a showdown as read. Raises `InputError` or `IllegalAction`."""
    rules = rules_from(given.get("rules", {}))
    hand = _hand(given, "knocker", (10, 11))
    defender_hand = _hand(given, "defender", (10,))
    if hand & defender_hand:
        raise InputError(f"expected every card in one hand, got {mask_text(hand & defender_hand)} in both")
    limit, multiplier = terms(rules, _upcard(given.get("upcard")))
    melds = _masks(given, "melds")
    defender_melds = _masks(given, "defender_melds")
    layoffs = _layoffs(given)
    return showdown(rules, limit, multiplier, _KNOCKER, hand, melds, defender_hand, defender_melds, layoffs)


def _upcard(value: object) -> int | None:
    if value is None:
        return None
    try:
        return parse_card(_text("upcard", value))
    except CardError as error:
        raise InputError(f"upcard: {error}") from None


def _hand(given: dict[str, object], name: str, sizes: tuple[int, ...]) -> int:
    hand = mask_of(_cards(name, given.get(name)))
    if hand.bit_count() not in sizes:
        raise InputError(f"{name}: expected {' or '.join(map(str, sizes))} cards, got {hand.bit_count()}")
    return hand


def _masks(given: dict[str, object], name: str) -> Melds | None:
    melds = _texts(given, name)
    return None if melds is None else tuple(mask_of(_cards(name, meld)) for meld in melds)


def _layoffs(given: dict[str, object]) -> int | None:
    cards = _texts(given, "layoffs")
    if cards is None:
        return None
    for card in cards:
        if len(card.split()) != 1:
            raise InputError(f"layoffs: expected a card in each text, got {_shown(card)}")
    return mask_of(_cards("layoffs", " ".join(cards)))


def _texts(given: dict[str, object], name: str) -> list[str] | None:
    """A list of texts, or `None` for null."""
    value = given.get(name)
    if value is None:
        return None
    if not isinstance(value, list):
        raise InputError(f"{name}: expected a list of texts or null, got {_shown(value)}")
    return [_text(name, item) for item in value]


def _cards(name: str, value: object) -> bytes:
    try:
        return parse_cards(_text(name, value))
    except CardError as error:
        raise InputError(f"{name}: {error}") from None


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InputError(f"{name}: expected cards as text, got {_shown(value)}")
    return value


def _shown(value: object) -> str:
    """A value as JSON for an error message, cut where it is long."""
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _answer(result: HandResult) -> dict[str, object]:
    return {
        "winner": _SIDES[result.winner],
        "kind": result.kind.value,
        "points": result.points,
        "knocker_deadwood": result.knocker_deadwood,
        "defender_deadwood": result.defender_deadwood,
        "melds": [mask_text(meld) for meld in result.melds],
        "defender_melds": [mask_text(meld) for meld in result.defender_melds],
        "layoffs": mask_text(result.layoffs).split(),
    }
