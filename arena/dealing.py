"""Where every card and every random number of a run comes from: one master seed of 32 bytes.

Everything here is a published function of the seed, so that another program, in another language, deals the same.
docs/dealing.md says it in prose, with a test vector.

    block(label, numbers) = HMAC-SHA256(key = seed, message = "gin-arena/1/" label 0x00 numbers)

The label is ASCII, each number eight bytes, big-endian. A *stream* is the blocks whose last number counts 0, 1, 2, ...
one after the other.

| what            | label          | numbers                             | read as                                     |
|-----------------|----------------|-------------------------------------|---------------------------------------------|
| deck            | `deck`         | group, hand, counter                | a stream, shuffled from (see `_shuffled`)   |
| draw for roles  | `draw`         | group, round, counter               | a stream, shuffled from                     |
| first dealer    | `first-dealer` | group                               | the lowest bit of the first byte            |
| turn seeds      | `turn`         | group, hand, seat, decision // 4    | four 64-bit numbers, big-endian             |
| opaque ids      | `id`           | game, seat                          | the first six bytes, big-endian             |

Groups, games, seats and decisions count from 0, hands and rounds from 1.
"""

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from struct import Struct

from arena.cards import DECK_SIZE, rank_of

SEED_BYTES = 32

_FOUR_SEEDS = Struct(">4Q")


def master_seed(text: str) -> bytes:
    """The master seed that a text names: the SHA-256 of its UTF-8 bytes."""
    return hashlib.sha256(text.encode()).digest()


def fresh_seed() -> bytes:
    """A master seed that nobody has seen, from the system's randomness."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """What is published before the first card: the SHA-256 of the master seed, in hex."""
    return hashlib.sha256(seed).hexdigest()


def contest_seed(secret: bytes, content_hashes: Iterable[str]) -> bytes:
    """The master seed that an organiser's secret and the entries make, whatever the order of the entries.

    It is SHA-256("gin-arena/1/contest" 0x00, secret, content hashes sorted, each with a newline), where the secret is
    32 bytes and a content hash its hex in ASCII. What is published beforehand is the commitment to the secret.
    """
    entries = "".join(f"{content_hash}\n" for content_hash in sorted(content_hashes))
    return hashlib.sha256(b"gin-arena/1/contest\0" + secret + entries.encode("ascii")).digest()


def deck(seed: bytes, group: int, hand: int) -> bytes:
    """The 52 cards of a group's hand. Which seat gets which says `as_played`. hand counts from 1."""
    return _shuffled(seed, "deck", group, hand)


def as_played(cards: bytes, roles: Sequence[int | None], two_ended: bool) -> bytes:
    """A deck with the non-dealer first: 0-9 the non-dealer's, 10-19 the dealer's, 20 the upcard, 21-51 the stock.

    The cards belong to seats and not to the dealer's role, so that a seat has the same cards whoever deals: with two
    seats 0-9 and the stock's front are seat 0's, 10-19 and its back seat 1's, 20 is the upcard, 21-51 the stock. For
    three seats see `_of_three`.

    roles: the seats of the non-dealer, the dealer, and who sits out or `None`.
    two_ended: the non-dealer draws from the front and the dealer from the back, else both from the front.
    """
    nondealer, dealer, out = roles
    assert nondealer is not None
    assert dealer is not None
    if out is not None:
        return _of_three(cards, nondealer, dealer, out, two_ended)
    if nondealer == 0:
        return cards
    stock = cards[:20:-1] if two_ended else cards[21:]
    return cards[10:20] + cards[:10] + cards[20:21] + stock


def _of_three(cards: bytes, nondealer: int, dealer: int, out: int, two_ended: bool) -> bytes:
    """A deck of three seats: each owns 17 cards, ten for the hand and seven to draw first; the last is the upcard.

    The 17 of the seat that sits out come between, and the lower seat draws towards them from their beginning. So a
    seat meets its own cards whoever plays against it. Of four ways that were measured this makes the most of six
    seatings, see docs/architecture.md.
    """
    own = [cards[17 * seat : 17 * seat + 17] for seat in range(3)]
    if two_ended:
        between = own[out] if nondealer < dealer else own[out][::-1]
        stock = own[nondealer][10:] + between + own[dealer][:9:-1]
    else:
        stock = b"".join([own[seat] if seat == out else own[seat][10:] for seat in range(3)])
    return own[nondealer][:10] + own[dealer][:10] + cards[51:] + stock


def first_dealer(seed: bytes, group: int) -> int:
    """The seat that deals the first hand of a group's two-player games, 0 or 1."""
    return _block(seed, _prefix("first-dealer", group))[0] & 1


