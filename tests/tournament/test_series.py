from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from bots_at_table import SAMPLE_BOTS
from hypothesis import given
from hypothesis import strategies as st

from arena.dealer.table import FaultCost
from arena.documents import parse_document
from arena.errors import InputError
from arena.players.clock import Measure
from arena.rules.game import Play
from arena.rules.options import Rules
from arena.rules.view import GameKind
from arena.standings.ranking import CRITERIA
from arena.tournament import series
from arena.tournament.config import FaultPolicy, SeriesConfig
from arena.tournament.durations import duration_text, parse_duration
from arena.tournament.schedule import schedule_of
from arena.tournament.series import Series, load_series, series_of

FEWER = "expected 10,000,000 or less: have fewer groups or pairings, as with"
DATA = Path(__file__).parent.parent / "data"

Load = Callable[..., Series]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Loads a series text from a folder beside bots a, b, c, d, `gin` that plays gin alone, and a broken one."""
    for name in ("a", "b", "c", "d", "gin"):
        (tmp_path / "bots" / name).mkdir(parents=True)
        games = "\ngames: [gin]" if name == "gin" else ""
        (tmp_path / "bots" / name / "bot.yaml").write_text(f"name: {name}\nrun: [./bot]{games}\n")
    (tmp_path / "bots" / "README.md").write_text("not a bot")
    (tmp_path / "bots" / "__pycache__").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "bot.yaml").write_text("nam: x\n")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)

    def load(text: str, *settings: str) -> Series:
        Path("s.yaml").write_text(text)
        return load_series(Path("s.yaml"), settings)

    return load


def mistakes(load: Load, text: str, *settings: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        load(text, *settings)
    return str(caught.value).split("\n")


def test_many_mistakes_of_every_kind_are_told_at_once(load: Load) -> None:
    text, told = (DATA / "mistakes.yaml").read_text(), (DATA / "mistakes.txt").read_text()
    assert mistakes(load, text) == told.splitlines()


def test_what_is_missing_is_told(load: Load) -> None:
    assert mistakes(load, "gam: gin\nrules:\nseed:\n") == [
        "s.yaml:1:1: 'bots' is missing, expected a list of bots, such as [entries/*, ../sample_bots/greedy]",
        "s.yaml:1:1: 'name' is missing, expected a name for the series, such as autumn-cup",
        "s.yaml:1:1: unknown key 'gam', did you mean 'game'?",
        "s.yaml:2:7: rules is empty, expected keys and values, as in {key: value}",
        "s.yaml:3:6: seed is empty, expected a number, a text, fresh or commit",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("bots: []", "2:7: 0 of them, expected 2 or more"),
        ("bots: [bots/a]", "2:7: 1 of them, expected 2 or more"),
        ("bots: bots/*", "2:7: bots is 'bots/*', expected a list, as in [a, b]"),
        ('bots: [bots/a, bots/b, "a\\0"]', "2:24: path is 'a\\x00', expected text without the character 0"),
        (
            f"bots: [bots/a, bots/b, {'x' * 300}]",
            f"2:24: '{'x' * 57}...' cannot be looked into (File name too long), expected a folder with a bot.yaml",
        ),
        ("bots: [bots/a, bots/b]\ngame: three-hand", "2:7: 2 of them, expected 3 or more"),
        (
            "bots: [bots/a, bots/b]\nratings: {anchor: c}",
            "3:10: ratings.anchor is c, expected a bot of the series: a, b",
        ),
        ("bots: [bots/a, bots/b]\nratings: {at: 1.5}", "3:15: ratings.at is 1.5, expected a whole number"),
        (
            "bots: [bots/a, bots/b, bots/c]\nformat: gauntlet\ngauntlet: 3",
            "4:11: the first 3 of 3 bots, expected 2 or less, as they need others to play",
        ),
        (
            "bots: [bots/a, bots/b, bots/c]\ngame: three-hand\nformat: gauntlet\ngauntlet: 2",
            "5:11: the first 2 of 3 bots, expected 1 or less, as they need others to play",
        ),
        (
            "bots: [bots/a, bots/b]\ngauntlet: 1",
            "3:11: gauntlet has no meaning in a round-robin, expected it with format: gauntlet",
        ),
        (
            "bots: [bots/a, bots/b, bots/c]\ngame: three-hand\ntriples: balanced 2",
            "4:10: triples is 'balanced 2', expected 1 or less: 3 bots have no more",
        ),
        (
            "bots: [bots/a, bots/b, bots/c]\ngame: three-hand\nformat: gauntlet\ntriples: balanced 1",
            "5:10: triples are chosen in a round-robin, expected all of them in a gauntlet",
        ),
        (
            "bots: [bots/a, bots/b]\ngame: oklahoma\nrules: {knock_limit: 10}",
            "4:22: knock_limit: expected upcard, which is what makes Oklahoma; play gin for another limit",
        ),
        (
            "bots: [bots/a, bots/b, bots/c, bots/d]\ngroups: 833334",
            f"3:9: groups is 833334, which makes 10,000,008 games, {FEWER} format: gauntlet",
        ),
        (
            "bots: [bots/a, bots/b, bots/c, bots/d]\ngame: three-hand\ntriples: balanced 3\ngroups: 1000000",
            f"5:9: groups is 1000000, which makes 18,000,000 games, {FEWER} triples: balanced 200",
        ),
        ("bots: [bots/a, bots/gin]\ngame: oklahoma", "2:16: 'gin' plays gin, expected a bot that plays oklahoma"),
        (
            "bots: [bots/a, bots/gin]\nrules: {knock_limit: upcard}",
            "2:16: 'gin' plays gin, expected a bot that plays oklahoma",
        ),
    ],
)
def test_what_does_not_go_together_is_told_at_its_place(load: Load, text: str, told: str) -> None:
    assert mistakes(load, f"name: x\n{text}\n") == [f"s.yaml:{told}"]


def test_processor_time_is_measured_only_where_it_can_be_read(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    by_cpu = "name: x\nbots: [bots/a, bots/b]\nclock: {hand: 2s, measure: cpu}\n"
    far = by_cpu.replace("bots/b", "{name: far, address: 'far.example:5000'}")
    monkeypatch.setattr(series, "HAS_CLOCK", True)
    clock = load(by_cpu).config.clock
    assert (clock.hand, clock.measure) == (timedelta(seconds=2), Measure.CPU)
    assert "hand: 2s, goodbye: 2s, measure: cpu}" in load(by_cpu).as_yaml()
    expected = "s.yaml:3:28: clock.measure is cpu, expected wall"
    assert mistakes(load, far) == [f"{expected}: 'far' is at an address, so that its processor time is not known here"]
    joined = by_cpu.replace("bots/b", "{name: ada, join: true}")
    assert mistakes(load, joined) == [f"{expected}: 'ada' dials in, so that its processor time is not known here"]
    monkeypatch.setattr(series, "HAS_CLOCK", False)
    assert mistakes(load, by_cpu) == [
        f"{expected}: this system does not tell what processor time another process has used"
    ]


def test_settings_of_the_command_line_are_told_by_their_key(load: Load) -> None:
    text = "name: x\nbots: [bots/a, bots/b]\nrules: {gin_bonus: 20}\n"
    settings = ("bots=[bots/a, bots/e]", "rules.gin_bonus=lots", "clok.decision=1s", "clock.bank=1", "seed=1.5")
    assert mistakes(load, text, *settings) == [
        "--set bots: there is no folder 'bots/e' in ., expected one with a bot.yaml",
        "--set clock.bank: clock.bank is 1, expected a length of time with its unit, such as 100ms, 5s, 2m or 1h",
        "--set clok.decision: unknown key 'clok', did you mean 'clock'?",
        "--set rules.gin_bonus: gin_bonus is 'lots', expected an integer from 1 to 10000",
        "--set seed: seed is 1.5, which YAML reads as a number, expected text: write it in quotes, '1.5'",
    ]
    series = load(text, "rules.undercut_bonus=25", "clock.decision=1.5s", "seed=7", "workers=3")
    assert (series.format.rules.gin_bonus, series.format.rules.undercut_bonus) == (20, 25)
    assert (series.config.clock.decision, series.config.seed) == (timedelta(seconds=1.5), "7")
    assert series.config.workers == 3
    assert series.source == text


def test_every_default_is_shown(load: Load) -> None:
    assert (
        load("name: x\nbots: [bots/a, bots/b]").as_yaml()
        == """\
