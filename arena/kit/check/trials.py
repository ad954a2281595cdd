"""The steps of a check that try a bot's nerves: much at once, what it does not know, and the same again."""

import time
from collections.abc import Sequence
from dataclasses import replace

from arena.dealer.table import Table
from arena.kit.check.candidate import Session
from arena.kit.check.scenes import EVERY_KIND, question
from arena.kit.check.steps import Check
from arena.kit.check.unknown import add_unknown_fields
from arena.protocol.v1.player_pb2 import PlayRequest
from arena.rules.actions import Action
from arena.rules.game import Play
from arena.rules.view import Advice

LARGEST_BATCH = 256
"""Turns in the largest request."""
SECONDS_A_GAME = 12
"""For many games at once, of each of the bot's games. Then they are broken off."""
MANY_TURNS = 300
"""Enough for some hands; a bot that never knocks could play on for long."""
A_LATER_NUMBER = 99
"""Of an enumeration, a value that does not exist yet."""


async def batches(check: Check) -> str:
    """Requests with 1, 16 and 256 turns, or as many as the bot wants."""
    setting = check.settings[0]
    session = await check.candidate.session(setting)
    most = session.player.max_batch or LARGEST_BATCH
    sizes = sorted({min(size, most) for size in (1, 16, LARGEST_BATCH)})
    for size in sizes:
        await session.ask([check.dealer.anywhere(setting) for _ in range(size)])
    limited = f", its max_batch is {most}" if most < LARGEST_BATCH else ""
    return f"requests with {', '.join(map(str, sizes))} turns{limited}"


async def notices(check: Check) -> str:
    """Notices of games of which the bot has seen no turn, alone and together with a turn of another game."""
    setting = check.settings[0]
    unknown = "notices of games of which the bot has seen no turn"
    async with check.candidate.fresh(setting) as session:
        await session.tell(check.dealer.finished(setting), f"a request without turns: {unknown}")
        for _ in range(check.some(4, 2)):
            session.note_over(check.dealer.finished(setting))
            table = check.dealer.anywhere(setting)
            await session.ask([table], told=f"after {unknown}: {question(table)}")
    return "answered as ever after them"


async def interleaved(check: Check) -> str:
    """Many whole games at once, all seats the bot's own, their turns in no order."""
    count = check.some(24, 8)
    turns = requests = 0
    for usual in check.some_settings:
        setting = replace(usual, target=check.some(40, 10))
        async with check.candidate.fresh(setting) as session:
            most, advises = session.player.max_batch or LARGEST_BATCH, session.player.advises
            tables = [check.dealer.table(setting, Play.GAMES, advised=advises) for _ in range(count)]
            end = time.monotonic() + SECONDS_A_GAME
            while tables and time.monotonic() < end:
                check.dealer.random.shuffle(tables)
                part = tables[:most]
                await _answered(session, part, tables)
                requests += 1
                turns += len(part)
        if tables:
            told = f"{len(tables)} of {count} games of {setting} were broken off after {SECONDS_A_GAME} s."
            check.warnings.append(told)
    return f"{count * len(check.some_settings)} games at once, {turns} turns in {requests} requests"


async def _answered(session: Session, part: Sequence[Table], tables: list[Table]) -> None:
    """Ask for the decisions of some of these tables, and go on with them; a table whose game is over is taken out."""
    actions = await session.ask(part, told=f"{len(part)} turns of as many games, in no order")
    for table, action in zip(part, actions, strict=True):
        if take(table, action):
            tables.remove(table)
            session.note_over(table)


def take(table: Table, action: Action | None) -> bool:
    """Take an answer that was judged to its table. Returns whether the game is over."""
    assert table.asked is not None
    if not table.asked.advising:
        assert action is not None
        table.decide(action)
    else:
        table.advise(None if action is None or not table.asked.view.hand else Advice(action))
    return table.asked is None


async def unknown_fields(check: Check) -> str:
    """Fields of a later version, in every message."""
    turns = 0
    for setting in check.some_settings:
        async with check.candidate.fresh(setting) as session:
            for scene in EVERY_KIND:
                table = check.dealer.at(setting, scene)
                session.note_over(check.dealer.finished(setting))
                told = f"a request with unknown fields in every message; {question(table)}"
                await session.ask([table], add_unknown_fields, told)
                turns += 1
    return f"{turns} turns"


async def unknown_values(check: Check) -> str:
    """Values of a later version where a bot can do without: an option, a legal action, a role and end in a notice."""

    def a_later_option(request: PlayRequest) -> None:
        request.setup.rules["a_later_option"] = "a_later_value"

    def later_values(request: PlayRequest) -> None:
        for turn in request.turns:
            turn.legal.append(A_LATER_NUMBER)  # type: ignore[arg-type]  # which is the point
        for notice in request.hands_over:
            notice.end = notice.role = A_LATER_NUMBER  # type: ignore[assignment]

    turns = 0
    for usual in check.some_settings:
        setting = replace(usual, target=check.some(60, 10))
        told = "a request with an option, a legal action, a role and a hand's end that are unknown as yet"
        async with check.candidate.fresh(setting, a_later_option) as session:
            table = check.dealer.table(setting, Play.GAMES)
            for _ in range(MANY_TURNS):
                (action,) = await session.ask([table], later_values, f"{told}; {question(table)}")
                turns += 1
                if take(table, action):
                    session.note_over(table)
                    break
            table = check.dealer.anywhere(setting)
            await session.ask([table], later_values, f"{told}; {question(table)}")
    return f"{turns} turns"


async def restarted(check: Check) -> str:
    """Turns in the middle of games, asked again of a new process."""
    turns = 0
    for setting in check.some_settings:
        async with check.candidate.fresh(setting) as session:
            tables = [check.dealer.table(setting, Play.GAMES) for _ in range(check.some(8, 3))]
            for table in tables:
                for _ in range(8):
                    (action,) = await session.ask([table])
                    if take(table, action):
                        break
            open_ = [table for table in tables if table.asked is not None]
            for table in open_:
                await session.ask([table])
            await session.restart()
            for table in open_:
                told = f"asked again, of a new process that has seen nothing of the game: {question(table)}"
                await session.ask([table], told=told)
                turns += 1
    return f"{turns} turns asked again in a new process"


async def repeated(check: Check) -> str:
    """The same turns with the same seeds again: alone, in a batch, in another order, in another process."""
    turns = 0
    for setting in check.some_settings:
        first = await check.candidate.session(setting)
        size = min(check.some(32, 12), first.player.max_batch or LARGEST_BATCH)
        tables = [check.dealer.anywhere(setting) for _ in range(size)]
        alone = [action for table in tables for action in await first.ask([table])]
        async with check.candidate.fresh(setting) as second:
            together = (await second.ask(tables[::-1]))[::-1]
        turns += size
        for table, one, other in zip(tables, alone, together, strict=True):
            if one != other:
                check.warnings.append(
                    f"The same turn was answered by {one}, and by {other} in a batch and another process ({setting}: "
                    f"{question(table)}). Take all randomness from the turn's seed, and nothing from earlier "
                    "turns, the clock, or the order of a hash table; else runs with this bot cannot be repeated."
                )
                break
    if check.warnings:
        return "answers differ"
    return f"{turns} turns, the same answers"
