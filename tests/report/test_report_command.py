"""`arena report`, and what it says where something is missing."""

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from command import call_arena, run_arena
from playing import FORMATS
from report_bench import NAMES, keys_of, played_run

from arena.dealer.values import GameRecord, GameSpec
from arena.errors import InputError
from arena.records.store import Run
from arena.standings.luck import Luck
from arena.tournament import page as tournament_page
from arena.tournament.page import Wanted, page_of, write_page

MINUS = "\N{MINUS SIGN}"
DEALS = FORMATS["gin-deals"]


def test_the_command_writes_one_file_and_says_where(tmp_path: Path) -> None:
    folder = played_run(tmp_path / "run", format_=DEALS)
    done = run_arena("report", folder, "--hands", "2", "--no-times")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{folder}/report.html: 0.1 MB; open it in a browser\n"
    assert len(keys_of((folder / "report.html").read_text())) == 6
    refused = call_arena("report", folder, "--without", "dot")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "--without: expected a bot of the run (ann, bob, cid), got dot\n"


def test_the_network_of_a_bot_that_has_dialled_in_stands_apart_among_the_times(tmp_path: Path) -> None:
    with Run.open(played_run(tmp_path / "run", format_=DEALS, groups=1), write=True) as run:
        assert "network ms" not in page_of(run)
        run.commit([], networks={NAMES[0]: [0.012345]})
        page = page_of(run)
    assert "network ms" in page
    assert "12.345" in page


def test_a_place_where_no_file_can_be_is_refused_at_once(tmp_path: Path) -> None:
    with Run.open(played_run(tmp_path / "run", format_=DEALS, groups=1)) as run:
        for out in (tmp_path, tmp_path / "nowhere" / "page.html"):
            with pytest.raises(InputError, match=f"^--out: expected a file in a folder that is there, got {out}$"):
                write_page(run, out)


def test_nothing_but_a_page_is_replaced(tmp_path: Path) -> None:
    pipe, other, page = tmp_path / "pipe", tmp_path / "series.yaml", tmp_path / "page.html"
    os.mkfifo(pipe)
    other.write_text("name: cup\n")
    with Run.open(played_run(tmp_path / "run", format_=DEALS, groups=1)) as run:
        for out in (run.folder / "run.sqlite", run.folder / "run.lock", other, pipe):
            before = out.stat()
            with pytest.raises(InputError, match=f"^--out: expected a new file, or a page to be replaced, got {out}, "):
                write_page(run, out)
            assert (out.stat().st_ino, out.stat().st_size) == (before.st_ino, before.st_size)
        for _ in range(2):
            write_page(run, page)


def test_groups_without_a_hand_make_no_difference_sure(tmp_path: Path) -> None:
    def three_played(record: GameRecord) -> GameRecord:
        """As of a bot that has used up its faults: the games that are left are lost without a hand."""
        return record if record.index < 3 * 6 else replace(record, hands=())

    with Run.open(played_run(tmp_path / "run", format_=DEALS, groups=12, changed=three_played)) as run:
        page = page_of(run, Wanted(ratings=False))
    assert re.findall('<td class="([a-z]+) (?:ahead|behind)">', page) == ["few"] * 6


def test_without_the_libraries_for_ratings_the_page_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Run.open(played_run(tmp_path / "run", format_=DEALS)) as run:
        assert ">Ratings<" in page_of(run)
        for module in [
            name for name in sys.modules if name.startswith(("arena.standings.", "arena.tournament.ratings"))
        ]:
            if module.endswith((".ratings", ".strengths", ".significance")):
                monkeypatch.delitem(sys.modules, module)
        monkeypatch.setitem(sys.modules, "numpy", None)
        page = page_of(run)
    assert ">Ratings<" not in page
    assert ">Margin a hand<" in page
    assert "Ratings are not shown: this needs the library numpy, which is not installed: pip install " in page


def test_one_deal_group_has_no_interval_and_the_page_draws_none(tmp_path: Path) -> None:
    with Run.open(played_run(tmp_path / "run", format_=DEALS, groups=1)) as run:
        page = page_of(run)
    main = page.partition("<main>")[2]
    assert 'class="bar"' not in main
    assert 'id="convergence"' not in main
    assert 'class="few ' in main


class Halving(Luck):
    """Takes half of every margin for luck."""

    def __init__(self) -> None:
        pass

    def of_games(self, games: Sequence[tuple[GameSpec, GameRecord]]) -> list[tuple[float, ...]]:
        return [tuple(margin / 2 for margin in record.outcome.margins) for _, record in games]


def test_margins_without_luck_stand_beside_the_bare_ones_or_a_sentence_says_why_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Run.open(played_run(tmp_path / "run", format_=DEALS)) as run:
        assert "Luck is not judged" in page_of(run, Wanted(luck=True))
        monkeypatch.setattr(tournament_page, "luck_of", lambda info: Halving())
        page = page_of(run, Wanted(luck=True))
        plain = page_of(run)
    bare, adjusted = (re.findall(r'<td class="value">(\S+)', part) for part in page.split("<figure")[1:3])
    assert [float(text.replace(MINUS, "-")) / 2 for text in bare] == pytest.approx(
        [float(text.replace(MINUS, "-")) for text in adjusted], abs=0.01
    )
    assert "Margin a hand without the luck of the draws" in page
    assert "without the luck" not in plain
