"""The run's file: what goes in comes out, and nothing is lost, overwritten or shared by two writers."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from playing import FORMATS, Players

from arena.dealer.values import GameRecord, GameSpec, Void
from arena.errors import HostError, RecordError, RunError
from arena.players.faults import Fault
from arena.records import database, store
from arena.records.excerpt import excerpt
from arena.records.store import Run

PLAYERS = Players(FORMATS["three-hand-deals"], faults=0.01)
SCHEDULE = PLAYERS.schedule(bots=3, groups=4)
RECORDS = [PLAYERS.game(spec) for spec in SCHEDULE]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs" / "cup-001"


@pytest.fixture
def run(folder: Path) -> Iterator[Run]:
    with Run.create(folder, PLAYERS.info(3, 4), SCHEDULE) as run:
        yield run


def records(folder: Path) -> list[GameRecord]:
    with Run.open(folder) as run:
        return [record for _, record in run.records()]


@pytest.mark.parametrize("kind", FORMATS)
def test_games_of_every_kind_come_back_as_they_were(kind: str, folder: Path) -> None:
    players = Players(FORMATS[kind], faults=0.003)
    schedule = players.schedule(bots=3, groups=1)[:2]
    played = [players.game(spec) for spec in schedule]
    with Run.create(folder, players.info(3, 1), schedule) as run:
        run.commit(played)
    with Run.open(folder) as run:
        assert list(run.records()) == list(zip(schedule, played, strict=True))
        assert list(run.games()) == schedule
        assert run.info == players.info(3, 1)
        assert len(run) == 2


def test_records_come_in_schedule_order_whatever_the_order_of_shards(run: Run) -> None:
    for record in (RECORDS[7], RECORDS[2], RECORDS[5]):
        run.commit([record])
    assert [spec.index for spec, _ in run.records()] == [2, 5, 7]
    assert run.done() == {2, 5, 7}
    assert run.record(5) == (SCHEDULE[5], RECORDS[5])
    assert run.record(6) == (SCHEDULE[6], None)
    with pytest.raises(RunError, match=r"expected a game from 0 to 23, got 1000000000000000000000$"):
        run.record(10**21)
    with pytest.raises(RunError, match=r"expected a game from 0 to 23, got 24$"):
        run.record(24)


def test_many_games_are_read_a_part_at_a_time(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    finished = [record for record in RECORDS if record.index % 7]
    run.commit(finished)
    monkeypatch.setattr(store, "_CHUNK", 5)
    assert [record for _, record in run.records()] == finished
    assert len([*run.digests()]) == len(finished)


def test_a_game_committed_again_takes_the_place_of_the_first(run: Run) -> None:
    run.commit([replace(RECORDS[3], faults=(), hands=RECORDS[3].hands * 0)])
    run.commit(RECORDS[:6])
    assert [record for _, record in run.records()] == RECORDS[:6]


def test_faults_and_starts_are_told_by_bot(run: Run) -> None:
    run.commit(RECORDS, {"ann": [0.25], "cid": [0.5]})
    run.commit([], {"ann": [0.125]})
    assert run.starts() == {"ann": [0.25, 0.125], "bob": [], "cid": [0.5]}
    told = dict(run.faults_by_game())
    assert sorted(told) == [spec.index for spec in SCHEDULE]
    assert told == {
        spec.index: [spec.seats[fault.seat] for fault in record.faults]
        for spec, record in zip(SCHEDULE, RECORDS, strict=True)
    }
    assert any(told.values())


def test_a_hundred_thousand_games_are_scheduled(folder: Path) -> None:
    games = (
        GameSpec(index, index // 2, index % 2, (("ann", "bob"), ("bob", "ann"))[index % 2]) for index in range(100_000)
    )
    with Run.create(folder, Players().info(2, 50_000), games) as run:
        assert len(run) == 100_000
        assert run.record(99_999)[0].group == 49_999


def test_a_reader_sees_the_run_as_it_stood_when_it_was_opened(run: Run, folder: Path) -> None:
    run.commit(RECORDS[:2])
    with Run.open(folder) as reader:
        run.commit(RECORDS[2:4])
        assert reader.done() == {0, 1}
    assert len(records(folder)) == 4


def test_a_finished_run_is_one_file(run: Run, folder: Path) -> None:
    run.commit(RECORDS)
    run.close()
    assert sorted(path.name for path in folder.iterdir()) == ["run.lock", "run.sqlite"]
    header = (folder / "run.sqlite").read_bytes()[18:20]
    assert header == b"\1\1", "no write-ahead log, which a read-only folder could not have"


def test_a_run_that_is_closed_under_a_reader_stays_whole(run: Run, folder: Path) -> None:
    run.commit(RECORDS[:2])
    with Run.open(folder) as reader:
        run.commit(RECORDS[2:])
        run.close()
        assert reader.done() == {0, 1}
    assert records(folder) == RECORDS


def test_a_file_that_another_program_holds_is_told(run: Run, folder: Path) -> None:
    run.commit(RECORDS[:2])
    run._connection.execute("PRAGMA busy_timeout = 0")
    with closing(sqlite3.connect(folder / "run.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(RunError, match=r"another program is using run.sqlite; close it and try again"):
            run.commit(RECORDS[2:])
    run.commit(RECORDS[2:])
    assert records(folder) == RECORDS


def test_what_was_committed_survives_a_kill(folder: Path) -> None:
    code = f"""
