"""The showdown: what a knock, a gin or a big gin is worth (RULES.md 1, D5-D8, A4-A7, A10)."""

from arena.rules.options import Rules
from arena.rules.result import HandResult

Melds = tuple[int, ...]


def terms(rules: Rules, upcard: int | None) -> tuple[int, int]:
    """The knock limit and the multiplier (1 or 2) of a hand dealt with this upcard (RULES.md 3).

    `upcard` may be `None` where neither depends on it; `ValueError` otherwise.
    """
    raise NotImplementedError


def declare(rules: Rules, limit: int, hand: int, melds: Melds | None) -> tuple[Melds, int]:
    """Check a knock: the melds as laid down and the count left unmatched; 0 is gin.

    hand: the ten cards left after the discard, or all eleven for a big gin.
    melds: as declared, or `None` for the best (RULES A6).
    Raises `IllegalAction` for melds that overlap, are no melds or are not held, for a count above the limit,
    and for eleven cards that are not all melded or where the rules have no big gin.
    """
    raise NotImplementedError


def defend(
    rules: Rules, knocker_melds: Melds, knocker_deadwood: int, hand: int, melds: Melds | None, layoffs: int | None
) -> tuple[Melds, int, int]:
    """Check and complete a defence: own melds, lay-offs (mask), and the count left.

    knocker_melds, knocker_deadwood: as `declare` returned them; a count of 0 forbids lay-offs.
    melds, layoffs: as declared; what is `None` is chosen best for what is declared.
    Raises `IllegalAction` for melds that overlap, are no melds, are not held or (`defence: min_first`) do not leave
    the minimum, and for lay-offs that are not held, are used in melds, do not fit, or answer a gin.
    """
    raise NotImplementedError


def showdown(
    rules: Rules,
    limit: int,
    multiplier: int,
    knocker: int,
    hand: int,
    melds: Melds | None,
    defender_hand: int,
    defender_melds: Melds | None = None,
    layoffs: int | None = None,
) -> HandResult:
    """Score a showdown.

    limit, multiplier: of the hand, see `terms`.
    knocker: position (0 or 1) of the player who goes down with `hand`: ten cards, or eleven for a big gin.
    melds, defender_melds, layoffs: as declared; `None` lets the arena choose the best.
    Raises `IllegalAction` as `declare` and `defend` do.
    """
    raise NotImplementedError
