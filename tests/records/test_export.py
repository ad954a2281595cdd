"""An export says everything that is needed to deal, play and score a run again."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playing import FORMATS, GIN, Players

from arena import dealing
from arena.cards import mask_of, mask_text, parse_card, parse_cards
from arena.dealer.table import FaultCost, forfeited_game
from arena.dealer.values import GameRecord
from arena.records.export import What, export
from arena.records.store import Run
from arena.rules.actions import Action, ActionKind
from arena.rules.hand import Hand
from arena.rules.options import Rules, rules_from

Line = dict[str, Any]
POSITIONS = ["nondealer", "dealer"]


def exported(folder: Path, what: What = What.HANDS) -> list[Line]:
    with Run.open(folder) as run:
        return [json.loads(line) for line in export(run, what)]


def make(folder: Path, players: Players, records: list[GameRecord]) -> Path:
    with Run.create(folder, players.info(3, 1), players.schedule(3, 1)) as run:
        run.commit(records)
    return folder


def first_games(players: Players) -> list[GameRecord]:
    return [players.game(spec) for spec in players.schedule(3, 1)[:2]]


def played_again(line: Line) -> Hand:
    """The hand that a line tells of, from nothing but the line."""
    hand = Hand(rules_from(line["rules"]), parse_cards(line["deck"]))
    assert (hand.limit, hand.rules.stock) == (line["limit"], line["stock"])
    told = 0
    for position, kind, *words in line["actions"]:
        if position == "out":
            assert kind == "advise"
            hand.copy().apply(action(*words[0]))
            continue
        if told == len(hand.moves) // 2:  # else it is the draw that two passes force, which the hand has made itself
            assert POSITIONS[hand.to_act] == position
            hand.apply(action(kind, *words))
        if kind == "stock":
            assert hand.moves[-1] == parse_card(words[0])
        told += 1
    if line["result"]["kind"] == "forfeit":
        offender = next(role for role in POSITIONS if line["seats"][role] != line["result"]["winner"])
        hand.forfeit(POSITIONS.index(offender))
    assert told == len(hand.moves) // 2
    return hand


def action(kind: str, *words: Any) -> Action:  # noqa: ANN401 -- whatever JSON holds
    """An action of an export as the rules know it."""
    card = parse_card(words[0]) if kind in {"discard", "knock"} else None
    melds = layoffs = None
    if kind in {"knock", "big_gin", "defend"}:
        told = words[1] if kind == "knock" else words[0]
        melds = None if told is None else tuple(mask_of(parse_cards(meld)) for meld in told)
    if kind == "defend":
        layoffs = None if words[1] is None else mask_of(parse_card(word) for word in words[1])
    return Action(ActionKind[kind.upper()], card, melds, layoffs)


@pytest.mark.parametrize("kind", FORMATS)
def test_every_hand_can_be_played_again_from_its_line(kind: str, tmp_path: Path) -> None:
    players = Players(FORMATS[kind], faults=0.003)
    records = first_games(players)
    lines = exported(make(tmp_path / "run", players, records))
    hands = [(record, hand) for record in records for hand in record.hands]
    assert len(lines) == len(hands)
    for line, (record, hand) in zip(lines, hands, strict=True):
        again = played_again(line)
        assert again.result == hand.result
        assert (line["game_id"], line["hand"]) == (record.index, hand.number)
        told = line["result"]
        assert told["kind"] == hand.result.kind
        assert told["points"] == hand.result.points
        assert (told["knocker_deadwood"], told["defender_deadwood"]) == (
            hand.result.knocker_deadwood,
            hand.result.defender_deadwood,
        )


@pytest.mark.parametrize("kind", FORMATS)
def test_totals_are_those_after_the_hand(kind: str, tmp_path: Path) -> None:
    players = Players(FORMATS[kind])
    records = first_games(players)
    lines = exported(make(tmp_path / "run", players, records))
    for record, spec in zip(records, players.schedule(3, 1), strict=False):
        game = [line for line in lines if line["game_id"] == record.index]
        last = game[-1]
        assert last["totals"] == dict(zip(spec.seats, record.outcome.points, strict=True))
        if not players.format.hollywood:
            assert last["columns"] is None
            for name in spec.seats:
                won = [line["result"]["points"] for line in game if line["result"]["winner"] == name]
                assert last["totals"][name] == sum(won)
        else:
            assert last["columns"] == [
                dict(zip(spec.seats, column.points, strict=True)) for column in record.outcome.columns
            ]


def test_a_line_has_these_fields_and_no_others(tmp_path: Path) -> None:
    players = Players(FORMATS["three-hand-hollywood"])
    line = exported(make(tmp_path / "run", players, first_games(players)))[0]
    assert list(line) == [
        "schema", "game_id", "group", "hand", "game", "scoring", "rules", "limit", "stock", "seats", "deck", "actions",
        "result", "totals", "columns", "faults",
    ]  # fmt: skip
    assert (line["schema"], line["game"], line["scoring"]) == (1, "three-hand", "hollywood")
    assert set(line["rules"]) == set(Rules.__slots__)
    assert list(line["seats"]) == ["nondealer", "dealer", "out"]
    assert list(line["result"]) == ["kind", "winner", "points", "knocker_deadwood", "defender_deadwood"]


@pytest.mark.parametrize("stock", ["two_ended", "top"])
def test_a_deck_is_told_as_it_was_played(stock: str, tmp_path: Path) -> None:
    players = Players(replace(GIN, rules=Rules(stock=stock)))
    records = first_games(players)
    lines = [line for line in exported(make(tmp_path / "run", players, records)) if line["game_id"] == 0]
    assert {line["seats"]["nondealer"] for line in lines} == {"ann", "bob"}
    for line in lines:
        by_seat = dealing.deck(players.seed, line["group"], line["hand"])
        expected = by_seat
        if line["seats"]["nondealer"] == "bob":  # seat 1
            tail = by_seat[21:] if stock == "top" else by_seat[21:][::-1]
            expected = by_seat[10:20] + by_seat[:10] + by_seat[20:21] + tail
        assert parse_cards(line["deck"]) == expected


def test_faults_stand_with_their_hand_and_with_their_game(tmp_path: Path) -> None:
    players = Players(FORMATS["gin"], faults=0.01, cost=FaultCost.GAME)
    records = first_games(players)
    folder = make(tmp_path / "run", players, records)
    (fault,) = records[0].faults
    name = players.schedule(3, 1)[0].seats[fault.seat]
    told = {
        "bot": name,
        "move": fault.move,
        "kind": fault.fault.value,
        "culprit": "bot",
        "detail": "it was to fail in game 0",
    }
    *before, last = [line for line in exported(folder) if line["game_id"] == 0]
    assert last["faults"] == [told]
    assert last["hand"] == fault.hand
    assert all(line["faults"] == [] for line in before)
    game = exported(folder, What.GAMES)[0]
    assert game["faults"] == [{"hand": fault.hand, **told}]
    assert game["result"]["ending"] == "forfeit"
    assert game["result"]["places"][name] == 2


def test_a_game_is_told_whole(tmp_path: Path) -> None:
    rules = Rules(game_bonus=100, box_bonus=20, shutout="game_x2")
    players = Players(replace(FORMATS["three-hand"], rules=rules))
    records = first_games(players)
    game, mirrored = exported(make(tmp_path / "run", players, records), What.GAMES)
    outcome = records[0].outcome
    names = ["ann", "bob", "cid"]
    assert game["seats"] == names
    assert (game["seating"], mirrored["seating"]) == (0, 1)
    assert game["hands"] == len(records[0].hands)
    assert game["result"]["points"] == dict(zip(names, outcome.points, strict=True))
    assert game["margins"] == dict(zip(names, outcome.margins, strict=True))
    assert {name: game["result"]["points"][name] + game["bonuses"][name] for name in names} == game["result"]["totals"]
    assert any(game["bonuses"].values())
    draw = dealing.role_draw(players.seed, 0)
    box, captain, out = draw.order
    assert game["first"] == {"nondealer": names[captain], "dealer": names[box], "out": names[out]}
    assert [list(round_) for round_ in game["role_draw"]] == [
        [names[seat] for seat, _ in round_] for round_ in draw.rounds
    ]
    drawn = game["role_draw"][0]
    assert parse_card(drawn[names[box]]) % 13 > parse_card(drawn[names[out]]) % 13
    assert game["columns"] is None


def test_a_game_that_was_not_played_is_told_and_has_no_hands(tmp_path: Path) -> None:
    players = Players(FORMATS["gin-hollywood"])
    spec = players.schedule(3, 1)[0]
    folder = make(tmp_path / "run", players, [forfeited_game(spec, players.shared, ["bob"])])
    assert exported(folder) == []
    (game,) = exported(folder, What.GAMES)
    assert (game["hands"], game["role_draw"]) == (0, None)
    assert game["result"]["totals"] == {"ann": 300, "bob": 0}
    assert [column["winner"] for column in game["columns"]] == ["ann"] * 3
    (fault,) = game["faults"]
    assert (fault["hand"], fault["bot"], fault["kind"], fault["culprit"]) == (0, "bob", "quarantined", "bot")


def test_the_same_games_make_the_same_bytes_in_whatever_order_they_came(tmp_path: Path) -> None:
    players = Players(FORMATS["gin-deals"])
    records = [players.game(spec) for spec in players.schedule(3, 1)]
    folders = [make(tmp_path / "a", players, records), make(tmp_path / "b", players, records[3:])]
    with Run.open(folders[1], write=True) as run:
        run.commit(record for record in records[2::-1])
    texts = []
    for folder in folders:
        with Run.open(folder) as run:
            texts.append([*export(run), *export(run, What.GAMES)])
    assert texts[0] == texts[1]
    assert len(texts[0]) == 12


def test_melds_are_those_that_counted_also_where_the_arena_chose_them(tmp_path: Path) -> None:
    players = Players(FORMATS["gin"])
    records = first_games(players)
    hands = [hand for record in records for hand in record.hands]
    for line, hand in zip(exported(make(tmp_path / "run", players, records)), hands, strict=True):
        for _, kind, *words in line["actions"]:
            if kind == "knock":
                assert words[1] == [mask_text(meld) for meld in hand.result.melds] != []
            if kind == "defend":
                assert words[0] == [mask_text(meld) for meld in hand.result.defender_melds]
                assert mask_of(map(parse_card, words[1])) == hand.result.layoffs