import os, sys
sys.path[:0] = {sys.path!r}
from pathlib import Path
from test_store import PLAYERS, RECORDS, SCHEDULE, Run
run = Run.create(Path({str(folder)!r}), PLAYERS.info(3, 4), SCHEDULE)
run.commit(RECORDS[:3])
run._connection.execute("BEGIN IMMEDIATE")
run._connection.execute("DELETE FROM hands")
os.kill(os.getpid(), 9)
"""
    environment = {"PYTHONPATH": str(Path(__file__).parent)}
    ended = subprocess.run([sys.executable, "-c", code], env=environment, check=False, capture_output=True, text=True)
    assert ended.returncode == -9, ended.stderr
    assert records(folder) == RECORDS[:3]
    with Run.open(folder, write=True) as run:
        run.commit(RECORDS[3:])
    assert records(folder) == RECORDS


def test_a_second_writer_is_refused_also_from_another_process(run: Run, folder: Path) -> None:
    with pytest.raises(RunError, match="another arena is at work on this run; wait for its end, or stop it"):
        Run.open(folder, write=True)
    code = f"""
import sys
sys.path[:0] = {sys.path!r}
from pathlib import Path
from arena.errors import RunError
from arena.records.store import Run
try:
    Run.open(Path({str(folder)!r}), write=True)
except RunError as error:
    print(error)
