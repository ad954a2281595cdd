"""The audit of a run: counts, rates, hands to look at, and what the command shows of them."""

import json
from pathlib import Path

import pytest
from command import call_arena, run_arena
from hands import deck, play
from made_games import DEALS
from playing import Players, bot_names

from arena.cli.audit import _page
from arena.cli.audit import audit as audit_command
from arena.dealer.values import GameRecord, GameSpec, HandRecord
from arena.errors import InputError
from arena.records.store import Run
from arena.rules.game import Game, Roles
from arena.rules.hand import Hand
from arena.rules.options import Rules
from arena.standings.audit import KEPT, BotAudit, Count, Example, audit, audit_sheet, audit_sheets
from arena.standings.kinds import Finding, Kind
from arena.standings.sheet import render

UNDERCUT = {
    "nondealer": "4S 5S 6S QH QD QC 2D 3C 4H AC",
    "dealer": "KS KD KH 8D 8C 8H 7S QS 2H AH",
    "upcard": "9H",
    "draws": "JC",
}


def game(index: int, text: str, forfeit: int | None = None) -> tuple[GameSpec, GameRecord]:
    """A game of one hand, ann not dealing: the undercut of the rules' example G4, as the text says."""
    hand = play(Hand(Rules(), deck(**UNDERCUT)), text)
    if forfeit is not None:
        hand.forfeit(forfeit)
    assert hand.result is not None
    played = Game(DEALS, Roles(0, 1))
    played.record(hand.result)
    record = HandRecord(1, Roles(0, 1), deck(**UNDERCUT), hand.moves, (), hand.result)
    return GameSpec(index, index, 0, ("ann", "bob")), GameRecord(index, (record,), played.outcome(), (), ())


KNOCKED = "pass; pass; knock JC; defend"


def test_everything_is_counted_by_bot_and_hands_that_ended_by_a_fault_apart() -> None:
    games = [game(0, KNOCKED), game(1, KNOCKED), game(2, "pass; pass", 0), game(3, "pass; pass; knock JC", 1)]
    audited = audit(Rules(), games, ["ann", "bob"])
    ann, bob = audited["ann"], audited["bob"]
    assert [(bot.hands, bot.faulted, bot.forfeited) for bot in (ann, bob)] == [(2, 1, 1), (2, 1, 1)]
    undercuts = ann.kinds[Kind.UNDERCUT]
    assert (undercuts.number, undercuts.points, ann.per_100_hands(Kind.UNDERCUT)) == (2, 34, 100.0)
    assert [(one.game, one.hand) for one in undercuts.examples] == [(0, 1), (1, 1)]
    assert not any(bob.kinds[kind].number for kind in Kind)


def test_the_hands_that_are_kept_are_those_that_cost_most() -> None:
    count = Count()
    for game_ in range(20):
        count.add(Example(game_, 1, Finding(Kind.MISSED_KNOCK, 4, 0, game_ % 10, "")))
    assert [(one.finding.points, one.game) for one in count.examples] == [(9, 9), (9, 19), (8, 8), (8, 18), (7, 7)]
    assert (count.number, count.points, len(count.examples)) == (20, 90, KEPT)


def test_hands_to_look_at_come_once_each_with_errors_before_hindsight() -> None:
    bot = BotAudit(hands=9)
    found = [(1, Kind.MISSED_KNOCK, 90), (2, Kind.LAYOFFS_LEFT, 3), (2, Kind.FED_UNKNOWN, 50), (3, Kind.HIGH_KNOCK, 7)]
    found += [(5, Kind.HIGH_KNOCK, 6)]
    for number, kind, points in found:
        bot.kinds[kind].add(Example(number, 1, Finding(kind, 4, 0, points, "")))
    bot.kinds[Kind.PAID_WAIT].add(Example(4, 1, Finding(Kind.PAID_WAIT, 4, 0, -60, "")))
    assert [one.game for one in bot.worst(9)] == [3, 2, 5, 1]
    assert [one.game for one in bot.worst(2)] == [3, 2]


def test_a_bot_without_a_hand_has_no_rate() -> None:
    rows = audit_sheet({"ann": BotAudit()}).records()
    assert {row["per_100_hands"] for row in rows} == {None}
    assert render(audit_sheet({"ann": BotAudit()}), "csv").startswith("bot,hands,kind,")


def test_hands_that_are_not_judged_say_whose_fault_it_was(tmp_path: Path) -> None:
    own, others = "3 that ended by its own fault", "1 that ended by its opponent's fault"
    for found, told in (
        (BotAudit(faulted=3, forfeited=1), f"0 hands judged; not judged: {own}, {others}"),
        (BotAudit(hands=2, forfeited=1), f"2 hands judged; not judged: {others}"),
        (BotAudit(hands=1000), "1,000 hands judged"),
    ):
        assert next(_page(tmp_path, "ann", found)) == f"ann: {told}\n"


def test_the_command_shows_counts_and_hands(tmp_path: Path) -> None:
    players = Players(DEALS)
    schedule = players.schedule(2, 6)
    with Run.create(tmp_path / "run", players.info(2, 6), schedule) as run:
        run.commit([players.game(spec) for spec in schedule[:-1]])
        audited = audit(run.info.format.rules, run.records(), bot_names(2))
    told = run_arena("audit", tmp_path / "run", "--json")
    assert told.returncode == 0
    bots = json.loads(told.stdout)["bots"]
    for bot, (name, found) in zip(bots, audited.items(), strict=True):
        assert (bot["bot"], bot["hands"]) == (name, found.hands)
        assert [kind["number"] for kind in bot["kinds"]] == [found.kinds[kind].number for kind in Kind]
    assert "1 of 12 games are missing" in told.stderr
    shown = call_arena("audit", tmp_path / "run", "--bot", bot_names(2)[0]).stdout
    example = next(kind.examples[0] for kind in audited[bot_names(2)[0]].kinds.values() if kind.number)
    assert f"arena replay {tmp_path / 'run'} {example.game} {example.hand}\n" in shown
    assert bot_names(2)[1] not in shown
    wrong = call_arena("audit", tmp_path / "run", "--bot", "eve")
    assert (wrong.returncode, "expected a bot of the run" in wrong.stderr) == (2, True)


def test_errors_stand_apart_from_hindsight_and_every_kind_is_in_one_of_the_tables() -> None:
    (known, errors), (seen, hindsight) = audit_sheets(BotAudit())
    assert (known.split()[0], seen.split()[0]) == ("Errors", "Seen")
    assert [row[0] for row in errors.rows] == [kind.meaning for kind in Kind if not kind.hindsight]
    assert [row[0] for row in hindsight.rows] == [kind.meaning for kind in Kind if kind.hindsight]


def test_two_forms_at_once_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected one of the two"):
        audit_command(tmp_path, None, "csv", as_json=True)
