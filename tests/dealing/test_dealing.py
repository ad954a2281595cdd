import hashlib
import hmac
from collections import Counter
from itertools import permutations
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from arena import dealing
from arena.cards import CARD_TEXT, cards_text, rank_of
from arena.rules.game import Roles

PAGE = Path(__file__).parents[2] / "docs" / "dealing.md"
SEED = dealing.master_seed("2026")

seeds = st.binary(min_size=32, max_size=32)
groups = st.integers(0, 10**6)
hands = st.integers(1, 300)


def vector() -> dict[str, str]:
    """The lines of the published test vector."""
    _, section = PAGE.read_text().split("## Test vector\n")
    lines = [line for line in section.splitlines() if line.startswith("    ")]
    return {line[4:26].strip(): line[26:] for line in lines}


def draw_text(draw: dealing.RoleDraw) -> str:
    return " / ".join(" ".join(f"{seat}:{CARD_TEXT[card]}" for seat, card in cards) for cards in draw.rounds)


def test_the_published_vector_is_what_the_arena_deals() -> None:
    first = dealing.deck(SEED, 0, 1)
    message = b"gin-arena/1/deck\0" + (0).to_bytes(8, "big") + (1).to_bytes(8, "big") + (0).to_bytes(8, "big")
    assert vector() == {
        "text": "2026",
        "seed": SEED.hex(),
        "commitment": dealing.commitment(SEED),
        "first deck message": message.hex(),
        "first deck block": hmac.digest(SEED, message, "sha256").hex(),
        "group 0 hand 1": cards_text(first),
        "seat 1 non-dealer": cards_text(dealing.as_played(first, Roles(1, 0), two_ended=True)),
        "three, 2 1 0": cards_text(dealing.as_played(first, Roles(2, 1, 0), two_ended=True)),
        "first dealers": " ".join(str(dealing.first_dealer(SEED, group)) for group in range(8)),
        "draw of group 0": draw_text(dealing.role_draw(SEED, 0)),
        "draw of group 177": draw_text(dealing.role_draw(SEED, 177)),
        "roles of group 177": " ".join(map(str, dealing.role_draw(SEED, 177).order)),
        "turn seeds": " ".join(f"{dealing.turn_seed(SEED, 0, 1, 1, decision):016x}" for decision in range(5)),
        "opaque id": f"{dealing.opaque_id(SEED, 0, 1):012x}",
    }


@given(seeds, groups, hands)
def test_a_program_written_from_the_page_alone_deals_the_same_deck(seed: bytes, group: int, hand: int) -> None:
    numbers = group.to_bytes(8, "big") + hand.to_bytes(8, "big")
    blocks = [
        hmac.new(seed, b"gin-arena/1/deck\x00" + numbers + counter.to_bytes(8, "big"), hashlib.sha256).digest()
        for counter in range(16)
    ]
    stream = list(b"".join(blocks))
    cards = list(range(52))
    for place in range(51, 0, -1):
        choices = place + 1
        while stream[0] >= 256 - 256 % choices:
            stream.pop(0)
        other = stream.pop(0) % choices
        cards[place], cards[other] = cards[other], cards[place]
    assert bytes(cards) == dealing.deck(seed, group, hand)


@given(seeds, groups, hands)
def test_a_deck_is_all_cards_and_another_hand_or_group_or_seed_has_another(seed: bytes, group: int, hand: int) -> None:
    cards = dealing.deck(seed, group, hand)
    assert sorted(cards) == list(range(52))
    assert cards == dealing.deck(seed, group, hand)
    others = [
        dealing.deck(seed, group, hand + 1),
        dealing.deck(seed, group + 1, hand),
        dealing.deck(dealing.master_seed(seed.hex()), group, hand),
    ]
    assert cards not in others


def test_every_card_comes_to_every_place_equally_often() -> None:
    decks = 5200
    seen = Counter((place, card) for n in range(decks) for place, card in enumerate(dealing.deck(SEED, n, 1)))
    expected = decks / 52
    chi_squared = sum((seen[place, card] - expected) ** 2 / expected for place in range(52) for card in range(52))
    # 51 * 51 degrees of freedom: mean 2601, standard deviation 72.
    assert 2601 - 4 * 72 < chi_squared < 2601 + 4 * 72


@given(seeds, groups, hands, st.booleans())
def test_each_of_two_seats_has_its_own_cards_and_draws_whoever_deals(
    seed: bytes, group: int, hand: int, two_ended: bool
) -> None:
    cards = dealing.deck(seed, group, hand)
    straight = dealing.as_played(cards, Roles(0, 1), two_ended)
    turned = dealing.as_played(cards, Roles(1, 0), two_ended)
    assert straight == cards
    assert (turned[:10], turned[10:20], turned[20]) == (cards[10:20], cards[:10], cards[20])
    assert turned[21:] == (cards[21:][::-1] if two_ended else cards[21:])