"""
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "another arena is at work on this run" in told
    run.close()
    with Run.open(folder, write=True) as again:
        again.commit(RECORDS[:1])


def test_a_folder_with_a_run_is_not_overwritten(run: Run, folder: Path) -> None:
    run.commit(RECORDS)
    with pytest.raises(RunError, match="another arena is at work"):
        Run.create(folder, PLAYERS.info(3, 4), SCHEDULE)
    run.close()
    with pytest.raises(RunError, match=r"expected a new or an empty folder, .* --out, .*: arena resume .*cup-001"):
        Run.create(folder, PLAYERS.info(3, 4), SCHEDULE[:1])
    assert records(folder) == RECORDS


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("all my work")
    with pytest.raises(RunError, match=r"expected a new or an empty folder, .* give another with --out$"):
        Run.create(tmp_path, PLAYERS.info(3, 4), SCHEDULE)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_run_that_could_not_be_begun_leaves_the_folder_free(folder: Path) -> None:
    def games() -> Iterator[GameSpec]:
        yield SCHEDULE[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Run.create(folder, PLAYERS.info(3, 4), games())
    with Run.create(folder, PLAYERS.info(3, 4), SCHEDULE) as run:
        assert len(run) == len(SCHEDULE)


def test_what_is_no_run_is_told(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"expected the folder of a run, with run.sqlite in it$"):
        Run.open(folder)
    assert not folder.exists()
    folder.mkdir(parents=True)
    sqlite3.connect(folder / "run.sqlite").execute("CREATE TABLE run (info)").connection.close()
    with pytest.raises(RunError, match="expected a run of Gin Arena, got another file"):
        Run.open(folder)
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="expected a folder, got a file"):
        Run.create(tmp_path / "file", PLAYERS.info(3, 4), SCHEDULE)


def test_a_run_of_a_newer_version_is_refused_and_left_alone(run: Run, folder: Path) -> None:
    run.close()
    database = sqlite3.connect(folder / "run.sqlite")
    database.execute("PRAGMA user_version = 4")
    database.close()
    before = (folder / "run.sqlite").read_bytes()
    for write in (False, True):
        with pytest.raises(RunError, match="file version 4, this program reads 3; use the Gin Arena that made it"):
            Run.open(folder, write=write)
    assert (folder / "run.sqlite").read_bytes() == before


def test_a_full_disk_is_told_and_loses_nothing(run: Run, folder: Path) -> None:
    run.commit(RECORDS[:4])
    pages = run._connection.execute("PRAGMA page_count").fetchone()[0]
    run._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(HostError, match=r"the disk is full; make room, then `arena resume .*cup-001`: every finished"):
        run.commit(RECORDS[4:])
    assert [record for _, record in run.records()] == RECORDS[:4]
    run._connection.execute("PRAGMA max_page_count = 1000000")
    run.commit(RECORDS[4:])
    run.close()
    assert records(folder) == RECORDS


def test_a_disk_too_full_to_begin_is_told_and_leaves_the_folder_free(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = database.TABLES
    monkeypatch.setattr(database, "TABLES", ("PRAGMA max_page_count = 3", *tables))
    with pytest.raises(HostError) as caught:
        Run.create(folder, PLAYERS.info(3, 4), SCHEDULE)
    assert str(caught.value) == f"{folder}: the disk is full, and no run was begun; make room, or give another --out"
    monkeypatch.setattr(database, "TABLES", tables)
    with Run.create(folder, PLAYERS.info(3, 4), SCHEDULE) as run:
        assert len(run) == len(SCHEDULE)


def test_a_folder_that_cannot_be_made_is_told() -> None:
    with pytest.raises(HostError, match=r"/proc/runs: the folder cannot be used .* see to its permissions"):
        Run.create(Path("/proc/runs"), PLAYERS.info(3, 4), SCHEDULE)


def test_a_run_that_cannot_be_written_is_told(run: Run) -> None:
    run._connection.execute("PRAGMA query_only = ON")
    with pytest.raises(HostError, match=r"the folder cannot be used \(attempt to write a readonly database\)"):
        run.commit(RECORDS)


def test_an_arena_that_is_killed_while_it_begins_a_run_leaves_the_folder_free(folder: Path) -> None:
    program = f"""
import os, sys
sys.path[:0] = {sys.path!r}
from pathlib import Path
from test_store import PLAYERS, SCHEDULE, Run
def games():
    yield from SCHEDULE[:5]
    os._exit(9)
