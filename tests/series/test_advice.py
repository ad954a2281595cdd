"""Three-hand: the player who sits out is asked before each decision of the captain.

What it says reaches the captain and the record, never the box; and what is no advice costs nobody anything.
"""

import json
from dataclasses import astuple, replace
from pathlib import Path
from random import Random

import pytest
from bots_at_table import SEED, bot_class, play_by
from playing import choose
from series_bench import BOTS, Crew, bot_spec, games, play_series, records_of, write_series
from thinning import thinned

from arena.bot import Bot
from arena.dealer.table import Table, TableRules
from arena.dealer.values import GameSpec, HandRecord
from arena.players.faults import Failure, Fault
from arena.rules.actions import ActionKind
from arena.rules.game import Ending, GameFormat, Play
from arena.rules.options import Rules
from arena.rules.view import GameKind, Role, Turn

THREE_HAND = GameFormat(GameKind.THREE_HAND, False, Play.GAMES, Rules(target=40))
CRASHES = 0.05
"""How often the adviser whose way it is crashes when it is asked."""
ADVISER, OBEDIENT = bot_class("adviser", BOTS), bot_class("obedient", BOTS)


def captains_decisions(hand: HandRecord) -> list[int]:
    """The moves that the captain decided: not the draw that two passes force on it."""
    kinds = list(hand.moves[::2])
    forced = kinds[:2] == [ActionKind.PASS, 1 << 4 | ActionKind.PASS]
    return [number for number, kind in enumerate(kinds) if kind >> 4 == 0 and not (forced and number == 2)]


def test_advice_is_asked_for_before_each_decision_of_the_captain_and_counted(tmp_path: Path) -> None:
    bots = [BOTS / "adviser", BOTS / "obedient", BOTS / "dicer"]
    out = tmp_path / "run"
    play_series(write_series(tmp_path, bots, game="three-hand", groups=1), out)
    given = got = followed = 0
    for spec, record in records_of(out):
        for hand in record.hands:
            assert hand.roles.out is not None
            captain, adviser = spec.seats[hand.roles.nondealer], spec.seats[hand.roles.out]
            assert [advice.move for advice in hand.advice] == (captains_decisions(hand) if adviser == "adviser" else [])
            assert all(advice.text.startswith("as I would, holding 1") for advice in hand.advice)
            given += len(hand.advice)
            got += len(hand.advice) * (captain == "obedient")
            followed += sum(
                hand.moves[2 * advice.move] == advice.action.kind for advice in hand.advice if captain == "obedient"
            )
    assert given > got == followed > 0
    rows = {row["bot"]: row for row in json.loads((out / "standings.json").read_text())["standings"]}
    assert (rows["adviser"]["advice_given"], rows["dicer"]["advice_given"]) == (given, 0)
    assert (rows["obedient"]["advice_got"], rows["obedient"]["advice_got_followed_percent"]) == (got, 100.0)
    assert not list(out.glob("logs/obedient*"))  # the box never sees it


def turns_of_the_box(advisers: bool) -> list[tuple[object, ...]]:
    """What the box is asked in one hand, with or without a player who advises its opponent."""
    format_ = replace(THREE_HAND, play=Play.DEALS)
    table = Table(GameSpec(0, 0, 0, ("a", "b", "c")), TableRules(format_, SEED), (advisers,) * 3)
    turns = []
    while table.asked is not None:
        if table.asked.frame.role is Role.BOX:
            turn_id, frame, *rest = table.asked
            turns.append((turn_id, astuple(frame), *rest))
        if table.asked.advising:
            table.advise(None)
        else:
            table.decide(choose(table.hand, Random(table.asked.seed)))
    return turns


def test_the_box_is_asked_the_same_whether_its_opponent_is_advised_or_not() -> None:
    assert turns_of_the_box(advisers=True) == turns_of_the_box(advisers=False) != []


def crew(way: str, logs: Path) -> Crew:
    bots = (bot_spec("adviser", "adviser", way), bot_spec("one", "obedient"), bot_spec("two", "obedient"))
    return Crew(bots, logs, THREE_HAND)


@pytest.mark.parametrize("way", thinned(["unfit", "late"], 2))
def test_what_is_no_advice_costs_nobody_anything(way: str, tmp_path: Path) -> None:
    players = crew(way, tmp_path)
    if way == "late":
        players = replace(players, decision=0.2, bank=1.0)
    specs = players.specs(3)
    # Left alone the adviser plays as any bot does that overrides nothing.
    unadvised = [play_by(players.shared, spec, (Bot, OBEDIENT, OBEDIENT)) for spec in specs]
    assert games(players.play(specs)) == games(unadvised)


def test_a_crash_of_the_adviser_is_its_fault_and_costs_nobody_anything(tmp_path: Path) -> None:
    players = crew("crash", tmp_path)
    specs = players.specs(3)

    def fate(turn: Turn, seat: int) -> Failure | None:
        crashes = turn.advising and Random(turn.seed).random() < CRASHES
        return Failure(Fault.CRASH, "") if crashes else None

    wanted = [play_by(players.shared, spec, (ADVISER, OBEDIENT, OBEDIENT), fate) for spec in specs]
    assert {fault.seat for record in wanted for fault in record.faults} == {0}
    assert {record.outcome.ending for record in wanted} == {Ending.TARGET}
    assert games(players.play(specs)) == games(wanted)
