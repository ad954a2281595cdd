"""Times of the bots, told from histograms."""

from dataclasses import replace
from random import Random

import pytest
from made_games import Played, made

from arena.dealer.values import FaultRecord, TimeUse
from arena.players.faults import Fault
from arena.standings.timing import noting_times, timing_of, timing_sheet


def timed(game: Played, *seconds: list[float]) -> Played:
    """A game in which the seats took these times."""
    spec, record = game
    return spec, replace(record, times=tuple(map(TimeUse.of, seconds)))


def test_times_are_added_up_by_bot_over_all_games() -> None:
    times = timing_of({"ann": [0.25, 0.35], "bob": [], "cid": []})
    games = [
        timed(made(0, "ann bob", "A100"), [0.001, 0.003], [0.010]),
        timed(made(0, "bob ann", "A100"), [0.020], [0.002]),
    ]
    assert list(noting_times(games, times)) == games
    ann, bob, cid = timing_sheet(times).records()
    assert ann == {
        "bot": "ann",
        "decisions": 3,
        "mean_ms": 2.0,
        "p99_ms": pytest.approx(3.0, rel=0.05),
        "worst_ms": 3.0,
        "overtime_ms": 0.0,
        "timeouts": 0,
        "starts": 2,
        "start_up_ms": 300.0,
    }
    assert (bob["decisions"], bob["mean_ms"], bob["worst_ms"], bob["start_up_ms"]) == (2, 15.0, 20.0, None)
    assert list(cid.values()) == ["cid", 0, None, None, None, 0.0, 0, 0, None]


@pytest.mark.parametrize("share", [0.5, 0.9, 0.99, 1.0])
def test_a_quantile_is_right_to_a_twentieth(share: float) -> None:
    dice = Random(4)
    taken = sorted(dice.lognormvariate(-7, 1.5) for _ in range(2000))
    times = timing_of({"ann": [], "bob": []})
    _ = list(noting_times([timed(made(0, "ann bob", "A100"), taken, [])], times))
    assert times["ann"].quantile(share) == pytest.approx(taken[round(share * 2000) - 1], rel=0.05)


def test_the_slowest_decision_is_told_exactly() -> None:
    times = timing_of({"ann": [], "bob": []})
    _ = list(noting_times([timed(made(0, "ann bob", "A100"), [0.0123456], [])], times))
    assert times["ann"].quantile(0.99) == times["ann"].worst == 0.0123456
    assert times["bob"].quantile(0.99) is None


def test_time_drawn_from_banks_and_time_outs_are_added_up() -> None:
    times = timing_of({"ann": [], "bob": []})
    spec, record = made(0, "ann bob", "A100")
    faults = [FaultRecord(1, 1, 2, Fault.TIMEOUT, "late"), FaultRecord(1, 1, 4, Fault.CRASH, "gone")]
    used = replace(record, times=(TimeUse.of([0.2], 0.1), TimeUse.of([], 1.5)), faults=tuple(faults))
    _ = list(noting_times([(spec, used), (spec, used)], times))
    ann, bob = timing_sheet(times).records()
    assert (ann["overtime_ms"], ann["timeouts"]) == (200.0, 0)
    assert (bob["overtime_ms"], bob["timeouts"]) == (3000.0, 2)


def test_the_network_has_a_column_where_a_bot_has_dialled_in() -> None:
    times = timing_of({"ann": [], "bob": []}, {"bob": [0.03, 0.01, 0.02]})
    assert [row["network_ms"] for row in timing_sheet(times).records()] == [None, 20.0]
    assert "network_ms" not in timing_sheet(timing_of({"ann": [], "bob": []})).records()[0]
