"""A version of a bot out of a git repository: `git:REF:PATH`, as git itself writes what a commit had at a path.

What the commit had there is written into a folder of the user's cache, named by git's own hash of it. So it is written,
and built, once, and is the same wherever it is used.
"""

import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from arena.errors import InputError, printable, short
from arena.players.files import MANIFEST

PREFIX = "git:"
_EXPECTED = f"expected {PREFIX}REF:PATH, such as {PREFIX}main:bots/ginny"


def is_version(text: str) -> bool:
    """Whether a text names a version in a repository, and no folder."""
    return text.startswith(PREFIX)


def checked_out(text: str) -> Path:
    """The folder of the bot that `git:REF:PATH` names, in the repository that the working folder is in.

    PATH is relative to the top of the repository, or to the working folder if it is `.` or begins with `./` or `../`.
    Raises `InputError` for a reference or a path that is not there, outside a repository, and where there is no git.
    """
    ref, colon, path = text.removeprefix(PREFIX).partition(":")
    if not ref or not colon:
        raise InputError(f"{short(text)!r} names no version of a bot, {_EXPECTED}")
    if ref.startswith("-"):
        raise InputError(f"{short(ref)!r} is no commit, branch or tag, {_EXPECTED}")
    here = _git("rev-parse", "--git-dir")
    if here.returncode:
        said = printable((here.stderr.strip().splitlines() or ["nothing"])[0])
        raise InputError(f"{short(text)!r}: {Path.cwd()} is in no git repository that can be read ({said})")
    if _git("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}").returncode:
        clone = "; a shallow clone has the newest commit alone" if _is_shallow() else ""
        raise InputError(f"{short(text)!r}: there is no commit, branch or tag {short(ref)!r} in this repository{clone}")
    path = path.rstrip("/")
    found = _git("rev-parse", "--verify", "--quiet", f"{ref}:{path}{'/' if path in {'.', '..'} else ''}")
    if found.returncode:
        raise InputError(f"{short(text)!r}: there is no {short(path)!r} in {ref}, {_EXPECTED}")
    tree = found.stdout.strip()
    kind = _git("cat-file", "-t", tree).stdout.strip()
    if kind != "tree":  # git has no object of another repository's commit
        what = "a file" if kind == "blob" else "a submodule, whose files are in another repository,"
        raise InputError(f"{short(text)!r}: {short(path)!r} is {what} in {ref}, expected the folder of a bot")
    if _git("cat-file", "-e", f"{tree}:{MANIFEST}").returncode:
        raise InputError(f"{short(text)!r}: {short(path)!r} has no {MANIFEST} in {ref}, expected the folder of a bot")
    return _written(tree)


def _is_shallow() -> bool:
    return _git("rev-parse", "--is-shallow-repository").stdout.strip() == "true"


def _written(tree: str) -> Path:
    """The folder in the cache that holds a tree, written if it is not there: all of it or nothing."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gin-arena" / "git"
    folder = cache / tree
    if folder.is_dir():
        return folder
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f"{tree[:12]}-", dir=cache) as draft:
            _write(tree, Path(draft))
            if not folder.is_dir():
                Path(draft, "bot").rename(folder)
    except OSError as error:
        raise InputError(f"{cache}: {error.strerror}, expected a folder where a version can be written") from None
    return folder


def _write(tree: str, draft: Path) -> None:
    """Write the files of a tree into the folder `bot` of another, by an index of its own."""
    files = draft / "bot"
    files.mkdir()
    place = {
        "GIT_DIR": _git("rev-parse", "--absolute-git-dir").stdout.strip(),
        "GIT_INDEX_FILE": str(draft / "index"),
        "GIT_WORK_TREE": str(files),
    }
    for step in (["read-tree", tree], ["checkout-index", "--all"]):
        done = _git(*step, environment=place, folder=files)
        if done.returncode:
            raise InputError(f"git {step[0]} has failed: {printable(done.stderr.strip())}")


def _git(
    *arguments: str, environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run(
            ["git", *arguments],
            check=False,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            cwd=folder,
            env={**os.environ, **(environment or {})},
        )
    except OSError:
        raise InputError(f"git is not installed, expected it for a bot given as {PREFIX}REF:PATH") from None
