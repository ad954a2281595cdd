"""The steps of a check that ask for each kind of decision.

A step returns what it has seen, or raises `StepFailedError`.
"""

from dataclasses import dataclass, field

from arena.dealer.table import Table
from arena.kit.check.candidate import Candidate, Clock, Session
from arena.kit.check.scenes import ADVISING, CAPTAIN, EVERY_KIND, LAST_DISCARD, Dealer, Scene, Setting
from arena.players.faults import Failure
from arena.players.player import Player
from arena.rules.actions import Action, ActionKind
from arena.rules.view import GameKind


class SkippedError(Exception):
    """A step makes no sense for this bot: why."""


@dataclass
class Check:
    """A check under way: what all its steps use, and what they find."""

    candidate: Candidate
    dealer: Dealer
    quick: bool
    warnings: list[str] = field(default_factory=list)
    meeting: Failure | None = None
    """What went wrong with Hello, once the bot listened."""
    first: Player | None = None
    """The process that was started first."""

    @property
    def clock(self) -> Clock:
        """The limits."""
        return self.candidate.clock

    @property
    def settings(self) -> list[Setting]:
        """The games of the bot, with hints."""
        return [Setting(game) for game in self.candidate.spec.games]

    @property
    def some_settings(self) -> list[Setting]:
        """The same; in a quick check the first alone, where games hardly differ."""
        return self.settings[:1] if self.quick else self.settings

    def some(self, full: int, quick: int) -> int:
        """How many: in a full check, and in a quick one."""
        return quick if self.quick else full


async def asked(check: Check, scene: Scene) -> str:
    """A kind of decision in every game of the bot."""
    answers = [action for setting in check.settings for action in await _answers(check, setting, scene)]
    return _counted(answers)


async def last_discard(check: Check) -> str:
    """The last discard, and the knock that has to follow where the bot takes it."""
    taken = times = 0
    for setting in check.settings:
        session = await check.candidate.session(setting)
        for _ in range(check.some(6, 2)):
            table = check.dealer.at(setting, LAST_DISCARD)
            times += 1
            if await _last_discard(session, table):
                taken += 1
    return f"{times} turns: {times - taken} left, {taken} taken to knock"


async def _last_discard(session: Session, table: Table) -> bool:
    (action,) = await session.ask([table])
    assert action is not None
    if action.kind is not ActionKind.PILE:
        return False
    table.decide(action)
    await session.ask([table])
    return True


async def captain(check: Check) -> str:
    """A captain who has been advised."""
    setting = _three_hand(check)
    answers = await _answers(check, setting, CAPTAIN)
    return _counted(answers)


async def advice(check: Check) -> str:
    """Advice, with all that an adviser may see, and with what is public."""
    answers, dropped = list[Action | None](), list[str]()
    for setting in (_three_hand(check), Setting(GameKind.THREE_HAND, adviser_view="public")):
        session = await check.candidate.session(setting)
        if not session.player.advises:
            raise SkippedError("does not want to be asked for advice")
        answers += await _answers(check, setting, ADVISING)
        dropped += session.dropped
    given = sum(action is not None for action in answers)
    if dropped:
        check.warnings.append(f"{len(dropped)} pieces of advice would be dropped, the first: {dropped[0]}.")
    return f"{len(answers)} turns, advice in {given}"


def _three_hand(check: Check) -> Setting:
    if GameKind.THREE_HAND not in check.candidate.spec.games:
        raise SkippedError("three-hand is none of its games")
    return Setting(GameKind.THREE_HAND)


async def without_hints(check: Check) -> str:
    """Every kind of decision in every game, without hints."""
    turns = 0
    for with_hints in check.settings:
        setting = Setting(with_hints.game, hints=False)
        for scene in EVERY_KIND:
            if scene is not LAST_DISCARD:
                turns += len(await _answers(check, setting, scene, check.some(4, 1)))
                continue
            session = await check.candidate.session(setting)
            await _last_discard(session, check.dealer.at(setting, scene))
            turns += 1
    return f"{turns} turns"


async def _answers(check: Check, setting: Setting, scene: Scene, times: int | None = None) -> list[Action | None]:
    """What the bot does at so many decisions of a kind."""
    session = await check.candidate.session(setting)
    tables = [check.dealer.at(setting, scene) for _ in range(times or check.some(8, 3))]
    return [action for table in tables for action in await session.ask([table])]


def _counted(answers: list[Action | None]) -> str:
    """Such as `24 turns: 20 discard, 4 knock`."""
    kinds = [action.kind for action in answers if action is not None]
    counts = ", ".join(f"{kinds.count(kind)} {_word(kind)}" for kind in ActionKind if kind in kinds)
    return f"{len(answers)} turns: {counts}"


def _word(kind: ActionKind) -> str:
    return kind.name.lower().replace("_", " ")
