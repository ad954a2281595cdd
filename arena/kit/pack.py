"""A bot as one file to hand in. Equal bots make equal files, byte by byte, and the content hash is the receipt."""

import stat
import zipfile
from dataclasses import dataclass
from pathlib import Path

from arena.errors import InputError
from arena.players.files import bot_files, hash_of, read_file
from arena.players.manifest import read_manifest

LARGE_FILE = 10_000_000
LARGE_BOT = 50_000_000
"""Bytes. What is larger is probably not meant to be handed in."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the archive: the earliest that a zip can tell."""


@dataclass(frozen=True, slots=True)
class Packed:
    """What was packed: the archive, the bot's number of files, their bytes, its content hash, and warnings."""

    archive: Path
    files: int
    size: int
    content_hash: str
    warnings: list[str]


def pack(folder: Path, archive: Path | None = None) -> Packed:
    """Pack what counts for a bot's content hash, in a folder of the bot's name. archive: else NAME.zip beside `folder`.

    The files are neither compressed, as that differs from one zlib to the next, nor have times; of their modes only the
    right to execute is kept. Raises `InputError` for what is no bot, and for an archive within the bot or in place
    of what is no zip.
    """
    spec = read_manifest(folder)
    assert spec.folder is not None
    archive = archive or spec.folder.parent / f"{spec.name}.zip"
    if archive.resolve().is_relative_to(spec.folder):
        raise InputError(f"{archive} would be a file of the bot itself, expected a place outside of {folder}")
    if archive.is_dir() or not archive.parent.is_dir():
        raise InputError(f"--out: expected a file in a folder that is there, got {archive}")
    if archive.exists() and not (archive.is_file() and zipfile.is_zipfile(archive)):
        raise InputError(f"--out: expected a new file, or a zip to be replaced, got {archive}, which is something else")
    sizes: dict[str, int] = {}
    part = archive.with_name(f"{archive.name}.part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as packed:
            for path in bot_files(folder):
                data = read_file(folder, path)
                packed.writestr(_entry(folder, path, spec.name), data)
                sizes[path] = len(data)
        content_hash = _hash_of(part)
        if content_hash != spec.content_hash:
            raise InputError(f"{folder} has changed while it was packed, expected it to be left alone: try again")
        part.replace(archive)
    finally:
        part.unlink(missing_ok=True)
    return Packed(archive, len(sizes), sum(sizes.values()), content_hash, _warnings(sizes))


def _entry(folder: Path, path: str, name: str) -> zipfile.ZipInfo:
    """The entry of a file: nothing in it depends on where and when it is made."""
    try:
        path.encode()
    except UnicodeEncodeError:
        raise InputError(f"{folder / path}: this name is no text, expected one in UTF-8") from None
    entry = zipfile.ZipInfo(f"{name}/{path}", EPOCH)
    entry.create_system = 3  # modes are those of Unix
    executable = (folder / path).stat().st_mode & stat.S_IXUSR
    entry.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
    return entry


def _hash_of(archive: Path) -> str:
    """The content hash of a packed bot."""
    with zipfile.ZipFile(archive) as packed:
        return hash_of((entry.filename.partition("/")[2], packed.read(entry)) for entry in packed.infolist())


def _warnings(sizes: dict[str, int]) -> list[str]:
    large = [f"{path} has {size / 1e6:,.0f} MB" for path, size in sizes.items() if size > LARGE_FILE]
    total = sum(sizes.values())
    return large + ([f"all files together have {total / 1e6:,.0f} MB"] if total > LARGE_BOT else [])
