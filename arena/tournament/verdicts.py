"""The verdict on two versions of a bot: a comparison's games, read in schedule order and brought to its gate."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import NamedTuple

from arena.errors import InputError, RunError
from arena.players.faults import Fault
from arena.records.decisions import Parting
from arena.records.store import Run
from arena.standings.luck import Luck, luck_of
from arena.standings.statistics import Estimate
from arena.tournament.comparison import NEW, OLD, Comparison, hands_a_group
from arena.tournament.config import config_of
from arena.tournament.gate import Gate, Word
from arena.tournament.pairs import Foreseen, Game, Pair, pairs_of, score_of

SHOWN = 20
"""Differences in play that are kept."""
AT_ONCE = 32
"""Groups whose luck is judged together, which is quicker."""


class Difference(NamedTuple):
    """A hand that the two versions played otherwise from some turn on, with the same cards and the same past.

    group: the deal group. hand, move: of the turn, from 1. against: the opponent; `old` where the two met.
    old_game, new_game: where each of them had that turn. old, new: what each did.
    points: what the new one made more than the old one in all of these two games, raw.
    """

    group: int
    against: str
    hand: int
    move: int
    old_game: int
    new_game: int
    old: str
    new: str
    points: float


@dataclass(frozen=True, slots=True)
class Standing:
    """How a comparison stands after some groups.

    word: once they tell. why: what the word alone does not say, a sentence or nothing.
    judged: the mean score, and half of the interval that holds at all looks. raw: the same of the bare scores.
    adjusted: of those without the luck of the draws, `None` where it is not judged.
    sd: the standard deviation of the groups' judged scores.
    ratio: the logarithm of the likelihood ratio; it tells at `limit` and at `-limit`.
    hands: played. differing: of these, in pairs, how many the two versions played differently.
    faults: by bot and kind. differences: the first.
    """

    word: Word | None
    why: str
    groups: int
    hands: int
    differing: int
    judged: Estimate
    raw: Estimate
    adjusted: Estimate | None
    sd: float
    ratio: float
    limit: float
    faults: dict[str, Counter[Fault]]
    differences: tuple[Difference, ...]


class Judge:
    """Reads a comparison's groups as they are settled, and stops at the first that makes the verdict certain.

    So the verdict hangs on the schedule, the seed and the bots alone, and not on who played what when.
    """

    def __init__(self, run: Run) -> None:
        """Raises `RunError` for a run that is no comparison, or whose scores cannot be judged here as it asks."""
        config = config_of(run.info)
        if config.compare is None:
            raise RunError(f"{run.folder}: this run is no comparison, expected one that `arena compare` has begun")
        self.gate = Gate(config.compare, config.groups)
        self._run = run
        self._names = [bot.name for bot in run.info.bots]
        self._luck = _luck_for(run, config.compare)
        self._faults: dict[str, Counter[Fault]] = {name: Counter() for name in self._names}
        self._differences: list[Difference] = []

    @property
    def hands_a_group(self) -> int:
        """Hands in a group, where each game is one."""
        return hands_a_group(len(self._names))

    @property
    def decided(self) -> bool:
        """Whether there is a verdict, `undecided` at the end of the schedule included."""
        return self.gate.word is not None

    def look(self, settled: int) -> None:
        """Judge the groups that are complete among the first `settled` games of the schedule, as far as is needed.

        Raises `InputError` where a bot does not play, so that there is nothing to judge.
        """
        size = self.hands_a_group
        first, last = self.gate.groups * size, settled // size * size - 1
        if self.decided or last < first:
            return
        groups = groupby(self._run.records(first, last), key=lambda game: game[0].index // size)
        coming = ([*games] for _, games in groups)
        while some := [*islice(coming, AT_ONCE)]:
            lucky = None if self._luck is None else Foreseen(self._luck, some)
            for games in some:
                self._judge(games, lucky)
                if self.decided:
                    return

    def standing(self) -> Standing:
        """How it stands."""
        gate = self.gate
        return Standing(
            word=gate.word,
            why=gate.why,
            groups=gate.groups,
            hands=gate.hands,
            differing=gate.differing,
            judged=gate.adjusted or gate.raw,
            raw=gate.raw,
            adjusted=gate.adjusted,
            sd=gate.judged.own_sd,
            ratio=gate.test.ratio(gate.judged),
            limit=gate.test.limit,
            faults={name: kinds for name, kinds in self._faults.items() if kinds},
            differences=tuple(self._differences),
        )

    def _judge(self, games: Sequence[Game], luck: Luck | None) -> None:
        """Take in one group. luck: who judges it."""
        self._note_faults(games)
        if self.decided:
            return
        differing, alike = 0, True
        for pair in pairs_of(games):
            if pair.is_alike:
                continue
            alike = False
            if pair.against == OLD and len(self._differences) == SHOWN:  # it is counted, and need not be told
                differing += pair.hands
            elif pair.is_versions(part := pair.parting):
                differing += pair.hands
                if len(self._differences) < SHOWN:
                    self._differences.append(_difference(pair, part))
        self.gate.add(score_of(games, self._names, luck, differing, alike=alike))

    def _note_faults(self, games: Sequence[Game]) -> None:
        """Count faults. A bot that does not play ends it: the new version has failed, others leave nothing to judge."""
        barred = set()
        see = f"see: arena faults {self._run.folder}"
        for spec, record in games:
            for fault in record.faults:
                bot = spec.seats[fault.seat]
                if fault.fault is Fault.NEVER_READY:
                    raise InputError(f"'{bot}' does not get ready to play: {fault.detail}; {see}")
                if fault.fault is Fault.QUARANTINED:
                    barred.add(bot)
                else:
                    self._faults[bot][fault.fault] += 1
        if others := [bot for bot in self._names if bot in barred and bot != NEW]:
            raise InputError(f"'{others[0]}' has used up its faults, so that there is nothing to compare with; {see}")
        if barred:
            self.gate.fail(f"The new version has used up its faults; {see}")


def _difference(pair: Pair, part: Parting) -> Difference:
    (first, _), (second, _) = pair.games
    did = {first.seats[part.seat]: (first.index, part.recorded), second.seats[part.seat]: (second.index, part.now)}
    (old_game, old), (new_game, new) = did[OLD], did[NEW]
    return Difference(first.group, pair.against, part.hand, part.move, old_game, new_game, old, new, pair.points)


def _luck_for(run: Run, comparison: Comparison) -> Luck | None:
    if comparison.scores == "raw":
        return None
    luck = luck_of(run.info)
    if isinstance(luck, str):
        raise RunError(f"{run.folder}: this comparison is judged by luck-adjusted scores. {luck}")
    return luck
