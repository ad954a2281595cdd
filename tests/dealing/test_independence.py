"""What a bot is told of the seed gives nothing away of a deck: ids and turn seeds come from domains of their own.

That HMAC-SHA256 is a pseudo-random function is not for a test to show. What can be tested is that it is used as one: no
two things are made of the same block, and nothing that is told is a part of what the decks are shuffled from.
"""

from collections import Counter
from unittest.mock import patch

from playing import FORMATS, Players

from arena import dealing
from arena.dealer.values import GameSpec

SEED = dealing.master_seed("independence")
GROUPS, HANDS, SEATS, DECISIONS = 100, 4, 3, 12
LABELS = {"deck", "draw", "first-dealer", "turn", "id"}


def told() -> list[bytes]:
    """What the bots of many games are told that comes from the seed, as bytes."""
    ids = [
        dealing.opaque_id(SEED, game, seat).to_bytes(6, "big") for game in range(GROUPS * 6) for seat in range(SEATS)
    ]
    seeds = [
        dealing.turn_seed(SEED, group, hand, seat, decision).to_bytes(8, "big")
        for group in range(GROUPS)
        for hand in range(1, HANDS + 1)
        for seat in range(SEATS)
        for decision in range(DECISIONS)
    ]
    return ids + seeds


def key_stream(group: int, hand: int) -> bytes:
    """The bytes that a deck is shuffled from, and some more of them."""
    stream = dealing._stream(SEED, dealing._prefix("deck", group, hand))
    return bytes(next(stream) for _ in range(96))


def blocks() -> list[tuple[bytes, bytes]]:
    """The message of every HMAC that is taken while games of every kind are played, with its block."""
    taken = []
    block = dealing._block

    def noted(seed: bytes, message: bytes) -> bytes:
        made = block(seed, message)
        taken.append((message, made))
        return made

    with patch.object(dealing, "_block", noted):
        for name in ("gin", "three-hand", "oklahoma"):
            players = Players(FORMATS[name], seed=SEED)
            seats = ("ann", "bob", "cid")[: players.format.seats]
            for group in range(4):
                players.game(GameSpec(group, group, 0, seats))
    return taken


def test_every_block_belongs_to_one_use() -> None:
    taken = blocks()
    labels = {message.removeprefix(b"gin-arena/1/").partition(b"\0")[0].decode() for message, _ in taken}
    assert labels == LABELS
    by_message = dict(taken)
    assert len(set(by_message.values())) == len(by_message), "two messages with one block"
    assert all(message.startswith(b"gin-arena/1/") for message in by_message)
    # A label ends with a zero byte, has none in it, and has one count of numbers: none can stand for another.
    lengths = {(message.partition(b"\0")[0], len(message)) for message in by_message}
    assert len(lengths) == len(LABELS)


def test_nothing_that_is_told_is_a_part_of_what_decks_are_shuffled_from() -> None:
    streams = [key_stream(group, hand) for group in range(GROUPS) for hand in range(1, HANDS + 1)]
    windows = {stream[at : at + 6] for stream in streams for at in range(len(stream) - 5)}
    assert len(windows) > 35_000
    for value in told():
        assert windows.isdisjoint({value[at : at + 6] for at in range(len(value) - 5)})
    assert len({stream[:5] for stream in streams}) == len(streams)


def test_no_two_things_that_are_told_are_alike() -> None:
    values = told()
    assert len({value[:5] for value in values}) == len(values)
    assert len({value[-5:] for value in values}) == len(values)


def test_neither_seeds_nor_ids_point_at_a_card() -> None:
    """A bot that guesses the first cards from what it is told is right as often as chance."""
    places = range(0, 52, 7)
    hits: Counter[str] = Counter()
    for group in range(1500):
        deck = dealing.deck(SEED, group, 1)
        seed = dealing.turn_seed(SEED, group, 1, 0, 0)
        game = dealing.opaque_id(SEED, group, 0)
        before = dealing.deck(SEED, group + 1, 1)
        hits["seed"] += sum(deck[place] == (seed >> place) % 52 for place in places)
        hits["id"] += sum(deck[place] == (game >> place % 40) % 52 for place in places)
        hits["the deck before"] += sum(deck[place] == before[place] for place in places)
    expected = 1500 * len(places) / 52  # 231, with a standard deviation of 15
    assert all(abs(found - expected) < 4 * expected**0.5 for found in hits.values()), hits
