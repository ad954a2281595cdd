"""Finished games made by hand: what happened in each hand is written down, the outcome follows from the rules."""

from collections.abc import Sequence
from dataclasses import replace

from games import WALL, won

from arena.dealer.values import FaultRecord, GameRecord, GameSpec, HandRecord, TimeUse
from arena.players.faults import Fault
from arena.rules.game import Game, GameFormat, Play, Roles
from arena.rules.options import Rules
from arena.rules.result import HandResult, ResultKind
from arena.rules.view import GameKind

Played = tuple[GameSpec, GameRecord]

GIN = GameFormat(GameKind.GIN, False, Play.GAMES, Rules())
DEALS = replace(GIN, play=Play.DEALS)
THREE = replace(GIN, game=GameKind.THREE_HAND)
DEALS_OF_THREE = replace(DEALS, game=GameKind.THREE_HAND)

_KINDS = {
    "": ResultKind.KNOCK,
    "g": ResultKind.GIN,
    "b": ResultKind.BIG_GIN,
    "u": ResultKind.UNDERCUT,
    "f": ResultKind.FORFEIT,
}


def made(group: int, seats: str, hands: str, format_: GameFormat = GIN, *, forfeited: str = "") -> Played:
    """A game from text such as `A60 B12g - A40`: who won (A is seat 0), points, how; `-` is a wall.

    Ways to win are a knock, `g` gin, `b` big gin, `u` an undercut, `f` the opponent's crash. Seat 1 deals first, and in
    three-hand seat 0 is box, seat 1 captain, seat 2 out.
    forfeited: the bot that has lost what was left of the game or, in quarantine, all of it.
    """
    names = tuple(seats.split())
    roles = Roles(1, 0, 2) if len(names) == 3 else Roles(0, 1)
    game = Game(format_, roles)
    records: list[HandRecord] = []
    faults: list[FaultRecord] = []
    for word in hands.split():
        assert game.roles is not None, f"over before {word}"
        roles, number, result = game.roles, len(records) + 1, _result(game.roles, word)
        records.append(HandRecord(number, roles, bytes(range(52)), b"", (), result))
        if result.winner is not None and result.kind is ResultKind.FORFEIT:
            faults.append(FaultRecord(roles.seat(1 - result.winner), number, 1, Fault.CRASH, "exit code 1"))
        game.record(result)
    if forfeited:
        game.forfeit(names.index(forfeited))
        if not records:
            faults.append(FaultRecord(names.index(forfeited), 0, 0, Fault.QUARANTINED, "not played"))
    times = tuple(TimeUse() for _ in names)
    return GameSpec(0, group, 0, names), GameRecord(0, tuple(records), game.outcome(), tuple(faults), times)


def mirrored(group: int, seats: str, first: str, second: str, format_: GameFormat = GIN) -> list[Played]:
    """Both games of a deal group of two. In both texts A is the bot named first, though it has seat 1 in the second."""
    changed = " ".join(reversed(seats.split()))
    return [made(group, seats, first, format_), made(group, changed, second.translate(_CHANGED), format_)]


_CHANGED = str.maketrans("AB", "BA")


def group_size(spec: GameSpec) -> int:
    """How many games make a deal group."""
    return 6 if len(spec.seats) == 3 else 2


def _result(roles: Sequence[int | None], word: str) -> HandResult:
    if word == "-":
        return WALL
    position = roles.index("ABC".index(word[0]))
    assert position in (0, 1), f"{word}: that seat sits out of {roles}"
    kind = word[-1] if word[-1].isalpha() else ""
    return won(position, int(word[1:].rstrip("gbuf")), _KINDS[kind])
