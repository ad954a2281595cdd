"""The end of a bot that is left to end by itself, and what it has printed by then."""

import asyncio

from bot_bench import LONG, SHORT, Bench


def test_a_bot_that_ends_by_itself_has_an_exit_code(bench: Bench) -> None:
    async def play() -> int | None:
        player = bench.player("says goodbye and ends")
        assert await player.start() is None
        assert player.listened
        assert player.folder is not None
        code = await player.part(LONG)
        await player.stop()
        assert player.printed() == "goodbye\n"
        return code

    assert asyncio.run(play()) == 0


def test_a_bot_that_does_not_end_has_none_and_is_ended(bench: Bench) -> None:
    async def play() -> int | None:
        player = bench.player("says goodbye")
        assert await player.start() is None
        code = await player.part(SHORT)
        await player.stop()
        return code

    assert asyncio.run(play()) is None


def test_a_bot_that_never_listened_is_known(bench: Bench) -> None:
    async def play() -> bool:
        player = bench.player("crashes at start")
        assert await player.start() is not None
        return player.listened

    assert not asyncio.run(play())


def test_a_bot_that_ends_when_its_stream_is_given_up_has_not_ended_by_itself(bench: Bench) -> None:
    async def play() -> int | None:
        player = bench.player("says goodbye and clings")
        assert await player.start() is None
        code = await player.part(SHORT)
        await player.stop()
        return code

    assert asyncio.run(play()) is None
