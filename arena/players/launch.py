"""How a bot is launched: its command line, its environment, where it is to listen."""

import os
import shlex
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import arena
from arena.errors import HostError, printable
from arena.isolation import view
from arena.isolation.processes import is_root
from arena.isolation.sandbox import Sandbox
from arena.isolation.values import NO_ISOLATION, Isolation, Layer
from arena.players.files import MANIFEST, bot_files
from arena.players.programs import dying_with_us, found
from arena.players.spec import BotSpec, Transport

PYTHON = "{python}"
"""In a bot's command: the Python the arena runs on."""

LONGEST_SOCKET_PATH = 103
"""Bytes. Linux takes 107, macOS 103."""
_INTO_SANDBOX = "/proc/4194304/root"
"""What stands before the path of a socket for the arena, where the bot has a view of the files of its own."""


def filled_in(words: tuple[str, ...]) -> list[str]:
    """A command with `{python}` filled in."""
    return [word.replace(PYTHON, sys.executable) for word in words]


def command(
    run: tuple[str, ...],
    folder: Path,
    sandbox: Sandbox | None = None,
    *,
    writable: bool = False,
    tools: Sequence[Path] = (),
) -> list[str]:
    """The command line: `{python}` filled in, the program by its full path, dying with this process where it can.

    sandbox: to run it in. writable, tools: see there. Raises OSError.
    """
    program, *arguments = filled_in(run)
    argv = [found(program, folder) or program, *arguments]
    return dying_with_us(argv if sandbox is None else sandbox.command(argv, folder, writable=writable, tools=tools))


def missing_program(run: tuple[str, ...], folder: Path) -> str | None:
    """What is wrong with the command's program, `None` where it is there and may be run."""
    program = filled_in(run)[0]
    if found(program, folder):
        return None
    beside = folder / program
    if Path(program).name != program:
        return f"'{program}' may not be executed" if beside.is_file() else f"there is no file '{program}'"
    hint = f"; the file of that name in the bot's folder is './{program}'" if beside.exists() else ""
    return f"there is no command '{program}'{hint}"


def unreadable(spec: BotSpec, isolation: Isolation) -> str | None:
    """What is wrong with a bot's files for the user that it will be, `None` where all can be read."""
    folder = spec.folder
    if not (isolation.has(Layer.USER) and is_root()) or folder is None or not (folder / MANIFEST).exists():
        return None
    path = view.closed(folder, bot_files(folder))
    if path is None:
        return None
    return f"{path}: only its owner may read it, and bots are users of their own; say first: chmod -R go+rX {folder}"


def unseen(spec: BotSpec, isolation: Isolation) -> str | None:
    """What is wrong with a bot's command that names a file which the bot would not see, `None` where there is none."""
    folder = spec.folder or Path.cwd()
    if not (isolation.has(Layer.FILES) and spec.run):
        return None
    words = filled_in(spec.run)
    seen = (*view.system(), *view.runtime(tuple(words), folder), folder)
    for word in words[1:]:
        path = Path(os.path.normpath(folder / word))
        if path.is_file() and not any(path.is_relative_to(top) for top in seen):
            return (
                f"{spec.name}: its command names {printable(word)}, and an isolated bot sees no folder of yours but "
                f"its own, {folder}; put the file there, or say isolation: none"
            )
    return None


def environment(run: tuple[str, ...], scratch: Path, listen: str) -> dict[str, str]:
    """A clean environment: nothing of the user's but the PATH, above all no proxies, which break the loopback.

    scratch: an empty folder, the bot's HOME and place for temporary files.
    listen: the value of ARENA_LISTEN.
    """
    passed = ("PATH", "SYSTEMROOT")  # no socket on Windows without the latter
    variables = {name: os.environ[name] for name in passed if name in os.environ}
    variables |= {"LANG": os.environ.get("LANG", "C.UTF-8"), "HOME": str(scratch), "TMPDIR": str(scratch)}
    variables |= {"ARENA_LISTEN": listen}
    # Prints reach the log even if the bot is killed; a set of texts has one order in every run.
    variables |= {"PYTHONUNBUFFERED": "1", "PYTHONHASHSEED": "0"}
    checkout = Path(arena.__file__).parent.parent
    installed = {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}
    if checkout not in installed and any(PYTHON in word for word in run):
        variables["PYTHONPATH"] = str(checkout)
    return variables


