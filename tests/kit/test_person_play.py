"""`arena play`, as a process with answers from a pipe: every game, wrong answers, bots that fail, and the ways out."""

import re
import signal
import time
from pathlib import Path

import pytest
from command import call_arena, run_arena
from sitters import Sitter
from wrong_bots import wrong

from arena.rules.options import PRESETS

pytestmark = pytest.mark.thorough

SAMPLES = Path(__file__).parents[2] / "sample_bots"
SIMPLE = SAMPLES / "simple"
ADVISER = SAMPLES / "adviser"


def shown_at_the_end(sitter: Sitter) -> list[str]:
    """The lines of the last hand's end: showdown, score, the end of the game."""
    return sitter.shown.rpartition("\n> ")[2].splitlines()


@pytest.mark.parametrize("scoring", ["single", "hollywood"])
@pytest.mark.parametrize(
    ("game", "bot"),
    [("gin", SIMPLE), ("oklahoma", SIMPLE), ("three-hand", ADVISER)],
    ids=["gin", "oklahoma", "three-hand"],
)
def test_a_hand_of_each_game_is_played_to_its_end(game: str, bot: Path, scoring: str) -> None:
    with Sitter(bot, "--game", game, "--scoring", scoring, "--hands", "2", "--seed", "7") as sitter:
        sitter.play_by_hints()
        assert (sitter.code, sitter.told) == (0, "")
        assert "\x1b" not in sitter.shown
        assert re.search(rf"^A game of {game} to 100{', Hollywood scoring' * (scoring == 'hollywood')};", sitter.shown)
        assert sitter.shown.count("\nHand ") == 2
        end = shown_at_the_end(sitter)
        assert re.fullmatch(r"The game is over \(2 hands played\): you \d+, .*; (you win|[\w ]+ wins|a draw)", end[-1])
        assert ("column 1" in "".join(end)) == (scoring == "hollywood")
        assert ("advises: " in sitter.shown) == (game == "three-hand")
        if game == "three-hand":
            assert "Drawn for the roles: you " in sitter.shown
            assert "Your advice to adviser, Enter for none: " in sitter.shown
            assert "Hand 2: you are captain, adviser is out, adviser 2 is box\n" in sitter.shown


def test_a_game_is_played_to_its_target() -> None:
    with Sitter("simple", "--seed", "7", "--rules", "target=20,preset=pagat", "--rules", "gin_bonus=30") as sitter:
        sitter.play_by_hints()
        assert (sitter.code, sitter.told) == (0, "")
    assert "The game is over (the target is reached): you " in sitter.shown
    assert " with bonuses; " in sitter.shown


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_played(preset: str) -> None:
    with Sitter(SIMPLE, "--seed", "3", "--rules", f"preset={preset}", "--hands", "1") as sitter:
        sitter.play_by_hints()
        assert (sitter.code, sitter.told) == (0, "")
        assert sitter.shown.count("The game is over (1 hand played)") == 1


def test_wrong_answers_are_told_in_a_line_and_asked_again() -> None:
    with Sitter(SIMPLE, "--seed", "7") as sitter:
        assert "Take 4D or pass?" in sitter.read()
        assert sitter.type("") == "expected pass or take, got nothing; ? helps\n"
        assert sitter.type("7h").count("\n") == 1
        assert "Discard?" in sitter.type("take")
        assert sitter.type("4d").startswith("expected discard of AC ")
        assert "but not 4D, just taken from the pile, got discard 4D\n" in sitter.shown
        assert sitter.type("qh").endswith("got discard QH\n")
        assert sitter.type("knock ks") == "expected at most 10 unmatched to knock, got 23 (AC 6C 7C 9S)\n"
        assert sitter.type("gin").startswith(
            "expected a discard that leaves nothing unmatched; the best leaves 23, got gin"
        )
        assert (
            sitter.type("big gin") == "expected a discard (these rules have no big gin), got eleven cards laid down\n"
        )
        assert sitter.type("\xe9\x00\x1b[2J").startswith("expected a card such as 7h, got ")
        assert "Draw from the stock" in sitter.type("KS")
        assert sitter.type("k ks") == "expected stock or pile, got k ks; ? helps\n"


