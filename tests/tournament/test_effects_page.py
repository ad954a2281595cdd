"""Effects of a run as tables, and of two runs what advice is worth; runs that do not match are refused."""

import csv
import io
import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from command import call_arena, run_arena
from finished_runs import run_of
from made_games import DEALS_OF_THREE
from playing import FORMATS, Players, choose

from arena.dealer.table import Table
from arena.dealer.values import GameRecord, GameSpec
from arena.errors import InputError
from arena.records.info import BotInfo, RunInfo
from arena.records.store import Run
from arena.rules.game import GameFormat
from arena.rules.options import Rules
from arena.rules.view import Advice
from arena.standings.sheet import render
from arena.tournament.effects import ALL, effects_of

GROUPS = 3


@pytest.fixture
def runs() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def three_hand(format_: GameFormat = DEALS_OF_THREE, view: str = "captain") -> Players:
    return Players(replace(format_, rules=Rules(adviser_view=view)))


def obeyed(players: Players, spec: GameSpec) -> GameRecord:
    """A game in which every captain does as it is advised."""
    table = Table(spec, players.shared, advisers=(True,) * 3)
    while table.asked is not None:
        turn, dice = table.asked, Random(f"{table.asked.seed} {spec.seats[table.seat]}")
        if turn.advising:
            table.advise(Advice(choose(table.hand, dice)))
        else:
            table.decide(choose(table.hand, dice) if turn.advice is None else turn.advice.action)
    return table.record()


def run_with(
    stack: ExitStack, folder: Path, players: Players, info: RunInfo | None = None, games: int | None = None
) -> Run:
    schedule = [] if games == 0 else players.schedule(3, GROUPS)
    run = stack.enter_context(Run.create(folder, info or players.info(3, GROUPS), schedule))
    run.commit([players.game(spec) for spec in schedule[:games]])
    return run


def test_people_json_and_csv_are_told_the_same(tmp_path: Path, runs: ExitStack) -> None:
    players = Players(FORMATS["gin-deals"])
    schedule = players.schedule(3, GROUPS)
    run = runs.enter_context(Run.create(tmp_path / "run", players.info(3, GROUPS), schedule))
    run.commit([players.game(spec) for spec in schedule])
    told = effects_of(run)
    parts = json.loads(told.as_json())
    assert {row["part"] for row in parts["effects"]} == {"seat_0", "seat_1", "dealer", "nondealer"}
    assert {row["bot"] for row in parts["effects"]} == {ALL, "ann", "bob", "cid"}
    rows = list(csv.DictReader(io.StringIO(render(told.effects, "csv"))))
    assert rows == [{key: "" if cell is None else str(cell) for key, cell in row.items()} for row in parts["effects"]]
    effect = {(row["part"], row["bot"]): row["effect"] for row in parts["effects"]}
    wide = {row["bot"]: row for row in told.seats.records()}
    for name in (ALL, "ann", "bob", "cid"):
        assert effect["seat_0", name] == wide[name]["seat_0"] == -effect["seat_1", name]
        assert effect["dealer", name] == wide[name]["dealer"] == -effect["seat_0", name]  # seat 1 always deals
    assert any(note.startswith("By deals each seat") for note in told.notes)
    assert told.roles is told.advice is None


def test_a_bot_that_is_called_as_the_row_of_all_are_is_told_apart(tmp_path: Path, runs: ExitStack) -> None:
    players = Players(FORMATS["gin-deals"])
    told = []
    for name in ("ann", ALL):
        names, info, schedule = {"ann": name}, players.info(3, GROUPS), players.schedule(3, GROUPS)
        records = [players.game(spec) for spec in schedule]
        bots = tuple(replace(bot, name=names.get(bot.name, bot.name)) for bot in info.bots)
        renamed = [replace(spec, seats=tuple(names.get(bot, bot) for bot in spec.seats)) for spec in schedule]
        run = runs.enter_context(Run.create(tmp_path / name, replace(info, bots=bots), renamed))
        run.commit(records)
        told.append([row[1:] for row in effects_of(run).seats.rows])
    assert told[0] == told[1]
    assert told[0][0] != told[0][1]


def test_three_hand_has_a_table_of_roles(tmp_path: Path) -> None:
    with run_of("three-hand", tmp_path / "run") as run:
        text = effects_of(run).as_text("simple")
    assert text.index("Seat and dealing") < text.index("Roles") < text.index("captain")
    assert max(map(len, text.splitlines())) <= 80


