"""Open files: how many a run needs, and how much of it fits below the limit of this machine.

Every process has its own count. A worker needs some for each bot that it keeps running, the coordinator some for each
worker. The numbers are measured, with room to spare.
"""

from dataclasses import dataclass

from arena.errors import HostError

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

WORKER, BOT, START = 36, 4, 10
"""Of a worker: its own, those for a bot, and as many more for a bot that is being started."""
COORDINATOR, LINK = 32, 4
"""Of the coordinator: its own, and those for a worker."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """What fits.

    workers: processes. crews: how many a worker keeps running. told: what was cut down and why, a line; or empty.
    """

    workers: int
    crews: int
    told: str = ""


def fitting(workers: int, crews: int, seats: int) -> Fitting:
    """Raise the limit on open files as far as is needed, and cut down what does not fit below it.

    workers, crews: what is wanted. seats: bots in a crew. Raises `HostError` where nothing fits.
    """
    wanted = Fitting(workers, crews)
    limit = _raised(max(_of_coordinator(workers), _of_worker(crews, seats)))
    if limit is None:
        return wanted
    fits = Fitting(
        min(workers, (limit - COORDINATOR) // LINK), min(crews, (limit - WORKER - START * seats) // (BOT * seats))
    )
    where = f"the limit on open files is {limit} (ulimit -n)"
    least = max(_of_coordinator(1), _of_worker(1, seats))
    if fits.workers < 1 or fits.crews < 1:
        raise HostError(f"{where}, and a run needs {least} at least: raise it, such as with `ulimit -n 1024`")
    if fits == wanted:
        return wanted
    cut = [
        f"{has} {what} instead of {wants}"
        for has, wants, what in (
            (fits.workers, workers, "workers"),
            (fits.crews, crews, "groups of bots kept running by a worker"),
        )
        if has < wants
    ]
    return Fitting(fits.workers, fits.crews, f"{where}: {', '.join(cut)}")


def _of_coordinator(workers: int) -> int:
    return COORDINATOR + LINK * workers


def _of_worker(crews: int, seats: int) -> int:
    return WORKER + (BOT * crews + START) * seats


def _raised(needed: int) -> int | None:
    """The limit of this process and those that it starts, raised where it has to be; `None` for none."""
    if resource is None:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return None
    if soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft
