"""A bot that tries to get out of its sandbox: `attack.py NAME [ARGUMENT...]` prints what it could do, a line each.

Whatever it prints was a success, but for lines that begin with `#`, which tell a number.
"""

import ctypes
import errno
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
MIB = 1 << 20
HOME = Path(os.environ["HOME"])


def read(*paths: str) -> Iterator[str]:
    """Read what is not the bot's: files, folders, and the environments of all processes."""
    for path in paths:
        with suppress(OSError):
            found = Path(path)
            yield f"{path}: {[*found.iterdir()] if found.is_dir() else found.read_text()}"
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if b"SECRET" in environment.read_bytes():
                yield f"SECRET in {environment}"
    for root in Path("/proc").glob("[0-9]*/root"):
        for path in paths:
            with suppress(OSError):
                yield f"{root}{path}: {Path(f'{root}{path}').stat()}"


def write(*paths: str) -> Iterator[str]:
    """Write where it does not belong."""
    for path in (
        *paths,
        "/",
        "/usr",
        "/etc",
        "/dev",
        "/proc/sys/kernel",
        "/sys",
        "/root",
        "/home",
        "/var",
        str(Path.cwd()),
    ):
        with suppress(OSError):
            (Path(path) / "intruder").write_text("x")
            yield path
    for file in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/self/oom_score_adj"):
        with suppress(OSError), Path(file).open("r+b") as opened:
            opened.write(b"0" if file.endswith("adj") else b"x")
            if not file.endswith("adj"):
                yield file


def visible(marker: str) -> Iterator[str]:
    """Leave a file wherever it may be written, for the other side to look for."""
    for folder in ("/tmp", "/dev/shm", str(HOME)):
        (Path(folder) / marker).write_text("x")
    yield "# written"


