"""Hypothesis strategies for hands with many melds: cards from a window of neighbouring ranks."""

from hypothesis import settings
from hypothesis import strategies as st

from arena.cards import CARD_TEXT

# The same examples in every run, and no clock.
fixed = settings(derandomize=True, deadline=None, max_examples=200)


@st.composite
def windows(draw: st.DrawFn, cards: int) -> list[int]:
    """The cards of all suits in a window of neighbouring ranks, `cards` of them or more.

    The ace follows the king here: so hands occur with both ends of a suit, which must not join.
    """
    narrowest = -(-cards // 4)
    width = draw(st.integers(narrowest, min(13, narrowest + 4)))
    lowest = draw(st.integers(0, 12))
    return [13 * suit + rank % 13 for suit in range(4) for rank in range(lowest, lowest + width)]


@st.composite
def hands(draw: st.DrawFn, *sizes: int) -> list[frozenset[str]]:
    """Disjoint hands of these sizes, as card texts."""
    window = draw(windows(sum(sizes)))
    cards = [CARD_TEXT[card] for card in draw(st.permutations(window))]
    ends = [sum(sizes[: index + 1]) for index in range(len(sizes))]
    return [frozenset(cards[end - size : end]) for end, size in zip(ends, sizes, strict=True)]
