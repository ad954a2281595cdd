"""Plays one series in a process of its own, so that dealing never holds up the server; `python -m arena.server.child`.

It is told by a line of JSON on standard input what to play, and tells on standard output what happens, an object a
line, each with its `event`. The end of its input is the signal to stop, so it comes too when the server is killed.
"""

import _thread
import json
import os
import signal
import sys
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

from arena.dealer.values import GameRecord
from arena.documents import parse_document
from arena.errors import ArenaError, printable
from arena.locks import LockedError, locked
from arena.players.faults import Fault
from arena.records import database
from arena.records.store import Run
from arena.server.visibility import MOST_OUTPUT, hidden_to_the_end, on_its_own
from arena.tournament.isolating import isolation_elsewhere, isolation_of, isolation_report
from arena.tournament.mustering import cluster_of
from arena.tournament.results import write_results
from arena.tournament.runner import Progress, RunEnd, Runner
from arena.tournament.running import begin, built, changed_bots, runner_of, take_up
from arena.tournament.series import Series, series_of

MOST_FAULTS = 50
"""Faults of one commit that are told one by one; of more only how many."""
PATIENCE = 30.0
"""Seconds that another process gets to let go of the run: one that was stopped needs a few."""


@dataclass(frozen=True, slots=True)
class Orders:
    """What to play.

    folder: of the run, which is begun where it is not there. source: the file of the series, its paths relative to its
    folder. name: what that file is called. addresses: where the bots listen that have dialled in, by name.
    workers, cluster: instead of the series' own. secret_runs: the folder with all runs, which no bot may see.
    """

    folder: str
    source: str
    name: str
    secret_runs: str
    addresses: Mapping[str, str] = field(default_factory=dict)
    workers: int | None = None
    cluster: str | None = None

    def text(self) -> str:
        """As a line of JSON, which `of` reads."""
        return json.dumps(asdict(self)) + "\n"

    @classmethod
    def of(cls, line: str) -> "Orders":
        """The orders of a line."""
        return cls(**json.loads(line))


class Voice:
    """Tells the server what happens. A server that is gone is not told any more, and nothing fails for that."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def tell(self, event: str, **said: object) -> None:
        """Say a line. event: what kind it is."""
        with self._lock, suppress(OSError, ValueError):
            print(json.dumps({"event": event, **said}), file=self._stream, flush=True)


class TellingRun(Run):
    """A run that tells the faults of each commit."""

    voice: Voice | None = None

    def commit(self, records: Iterable[GameRecord], *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - see `Run`
        """Write finished games down, see `Run.commit`, then tell their faults."""
        kept = list(records)
        super().commit(kept, *args, **kwargs)
        # A game that was lost unplayed is the consequence of faults that were told before.
        faults = [(record.index, one) for record in kept for one in record.faults if one.fault is not Fault.QUARANTINED]
        if not faults or self.voice is None:
            return
        told, to_the_end = [], hidden_to_the_end(self)
        for index, fault in faults[:MOST_FAULTS]:
            spec, _ = self.record(index)
            told.append(
                {
                    "bot": spec.seats[fault.seat],
                    "game": index,
                    "seen": on_its_own(spec) and not to_the_end,
                    "hand": fault.hand,
                    "kind": fault.fault,
                    "told": fault.detail,
                    "output": fault.output[-MOST_OUTPUT:],
                }
            )
        self.voice.tell("faults", faults=told, left_out=len(faults) - len(told))


class Stop:
    """Stops what is played once the input ends, or a signal comes; before that, what is prepared for it."""

    def __init__(self) -> None:
        self._runner: Runner | None = None
        self._came = False

    def now(self, *_: object) -> None:
        """Stop."""
        self._came = True
        if self._runner is not None:
            self._runner.interrupt()
        else:  # a bot may be being built: what waits for that is interrupted as by Ctrl-C
            _interrupt_main_thread()

    def hold(self, runner: Runner) -> None:
        """From now on this is what is to be stopped."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._runner = runner
        if self._came:
            runner.interrupt()

    def follow(self, stream: TextIO) -> None:
        """Stop when the stream ends."""
        with suppress(OSError, ValueError):
            while stream.readline():
                pass
        self.now()


def _interrupt_main_thread() -> None:
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)  # also where it waits for the system
    else:
        _thread.interrupt_main()


def play(orders: Orders, voice: Voice, stop: Stop) -> None:
    """Play what is left of the series, and tell. Raises `ArenaError`."""
    folder = Path(orders.folder)
    if folder.is_dir():
        with suppress(LockedError), locked(folder / database.LOCK, PATIENCE):
            pass  # the process that played it for a server that was killed has ended

    def building(bot: str) -> None:
        voice.tell("note", line=f"building {bot}")

    if (folder / database.FILE).is_file():
        with TellingRun.open(folder, write=True) as run:
            _play(run, take_up(run, building).reached(orders.addresses), orders, voice, stop)
        return
    source = Path(orders.source)
    text = source.read_text(encoding="utf-8")
    series = built(lambda: series_of(parse_document(text, orders.name), source.parent), building)
    begin(series, source.parent, folder).close()
    with TellingRun.open(folder, write=True) as run:
        _play(run, series.reached(orders.addresses), orders, voice, stop)


def _play(run: TellingRun, series: Series, orders: Orders, voice: Voice, stop: Stop) -> None:
    run.voice = voice
    cluster = cluster_of(series, orders.cluster)
    runs = Path(orders.secret_runs)
    isolation = isolation_of(series, runs) if cluster is None else isolation_elsewhere(series)
    for line in isolation_report(series, isolation):
        voice.tell("told", line=line.strip())
    runner = runner_of(run, series, orders.workers, isolation, lambda line: voice.tell("told", line=line), cluster)
    voice.tell("begun", commitment=run.info.commitment, games=len(run))
    stop.hold(runner)

    def report(now: Progress) -> None:
        load = now.load
        voice.tell(
            "progress",
            games_done=now.games_done,
            settled=now.settled,
            hands=now.hands,
            decisions=load.decisions,
            requests=load.requests,
            away=load.away,
            workers=now.workers,
        )

    end = runner.play(None, report)
    if end is not RunEnd.INTERRUPTED:
        write_results(run)
    for name in changed_bots(series):
        voice.tell("told", line=f"the folder of {name} has changed during the run, so that it cannot be resumed")
    void = ""
    if end is RunEnd.VOID:
        void = next((one.detail for _, one in run.voids()), "")
    voice.tell("end", how=end.value, told=void)


def main() -> None:
    """Play what the first line of the input says."""
    voice = Voice(os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8"))
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nobody else speaks there
    stop = Stop()
    signal.signal(signal.SIGTERM, stop.now)
    line = sys.stdin.readline()
    if not line:
        return
    threading.Thread(target=stop.follow, args=(sys.stdin,), daemon=True).start()
    try:
        play(Orders.of(line), voice, stop)
    except KeyboardInterrupt:
        voice.tell("end", how=RunEnd.INTERRUPTED.value, told="")
    except ArenaError as error:
        voice.tell("end", how="failed", told="\n".join(printable(part) for part in str(error).split("\n")))
    except OSError as error:
        voice.tell("end", how="failed", told=f"{error.filename or 'the machine'}: {error.strerror or error}")


if __name__ == "__main__":
    main()
