"""What a player is told besides its turns, as values: what it plays, that a hand has ended, that a game has.

Cards that were never laid down are in none of them.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arena.cards import by_rank, cards_of
from arena.rules.result import HandResult, Position, ResultKind
from arena.rules.view import GameKind, Role


class Setup(NamedTuple):
    """What is played.

    hollywood: whether three columns are scored at once.
    rules: every option by name, its value as text.
    hints: whether turns carry hints.
    """

    game: GameKind
    hollywood: bool
    rules: Mapping[str, str]
    hints: bool


class HandOver(NamedTuple):
    """A hand has ended, as one seat sees it. `bytes` hold one card each, 0 to 51.

    game_id, hand_number: which one; hands are counted from 1.
    role: the part this player had in it. One who sat out sees it through the captain's eyes.
    end: how it ended.
    points: what this player earned less what the opponent earned.
    history: all public events, as in `HandView.history`.
    totals: points after the hand, this player first, then the others in order of play.
    knocked: whether this player went down.
    knocker_melds, knocker_unmatched, defender_melds, layoffs, defender_unmatched: the showdown, empty without one.
    """

    game_id: int
    hand_number: int
    role: Role
    end: ResultKind
    points: int
    history: bytes
    totals: tuple[int, ...]
    knocked: bool = False
    knocker_melds: tuple[bytes, ...] = ()
    knocker_unmatched: bytes = b""
    defender_melds: tuple[bytes, ...] = ()
    layoffs: bytes = b""
    defender_unmatched: bytes = b""


class GameOver(NamedTuple):
    """A game has ended, with these totals: bonuses included, this player first, then the others in order of play."""

    game_id: int
    totals: tuple[int, ...]


def position_of(role: Role) -> Position:
    """Where a role plays; the player who sits out looks over the captain's shoulder."""
    return Position.DEALER if role in _DEALING else Position.NONDEALER


def hand_over(
    game_id: int,
    hand_number: int,
    role: Role,
    result: HandResult,
    hands: Sequence[int],
    history: bytes,
    totals: tuple[int, ...],
) -> HandOver:
    """What the player with this role is told of a finished hand.

    hands: by position, masks of the cards held when it ended.
    history: the public events.
    totals: as the player sees them, itself first.
    """
    position = position_of(role)
    points = 0 if result.winner is None else result.points if result.winner == position else -result.points
    notice = HandOver(game_id, hand_number, role, result.kind, points, history, totals)
    knocker = result.knocker
    if knocker is None or result.kind is ResultKind.FORFEIT:
        return notice
    return notice._replace(
        knocked=knocker == position,
        knocker_melds=tuple([by_rank(meld) for meld in result.melds]),
        knocker_unmatched=cards_of(hands[knocker] & ~sum(result.melds)),
        defender_melds=tuple([by_rank(meld) for meld in result.defender_melds]),
        layoffs=cards_of(result.layoffs),
        defender_unmatched=cards_of(hands[1 - knocker] & ~sum(result.defender_melds) & ~result.layoffs),
    )


_DEALING = (Role.DEALER, Role.BOX)
