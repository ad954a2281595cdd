"""A new bot: the copy of a sample bot, under a name of its own, that builds, passes its check and loses to `greedy`."""

import codecs
import keyword
import locale
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from arena.errors import HostError, InputError
from arena.players.files import MANIFEST, bot_files, read_file
from arena.players.manifest import bot_name
from arena.players.samples import sample_folders


@dataclass(frozen=True, slots=True)
class Language:
    """A language, or a way into one, that a bot can be begun in.

    sample: the sample bot that is copied. Where the bot's name belongs it has the sample's, and nowhere else.
    needs: what it takes to build and run it, for people. tools: the commands of it.
    by_locale: whether its tools find only files whose path the locale can write.
    """

    sample: str
    needs: str
    tools: tuple[str, ...] = ()
    by_locale: bool = False


LANGUAGES = {
    "python": Language("beginner", "nothing else"),
    "go": Language("simple-go", "Go 1.24 or newer", ("go",)),
    "rust": Language("simple-rust", "Rust 1.88 or newer with cargo, and a C compiler", ("cargo", "cc")),
    "java": Language("simple-java", "a JDK of 17 or newer, and Maven", ("javac", "mvn"), by_locale=True),
    "typescript": Language("simple-typescript", "Node 20 or newer with npm", ("node", "npm")),
    "cpp": Language(
        "simple-cpp",
        "a C++17 compiler, CMake, pkg-config, protoc and grpc++",
        ("c++", "cmake", "pkg-config", "protoc", "grpc_cpp_plugin"),
    ),
    "c": Language("simple-c", "a C compiler and make, no library", ("cc", "make")),
    "java-bridge": Language("simple-java-bridge", "a JDK of 17 or newer, no library", ("javac",), by_locale=True),
    "cpp-bridge": Language("simple-cpp-bridge", "a C++17 compiler and make, no library", ("c++", "make")),
}
"""By the name that `arena new` knows them by."""

SERIES = """\
# A first series: {name} against the sample bot greedy, on 50 deal groups, each played in both seatings.
name: first
bots: ["{name}", {{sample: greedy}}]
groups: 50
"""


@dataclass(frozen=True, slots=True)
class NewBot:
    """What was written: the bot's folder, its files in it, and a first series beside it. missing: tools not found."""

    folder: Path
    files: list[str]
    series: Path
    missing: list[str]


def languages_text() -> str:
    """The languages with what each needs, a line each."""
    width = max(map(len, LANGUAGES))
    return "\n".join(f"  {name:<{width}}  {language.needs}" for name, language in LANGUAGES.items())


def new_bot(language: str, name: str, parent: Path) -> NewBot:
    """Write a new bot into the folder `name` of `parent`, which is made if need be, and a series beside it.

    Raises `InputError` for an unknown language, a name that no bot or no class of the language can have, and where
    something is in the way. Then nothing is written.
    """
    if language not in LANGUAGES:
        raise InputError(f"unknown language {language!r}, expected one of these, which need:\n{languages_text()}")
    chosen = LANGUAGES[language]
    replaced = _replaced(chosen.sample, name)
    template = sample_folders().get(chosen.sample)
    if template is None:
        raise HostError(f"the sample bot {chosen.sample} has not come with this installation of the arena")
    folder, series = parent / name, parent / f"{name}.yaml"
    for taken in (folder, series):
        if taken.exists() or taken.is_symlink():
            raise InputError(f"{taken} is there already, expected a name that is free: nothing was written")
    if chosen.by_locale and not _in_locale(str(folder.absolute())):
        raise InputError(
            f"the tools of {language} do not find {folder.absolute()} in this locale, expected a path without "
            "letters beyond ASCII, or a locale of UTF-8, as by LC_ALL=C.UTF-8"
        )
    files = bot_files(template)
    folder.mkdir(parents=True)
    try:
        for path in files:
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(_renamed(path, read_file(template, path), replaced))
        series.write_text(SERIES.format(name=name), encoding="utf-8")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return NewBot(folder, files, series, [tool for tool in chosen.tools if shutil.which(tool) is None])


def _in_locale(path: str) -> bool:
    """Whether other programs can be sure to see this path. Those of Windows need no locale for it."""
    return path.isascii() or sys.platform == "win32" or codecs.lookup(locale.getencoding()).name == "utf-8"


def _replaced(sample: str, name: str) -> dict[str, str]:
    """What the copy of a sample has in place of which of its words. Raises `InputError` for a name it cannot have."""
    try:
        replaced = {sample: bot_name(name)}
    except ValueError as error:
        raise InputError(f"the name {name!r} cannot be a bot's, expected {error}") from None
    if sample == "beginner":
        replaced["Beginner"] = _class_name(name)
    return replaced


def _class_name(name: str) -> str:
    """The class of a Python bot of that name: `GinRummy2` for gin-rummy_2."""
    words = re.findall(r"[^\W_]+", name)
    text = "".join(word[0].upper() + word[1:] for word in words)
    if not text.isidentifier() or keyword.iskeyword(text) or text in {"Action", "Bot", "Turn"}:
        text = f"My{text}"
    if not text.isidentifier():
        wrong = next(letter for letter in text if not f"a{letter}".isidentifier())
        raise InputError(f"the name {name!r} has {wrong!r}, expected letters and digits that a Python class can have")
    return text


def _renamed(path: str, data: bytes, replaced: dict[str, str]) -> bytes:
    """A file of the sample as the new bot has it; bytes that are no text stay as they are."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data
    quote = '"' if path == MANIFEST else ""  # YAML takes some names for numbers
    return re.sub("|".join(replaced), lambda found: f"{quote}{replaced[found[0]]}{quote}", text).encode()
