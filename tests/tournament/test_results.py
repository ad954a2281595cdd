"""The tables of a run: what is written beside it, and what a reader is told."""

import csv
import errno
import io
import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from finished_runs import FILES, GAMES, finished, groups, result_files, run_of
from golden_files import GOLDEN, kept
from made_games import DEALS, GIN, THREE, made
from playing import Players

from arena.dealer.values import OWN_GROUPS, GameSpec
from arena.errors import HostError, InputError
from arena.records.store import Run
from arena.rules.game import GameFormat
from arena.rules.options import Rules
from arena.tournament.results import Results, results_of, write_results
from arena.tournament.schedule import NOT_MIRRORED

WRITTEN = result_files()
KEPT = {name.removeprefix("results/"): text for name, text in kept().items() if name.startswith("results/")}


@pytest.mark.parametrize("name", WRITTEN)
def test_the_files_about_a_run_are_as_they_were(name: str) -> None:
    path = GOLDEN / "results" / name
    assert name in KEPT, f"{path} is missing: python tests/golden_files.py writes it"
    assert WRITTEN[name] == KEPT[name], (
        f"{path} differs: if that is wanted, python tests/golden_files.py writes it anew"
    )


def test_no_golden_file_about_a_run_is_left_over() -> None:
    assert set(KEPT) == set(WRITTEN)


@pytest.mark.parametrize("name", GAMES)
def test_files_are_written_whole_and_again_the_same(name: str, tmp_path: Path) -> None:
    with run_of(name, tmp_path / "run") as run:
        before = {path.name for path in run.folder.iterdir()}
        for _ in range(2):
            write_results(run)
            assert {path.name for path in run.folder.iterdir()} == before | set(FILES)
            assert {file: (run.folder / file).read_text() for file in FILES} == {
                file: WRITTEN[f"{name}/{file}"] for file in FILES
            }


@pytest.mark.parametrize("name", GAMES)
def test_the_tables_can_be_read_without_writing_them(name: str, tmp_path: Path) -> None:
    with run_of(name, tmp_path / "run") as run:
        assert results_of(run).as_json() == WRITTEN[f"{name}/standings.json"]
        assert not (run.folder / "standings.json").exists()


@pytest.mark.parametrize("name", GAMES)
def test_json_csv_and_the_page_agree(name: str) -> None:
    told = json.loads(WRITTEN[f"{name}/standings.json"])
    rows = list(csv.DictReader(io.StringIO(WRITTEN[f"{name}/standings.csv"])))
    assert rows == [{key: "" if cell is None else str(cell) for key, cell in row.items()} for row in told["standings"]]
    page = WRITTEN[f"{name}/standings.md"]
    assert page.startswith(f"# {told['title']}\n")
    assert all(f"\n* {note}\n" in page for note in told["notes"])
    ranking = [line.split("|")[2].strip() for line in page.split("## Hands")[0].splitlines() if line.startswith("| ")]
    assert ranking[1:] == [row["bot"] for row in told["standings"]]
    matrix = {row["bot"]: row for row in csv.DictReader(io.StringIO(WRITTEN[f"{name}/crosstable.csv"]))}
    assert {(row["bot"], row["against"]) for row in told["crosstable"]} == set(permutations(matrix, 2))
    for row in told["crosstable"]:
        assert matrix[row["bot"]][row["against"]] == str(row["margin_a_hand"])


def test_without_a_bot_the_tables_are_those_of_a_run_that_it_never_entered(tmp_path: Path) -> None:
    schedule, records = finished("gin")
    left = [spec for spec in schedule if "bob" not in spec.seats]
    with run_of("gin", tmp_path / "run") as run:
        withdrawn = results_of(run, frozenset(["bob"]))
    info = Players(GIN).info(3, groups("gin"))
    info = replace(info, bots=tuple(bot for bot in info.bots if bot.name != "bob"))
    with Run.create(tmp_path / "never", info, left) as run:
        run.commit([record for record in records if record.index in {spec.index for spec in left}])
        never = results_of(run)
    assert withdrawn.as_text("pipe") == never.as_text("pipe")
    assert withdrawn.standings.records() == never.standings.records()
    assert withdrawn.meetings.records() == never.meetings.records()
    said = "Without bob: their games are left out."
    assert said in withdrawn.notes
    assert [note for note in withdrawn.notes if note != said] == [*never.notes]
    assert "Not finished: 2 of 6 games are missing or in incomplete groups." in never.notes


@pytest.mark.parametrize(
    ("name", "without", "told"),
    [
        ("gin", ["bib"], r"--without: expected a bot of the run \(ann, bob, cid\), got bib"),
        ("gin", ["ann", "bob"], "--without: expected enough bots to stay for a game"),
        ("three-hand", ["ann"], "--without: expected enough bots to stay for a game"),
    ],
)
def test_what_cannot_be_withdrawn_is_said(name: str, without: list[str], told: str, tmp_path: Path) -> None:
    with run_of(name, tmp_path / "run") as run, pytest.raises(InputError, match=told):
        results_of(run, frozenset(without))


