"""Fuzzed: series, settings of the command line, and the bots' own files."""

import re
from pathlib import Path

from fuzz.target import ROOT, Target, check_message

from arena.documents import parse_document, read_document
from arena.errors import InputError
from arena.players.files import MANIFEST
from arena.players.manifest import read_manifest
from arena.rules.options import OPTIONS
from arena.tournament.seeds import series_seed
from arena.tournament.series import Series, series_of


def document_targets(folder: Path) -> dict[str, Target]:
    """All that is YAML. folder: where files can be written."""
    return {
        "series": _series_target(folder),
        "setting": Target(_SettingCheck(folder), _SETTINGS, YAML_WORDS),
        "manifest": Target(_ManifestCheck(folder), _manifests(), YAML_WORDS),
    }


_WORDS = [
    word.encode()
    for word in (
        *("name", "bots", "rules", "path", "sample", "run", "address", "clock", "seed", "rank_by", "games", "groups"),
        *("gin", "three-hand", "oklahoma", "hollywood", "gauntlet", "balanced 3", "fresh", "commit", "auto", "wins"),
        *OPTIONS,
        *(
            ": ",
            "\n",
            "\n  ",
            "- ",
            "? ",
            "# ",
            " #",
            "|\n",
            ">-\n",
            "---\n",
            "...\n",
            "%YAML 1.1\n---\n",
            "%TAG ! x\n",
        ),
        *("&a ", "*a", "!!python/object:os.system ", "!<tag:x%0Ay> ", "! ", "!!binary ", "!!int ", "<<: ", "="),
        *("~", "null", "true", "No", "0", "-1", "1.5", ".inf", ".nan", "1e400", "0o7", "0x1f", "1_000", "10:30", "1e3"),
        *('"\\0"', '"\\x1b[2J"', '"\\ud800"', '"\\u2028"', "'", '"', "[", "]", "{", "}", ",", "@", "`", "\t", "\ufeff"),
        *('"\\0*"', "**", "/", "..", "ann", "[ab]*", "[!", "{name: x, run: [x]}", "{name: x, address: 'a:1'}"),
        *("5s", "1h", "99999h", "0ms", "1000000", "9" * 400, "9" * 4300, "k" * 1100, "unix:/" + "s" * 200),
    )
]
YAML_WORDS = (*_WORDS, b"\r\n", b"\xef\xbb\xbf", b"\0", b"\xff")

_SERIES = """\
name: cup
bots: [ann, b*, {path: cid, name: cid-2}]
rules: {preset: pagat, gin_bonus: 20, big_gin: 31}
groups: 3
seed: 2026
"""
_WHOLE = """\
# Everything that a series can say.
name: whole
bots:
  - ann
  - {name: dot, run: ["{python}", bot.py], games: [gin, three-hand, oklahoma], transport: tcp}
  - {name: eve, address: "localhost:4000"}
  - {name: ada, join: true}
  - {sample: greedy, name: g}
game: three-hand
scoring: hollywood
play: games
rules:
  knock_limit: upcard
  spade_doubles: yes
  target: 250
  adviser_view: public
format: round-robin
triples: balanced 4
groups: 2
rank_by: [games_won, margin]
seed: commit
secret_file: secret
timed: no
hints: off
clock: {ready: 10s, decision: 250ms, bank: 0s, goodbye: 1.5s}
faults: {cost: forfeit_game, quarantine_after: 3}
bot_memory: trusted
remote: {grace: 5s, network: 100ms, wait: 10m}
workers: 2
tables: 64
batch: 32
"""


def _series_target(folder: Path) -> Target:
    for name in ("ann", "bob", "cid"):
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / MANIFEST).write_text(f'name: {name}\nrun: ["{{python}}", bot.py]\n')
    (folder / "secret").write_bytes(bytes(32))
    samples = [path.read_bytes() for path in sorted((ROOT / "tournaments").glob("*.yaml"))]
    own = [
        re.sub(rb"(\.\./sample_bots/\w+)", lambda found: b"{sample: " + found[1][15:] + b"}", text) for text in samples
    ]
    return Target(_SeriesCheck(folder), (_SERIES.encode(), _WHOLE.encode(), *own), YAML_WORDS)


class _SeriesCheck:
    """A file is a series, or it is told what is wrong with it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, data: bytes) -> None:
        path = self._folder / "series.yaml"
        path.write_bytes(data)
        document_text = ""
        try:
            document = read_document(path)
            document_text = document.text
            series = series_of(document, self._folder)
        except InputError as error:
            message = str(error).replace(str(self._folder), "...")
            check_message(message)
            assert all(line.startswith(("...", "and ")) for line in message.split("\n")), f"where? {message}"
            return
        check_series(series, self._folder)
        assert series == series_of(parse_document(document_text, "again"), self._folder)


def check_series(series: Series, folder: Path) -> None:
    """Check that a series written again is the same, and that a seed can be made for it."""
    for text in (series.as_json(), series.as_yaml()):
        again = series_of(parse_document(text, "written"), folder)
        assert (again.config, again.format, again.bots) == (series.config, series.format, series.bots)
    try:
        assert len(series_seed(series, folder).master) == 32
    except InputError as error:
        check_message(str(error).replace(str(folder), "..."))


_SETTINGS = (
    b"groups=20",
    b"rules.gin_bonus=20",
    b"clock.decision=200ms",
    b"bots=[ann, bob]",
    b"game=oklahoma",
    b"seed=",
)


class _SettingCheck:
    """The same of a setting of the command line over a file that is right."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, data: bytes) -> None:
        setting = data.decode(errors="surrogateescape")
        if "\0" in setting:  # no system can pass it on
            return
        try:
            series = series_of(parse_document(_SERIES, "...", [setting]), self._folder)
        except InputError as error:
            check_message(str(error).replace(str(self._folder), "..."))
            return
        check_series(series, self._folder)


def _manifests() -> tuple[bytes, ...]:
    own = b'name: ginny\nversion: "1.3"\nbuild: [make]\nrun: ["{python}", bot.py]\ntransport: auto\ngames: [gin]\n'
    return (own, *[path.read_bytes() for path in sorted((ROOT / "sample_bots").glob(f"*/{MANIFEST}"))])


class _ManifestCheck:
    """A bot.yaml is a bot, or it is told what is wrong with it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "bot"

    def __call__(self, data: bytes) -> None:
        self._folder.mkdir(exist_ok=True)
        (self._folder / MANIFEST).write_bytes(data)
        try:
            spec = read_manifest(self._folder)
        except InputError as error:
            message = str(error).replace(str(self._folder), "...")
            check_message(message)
            assert all(line.startswith((f".../{MANIFEST}:", "and ")) for line in message.split("\n")), (
                f"where? {message}"
            )
            return
        assert read_manifest(self._folder) == spec
        assert spec.run
        assert (spec.name + spec.version).isprintable()
        assert len(spec.name + spec.version) <= 100
