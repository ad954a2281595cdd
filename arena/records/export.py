"""A run as JSON Lines: an object a hand, or an object a game, in schedule order.

`docs/export.md` explains every field. Everything in it follows from the seed and from what the bots did: there are no
times, no paths, and nothing of the machine.
"""

import json
from collections.abc import Iterator, Sequence
from enum import StrEnum

from arena import dealing
from arena.cards import CARD_TEXT, by_rank, cards_text, mask_text
from arena.dealer.values import FaultRecord, GameRecord, GameSpec, HandRecord
from arena.errors import InputError
from arena.records.course import HandScored, course, first_roles_of
from arena.records.info import RunInfo
from arena.records.store import Run
from arena.rules.actions import Action, ActionKind
from arena.rules.game import Play
from arena.rules.result import HandResult
from arena.rules.roles import Roles
from arena.rules.showdown import terms
from arena.rules.view import GAME_NAMES, GameKind

SCHEMA = 1
"""Version of the objects; it is in every one of them."""

Json = object
"""A value that JSON knows."""

_POSITIONS = ("nondealer", "dealer")
_SHOWING_CARD = (ActionKind.STOCK, ActionKind.PILE, ActionKind.DISCARD, ActionKind.KNOCK)


class What(StrEnum):
    """What there is an object for."""

    HANDS = "hands"
    GAMES = "games"


def export(run: Run, what: What = What.HANDS) -> Iterator[str]:
    """The lines of an export, one at a time, without line ends."""
    for spec, record in run.records():
        if what is What.GAMES:
            yield json.dumps(_game(run.info, spec, record))
        else:
            for scored in course(run.info, spec, record):
                yield json.dumps(_hand(run.info, spec, record, scored))


def hand_line(info: RunInfo, spec: GameSpec, record: GameRecord, number: int) -> str:
    """The line of one hand, by its number from 1. Raises `InputError` for a hand that was not played."""
    for scored in course(info, spec, record):
        if scored.hand.number == number:
            return json.dumps(_hand(info, spec, record, scored))
    raise InputError(f"expected one of the {len(record.hands)} hands of game {spec.index}, got {number}")


def _hand(info: RunInfo, spec: GameSpec, record: GameRecord, scored: HandScored) -> dict[str, Json]:
    hand, rules = scored.hand, info.format.rules
    limit, _ = terms(rules, hand.deck[20])
    return {
        **_heading(spec),
        "hand": hand.number,
        **_format(info),
        "limit": limit,
        "stock": rules.stock,
        "seats": _roles(spec, hand.roles),
        "deck": cards_text(hand.deck),
        "actions": _actions(hand),
        "result": _result(spec, hand),
        "totals": _by_name(spec, scored.totals),
        "columns": [_by_name(spec, column) for column in scored.columns] or None,
        "faults": [_fault(spec, fault) for fault in record.faults if fault.hand == hand.number],
    }


def _game(info: RunInfo, spec: GameSpec, record: GameRecord) -> dict[str, Json]:
    outcome = record.outcome
    bonuses = [total - points for total, points in zip(outcome.totals, outcome.points, strict=True)]
    return {
        **_heading(spec),
        "seating": spec.seating,
        **_format(info),
        "play": info.format.play,
        "seats": spec.seats,
        "first": _roles(spec, first_roles_of(info, spec)),
        "role_draw": _role_draw(info, spec),
        "hands": len(record.hands),
        "result": {
            "ending": outcome.ending,
            "places": _by_name(spec, outcome.places),
            "points": _by_name(spec, outcome.points),
            "totals": _by_name(spec, outcome.totals),
            "hands_won": _by_name(spec, outcome.hands_won),
        },
        "bonuses": _by_name(spec, bonuses),
        "margins": _by_name(spec, outcome.margins),
        "columns": [
            {
                "points": _by_name(spec, column.points),
                "totals": _by_name(spec, column.totals),
                "margins": _by_name(spec, column.margins),
                "winner": None if column.winner is None else spec.seats[column.winner],
            }
            for column in outcome.columns
        ]
        or None,
        "faults": [{"hand": fault.hand, **_fault(spec, fault)} for fault in record.faults],
    }


def _heading(spec: GameSpec) -> dict[str, Json]:
    return {"schema": SCHEMA, "game_id": spec.index, "group": spec.group}


def _format(info: RunInfo) -> dict[str, Json]:
    format_ = info.format
    scoring = "hollywood" if format_.hollywood else "single"
    return {"game": GAME_NAMES[format_.game], "scoring": scoring, "rules": format_.rules.as_dict()}


def _by_name(spec: GameSpec, values: Sequence[Json]) -> dict[str, Json]:
    return dict(zip(spec.seats, values, strict=True))


def _roles(spec: GameSpec, roles: Roles) -> dict[str, Json]:
    return {role: None if seat is None else spec.seats[seat] for role, seat in roles._asdict().items()}


def _role_draw(info: RunInfo, spec: GameSpec) -> Json:
    """The rounds of cards drawn for the roles of three-hand, each card by the bot that drew it."""
    if info.format.game is not GameKind.THREE_HAND or info.format.play is Play.DEALS:
        return None
    draw = dealing.role_draw(bytes.fromhex(info.seed), spec.group)
    return [{spec.seats[seat]: CARD_TEXT[card] for seat, card in round_} for round_ in draw.rounds]


def _fault(spec: GameSpec, fault: FaultRecord) -> dict[str, Json]:
    kind = fault.fault
    return {
        "bot": spec.seats[fault.seat],
        "move": fault.move,
        "kind": kind,
        "culprit": kind.culprit,
        "detail": fault.detail,
    }


def _result(spec: GameSpec, hand: HandRecord) -> dict[str, Json]:
    result = hand.result
    return {
        "kind": result.kind,
        "winner": None if result.winner is None else spec.seats[hand.roles.seat(result.winner)],
        "points": result.points,
        "knocker_deadwood": result.knocker_deadwood,
        "defender_deadwood": result.defender_deadwood,
    }


def _actions(hand: HandRecord) -> list[Json]:
    """Every move, and before the captain's moves what was advised."""
    actions: list[Json] = []
    advice = iter([*hand.advice, None])
    given = next(advice)
    for number in range(len(hand.moves) // 2 + 1):
        while given is not None and given.move == number:
            actions.append(["out", "advise", _action(given.action), given.text])
            given = next(advice)
        if move := hand.moves[2 * number : 2 * number + 2]:
            actions.append([_POSITIONS[move[0] >> 4], *_action(_played(move, hand.result))])
    return actions


def _played(move: bytes, result: HandResult) -> Action:
    """A move as an action that says all that counted."""
    kind = ActionKind(move[0] & 15)
    card = move[1] if kind in _SHOWING_CARD else None
    if kind is ActionKind.DEFEND:
        return Action(kind, None, result.defender_melds, result.layoffs)
    return Action(kind, card, result.melds if kind in {ActionKind.KNOCK, ActionKind.BIG_GIN} else None)


def _action(action: Action) -> list[Json]:
    """`["discard", "KS"]`; going down names melds and laying off cards, `null` where the arena was to choose."""
    words: list[Json] = [action.kind.name.lower()]
    if action.card is not None:
        words.append(CARD_TEXT[action.card])
    if action.kind in {ActionKind.KNOCK, ActionKind.BIG_GIN, ActionKind.DEFEND}:
        words.append(None if action.melds is None else [mask_text(meld) for meld in action.melds])
    if action.kind is ActionKind.DEFEND:
        layoffs = action.layoffs
        words.append(None if layoffs is None else [CARD_TEXT[card] for card in by_rank(layoffs)])
    return words
