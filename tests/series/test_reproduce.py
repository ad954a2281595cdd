"""Games played again by the same bots: alike where bots are deterministic, and else the first difference is named."""

import json
import re
import shutil
import time
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from command import run_arena
from playing import FORMATS, Players
from series_bench import BOTS, SAMPLES, ArenaProcess, named, seen, write_series

from arena.dealer.values import GameRecord, GameSpec
from arena.errors import InputError
from arena.players.faults import Fault
from arena.records.decisions import decisions, parting
from arena.records.store import Run
from arena.rules.actions import ActionKind
from arena.tournament.reproduce import Sample, choose, parse_sample
from arena.tournament.running import take_up


def rascal(folder: Path, way: str) -> Path:
    """A rascal that misbehaves in one way, in a folder of its own."""
    shutil.copytree(BOTS / "rascal", folder / "rascal")
    (folder / "rascal" / "bot.yaml").write_text(f'name: rascal\nrun: ["{{python}}", bot.py, {way}, "97"]\n')
    return folder / "rascal"


def play(folder: Path, bots: list[object], **keys: object) -> Path:
    """Play a series by the command; its run."""
    done = run_arena("run", write_series(folder, bots, **keys), "--out", folder / "run")
    assert done.returncode == 0, done.stderr
    return folder / "run"


