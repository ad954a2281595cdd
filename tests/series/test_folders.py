"""The folder of a run: one arena at a time, nothing overwritten, and an earlier run's games where bots are the same."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from bots_at_table import bot_class, play_by
from command import call_arena, run_arena
from series_bench import BOTS, SAMPLES, games, named, play_series, records_of, write_series

from arena.dealer.table import TableRules
from arena.records.store import Run

BOLD = "return knock(turn.knocks[0]) if turn.knocks else discard(turn.discards[-1])"


@pytest.fixture
def series(tmp_path: Path) -> Path:
    """A series of three bots, the last of them in a folder where it can be changed."""
    changing = tmp_path / "changing"
    shutil.copytree(SAMPLES / "simple", changing)
    bots = [SAMPLES / "simple", BOTS / "dicer", named("changing", changing)]
    return write_series(tmp_path, bots, format="gauntlet", play="deals", groups=3)


def change(bot: Path) -> None:
    """Give a copy of simple another discard."""
    program = (bot / "bot.py").read_text()
    (bot / "bot.py").write_text(program.replace("least = min(turn.deadwood)", BOLD + "\n        least = 0"))


def contents(folder: Path) -> dict[str, str]:
    """What its files say; SQLite counts even what changes nothing."""
    texts = {
        path.name: path.read_text() for path in folder.iterdir() if path.suffix in (".md", ".csv", ".json", ".txt")
    }
    if (folder / "run.sqlite").exists():
        with closing(sqlite3.connect(folder / "run.sqlite")) as run:
            texts["run.sqlite"] = "\n".join(run.iterdump())
    return texts


def test_reuse_plays_only_the_games_of_bots_that_changed(series: Path, tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    play_series(series, old)
    change(tmp_path / "changing")
    done = run_arena(
        "run", series, "--reuse", old, "--out", new, "--set", "seed=8"
    )  # the old seed goes on all the same
    assert done.returncode == 0
    assert f"6 games are taken over from {old}\nPlaying 6 of 12 games\n" in done.stderr
    with Run.open(old) as before, Run.open(new) as after:
        assert (before.info.amended, after.info.amended) == (False, True)
        assert after.info.seed == before.info.seed
        rules = TableRules(after.info.format, bytes.fromhex(after.info.seed))
    played = {
        "simple": bot_class("simple"), "dicer": bot_class("dicer", BOTS), "changing": bot_class("changing", tmp_path),
    }  # fmt: skip
    differ = 0
    for earlier, later in zip(records_of(old), records_of(new), strict=True):
        assert later[0] == earlier[0]
        if "changing" in later[0].seats:
            assert games([later[1]]) == games([play_by(rules, later[0], [played[name] for name in later[0].seats])])
            differ += later[1].hands != earlier[1].hands
        else:
            assert later == earlier  # the times too: they were not played again
    assert differ  # not every hand asks the bots where they differ
    assert "Amended" in (new / "standings.md").read_text()
    assert "Amended" not in (old / "standings.md").read_text()


@pytest.mark.thorough
def test_reuse_does_not_need_the_bots_of_the_earlier_run(series: Path, tmp_path: Path) -> None:
    play_series(series, tmp_path / "old", deadline=0.0)
    shutil.move(tmp_path / "changing", tmp_path / "moved")
    series.write_text(series.read_text().replace(str(tmp_path / "changing"), str(tmp_path / "moved")))
    done = run_arena("run", series, "--reuse", tmp_path / "old", "--out", tmp_path / "new", "--max-time", "0s")
    assert (done.returncode, "0 games are taken over" in done.stderr) == (0, True)


def test_reuse_is_refused_where_more_than_bots_has_changed(series: Path, tmp_path: Path) -> None:
    play_series(series, tmp_path / "old", deadline=0.0)
    refused = call_arena(
        "run", series, "--reuse", tmp_path / "old", "--set", "rules.gin_bonus=20", "--out", tmp_path / "new"
    )
    assert (refused.returncode, "so has rules" in refused.stderr) == (2, True)
    refused = call_arena("run", series, "--reuse", tmp_path / "old", "--seed", "8", "--out", tmp_path / "new")
    assert (refused.returncode, "--seed" in refused.stderr) == (2, True)
    assert not (tmp_path / "new").exists()


def test_a_bot_that_has_changed_does_not_go_on_with_a_run(series: Path, tmp_path: Path) -> None:
    play_series(series, tmp_path / "run", deadline=0.0)
    before = contents(tmp_path / "run")
    change(tmp_path / "changing")
    refused = call_arena("resume", tmp_path / "run")
    assert refused.returncode == 2
    assert refused.stderr == (
        f"{tmp_path / 'run'}: the bot changing ({tmp_path / 'changing'}) has changed since the run began; bring it "
        f"back, or play its games anew on the same decks: `arena run SERIES --reuse {tmp_path / 'run'}`\n"
    )
    assert contents(tmp_path / "run") == before


def test_a_folder_with_something_in_it_is_not_touched(series: Path, tmp_path: Path) -> None:
    play_series(series, tmp_path / "run", deadline=0.0)
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("all my work")
    for folder in (tmp_path / "run", tmp_path / "thesis"):
        before = contents(folder)
        refused = call_arena("run", series, "--out", folder)
        assert (refused.returncode, "expected a new or an empty folder" in refused.stderr) == (2, True)
        assert contents(folder) == before
