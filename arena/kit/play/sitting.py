"""A person plays a game with bots: one table, its bots as processes, and questions to the person in between."""

import asyncio
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from arena.dealer.table import Table, TableRules
from arena.dealer.values import GameSpec
from arena.dealing import master_seed, role_draw
from arena.errors import BadDecision, IllegalAction, InputError, printable
from arena.kit.check.candidate import Clock
from arena.kit.play import hints
from arena.kit.play.hints import Hinter
from arena.kit.play.opponent import Opponent, refusal
from arena.kit.play.person import help_lines, question, read_action
from arena.kit.play.screen import ME, YOU, Screen, carded
from arena.kit.play.story import Story
from arena.players.faults import Failure, Fault
from arena.players.spec import BotSpec
from arena.protocol import codec
from arena.protocol.v1.player_pb2 import PlayRequest
from arena.rules.game import GameFormat
from arena.rules.view import Advice, GameKind, Turn
from arena.rules.words import Words


class Terminal(Protocol):
    """Where the person sits."""

    def show(self, words: Words) -> None:
        """Show a line."""

    def ask(self) -> str | None:
        """What the person answers, a line; `None` at the end of input. Raises `KeyboardInterrupt`."""


class LeftError(Exception):
    """The person has left the table."""


async def sit_down(
    format_: GameFormat, specs: Sequence[BotSpec], seed: str, terminal: Terminal, *, show_all: bool = False
) -> None:
    """Play a game with these bots to its end, or until the person leaves.

    show_all: show the bots' hands as well. Raises `StepFailedError` for a bot that does not start.
    """
    clock = Clock()
    names = [YOU]
    for spec in specs:
        number = next(number for number in range(1, 4) if _numbered(spec.name, number) not in names)
        names.append(_numbered(spec.name, number))
    with tempfile.TemporaryDirectory(prefix="gin-play-") as logs:
        bots = [Opponent(name, spec, clock, Path(logs)) for name, spec in zip(names[1:], specs, strict=True)]
        hinter = Hinter(setup_of(format_), clock, Path(logs))
        try:
            for bot in bots:
                await bot.start()
            await _Sitting(format_, bots, hinter, seed, terminal, clock, show_all=show_all).play()
        finally:
            await asyncio.gather(hinter.close(), *(bot.close() for bot in bots))


def setup_of(format_: GameFormat) -> PlayRequest:
    """What a request begins with."""
    setup = codec.setup_message(format_.game, format_.hollywood, format_.rules.as_text(), hints=True)
    return PlayRequest(setup=setup)


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name} {number}"


class _Sitting:
    """A game in progress. The person has seat 0, the bots the others."""

    def __init__(
        self,
        format_: GameFormat,
        bots: Sequence[Opponent],
        hinter: Hinter,
        seed: str,
        terminal: Terminal,
        clock: Clock,
        *,
        show_all: bool,
    ) -> None:
        """Deal the first hand; the bots are ready."""
        self._head = setup_of(format_)
        self._bots = bots
        self._hinter = hinter
        self._terminal = terminal
        self._show_all = show_all
        self._names = (YOU, *[bot.name for bot in bots])
        self._screen = Screen(format_, self._names)
        self._hands = 0
        shared = TableRules(format_, master_seed(seed), decision_ms=int(clock.decision * 1000))
        three_hand = format_.game is GameKind.THREE_HAND
        advisers = (three_hand, *[bot.advises for bot in bots])
        self._table = Table(GameSpec(0, 0, 0, self._names), shared, advisers)
        self._say(self._screen.opening(seed, role_draw(shared.seed, 0) if three_hand else None))

    async def play(self) -> None:
        """Play to the end, or until the person leaves."""
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

    async def _play_hand(self) -> None:
        table = self._table
        hand = self._hand = table.hand
        roles = self._roles = table.roles
        self._story = Story(self._screen, hand, roles)
        self._say([[], *self._screen.deal(self._hands + 1, roles, hand)])
        while hand.result is None:
            turn = table.asked
            assert turn is not None
            if table.seat == ME:
                await self._ask_person(turn)
            else:
                await self._ask_bot(turn, self._bots[table.seat - 1])
            self._say(self._story.go_on())
        self._hands += 1
        self._say(self._story.go_on(to_the_end=True))
        self._say([[], *self._screen.showdown(hand, roles, hand.result)])
        self._say([[], *self._screen.board(table.game)])

    # The person

    async def _ask_person(self, turn: Turn) -> None:
        """Ask until there is an answer that the table takes."""
        self._table.ended[ME].clear()
        self._say(self._story.go_on(to_the_end=True))
        captain = self._names[self._roles.nondealer] if turn.advising else ""
        self._say([[], *self._screen.state(turn, self._roles, self._shown_hands(turn))])
        if turn.advice is not None and self._roles.out is not None:
            self._say([self._screen.advice(self._roles.out, turn.advice.action, printable(turn.advice.text))])
        self._say([question(turn.view, captain)])
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

    async def _ask_bot(self, turn: Turn, bot: Opponent) -> None:
        """Ask a bot. If it fails it pays what the rules say, and is started again."""
        answer = await bot.ask(self._news(self._table.seat), turn)
        if isinstance(answer, Failure):
            self._charge(turn, bot, answer)
            await bot.recover()
            return
        try:
            action = codec.read_decision(answer)
            if turn.advising:
                self._table.advise(Advice(action, codec.read_text(answer)))
            else:
                self._table.decide(action)
        except BadDecision as error:
            if turn.advising:  # none worth having
                self._table.advise(None)
            else:
                self._charge(turn, bot, refusal(turn, answer, error, in_full=self._show_all))

    def _charge(self, turn: Turn, bot: Opponent, failure: Failure) -> None:
        """Tell of a bot's fault, and let it pay."""
        self._say(self._story.go_on(to_the_end=True))
        detail = printable(failure.detail)
        self._say([[("name", bot.name), ("fault", f" fails ({failure.fault}): "), *carded(detail)]])
        self._say([("", f"    | {line}")] for line in bot.printed())
        if turn.advising:
            self._say([[("", "It was asked for advice, and that costs nothing.")]])
        elif failure.fault is Fault.NEVER_READY:
            self._say([[("", "It cannot be started again, and forfeits the game.")]])
        self._table.fault(failure)

    def _news(self, seat: int) -> PlayRequest:
        """A request with what the bot in a seat has not been told yet."""
        request = PlayRequest()
        request.CopyFrom(self._head)
        for notice in self._table.take_ended(seat):
            codec.add_hand_over(request, notice)
        return request

    async def _say_game_over(self) -> None:
        """Tell the bots that the game is over."""
        for seat, bot in enumerate(self._bots, 1):
            request = self._news(seat)
            codec.add_game_over(request, self._table.game_over(seat))
            await bot.tell(request)

    def _say(self, lines: Iterable[Words]) -> None:
        for words in lines:
            self._terminal.show(words)