@given(seeds, groups, hands, st.sampled_from([*permutations(range(3))]))
def test_each_of_three_seats_has_its_own_cards_and_draws_whoever_plays(
    seed: bytes, group: int, hand: int, seats: tuple[int, int, int]
) -> None:
    cards = dealing.deck(seed, group, hand)
    nondealer, dealer, out = seats
    played = dealing.as_played(cards, Roles(*seats), two_ended=True)
    assert sorted(played) == list(range(52))
    assert played[20] == cards[51]
    draws = {nondealer: played[21:], dealer: played[:20:-1]}
    for seat, held in ((nondealer, played[:10]), (dealer, played[10:20])):
        assert held + draws[seat][:7] == cards[17 * seat : 17 * seat + 17]
    assert draws[min(nondealer, dealer)][7:24] == cards[17 * out : 17 * out + 17]


@given(seeds, groups, hands, st.sampled_from([*permutations(range(3))]))
def test_three_seats_that_draw_from_one_top_have_the_same_stock_whoever_deals(
    seed: bytes, group: int, hand: int, seats: tuple[int, int, int]
) -> None:
    cards = dealing.deck(seed, group, hand)
    nondealer, dealer, out = seats
    played = dealing.as_played(cards, Roles(nondealer, dealer, out), two_ended=False)
    turned = dealing.as_played(cards, Roles(dealer, nondealer, out), two_ended=False)
    assert sorted(played) == list(range(52))
    assert turned == played[10:20] + played[:10] + played[20:]


def test_both_seats_deal_first_equally_often() -> None:
    assert abs(sum(dealing.first_dealer(SEED, group) for group in range(2000)) - 1000) < 100


@given(seeds, groups)
def test_the_draw_ranks_king_high_and_redraws_equal_ranks_among_themselves(seed: bytes, group: int) -> None:
    draw = dealing.role_draw(seed, group)
    assert sorted(draw.order) == [0, 1, 2]
    assert [seat for seat, _ in draw.rounds[0]] == [0, 1, 2]
    drawn: dict[int, list[int]] = {0: [], 1: [], 2: []}
    for cards in draw.rounds:
        assert len({card for _, card in cards}) == len(cards)
        for seat, card in cards:
            drawn[seat].append(rank_of(card))
    # Who redraws has drawn the same ranks before, so the lists of ranks compare as the seats do.
    assert list(draw.order) == sorted(drawn, key=lambda seat: drawn[seat], reverse=True)
    assert len({tuple(ranks) for ranks in drawn.values()}) == 3


def test_a_draw_with_two_redraws_is_recorded_in_full() -> None:
    # Groups 0 to 999 of this seed hold single draws, redraws of two, and (177) of three and then two.
    rounds = Counter(tuple(len(cards) for cards in dealing.role_draw(SEED, group).rounds) for group in range(1000))
    assert {(3,), (3, 2), (3, 3, 2)} <= set(rounds)


@given(seeds, groups, hands, st.integers(0, 2))
def test_turn_seeds_in_a_row_are_those_of_the_single_decisions(seed: bytes, group: int, hand: int, seat: int) -> None:
    row = dealing.TurnSeeds(seed, group, hand, seat)
    assert [row.next() for _ in range(9)] == [dealing.turn_seed(seed, group, hand, seat, n) for n in range(9)]


def test_every_decision_has_a_seed_of_its_own() -> None:
    seen = {
        dealing.turn_seed(SEED, group, hand, seat, decision)
        for group in range(3)
        for hand in (1, 2, 3)
        for seat in range(3)
        for decision in range(20)
    }
    assert len(seen) == 3 * 3 * 3 * 20
    assert all(0 <= number < 1 << 64 for number in seen)


def test_ids_are_stable_differ_by_seat_and_game_and_need_the_seed() -> None:
    ids = {dealing.opaque_id(SEED, game, seat) for game in range(500) for seat in range(3)}
    assert len(ids) == 1500
    assert all(0 <= number < 1 << 48 for number in ids)
    assert dealing.opaque_id(SEED, 7, 1) == dealing.opaque_id(SEED, 7, 1)
    assert dealing.opaque_id(dealing.master_seed("2027"), 7, 1) not in ids


def test_a_fresh_seed_is_new_and_its_commitment_hides_it() -> None:
    one, other = dealing.fresh_seed(), dealing.fresh_seed()
    assert one != other
    assert len(one) == len(dealing.master_seed("")) == 32
    assert dealing.commitment(one) == hashlib.sha256(one).hexdigest()
