"""The hands on the page are those of the record, and the ones that may be shown and teach something."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from playing import FORMATS
from report_bench import NAMES, data_of, keys_of, played_run

from arena.cards import mask_of, pips
from arena.dealer.values import GameRecord
from arena.pages.hands import CARDS
from arena.records.course import course
from arena.records.excerpt import excerpt
from arena.records.store import Run
from arena.rules.hand import Hand
from arena.rules.replay import replay_steps
from arena.standings.judging import findings
from arena.tournament.page import Wanted, page_of


def cards(text: str) -> int:
    return mask_of(CARDS.index(letter) for letter in text if letter.isalpha())


OFTEN = ("gin", "three-hand-deals", "oklahoma-hollywood")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in OFTEN else pytest.mark.thorough) for name in FORMATS]
)
def test_the_steps_lead_through_the_hands_of_the_record(name: str, tmp_path: Path) -> None:
    """Moved as the page moves them, the cards lie at each turn's end where the rules have them."""
    folder = played_run(tmp_path / "run", format_=FORMATS[name], groups=1, faults=0.01)
    with Run.open(folder) as run:
        told = {(hand["game"], hand["hand"]): hand for hand in data_of(page_of(run))["hands"]}
        assert len(told) == sum(len(record.hands) for _, record in run.records())
        for spec, record in run.records():
            for hand, totals, columns in course(run.info, spec, record):
                page = told[spec.index, hand.number]
                assert (page["after"], page["points"], page["kind"]) == (
                    list(totals),
                    hand.result.points,
                    hand.result.kind,
                )
                assert page.get("columns", []) == [list(column) for column in columns]
                held = [cards(text.split(" ")[0]) for text in page["dealt"]]
                assert held == Hand(run.info.format.rules, hand.deck).deal.masks
                pile = page["upcard"]
                for step in page["steps"].split("|") if page["steps"] else []:
                    position, kind, card = int(step[0]), step[1], step[2]
                    if kind in "st":
                        held[position] |= cards(card)
                    if kind == "t":
                        assert pile[-1] == card
                        pile = pile[:-1]
                    if kind in "dk":
                        held[position] ^= cards(card)
                        pile += card
                    if step[3:]:
                        arranged, _, count = step[3:].partition(" ")
                        assert cards(arranged) == held[position]
                        assert pips(cards(arranged.split("/")[1])) == int(count)
                *_, final = replay_steps(run.info.format.rules, hand.deck, hand.moves, hand.result)
                assert held == final.deal.masks
                assert cards(pile) == mask_of(final.deal.pile)
                judged = [one for one in findings(run.info.format.rules, hand) if one.points > 0]
                assert [remark[4] for remark in page.get("remarks", [])] == [one.told for one in judged]
                assert len(page.get("advice", [])) == len(hand.advice)
                assert len(page.get("faults", [])) == len([one for one in record.faults if one.hand == hand.number])


def test_of_a_run_in_play_no_hand_is_shown_whose_decks_are_still_to_be_played(tmp_path: Path) -> None:
    """A game of group 1 is missing in one pairing, so nothing of that group is shown, of the others neither."""
    folder = played_run(tmp_path / "run", format_=FORMATS["gin-deals"], missing={9})
    with Run.open(folder) as run:
        page = page_of(run)
        groups = {spec.index: spec.group for spec in run.games()}
        assert {groups[game] for game, _ in keys_of(page)} == {0, 2}
        assert "This run is not complete: 17 of 18 games of its schedule are finished (94 %)." in page
        assert run.info.seed not in page


def test_of_a_published_part_of_a_run_everything_is_shown_that_is_in_it(tmp_path: Path) -> None:
    with Run.open(played_run(tmp_path / "run", format_=FORMATS["gin-deals"])) as run:
        excerpt(run, tmp_path / "part", {0, 1, 6})
    with Run.open(tmp_path / "part") as part:
        page = page_of(part)
    assert {game for game, _ in keys_of(page)} == {0, 1, 6}
    assert "A part of a run: 3 of 18 games of its schedule are in it." in page


def test_a_run_without_a_finished_game_has_a_page(tmp_path: Path) -> None:
    with Run.open(played_run(tmp_path / "run", missing=range(18))) as run:
        page = page_of(run)
        assert keys_of(page) == []
        assert "0 of 18 games" in page
        assert 'id="convergence"' not in page


def test_of_a_large_run_the_faults_the_largest_swings_and_the_first_are_shown(tmp_path: Path) -> None:
    with Run.open(played_run(tmp_path / "run", groups=3, faults=0.01)) as run:
        everything = data_of(page_of(run))
        few = data_of(page_of(run, Wanted(hands=12)))
    numbers = Counter(tuple(sorted(everything["games"][str(hand["game"])]["bots"])) for hand in everything["hands"])
    assert {tuple(sorted(part["bots"])): part["seen"] for part in few["pairings"]} == numbers
    assert [part["shown"] for part in few["pairings"]] == [12] * 3
    for part in few["pairings"]:
        of = [hand for hand in few["hands"] if sorted(few["games"][str(hand["game"])]["bots"]) == sorted(part["bots"])]
        assert len(of) == 12
        assert Counter(hand["why"] for hand in of)["fault"] <= 3
        assert all("faults" in hand for hand in of if hand["why"] == "fault")
        largest = max(
            hand["swing"][1]
            for hand in everything["hands"]
            if "swing" in hand and sorted(everything["games"][str(hand["game"])]["bots"]) == sorted(part["bots"])
        )
        assert max(hand["swing"][1] for hand in of if "swing" in hand) == largest


def test_a_swing_is_what_a_bot_made_of_the_same_cards_from_all_seats(tmp_path: Path) -> None:
    with Run.open(played_run(tmp_path / "run", names=NAMES[:2], groups=2)) as run:
        data = data_of(page_of(run))
        made: Counter[tuple[int, int, str]] = Counter()
        for spec, record in run.records():
            for hand in record.hands:
                winner = hand.result.winner
                if winner is not None:
                    made[spec.group, hand.number, spec.seats[hand.roles.seat(winner)]] += hand.result.points
    both = [hand for hand in data["hands"] if "swing" in hand]
    assert both
    for hand in both:
        group, bot = data["games"][str(hand["game"])]["group"], data["bots"][hand["swing"][0]]
        other = next(name for name in NAMES[:2] if name != bot)
        assert hand["swing"][1] == made[group, hand["hand"], bot] - made[group, hand["hand"], other] >= 0


def test_without_a_bot_nothing_of_its_games_is_there(tmp_path: Path) -> None:
    with Run.open(played_run(tmp_path / "run", format_=FORMATS["gin-deals"])) as run:
        page = page_of(run, Wanted(without=frozenset({"cid"})))
    assert data_of(page)["bots"] in (["ann", "bob"], ["bob", "ann"])
    assert len(data_of(page)["pairings"]) == 1
    assert "Without cid: their games are left out." in page


def _talking(record: GameRecord) -> GameRecord:
    return replace(record, faults=tuple(replace(fault, output="a secret of the bot") for fault in record.faults))


def test_what_bots_have_printed_is_not_shown_to_everybody(tmp_path: Path) -> None:
    with Run.open(played_run(tmp_path / "run", faults=0.02, changed=_talking)) as run:
        assert any(fault.output for _, fault, _ in run.faults())
        page = page_of(run)
    assert "it was to fail in game" in page
    assert "secret" not in page
