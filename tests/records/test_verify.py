"""Verification passes what was played, and finds every change of what was recorded."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from playing import FORMATS, Players

from arena.cards import cards_text
from arena.dealer.table import FaultCost, forfeited_game
from arena.dealer.values import FaultRecord, GameRecord, HandRecord
from arena.dealing import commitment, contest_seed, master_seed
from arena.errors import RecordError, RunError
from arena.players.faults import Fault
from arena.records.database import FILE
from arena.records.digest import game_digest
from arena.records.notation import encode
from arena.records.store import INFO, OUTCOME, Run
from arena.records.verify import Verified, verify
from arena.rules.actions import Action, ActionKind
from arena.rules.result import ResultKind
from arena.rules.roles import Roles
from arena.rules.view import HIDDEN

PLAYERS = Players(FORMATS["three-hand-deals"], faults=0.01, seed=master_seed("verify"))
SCHEDULE = PLAYERS.schedule(bots=3, groups=2)
RECORDS = [PLAYERS.game(spec) for spec in SCHEDULE]


def make(folder: Path, players: Players = PLAYERS, records: list[GameRecord] = RECORDS) -> Path:
    """A run of two groups of three bots, with these records."""
    with Run.create(folder, players.info(3, 2), players.schedule(3, 2)) as run:
        run.commit(records)
    return folder


def check(folder: Path) -> Verified:
    with Run.open(folder) as run:
        return verify(run)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("sound") / "run")


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sound, tmp_path / "run")


def change(folder: Path, statement: str, *values: object) -> None:
    """Change the file behind the arena's back."""
    with closing(sqlite3.connect(folder / FILE)) as database, database:
        assert database.execute(statement, values).rowcount == 1, "the statement changes one row"


def difference(folder: Path) -> str:
    """What verification says of a changed run: one line."""
    with pytest.raises((RecordError, RunError)) as found:
        check(folder)
    message = str(found.value)
    assert "\n" not in message
    return message


# -- what was played passes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cost", FaultCost)
@pytest.mark.parametrize("kind", FORMATS)
def test_games_of_every_kind_pass(kind: str, cost: FaultCost, tmp_path: Path) -> None:
    players = Players(FORMATS[kind], faults=0.003, cost=cost)
    records = [players.game(spec) for spec in players.schedule(3, 2)[1::4]]
    verified = check(make(tmp_path / "run", players, records))
    assert (verified.games, verified.scheduled) == (3, 12)
    assert verified.hands == sum(len(record.hands) for record in records)


def test_an_unfinished_run_passes(tmp_path: Path) -> None:
    verified = check(make(tmp_path / "run", records=RECORDS[2:5]))
    assert (verified.games, verified.scheduled) == (3, 12)


def test_the_digest_is_that_of_the_results_and_not_of_the_times(tmp_path: Path) -> None:
    slower = [replace(record, times=record.times[::-1]) for record in RECORDS]
    first = check(make(tmp_path / "a"))
    assert check(make(tmp_path / "b", records=slower)) == first
    assert check(make(tmp_path / "c", records=RECORDS[:-1])).digest != first.digest


def test_games_lost_in_quarantine_pass_and_no_others(tmp_path: Path) -> None:
    players = replace(PLAYERS, quarantine_after=2)
    faults = dict.fromkeys(SCHEDULE[0].seats, 0)
    records: list[GameRecord] = []
    for spec, record in zip(SCHEDULE, RECORDS, strict=True):
        barred = [name for name in spec.seats if faults[name] >= 2]
        records.append(forfeited_game(spec, players.shared, barred) if barred else record)
        for fault in () if barred else record.faults:
            faults[spec.seats[fault.seat]] += 1
    assert check(make(tmp_path / "run", players, records)).games == 12
    index = next(record.index for record in records if not record.hands)
    with Run.open(tmp_path / "run", write=True) as run:
        run.commit([RECORDS[index]])
    assert difference(tmp_path / "run").startswith(f"game {index}: bots in quarantine: expected ['")


# -- every column of every table --------------------------------------------------------------------------------------

