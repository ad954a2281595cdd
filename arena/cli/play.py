"""`arena play`."""

import secrets
import sys
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.colours import colours_wanted
from arena.cli.exits import ExitCode
from arena.errors import InputError

if TYPE_CHECKING:  # rooms are imported when a command runs
    from arena.kit.check.candidate import StepFailedError
    from arena.players.spec import BotSpec
    from arena.rules.game import GameFormat
    from arena.rules.words import Words


class _Game(StrEnum):
    GIN = "gin"
    THREE_HAND = "three-hand"
    OKLAHOMA = "oklahoma"


class _Scoring(StrEnum):
    SINGLE = "single"
    HOLLYWOOD = "hollywood"


def play(
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT", help="The folder of a bot, or a sample bot by its name; two in three-hand."),
    ],
    game: Annotated[_Game, typer.Option("--game", help="What is played.")] = _Game.GIN,
    scoring: Annotated[_Scoring, typer.Option("--scoring", help="One target, or three columns.")] = _Scoring.SINGLE,
    rules: Annotated[
        list[str] | None,
        typer.Option("--rules", metavar="KEY=VALUE", help="Options of the rules: --rules gin_bonus=20,big_gin=31."),
    ] = None,
    hands: Annotated[
        int | None, typer.Option("--hands", min=1, help="Stop after so many hands, if the target is not reached.")
    ] = None,
    seed: Annotated[str | None, typer.Option("--seed", help="Deal the cards of an earlier game again.")] = None,
    show: Annotated[bool, typer.Option("--show", help="Show the bot's cards as well.")] = False,
) -> None:
    """Play against a bot, sitting at the terminal.

    In three-hand against two: without BOT2 against two of the same. You are told what is asked; `?` tells what can be
    typed, `hint` what the sample bot `simple` would do, and `quit` ends the game. `--rules` takes every option of
    docs/rules.md and `preset`, several with commas between or given again. Answers can come from a pipe. Exits 1 for a
    bot that does not start, 2 for what is no bot, and 130 after Ctrl-C.

    \b
    Examples:
      arena play simple
      arena play my/ginny --game oklahoma --scoring hollywood
      arena play my/ginny simple --game three-hand --rules adviser_view=public
      arena play my/ginny --rules preset=pagat,big_gin=31 --hands 3 --show
    """
    import asyncio

    from arena.kit.check.candidate import StepFailedError
    from arena.kit.play.sitting import sit_down
    from arena.players.scratch import own_scratch

    format_ = _format(game, scoring, rules or [], hands)
    specs = _bots(bots, format_)
    _build(specs)
    named = secrets.token_hex(4) if seed is None else seed
    try:
        with own_scratch():
            asyncio.run(sit_down(format_, specs, named, Terminal(), show_all=show))
    except StepFailedError as failure:
        typer.echo(_words(failure), err=True, nl=False)
        raise typer.Exit(ExitCode.NO) from None


def _format(game: _Game, scoring: _Scoring, given: Sequence[str], hands: int | None) -> "GameFormat":
    """What is played. Raises `InputError`."""
    from arena.rules.game import GameFormat, Play
    from arena.rules.options import rules_from_text
    from arena.rules.view import GAMES

    texts = {}
    for setting in " ".join(given).replace(",", " ").split():
        key, equals, value = setting.partition("=")
        if not equals or not key:
            raise InputError(f"--rules: expected KEY=VALUE such as gin_bonus=20, got {setting!r}")
        texts[key] = value
    if hands is not None:
        texts["max_hands"] = str(hands)
    rules = rules_from_text(texts, oklahoma=game is _Game.OKLAHOMA)
    return GameFormat(GAMES[game.value], scoring is _Scoring.HOLLYWOOD, Play.GAMES, rules)


def _bots(given: Sequence[str], format_: "GameFormat") -> "list[BotSpec]":
    """The bots for the other seats. Raises `InputError`."""
    from arena.players.manifest import read_manifest
    from arena.players.samples import sample
    from arena.rules.view import GAME_NAMES

    others = format_.seats - 1
    name = GAME_NAMES[format_.game]
    if len(given) > others:
        raise InputError(f"expected {'one bot' if others == 1 else 'at most two bots'} for {name}, got {len(given)}")
    specs = []
    for text in given:
        spec = None if Path(text).exists() else sample(text) if Path(text).name == text else None
        specs.append(spec or read_manifest(Path(text)))
        if format_.game not in specs[-1].games:
            raise InputError(f"{text}: expected a bot that plays {name}; by its bot.yaml this one does not")
    return specs if len(specs) == others else specs * others


def _build(specs: "Sequence[BotSpec]") -> None:
    """Build what has to be built."""
    from arena.players.build import build

    for spec in {spec.folder: spec for spec in specs}.values():
        try:
            build(spec)
        except InputError as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(ExitCode.NO) from None


def _words(failure: "StepFailedError") -> str:
    """Why a bot does not start, as in `arena check`."""
    from arena.kit.check.report import Outcome, Step, tail_text

    name = failure.player.spec.name if failure.player is not None else "The bot"
    step = Step(1, "start", "Start", Outcome.FAILED, "", 0.0, (), failure.problem())
    return f"{name} does not start\n{tail_text(step)}"


class Terminal:
    """Standard input and output. Colours and the signs of suits are for a person at both ends of a terminal."""

    def __init__(self) -> None:
        self._person = sys.stdin.isatty() and sys.stdout.isatty()
        self._coloured = self._person and colours_wanted()
        self._signs = self._person and _encodable("".join(_SIGNS.values()))
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
        if self._person:
            with suppress(ImportError):
                import readline  # noqa: F401 - lets `input` edit the line and remember earlier ones

    def show(self, words: "Words") -> None:
        """Show a line."""
        print("".join([self._dressed(kind, word) for kind, word in words]).rstrip(), flush=True)

    def ask(self) -> str | None:
        """What the person types, a line; `None` at the end of input. Raises `KeyboardInterrupt`."""
        from arena.kit.interrupts import interruptible

        try:
            with interruptible():
                line = input("> ")
        except EOFError:
            print(flush=True)
            return None
        except KeyboardInterrupt:
            print(flush=True)
            raise
        if not self._person:
            print(line, flush=True)
        return line

    def _dressed(self, kind: str, word: str) -> str:
        if self._signs and kind in ("red", "black"):
            word = word[0] + _SIGNS[word[1]]
        if not self._coloured or (kind not in _COLOURS and kind not in _BOLD):
            return word
        return typer.style(word, fg=_COLOURS.get(kind), bold=kind in _BOLD or None)


_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_COLOURS = {"name": typer.colors.CYAN, "red": typer.colors.RED, "advice": typer.colors.GREEN, "fault": typer.colors.RED}
_BOLD = ("title", "score", "fault")
"""How kinds of words look (`arena.rules.words.KINDS`)."""


def _encodable(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True
