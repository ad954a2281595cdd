"""A person plays a game with bots: one table, its bots as processes, and questions to the person in between."""

import asyncio
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from arena.dealer.room import not_the_hosts
from arena.dealer.table import Table, TableRules
from arena.dealer.values import GameSpec
from arena.dealing import master_seed, role_draw
from arena.errors import BadDecision, IllegalAction, InputError, MalformedDecision
from arena.kit.check.candidate import Clock, not_ready
from arena.kit.check.report import PRINTED_LINES
from arena.kit.play import hints
from arena.kit.play.hints import Hinter
from arena.kit.play.person import help_lines, question, read_action
from arena.kit.play.screen import ME, YOU, Screen, carded
from arena.players.faults import Failure, Fault
from arena.players.manifest import BotSpec
from arena.players.player import Player
from arena.protocol import codec
from arena.protocol.v1.player_pb2 import Decision, PlayRequest
from arena.rules.actions import ActionKind
from arena.rules.game import GameFormat
from arena.rules.notices import GameOver
from arena.rules.view import Advice, GameKind, Turn
from arena.rules.words import DRAWS, Words, harmless, one_line


class Terminal(Protocol):
    """Where the person sits."""

    def show(self, words: Words) -> None:
        """Show a line."""

    def ask(self) -> str | None:
        """What the person answers, a line; `None` at the end of input. Raises `KeyboardInterrupt`."""


class LeftError(Exception):
    """The person has left the table."""


class _Bot:
    """A bot beside the person. broken: why it cannot be asked any more."""

    def __init__(self, name: str, spec: BotSpec, clock: Clock, logs: Path) -> None:
        self.name = name
        self.player = Player(spec, ready=clock.ready, goodbye=clock.goodbye, logs=logs)
        self.broken: Failure | None = None


async def sit_down(
    format_: GameFormat, specs: Sequence[BotSpec], seed: str, terminal: Terminal, *, show_all: bool = False
) -> None:
    """Play a game with these bots to its end, or until the person leaves.

    show_all: show the bots' hands as well. Raises `StepFailedError` for a bot that does not start.
    """
    clock = Clock()
    names: list[str] = [YOU]
    for spec in specs:
        number = next(n for n in range(1, 4) if _numbered(spec.name, n) not in names)
        names.append(_numbered(spec.name, number))
    with tempfile.TemporaryDirectory(prefix="gin-play-") as logs:
        bots = [_Bot(name, spec, clock, Path(logs)) for name, spec in zip(names[1:], specs, strict=True)]
        sitting = _Sitting(format_, bots, seed, terminal, clock, Path(logs), show_all)
        try:
            for bot, failure in zip(bots, await asyncio.gather(*(bot.player.start() for bot in bots)), strict=True):
                if failure is not None and not_the_hosts(failure):
                    raise not_ready(bot.player, failure, clock)
            await sitting.play()
        finally:
            await sitting.close()


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name} {number}"