UNPROTECTED = {"times", "starts", "voids"}
PRIVATE = {"output", "premises", "advised"}
CHANGES = {
    "run": {"info": "'{}'", "digest": "'0' || substr(digest, 2)"},
    "games": {
        "game": "game + 100",
        "deal_group": "deal_group + 1",
        "seating": "seating + 1",
        "seat0": "2 - seat0",
        "seat1": "(seat1 + 1) % 3",
        "seat2": "(seat2 + 1) % 3",
    },
    "results": {"game": "game + 100", "outcome": "replace(outcome, '1', '2')", "digest": "'0' || substr(digest, 2)"},
    "hands": {"game": "game + 100", "number": "number + 1", "line": "replace(line, 'K', 'Q')"},
    "faults": {
        "game": "game + 100",
        "number": "number + 1",
        "seat": "(seat + 1) % 3",
        "hand": "hand + 1",
        "move": "move + 1",
        "kind": "'protocol'",
        "detail": "detail || '.'",
    },
}
PLACES = [(table, column) for table, changes in CHANGES.items() for column in changes]


def test_every_column_is_changed_below(folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE)) as database:
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        columns = {
            table: {row[1] for row in database.execute(f"PRAGMA table_info({table})")} - PRIVATE
            for table in tables - UNPROTECTED
        }
    assert columns == {table: set(changes) for table, changes in CHANGES.items()}


@pytest.mark.parametrize(("table", "column"), PLACES)
def test_a_changed_column_is_found(table: str, column: str, folder: Path) -> None:
    key = "rowid" if table == "run" else "game"
    first = f"(SELECT {key} FROM {table} ORDER BY {key} LIMIT 1)"
    change(folder, f"UPDATE {table} SET {column} = {CHANGES[table][column]} WHERE {key} = {first}")
    difference(folder)


@pytest.mark.parametrize("table", ["games", "results", "hands", "faults"])
def test_rows_that_change_places_are_found(table: str, folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE)) as database, database:
        places = [game for (game,) in database.execute(f"SELECT DISTINCT game FROM {table} ORDER BY game LIMIT 2")]
        for old, new in ((places[0], -1), (places[1], places[0]), (-1, places[1])):
            database.execute(f"UPDATE {table} SET game = ? WHERE game = ?", (new, old))
    difference(folder)


# -- every value inside a column --------------------------------------------------------------------------------------

Json = Any
Keys = tuple[str | int, ...]


