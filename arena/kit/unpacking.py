"""A stranger's archive or folder, copied where the arena wants it, and nowhere else.

Files and folders alone are taken: no link, no device, no path that leads out. Everything is counted as it is written,
so that a small archive of endless zeros is given up early.
"""

import bz2
import gzip
import lzma
import os
import shutil
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from errno import EINVAL
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol, TypeVar

from arena.errors import InputError, printable, short

MOST_FILES = 5_000
MOST_ENTRIES = 20_000
"""Of an archive or a folder, with folders and what is left out: each takes time, even where nothing comes of it."""
MOST_BYTES = 200_000_000
DEEPEST = 25
"""Of folders, one in the other."""
LONGEST_NAME, LONGEST_PATH = 200, 1_000
"""Bytes of a name and of a whole path: systems bound both, and the folder that it is unpacked into comes before it."""
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_PIECE = 1 << 18
_ENCRYPTED = 1
"""Of the flags of a file in a zip."""
_LEFT_OUT = ("__MACOSX", ".git", ".arena", "__pycache__", ".DS_Store")
"""What a submission may have along, and is no part of it."""
_BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError),
    *(ValueError, LookupError, ArithmeticError, struct.error),
)
"""What the standard library says of an archive that it cannot read: it was not made for those that are spoilt."""


_Item = TypeVar("_Item")


class _Reads(Protocol):
    """What bytes come from."""

    def read(self, size: int, /) -> bytes:
        """The next bytes, at most so many."""


class _Entry(NamedTuple):
    """A file to be written: its parts, whether it can be executed, and its bytes."""

    parts: tuple[str, ...]
    executable: bool
    data: _Reads


def is_archive(path: Path) -> bool:
    """Whether a file's name is that of an archive that can be unpacked."""
    return path.name.casefold().endswith(ARCHIVES)


def unpack(source: Path, folder: Path) -> None:
    """Copy an archive, or a folder, into a new folder. Raises `InputError` for what is no bot's; nothing is left then.

    Folders are open to all users and files are readable: a bot may be a user of its own.
    """
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    try:
        _write(_entries(source), folder)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        if error.errno in (None, EINVAL):  # of gzip and bz2, and where a zip file leads before its own beginning
            raise InputError(
                f"{source.name}: this archive is damaged ({printable(short(str(error)))}), expected a whole one"
            ) from None
        raise
    except _BROKEN as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise InputError(
            f"{source.name}: this archive cannot be read ({printable(short(str(error)))}), expected a whole one"
        ) from None
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _entries(source: Path) -> Iterator[_Entry]:
    if source.is_dir():
        return _of_folder(source)
    if source.name.casefold().endswith(".zip"):
        return _of_zip(source)
    if is_archive(source):
        return _of_tar(source)
    raise InputError(f"{printable(source.name)}: expected a folder or an archive ({', '.join(ARCHIVES)})")


def _write(entries: Iterator[_Entry], folder: Path) -> None:
    size = 0
    for files, entry in enumerate(entries, 1):
        if files > MOST_FILES:
            raise InputError(f"more than {MOST_FILES:,} files, expected those of one bot")
        path = folder.joinpath(*entry.parts)
        for parent in reversed(path.relative_to(folder).parents[:-1]):
            _make(folder / parent)
        with _each_once(path), path.open("xb") as file:
            while piece := entry.data.read(_PIECE):
                size += len(piece)
                if size > MOST_BYTES:
                    raise InputError(f"more than {MOST_BYTES // 1_000_000} MB when unpacked, expected a bot")
                file.write(piece)
        path.chmod(0o755 if entry.executable else 0o644)


def _of_folder(source: Path) -> Iterator[_Entry]:
    for path in _at_most(_walked(source)):
        mode = path.lstat().st_mode
        parts = _parts(path.relative_to(source).as_posix())
        if parts is None:
            continue
        if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
            raise _no_file("/".join(parts))
        if stat.S_ISREG(mode):
            with path.open("rb") as data:
                yield _Entry(parts, bool(mode & stat.S_IXUSR), data)