class _Sitting:
    """A game in progress. The person has seat 0, the bots the others."""

    def __init__(
        self,
        format_: GameFormat,
        bots: Sequence[_Bot],
        seed: str,
        terminal: Terminal,
        clock: Clock,
        logs: Path,
        show_all: bool,
    ) -> None:
        setup = codec.setup_message(format_.game, format_.hollywood, format_.rules.as_text(), hints=True)
        self._head = PlayRequest(setup=setup)
        self._format = format_
        self._bots = bots
        self._seed = seed
        self._terminal = terminal
        self._clock = clock
        self._show_all = show_all
        self._screen = Screen(format_, [YOU, *[bot.name for bot in bots]])
        self._hinter = Hinter(self._head, clock, logs)
        self._hands = 0

    async def play(self) -> None:
        """Play to the end, or until the person leaves."""
        shared = TableRules(self._format, master_seed(self._seed), decision_ms=int(self._clock.decision * 1000))
        spec = GameSpec(0, 0, 0, (YOU, *[bot.name for bot in self._bots]))
        three_hand = self._format.game is GameKind.THREE_HAND
        self._table = Table(spec, shared, (three_hand, *[bot.player.advises for bot in self._bots]))
        self._say(self._screen.opening(self._seed, role_draw(shared.seed, 0) if three_hand else None))
        try:
            while self._table.asked is not None:
                await self._play_hand()
        except (LeftError, KeyboardInterrupt, asyncio.CancelledError) as reason:
            self._say([self._screen.so_far(self._table.game.totals, self._hands)])
            if not isinstance(reason, LeftError):
                raise
            return
        self._say(self._screen.over(self._table.record().outcome, self._hands))
        await self._say_game_over()

    async def close(self) -> None:
        """End every process."""
        await asyncio.gather(self._hinter.close(), *(bot.player.stop() for bot in self._bots))

    async def _play_hand(self) -> None:
        table = self._table
        self._hand, self._roles = table.hand, table.roles
        self._seen = 0
        self._say([[], *self._screen.deal(self._hands + 1, self._roles, self._hand)])
        while self._hand.result is None:
            turn = table.asked
            assert turn is not None
            if table.seat == ME:
                await self._ask_person(turn)
            else:
                await self._ask_bot(turn, self._bots[table.seat - 1])
            self._narrate()
        self._hands += 1
        self._narrate(to_the_end=True)
        self._say([[], *self._screen.showdown(self._hand, self._roles, self._hand.result)])
        self._say([[], *self._screen.board(table.game)])

    # What others do

    def _narrate(self, *, to_the_end: bool = False) -> None:
        """Tell what the others have done since: whole turns, or all there is."""
        history = self._hand.deal.history
        turn: list[tuple[ActionKind, int]] = []
        at = self._seen
        while at < len(history):
            position, kind, card = history[at] >> 4, ActionKind(history[at] & 15), history[at + 1]
            seat = self._roles.seat(position)
            at += 2
            if seat == ME:
                if kind is ActionKind.STOCK and at > 2 and history[at - 4] & 15 == ActionKind.PASS:
                    self._say([self._screen.forced()])
            elif kind is not ActionKind.DEFEND:
                turn.append((kind, card))
                if kind in DRAWS and at == len(history) and not to_the_end:
                    return  # the turn goes on
                if kind not in DRAWS or to_the_end:
                    self._say([self._screen.did(seat, turn)])
                    turn = []
            self._seen = at

    # The person

    async def _ask_person(self, turn: Turn) -> None:
        """Ask until there is an answer that the table takes."""
        self._table.ended[ME].clear()
        self._narrate(to_the_end=True)
        view, captain = turn.view, self._table.spec.seats[self._roles.nondealer] if turn.advising else ""
        self._say([[], *self._screen.state(turn, self._roles, self._shown_hands(turn))])
        if turn.advice is not None and self._roles.out is not None:
            self._say([self._screen.advice(self._roles.out, turn.advice.action, one_line(turn.advice.text))])
        self._say([question(view, captain)])
        while True:
            line = self._terminal.ask()
            if line is None:
                raise LeftError
            try:
                if await self._answered(turn, line.strip()):
                    return
            except (InputError, BadDecision) as error:
                self._say([carded(str(error))])

    async def _answered(self, turn: Turn, line: str) -> bool:
        """Do what a line says. Returns whether it was the answer, and not a wish of another kind.

        Raises `InputError` or `BadDecision` for what is neither.
        """
        word = line.lower()
        if word in ("quit", "q", "exit"):
            raise LeftError
        if word in ("?", "help"):
            self._say([carded(f"  {told}") for told in help_lines(turn.view, turn.advising)])
        elif word in ("hint", "h"):
            self._say([await self._hint_for(turn)])
        elif word == "look":
            self._say([self._screen.pile(turn)])
        elif word == "sort":
            self._screen.by_suit = not self._screen.by_suit
            self._say([self._screen.hand(turn, self._roles)])
        elif turn.advising:
            self._advise(turn, line)
            return True
        else:
            self._table.decide(read_action(line, turn.view))
            return True
        return False

    def _advise(self, turn: Turn, line: str) -> None:
        """Take the person's advice. Whether cards that it may not see allow the advice it is not told."""
        said, _, text = line.partition(";")
        if not said.strip():
            self._table.advise(None)
            return
        advice = Advice(read_action(said, turn.view), text.strip()[: codec.MAX_TEXT])
        try:
            self._table.advise(advice)
        except IllegalAction:
            if turn.view.hand:
                raise
            self._table.advise(None)

    def _shown_hands(self, turn: Turn) -> dict[int, int]:
        """The hands of others to be shown, by seat."""
        if not self._show_all:
            return {}
        held = zip((self._roles.nondealer, self._roles.dealer), self._hand.deal.masks, strict=True)
        own = self._roles.nondealer if turn.advising and turn.view.hand else ME
        return {seat: mask for seat, mask in held if seat not in (ME, own)}

    async def _hint_for(self, turn: Turn) -> Words:
        """What the sample bot would do: it is asked, once a turn."""
        if not turn.view.hand:
            return [("", "no hint: the captain's cards cannot be seen")]
        action = await self._hinter.hint(turn)
        if action is None:
            return [("", f"no hint: {hints.NAME} cannot be asked")]
        return [("name", hints.NAME), ("", " would "), *self._screen.told(action)]

    # A bot

    async def _ask_bot(self, turn: Turn, bot: _Bot) -> None:
        """Ask a bot. If it fails it pays what the rules say, and is started again."""
        if bot.broken is not None:
            self._fault(turn, bot, bot.broken)
            return
        request = self._request()
        for notice in self._table.ended[self._table.seat]:
            codec.add_hand_over(request, notice)
        self._table.ended[self._table.seat].clear()
        codec.add_turn(request, turn, int(self._clock.bank * 1000))
        answer = await bot.player.exchange(request, [turn.id], self._clock.limit(1))
        if answer.failure is None:
            self._take(turn, bot, answer.decisions[turn.id])
        else:
            self._fault(turn, bot, answer.failure)
            bot.broken = not_the_hosts(await bot.player.restart())

    def _take(self, turn: Turn, bot: _Bot, decision: Decision) -> None:
        """Give a bot's decision to the table. Advice that is none is dropped; a decision that is none is a fault."""
        said = "it gave no action"
        try:
            action = codec.read_decision(decision)
            said = f"it said {action}"
            if turn.advising:
                self._table.advise(Advice(action, codec.read_text(decision)))
            else:
                self._table.decide(action)
        except BadDecision as error:
            if turn.advising:
                self._table.advise(None)
                return
            # What would have been legal tells of the bot's cards.
            malformed = isinstance(error, MalformedDecision)
            told = str(error) if malformed or self._show_all else said
            fault = Fault.MALFORMED if malformed else Fault.ILLEGAL
            self._fault(turn, bot, Failure(fault, f"{turn.view.kind.name.lower()} asked; {told}"))

    def _fault(self, turn: Turn, bot: _Bot, failure: Failure) -> None:
        """Tell of a fault, and charge it."""
        detail = one_line(failure.detail.partition("; its last words: ")[0])
        self._say([[("name", bot.name), ("fault", f" fails ({failure.fault}): "), *carded(detail)]])
        printed = bot.player.printed().rstrip().splitlines()[-PRINTED_LINES:]
        self._say([[("", f"    | {harmless(line)}")] for line in printed])
        if turn.advising:
            self._say([[("", "It was asked for advice: that costs nothing.")]])
        elif failure.fault is Fault.NEVER_READY:
            self._say([[("", "It cannot be started again, and forfeits the game.")]])
        self._table.fault(failure)

    def _request(self) -> PlayRequest:
        request = PlayRequest()
        request.CopyFrom(self._head)
        return request

    async def _say_game_over(self) -> None:
        """Tell the bots that the game is over."""
        table = self._table
        for seat, bot in enumerate(self._bots, 1):
            if bot.broken is None:
                request = self._request()
                for notice in table.ended[seat]:
                    codec.add_hand_over(request, notice)
                codec.add_game_over(request, GameOver(table.game_ids[seat], table.final_totals(seat)))
                await bot.player.exchange(request, [], self._clock.limit(0))

    def _say(self, lines: Iterable[Words]) -> None:
        for words in lines:
            self._terminal.show(words)
