"""`arena schedule`: what it shows, and what it refuses as a process."""

from pathlib import Path

import pytest
import yaml
from command import call_arena, run_arena

SERIES = "name: cup\nbots:\n" + "".join(f"- {{name: bot{number}, run: [none]}}\n" for number in range(6))


@pytest.fixture
def series(tmp_path: Path) -> Path:
    file = tmp_path / "cup.yaml"
    file.write_text(SERIES)
    return file


def schedule(series: Path, *settings: str) -> str:
    done = call_arena("schedule", series, *[word for setting in settings for word in ("--set", setting)])
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_games_and_hands_are_counted(series: Path) -> None:
    shown = schedule(series, "play=deals", "groups=20")
    assert "pairings     15: bot0 - bot1, bot0 - bot2," in shown
    assert "and 3 more\n" in shown
    assert "deal groups  20 a pairing, each in 2 seatings\n" in shown
    assert "games        600\n" in shown
    assert "hands        600\n" in shown


def test_the_hands_of_games_are_an_estimate(series: Path) -> None:
    assert "hands        about " in schedule(series)


def test_three_hand_has_triples_in_six_seatings(series: Path) -> None:
    shown = schedule(series, "game=three-hand", "groups=5")
    assert "pairings     20: bot0 - bot1 - bot2," in shown
    assert "games        600\n" in shown


def test_what_is_shown_of_the_series_is_a_series_that_plays_the_same(series: Path, tmp_path: Path) -> None:
    shown = schedule(series)
    whole = shown.split("The series with every default:\n\n")[1]
    assert yaml.safe_load(whole)["rules"]["target"] == 100
    again = tmp_path / "again.yaml"
    again.write_text(whole)
    assert schedule(again) == shown


def test_a_name_is_shown_as_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / "cup.yaml"
    file.write_text("name: cup\nbots: [{name: Zoë Ärger, run: [none]}, {name: 林, run: [none]}]\n")
    whole = schedule(file).split("The series with every default:\n\n")[1]
    assert "name: Zoë Ärger" in whole
    assert "name: 林" in whole


def test_bots_that_cannot_be_started_afresh_are_noted(series: Path) -> None:
    assert "not mirrored" not in schedule(series)
    assert "They are those of far." in schedule(
        series, "bots=[{name: near, run: [none]}, {name: far, address: 'host:1'}]"
    )


def test_every_mistake_is_told_at_its_place(series: Path) -> None:
    series.write_text(SERIES + "game: bridge\ngroups: 0\n")
    done = call_arena("schedule", series)
    assert (done.returncode, done.stdout) == (2, "")
    assert [line.split(" ")[0] for line in done.stderr.splitlines()] == [f"{series}:9:7:", f"{series}:10:9:"]


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    done = run_arena("schedule", tmp_path / "none.yaml")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "none.yaml" in done.stderr
