"""The judge of a comparison: what a group's score is, where two versions part, and what it does about faults."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import fmean

import pytest
from compare_bench import BOTS, SAMPLES, SIMPLE, SLOW, asked, begun, classes, games_of, played

from arena.bot import Action, Bot, Turn, discard
from arena.dealer.table import forfeited_game
from arena.dealer.values import FaultRecord, GameRecord, GameSpec
from arena.errors import InputError, RunError
from arena.players.faults import Fault
from arena.records.decisions import decisions
from arena.records.store import Run
from arena.tournament import verdicts
from arena.tournament.compare import Asked
from arena.tournament.comparison import NEW, OLD, Comparison
from arena.tournament.gate import Word, is_passed
from arena.tournament.pairs import Game
from arena.tournament.running import table_rules
from arena.tournament.verdicts import Judge

POOLED = asked(pool=[SAMPLES / "greedy", BOTS / "blunders"], groups=6)
PAIRED = asked(groups=12)


@pytest.fixture(scope="module")
def paired(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Twelve deal groups of two versions."""
    with begun(tmp_path_factory.mktemp("paired") / "run", PAIRED) as run:
        run.commit(played(run, classes(PAIRED)))
        yield run


@pytest.fixture(scope="module")
def pooled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Six deal groups of two versions and a pool of two."""
    with begun(tmp_path_factory.mktemp("pooled") / "run", POOLED) as run:
        run.commit(played(run, classes(POOLED)))
        yield run


def judged(run: Run, settled: int | None = None) -> Judge:
    judge = Judge(run)
    judge.look(len(run) if settled is None else settled)
    return judge


def margin(game: Game, bot: str) -> float:
    spec, record = game
    return record.outcome.margins[spec.seats.index(bot)]


def mean_difference(run: Run, opponents: list[str]) -> float:
    """What the new version makes more a hand than the old one, by opponent and then on average, the long way round."""
    games = games_of(run)
    each = []
    for opponent in opponents:
        made = {
            bot: [margin(game, bot) for game in games if set(game[0].seats) == {bot, opponent}]
            for bot in (OLD, NEW)
            if bot != opponent
        }
        each.append(fmean(made[NEW]) - (fmean(made[OLD]) if OLD in made else 0.0))
    return fmean(each)


def test_the_score_against_the_old_version_is_the_margin_a_hand(paired: Run) -> None:
    standing = judged(paired).standing()
    assert (standing.groups, standing.hands) == (12, 24)
    assert standing.raw.mean == pytest.approx(mean_difference(paired, [OLD]))
    assert standing.raw.mean != 0
    assert standing.adjusted is None


def test_with_a_pool_it_is_the_mean_of_the_paired_differences(pooled: Run) -> None:
    standing = judged(pooled).standing()
    assert (standing.groups, standing.hands) == (6, 60)
    assert standing.raw.mean == pytest.approx(mean_difference(pooled, [OLD, "greedy", "simple"]))


class Charm:
    """Judges that the new version had three points of luck in each of its games."""

    def of_games(self, games: list[tuple[GameSpec, GameRecord]]) -> list[tuple[float, ...]]:
        return [tuple([6.0 * (name == NEW) - 3.0 * (NEW in spec.seats) for name in spec.seats]) for spec, _ in games]


def test_luck_is_taken_out_and_the_bare_score_stands_beside(pooled: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = judged(pooled).standing()
    monkeypatch.setattr(verdicts, "luck_of", lambda _: Charm())
    config = pooled.info.config.replace('"scores":"raw"', '"scores":"adjusted"')
    monkeypatch.setattr(pooled, "info", replace(pooled.info, config=config))
    standing = judged(pooled).standing()
    assert standing.raw == bare.raw
    assert standing.adjusted == standing.judged
    assert standing.judged.mean == pytest.approx(standing.raw.mean - 3)


def test_luck_that_cannot_be_judged_any_more_is_told(paired: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "luck_of", lambda _: "Luck is not judged: NumPy is missing.")
    config = paired.info.config.replace('"scores":"raw"', '"scores":"adjusted"')
    monkeypatch.setattr(paired, "info", replace(paired.info, config=config))
    with pytest.raises(RunError, match=r"is judged by luck-adjusted scores\. Luck is not judged: NumPy is missing"):
        Judge(paired)


def test_versions_play_each_of_the_pool_on_the_same_cards(pooled: Run) -> None:
    seats = [spec.seats for spec in pooled.games() if spec.group == 3]
    both = [(OLD, NEW), (NEW, OLD)]
    each = [(bot, name) for name in ("greedy", "simple") for bot in (OLD, NEW)]
    assert seats == [*both, *[seat for bot, name in each for seat in ((bot, name), (name, bot))]]


@pytest.mark.parametrize("step", [1, 3, 7])
def test_it_does_not_matter_when_it_looks(pooled: Run, step: int) -> None:
    judge = Judge(pooled)
    for settled in range(0, len(pooled) + step, step):
        judge.look(min(settled, len(pooled)))
    assert judge.standing() == judged(pooled).standing()


def test_groups_that_are_not_complete_wait(pooled: Run) -> None:
    assert judged(pooled, 19).standing().groups == 1
    assert judged(pooled, 20).standing().groups == 2


def test_it_stops_where_the_groups_tell_and_reads_no_further(tmp_path: Path) -> None:
    what = asked(new=SAMPLES / "random", groups=200, comparison=Comparison(worse="-3"))
    with begun(tmp_path / "run", what) as run:
        specs = list(run.games())
        shuffled = specs[:160]
        Random(1).shuffle(shuffled)  # the order in which they are played tells nothing
        run.commit(played(run, classes(what), shuffled))
        first = judged(run, 160).standing()
        assert first.word is Word.WORSE
        assert first.groups < 70
        run.commit(played(run, classes(what), specs[160:180]))
        assert judged(run, 180).standing() == first


def test_the_most_hands_end_it(paired: Run) -> None:
    standing = judged(paired).standing()
    assert standing.word is Word.UNDECIDED
    assert standing.why == "The most hands are played: 24."


def test_a_difference_is_the_first_of_two_courses(paired: Run) -> None:
    standing = judged(paired).standing()
    records = {spec.index: (spec, record) for spec, record in games_of(paired)}
    assert standing.differing == 2 * len(standing.differences)
    for one in standing.differences:
        (old_spec, old), (new_spec, new) = records[one.old_game], records[one.new_game]
        assert old_spec.group == new_spec.group == one.group
        befores = [[made for made in decisions(record) if made.move < one.move] for record in (old, new)]
        assert befores[0] == befores[1]
        (old_did,), (new_did,) = [
            [made for made in decisions(record) if made.move == one.move] for record in (old, new)
        ]
        assert (old_spec.seats[old_did.seat], new_spec.seats[new_did.seat]) == (OLD, NEW)
        assert (old_did.text, new_did.text) == (one.old, one.new)
        assert one.old != one.new
        assert one.points == margin(records[one.old_game], NEW) + margin(records[one.new_game], NEW)


def test_a_difference_may_be_in_a_hand_against_one_of_the_pool(pooled: Run) -> None:
    differences = judged(pooled).standing().differences
    assert {one.against for one in differences} == {OLD, "greedy", "simple"}
    for one in differences:
        old, new = pooled.record(one.old_game), pooled.record(one.new_game)
        if one.against != OLD:
            assert OLD in old[0].seats
            assert NEW in new[0].seats
            assert old[0].seating == new[0].seating


def test_an_opponent_with_dice_of_its_own_is_no_difference(tmp_path: Path) -> None:
    what = asked(new=SIMPLE, pool=[SAMPLES / "greedy"], groups=6)
    dice = Random(7)
    bots = classes(what)

    def discard_any(_: Bot, turn: Turn) -> Action:
        return discard(dice.choice(turn.discards))

    gambler = type("Gambler", (bots["greedy"],), {"discard": discard_any})
    with begun(tmp_path / "run", what) as run:
        run.commit(played(run, bots | {"greedy": gambler}))
        standing = judged(run).standing()
    assert (standing.differing, standing.differences) == (0, ())
    assert standing.raw.mean != 0  # but luck, which says nothing


def test_versions_that_play_alike_end_it(tmp_path: Path) -> None:
    what = asked(new=SIMPLE, groups=10, comparison=Comparison(alike=5))
    with begun(tmp_path / "run", what) as run:
        run.commit(played(run, classes(what)))
        standing = judged(run).standing()
    assert (standing.word, standing.groups, standing.raw.mean) == (Word.ALIKE, 5, 0.0)
    assert "All 5 deal groups were played alike" in standing.why


def spoiled(folder: Path, bot: str, fault: Fault, what: Asked = PAIRED) -> Run:
    """A run in whose third deal group a bot fails."""
    run = begun(folder, what)
    games = []
    for spec, record in zip(run.games(), played(run, classes(what)), strict=True):
        if spec.group == 2 and fault is Fault.QUARANTINED:
            games.append(forfeited_game(spec, table_rules(run.info), [bot]))
        elif spec.group == 2:
            failed = FaultRecord(spec.seats.index(bot), 1, 1, fault, "it printed nothing")
            games.append(replace(record, faults=(failed,)))
        else:
            games.append(record)
    run.commit(games)
    return run


@pytest.mark.parametrize(("hypothesis", "word"), [("not-worse", Word.WORSE), ("better", Word.NOT_BETTER)])
def test_a_new_version_that_uses_up_its_faults_has_failed(tmp_path: Path, hypothesis: str, word: Word) -> None:
    what = PAIRED._replace(comparison=SLOW.model_copy(update={"hypothesis": hypothesis}))
    with spoiled(tmp_path / "run", NEW, Fault.QUARANTINED, what) as run:
        standing = judged(run).standing()
    assert (standing.word, standing.groups) == (word, 2)
    assert "has used up its faults; see: arena faults" in standing.why


def test_an_old_version_that_uses_up_its_faults_leaves_nothing_to_judge(tmp_path: Path) -> None:
    with (
        spoiled(tmp_path / "run", OLD, Fault.QUARANTINED) as run,
        pytest.raises(InputError, match="'old' has used up its faults, so that there is nothing to compare with"),
    ):
        judged(run)


def test_a_bot_that_does_not_get_ready_ends_it(tmp_path: Path) -> None:
    with (
        spoiled(tmp_path / "run", NEW, Fault.NEVER_READY) as run,
        pytest.raises(InputError, match="'new' does not get ready to play: it printed nothing"),
    ):
        judged(run)


def test_other_faults_are_counted(tmp_path: Path) -> None:
    with spoiled(tmp_path / "run", NEW, Fault.CRASH) as run:
        standing = judged(run).standing()
    assert standing.faults == {NEW: {Fault.CRASH: 2}}


def test_a_run_that_is_no_comparison_is_refused(tmp_path: Path) -> None:
    with begun(tmp_path / "run", PAIRED) as run:
        run.info = replace(run.info, config=run.info.config.replace('"compare"', '"round-robin"', 1))
        config = run.info.config
        start = config.index('"compare":{')
        end = config.index("}", start)
        run.info = replace(run.info, config=config[:start] + config[end + 2 :])
        with pytest.raises(RunError, match="this run is no comparison"):
            Judge(run)


def test_a_verdict_passes_or_not_by_what_was_asked() -> None:
    not_worse, better = Comparison(), Comparison(hypothesis="better", better="0.3", worse="0")
    assert [is_passed(word, not_worse) for word in (Word.NOT_WORSE, Word.ALIKE, Word.SAME)] == [True] * 3
    assert [is_passed(word, better) for word in (Word.BETTER, Word.ALIKE, Word.SAME)] == [True, False, False]
    assert is_passed(Word.WORSE, not_worse) is False
    assert is_passed(Word.UNDECIDED, better) is None