def leaves(value: Json, keys: Keys = ()) -> Iterator[Keys]:
    """The ways to all single values inside a JSON value."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*keys, key))
    else:
        yield keys


def changed(value: Json, keys: Keys) -> Json:
    """A JSON value with another single value in one place."""
    if keys:
        twin = value.copy()
        twin[keys[0]] = changed(twin[keys[0]], keys[1:])
        return twin
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int | float) else f"{value or ''}0"


def written(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


DESCRIPTION = json.loads(INFO.text(PLAYERS.info(3, 2)))


@pytest.mark.parametrize("keys", list(leaves(DESCRIPTION)), ids=str)
def test_a_change_in_the_description_of_a_run_is_found(keys: Keys, folder: Path) -> None:
    assert written(DESCRIPTION) == INFO.text(PLAYERS.info(3, 2))
    change(folder, "UPDATE run SET info = ?", written(changed(DESCRIPTION, keys)))
    difference(folder)


@pytest.mark.parametrize("kind", ["gin", "three-hand-hollywood"])
def test_a_change_in_an_outcome_is_found_without_its_digest(kind: str, tmp_path: Path) -> None:
    format_ = FORMATS[kind]
    players = Players(replace(format_, rules=replace(format_.rules, target=20)))
    record = players.game(players.schedule(3, 2)[0])
    folder = make(tmp_path / "run", players, [record])
    outcome = json.loads(OUTCOME.text(record.outcome))
    ways = list(leaves(outcome))
    assert len(ways) > 10
    for keys in ways:
        text = written(changed(outcome, keys))
        digest = game_digest(0, text, [encode(hand) for hand in record.hands], record.faults)
        change(folder, "UPDATE results SET outcome = ?, digest = ?", text, digest)
        assert str(keys[0]) in difference(folder)


def test_every_changed_character_of_a_hand_is_found(tmp_path: Path) -> None:
    line, record = min(((encode(record.hands[0]), record) for record in RECORDS), key=lambda pair: len(pair[0]))
    with Run.open(make(tmp_path / "run", records=[record]), write=True) as run:
        for at, character in enumerate(line):
            other = line[:at] + ("A" if character != "A" else "2") + line[at + 1 :]
            run._connection.execute("UPDATE hands SET line = ?", [other])
            with pytest.raises(RecordError, match=f"game {record.index}"):
                verify(run)


# -- a forger who makes every digest anew -----------------------------------------------------------------------------

GAME = next(
    record
    for record in RECORDS
    for hand in record.hands
    if hand.result.kind is ResultKind.KNOCK and hand.result.defender_melds and hand.result.layoffs and hand.advice
)
HAND = GAME.hands[0]


def forged(folder: Path, record: GameRecord) -> str:
    """What verification says of a run with another record of a game, its digest made to fit."""
    with Run.open(folder, write=True) as run:
        run.commit([record])
    return difference(folder)


def forged_hand(folder: Path, **other: object) -> str:
    hand: HandRecord = replace(HAND, **other)  # type: ignore[arg-type]
    message = forged(folder, replace(GAME, hands=(hand,)))
    assert f"game {GAME.index}" in message
    return message


@pytest.mark.parametrize(
    ("field", "other", "complaint"),
    [
        ("number", 2, "hand 1: number: expected 1, found 2"),
        (
            "roles",
            Roles(1, 0, 2),
            "hand 1: seats: expected Roles(nondealer=0, dealer=1, out=2), found Roles(nondealer=1",
        ),
        ("roles", Roles(0, 1, None), "hand 1: seats: expected "),
        ("deck", HAND.deck[:50] + HAND.deck[:49:-1], f"hand 1: deck: expected {cards_text(HAND.deck)}, found "),
        ("moves", HAND.moves[:-2], "hand 1: expected moves up to the end of the hand, found "),
        ("moves", HAND.moves * 2, "expected nothing more in a hand that is over, got "),
        ("advice", HAND.advice * 2, "expected a decision of the captain after it, found none"),
    ],
)
def test_another_part_of_a_hand_is_named(field: str, other: object, complaint: str, folder: Path) -> None:
    assert complaint in forged_hand(folder, **{field: other})


@pytest.mark.parametrize("at", range(0, len(HAND.moves), 2))
def test_another_move_is_named(at: int, folder: Path) -> None:
    head, card = HAND.moves[at : at + 2]
    moves = [bytes((head ^ 16, card))]
    if card != HIDDEN:
        moves += [bytes((head, (card + 1) % 52)), b""]
    for move in moves:
        message = forged_hand(folder, moves=HAND.moves[:at] + move + HAND.moves[at + 2 :])
        assert "hand 1: move " in message or "hand 1: advice" in message


RESULTS = [
    ("kind", ResultKind.GIN),
    ("winner", 1 - (HAND.result.winner or 0)),
    ("winner", None),
    ("points", HAND.result.points + 1),
    ("knocker", 1 - (HAND.result.knocker or 0)),
    ("knocker_deadwood", 99),
    ("defender_deadwood", 99),
    ("melds", HAND.result.melds[1:]),
    ("defender_melds", ()),
    ("layoffs", 0),
]


@pytest.mark.parametrize(("field", "other"), RESULTS)
def test_another_result_is_found(field: str, other: object, folder: Path) -> None:
    changes: dict[str, Any] = {field: other}
    message = forged_hand(folder, result=replace(HAND.result, **changes))
    assert "hand 1: " in message
    if field in {"kind", "points", "knocker", "knocker_deadwood", "defender_deadwood"}:
        assert f"hand 1: {field}: expected {getattr(HAND.result, field)}, found " in message


def test_every_field_of_a_result_is_changed_above() -> None:
    assert {field for field, _ in RESULTS} == {field.name for field in fields(HAND.result)}


@pytest.mark.parametrize(
    ("other", "complaint"),
    [
        ({"move": len(HAND.moves) // 2}, "expected a decision of the captain after it, found none"),
        ({"move": HAND.advice[0].move + 2}, "hand 1: advice before move 3: expected "),
        ({"action": Action(ActionKind.DEFEND)}, "hand 1: advice before move 1: expected pass or take, got defend"),
    ],
)
def test_other_advice_is_named(other: dict[str, Any], complaint: str, folder: Path) -> None:
    assert complaint in forged_hand(folder, advice=(replace(HAND.advice[0], **other),))


FAULTY = next(record for record in RECORDS if record.hands[0].result.kind is ResultKind.FORFEIT)
FAULT = FAULTY.faults[-1]


@pytest.mark.parametrize(
    ("faults", "complaint"),
    [
        ((), "faults at play (hand, seat): expected [(1, "),
        ((replace(FAULT, seat=1 - FAULT.seat),), "faults at play (hand, seat): expected [(1, "),
        ((replace(FAULT, hand=2),), "expected faults in hands 1 to 1, found one in 2"),
        ((replace(FAULT, hand=0),), "expected faults in hands 1 to 1, found one in 0"),
        ((replace(FAULT, move=FAULT.move + 1),), "move of the fault in hand 1: expected "),
        ((replace(FAULT, fault=Fault.SPAWN),), "culprit of a fault: expected bot, found host"),
        ((replace(FAULT, fault=Fault.NEVER_READY),), "ending: expected forfeit, found deals"),
        ((replace(FAULT, fault=Fault.QUARANTINED),), "bots in quarantine: expected [], found ['"),
    ],
)
def test_other_faults_are_named(faults: tuple[FaultRecord, ...], complaint: str, folder: Path) -> None:
    message = forged(folder, replace(FAULTY, faults=faults))
    assert message.startswith(f"game {FAULTY.index}: ")
    assert complaint in message or "places: expected " in message


def test_a_hand_more_or_less_is_named(tmp_path: Path) -> None:
    players = Players(FORMATS["gin"])
    record = players.game(players.schedule(3, 2)[0])
    folder = make(tmp_path / "run", players, [record])
    number = len(record.hands)
    assert forged(folder, replace(record, hands=record.hands[:-1])) == (
        f"game 0: expected hand {number}, found none, and the game is not over"
    )
    more = (*record.hands, replace(record.hands[0], number=number + 1))
    assert forged(folder, replace(record, hands=more)) == (
        f"game 0, hand {number + 1}: expected the game to be over, found a hand"
    )


def test_a_seed_that_was_not_committed_to_is_named(tmp_path: Path) -> None:
    info = PLAYERS.info(3, 2)
    other = "00" * 32
    hashes = [bot.content_hash for bot in info.bots]
    secret = bytes(range(32))
    contest = replace(info, secret=secret.hex(), commitment=commitment(secret), seed=contest_seed(secret, hashes).hex())
    for name, wrong, complaint in (
        ("a", replace(info, seed=other), f"commitment to the seed: expected {commitment(bytes(32))}, found "),
        ("b", replace(contest, secret=other), f"commitment to the secret: expected {commitment(bytes(32))}, found "),
        ("c", replace(contest, seed=info.seed), f"seed: expected {contest.seed}, found {info.seed}"),
        ("d", replace(info, seed="ace"), "seed: expected 64 hexadecimal digits, found ace"),
        ("e", replace(contest, secret="ace"), "secret: expected 64 hexadecimal digits, found ace"),
    ):
        Run.create(tmp_path / name, wrong, SCHEDULE).close()
        assert difference(tmp_path / name).startswith(complaint)
    Run.create(tmp_path / "sound", contest, SCHEDULE).close()
    assert check(tmp_path / "sound").games == 0


def test_another_configuration_is_named(tmp_path: Path) -> None:
    info = PLAYERS.info(3, 2)
    settings = json.loads(info.config)
    for name, other in (
        ("name", "other-cup"),
        ("game", "gin"),
        ("scoring", "hollywood"),
        ("play", "games"),
        ("rules", {}),
        ("groups", 3),
    ):
        folder = tmp_path / name
        Run.create(folder, replace(info, config=json.dumps(settings | {name: other})), SCHEDULE).close()
        assert name in difference(folder)
    Run.create(tmp_path / "no groups", replace(info, config=json.dumps(settings | {"groups": 0})), SCHEDULE).close()
    assert difference(tmp_path / "no groups").startswith("configuration: expected a series with every setting, found ")
    Run.create(tmp_path / "none", replace(info, config="{}"), SCHEDULE).close()
    assert difference(tmp_path / "none") == "configuration: expected a series with every setting, found '{}'"


def test_words_and_kinds_of_faults_are_kept_by_a_published_digest_alone(folder: Path) -> None:
    published = check(folder).digest
    excuse = replace(FAULT, fault=Fault.PROTOCOL, detail="the host was busy")
    words = replace(HAND.advice[0], text="my own words")
    with Run.open(folder, write=True) as run:
        run.commit([replace(FAULTY, faults=(*FAULTY.faults[:-1], excuse))])
        assert verify(run).digest != published
        run.commit([FAULTY])
        assert verify(run).digest == published
        run.commit([replace(GAME, hands=(replace(HAND, advice=(words, *HAND.advice[1:])),))])
        assert verify(run).digest != published