def fill(*folders: str) -> Iterator[str]:
    """Fill what may be written to, with files of half a MiB."""
    total = 0
    for folder in folders:
        with suppress(OSError):
            for number in range(4096):
                with (Path(folder) / f"fill{number}").open("wb", buffering=0) as file:
                    total += file.write(bytes(MIB // 2))
    yield f"# {total}"


def network(port: str, abstract: str, *sockets: str) -> Iterator[str]:
    """Reach anything that listens."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", int(port)), timeout=2):
        yield "a server on the loopback"
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagram:
        datagram.connect(("192.0.2.1", 9))  # a route is looked for, nothing is sent
        yield "a route to the world"
    for path in (f"\0{abstract}", *sockets):
        with suppress(OSError), socket.socket(socket.AF_UNIX) as client:
            client.connect(path)
            yield f"a unix socket {path!r}"
    for family in (socket.AF_PACKET, 40):  # 40: AF_VSOCK, of virtual machines
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM):
            yield f"a socket of family {family}"


def signals(*pids: str) -> Iterator[str]:
    """Signal and trace others."""
    for pid in map(int, pids):
        with suppress(OSError):
            os.kill(pid, 0)
            yield f"signal to {pid}"
        if LIBC.ptrace(0x4206, pid, None, None) == 0:  # PTRACE_SEIZE, which does not stop it
            yield f"trace of {pid}"
    others = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    for pid in set(others) - {os.getpid(), 1}:
        with suppress(OSError):
            os.kill(pid, 0)
            yield f"signal to {pid}, which it sees"


def forks() -> Iterator[str]:
    """Have as many processes as can be had."""
    number = 0
    try:
        while number < 2000:
            if os.fork() == 0:
                time.sleep(3600)
            number += 1
    except OSError:
        pass
    yield f"# {number}"


def memory() -> Iterator[str]:
    """Use up memory in one process."""
    held: list[object] = []
    try:
        while len(held) < 4096:
            held.append(bytearray(MIB))
    except MemoryError:
        pass
    yield f"# {len(held)}"


def memory_of_many() -> Iterator[str]:
    """Use up memory in many processes, each with no more than it may have."""
    for _ in range(20):
        if os.fork() == 0:
            held: list[object] = []
            with suppress(MemoryError):
                while len(held) < 100:
                    held.append(bytearray(MIB))
            os._exit(0)
    with suppress(ChildProcessError):
        while True:
            os.wait()
    yield "# all"


def files() -> Iterator[str]:
    """Open as many files as can be had."""
    held: list[object] = []
    try:
        while len(held) < 5000:
            held.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        pass
    yield f"# {len(held)}"


def big_file() -> Iterator[str]:
    """Write one big file, where there would be room for it."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    size = 0
    with suppress(OSError), (HOME / "big").open("wb", buffering=0) as file:
        while size < 64 * MIB:
            size += file.write(bytes(MIB // 4))
    yield f"# {size}"


def leave_child(marker: str) -> Iterator[str]:
    """Leave a process behind, and stay."""
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", marker])
    yield "# left"
    sys.stdout.flush()
    time.sleep(3600)


def outlive(marker: str) -> Iterator[str]:
    """Leave a process behind that has a session of its own, other parents, and no ear for signals."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            os.execvp("sleep", ["sleep", marker])
        os._exit(0)
    os.wait()
    yield "# left"


def outlive_and_stay(marker: str) -> Iterator[str]:
    """The same, and stay."""
    yield from outlive(marker)
    sys.stdout.flush()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(3600)


def kernel() -> Iterator[str]:
    """What reaches into the kernel."""
    attempts: dict[str, Callable[[], int]] = {
        "a user namespace": lambda: LIBC.unshare(0x10000000),
        "a mount namespace": lambda: LIBC.unshare(0x20000),
        "a network namespace": lambda: LIBC.unshare(0x40000000),
        "a mount": lambda: LIBC.mount(b"none", b"/tmp", b"tmpfs", 0, None),
        "a remount": lambda: LIBC.mount(b"none", b"/usr", None, 0x1020, None),
        "an unmount": lambda: LIBC.umount2(b"/proc", 2),
        "another root": lambda: LIBC.chroot(b"/tmp"),
        "a traced parent": lambda: LIBC.ptrace(0, 0, None, None),
        "keys": lambda: LIBC.syscall(_number("keyctl"), 0, -3, 0),
        "a program in the kernel": lambda: LIBC.syscall(_number("bpf"), 0, 0, 0),
        "a ring": lambda: LIBC.syscall(_number("io_uring_setup"), 1, ctypes.create_string_buffer(120)),
        "a counter": lambda: LIBC.syscall(_number("perf_event_open"), ctypes.create_string_buffer(128), 0, -1, -1, 0),
        "another host name": lambda: LIBC.sethostname(b"x", 1),
        "another clock": lambda: LIBC.syscall(_number("clock_settime"), 0, ctypes.create_string_buffer(16)),
        "the end of the machine": lambda: LIBC.syscall(_number("reboot"), 0, 0, 0, 0),
        "another user": lambda: LIBC.setuid(0) or -1 if os.getuid() else -1,
        "a node": lambda: LIBC.mknod(b"/tmp/node", 0o20600, 0x103),
    }
    for name, attempt in attempts.items():
        ctypes.set_errno(0)
        if attempt() >= 0:
            yield name
        elif ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS, errno.EACCES) and name != "another user":
            yield f"{name}, refused for another reason: {os.strerror(ctypes.get_errno())}"
    clone = _number("clone")
    child = LIBC.syscall(clone, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    if child > 0:
        yield "a process in a user namespace"


def privileges(*programs: str) -> Iterator[str]:
    """Become somebody else by a program that is set to."""
    status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line)
    for name in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
        if int(status[name], 16):
            yield f"{name} {status[name]}"
    if status["NoNewPrivs"] != "1":
        yield "new privileges"
    if not all(soft == hard for soft, hard in [resource.getrlimit(resource.RLIMIT_NOFILE)]):
        yield "a limit that can be raised"
    for program in programs:
        told = subprocess.run([program, "-u"], capture_output=True, text=True, check=False).stdout.strip()
        if told == "0":
            yield f"root by {program}"
    with suppress(OSError), Path("/dev/tty").open("r+b"):
        yield "a terminal"


def _number(name: str) -> int:
    """The number of a system call."""
    numbers = {
        "x86_64": {"keyctl": 250, "bpf": 321, "perf_event_open": 298, "clock_settime": 227, "reboot": 169, "clone": 56},
        "aarch64": {
            "keyctl": 219,
            "bpf": 280,
            "perf_event_open": 241,
            "clock_settime": 112,
            "reboot": 142,
            "clone": 220,
        },
    }
    return numbers[os.uname().machine].get(name, 425)  # io_uring_setup is 425 everywhere


if __name__ == "__main__":
    for line in globals()[sys.argv[1]](*sys.argv[2:]):
        print(line, flush=True)
    os._exit(0)  # without a word to children
