"""Bots that misbehave on purpose, and what has to come of it: known from the same games played without any process."""

import json
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bots_at_table import play_by
from series_bench import LONG, Crew, play_series, records_of, write_series

from arena.bot import Bot
from arena.bot import Turn as BotsTurn
from arena.dealer.table import FaultCost, TableRules
from arena.dealer.values import FaultRecord, GameRecord, GameSpec
from arena.players.faults import Failure, Fault
from arena.players.spec import BotSpec, inline_spec
from arena.records.export import What, export
from arena.records.store import Run
from arena.rules.game import GameFormat, Play
from arena.rules.options import Rules
from arena.rules.view import Advice, GameKind, Turn, TurnKind
from arena.tournament.runner import RunEnd

BOTS = Path(__file__).parent / "faults" / "bots"
OTHERS = ("one", "two")
RULES = Rules(target=100)
THREE_HAND = GameFormat(GameKind.THREE_HAND, False, Play.GAMES, RULES)


@dataclass(frozen=True)
class Misdeed:
    """What a culprit does at its doomed turns, and what that is.

    program, way: a bot of faults/bots and its first argument.
    detail: what is told of the fault, behind what was asked, or the beginning of that.
    every, kind: a turn is doomed whose seed is a multiple, and that asks for this.
    """

    program: str
    way: str
    fault: Fault
    detail: str = ""
    every: int = 207
    kind: TurnKind | None = None

    @property
    def bot(self) -> str:
        """The name of the culprit."""
        return re.sub(r"\W+", "-", f"{self.way} {self.kind.name if self.kind else ''}")[:40].strip("-")

    def command(self, *, advising: bool = False) -> tuple[str, ...]:
        """How the culprit is started."""
        kind = self.kind.name.lower() if self.kind else "any"
        program = str(BOTS / f"{self.program}.py")
        return ("{python}", program, self.way, str(self.every), kind, *(["advising"] if advising else []))

    def dooms(self, seed: int, kind: TurnKind) -> bool:
        """Whether a turn is doomed, if it is the culprit's."""
        return seed % self.every == 0 and self.kind in (None, kind)


def ids(misdeeds: Sequence[Misdeed]) -> list[str]:
    """Names of tests."""
    return [misdeed.bot for misdeed in misdeeds]


@dataclass(frozen=True)
class Played:
    """A series in which one bot meets another and each culprit.

    games: all of it. lines: the export of the games without a culprit, without their numbers.
    """

    shared: TableRules
    games: list[tuple[GameSpec, GameRecord]]
    lines: list[str]

    def of(self, misdeed: Misdeed) -> list[GameRecord]:
        """The games of a culprit."""
        return [record for spec, record in self.games if misdeed.bot in spec.seats]

    def faults(self, misdeed: Misdeed) -> list[FaultRecord]:
        """The faults in its games."""
        return [fault for record in self.of(misdeed) for fault in record.faults]

    def imagined(self, misdeed: Misdeed, fault: Fault | None = None) -> list[GameRecord]:
        """The games of a culprit as they have to be. fault: what its misdeeds are, `None` for none at all."""
        return [
            play_by(self.shared, spec, (Bot,) * len(spec.seats), fate_of(misdeed, spec.seats.index(misdeed.bot), fault))
            for spec, _ in self.games
            if misdeed.bot in spec.seats
        ]


