"""What an arena that serves keeps on disk, and how its folder is laid out.

* DATA/lock: one server at a time.
* DATA/uploads/ID/: what was submitted, series.yaml and the bots that came with it, and service.json: what is wanted.
* DATA/series/ID/: the run, as `arena run` makes it.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from arena.errors import HostError, RecordError, RunError
from arena.locks import LockedError, locked
from arena.records import database
from arena.records.info import Kept
from arena.server.private import write_private
from arena.tournament.running import numbered

ENTRY, PLAY_LOG = "service.json", "play.log"
"""What a server keeps of a series in the folder of what was submitted."""
_INCOMING = ".incoming-"


class Wanted(StrEnum):
    """What is wanted of a series."""

    RUNNING = "running"
    PAUSED = "paused"
    CANCELLED = "cancelled"


class End(StrEnum):
    """How the play of a series came to its end; none where it goes on when it is wanted."""

    NONE = ""
    FINISHED = "finished"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Entry:
    """What is kept of a series.

    id: names it. name: what its file is called. submitted: when, ISO 8601 in UTC. title, bots, games: see `SeriesInfo`.
    joining: the bots that dial in. wait: seconds to wait for them. grace: seconds that one may be away.
    wanted, end: see there. told: why it failed. games_done, commitment: when its play was last begun or ended.
    """

    id: str
    name: str
    submitted: str
    title: str = ""
    bots: tuple[str, ...] = ()
    games: int = 0
    joining: tuple[str, ...] = ()
    wait: float = 0.0
    grace: float = 0.0
    wanted: Wanted = Wanted.RUNNING
    end: End = End.NONE
    told: str = ""
    games_done: int = 0
    commitment: str = ""


_KEPT = Kept(Entry)


class Catalogue:
    """The folder of a server."""

    def __init__(self, data: Path) -> None:
        self.data = data.resolve()
        self.runs = self.data / "series"
        self.uploads = self.data / "uploads"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Be the one server that works with the folder, which is made where it is not there.

        Raises `RunError` if another is, and `HostError` where the folder cannot be used.
        """
        with ExitStack() as held:
            with database.explained(self.data, new=True):
                for folder in (self.data, self.runs, self.uploads):
                    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                try:
                    held.enter_context(locked(self.data / "lock"))
                except LockedError:
                    told = f"{self.data}: another arena serves this folder; stop it, or give another folder"
                    raise RunError(told) from None
            self._clear_up()
            yield

    def run(self, id_: str) -> Path:
        """The folder of a series' run."""
        return self.runs / id_

    def upload(self, id_: str) -> Path:
        """The folder of what was submitted."""
        return self.uploads / id_

    def incoming(self) -> Path:
        """A new folder for what is being submitted; a server that was killed clears it up when it starts again.

        Raises `HostError` where there can be none, as on a disk that is full.
        """
        try:
            return Path(tempfile.mkdtemp(prefix=_INCOMING, dir=self.uploads))
        except OSError as error:
            raise HostError(f"nothing can be submitted now: {error.strerror}") from error

    def admit(self, incoming: Path, entry: Entry, name: str) -> Entry:
        """Take a series in: its folder gets its place, the first free one of NAME-001, NAME-002, ..."""
        places = numbered(self.uploads, name)
        place = next(one for one in places if not (one.exists() or self.run(one.name).exists()))
        admitted = replace(entry, id=place.name)
        self._write(incoming, admitted)
        incoming.rename(place)
        return admitted

    def write(self, entry: Entry) -> None:
        """Keep what has changed of a series. Raises `HostError`."""
        try:
            self._write(self.upload(entry.id), entry)
        except OSError as error:
            raise HostError(f"what is wanted of {entry.id} cannot be written down: {error.strerror}") from error

    def entries(self) -> Iterator[tuple[Entry, bool]]:
        """Every series, the newest last, and whether what is kept of it could be read.

        One that cannot is a series that failed, and says why.
        """
        found = [self._read(folder) for folder in self.uploads.iterdir() if folder.is_dir()]
        yield from sorted(found, key=lambda one: (one[0].submitted, one[0].id))

    def _read(self, folder: Path) -> tuple[Entry, bool]:
        why: object
        try:
            entry = _KEPT.read((folder / ENTRY).read_text(encoding="utf-8"))
        except OSError as error:
            why = error.strerror
        except (ValueError, RecordError):
            why = "expected what an arena that serves has written"
        else:
            if entry.id == folder.name:
                return entry, True
            why = f"it is of {entry.id!r:.80}"
        return Entry(folder.name, "", "", end=End.FAILED, told=f"its {ENTRY} is damaged: {why}"), False

    def _write(self, folder: Path, entry: Entry) -> None:
        write_private(folder / ENTRY, _KEPT.text(entry).encode())

    def _clear_up(self) -> None:
        for folder in self.uploads.glob(f"{_INCOMING}*"):
            shutil.rmtree(folder, ignore_errors=True)