def results(
    folder: Path, format_: GameFormat, texts: list[str], *, groups: list[int] | None = None, **config: object
) -> Results:
    """The tables of a run of two or three bots with these games, each seating of a group after the other."""
    players = Players(format_)
    seatings = [*permutations(("ann", "bob", "cid")[: format_.seats])]
    schedule = [
        GameSpec(index, index // len(seatings), index % len(seatings), seatings[index % len(seatings)])
        for index in range(len(texts))
    ]
    if groups is not None:
        schedule = [replace(spec, group=group) for spec, group in zip(schedule, groups, strict=True)]
    info = players.info(format_.seats, 1)
    info = replace(info, config=json.dumps(json.loads(info.config) | config))
    with Run.create(folder / "run", info, schedule) as run:
        run.commit(
            replace(made(spec.group, " ".join(spec.seats), text, format_)[1], index=spec.index)
            for spec, text in zip(schedule, texts, strict=True)
            if text
        )
        return results_of(run)


def test_what_belongs_to_the_columns_of_the_standings_is_not_told_of_the_crosstable(tmp_path: Path) -> None:
    with run_of("three-hand", tmp_path / "run") as run:
        told = results_of(run)
    assert told.notes == (*told.about, *told.legend)
    assert any("so more may have been played" in note for note in told.about)
    assert not any(word in note for note in told.about for word in ("won %", "Margin:", "Captain", "Hands:"))


def test_a_finished_run_has_nothing_missing(tmp_path: Path) -> None:
    told = results(tmp_path, GIN, ["A100", "B100"])
    assert told.notes[0] == "2 games and 2 hands count: those of complete deal groups."
    assert not any(
        word in note for note in told.notes for word in ("Not finished", "Not played", "Amended", "mirrored")
    )


def test_before_the_first_group_is_complete_the_tables_are_empty_and_say_so(tmp_path: Path) -> None:
    told = results(tmp_path, GIN, ["A100", ""])
    assert "Not finished: 2 of 2 games are missing or in incomplete groups." in told.notes
    assert [(row["place"], row["bot"], row["games"]) for row in told.standings.records()] == [
        (1, "ann", 0),
        (1, "bob", 0),
    ]
    assert told.meetings.records() == []


@pytest.mark.parametrize(
    ("format_", "text", "title"),
    [
        (GIN, "A100", "test-cup: gin, to the target"),
        (DEALS, "A10", "test-cup: gin, by deals"),
        (replace(GIN, hollywood=True), "A120 A120 A120", "test-cup: gin, Hollywood, to the target"),
    ],
)
def test_the_title_says_what_was_played(format_: GameFormat, text: str, title: str, tmp_path: Path) -> None:
    assert results(tmp_path, format_, [text, text]).title == title


def test_the_series_says_what_ranks(tmp_path: Path) -> None:
    """ann wins four games by a point, bob two by a hundred."""
    texts = ["B99 A100", "A99 B100", "B99 A100", "A99 B100", "B100", "A100"]
    by_games = results(tmp_path / "games", GIN, texts)
    by_margin = results(tmp_path / "margin", GIN, texts, rank_by=["margin", "games_won"])
    assert [row["bot"] for row in by_games.standings.records()] == ["ann", "bob"]
    assert [row["bot"] for row in by_margin.standings.records()] == ["bob", "ann"]
    assert "Ranked by games won, then margin, then head to head." in by_games.notes
    assert "Ranked by margin, then games won." in by_margin.notes


def test_games_on_decks_of_their_own_are_complete_by_themselves_and_told(tmp_path: Path) -> None:
    told = results(tmp_path, GIN, ["A100", "", "A100"], groups=[OWN_GROUPS, OWN_GROUPS + 1, OWN_GROUPS + 2])
    assert told.notes[0] == "2 games and 2 hands count: those of complete deal groups."
    assert NOT_MIRRORED in told.notes


def test_a_run_with_games_of_an_earlier_one_is_marked(tmp_path: Path) -> None:
    with run_of("gin", tmp_path / "run", amended=True) as run:
        assert "Amended: games of bots that did not change are taken over from an earlier run." in results_of(run).notes


def test_points_of_a_team_are_told_in_the_roles(tmp_path: Path) -> None:
    team = replace(THREE, rules=Rules(captain_points="team"))
    told = results(tmp_path, team, ["B100"] * 6)
    assert "points a hand sat out" in told.as_markdown()
    assert {row["out_points_a_hand"] for row in told.standings.records()} == {100.0}


def test_a_timed_series_says_how_it_was_timed(tmp_path: Path) -> None:
    assert "Times in milliseconds, the time of a batch shared out among its turns." in WRITTEN["gin/timing.md"]
    info = Players(GIN).info(2, 1)
    with Run.create(tmp_path, replace(info, config=json.dumps(json.loads(info.config) | {"timed": True})), []) as run:
        write_results(run)
    assert "Times in milliseconds, each by its own clock." in (tmp_path / "timing.md").read_text()


@pytest.mark.parametrize("name", FILES)
def test_a_table_that_cannot_be_written_is_told_with_its_place_and_the_remedy(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's error names no file where the disk is full."""
    write = Path.write_text

    def full(path: Path, text: str, **more: str) -> int:
        if path.name == f"{name}.part":
            write(path, text[:10], **more)
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, text, **more)

    with run_of("gin", tmp_path / "run") as run:
        monkeypatch.setattr(Path, "write_text", full)
        with pytest.raises(HostError) as caught:
            write_results(run)
        assert str(caught.value) == (
            f"{run.folder / name}: No space left on device, so the tables are not all written; every finished game is "
            f"kept: put that right, then `arena resume {run.folder}` writes them"
        )
        assert not list(run.folder.glob("*.part"))
        monkeypatch.undo()
        write_results(run)
        assert {file: (run.folder / file).read_text() for file in FILES} == {
            file: WRITTEN[f"gin/{file}"] for file in FILES
        }


def test_ctrl_c_while_a_table_is_written_leaves_no_half_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Path.write_text

    def interrupted(path: Path, text: str, **more: str) -> int:
        write(path, text[:10], **more)
        raise KeyboardInterrupt

    with run_of("gin", tmp_path / "run") as run:
        before = {path.name for path in run.folder.iterdir()}
        monkeypatch.setattr(Path, "write_text", interrupted)
        with pytest.raises(KeyboardInterrupt):
            write_results(run)
        assert {path.name for path in run.folder.iterdir()} == before
