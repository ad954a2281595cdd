"""What a bot writes, kept in files of bounded size: the head and the tail of each stream.

A bot may print a million lines; neither the arena's memory nor the disk grows with them.
"""

from functools import cached_property
from itertools import count
from pathlib import Path

from arena.errors import HostError

HEAD = 64 * 1024
"""Bytes kept from the start."""
TAIL = 64 * 1024
"""Bytes kept from the end."""
_RECENT = 4096


class LogFolder:
    """The folder of one bot's logs, made when the bot first prints something.

    It is called after the bot; where that is taken, by another process of the bot or an earlier run, `~2` is added,
    `~3` and so on, so that nothing is overwritten. No bot's name has a `~`: it is clear whose a folder is.
    """

    def __init__(self, parent: Path, name: str) -> None:
        self._parent = parent
        self._name = name

    @cached_property
    def path(self) -> Path:
        """The folder, made on first use. Raises OSError."""
        self._parent.mkdir(parents=True, exist_ok=True)
        for number in count(1):
            path = self._parent / (self._name if number == 1 else f"{self._name}~{number}")
            try:
                path.mkdir()
            except FileExistsError:
                continue
            return path
        raise AssertionError("unreachable")


class Log:
    """One output stream of one bot over all its starts.

    The head is written to the file as it comes, the tail on `flush`, which the arena calls whenever the process
    has ended.
    """

    def __init__(self, folder: LogFolder, name: str) -> None:
        self._folder = folder
        self._name = name
        self._written = 0
        self._tail = bytearray()
        self._dropped = 0
        self._recent = b""
        self._earlier = b""  # what the process before had printed last
        self._problem: OSError | None = None

    def begin(self, note: str) -> None:
        """A process starts: `note` parts its output from that of the one before, if that one had any."""
        if self._written:
            self._keep(f"\n--- {note} ---\n".encode())
        self._earlier = self._recent or self._earlier
        self._recent = b""

    def hand_on(self) -> None:
        """Another process of the bot is to go on with it: what was printed last is not its own."""
        self._recent = self._earlier = b""
        self._dropped += max(0, len(self._tail) - TAIL)
        del self._tail[:-TAIL]

    def write(self, data: bytes) -> None:
        """Take what the bot wrote."""
        self._recent = (self._recent + data[-_RECENT:])[-_RECENT:]
        self._keep(data)

    @property
    def latest(self) -> str:
        """The last few thousand characters since `begin`."""
        return self._recent.decode(errors="replace")

    def recent(self) -> str:
        """The last few thousand characters of the last process that has printed any."""
        return self.latest or self._earlier.decode(errors="replace")

    def flush(self) -> None:
        """Bring the file up to date. Raises HostError if what the bot wrote could not be stored."""
        if self._tail and self._problem is None:
            try:
                with (self._folder.path / self._name).open("r+b") as file:
                    file.seek(HEAD)
                    left_out = self._dropped + max(0, len(self._tail) - TAIL)
                    if left_out:
                        file.write(f"\n--- {left_out} bytes left out ---\n".encode())
                    file.write(self._tail[-TAIL:])
                    file.truncate()
            except OSError as error:
                self._problem = error
        if self._problem is not None:
            raise HostError(f"cannot write a bot's log, {self._problem.filename}: {self._problem.strerror}")

    def _keep(self, data: bytes) -> None:
        head = data[: HEAD - self._written]
        if head and self._problem is None:
            try:
                with (self._folder.path / self._name).open("ab") as file:
                    file.write(head)
            except OSError as error:  # told by flush, where somebody listens
                self._problem = error
        self._written += len(head)
        self._tail += data[len(head) :]
        if len(self._tail) > 4 * TAIL:
            self._dropped += len(self._tail) - TAIL
            del self._tail[:-TAIL]
