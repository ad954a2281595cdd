"""Quarantined: a bot with too many faults loses its later games unplayed, and nobody else does."""

from pathlib import Path

from fault_bench import Misdeed, Played, play_with

from arena.players.faults import Fault
from arena.rules.game import Ending

CHEAT = Misdeed("cheating", "acts out of turn", Fault.ILLEGAL, every=10)


def test_after_its_last_allowed_fault_its_games_are_lost_unplayed(honest: str, alone: Played, tmp_path: Path) -> None:
    faults = {"cost": "forfeit_hand", "quarantine_after": 1}
    played = play_with(honest, [CHEAT], tmp_path, faults=faults, groups=2)
    first, *later = played.of(CHEAT)
    assert Fault.ILLEGAL in {fault.fault for fault in first.faults}
    for record in later:
        (fault,) = record.faults
        assert (fault.hand, fault.move, fault.fault) == (0, 0, Fault.QUARANTINED)
        assert not record.hands
        assert record.outcome.ending is Ending.FORFEIT
        assert record.outcome.places[fault.seat] == 2
    assert set(alone.lines) < set(played.lines)
