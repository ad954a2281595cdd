"""What a bot is charged with, on a clock of the test's own; nobody waits."""

import asyncio
import math
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from arena.players import clock
from arena.players.clock import BEAT, Measure, Presence, Stopwatch, ceiling
from arena.players.limit import Limit
from arena.players.processor import Processor, Sample


class Time:
    """The clocks of this machine, and of a bot, in seconds."""

    def __init__(self) -> None:
        self.wall = 1000.0
        self.arena = 7.0
        self.bot = 3.0
        self.waited = 0.0

    def monotonic(self) -> float:
        return self.wall

    def thread_time(self) -> float:
        return self.arena

    def pass_by(self, seconds: float, *, arena: float = 0.0, bot: float = 0.0, waited: float = 0.0) -> None:
        """Time passes, and the arena's loop is running. The rest is what of it is whose."""
        steps = math.ceil(seconds / BEAT)
        for _ in range(steps):
            self.wall += seconds / steps
            self.arena += arena / steps
            self.bot += bot / steps
            self.waited += waited / steps
            Presence.here()._beat()

    def stop(self, seconds: float, *, bot: float = 0.0, beat: bool = False) -> None:
        """Time passes while the arena is not there. beat: whether its sign of life comes first thereafter."""
        self.wall += seconds
        self.bot += bot
        if beat:
            Presence.here()._beat()


class FakeProcessor(Processor):
    """Of a bot that waits for a processor as the test says."""

    def __init__(self, time: Time) -> None:
        super().__init__(0, 0)
        self._time = time

    def own(self) -> float:
        return self._time.bot

    def sample(self) -> Sample:
        return Sample(self._time.wall, self._time.bot, {1: self._time.waited})


Script = Callable[[Time, Stopwatch], None]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[[Script, Measure], None]:
    def whole(script: Script, measure: Measure = Measure.WALL) -> None:
        async def inside() -> None:
            time = Time()
            monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=time.monotonic, thread_time=time.thread_time))
            watch = Stopwatch(measure, FakeProcessor(time))
            time.pass_by(BEAT)
            watch.start()
            script(time, watch)

        asyncio.run(inside())

    return whole


Run = Callable[..., None]


def test_the_work_of_the_arena_is_not_charged(run: Run) -> None:
    def script(time: Time, watch: Stopwatch) -> None:
        time.pass_by(1.0, arena=0.75)
        assert watch.left(1.0) == pytest.approx(0.75)
        assert watch.spent == pytest.approx(0.25)
        watch.start()
        assert watch.spent == 0.0
        assert watch.left(1.0) == pytest.approx(1.0)

    run(script)


def test_a_quiet_arena_that_gives_signs_of_life_is_there(run: Run) -> None:
    def script(time: Time, watch: Stopwatch) -> None:
        time.pass_by(1.0)
        assert watch.left(2.0) == pytest.approx(1.0)

    run(script)


def test_the_time_in_which_a_bot_is_away_counts_for_nothing(run: Run) -> None:
    def script(time: Time, watch: Stopwatch) -> None:
        time.pass_by(0.25)
        watch.hold(30.0)
        time.pass_by(10.0, arena=4.0)
        assert watch.left(1.0) == pytest.approx(0.75)
        assert watch.pause(1.0) == pytest.approx(20.0)
        watch.go_on()
        watch.go_on()
        assert watch.left(1.0) == pytest.approx(0.75)
        time.pass_by(0.25, arena=0.125)
        assert watch.left(1.0) == pytest.approx(0.625)
        assert watch.spent == pytest.approx(0.375)

    run(script)


def test_a_bot_that_is_away_is_not_waited_for_without_end(run: Run) -> None:
    """Each time that it is away has its limit, also in one wait: how often and how long in all, its door counts."""

    def script(time: Time, watch: Stopwatch) -> None:
        for _ in range(2):
            watch.hold(30.0)
            time.pass_by(20.0)
            watch.hold(30.0)
            assert watch.pause(1.0) == pytest.approx(10.0)
            watch.go_on()
        watch.hold(30.0)
        time.pass_by(31.0)
        assert watch.pause(1.0) == 0.0
        assert watch.held
        watch.start()
        assert not watch.held
        watch.hold(30.0)
        assert watch.pause(1.0) == pytest.approx(30.0)

    run(script)


def test_the_way_there_and_back_is_not_charged(run: Run) -> None:
    def script(time: Time, watch: Stopwatch) -> None:
        watch.network = 0.25
        time.pass_by(0.125)
        assert watch.left(1.0) == pytest.approx(1.0)
        assert watch.spent == 0.0
        time.pass_by(1.0)
        assert watch.left(1.0) == pytest.approx(0.125)
        watch.start()
        assert watch.left(1.0) == pytest.approx(1.0)

    run(script)