@dataclass(frozen=True, slots=True)
class RoleDraw:
    """The draw of cards for the first roles of three-hand.

    rounds: the cards drawn, as (seat, card), round by round; those after the first are redraws of equal ranks.
    order: the seats that become box, captain, and out.
    """

    rounds: tuple[tuple[tuple[int, int], ...], ...]
    order: tuple[int, int, int]


def role_draw(seed: bytes, group: int) -> RoleDraw:
    """Draw for the roles: king high, ace low; the highest is box, then captain, then out.

    Each round is drawn from the top of a deck of its own, by ascending seat. Seats of equal rank redraw among
    themselves, the highest such first, until all are apart.
    """
    rounds: list[tuple[tuple[int, int], ...]] = []

    def ordered(seats: Sequence[int]) -> list[int]:
        if len(seats) < 2:
            return list(seats)
        cards = _shuffled(seed, "draw", group, len(rounds) + 1)
        drawn = tuple(zip(seats, cards, strict=False))
        rounds.append(drawn)
        by_rank: dict[int, list[int]] = {}
        for seat, card in drawn:
            by_rank.setdefault(rank_of(card), []).append(seat)
        return [seat for rank in sorted(by_rank, reverse=True) for seat in ordered(by_rank[rank])]

    box, captain, out = ordered((0, 1, 2))
    return RoleDraw(tuple(rounds), (box, captain, out))


def turn_seed(seed: bytes, group: int, hand: int, seat: int, decision: int) -> int:
    """The 64 random bits that belong to a seat's decision; a seat's decisions in a hand count from 0."""
    return _turn_block(seed, _prefix("turn", group, hand, seat), decision // 4)[decision % 4]


class TurnSeeds:
    """The turn seeds of one seat in one hand, one after the other: `turn_seed` at a fraction of its cost."""

    __slots__ = ("_ahead", "_block", "_prefix", "_seed")

    def __init__(self, seed: bytes, group: int, hand: int, seat: int) -> None:
        self._seed = seed
        self._prefix = _prefix("turn", group, hand, seat)
        self._block = 0
        self._ahead: list[int] = []

    def next(self) -> int:
        """The seed of the next decision."""
        if not self._ahead:
            self._ahead = [*reversed(_turn_block(self._seed, self._prefix, self._block))]
            self._block += 1
        return self._ahead.pop()


def opaque_id(seed: bytes, game: int, seat: int) -> int:
    """48 bits that name a game to one of its seats, and tell it nothing else. game: its place in the schedule."""
    return int.from_bytes(_block(seed, _prefix("id", game, seat))[:6], "big")


def _prefix(label: str, *numbers: int) -> bytes:
    return b"gin-arena/1/" + label.encode("ascii") + b"\0" + b"".join([number.to_bytes(8, "big") for number in numbers])


def _block(seed: bytes, message: bytes) -> bytes:
    """HMAC-SHA256, by its definition in RFC 2104; hmac.digest() takes in the key each time, which is half the work."""
    inner, outer = (part.copy() for part in _keyed(seed))
    inner.update(message)
    outer.update(inner.digest())
    return outer.digest()


@lru_cache(maxsize=8)  # a process plays by one
def _keyed(seed: bytes) -> tuple["hashlib._Hash", "hashlib._Hash"]:
    """The hashes of the inner and the outer key, to go on from."""
    key = seed.ljust(64, b"\0")
    return hashlib.sha256(bytes([byte ^ 0x36 for byte in key])), hashlib.sha256(bytes([byte ^ 0x5C for byte in key]))


def _turn_block(seed: bytes, prefix: bytes, number: int) -> tuple[int, ...]:
    return _FOUR_SEEDS.unpack(_block(seed, prefix + number.to_bytes(8, "big")))


_LARGEST = tuple(256 // choices * choices for choices in range(1, DECK_SIZE + 1))
"""By the number of choices less one: bytes from here on are thrown away, so that all choices are equally likely."""


def _shuffled(seed: bytes, label: str, *numbers: int) -> bytes:
    """A shuffled deck, by Fisher and Yates.

    Start with the cards 0 to 51 in order. For each place from 51 down to 1 take bytes from the stream until one is less
    than the largest multiple of `place + 1` up to 256; that byte modulo `place + 1` is the place to change with.
    """
    cards = bytearray(range(DECK_SIZE))
    place = DECK_SIZE - 1
    for byte in _stream(seed, _prefix(label, *numbers)):
        if byte < _LARGEST[place]:
            other = byte % (place + 1)
            cards[place], cards[other] = cards[other], cards[place]
            place -= 1
            if not place:
                break
    return bytes(cards)


def _stream(seed: bytes, prefix: bytes) -> Iterator[int]:
    for counter in count():
        yield from _block(seed, prefix + counter.to_bytes(8, "big"))