def _walked(source: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(source):
        yield from (Path(parent, name) for name in [*folders, *files])
        folders[:] = [name for name in folders if name not in _LEFT_OUT]


def _at_most(entries: Iterable[_Item]) -> Iterator[_Item]:
    """The entries as they come, and no more than an archive may have."""
    for number, entry in enumerate(entries):
        if number == MOST_ENTRIES:
            raise InputError(f"more than {MOST_ENTRIES:,} entries, folders too, expected those of one bot")
        yield entry


def _of_zip(source: Path) -> Iterator[_Entry]:
    with zipfile.ZipFile(source) as archive:
        for info in _at_most(archive.infolist()):
            mode = info.external_attr >> 16
            parts = _parts(info.filename)
            if parts is None or info.is_dir():
                continue
            if mode and not stat.S_ISREG(mode) and stat.S_IFMT(mode):
                raise _no_file(info.filename)
            if info.flag_bits & _ENCRYPTED:
                raise InputError(f"{printable(source.name)}: it has a password, expected an archive without one")
            with archive.open(info) as data:
                yield _Entry(parts, bool(mode & stat.S_IXUSR), data)


def _of_tar(source: Path) -> Iterator[_Entry]:
    with _decompressed(source) as raw, tarfile.open(fileobj=_Bounded(raw), mode="r|") as archive:  # type: ignore[call-overload]  # of a stream it only reads
        for info in _at_most(archive):
            parts = _parts(info.name)
            if info.isdir() or parts is None:
                continue
            data = archive.extractfile(info) if info.isreg() else None
            if data is None:
                raise _no_file(info.name)
            with data:
                yield _Entry(parts, bool(info.mode & stat.S_IXUSR), data)


def _decompressed(source: Path) -> BinaryIO | gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile:
    name = source.name.casefold()
    if name.endswith("gz"):
        return gzip.open(source)
    if name.endswith("bz2"):
        return bz2.open(source)
    return lzma.open(source) if name.endswith("xz") else source.open("rb")


def _parts(name: str) -> tuple[str, ...] | None:
    """The parts of a path in an archive, `None` for what is left out. Raises `InputError` for one that leads out."""
    name = name.replace("\\", "/")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if name.startswith("/") or ".." in parts or any(":" in part or "\0" in part for part in parts[:1]):
        raise InputError(f"a path that leads out of the archive ({printable(short(name))}), expected paths within it")
    sizes = [len(os.fsencode(part)) for part in parts]
    if len(parts) > DEEPEST or max(sizes, default=0) > LONGEST_NAME or sum(sizes) + len(sizes) > LONGEST_PATH:
        raise InputError(
            f"a path that is too long ({printable(short(name))}), expected at most {DEEPEST} folders deep, "
            f"{LONGEST_NAME} bytes a name and {LONGEST_PATH:,} in all"
        )
    return None if not parts or any(part in _LEFT_OUT for part in parts) else tuple(parts)


def _no_file(name: str) -> InputError:
    return InputError(f"{printable(short(name))} is a link or a device, expected files and folders alone")


def _make(folder: Path) -> None:
    if not folder.is_dir():
        with _each_once(folder):
            folder.mkdir()
        folder.chmod(0o755)


@contextmanager
def _each_once(path: Path) -> Iterator[None]:
    """Tell of a path that comes twice, or that is a file and a folder."""
    try:
        yield
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        raise InputError(f"{printable(short(path.name))} comes twice, expected each file once") from None


class _Bounded:
    """A stream that is not read beyond what a bot may have: what describes a tar's files may be endless too."""

    def __init__(self, raw: _Reads) -> None:
        self._raw = raw
        self._left = MOST_BYTES + MOST_BYTES // 4

    def read(self, size: int) -> bytes:
        """The next bytes."""
        data = self._raw.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise InputError(f"more than {MOST_BYTES // 1_000_000} MB when unpacked, expected a bot")
        return data
