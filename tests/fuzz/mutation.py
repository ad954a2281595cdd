"""Spoils real input: what a slip, a broken disk, another program or an enemy makes of a file or a message."""

from collections.abc import Callable, Sequence
from random import Random

LARGEST = 1 << 15
"""Bytes of the largest case."""

ODD = (
    b"\0",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\r\n",
    b"\r",
    b"\t",
    b"\x1b[31m",
    b"\x7f",
    "\u0085".encode(),
    "\u2028".encode(),
    "\u202e".encode(),
    "\u0663".encode(),
    "\u00e9\u0301".encode(),
    "\U0001f0a1".encode(),
    "\U0010ffff".encode(),
    b"\xed\xa0\x80",
    b"\\ud800",
    b"-1",
    b"0x1F",
    b"1e999",
    b"NaN",
    b"null",
    b"18446744073709551616",
    b"9" * 5000,
    b"A" * 3000,
)
"""What readers stumble over, whatever they read."""

_Spoil = Callable[[bytes, Random], bytes]


def mutated(data: bytes, words: Sequence[bytes], others: Sequence[bytes], dice: Random) -> bytes:
    """A spoilt copy. words: what means something where the data is read. others: more real input, to splice from."""
    for _ in range(dice.choice((1, 1, 1, 2, 3, 6))):
        data = dice.choice(_SPOILS)(data, dice) if dice.random() < 0.6 else _put(data, dice, words or ODD)
        if dice.random() < 0.1:
            other = dice.choice(others)
            data = data[: dice.randint(0, len(data))] + other[dice.randint(0, len(other)) :]
    return data[:LARGEST]


def _span(data: bytes, dice: Random) -> tuple[int, int]:
    start = dice.randint(0, len(data))
    return start, min(len(data), start + dice.choice((1, 1, 2, 4, 16, 64)))


def _put(data: bytes, dice: Random, words: Sequence[bytes] = ODD) -> bytes:
    """Put a word somewhere, at times in place of what stands there."""
    start, end = _span(data, dice)
    return data[:start] + dice.choice(words) + data[end if dice.random() < 0.5 else start :]


def _flip(data: bytes, dice: Random) -> bytes:
    if not data:
        return data
    at = dice.randrange(len(data))
    return data[:at] + bytes((data[at] ^ 1 << dice.randrange(8),)) + data[at + 1 :]


def _drop(data: bytes, dice: Random) -> bytes:
    start, end = _span(data, dice)
    return data[:start] + data[end:]


def _cut(data: bytes, dice: Random) -> bytes:
    return data[: dice.randint(0, len(data))]


def _repeat(data: bytes, dice: Random) -> bytes:
    start, end = _span(data, dice)
    return data[:start] + data[start:end] * dice.choice((2, 3, 10, 100, 1000)) + data[end:]


def _move(data: bytes, dice: Random) -> bytes:
    start, end = _span(data, dice)
    rest = data[:start] + data[end:]
    at = dice.randint(0, len(rest))
    return rest[:at] + data[start:end] + rest[at:]


def _nest(data: bytes, dice: Random) -> bytes:
    """Put something into brackets, once or very often."""
    start, end = _span(data, dice)
    left, right = dice.choice(
        ((b"[", b"]"), (b"{", b"}"), (b'{"a":', b"}"), (b"{a: ", b"}"), (b"- ", b""), (b"?", b""))
    )
    times = dice.choice((1, 2, 50, 300, 3000))
    return data[:start] + left * times + data[start:end] + right * times + data[end:]


def _swap_lines(data: bytes, dice: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    dice.shuffle(lines)
    return b"".join(lines)


def _line_ends(data: bytes, dice: Random) -> bytes:
    return data.replace(b"\n", dice.choice((b"\r\n", b"\r", b"\n\n", "\u2028".encode(), b"\0\n")))


_SPOILS: tuple[_Spoil, ...] = (_put, _flip, _flip, _drop, _cut, _repeat, _move, _nest, _swap_lines, _line_ends)
