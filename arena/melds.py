"""The meld solver: deadwood, arrangements, lay-offs. Pure functions on 52-bit masks.

A *meld* is a set (3 or 4 of a rank) or a run (3 or more consecutive of one suit, ace low). A *family* is
a tuple of disjoint melds; families come back in the written order: by each meld's first card, by rank,
then suit. The *lay-off closure* of melds is every card of some loose ones that can be laid off on
them as they grow.
"""


def is_meld(mask: int) -> bool:
    """Whether the cards are exactly one set or one run."""
    raise NotImplementedError


def deadwood(hand: int) -> int:
    """The least unmatched count of a hand of up to eleven cards."""
    raise NotImplementedError


def deadwood_after(hand: int, cards: bytes) -> bytes:
    """For each of `cards`, all held: the least unmatched count of the hand without it."""
    raise NotImplementedError


def arrangements(hand: int) -> list[tuple[int, ...]]:
    """Every family of disjoint melds of a hand, the empty one first."""
    raise NotImplementedError


def best_melds(hand: int) -> tuple[int, ...]:
    """The family a knocker lays down who declares none (RULES A6), in the written order."""
    raise NotImplementedError


def closure(melds: tuple[int, ...], loose: int) -> int:
    """The cards of `loose` that can be laid off on `melds` as they grow, all together."""
    raise NotImplementedError


def fits(melds: tuple[int, ...], cards: int) -> bool:
    """Whether some order and placement lays off all `cards` on `melds` as they grow (RULES D8)."""
    raise NotImplementedError


def best_defence(hand: int, melds: tuple[int, ...], min_first: bool = False) -> tuple[tuple[int, ...], int]:
    """The defender's best answer to a knocker's `melds`: own melds and the mask of the lay-offs (RULES 1.1.7).

    min_first: only arrangements of minimum deadwood are considered (RULES A5).
    """
    raise NotImplementedError
