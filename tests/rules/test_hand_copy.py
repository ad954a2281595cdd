"""A copy of a hand is the same hand, and what is done with it leaves the first alone."""

from random import Random

from hands import everything, random_play
from hypothesis import given
from hypothesis import strategies as st

from arena.rules.hand import Hand
from arena.rules.options import Rules


@given(st.integers(0, 2**32 - 1))
def test_a_copy_is_played_apart(seed: int) -> None:
    hand = Hand(Rules(), bytes(Random(seed).sample(range(52), 52)))
    for action in random_play(hand, seed):
        before = everything(hand)
        twin = hand.copy()
        assert everything(twin) == before
        twin.apply(action)
        assert everything(twin) != before
        assert everything(hand) == before
    assert everything(hand.copy()) == everything(hand)
