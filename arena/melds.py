"""The meld solver: deadwood, arrangements, lay-offs. Pure functions on 52-bit masks.

A *meld* is a set (3 or 4 of a rank) or a run (3 or more consecutive cards of one suit, ace low). A *family* is a
tuple of disjoint melds. The *lay-off closure* of a family is every card of some loose ones that can be laid off on
its melds as they grow.

Runs are looked up: for each of the 8,192 holdings in a suit, a table has the least that runs leave of it. Sets are
tried on top of that, at the ranks held three times or more. Nothing is cached: a call costs little more than a
look-up, and memory stays flat.
"""

from collections.abc import Iterable, Iterator

from arena.cards import DECK_SIZE, FULL_DECK, PIPS, iter_mask, rank_of, suit_of

Melds = tuple[int, ...]

_SUIT = (1 << 13) - 1
_ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39
_ABOVE_ACE = FULL_DECK ^ _ACES
_BELOW_KING = FULL_DECK ^ _ACES << 12
_RUN_STARTS = _ACES * 0b111_1111_1111
_WRITTEN = tuple(4 * rank_of(card) + suit_of(card) for card in range(DECK_SIZE))
_PLACE = tuple((suit_of(card), 1 << rank_of(card)) for card in range(DECK_SIZE))


def _suit_tables() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For each holding in a suit: its pips, and the least of them that disjoint runs leave.

    The lowest card is unmatched, or it begins a run: of 3, 4 or 5 cards, for a longer one is two of these.
    """
    total, least = [0], [0]
    for held in range(1, _SUIT + 1):
        low = held & -held
        value = PIPS[low.bit_length() - 1]
        total.append(total[held ^ low] + value)
        best = least[held ^ low] + value
        for length in (3, 4, 5):
            run = (low << length) - low
            if held & run != run:
                break
            best = min(best, least[held ^ run])
        least.append(best)
    return tuple(total), tuple(least)


_TOTAL, _LEAST = _suit_tables()


def deadwood(hand: int) -> int:
    """The least unmatched count over all families of a hand of up to eleven cards."""
    c, d, h, s = hand & _SUIT, hand >> 13 & _SUIT, hand >> 26 & _SUIT, hand >> 39
    least = _LEAST[c] + _LEAST[d] + _LEAST[h] + _LEAST[s]
    triples = c & d & (h | s) | h & s & (c | d)
    return _with_sets(c, d, h, s, triples, least) if triples else least


def _with_sets(c: int, d: int, h: int, s: int, triples: int, least: int) -> int:
    """The least count with sets at some of the ranks `triples`; `least` is the count without any."""
    while triples:
        bit = triples & -triples
        triples ^= bit
        for left in _set_taken(c, d, h, s, bit):
            count = _LEAST[left[0]] + _LEAST[left[1]] + _LEAST[left[2]] + _LEAST[left[3]]
            if triples:
                count = _with_sets(*left, triples, count)
            if count < least:  # noqa: PLR1730  calling min costs a tenth more
                least = count
    return least


def _set_taken(c: int, d: int, h: int, s: int, bit: int) -> tuple[tuple[int, int, int, int], ...]:
    """The suits after each way to take a set at the rank `bit`, held three or four times."""
    others = ~bit
    c0, d0, h0, s0 = c & others, d & others, h & others, s & others
    if c & d & h & s & bit:
        return (c0, d0, h0, s0), (c, d0, h0, s0), (c0, d, h0, s0), (c0, d0, h, s0), (c0, d0, h0, s)
    return ((c0, d0, h0, s0),)


def deadwood_after(hand: int, cards: bytes) -> bytes:
    """For each of `cards`, all of them in `hand`: the least unmatched count of the hand without that card.

    One byte a card, in the order of `cards`. Sets are chosen once for all of them; without a card only the runs of
    its suit are others.
    """
    c, d, h, s = hand & _SUIT, hand >> 13 & _SUIT, hand >> 26 & _SUIT, hand >> 39
    choices = [(c, d, h, s)]
    triples = c & d & (h | s) | h & s & (c | d)
    while triples:
        bit = triples & -triples
        triples ^= bit
        choices += [left for choice in choices for left in _set_taken(*choice, bit)]
    best = [255] * DECK_SIZE
    for choice in choices:
        c, d, h, s = choice
        count = _LEAST[c] + _LEAST[d] + _LEAST[h] + _LEAST[s]
        for card in cards:
            suit, bit = _PLACE[card]
            held = choice[suit]
            if held & bit:
                after = count - _LEAST[held] + _LEAST[held ^ bit]
                if after < best[card]:  # noqa: PLR1730  calling min costs half as much again
                    best[card] = after
    return bytes([best[card] for card in cards])


def is_meld(mask: int) -> bool:
    """Whether the cards are exactly one set or one run."""
    if mask.bit_count() < 3:
        return False
    low = mask & -mask
    first = low.bit_length() - 1
    if mask & low << 1:
        return mask.bit_count() <= 13 - rank_of(first) and mask == (low << mask.bit_count()) - low
    return not mask & ~(_ACES << rank_of(first))


def _melds_in(hand: int) -> Iterator[int]:
    """Every meld in a hand, those inside longer ones too."""
    for start in iter_mask(hand & hand >> 1 & hand >> 2 & _RUN_STARTS):
        run, above = 7 << start, 8 << start
        yield run
        while hand & above & _ABOVE_ACE:
            run |= above
            above <<= 1
            yield run
    for rank in range(13):
        held = hand & _ACES << rank
        if held.bit_count() >= 3:
            yield held
        if held.bit_count() == 4:
            yield from (held ^ 1 << card for card in iter_mask(held))


def _families(hand: int) -> list[tuple[Melds, int]]:
    """Every family of a hand, each with the mask of its cards; the empty one first."""
    families: list[tuple[Melds, int]] = [((), 0)]
    for meld in _melds_in(hand):
        families += [((*family, meld), used | meld) for family, used in families if not used & meld]
    return families


def arrangements(hand: int) -> list[Melds]:
    """Every family of a hand, the empty one first.

    A hand in play has a few, the richest of ten cards 114, of eleven 200: a single run.
    """
    return [family for family, _ in _families(hand)]


def written(melds: Iterable[int]) -> Melds:
    """A family in the written order: by each meld's first card, by rank, then suit."""
    return tuple(sorted(melds, key=lambda meld: _WRITTEN[(meld & -meld).bit_length() - 1]))


