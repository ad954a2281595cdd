"""A Dask cluster on this machine, of real processes, each started by its own command as on many machines."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

from bot_bench import processes_of
from distributed import Client
from pages import ROOT


class DaskCluster:
    """A scheduler and its workers. Leaving it kills all of them.

    scratch: the folder for temporary files of all workers, as if they were processes of one machine.
    nanny: whether each worker is watched by a process of Dask's, and started anew by it.
    """

    def __init__(self, folder: Path, workers: int = 2, *, nanny: bool = False) -> None:
        self.scratch = folder / "far"
        self.scratch.mkdir()
        self._folder = folder
        self._nanny = "--nanny" if nanny else "--no-nanny"
        self._file = folder / "scheduler.json"
        self._scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0")
        while not self._file.exists() or not self._file.read_text():
            assert self._scheduler.poll() is None, (folder / "scheduler.log").read_text()
            time.sleep(0.01)
        self.address = json.loads(self._file.read_text())["address"]
        self.workers = [self.add() for _ in range(workers)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self.workers, self._scheduler):
            process.kill()
            process.wait()
        for pid in processes_of(self.scratch):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def add(self) -> subprocess.Popen[bytes]:
        """One more worker."""
        local = self._folder / "dask"
        return self._start("worker", "--nthreads", "1", self._nanny, "--local-directory", str(local))

    def wait_for_workers(self) -> None:
        """Wait until all are there: one that is still beginning would be missed by nobody."""
        with Client(self.address) as client:
            client.wait_for_workers(len(self.workers))

    def lose(self) -> None:
        """Kill a worker as a machine is lost."""
        worker = self.workers.pop()
        worker.kill()
        worker.wait()

    def lose_all(self) -> None:
        """Kill the scheduler, without which Dask's workers end too."""
        self._scheduler.kill()
        for worker in self.workers:
            worker.wait()

    def others(self) -> list[int]:
        """What runs there beside the workers: bots."""
        known = {worker.pid for worker in self.workers}
        return [pid for pid in processes_of(self.scratch) if pid not in known]

    def left(self) -> list[str]:
        """Their temporary files, but for the depot of bots."""
        return [path.name for path in self.scratch.iterdir() if not path.name.startswith("gin-bots-")]

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", kind, "--scheduler-file", str(self._file), "--no-dashboard", *options]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        if kind == "worker":
            environment["TMPDIR"] = str(self.scratch)
        with (self._folder / f"{kind}.log").open("ab") as log:
            return subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
