"""Where a program failed, found in what it printed: the last place in its own source, and what was said there.

What a program prints is a stranger's text. It is only looked at here, and shown in printable characters alone.
"""

import re
from typing import NamedTuple

from arena.errors import printable

LONGEST = 200
"""Characters of what was said."""


class Place(NamedTuple):
    """Where a program failed. file: in its folder, empty where it is not told. told: in the words of its language."""

    file: str
    line: int
    told: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.told}" if self.file else self.told


class _Report(NamedTuple):
    """How a language tells of a failure.

    head: finds the report, with `told`, and `file` and `line` where these stand in it; `kind` is put before `told`.
    frame: finds the frames, with `file` and `line`; where they stand in no `frames` of the head, they follow it.
    last: whether the place is in the last of them, and not in the first.
    """

    head: re.Pattern[str]
    frame: re.Pattern[str] | None = None
    last: bool = False


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.MULTILINE)


_PYTHON_FRAME = r'^ +File "(?P<file>[^"\n]+)", line (?P<line>\d+)'
_REPORTS = (
    _Report(  # Python
        _pattern(
            r'(?P<frames>^ +File "[^"\n]+", line \d+.*\n(?: .*\n)*+)'  # "*+" never goes back: it would take for ever
            r"(?P<told>[A-Za-z_][\w.]*(?:: .*)?)$"
        ),
        _pattern(_PYTHON_FRAME),
        last=True,
    ),
    _Report(_pattern(r"^(?P<told>Fatal Python error: .+)$"), _pattern(_PYTHON_FRAME)),
    _Report(_pattern(r"^(?P<told>(?:panic|fatal error): .+)$"), _pattern(r"^\t(?P<file>.+\.go):(?P<line>\d+)")),  # Go
    _Report(  # Rust
        _pattern(r"^thread '[^'\n]*'(?: \(\d+\))? panicked at (?P<file>[^\n:']+\.rs):(?P<line>\d+):\d+:\n(?P<told>.+)$")
    ),
    _Report(  # Rust before 1.73
        _pattern(r"^thread '[^'\n]*' panicked at '(?P<told>.*)', (?P<file>[^\n:]+\.rs):(?P<line>\d+):\d+$")
    ),
    _Report(  # Java and others on its machine
        _pattern(
            r"^(?:Exception in .*?|Caused by: )?(?P<told>(?:[\w$]+\.)+[\w$]*(?:Exception|Error)\b.*)$(?=\n\s+at )"
        ),
        _pattern(
            r"^\s+at (?!(?:java|javax|jdk|sun|io\.grpc|io\.netty|com\.google)[./])[^()\n]+"
            r"\((?P<file>\w+\.(?:java|kt|scala)):(?P<line>\d+)\)"
        ),
    ),
    _Report(  # JavaScript and TypeScript
        _pattern(r"^(?:Uncaught )?(?P<told>\w*Error\b.*)$(?=\n    at )"),
        _pattern(r"^ +at (?:[^(\n]* \()?(?:file://)?(?P<file>[^()\n]+?):(?P<line>\d+):\d+\)?$"),
    ),
    # C and C++: assertions of glibc and of others, sanitizers, exceptions that nobody caught.
    _Report(_pattern(r"^[^\n:]*: (?P<file>[^\n:]+):(?P<line>\d+): .*?(?P<told>Assertion .*)$")),
    _Report(
        _pattern(r"^(?P<told>Assertion failed: .*?), (?:function [^,\n]+, )?file (?P<file>[^\n,]+), line (?P<line>\d+)")
    ),
    _Report(_pattern(r"^(?P<file>[^\n:]+):(?P<line>\d+):\d+: runtime error: (?P<told>.*)$")),
    _Report(
        _pattern(r"^==\d+==ERROR: (?P<told>\w+Sanitizer: \S+)"),
        _pattern(r"^ +#\d+ 0x[0-9a-f]+ in .*? (?P<file>[^\s:]+):(?P<line>\d+)"),
    ),
    _Report(
        _pattern(r"^terminate called after throwing an instance of '(?P<kind>[^'\n]*)'\n +what\(\): +(?P<told>.*)$")
    ),
)
_PACKAGE = re.compile(r"^(?:[\w$]+\.)+(?=[\w$]+(?::|$))")
_FOREIGN = re.compile(
    r"(?:^|/)(?:site-packages|dist-packages|node_modules|lib/python[\d.]+|rustc|usr|go/pkg|sdk/go[\d.]+|\.cargo|\.rustup)/"
    r"|(?:^|/)arena/(?:bot/|bridge/|protocol/|rules/|melds\.py|cards\.py)"
    r"|^(?:runtime|google\.golang\.org|golang\.org)/|^<|^node:"
)
"""Files that are no author's own: of the language, of libraries, of the arena."""


def place_in(output: str, folder: str = "") -> Place | None:
    """The place that the last report of a failure in an output names, `None` where there is no report.

    folder: of the bot, where its own files are; without it they are told from others by what they are called.
    """
    found = [(head.start("told"), report, head) for report in _REPORTS for head in report.head.finditer(output)]
    if not found:
        return None
    _, report, head = max(found, key=lambda one: one[0])
    groups = head.groupdict()
    told = _PACKAGE.sub("", groups["told"])
    told = f"{groups['kind']}: {told}" if groups.get("kind") else told
    told = printable(told.strip())
    told = told if len(told) <= LONGEST else told[: LONGEST - 1] + "…"
    frames = [head] if groups.get("file") else []
    if report.frame is not None:
        within = head.span("frames") if "frames" in groups else (head.end(), len(output))
        frames = list(report.frame.finditer(output, *within))
    for own in (_own_file, _other_file):
        files = [(name, int(frame["line"])) for frame in frames if (name := own(frame["file"], folder))]
        if files:
            file, line = files[-1 if report.last else 0]
            return Place(printable(file), line, told)
    return Place("", 0, told)


def _own_file(path: str, folder: str) -> str:
    """A path in the bot's folder, empty for a file outside."""
    if folder and path.startswith(folder.rstrip("/") + "/"):
        path = path[len(folder.rstrip("/")) + 1 :]
    elif path.startswith(("/", "\\")) or path[1:2] == ":":
        return ""
    return "" if _FOREIGN.search(path) else path.removeprefix("./")


def _other_file(path: str, _: str) -> str:
    """The name of a file that lies elsewhere and yet is no library's, as the bot's where its folder has moved."""
    return "" if _FOREIGN.search(path) else path.replace("\\", "/").rpartition("/")[2]


def last_lines(output: str, most: int) -> list[str]:
    """The last lines of an output, fit to be shown. most: how many."""
    return [printable(line.rstrip().expandtabs(4)) for line in output.rstrip().split("\n")[-most:] if output.strip()]


def last_words(output: str) -> str:
    """The last line of an output with anything in it, fit to be shown: printable, at most 200 characters."""
    last = "".join(last_lines(output, 1)).strip()
    return last if len(last) <= LONGEST else last[: LONGEST - 1] + "…"
