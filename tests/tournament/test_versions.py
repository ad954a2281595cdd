"""The bots of a comparison, and everything that can be wrong with what was asked."""

import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest
from compare_bench import BOTS, SAMPLES, SIMPLE, asked, begun

from arena.errors import ArenaError, InputError, RunError
from arena.records.store import Run
from arena.tournament.compare import Asked, check_unchanged, measured, prepared, series_asked
from arena.tournament.comparison import Comparison, bounds_of, parse_bound
from arena.tournament.versions import pool_of, version


def names(*texts: str | Path) -> list[str]:
    return [bot.spec.name for bot in pool_of([str(text) for text in texts])]


def copied(bot: Path, folder: Path, name: str | None = None) -> Path:
    """A copy of a bot, under another name."""
    shutil.copytree(bot, folder, ignore=shutil.ignore_patterns("__pycache__"))
    if name is not None:
        text = (folder / "bot.yaml").read_text()
        (folder / "bot.yaml").write_text(f"name: {name}\n" + text[text.index("\n") + 1 :])
    return folder


@pytest.fixture
def entries(tmp_path: Path) -> Path:
    """A folder of two bots, and of one folder that is none."""
    for name in ("ann", "bob"):
        copied(SIMPLE, tmp_path / "entries" / name, name)
    (tmp_path / "entries" / "notes").mkdir()
    return tmp_path / "entries"


def test_a_pool_is_a_bot_a_folder_of_bots_or_a_pattern(entries: Path) -> None:
    assert names(entries / "ann") == ["ann"]
    assert names(entries) == ["ann", "bob"]
    assert names(f"{entries}/b*") == ["bob"]
    assert names(entries / "bob", entries) == ["bob", "ann"]


def test_a_pool_may_be_the_bots_of_a_series_under_its_names(entries: Path) -> None:
    series = entries / "cup.yaml"
    series.write_text("name: cup\nbots: [{path: ann, name: eve}, {sample: greedy}]\n")
    assert names(series) == ["eve", "greedy"]


@pytest.mark.parametrize(
    ("pool", "told"),
    [
        (["nowhere"], "--against: no folder with a bot.yaml matches 'nowhere'"),
        (["entries/notes"], "--against: no folder with a bot.yaml is in 'entries/notes'"),
        (["entries/c*"], "--against: no folder with a bot.yaml matches 'entries/c*'"),
        (["entries", "other"], "--against: 'ann' is the name of entries/ann ("),
        (["called-new"], "--against: 'new' (called-new) is what one of the versions is called"),
        (["commands.yaml"], "commands.yaml: 'far' is a command or an address, whose content cannot be pinned"),
    ],
)
def test_a_wrong_pool_is_told(entries: Path, monkeypatch: pytest.MonkeyPatch, pool: list[str], told: str) -> None:
    monkeypatch.chdir(entries.parent)
    copied(BOTS / "keeps_high", Path("other/ann"), "ann")
    copied(SIMPLE, Path("called-new"), "new")
    Path("commands.yaml").write_text("name: cup\nbots: [entries/ann, {name: far, address: 'there:5000'}]\n")
    with pytest.raises(InputError) as error:
        pool_of(pool)
    assert told in str(error.value)


def test_a_version_of_the_pool_that_is_one_of_the_two_is_left_out() -> None:
    ready = prepared(asked(pool=[SAMPLES / "simple", SAMPLES / "greedy"]), lambda _: None)
    assert [bot.name for bot in ready.series.bots] == ["old", "new", "greedy"]
    assert ready.told == [f"simple 1.0 ({SAMPLES / 'simple'}) is one of the two versions, so it is not in the pool"]
    assert not ready.same


def test_two_versions_of_one_content_are_the_same(tmp_path: Path) -> None:
    assert prepared(asked(new=copied(SIMPLE, tmp_path / "simple")), lambda _: None).same


def test_a_comparison_plays_single_hands_for_two(tmp_path: Path) -> None:
    rules = tmp_path / "cup.yaml"
    rules.write_text(
        "name: cup\nbots: [not/there]\nformat: gauntlet\ngauntlet: 2\nplay: games\ngroups: 7\nhints: false\n"
        "rules: {gin_bonus: 30}\nscoring: hollywood\n"
    )
    series = series_asked(asked(groups=9)._replace(rules=rules))
    config = series.config
    assert (config.format, config.play, config.groups, config.scoring) == ("compare", "deals", 9, "single")
    assert (config.hints, series.format.rules.gin_bonus) == (False, 30)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"settings": ["groups=9"]}, "--set groups: give --max-hands"),
        ({"settings": ["compare.worse=0"]}, "--set compare: give --hypothesis, --worse and --better"),
        ({"settings": ["game=three-hand"]}, "--set format: two versions are compared at a table of two"),
        ({"settings": ["rules.gin_bonus=x"]}, "--set rules.gin_bonus"),
        ({"most_hands": 1}, "--max-hands: 1 hands, expected 2 or more, a deal group"),
        ({"rules": Path("nowhere.yaml")}, "nowhere.yaml: No such file or directory, expected a YAML file"),
    ],
)
def test_a_wrong_question_is_told(change: dict[str, object], told: str) -> None:
    with pytest.raises(InputError) as error:
        series_asked(asked()._replace(**change))  # type: ignore[arg-type]  # each of its own kind
    assert told in str(error.value)


