"""What is no bot's fault: the games that were being played are void, and cost nobody anything."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from bots_at_table import bot_class, play_by
from series_bench import BOTS, Crew, bot_spec, games, named, play_series, results, write_series

from arena.dealer.room import Room, RoomResult
from arena.dealer.values import GameSpec, Void
from arena.players.faults import Failure, Fault
from arena.records.store import Run
from arena.records.verify import verify
from arena.rules.view import Turn
from arena.tournament import runner
from arena.tournament.runner import RunEnd
from arena.tournament.worker import Shard

HONEST = bot_class("rascal", BOTS)
EVERY = 8
GAMES = 6


def crew(logs: Path) -> Crew:
    honest = bot_spec("honest", "rascal", "", str(10**9))
    suicidal = bot_spec("suicidal", "rascal", "suicide", str(EVERY))
    return Crew((honest, suicidal), logs, tables=4, batch=4)


def test_a_process_that_is_killed_makes_the_games_void_in_which_it_happened(tmp_path: Path) -> None:
    players = crew(tmp_path)
    (result,) = players.shards(players.specs(GAMES))
    assert {void.fault for void in result.voids} == {Fault.KILLED}
    assert {void.detail.partition("; ")[2] for void in result.voids} == {"the process was ended by SIGKILL"}
    played = {record.index for record in result.records}
    assert played.isdisjoint(void.index for void in result.voids)
    assert all(not record.faults for record in result.records)


def test_killed_again_in_the_same_games_it_pays_and_only_for_the_turns_that_kill_it(tmp_path: Path) -> None:
    players = crew(tmp_path)

    def fate(turn: Turn, seat: int) -> Failure | None:
        return Failure(Fault.CRASH, "") if seat == 1 and turn.seed % EVERY == 0 else None

    shard = Shard(0, 0, tuple(players.specs(GAMES)), excused=frozenset({"suicidal"}))
    (result,) = players.work([shard])
    assert not result.voids
    wanted = [play_by(players.shared, spec, (HONEST, HONEST), fate) for spec in shard.specs]
    assert games(result.records) == games(wanted)
    assert any(record.faults for record in wanted)


def test_a_run_plays_void_games_again_and_its_tables_tell_nothing_of_them(tmp_path: Path) -> None:
    """A bot is killed once from outside; what it leaves behind for itself has to be no part of it: a file elsewhere."""
    tables = []
    for name, deadly in (("quiet", False), ("killed", True)):
        mark = tmp_path / f"{name}.mark"
        if not deadly:
            mark.touch()
        victim = {"name": "victim", "run": ["{python}", str(BOTS / "victim" / "bot.py"), str(mark)]}
        folder = tmp_path / name
        folder.mkdir()
        series = write_series(folder, [victim, BOTS / "dicer"], groups=8, tables=4, workers=1)
        assert play_series(series, folder / "run") is RunEnd.COMPLETE
        with Run.open(folder / "run") as run:
            assert bool(list(run.voids())) is deadly
        played = results(folder / "run")
        tables.append({key: text.replace(str(mark), "MARK") for key, text in played.items() if "json" not in key})
        assert ("killed" in (folder / "run" / "timing.md").read_text()) is deadly
    assert tables[0] == tables[1]


@pytest.mark.thorough
def test_who_is_killed_too_often_pays_for_it_in_every_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a bot could kill itself wherever a game goes badly, and have a second try in each."""
    monkeypatch.setattr(runner, "EXCUSES", 1)
    suicidal = {"name": "suicidal", "run": ["{python}", str(BOTS / "rascal" / "bot.py"), "suicide", "40"]}
    series = write_series(tmp_path, [suicidal, BOTS / "dicer"], groups=8, tables=1, faults={"quarantine_after": 1000})
    assert play_series(series, tmp_path / "run") is RunEnd.COMPLETE
    with Run.open(tmp_path / "run") as run:
        voids = list(run.voids())
        faults = [fault.fault for _, record in run.records() for fault in record.faults]
    assert {void.fault for _, void in voids} == {Fault.KILLED}
    assert len(voids) <= 2  # of the shard in hand, and of the one that lay ready already
    assert set(faults) == {Fault.CRASH}
    assert len(faults) > 1


def test_a_game_that_the_host_breaks_off_again_and_again_is_left_void_until_the_run_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    series = write_series(tmp_path, [BOTS / "dicer", named("other", BOTS / "dicer")], groups=2)
    starved = 1

    async def played(room: Room, specs: Sequence[GameSpec], stop: Callable[[], bool]) -> RoomResult:
        result = await play(room, [spec for spec in specs if spec.index != starved], stop)
        voids = [Void(spec.index, Fault.STARVED, "the machine was busy") for spec in specs if spec.index == starved]
        return result._replace(voids=voids)

    play = Room.play
    monkeypatch.setattr(Room, "play", played)
    assert play_series(series, tmp_path / "run") is RunEnd.VOID
    with Run.open(tmp_path / "run") as run:
        assert run.done() == {0, 2, 3}
        assert [(attempt, void.index) for attempt, void in run.voids()] == [(1, 1), (2, 1), (3, 1)]
    monkeypatch.undo()
    assert play_series(series, tmp_path / "run") is RunEnd.COMPLETE


@pytest.mark.thorough
def test_whoever_is_in_quarantine_is_the_same_after_void_games_were_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows who is, behind a void game: what is played meanwhile does not count in the end."""
    gone = {"name": "gone", "run": ["{python}", "-c", "raise SystemExit(1)"]}
    played, void = [], 1

    async def broken(room: Room, specs: Sequence[GameSpec], stop: Callable[[], bool]) -> RoomResult:
        result = await play(room, [spec for spec in specs if spec.index != void], stop)
        return result._replace(voids=[Void(spec.index, Fault.STARVED, "") for spec in specs if spec.index == void])

    play = Room.play
    for name in ("quiet", "void"):
        (tmp_path / name).mkdir()
        series = write_series(tmp_path / name, [BOTS / "dicer", gone], groups=3, faults={"quarantine_after": 2})
        run = tmp_path / name / "run"
        if name == "void":
            with monkeypatch.context() as patch:
                patch.setattr(Room, "play", broken)
                assert play_series(series, run) is RunEnd.VOID
            with Run.open(run) as stopped:
                verify(stopped)
                assert {len(bots) for _, bots in stopped.faults_by_game()} == {1}, "none is settled behind the void one"
        assert play_series(series, run) is RunEnd.COMPLETE
        with Run.open(run) as complete:
            verify(complete)
            assert [bots for _, bots in complete.faults_by_game()] == [["gone"]] * 2 + [[]] * 4
        played.append(results(run))
    assert played[0] == played[1]
