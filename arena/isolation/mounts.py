"""The view of the file system that a bot has, in the words of bubblewrap.

What there is in it stands in `view`; here it is laid out, outer folders before inner ones.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.isolation import view
from arena.isolation.processes import is_root
from arena.isolation.values import MIB, Isolation, Layer

_TEMPORARY, _SHARED = Path("/tmp"), Path("/dev/shm")  # noqa: S108 -- the sandbox's own
_SHARED_MEMORY = 16 * MIB


def mounts(
    isolation: Isolation,
    folder: Path,
    private: Path,
    runtime: Sequence[Path],
    *,
    network: bool,
    writable: bool,
    stranger: bool,
) -> Iterator[str]:
    """All of it. isolation: the layers, the size of the scratch, and what is hidden.

    folder: the bot's, which may be written to if it is `writable`. private: where its scratch and its socket are.
    runtime: what it needs outside its folder. network: whether it has one. stranger: whether it is another user.
    """
    made: set[Path] = set()
    size = ["--size", str(isolation.limits.scratch)] if isolation.has(Layer.SCRATCH) else []
    for path in view.system(network=network):
        yield from _folders_to(path, made)
        if path.is_symlink() and path.parent == Path("/"):
            yield from ("--symlink", str(path.readlink()), str(path))
        else:
            yield from ("--ro-bind", str(path.resolve()), str(path))
    yield from ("--proc", "/proc") if isolation.has(Layer.PROCESSES) else ("--ro-bind", "/proc", "/proc")
    yield from ("--dev", "/dev", *_memory(_SHARED, size and ["--size", str(_SHARED_MEMORY)]))
    yield from ("--remount-ro", "/dev", *_memory(_TEMPORARY, size))
    made.add(_TEMPORARY)
    for path in runtime:
        yield from (*_folders_to(path, made), "--ro-bind", str(path), str(path))
    yield from _folders_to(folder, made)
    yield from ("--bind", str(folder), str(folder)) if writable else _to_read(folder, stranger=stranger)
    yield from _folders_to(private, made)
    in_memory = private.is_relative_to(_TEMPORARY)
    yield from (*_open_to_all(), "--dir", str(private)) if in_memory else _memory(private, size)
    yield from (*_open_to_all(), "--dir", str(private / "scratch"))
    for path in isolation.hidden:
        if any(path.is_relative_to(top) for top in (folder, *runtime, *view.SYSTEM)):
            yield from ("--tmpfs", str(path), "--remount-ro", str(path))
    yield from ("--remount-ro", "/")


def _to_read(folder: Path, *, stranger: bool) -> Iterator[str]:
    """Show the folder of the bot. One that only its owner may enter is made anew for others, with all that is in it."""
    if not stranger or view.is_open(folder):
        yield from ("--ro-bind", str(folder), str(folder))
        return
    yield from ("--perms", "0755", "--dir", str(folder))
    for path in sorted(folder.iterdir()):
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        else:
            yield from ("--ro-bind", str(path), str(path))


def _folders_to(path: Path, made: set[Path]) -> Iterator[str]:
    """Make the folders above a path, for any user to pass: bubblewrap's own are for the one who starts it."""
    for folder in [parent for parent in reversed(path.parents) if parent not in made and is_root()][1:]:
        made.add(folder)
        yield from ("--perms", "0755", "--dir", str(folder))


def _memory(path: Path, size: list[str]) -> list[str]:
    """A folder in memory that the bot may write to."""
    return [*_open_to_all(), *size, "--tmpfs", str(path)]


def _open_to_all() -> list[str]:
    """Let another user write to what is made next: root does not make it as the bot."""
    return ["--perms", "1777"] if is_root() else []