def test_wishes_are_answered_and_the_question_stays() -> None:
    with Sitter(SIMPLE, "--seed", "7") as sitter:
        sitter.read()
        assert "  take, t: take the upcard\n" in sitter.type("?")
        assert sitter.type("hint") == sitter.type("hint") == "simple would take the upcard\n"
        assert sitter.type("look") == "Discard pile, oldest first: 4D\n"
        by_suit, by_rank = sitter.type("sort"), sitter.type("sort")
        assert by_suit == "  you     (TC TD TS) AC 6C 7C 3D 5D 9S KS      41\n"
        assert by_rank == "  you     (TC TD TS) AC 3D 5D 6C 7C 9S KS      41\n"
        assert "Discard?" in sitter.type("take")


def test_a_defence_can_be_laid_down_by_hand() -> None:
    with Sitter(SIMPLE, "--seed", "3", "--hands", "1") as sitter:
        assert "(8D 9D TD JD) (9C TC JC) AH 2H 3D  1+2+3 = 6\n" in sitter.play_by_hints(until="Lay down: ")
        assert sitter.type("6c 6d") == "expected a set or a run of three cards or more, got 6C 6D as a meld\n"
        assert sitter.type("lay off 6s") == "expected lay-offs that fit the knocker's melds, got 6S\n"
        assert sitter.type("6c 6d 6h lay off 6d 7d") == ("expected lay-offs that are not used in own melds, got 6D\n")
        assert sitter.type("6c 6h 6s lay off 6d 7d").splitlines()[1:4] == [
            "  simple  (8D 9D TD JD) (9C TC JC) AH 2H 3D  1+2+3 = 6",
            "  you     (6C 6H 6S) AD AS 2C 3C 3S  1+1+2+3+3 = 10, laid off 6D 7D",
            "  simple scores 10 - 6 = 4",
        ]
        assert sitter.code == 0


@pytest.mark.parametrize("way", ["quit", "end of input"])
def test_who_leaves_is_told_the_score(way: str) -> None:
    with Sitter(SIMPLE, "--seed", "7") as sitter:
        sitter.play_by_hints(until="Hand 2")
        score = sitter.type("quit") if way == "quit" else sitter.end()
        assert score.splitlines()[-1] == "The score after 1 hand: you 12, simple 0"
        assert (sitter.code, sitter.told) == (0, "")


@pytest.mark.parametrize("bot", ["simple", "sleeps"])
def test_an_interruption_ends_with_the_score_too(bot: str, tmp_path: Path) -> None:
    with Sitter(SIMPLE if bot == "simple" else wrong(tmp_path, bot), "--seed", "7") as sitter:
        sitter.read("Hand 1" if bot == "sleeps" else "\n> ")
        time.sleep(0.3)  # Python waits for a line a moment after it has asked for it, and hears no signal in between
        sitter.signal(signal.SIGINT)
        assert sitter.read().splitlines()[-1].startswith("The score after 0 hands: you 0, ")
        assert (sitter.code, sitter.told) == (130, "interrupted\n")


def test_the_bots_cards_are_shown_only_on_demand() -> None:
    texts = []
    for show in ([], ["--show"]):
        with Sitter(SIMPLE, "--seed", "7", "--hands", "2", *show) as sitter:
            sitter.play_by_hints()
            texts.append(sitter.shown)
    shut, open_ = texts
    shown = [line for line in open_.splitlines() if line not in shut.splitlines()]
    assert len(shown) > 5
    assert all(line.startswith("  simple  ") for line in shown)
    assert [line for line in open_.splitlines() if line not in shown] == shut.splitlines()