BUILDING = (
    *("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TERM", "JAVA_HOME", "GOROOT", "GOFLAGS", "GOTOOLCHAIN", "GOPROXY"),
    *("GOSUMDB", "GONOSUMDB", "GONOPROXY", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "RUSTUP_AUTO_INSTALL", "CC", "CXX"),
    *("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR"),
    *("CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "PIP_CERT", "GIT_SSL_CAINFO", "PIP_INDEX_URL"),
    *("NPM_CONFIG_REGISTRY", "npm_config_registry", "PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH"),
)
"""Of the user's environment, what the builds of bots are given: where tools are, and how things are fetched here."""


TOOLCHAINS = ("RUSTUP_HOME", "JAVA_HOME", "GOROOT")
"""Those of the variables that name a folder of tools, which a build has to see."""


def build_environment(home: Path, scratch: Path) -> dict[str, str]:
    """The environment of a step of a build, with what makes tools keep to its HOME."""
    variables = {name: os.environ[name] for name in BUILDING if name in os.environ}
    variables |= {"HOME": str(home), "TMPDIR": str(scratch), "LANG": variables.get("LANG", "C.UTF-8")}
    toolchains = Path.home() / ".rustup"
    if toolchains.is_dir():  # cargo and rustc of rustup look for them in HOME
        variables.setdefault("RUSTUP_HOME", str(toolchains))
    variables["GOFLAGS"] = f"{variables.get('GOFLAGS', '')} -modcacherw".strip()  # else nobody could remove them
    # Java asks the list of users, which has no sandbox's. It heeds quotes, which mvn does not in a variable of its own.
    variables["JAVA_TOOL_OPTIONS"] = f"-Duser.home={shlex.quote(str(home))}"
    variables["PYTHONUNBUFFERED"] = "1"
    return variables


def make_private_folder() -> Path:
    """A fresh folder that only this user may enter, with an empty `scratch` in it. Raises OSError."""
    folder = Path(tempfile.mkdtemp(prefix="gin-"))
    (folder / "scratch").mkdir()
    return folder


def remove_private_folder(folder: Path) -> None:
    """Remove it and all that the bot has left in it.

    However deep that is: a folder in another is first laid beside it, so that no path grows too long to be followed.
    """
    with suppress(OSError):
        flat = Path(tempfile.mkdtemp(dir=folder))
        opened = [folder]
        for parent in opened:
            with suppress(OSError):
                for entry in [*os.scandir(parent)]:
                    with suppress(OSError):  # another that escaped may still be at work here
                        _take_out(entry, flat, opened)
        for path in (*reversed(opened[1:]), flat, folder):
            with suppress(OSError):
                path.rmdir()


def _take_out(entry: "os.DirEntry[str]", flat: Path, opened: list[Path]) -> None:
    """Remove a file from its folder, or move a folder, which may then be emptied. Raises OSError."""
    if not entry.is_dir(follow_symlinks=False):
        Path(entry).unlink()
    elif Path(entry) != flat:
        Path(entry).chmod(0o700)  # one without the right to write cannot be emptied
        opened.append(Path(entry).rename(flat / str(len(opened))))


def listen_address(transport: Transport, folder: Path, isolation: Isolation = NO_ISOLATION) -> str:
    """What a bot is told in ARENA_LISTEN: a socket in `folder`, or a TCP port of its own choice.

    Raises HostError where a unix socket is demanded and cannot be had.
    """
    path = folder / "s"
    way = _INTO_SANDBOX if isolation.has(Layer.FILES) else ""
    short = len(os.fsencode(f"{way}{path}")) <= LONGEST_SOCKET_PATH
    if transport is Transport.TCP or (transport is Transport.AUTO and (sys.platform == "win32" or not short)):
        return "tcp:127.0.0.1:0"
    if not short:
        raise HostError(f"{path} is too long a path for a socket; set TMPDIR to a folder with a shorter one")
    return f"unix:{path}"
