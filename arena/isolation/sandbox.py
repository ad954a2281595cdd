"""One start of a bot in its sandbox: the command line around its own, and what follows from it.

From the outside in:

    sh          enters the control group, opens the filter and a file for what bubblewrap tells
    bwrap       namespaces, the view of the file system, the filter, no new privileges; two processes, of which the
                inner is number 1 in the sandbox: all in there end with it
    setpriv     as root only: to a user that nobody else is
    prlimit     limits on each process
    the bot

For root it would also do to change the user first, and let bubblewrap make a user namespace as it does for others. But
then bubblewrap, not being root any more, finds no way into /root, where root's own Python and tools are; and the limit
on processes is counted in the same place either way. So it is done inside, by a process that has kept no other
capabilities than those to do it.

What the bot writes is in the memory of the sandbox, its socket too. The arena dials it by the way that the kernel has
to the files of another process, `/proc/PID/root`: no folder of the machine is open to the bot.
"""

import json
import os
import secrets
import shlex
import shutil
import signal
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path

try:
    import resource
except ImportError:  # Windows has none, and no isolation
    resource = None  # type: ignore[assignment]

from arena.errors import HostError
from arena.isolation import view
from arena.isolation.groups import Group
from arena.isolation.mounts import mounts
from arena.isolation.processes import KILL, family, is_root, signal_group
from arena.isolation.syscalls import filter_program
from arena.isolation.values import USERS, Isolation, Layer, Limits

_GRACE_OF_CPU = 5
"""Seconds between the signal that the processor time is up, which can be told in a log, and the end."""
_EXEC = 'exec "$@"'
_FILTER, _STATUS = "filter", "status"
_FILTER_FD, _STATUS_FD = "8", "9"