def play_with(
    honest: str, misdeeds: Sequence[Misdeed], folder: Path, cost: FaultCost = FaultCost.HAND, **keys: object
) -> Played:
    """Play a series. honest: address of the bots that do nothing wrong. keys: of the series."""
    bots: list[object] = [{"name": name, "address": honest} for name in OTHERS]
    shutil.copytree(BOTS, folder / "bots")  # in isolation a bot sees the folder of the series and no other
    for misdeed in misdeeds:
        command = [word.replace(str(BOTS), "bots") for word in misdeed.command()]
        bots.append({"name": misdeed.bot, "run": command})
    faults = {"cost": cost.value, "quarantine_after": 1000}
    series: dict[str, object] = {"faults": faults, "groups": 1, "rules": {"target": RULES.target}, "isolation": "none"}
    path = write_series(folder, bots, format="gauntlet", bot_memory="trusted", **(series | keys))
    out = folder / "run"
    assert play_series(path, out, isolated="isolation" in keys) is RunEnd.COMPLETE
    with Run.open(out) as run:
        shared = TableRules(run.info.format, bytes.fromhex(run.info.seed), cost=cost)
        objects = [json.loads(line) for what in What for line in export(run, what)]
    games = records_of(out)
    others = {spec.index for spec, _ in games if {*spec.seats} <= {*OTHERS}}
    return Played(shared, games, [json.dumps({**one, "game_id": 0}) for one in objects if one["game_id"] in others])


def fate_of(misdeed: Misdeed, culprit: int, fault: Fault | None) -> Callable[[Turn, int], Failure | None]:
    """What becomes of a turn. culprit: its seat."""

    def fate(turn: Turn, seat: int) -> Failure | None:
        doomed = fault is not None and seat == culprit and misdeed.dooms(turn.seed, turn.view.kind)
        return Failure(fault, "") if fault is not None and doomed else None

    return fate


def places(records: Sequence[GameRecord]) -> list[list[tuple[int, int, int, Fault]]]:
    """Where the faults of each game are: seat, hand, move and kind."""
    return [[(one.seat, one.hand, one.move, one.fault) for one in record.faults] for record in records]


def same_games(got: Sequence[GameRecord], wanted: Sequence[GameRecord]) -> bool:
    """Whether games are the same, and their faults in the same places, whatever is told of them."""
    bare = [[replace(record, times=(), faults=()) for record in records] for records in (got, wanted)]
    return bare[0] == bare[1] and places(got) == places(wanted)


def assert_it_pays(misdeed: Misdeed, played: Played) -> None:
    """See the fault where it happened, at its cost, and that its other hands and games stand."""
    got = played.of(misdeed)
    assert same_games(got, played.imagined(misdeed, misdeed.fault))
    assert any(record.faults for record in got)
    assert not all(record.faults for record in got), "some of the culprit's games have to stand"
    for fault in played.faults(misdeed):
        assert fault.detail.partition("; ")[2].startswith(misdeed.detail), fault.detail


def advised(
    misdeed: Misdeed, honest: str, logs: Path, *, fault: bool = True, decision: float = LONG, bank: float = 0.0
) -> list[GameRecord]:
    """Games in which the culprit misbehaves only when it advises. See that they are what they are without it.

    fault: whether the misdeed is one at all where it is only advice.
    """

    class Adviser(Bot):
        def advise(self, turn: BotsTurn) -> Advice | None:
            doomed = not fault and misdeed.dooms(turn._message.seed, turn.kind)
            return None if doomed else Advice(self.decide(turn))

    def fate(turn: Turn, seat: int) -> Failure | None:
        doomed = fault and turn.advising and misdeed.dooms(turn.seed, turn.view.kind)
        return Failure(misdeed.fault, "") if doomed else None

    bots = (adviser(misdeed), *(inline_spec(name, address=honest) for name in OTHERS))
    crew = Crew(bots, logs, THREE_HAND, decision=decision, bank=bank)
    specs = crew.specs(1)
    got = crew.play(specs)
    assert same_games(got, [play_by(crew.shared, spec, (Adviser, Bot, Bot), fate) for spec in specs])
    unadvised = [play_by(crew.shared, spec, (Bot, Bot, Bot)) for spec in specs]
    assert [record.outcome for record in got] == [record.outcome for record in unadvised]
    assert [[hand.moves for hand in record.hands] for record in got] == [
        [hand.moves for hand in record.hands] for record in unadvised
    ]
    return got


def adviser(misdeed: Misdeed) -> BotSpec:
    """The culprit as one that misbehaves only when it advises."""
    return inline_spec(misdeed.bot, run=misdeed.command(advising=True), folder=BOTS)