Run.create(Path({str(folder)!r}), PLAYERS.info(3, 4), games())
"""
    assert subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parent, check=False).returncode == 9
    assert [path.name for path in folder.iterdir() if path.name == "run.sqlite"] == []
    with Run.create(folder, PLAYERS.info(3, 4), SCHEDULE) as run:
        assert len(run) == len(SCHEDULE)
    assert {path.name for path in folder.iterdir()} == {"run.lock", "run.sqlite"}


def test_a_torn_last_write_costs_no_more_than_the_transactions_that_it_was_part_of(tmp_path: Path) -> None:
    """The log of the writes is cut off, or garbled, from any place on, as by a power cut."""
    folder = tmp_path / "run"
    run = Run.create(folder, PLAYERS.info(3, 4), SCHEDULE)
    wal = folder / "run.sqlite-wal"
    ends = []
    for record in RECORDS:
        run.commit([record])
        ends.append(wal.stat().st_size)
    torn = tmp_path / "torn"
    torn.mkdir()
    whole, log = (folder / "run.sqlite").read_bytes(), wal.read_bytes()
    run.close()
    dice = Random(5)
    for case in range(40):
        place = dice.randrange(len(log))
        rest = b"" if case % 2 else dice.randbytes(len(log) - place)
        (torn / "run.sqlite").write_bytes(whole)
        (torn / "run.sqlite-wal").write_bytes(log[:place] + rest)
        with Run.open(torn, write=True) as run:
            kept = [record for _, record in run.records()]
            assert kept == RECORDS[: sum(end <= place for end in ends)]
            run.commit(RECORDS)
            assert [record for _, record in run.records()] == RECORDS


def test_a_damaged_file_is_told(run: Run, folder: Path) -> None:
    run.commit(RECORDS)
    run.close()
    path = folder / "run.sqlite"
    whole = path.read_bytes()
    path.write_bytes(b"not SQLite" + whole[10:])
    with pytest.raises(RunError, match=r"run.sqlite: the file is damaged \(file is not a database\); restore a copy"):
        Run.open(folder)
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(RunError, match=r"run.sqlite: the file is damaged"):
        records(folder)
    path.write_bytes(whole)
    assert records(folder) == RECORDS


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (
            "UPDATE hands SET line = replace(line, 'hand/1', 'hand/9')",
            "game 0: hand 1: expected hand notation 1, got 9",
        ),
        ("UPDATE hands SET number = 2", "game 0: hand 2: expected the line of this hand, got that of hand 1"),
        ("UPDATE results SET outcome = '{}'", "game 0: expected the JSON of a GameOutcome"),
        (
            "UPDATE results SET outcome = outcome || ' '",
            "game 0: expected the JSON of a GameOutcome as the arena writes",
        ),
        ("UPDATE faults SET kind = 'sneeze'", "game [0-9]+: 'sneeze' is not a valid Fault"),
        ("UPDATE faults SET seat = 3", "game [0-9]+: expected a fault of a seat from 0 to 2, got 3"),
        ("UPDATE faults SET seat = -1", "game [0-9]+: expected a fault of a seat from 0 to 2, got -1"),
        ("UPDATE faults SET seat = 'x'", "game [0-9]+: expected a fault of a seat from 0 to 2, got x"),
        ("UPDATE faults SET number = 7", "game [0-9]+: expected fault 1, got fault 7"),
        ("UPDATE results SET advised = '[1, null, 2]'", "game 0: expected how often each seat was asked for advice"),
        ("UPDATE results SET advised = '[1, 2]'", "game 0: expected how often each seat was asked for advice"),
        ("UPDATE results SET advised = '7'", "game 0: "),
        ("UPDATE times SET histogram = '[]'", "game 0: "),
        ("UPDATE hands SET line = x'00'", "game 0: "),
        ("UPDATE results SET game = 99 WHERE game = 0", "game 99: expected a game of the schedule"),
    ],
)
def test_a_damaged_record_is_told_with_its_place(run: Run, folder: Path, change: str, complaint: str) -> None:
    run.commit(RECORDS)
    run.close()
    with sqlite3.connect(folder / "run.sqlite") as database:
        database.execute(change)
    database.close()
    with pytest.raises(RecordError, match=complaint):
        records(folder)


@pytest.mark.parametrize(
    ("change", "ways", "complaint"),
    [
        ("UPDATE faults SET kind = 'sneeze'", (Run.faults,), "game [0-9]+: 'sneeze' is not a valid Fault"),
        ("UPDATE faults SET seat = 3", (Run.faults, Run.faults_by_game), "game [0-9]+: expected a fault of a seat"),
        ("UPDATE faults SET seat = 'x'", (Run.faults, Run.faults_by_game), "game [0-9]+: expected a fault of a seat"),
        ("UPDATE hands SET line = 'x'", (Run.faults,), "game [0-9]+: hand [0-9]+: "),
        ("UPDATE voids SET kind = 'sneeze'", (Run.voids,), "game 3: 'sneeze' is not a valid Fault"),
        ("UPDATE starts SET bot = 3", (Run.starts,), "expected the start of a bot of the run, got that of bot 3"),
    ],
)
def test_damage_outside_the_records_of_games_is_told_by_whatever_reads_it(
    run: Run, folder: Path, change: str, ways: Sequence[Callable[[Run], Iterable[object]]], complaint: str
) -> None:
    run.commit(RECORDS, {"ann": [0.25]}, [Void(3, Fault.STARVED, "")])
    run.close()
    with sqlite3.connect(folder / "run.sqlite") as database:
        assert database.execute(change).rowcount
    database.close()
    for way in ways:
        with Run.open(folder) as damaged, pytest.raises(RecordError, match=complaint):
            list(way(damaged))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"PRIMARY KEY (game, seat)", b"PRIMARY KEY (gam\xff, seat)"),
        (b"hand/1 ", b"hand/\xff "),
    ],
)
def test_text_that_is_no_text_is_damage(run: Run, folder: Path, old: bytes, new: bytes) -> None:
    run.commit(RECORDS)
    run.close()
    path = folder / "run.sqlite"
    whole = path.read_bytes()
    assert old in whole
    path.write_bytes(whole.replace(old, new))
    with pytest.raises(RunError, match=r"run.sqlite: the file is damaged \(.*(UTF-8|utf-8)"):
        records(folder)


def test_a_file_without_its_tables_is_damaged(run: Run, folder: Path) -> None:
    run.commit(RECORDS)
    run.close()
    with sqlite3.connect(folder / "run.sqlite") as database:
        database.execute("DROP TABLE hands")
    database.close()
    with pytest.raises(RunError, match=r"run.sqlite: the file is damaged \(no such table: hands\); restore a copy"):
        records(folder)


def test_a_damaged_description_is_told(run: Run, folder: Path) -> None:
    run.close()
    with sqlite3.connect(folder / "run.sqlite") as database:
        database.execute("""UPDATE run SET info = replace(info, '"gin_bonus":25', '"gin_bonus":0')""")
    database.close()
    with pytest.raises(RunError, match=r"the description of the run is damaged: .*gin_bonus: expected an integer"):
        Run.open(folder)


def test_a_run_can_be_copied_and_read_elsewhere(run: Run, folder: Path, tmp_path: Path) -> None:
    run.commit(RECORDS)
    run.close()
    shutil.copytree(folder, tmp_path / "copy")
    assert records(tmp_path / "copy") == RECORDS


def test_the_network_of_bots_that_dialled_in_is_kept_from_the_first_time_on(tmp_path: Path) -> None:
    players = Players()
    schedule = players.schedule(2, 1)
    with Run.create(tmp_path / "run", players.info(2, 1), schedule) as run:
        run.commit([players.game(schedule[0])], {"ann": [0.5]})
        assert run.networks() == {}
        run.commit([], networks={"bob": [0.012, 0.013]})
        run.commit([players.game(schedule[1])], networks={"bob": [0.011]})
    with Run.open(tmp_path / "run") as run:
        assert run.networks() == {"bob": [0.012, 0.013, 0.011]}
        assert run.starts() == {"ann": [0.5], "bob": []}
        excerpt(run, tmp_path / "ann", {0, 1}, bot=0)
        excerpt(run, tmp_path / "all", {0, 1})
    with Run.open(tmp_path / "ann") as run:
        assert run.networks() == {}
    with Run.open(tmp_path / "all") as run:
        assert run.networks() == {"bob": [0.012, 0.013, 0.011]}