name: x
bots:
- {path: bots/a}
- {path: bots/b}
game: gin
scoring: single
rules: {next_dealer: winner, gin_bonus: 25, return_taken: forbid, undercut_bonus: 10, undercut_on_tie: true,
  defence: free, wall_last_discard: none, target: 100, game_bonus: 0, box_bonus: 0, shutout: none, big_gin: none,
  knock_limit: 10, ace: gin_only, spade_doubles: false, max_discard_picks: 50, max_hands: 200, stock: two_ended,
  adviser_view: captain, captain_points: captain, late_start: shift}
format: round-robin
play: games
groups: 100
rank_by: [games_won, margin, head_to_head]
ratings: {at: 1500}
seed: fresh
timed: false
hints: true
clock: {ready: 10s, decision: 100ms, bank: 5s, goodbye: 2s, measure: wall}
faults: {cost: forfeit_hand, quarantine_after: 10}
isolation: best-effort
limits: {memory: 1GiB, processes: 256, open_files: 1024, file_size: 64MiB, scratch: 64MiB, cpu: 24h}
bot_memory: fresh
remote: {grace: 30s, network: 200ms, wait: 1h}
hands_shown: group
workers: auto
tables: 128
batch: 128
"""
    )


def test_defaults_that_hang_on_other_keys(load: Load) -> None:
    timed = load("name: x\nbots: [bots/a, bots/b]\ntimed: true\nformat: gauntlet").config
    assert (timed.batch, timed.gauntlet, timed.triples) == (1, 1, None)
    three = load("name: x\nbots: [bots/a, bots/b, bots/c]\ngame: three-hand").config
    assert (three.batch, three.gauntlet, three.triples) == (128, None, "all")


SERIES = [
    "name: x\nbots: ['bots/[ab]', {path: bots/a, name: a2}, {name: m, run: ['{python}', m.py], games: [gin]}]",
    "name: x\nbots: [bots/a, {sample: greedy}, {sample: simple, name: easy}]",
    "name: x\nbots: [bots/a, {name: m, address: 'h:1'}]\ngame: oklahoma\nscoring: hollywood\nseed: 1e5x\ntimed: on",
    "name: x\nbots: [bots/a, bots/b, bots/c, bots/d]\ngame: three-hand\ntriples: balanced 2\nseed: 7",
    "name: x\nbots: [bots/a, bots/b, bots/c]\ngame: three-hand\nrules: {knock_limit: upcard}\nbot_memory: trusted",
    "name: x\nbots: [bots/a, {name: m, join: true, games: [gin]}]\nremote: {grace: 1m, network: 0s}",
    "name: x\nbots: [bots/a, bots/b]\nformat: gauntlet\nplay: deals\nrank_by: [margin]\nseed: 'no'\nbatch: 7",
    "name: x\nbots: [bots/a, bots/b]\nrules: {preset: modern, knock_limit: 0, undercut_on_tie: no}\nseed: 2026-01-01",
    "name: x\nbots: [bots/a, bots/b]\nclock: {ready: 2m, decision: 1.5s, bank: 0s, goodbye: 24h}\nhints: off",
]


@pytest.mark.parametrize("text", SERIES)
def test_the_record_of_a_series_loads_to_the_same_series(load: Load, text: str) -> None:
    series = load(text)
    again = series_of(parse_document(series.as_json(), "config"), Path())
    assert (again.config, again.format, again.bots) == (series.config, series.format, series.bots)
    assert again.as_json() == series.as_json()
    assert SeriesConfig.model_validate_json(series.as_json()) == series.config


def test_bots_are_entered_in_the_order_of_the_file_and_of_the_folders_names(load: Load, tmp_path: Path) -> None:
    series = load(
        "name: x\nbots: [bots/c, 'bots/[abd]', {name: m, run: [./m], transport: tcp}, {name: f, address: 'h:1'}]"
    )
    assert [bot.name for bot in series.bots] == ["c", "a", "b", "d", "m", "f"]
    assert [entry.path for entry in series.config.bots] == ["bots/c", "bots/a", "bots/b", "bots/d", None, None]
    assert series.bots[1].folder == tmp_path / "bots" / "a"
    assert (series.bots[4].run, series.bots[4].transport, series.bots[4].folder) == (("./m",), "tcp", tmp_path)
    assert (series.bots[5].address, series.bots[5].run) == ("h:1", ())


def test_a_bot_that_dials_in_is_known_by_its_name(load: Load) -> None:
    series = load("name: x\nbots: [bots/a, {name: ada, join: true, games: [gin]}, {name: bob, join: true}]")
    ann, ada, bob = series.bots
    assert (ann.joins, ann.elsewhere) == (False, False)
    assert (ada.joins, ada.elsewhere, ada.address, ada.run, ada.games) == (True, True, None, (), (GameKind.GIN,))
    assert ada.content_hash != bob.content_hash
    assert series.joining == ("ada", "bob")
    reached = series.reached({"ada": "unix:/a", "bob": "unix:/b", "a": "unix:/c"})
    assert [bot.address for bot in reached.bots] == [None, "unix:/a", "unix:/b"]
    assert [bot.content_hash for bot in reached.bots] == [bot.content_hash for bot in series.bots]


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("{join: true}", "this bot has no name, expected one for the tables"),
        ("{name: ada, join: false}", "join is false, expected true, or to be left out"),
        ("{name: ada, join: 'yes'}", "join is 'yes', expected true, or to be left out"),
        ("{name: a, join: true, path: bots/a}", "this bot has path and join, expected one of path, sample, run, "),
        ("{name: a, join: true, transport: tcp}", "this bot has join and transport, expected no transport, as it "),
        (
            "{name: b, join: true}",
            "'b' is the name of bots/b and of b, which dials in, expected a name for each bot, as in {join: true, na",
        ),
    ],
)
def test_what_is_wrong_with_a_bot_that_dials_in_is_told(load: Load, entry: str, told: str) -> None:
    (line,) = mistakes(load, f"name: x\nbots: [bots/b, {entry}]")
    assert line.split(": ", 1)[1].startswith(told)


def test_a_bot_that_dials_in_is_out_of_the_reach_of_a_cluster(load: Load) -> None:
    (line,) = mistakes(load, "name: x\nbots: [bots/a, {name: ada, join: true}]\ncluster: tcp://h:8786")
    assert line == "s.yaml:3:10: cluster is given, and 'ada' dials in to the server, expected one of the two"


def test_paths_are_relative_to_the_file_and_not_to_where_the_arena_runs(load: Load, tmp_path: Path) -> None:
    load("name: x\nbots: [bots/a, bots/b]")
    (tmp_path / "cups").mkdir()
    (tmp_path / "cups" / "s.yaml").write_text("name: x\nbots: [../bots/a, ../bots/b]")
    assert [bot.name for bot in load_series(Path("cups/s.yaml")).bots] == ["a", "b"]


def test_a_copy_of_a_bot_takes_part_under_a_name_of_its_own(load: Load) -> None:
    one, two = load("name: x\nbots: [bots/a, {path: bots/a, name: copy}]").bots
    assert (two.name, two.folder, two.content_hash) == ("copy", one.folder, one.content_hash)


def test_sample_bots_are_entered_by_name(load: Load) -> None:
    greedy, again = load("name: x\nbots: [{sample: greedy}, {sample: greedy, name: again}]").bots
    assert (greedy.name, greedy.folder) == ("greedy", SAMPLE_BOTS / "greedy")
    assert (again.name, again.folder, again.content_hash) == ("again", greedy.folder, greedy.content_hash)


def test_what_is_wrong_with_a_sample_bot_is_told(load: Load) -> None:
    with pytest.raises(InputError) as error:
        load("name: x\nbots: [{sample: gredy}, {sample: simple}, {sample: simple}, {sample: random, games: [gin]}]")
    assert str(error.value).splitlines() == [
        "s.yaml:2:8: unknown sample bot 'gredy', did you mean 'greedy'?",
        (
            "s.yaml:2:43: 'simple' is the name of the sample bot simple and of the sample bot simple, "
            "expected a name for each bot, as in {sample: simple, name: simple-2}"
        ),
        "s.yaml:2:61: this bot has sample and games, expected games in its bot.yaml",
    ]


def test_games_are_oklahoma_where_the_upcard_sets_the_limit_and_three_hand_stays_itself(load: Load) -> None:
    two, three = "name: x\nbots: [bots/a, bots/b]\n", "name: x\nbots: [bots/a, bots/b, bots/c]\ngame: three-hand\n"
    upcard = "rules: {knock_limit: upcard}"
    for text in (f"{two}game: oklahoma", f"{two}game: oklahoma\n{upcard}", f"{two}{upcard}"):
        series = load(text)
        assert (series.format.game, series.config.game) == (GameKind.OKLAHOMA, "oklahoma")
        assert series.format.rules == Rules(knock_limit="upcard")
    assert load(three + upcard).format.game is GameKind.THREE_HAND
    assert load(three + upcard).format.rules.knock_limit == "upcard"
    assert load(f"{two}play: deals").format.play is Play.DEALS
    assert load(f"{two}scoring: hollywood").format.hollywood


def test_the_words_of_the_file_are_those_of_the_rooms_that_use_them() -> None:
    costs = {FaultPolicy(cost=cost).cost for cost in ("forfeit_hand", "forfeit_game")}
    assert costs == {cost.value for cost in FaultCost}
    assert SeriesConfig.model_fields["rank_by"].default == CRITERIA


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("100ms", "100ms"),
        ("5s", "5s"),
        ("1.5s", "1500ms"),
        ("90s", "90s"),
        ("120s", "2m"),
        ("24h", "24h"),
        ("0s", "0s"),
    ],
)
def test_durations_are_read_and_written(text: str, duration: str) -> None:
    assert duration_text(parse_duration(text)) == duration


@pytest.mark.parametrize(
    "text",
    ["", "5", "5 sec", "-1s", "s", "1h30m", "0.5ms", "25h", "1e3s", "99999999999s", "9" * 99 + "h", 10, None, True],
)
def test_what_is_no_duration_is_refused(text: object) -> None:
    with pytest.raises(ValueError, match=r"unit, such as|whole milliseconds, 24h or less"):
        parse_duration(text)


@given(st.integers(0, 24 * 3_600_000))
def test_a_duration_is_read_as_it_was_written(milliseconds: int) -> None:
    duration = timedelta(milliseconds=milliseconds)
    assert parse_duration(duration_text(duration)) == duration


@pytest.mark.parametrize(
    "text",
    [
        "bots: [bots/a, bots/b]",
        "bots: [bots/a, bots/b, bots/c]",
        "bots: [bots/a, bots/b, bots/c, bots/d]\nformat: gauntlet\ngauntlet: 2",
        "bots: [bots/a, bots/b, bots/c, bots/d]\ngame: three-hand",
        "bots: [bots/a, bots/b, bots/c, bots/d]\ngame: three-hand\ntriples: balanced 3",
        "bots: [bots/a, bots/b, bots/c, bots/d]\ngame: three-hand\nformat: gauntlet\ngauntlet: 2",
    ],
)
def test_a_series_may_have_so_many_games_as_are_scheduled_and_no_more(
    load: Load, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"name: x\n{text}\ngroups: 7\n"
    games = len(schedule_of(load(text), bytes(32)))
    monkeypatch.setattr(series, "MOST_GAMES", games)
    load(text)
    monkeypatch.setattr(series, "MOST_GAMES", games - 1)
    (told,) = mistakes(load, text)
    assert f"groups is 7, which makes {games:,} games, expected {games - 1:,} or less" in told