def test_no_bot_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no such folder, expected one with a bot and its bot\.yaml"):
        version(str(tmp_path / "gone"))
    with pytest.raises(InputError, match=r"no bot\.yaml in this folder"):
        version(str(tmp_path))


@pytest.mark.parametrize("text", ["", "one", "0.3 sd", "1e3", "nan", "0,3", "12345"])
def test_what_is_no_bound_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"points a hand such as -0\.3, or standard deviations such as -0\.02sd"):
        parse_bound(text)


def test_bounds_are_in_one_unit_and_in_order() -> None:
    assert bounds_of("-0.3", "0").width == pytest.approx(0.3)
    assert bounds_of("0", "0.02sd").unit == "sd"
    assert bounds_of("-0.02sd", "0").unit == "sd"
    assert bounds_of("-0.02sd", "0.03sd").width == pytest.approx(0.05)
    with pytest.raises(ValueError, match=r"bounds no more than 0\.05sd apart, not -0\.3sd and 0"):
        bounds_of("-0.3sd", "0")
    with pytest.raises(ValueError, match="both bounds in one unit"):
        bounds_of("-0.3", "0.02sd")
    for low, high in (("0", "0"), ("0.3", "0")):
        with pytest.raises(ValueError, match="a bound for worse below the one for better"):
            bounds_of(low, high)


def test_a_bound_in_a_series_may_be_a_number() -> None:
    asked = Comparison.model_validate({"worse": -1, "better": 0.5})
    assert (asked.worse, asked.better) == ("-1", "0.5")


def test_the_time_that_is_up_ends_the_measuring_too() -> None:
    assert measured(asked(), 1, time.monotonic()) is None


def test_bots_that_take_for_ever_are_not_waited_for_to_be_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sleeper = copied(SIMPLE, tmp_path / "sleeper")
    program = (sleeper / "bot.py").read_text()
    assert "    def discard(self, turn: Turn) -> Action:\n" in program
    (sleeper / "bot.py").write_text(
        program.replace(
            "    def discard(", "    def discard(self, _):\n        __import__('time').sleep(3600)\n\n    def other("
        )
    )
    monkeypatch.setattr("arena.tournament.compare.TRIAL_SECONDS", -8.0)  # 2 s after the start, for 10 s to get ready
    patient = ["clock.decision=1h", "clock.bank=1h", "isolation=none"]
    assert measured(asked(new=sleeper, settings=patient), 1) is None


# Taken up again.


def changed(what: Asked, folder: Path) -> str:
    """What is said where this is asked of a comparison that was begun otherwise."""
    with Run.open(folder) as run, pytest.raises(ArenaError) as error:
        check_unchanged(run, prepared(what, lambda _: None))
    return str(error.value)


def test_a_comparison_that_goes_on_is_the_one_that_was_begun(tmp_path: Path) -> None:
    new = copied(BOTS / "keeps_high", tmp_path / "bot")
    what = asked(new=new, pool=[SAMPLES / "greedy"])
    begun(tmp_path / "run", what).close()
    with Run.open(tmp_path / "run") as run:
        for same in (what, what._replace(seed=None), what._replace(settings=["workers=1"])):
            assert check_unchanged(run, prepared(same, lambda _: None)).config.compare == what.comparison
    assert "--seed was tests when this comparison began, and now it is 8" in changed(
        what._replace(seed="8"), tmp_path / "run"
    )
    assert "--worse was -0.01 when this comparison began, and now it is -1" in changed(
        what._replace(comparison=Comparison(worse="-1")), tmp_path / "run"
    )
    assert "rules.gin_bonus was 25" in changed(what._replace(settings=["rules.gin_bonus=20"]), tmp_path / "run")
    assert "--max-hands, in deal groups, was 4" in changed(what._replace(most_hands=10), tmp_path / "run")
    assert "'greedy' of the pool was in this comparison when it began, and now it is not" in changed(
        what._replace(pool=()), tmp_path / "run"
    )
    more = pool_of([str(SAMPLES / "greedy"), str(BOTS / "blunders")])
    assert "'simple' of the pool was not in this comparison when it began" in changed(
        what._replace(pool=more), tmp_path / "run"
    )
    (new / "notes.txt").write_text("another bot")
    assert "the new version has changed since this comparison began (it was " in changed(
        what._replace(new=version(str(new))), tmp_path / "run"
    )


def test_a_pool_that_has_changed_is_told(tmp_path: Path) -> None:
    bot = copied(SAMPLES / "greedy", tmp_path / "greedy")
    what = asked(pool=[bot])
    begun(tmp_path / "run", what).close()
    (bot / "notes.txt").write_text("another bot")
    told = changed(what._replace(pool=pool_of([str(bot)])), tmp_path / "run")
    assert "'greedy' of the pool has changed since this comparison began" in told
    assert "begin anew in another folder" in told


def test_luck_is_left_in_or_taken_out_as_when_it_began(tmp_path: Path) -> None:
    what = asked()
    begun(tmp_path / "run", what).close()
    with Run.open(tmp_path / "run") as run:
        series = check_unchanged(run, prepared(what._replace(raw=False), lambda _: None))
        assert series.config.compare is not None
        assert series.config.compare.scores == "raw"
        run.info = replace(run.info, config=run.info.config.replace('"scores":"raw"', '"scores":"adjusted"'))
        with pytest.raises(RunError, match=r"what is judged \(--raw\) was adjusted"):
            check_unchanged(run, prepared(what, lambda _: None))
