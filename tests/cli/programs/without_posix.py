"""Imports all of the arena, and runs an `arena` command, in a Python that has nothing of POSIX: as on Windows.

What the arena is built on is imported before, as it is itself on such a system; the rest is found missing.
"""

import importlib
import os
import pkgutil
import signal
import socket
import sys
import time

FOREIGN = (
    "asyncio", "concurrent.futures.process", "ctypes", "grpc.aio", "logging.handlers", "multiprocessing.spawn",
    "pydantic", "google.protobuf.json_format", "rich.console", "rich.progress", "sqlite3", "subprocess", "tabulate",
    "tempfile", "typer.main", "typer.testing", "uuid", "yaml", "zipfile",
)  # fmt: skip
MODULES = ("fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
OS = (
    "EX_OK", "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "P_ALL", "WEXITED", "WNOHANG", "chown", "chroot",
    "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getgroups", "getloadavg", "getpgid", "getpgrp",
    "getpriority", "getsid", "getuid", "killpg", "lchown", "memfd_create", "mkfifo", "nice", "openpty", "pidfd_open",
    "pipe2", "posix_spawn", "pread", "pwrite", "sched_getaffinity", "sched_setaffinity", "setgid",
    "setpgid", "setpriority", "setsid", "setuid", "statvfs", "sysconf", "tcgetpgrp", "uname", "wait3", "wait4",
    "waitid",
)  # fmt: skip
SIGNALS = (
    "ITIMER_REAL", "SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP", "SIGTSTP",
    "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIG_BLOCK", "SIG_UNBLOCK", "alarm", "pause", "pthread_kill", "pthread_sigmask",
    "setitimer", "sigwait",
)  # fmt: skip
TIMES = ("CLOCK_MONOTONIC", "CLOCK_PROCESS_CPUTIME_ID", "clock_gettime", "pthread_getcpuclockid", "tzset")
SOCKETS = ("AF_UNIX", "SCM_RIGHTS")
USED = {"AF_UNIX", "SIGKILL", "pidfd_open"}
"""What asyncio and subprocess themselves use here as soon as something runs."""

for name in FOREIGN:
    importlib.import_module(name)
import asyncio  # noqa: E402

assert not any(name.partition(".")[0] == "arena" for name in sys.modules)
sys.modules.update(dict.fromkeys(MODULES))  # type: ignore[arg-type]  # None cannot be imported
kept = set() if sys.argv[1:] == ["--help"] else USED
gone: list[tuple[object, tuple[str, ...]]] = [(os, OS), (signal, SIGNALS), (time, TIMES), (socket, SOCKETS)]
gone.append((asyncio, ("open_unix_connection", "start_unix_server")))
for module, names in gone:
    for name in names:
        if hasattr(module, name) and name not in kept:  # another version or system may not have had it
            delattr(module, name)
sys.platform = "win32"

import arena  # noqa: E402
from arena.cli import main  # noqa: E402

found = [module.name for module in pkgutil.walk_packages(arena.__path__, "arena.") if module.name != "arena.__main__"]
sys.modules["distributed"] = None  # type: ignore[assignment]  # it asks the system itself what it is
for name in found:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != "distributed":
            raise
print(f"{len(found)} modules", file=sys.stderr)
sys.exit(main.run(sys.argv[1:]))
