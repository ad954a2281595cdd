"""What is submitted, taken from its stream into a folder: the series, and the bots that came along, unpacked.

Everything is counted as it comes. After a refusal, a break or a crash of what is sent, nothing of it is left.
"""

import asyncio
import hashlib
import shutil
from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass
from errno import EDQUOT, ENOSPC
from pathlib import Path
from typing import BinaryIO

from grpc import StatusCode

from arena.documents.document import LARGEST
from arena.errors import InputError, printable, short
from arena.isolation.values import Mode
from arena.kit.handed_in import bot_folder
from arena.kit.unpacking import unpack
from arena.protocol.dialling import PIECE
from arena.protocol.v1.arena_pb2 import BotArchive, SeriesFile, SubmitRequest
from arena.server.catalogue import ENTRY, PLAY_LOG
from arena.server.refusals import RefusedError
from arena.server.submitted import inside, settled
from arena.server.unbroken import unbroken

SERIES = "series.yaml"
_WORK = ".work"
"""Where archives lie until they are unpacked, within the submission's folder."""
_MAGIC = ((b"PK", ".zip"), (b"\x1f\x8b", ".tar.gz"), (b"BZh", ".tar.bz2"), (b"\xfd7zXZ", ".tar.xz"))
"""What the kinds of archive begin with; a tar that is not compressed has `ustar` at 257."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be submitted.

    archives: how many. archive, in_all: bytes of one and of all, as they come. unpacked: bytes of all bots.
    seconds: for the whole stream. silence: seconds between two of its messages.
    allow: folders of this machine that a series may name, absolute. floor: the least isolation that it has to ask for.
    """

    archives: int = 100
    archive: int = 100_000_000
    in_all: int = 500_000_000
    unpacked: int = 2_000_000_000
    seconds: float = 1800.0
    silence: float = 30.0
    allow: tuple[Path, ...] = ()
    floor: Mode = Mode.BEST_EFFORT


@dataclass(frozen=True, slots=True)
class SubmittedSeries:
    """A series as it was taken.

    text: its YAML, with paths as they are here; it is in the folder's series.yaml too. name: what it was called where
    it came from, for messages. folder: what its paths are relative to.
    """

    text: str
    name: str
    folder: Path


async def take(
    requests: AsyncIterable[SubmitRequest],
    folder: Path,
    limits: Limits = Limits(),
) -> SubmittedSeries:
    """Take what is submitted into a folder, new or empty.

    Raises `InputError` for what is wrong in it, `RefusedError` for what is too much or takes too long. Whatever ends
    it, being cancelled too, the folder is gone unless it returns.
    """
    try:
        async with asyncio.timeout(limits.seconds):
            return await _Taking(folder, limits).all_of(aiter(requests))
    except BaseException as error:
        await unbroken(asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True))
        if isinstance(error, TimeoutError):
            late = f"the submission took longer than {limits.seconds:g} s, or {limits.silence:g} s between two messages"
            raise RefusedError(StatusCode.DEADLINE_EXCEEDED, late) from None
        if isinstance(error, OSError) and error.errno in (ENOSPC, EDQUOT):
            raise RefusedError(StatusCode.RESOURCE_EXHAUSTED, "the arena has no space left for this") from None
        if isinstance(error, OSError):  # as of too many open files
            told = f"the arena's machine cannot take this now: {error.strerror or type(error).__name__}"
            raise RefusedError(StatusCode.UNAVAILABLE, told) from None
        raise


