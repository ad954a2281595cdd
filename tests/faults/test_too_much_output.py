"""Too much output: a process that prints without end is ended. What is printed within the limit costs nothing."""

from pathlib import Path

import pytest
from fault_bench import Misdeed, Played, advised, assert_it_pays, play_with

from arena.dealer.table import FaultCost
from arena.players.faults import Fault
from arena.players.log import HEAD, TAIL

CASES = [Misdeed("printing", "prints without end", Fault.TOO_MUCH_OUTPUT, "the process printed more than 64 MiB")]


@pytest.mark.parametrize("cost", FaultCost)
def test_who_prints_without_end_pays_for_the_turn(cost: FaultCost, honest: str, alone: Played, tmp_path: Path) -> None:
    played = play_with(honest, CASES, tmp_path, cost)
    assert_it_pays(CASES[0], played)
    assert played.lines == alone.lines
    logs = [path.stat().st_size for path in (tmp_path / "run" / "logs").rglob("*.log")]
    assert HEAD <= max(logs) < 2 * (HEAD + TAIL)


def test_an_adviser_that_prints_without_end_costs_nobody_anything(honest: str, tmp_path: Path) -> None:
    assert [fault for record in advised(CASES[0], honest, tmp_path) for fault in record.faults]