def test_advice_is_worth_nothing_where_it_changes_nothing(tmp_path: Path, runs: ExitStack) -> None:
    with_it = run_with(runs, tmp_path / "with", three_hand())
    silent = run_with(runs, tmp_path / "silent", three_hand(view="none"))
    told = effects_of(with_it, unadvised=silent)
    assert told.advice is not None
    rows = {str(row["bot"]): row for row in told.advice.records()}
    assert {(row["got"], row["got_pm"], row["given"], row["given_pm"]) for row in rows.values()} == {(0, 0, 0, 0)}
    assert rows[ALL]["captain_hands"] == rows[ALL]["adviser_hands"] == 6 * GROUPS
    assert "Worth of advice" in told.as_text("simple")
    assert "advice" in json.loads(told.as_json())


def test_the_worth_of_advice_is_the_difference_of_the_captains_margins(tmp_path: Path, runs: ExitStack) -> None:
    players, mute = three_hand(), three_hand(view="none")
    schedule = players.schedule(3, GROUPS)
    with_it = runs.enter_context(Run.create(tmp_path / "with", players.info(3, GROUPS), schedule))
    records = [obeyed(players, spec) for spec in schedule]
    with_it.commit(records)
    silent = run_with(runs, tmp_path / "silent", mute)
    told = effects_of(with_it, unadvised=silent)
    assert told.advice is not None
    rows = {str(row["bot"]): row for row in told.advice.records()}

    def margin(games: list[GameRecord], bot: str) -> float:
        hands = [
            (1 - 2 * hand.result.winner) * hand.result.points if hand.result.winner is not None else 0
            for spec, record in zip(schedule, games, strict=True)
            for hand in record.hands
            if spec.seats[hand.roles.nondealer] == bot
        ]
        return sum(hands) / len(hands)

    unadvised = [mute.game(spec) for spec in schedule]
    for bot in ("ann", "bob", "cid"):
        assert rows[bot]["got"] == pytest.approx(margin(records, bot) - margin(unadvised, bot), abs=1e-4)
    assert rows[ALL]["got"] == rows[ALL]["given"] != 0


def test_runs_that_do_not_match_are_refused_with_all_reasons(tmp_path: Path, runs: ExitStack) -> None:
    players, mute = three_hand(), three_hand(view="none")
    with_it = run_with(runs, tmp_path / "with", players)
    info = mute.info(3, GROUPS)
    bots = (*info.bots[:1], BotInfo("bob", "1.0", "changed"), BotInfo("dot", "1.0", "new"))
    config = json.dumps(json.loads(info.config) | {"hints": False, "groups": 99, "rank_by": ["margin"]})
    other = run_with(runs, tmp_path / "other", mute, replace(info, seed="00" * 32, bots=bots, config=config), games=0)
    with pytest.raises(InputError) as caught:
        effects_of(with_it, unadvised=other)
    assert str(caught.value) == (
        f"{with_it.folder} and {other.folder} cannot be compared: their seeds differ, so that they have other cards: "
        "give both series the same seed; only one of them has cid, dot; these bots have other contents: bob; their "
        "series differ in hints"
    )
    with pytest.raises(
        InputError, match=r"was played without advice: expected adviser_view other than none; .* was pla"
    ):
        effects_of(other, unadvised=with_it)


def test_advice_belongs_to_three_hand(tmp_path: Path, runs: ExitStack) -> None:
    run = runs.enter_context(run_of("gin", tmp_path / "run"))
    with pytest.raises(InputError, match="advice is given in three-hand only"):
        effects_of(run, unadvised=run)


def test_of_unfinished_runs_the_groups_complete_in_both_are_compared_and_counted(
    tmp_path: Path, runs: ExitStack
) -> None:
    with_it = run_with(runs, tmp_path / "with", three_hand(), games=13)
    silent = run_with(runs, tmp_path / "silent", three_hand(view="none"), games=11)
    told = effects_of(with_it, unadvised=silent)
    assert "Advice: 1 deal groups are complete in both runs, of 2 with advice and 1 without." in told.notes
    assert told.advice is not None
    assert told.advice.records()[0] == {
        "bot": ALL, "captain_hands": 6, "got": 0, "got_pm": None, "adviser_hands": 6, "given": 0, "given_pm": None,
    }  # fmt: skip


def test_the_command_shows_what_two_runs_tell(tmp_path: Path, runs: ExitStack) -> None:
    with_it = run_with(runs, tmp_path / "with", three_hand())
    silent = run_with(runs, tmp_path / "silent", three_hand(view="none"))
    told = effects_of(with_it, unadvised=silent)
    shown = run_arena("effects", with_it.folder, "--without-advice", silent.folder)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout == told.as_text("simple") + "\n" + "\n".join(told.notes) + "\n"
    wrong = call_arena("effects", silent.folder, "--without-advice", with_it.folder)
    assert (wrong.returncode, wrong.stdout) == (2, "")
