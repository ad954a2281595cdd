"""The showdown: what a knock, a gin or a big gin is worth (RULES 1, D5-D8, A4-A7, A10)."""

from arena.cards import PIPS, mask_text, pips, rank_of, suit_of
from arena.errors import IllegalAction
from arena.melds import Melds, best_defence, best_melds, closure, deadwood, fits, is_meld, written
from arena.rules.options import Rules
from arena.rules.result import HandResult, ResultKind

_ACE = 0
_SPADES = 3


def terms(rules: Rules, upcard: int | None) -> tuple[int, int]:
    """The knock limit (0 is gin only) and the multiplier (1 or 2) of a hand dealt with this upcard (RULES 3).

    `upcard` may be `None` where neither depends on it; otherwise that raises `IllegalAction`.
    """
    if upcard is None:
        if not isinstance(rules.knock_limit, int) or rules.spade_doubles:
            raise IllegalAction("an upcard, which sets the limit or doubles the hand", "none")
        return rules.knock_limit, 1
    multiplier = 2 if rules.spade_doubles and suit_of(upcard) == _SPADES else 1
    if isinstance(rules.knock_limit, int):
        return rules.knock_limit, multiplier
    if rank_of(upcard) == _ACE and rules.ace == "gin_only":
        return 0, multiplier
    return PIPS[upcard], multiplier


def declare(rules: Rules, limit: int, hand: int, melds: Melds | None) -> tuple[Melds, int]:
    """Check a knock: the melds as laid down, in the written order, and the count left unmatched; 0 is gin.

    hand: the ten cards left after the discard, or all eleven for a big gin.
    melds: as declared, or `None` for the best (RULES A6).
    Raises `IllegalAction` for melds that overlap, are no melds or are not held, for a count above the limit,
    and for eleven cards that are not all melded or where the rules have no big gin.
    """
    big_gin = hand.bit_count() == 11
    if big_gin and rules.big_gin == "none":
        raise IllegalAction("a discard (these rules have no big gin)", "eleven cards laid down")
    if melds is None:
        melds = best_melds(hand)
    loose = _unmatched(hand, melds)
    count = pips(loose)
    if big_gin and count:
        raise IllegalAction("all eleven cards in melds for a big gin", f"{mask_text(loose)} unmatched")
    if count > limit:
        raise IllegalAction(f"at most {limit} unmatched to knock", f"{count} ({mask_text(loose)})")
    return written(melds), count


def defend(
    rules: Rules, knocker_melds: Melds, knocker_deadwood: int, hand: int, melds: Melds | None, layoffs: int | None
) -> tuple[Melds, int, int]:
    """Check and complete a defence: own melds in the written order, lay-offs (mask), and the count left.

    knocker_melds, knocker_deadwood: as `declare` returned them; a count of 0 forbids lay-offs.
    melds, layoffs: as declared; what is `None` is chosen best beside what is declared.
    Raises `IllegalAction` for melds that overlap, are no melds, are not held or (`defence: min_first`) leave more
    than the minimum, and for lay-offs that are not held, are used in melds, do not fit, or answer a gin.
    """
    min_first = rules.defence == "min_first"
    targets = knocker_melds if knocker_deadwood else ()
    if layoffs is not None:
        if layoffs and not knocker_deadwood:
            raise IllegalAction("no lay-offs against a gin", mask_text(layoffs))
        _check_layoffs(targets, hand, layoffs)
    if melds is None and layoffs is None:
        melds, layoffs = best_defence(hand, targets, min_first)
    elif melds is None:
        melds, _ = best_defence(hand & ~(layoffs or 0), ())
    loose = _unmatched(hand, melds)
    if layoffs is None:
        layoffs = closure(targets, loose)
    if layoffs & ~loose:
        raise IllegalAction("lay-offs that are not used in own melds", mask_text(layoffs & ~loose))
    if min_first and pips(loose) > deadwood(hand):
        least = f"melds that leave the minimum of {deadwood(hand)} (defence: min_first)"
        raise IllegalAction(least, f"{pips(loose)} ({mask_text(loose)})")
    return written(melds), layoffs, pips(loose ^ layoffs)


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
    melds, count = declare(rules, limit, hand, melds)
    defender_melds, layoffs, defender_count = defend(rules, melds, count, defender_hand, defender_melds, layoffs)
    kind, points = _outcome(rules, hand.bit_count(), count, defender_count)
    winner = {ResultKind.UNDERCUT: 1 - knocker, ResultKind.TIE: None}.get(kind, knocker)
    return HandResult(
        kind=kind,
        winner=winner,
        points=points * multiplier,
        knocker=knocker,
        knocker_deadwood=count,
        defender_deadwood=defender_count,
        melds=melds,
        defender_melds=defender_melds,
        layoffs=layoffs,
    )


def _outcome(rules: Rules, cards: int, count: int, defender_count: int) -> tuple[ResultKind, int]:
    """The kind of the result and its points before doubling; `cards` is how many the knocker laid down."""
    if cards == 11:
        return ResultKind.BIG_GIN, int(rules.big_gin) + defender_count
    if count == 0:
        return ResultKind.GIN, rules.gin_bonus + defender_count
    if count < defender_count:
        return ResultKind.KNOCK, defender_count - count
    if count == defender_count and not rules.undercut_on_tie:
        return ResultKind.TIE, 0
    return ResultKind.UNDERCUT, rules.undercut_bonus + count - defender_count


def _unmatched(hand: int, melds: Melds) -> int:
    """The cards of a hand outside declared melds. Raises `IllegalAction` for melds that cannot be laid down."""
    loose = hand
    for meld in melds:
        if not is_meld(meld):
            raise IllegalAction("a set or a run of three cards or more", f"{mask_text(meld) or 'no card'} as a meld")
        if meld & ~hand:
            raise IllegalAction("melds of cards held", f"{mask_text(meld & ~hand)} in {mask_text(meld)}")
        if meld & ~loose:
            raise IllegalAction("every card in one meld at most", f"{mask_text(meld & ~loose)} in two")
        loose ^= meld
    return loose


def _check_layoffs(targets: Melds, hand: int, layoffs: int) -> None:
    """Raise `IllegalAction` for lay-offs that are not held or do not fit the melds `targets`."""
    if layoffs & ~hand:
        raise IllegalAction("lay-offs of cards held", mask_text(layoffs & ~hand))
    if not fits(targets, layoffs):
        misfits = layoffs ^ closure(targets, layoffs)
        raise IllegalAction("lay-offs that fit the knocker's melds", mask_text(misfits))