def test_a_bot_that_crashes_pays_and_is_started_again(tmp_path: Path) -> None:
    with Sitter(wrong(tmp_path, "tires"), "--seed", "7", "--hands", "3") as sitter:
        sitter.play_by_hints()
        assert (sitter.code, sitter.told) == (0, "")
    fault = sitter.shown.index("\nwrong fails (crash): draw asked; the process exited with code 1\n")
    after = sitter.shown[fault:]
    assert "\n    | MemoryError: so many games\n" in after
    assert "\n  You win, as wrong failed, and score 25 + 62 = 87\n" in after
    assert re.search(r"\nHand 3: .*\n.*\n  wrong (passes|takes|draws)", after)


def test_a_bot_that_breaks_the_rules_pays_and_keeps_its_cards_to_itself(tmp_path: Path) -> None:
    with Sitter(wrong(tmp_path, "discard"), "--seed", "7", "--hands", "1") as sitter:
        sitter.play_by_hints()
        assert sitter.code == 0
    assert re.search(r"\nwrong fails \(illegal\): discard asked; it said discard \w\w\n", sitter.shown)
    assert "\n  You win, as wrong failed, and score 25 + " in sitter.shown


def test_advice_that_fails_costs_nothing(tmp_path: Path) -> None:
    bot = wrong(tmp_path, "fails to advise", game="three-hand")
    with Sitter(bot, "simple", "--game", "three-hand", "--seed", "7", "--hands", "3") as sitter:
        sitter.play_by_hints()
        assert sitter.code == 0
    assert "wrong fails (crash): advice on " in sitter.shown
    assert "| LookupError: ask somebody else\nIt was asked for advice, and that costs nothing.\n" in sitter.shown
    assert "as wrong failed" not in sitter.shown


def test_advice_of_the_person_reaches_the_captain(tmp_path: Path) -> None:
    bot = wrong(tmp_path, "captain", game="three-hand")  # fails when it is advised
    with Sitter(bot, "simple", "--game", "three-hand", "--seed", "7", "--hands", "1") as sitter:
        sitter.play_by_hints(until="Your advice to wrong")
        assert sitter.type("stock") == "expected pass or take, got stock; ? helps\n"
        assert "LookupError: what is advice?" in sitter.type("pass; it is worth nothing to you")


def test_a_bot_that_does_not_start_is_told_as_in_a_check(tmp_path: Path) -> None:
    done = run_arena("play", wrong(tmp_path, "exits at once"))
    assert (done.returncode, done.stdout) == (1, "")
    lines = done.stderr.splitlines()
    assert lines[0] == "wrong does not start"
    assert lines[1].startswith("    sent        the command '{python} wrong.py exits at once'")
    assert lines[2] == "    came        the process exited with code 1 before it was ready"
    assert lines[-1] == "    printed   | no opening book"


def test_a_bot_that_cannot_be_built_is_told_with_the_compilers_words(tmp_path: Path) -> None:
    done = run_arena("play", wrong(tmp_path, "build", build="[sh, -c, 'echo no compiler here; exit 1']"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "no compiler here" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nobody"], "nobody: there is no such folder"),
        ([str(SAMPLES)], "no bot.yaml in this folder"),
        (["simple", "simple"], "expected one bot for gin, got 2"),
        (["simple"] * 3 + ["--game", "three-hand"], "expected at most two bots for three-hand, got 3"),
        (["simple", "--rules", "gin_bonus"], "--rules: expected KEY=VALUE such as gin_bonus=20, got 'gin_bonus'"),
        (["simple", "--rules", "gin_bonus=many"], "gin_bonus: expected an integer from 1 to 10000, got 'many'"),
        (["simple", "--game", "oklahoma", "--rules", "knock_limit=5"], "knock_limit: expected upcard"),
        (["simple", "--game", "bridge"], "Invalid value for '--game'"),
        ([], "Missing argument"),
    ],
)
def test_wrong_usage_is_told_in_a_line(arguments: list[str], told: str) -> None:
    done = call_arena("play", *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert told in done.stderr


def test_a_bot_that_does_not_play_the_game_is_refused(tmp_path: Path) -> None:
    done = call_arena("play", wrong(tmp_path, "sound"), "--game", "oklahoma")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("expected a bot that plays oklahoma; by its bot.yaml this one does not\n")