class Sandbox:
    """The isolation of one process that is to be started, with all that it starts.

    boxed: whether it has a view of the file system of its own.
    """

    def __init__(self, isolation: Isolation, private: Path, *, network: bool = False) -> None:
        """Prepare. private: a folder of this process's own; the bot has one of the same path in its own view.

        network: leave it the network, as a bot needs that listens on TCP. Raises HostError.
        """
        self._isolation = isolation
        self._private = private
        self._network = network or not isolation.has(Layer.NETWORK)
        self.boxed = isolation.has(Layer.FILES)
        self._enclosed = self.boxed and isolation.has(Layer.PROCESSES)  # all in there end with the first of them
        self._over = False
        self._known_init = 0
        self._used: tuple[float | None, bool] = None, False
        self._group: Group | None = None
        if isolation.has(Layer.TOTALS) and isolation.groups is not None:
            try:
                self._group = Group(isolation.groups, isolation.limits)
            except OSError as error:
                raise HostError(f"no control group for a bot: {error}") from None

    def command(
        self, argv: Sequence[str], folder: Path, *, writable: bool = False, tools: Sequence[Path] = ()
    ) -> list[str]:
        """The whole command line. argv: the program by its full path. folder: where it runs, and what it may read.

        writable: the folder may be written to. tools: folders that may be read too. Raises OSError.
        """
        inner = [*self._limited(), *argv]
        if self.boxed:
            # What bubblewrap itself cannot start looks as if there was no sandbox, so a bot is started by another.
            starter = [*self._as_user(), *self._limited()] or _shell(_EXEC)
            inner = [*self._box(argv, folder, writable, tools), *starter, *argv]
        elif self._isolation.has(Layer.PRIVILEGES):
            inner = [
                _program("setpriv"),
                "--no-new-privs",
                *(_WITHOUT_CAPABILITIES if is_root() else ()),
                "--",
                *inner,
            ]
        words = [self._group.entering()] if self._group else []
        files = ""
        if self.boxed:
            files = f" {_STATUS_FD}>{shlex.quote(str(self._private / _STATUS))}"
            if self._isolation.has(Layer.SYSCALLS):
                (self._private / _FILTER).write_bytes(filter_program() or b"")
                files += f" {_FILTER_FD}<{shlex.quote(str(self._private / _FILTER))}"
        if not words and not files:
            return inner
        return [*_shell(" && ".join([*words, f"{_EXEC}{files}"])), *inner]

    def outside(self, path: str) -> str | None:
        """Where a path of the sandbox is for everybody else; `None` as long as there is no sandbox."""
        if not self.boxed:
            return path
        return f"/proc/{self._init}/root{path}" if self._init else None

    def exit_code(self, code: int) -> int:
        """The exit code of the bot, negative for a signal, from that of the process that was started."""
        return 128 - code if self.boxed and 128 < code <= 128 + signal.NSIG else code

    @property
    def failed(self) -> bool:
        """Of a process that has ended with a code above 0: whether there was no sandbox for it: the bot never began."""
        if self.boxed:
            return "exit-code" not in self._told()
        return self._group is not None and self._group.cpu_seconds() == 0  # nobody has ever been in it

    def holds(self, pid: int) -> bool:
        """Whether a process is in the sandbox; where that cannot be told, yes."""
        if not self.boxed:
            return True
        try:
            own, theirs = (Path(f"/proc/{process}/ns/mnt").readlink() for process in (self._init, pid))
        except OSError:  # it has gone, or was never here
            return False
        return own == theirs

    def terminate(self, pid: int) -> None:
        """Ask the bot, and all that it has started, to end. pid: of the process that was started."""
        for process in family(self._init) if self._init else ():
            with suppress(OSError):
                os.kill(process, signal.SIGTERM)
        if not self.boxed:
            signal_group(pid, signal.SIGTERM)

    def kill(self, pid: int) -> None:
        """Kill the bot and all that it has started. pid: of the process that was started."""
        if self._over:
            return
        if self._init and self._enclosed:
            with suppress(OSError):
                os.kill(self._init, KILL)  # the one outside ends when all are gone
            return
        if self._init:  # it has a session of its own
            signal_group(self._init, KILL)
        signal_group(pid, KILL)
        if self._group is not None:
            self._group.kill()

    def over(self, pid: int) -> None:
        """The process that was started has ended: what it leaves behind goes with it. pid: its number."""
        if not self._enclosed:
            self.kill(pid)
        self._over = True  # its number, and that of the first in the sandbox, may be another's from now on

    def main_process(self, pid: int) -> int:
        """The process that the command line of the bot became. pid: of the process that was started."""
        if not self._init:
            return pid
        return next((process for process in family(self._init) if process != self._init), self._init)

    def cpu_seconds(self) -> float | None:
        """Processor time of all that was started, `None` where nobody counts it."""
        return self._used[0] if self._group is None else self._group.cpu_seconds()

    def out_of_memory(self) -> bool:
        """Whether a process of it was killed because the limit of their memory was reached."""
        return self._used[1] if self._group is None else self._group.out_of_memory()

    def close(self) -> None:
        """Clear up when all has ended."""
        if self._group is not None:
            self._used = self.cpu_seconds(), self.out_of_memory()
            self._group.remove()
            self._group = None

    @cached_property
    def user(self) -> int | None:
        """The number of the bot's own user, where it has one; `None` where it runs as the user of this process."""
        apart = self.boxed and is_root() and self._isolation.has(Layer.USER)
        return secrets.choice(USERS) if apart else None

    @property
    def _init(self) -> int:
        """The first process in the sandbox, as it is numbered out here; 0 before there is one, and without a box."""
        if self.boxed and not self._known_init:
            self._known_init = int(self._told().get("child-pid", 0))
        return self._known_init

    def _told(self) -> dict[str, int]:
        """What bubblewrap has told so far: a JSON object a line."""
        told: dict[str, int] = {}
        with suppress(OSError, ValueError):
            for line in (self._private / _STATUS).read_text().splitlines():
                told |= json.loads(line)
        return told

    def _limited(self) -> list[str]:
        """What puts limits on each process."""
        limits, has = self._isolation.limits, self._isolation.has
        words = []
        if has(Layer.LIMITS):
            words = _limit_words(limits)
        if has(Layer.FORKS) and has(Layer.USER):  # it counts all processes of a user, so he has to have no others
            words.append(f"--nproc={_allowed('NPROC', limits.processes)}")
        return [_program("prlimit"), *words, "--"] if words else []

    def _as_user(self) -> list[str]:
        if self.user is None:
            return []
        who = ["--reuid", str(self.user), "--regid", str(self.user), "--clear-groups"]
        return [_program("setpriv"), *who, *_WITHOUT_CAPABILITIES, "--"]

    def _box(self, argv: Sequence[str], folder: Path, writable: bool, tools: Sequence[Path]) -> list[str]:
        """The sandbox itself."""
        has = self._isolation.has
        words = [_program("bwrap"), "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
        if is_root():
            words += [word for name in ("SETUID", "SETGID", "SETPCAP") for word in ("--cap-add", f"CAP_{name}")]
        else:
            words += ["--unshare-user"]
        if has(Layer.PROCESSES):
            words += ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
        if not self._network:
            words += ["--unshare-net"]
        if has(Layer.SYSCALLS):
            words += ["--seccomp", _FILTER_FD]
        words += ["--json-status-fd", _STATUS_FD]
        words += mounts(
            self._isolation,
            folder,
            self._private,
            (*view.runtime(tuple(argv), folder), *tools),
            network=self._network,
            writable=writable,
            stranger=self.user is not None,
        )
        return [*words, "--chdir", str(folder), "--"]


_WITHOUT_CAPABILITIES = ("--inh-caps=-all", "--bounding-set=-all")


def _limit_words(limits: Limits) -> list[str]:
    """The words of `prlimit` that say the limits on each process."""
    seconds = int(limits.cpu.total_seconds())
    return [
        f"--data={_allowed('DATA', limits.memory)}",
        f"--nofile={_allowed('NOFILE', limits.open_files)}",
        f"--fsize={_allowed('FSIZE', limits.file_size)}",
        f"--cpu={_allowed('CPU', seconds)}:{_allowed('CPU', seconds + _GRACE_OF_CPU)}",
        "--core=0",
    ]


def _allowed(name: str, value: int) -> int:
    """A limit, or the one that this process is under if that is less: it cannot be raised."""
    _, hardest = resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))
    return value if hardest == resource.RLIM_INFINITY else min(value, hardest)


def lowered(isolation: Isolation) -> list[str]:
    """What of the limits of a series this machine grants less of: a bot may fail for it, and could not help it."""
    limits, has = isolation.limits, isolation.has
    wanted = {
        "open files": ("NOFILE", limits.open_files, has(Layer.LIMITS)),
        "bytes of memory": ("DATA", limits.memory, has(Layer.LIMITS)),
        "bytes of a file": ("FSIZE", limits.file_size, has(Layer.LIMITS)),
        "seconds of processor time": ("CPU", int(limits.cpu.total_seconds()), has(Layer.LIMITS)),
        "processes and threads": ("NPROC", limits.processes, has(Layer.FORKS) and has(Layer.USER)),
    }
    return [
        f"{allowed} {what} instead of {value}"
        for what, (name, value, on) in wanted.items()
        if on and (allowed := _allowed(name, value)) < value
    ]


def _shell(script: str) -> list[str]:
    """A shell with a script that starts the words after it."""
    return ["/bin/sh", "-c", script, "sh"]


def _program(name: str) -> str:
    return shutil.which(name) or name