def reproduced(run: Path, *arguments: str) -> CompletedProcess[str]:
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    done = run_arena("reproduce", run, *arguments)
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before, "the run is only read"
    return done


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a deterministic bot, one that asks its seeds, and one that throws its own dice."""
    bots: list[object] = [SAMPLES / "simple", BOTS / "dicer", BOTS / "gambler"]
    return play(tmp_path_factory.mktemp("three"), bots, groups=3, rules={"target": 20})


@pytest.mark.thorough
def test_deterministic_and_seeded_bots_play_the_same_again(tmp_path: Path) -> None:
    run = play(tmp_path, [SAMPLES / "simple", BOTS / "dicer"], groups=5, rules={"target": 20})
    done = reproduced(run, "--sample", "100%")
    assert (done.returncode, done.stderr) == (0, "Playing 10 games again\n")
    assert re.fullmatch(
        rf"{re.escape(str(run))}: 10 of 10 games played again, [1-9][0-9]+ decisions: all equal\n", done.stdout
    )


def test_the_first_decision_of_a_bot_with_its_own_dice_is_named(three: Path) -> None:
    done = reproduced(three, "--sample", "100%")
    assert done.returncode == 1
    first, *rest = done.stdout.splitlines()
    assert re.fullmatch(r".*: 18 of 18 games played again, [0-9,]+ decisions equal, [0-9]+ games part", first)
    assert rest
    told = re.compile(r"game ([0-9]+) hand ([0-9]+) move ([0-9]+): recorded (.+), now (.+) \(gambler\)")
    with Run.open(three) as run:
        for line in rest:
            match = told.fullmatch(line)
            assert match is not None, line
            spec, record = run.record(int(match[1]))
            assert record is not None
            assert "gambler" in spec.seats
            (made,) = [made for made in decisions(record) if made[:2] == (int(match[2]), int(match[3]))]
            assert (spec.seats[made.seat], made.text) == ("gambler", match[4])
            assert match[4] != match[5]


def test_games_are_named_by_their_numbers_and_answered_as_json(three: Path) -> None:
    with Run.open(three) as run:
        honest = next(spec.index for spec in run.games() if "gambler" not in spec.seats)
        # The longest game: a short one may come out alike by the luck of the gambler's dice.
        lengths = {
            spec.index: len(list(decisions(record))) for spec, record in run.records() if "gambler" in spec.seats
        }
        other = max(lengths, key=lambda index: lengths[index])
    told = json.loads(reproduced(three, "--game", str(honest), "--json").stdout)
    assert (told["equal"], told["games"], told["partings"]) == (True, [honest], [])
    done = reproduced(three, "--game", str(other), "--game", str(honest), "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["equal"], told["games"]) == (1, False, sorted([honest, other]))
    assert [(part["game"], part["bot"]) for part in told["partings"]] == [(other, "gambler")]


@pytest.mark.thorough
@pytest.mark.timeout(240)
def test_an_interrupt_ends_it_and_leaves_nothing(three: Path, tmp_path: Path) -> None:
    with ArenaProcess(tmp_path, "reproduce", three, "--sample", "100%") as arena:
        while arena._process.poll() is None and not seen(tmp_path, "gin-*/gin-*/scratch"):  # a bot is started
            time.sleep(0.01)
        arena.interrupt()
        assert arena.end() == (130, "", "Playing 18 games again\ninterrupted\n")
        arena.wait_until_nothing_is_left()


@pytest.mark.thorough
def test_advice_is_reproduced_too(tmp_path: Path) -> None:
    bots: list[object] = [SAMPLES / "adviser", named("second", SAMPLES / "adviser"), SAMPLES / "simple"]
    run = play(tmp_path, bots, game="three-hand", groups=2, play="deals")
    with Run.open(run) as opened:
        assert any(made.text.startswith("advice ") for _, record in opened.records() for made in decisions(record))
    assert reproduced(run, "--sample", "100%").stdout.endswith(": all equal\n")


@pytest.mark.thorough
def test_illegal_decisions_come_again(tmp_path: Path) -> None:
    run = play(tmp_path, [SAMPLES / "simple", rascal(tmp_path, "illegal")], groups=2, rules={"target": 20})
    with Run.open(run) as opened:
        assert {fault.fault for _, record in opened.records() for fault in record.faults} == {Fault.ILLEGAL}
        assert any("the fault illegal" in made.text for _, record in opened.records() for made in decisions(record))
    done = reproduced(run, "--sample", "100%")
    assert done.returncode == 0
    assert ": 4 of 4 games played again, " in done.stdout


@pytest.mark.thorough
def test_games_with_a_crash_are_left_out(tmp_path: Path) -> None:
    run = play(tmp_path, [SAMPLES / "simple", rascal(tmp_path, "crash")], groups=3, rules={"target": 20})
    with Run.open(run) as opened:
        faulty = [spec.index for spec, record in opened.records() if record.faults]
    assert 0 < len(faulty) < 6
    done = reproduced(run, "--sample", "100%")
    assert done.returncode == 0
    assert f": {6 - len(faulty)} of 6 games played again, " in done.stdout
    assert f"Left out: {len(faulty)} games with a fault that another day may not bring\n" in done.stdout
    refused = reproduced(run, "--game", str(faulty[0]))
    assert refused.returncode == 2
    assert f"game {faulty[0]} has the fault 'crash' of rascal" in refused.stderr


@pytest.mark.thorough
def test_a_bot_that_has_changed_or_is_gone_is_refused(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    shutil.copytree(SAMPLES / "simple", bot)
    run = play(tmp_path, [named("own", bot), BOTS / "dicer"], groups=1, play="deals")
    assert reproduced(run).returncode == 0
    (bot / "more.py").write_text("")
    done = reproduced(run)
    assert done.returncode == 2
    assert done.stderr.startswith(f"{run}: the bot own ({bot}) has changed since the run began")
    shutil.rmtree(bot)
    done = reproduced(run)
    assert done.returncode == 2
    assert "there is no folder" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_bots_at_an_address_are_named_and_left_out(three: Path) -> None:
    with Run.open(three) as run:
        series = take_up(run)
        bots = tuple(replace(bot, address="there:1") if bot.name == "gambler" else bot for bot in series.bots)
        choice = choose(run, replace(series, bots=bots), Sample(share=1.0), "seed")
    assert choice.unrenewed == {"gambler": 12}
    assert {spec.seats for spec, _ in choice.games} == {("simple", "dicer"), ("dicer", "simple")}


def test_a_seed_draws_always_the_same_games_and_another_one_others(three: Path) -> None:
    def drawn(seed: str, **size: float) -> list[int]:
        return [spec.index for spec, _ in choose(run, series, Sample(**size), seed).games]  # type: ignore[arg-type]

    with Run.open(three) as run:
        series = take_up(run)
        assert drawn("a", number=5) == drawn("a", number=5) != drawn("b", number=5)
        assert len(drawn("a", number=5)) == 5
        assert set(drawn("a", number=3)) < set(drawn("a", number=5))
        assert len(drawn("a", share=0.01)) == 1
        assert drawn("a", number=99) == list(range(18))


@pytest.mark.thorough
def test_there_has_to_be_a_game_to_play_again(tmp_path: Path) -> None:
    series = write_series(tmp_path, [SAMPLES / "simple", BOTS / "dicer"], groups=1)
    assert run_arena("run", series, "--out", tmp_path / "run", "--max-time", "0s").returncode == 0
    done = reproduced(tmp_path / "run")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no game can be played again, expected finished ones" in done.stderr
    done = reproduced(tmp_path / "run", "--game", "0")
    assert done.stderr == "game 0 is not finished, expected one that is\n"
    assert "expected a game from 0 to 1, got 7" in reproduced(tmp_path / "run", "--game", "7").stderr


def test_a_sample_is_a_share_or_a_number() -> None:
    assert parse_sample("1%").of(1000) == 10
    assert parse_sample("0.5%").of(1001) == 6
    assert parse_sample("100%").of(7) == 7
    assert parse_sample("20").of(1000) == 20
    assert parse_sample("20").of(7) == 7
    for wrong in ("", "0", "0%", "101%", "-1", "1.5", "x", "1 %", "٣%"):
        with pytest.raises(InputError, match="expected a share of the games such as 1%"):
            parse_sample(wrong)


# Where two courses part.


def record_of(name: str, group: int = 0, **how: object) -> GameRecord:
    players = Players(FORMATS[name], **how)  # type: ignore[arg-type]
    return players.game(GameSpec(0, group, 0, ("ann", "bob", "cid")[: players.format.seats]))


def test_a_course_does_not_part_from_itself() -> None:
    for name in FORMATS:
        record = record_of(name, faults=0.01)
        assert parting(record, record) is None
        made = list(decisions(record))
        assert made == sorted(made)
        assert len({one[:3] for one in made}) == len(made), "one decision at a time"


def test_the_forced_draw_is_no_decision() -> None:
    hands = [hand for group in range(6) for hand in record_of("gin", group).hands]
    forced = [hand for hand in hands if hand.moves[0] & 15 == hand.moves[2] & 15 == ActionKind.PASS]
    assert forced
    record = replace(record_of("gin"), hands=(forced[0],), faults=())
    assert [(made.move, made.text) for made in decisions(record)][:2] == [(1, "pass"), (2, "pass")]
    assert [made.move for made in decisions(record)][2] == 4


def test_another_discard_another_meld_and_an_early_end_are_told() -> None:
    record = record_of("gin")
    hand = record.hands[0]
    at = next(at for at in range(0, len(hand.moves), 2) if hand.moves[at] & 15 == ActionKind.DISCARD)
    changed = bytearray(hand.moves)
    changed[at + 1] = (changed[at + 1] + 1) % 52
    other = replace(record, hands=(replace(hand, moves=bytes(changed)), *record.hands[1:]))
    found = parting(record, other)
    assert found is not None
    assert re.fullmatch(rf"hand 1 move {at // 2 + 1}: recorded discard \w\w, now discard \w\w", str(found))
    laid = replace(record, hands=(replace(hand, result=replace(hand.result, melds=())), *record.hands[1:]))
    melds = parting(record, laid)
    assert melds is not None
    assert melds.recorded.startswith("knock ")
    assert melds.now.endswith(" []")
    shorter = replace(record, hands=record.hands[:-1])
    ended = parting(record, shorter)
    assert ended is not None
    assert (ended.hand, ended.now) == (len(record.hands), "nothing")