def closure(melds: Iterable[int], loose: int) -> int:
    """The cards of `loose` that can be laid off on `melds` as they grow, all together.

    They always fit together: a card that fits both a set and a run goes to the run. The set loses nothing, for
    no card but this one could complete it, and the run may go on behind it.
    """
    laid = 0
    rising, falling = loose & _ABOVE_ACE, loose & _BELOW_KING
    for meld in melds:
        low = meld & -meld
        if meld & low << 1:
            above, below = meld + low, low >> 1
            while rising & above:
                laid |= above
                above <<= 1
            while falling & below:
                laid |= below
                below >>= 1
        else:
            laid |= loose & _ACES << rank_of(low.bit_length() - 1)
    return laid


def fits(melds: Iterable[int], cards: int) -> bool:
    """Whether some order and placement lays off all `cards` on `melds` as they grow (RULES D8)."""
    return closure(melds, cards) == cards


def quick_pips(mask: int) -> int:
    """The pips of a mask, as `arena.cards.pips` adds them up, by the suit table."""
    return _TOTAL[mask & _SUIT] + _TOTAL[mask >> 13 & _SUIT] + _TOTAL[mask >> 26 & _SUIT] + _TOTAL[mask >> 39]


def _written_key(melds: Iterable[int]) -> tuple[int, list[list[int]]]:
    """Orders families that are equal so far (RULES A6): the most sets first, then card by card as written."""
    sets = sum(meld & (meld & -meld) << 1 == 0 for meld in melds)
    return -sets, [sorted(_WRITTEN[card] for card in iter_mask(meld)) for meld in written(melds)]


def best_melds(hand: int) -> Melds:
    """The family a knocker lays down who declares none (RULES A6), in the written order.

    Of those of minimum deadwood the one with the fewest of the cards not in `hand` in its lay-off closure, then
    with the most sets, then the first card by card as written.
    """
    least = deadwood(hand)
    minimal = [family for family, used in _families(hand) if quick_pips(hand ^ used) == least]
    unseen = FULL_DECK ^ hand
    return written(min(minimal, key=lambda family: (closure(family, unseen).bit_count(), _written_key(family))))


def best_defence(hand: int, melds: Melds, min_first: bool = False) -> tuple[Melds, int]:
    """The defender's best answer to a knocker's `melds`: own melds in the written order, and the lay-offs.

    It is exact (RULES 1.1.7): of all families of `hand` the one that leaves the least unmatched after the lay-off
    closure. Among equals the one with the fewest lay-offs, then the most sets, then the first card by card as
    written. With `min_first` only families of minimum deadwood are considered (RULES A5).
    """
    families = _families(hand)
    if min_first:
        least = deadwood(hand)
        families = [(family, used) for family, used in families if quick_pips(hand ^ used) == least]
    answers = []
    for family, used in families:
        loose = hand ^ used
        laid = closure(melds, loose)
        answers.append((quick_pips(loose ^ laid), laid.bit_count(), family, laid))
    best = min(answer[:2] for answer in answers)
    equals = [(family, laid) for left, count, family, laid in answers if (left, count) == best]
    family, laid = min(equals, key=lambda answer: _written_key(answer[0]))
    return written(family), laid
