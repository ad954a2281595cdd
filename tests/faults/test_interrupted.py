"""Interrupted: the operator stopped the run. The open games are void, and nobody pays."""

from pathlib import Path

from fault_bench import BOTS, Misdeed
from series_bench import GIN, LONG

from arena.dealer.table import TableRules
from arena.dealer.values import GameSpec, RoomRules
from arena.dealing import master_seed
from arena.players.faults import Culprit, Fault
from arena.players.spec import inline_spec
from arena.tournament.worker import Job, Shard, Worker

HANGS = Misdeed("stalling", "hangs", Fault.INTERRUPTED, every=1)


def test_who_is_in_the_middle_of_a_game_pays_nothing(honest: str, tmp_path: Path) -> None:
    """The culprit says so when it hangs at its first turn, and then the stop comes."""
    hanging = inline_spec("hanging", run=HANGS.command(), folder=BOTS)
    bots = {"hanging": hanging, "one": inline_spec("one", address=honest)}
    job = Job(
        TableRules(GIN, master_seed("series")), RoomRules(4, 4, False, LONG, 0.0, 1000), bots, LONG, LONG, tmp_path
    )
    worker = Worker(job, (tmp_path / "hanging" / "stderr.log").exists)
    try:
        result = worker.play(Shard(0, 0, (GameSpec(0, 0, 0, ("hanging", "one")),)))
    finally:
        worker.dismiss()
    assert not result.records
    assert [(void.index, void.fault, void.fault.culprit) for void in result.voids] == [
        (0, Fault.INTERRUPTED, Culprit.OPERATOR)
    ]