class _Taking:
    """What has come so far."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder = folder
        self._limits = limits
        self._places: list[Path] = []
        self._came = 0
        self._unpacked = 0

    async def all_of(self, requests: AsyncIterator[SubmitRequest]) -> SubmittedSeries:
        """Take the whole stream."""
        first = await self._next(requests)
        if first is None or first.WhichOneof("part") != "series":
            raise InputError("a submission begins with its series, and this one does not")
        series = first.series
        if len(series.yaml.encode(errors="replace")) > LARGEST:
            raise RefusedError(
                StatusCode.RESOURCE_EXHAUSTED, f"the series is too large, expected at most {LARGEST:,} bytes"
            )
        await asyncio.to_thread(self._prepare)
        request = await self._next(requests)
        while request is not None:
            if request.WhichOneof("part") != "archive":
                raise InputError("a series came again, or data of no archive, expected a bot's archive")
            request = await self._archive(request.archive, requests)
        return await unbroken(asyncio.to_thread(self._end, series))

    async def _next(self, requests: AsyncIterator[SubmitRequest]) -> SubmitRequest | None:
        async with asyncio.timeout(self._limits.silence):
            return await anext(requests, None)

    def _prepare(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._folder.chmod(0o755)  # a bot may be a user of its own
        (self._folder / _WORK).mkdir(mode=0o700)

    async def _archive(self, archive: BotArchive, requests: AsyncIterator[SubmitRequest]) -> SubmitRequest | None:
        """Take an archive and unpack it; returns the message after it."""
        place = self._place(archive)
        file = self._folder / _WORK / "archive"
        digest, size = hashlib.sha256(), 0
        with file.open("xb") as out:
            while (request := await self._next(requests)) is not None and request.WhichOneof("part") == "data":
                size += len(request.data)
                _check_piece(archive, request.data, size)
                digest.update(request.data)
                await asyncio.to_thread(out.write, request.data)
        if size != archive.size:
            raise InputError(f"{_told(archive)}: {size:,} bytes came, expected {archive.size:,}")
        if digest.digest() != archive.sha256:
            raise InputError(f"{_told(archive)}: it came damaged (SHA-256 {digest.hexdigest()}), expected it whole")
        await unbroken(asyncio.to_thread(self._unpack, archive, file, place))  # it would write on, unseen
        return request

    def _place(self, archive: BotArchive) -> Path:
        """Where an archive goes. Raises for one that may not come."""
        limits = self._limits
        if len(self._places) >= limits.archives:
            raise _too_much(f"more than {limits.archives} archives")
        self._came += archive.size
        if archive.size > limits.archive:
            raise _too_much(f"{_told(archive)}: {archive.size:,} bytes, expected at most {limits.archive:,}")
        if self._came > limits.in_all:
            raise _too_much(f"archives of more than {limits.in_all:,} bytes in all")
        place = self._folder / inside(archive.path)
        taken = [*(self._folder / name for name in (SERIES, _WORK, ENTRY, PLAY_LOG)), *self._places]
        if any(place.is_relative_to(other) or other.is_relative_to(place) for other in taken):
            raise InputError(
                f"{_told(archive)}: its place is taken, expected a folder for each bot, none within another"
            )
        self._places.append(place)
        return place

    def _unpack(self, archive: BotArchive, file: Path, place: Path) -> None:
        work = self._folder / _WORK
        with file.open("rb") as opened:
            packed = file.rename(work / f"archive{_ending(archive, opened)}")
        try:
            unpack(packed, work / "bot")
            found = bot_folder(work / "bot")
        except InputError as error:
            raise InputError(f"{_told(archive)}: {error}") from None
        self._unpacked += sum(path.stat().st_size for path in found.rglob("*") if path.is_file())
        if self._unpacked > self._limits.unpacked:
            raise _too_much(f"bots of more than {self._limits.unpacked:,} bytes when unpacked")
        place.parent.mkdir(parents=True, exist_ok=True)
        found.rename(place)
        shutil.rmtree(work / "bot", ignore_errors=True)
        packed.unlink()

    def _end(self, series: SeriesFile) -> SubmittedSeries:
        shutil.rmtree(self._folder / _WORK)
        name = printable(short(Path(series.name).name)) or SERIES
        yaml = series.yaml.removeprefix("\ufeff")
        text = settled(yaml, name, self._folder, self._limits.allow, self._limits.floor)
        (self._folder / SERIES).write_text(text, encoding="utf-8", newline="")
        return SubmittedSeries(text, name, self._folder)


def _check_piece(archive: BotArchive, data: bytes, size: int) -> None:
    if len(data) > PIECE:
        raise _too_much(f"{_told(archive)}: a piece of {len(data):,} bytes, expected at most {PIECE:,}")
    if size > archive.size:
        raise InputError(f"{_told(archive)}: more came than the {archive.size:,} bytes that were announced")


def _ending(archive: BotArchive, file: BinaryIO) -> str:
    """What kind of archive it is, by what it begins with."""
    head = file.read(300)
    for magic, ending in _MAGIC:
        if head.startswith(magic):
            return ending
    if head[257:262] == b"ustar":
        return ".tar"
    raise InputError(f"{_told(archive)}: this is no archive, expected one as 'arena pack' makes it")


def _told(archive: BotArchive) -> str:
    return f"the bot {printable(short(archive.path))!r}"


def _too_much(sentence: str) -> RefusedError:
    return RefusedError(StatusCode.RESOURCE_EXHAUSTED, sentence)