@pytest.mark.parametrize("beat", [False, True])
def test_the_time_in_which_the_arena_was_not_there_is_not_charged(run: Run, beat: bool) -> None:
    def script(time: Time, watch: Stopwatch) -> None:
        time.pass_by(BEAT)
        time.stop(60.0, beat=beat)  # whichever comes first when it goes on: its sign of life, or the answer
        assert watch.left(1.0) == pytest.approx(1.0 - BEAT - clock.LATE)
        time.pass_by(0.5)
        assert watch.left(1.0) == pytest.approx(0.5 - BEAT - clock.LATE, abs=BEAT)

    run(script)


def test_a_bot_that_ran_while_the_arena_was_not_there_is_charged_with_that(run: Run) -> None:
    def script(time: Time, watch: Stopwatch) -> None:
        time.stop(60.0, bot=45.0)
        watch.left(1.0)
        assert watch.spent == pytest.approx(45.0)
        watch.start()
        time.stop(60.0, bot=600.0)  # on many processors, but there was not more time
        watch.left(1.0)
        assert watch.spent == pytest.approx(60.0)

    run(script)


def test_by_the_processor_nothing_else_is_charged_up_to_the_ceiling(run: Run) -> None:
    def script(time: Time, watch: Stopwatch) -> None:
        time.pass_by(2.5, bot=0.1)
        assert watch.left(1.0) == pytest.approx(0.9)
        assert watch.spent == pytest.approx(0.1)
        time.pass_by(ceiling(1.0), arena=ceiling(1.0))
        assert watch.left(1.0) <= 0.0
        assert watch.spent == pytest.approx(0.1)

    run(script, Measure.CPU)


def test_on_the_wall_the_ceiling_holds_for_one_who_keeps_the_arena_busy(run: Run) -> None:
    def script(time: Time, watch: Stopwatch) -> None:
        time.pass_by(ceiling(1.0) - 0.5, arena=ceiling(1.0) - 0.5)
        assert watch.left(1.0) == pytest.approx(0.5)
        time.pass_by(0.5, arena=0.5)
        assert watch.left(1.0) == pytest.approx(0.0, abs=1e-9)

    run(script)


@pytest.mark.parametrize(
    ("measure", "waited", "bot", "starved"),
    [
        (Measure.WALL, 0.9, 0.05, True),
        (Measure.WALL, 0.0, 0.0, False),  # it slept
        (Measure.WALL, 0.9, 0.5, False),  # it was in its own way
        (Measure.WALL, 1.9, 1.1, False),  # it had all the time it may have
        (Measure.CPU, 0.9, 0.05, True),
        (Measure.CPU, 1.9, 1.1, False),
    ],
)
def test_a_bot_is_starved_that_had_no_processor(
    run: Run, measure: Measure, waited: float, bot: float, starved: bool
) -> None:
    def script(time: Time, watch: Stopwatch) -> None:
        time.waited += 50.0
        assert watch.pause(1.0) == pytest.approx(0.5)  # nobody looks before half of the time is over
        assert not watch.starved(1.0)
        time.pass_by(0.6, bot=0.6)
        assert watch.pause(1.0) == pytest.approx(0.4)
        time.pass_by(1.0, bot=bot, waited=waited)
        watch.pause(1.0)  # the first look counts
        assert watch.starved(1.0) is starved

    run(script, measure)


def test_what_comes_when_the_time_is_over_is_late_though_no_timer_was_due(run: Run) -> None:
    def script(time: Time, watch: Stopwatch) -> None:
        limit = Limit()
        limit.of(1.0, watch)
        time.pass_by(0.999)
        limit.check()
        time.pass_by(0.002)
        with pytest.raises(TimeoutError):
            limit.check()

    run(script)


def test_a_timer_that_is_due_while_less_is_charged_is_set_again() -> None:
    class Slow(Stopwatch):
        """Charges little at first."""

        pauses: tuple[float, ...] = (0.01, 0.01, 0.002, 0.0)

        def pause(self, limit: float) -> float:
            assert limit == 0.01
            pause, *rest = self.pauses
            self.pauses = tuple(rest)
            return pause

    async def script() -> None:
        limit, watch = Limit(), Slow()
        with pytest.raises(TimeoutError), limit.of(0.01, watch):
            await asyncio.get_running_loop().create_future()
        assert watch.pauses == ()

    asyncio.run(script())
