"""Quarantine is counted in schedule order, whatever order the games are played in."""

from random import Random

from arena.dealer.values import GameSpec
from arena.tournament.ledger import Ledger

SEATS = [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")]


def spec(index: int) -> GameSpec:
    return GameSpec(index, index // 6, index % 2, SEATS[index % 6])


def barred(faults: dict[int, list[str]], order: list[int], most: int) -> dict[int, list[str]]:
    """Play `order`, but leave a game that the ledger has settled or suspects, as the runner does."""
    ledger = Ledger(spec, len(order), most)
    result: dict[int, list[str]] = {}
    left = list(order)
    while left:
        game = next((index for index in left if not ledger.suspect(index)), min(left))
        left.remove(game)
        ledger.add(game, faults.get(game, []))
        for stopped, bots in ledger.settle():
            result[stopped.index] = list(bots)
            if stopped.index in left:
                left.remove(stopped.index)
    assert ledger.settled == len(order)
    return result


def test_a_bot_is_out_from_the_game_after_its_last_allowed_fault() -> None:
    faults = {0: ["a"], 2: ["a"], 3: ["a"]}
    assert barred(faults, list(range(12)), most=2) == {
        index: ["a"] for index in range(3, 12) if "a" in SEATS[index % 6]
    }


def test_several_faults_in_one_game_count_each() -> None:
    assert min(barred({1: ["a", "a", "b"]}, list(range(12)), most=2)) == 2


def test_without_faults_nobody_is_out() -> None:
    assert barred({}, list(range(12)), most=1) == {}


def test_a_fault_in_a_game_that_does_not_count_does_not_count() -> None:
    # b's second fault is in a game that a's quarantine takes away, so b is not out before its third.
    faults = {0: ["a", "b"], 1: ["b"], 4: ["b"], 5: []}
    assert barred(faults, list(range(10)), most=1)[1] == ["b", "a"]
    faults = {0: ["a"], 1: ["b"], 10: ["b"]}
    assert barred(faults, list(range(12)), most=1) == {
        1: ["a"], 2: ["a"], 3: ["a"], 6: ["a"], 7: ["a"], 8: ["a"], 9: ["a"], 11: ["b"],
    }  # fmt: skip


def test_the_order_of_play_changes_nothing() -> None:
    random = Random(11)
    for _ in range(200):
        faults = {index: random.choices(spec(index).seats, k=random.randint(0, 2)) for index in range(30)}
        most = random.randint(1, 6)
        shuffled = random.sample(range(30), 30)
        assert barred(faults, shuffled, most) == barred(faults, list(range(30)), most)
