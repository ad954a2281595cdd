"""What a run is published as: a folder for everybody, and an archive for each entrant with what is its own.

Nothing of it hangs on when or where it is made: the same run makes the same bytes.
"""

import gzip
import json
import re
import shutil
import stat
import sys
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import arena
from arena.errors import HostError, RecordError, RunError
from arena.records.excerpt import complete_games, excerpt
from arena.records.export import What, export
from arena.records.fault_text import Wording, command_text, fault_list
from arena.records.faults import problems_of
from arena.records.info import BotHome, Premises
from arena.records.outline import game_text
from arena.records.replay import hand_text
from arena.records.store import Run
from arena.records.verify import Verified, verify
from arena.tournament.page import Wanted, write_page
from arena.tournament.results import write_results

PUBLIC, PRIVATE = "public", "private"
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive: the earliest that a zip can tell."""
Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Published:
    """What was published: where, how many of the games, and what `arena verify` says of it."""

    folder: Path
    games: int
    verified: Verified


def publish(run: Run, out: Path, *, incomplete: bool = False, report: Report = lambda _: None) -> Published:
    """Publish a run in a new folder, all of it or nothing. report: told what is being done.

    out: the folder; until it is whole it is called `OUT.part`.
    Raises `RunError` for a folder that is there, for what was published, and for a run that is not complete, unless
    `incomplete`: then the games of deal groups that are not complete are left out. Raises `RecordError` for a run that
    does not verify.
    """
    if not run.premises.config:
        raise RunError(f"{run.folder}: this is a published run; take the one that it was made of")
    done = run.done()
    if len(done) < len(run) and not incomplete:
        raise RunError(
            f"{run.folder}: {len(done)} of {len(run)} games are finished, expected all of them; go on with: "
            f"arena resume {run.folder}; or leave out what is not complete: --incomplete"
        )
    draft = out.parent / f"{out.name}.part"  # a root has no name
    for folder in (out, draft):  # whatever is there may be somebody's
        if folder.exists():
            raise RunError(
                f"{folder}: expected a new folder, got one that is there; remove it, or give another with --out"
            )
    games = complete_games(run, done)
    try:
        verified = _publish_public(run, draft / PUBLIC, games, report)
        for number, bot in enumerate(run.info.bots):
            report(f"archive of {bot.name}")
            _publish_private(run, draft / PRIVATE, games, number)
        draft.replace(out)
    except RecordError as error:
        told = str(error).removeprefix(f"{draft / PUBLIC}: ")
        raise RecordError(f"{run.folder}: nothing is published, for the record is wrong: {told}") from error
    except OSError as error:
        raise HostError(f"{error.filename or out}: {error.strerror}, so nothing is published") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return Published(out, len(games), verified)


# For everybody.


def _publish_public(run: Run, folder: Path, games: set[int], report: Report) -> Verified:
    report("record")
    excerpt(run, folder, games)
    with Run.open(folder) as public:
        report("verification")
        verified = verify(public)
        report("tables")
        results = write_results(public)
        report("page")
        # Ratings are not the same to a digit on every machine.
        write_page(public, folder / "report.html", Wanted(ratings=False))
        report("export")
        for what in What:
            with (folder / f"{what}.jsonl.gz").open("wb") as raw, gzip.GzipFile("", "wb", mtime=0, fileobj=raw) as file:
                file.writelines(f"{line}\n".encode() for line in export(public, what))
        report("replays")
        with _archive(folder / "replays.zip") as archive:
            for name, pairing in _pairings(public, games).items():
                with archive.open(_entry(f"{name}.txt"), "w", force_zip64=True) as text:
                    for index in pairing:
                        text.write(_game_pages(public, index).encode())
    (folder / "README.md").write_text(_readme(run, results.title, verified), encoding="utf-8")
    return verified


def _pairings(run: Run, games: set[int]) -> dict[str, list[int]]:
    """Games by the bots that meet in them."""
    numbers = {bot.name: number for number, bot in enumerate(run.info.bots)}
    found: dict[str, list[int]] = defaultdict(list)
    for spec in run.games():
        if spec.index in games:
            found[" - ".join(sorted(spec.seats, key=numbers.__getitem__))].append(spec.index)
    return found


def _game_pages(run: Run, index: int) -> str:
    """A game in outline, then every hand of it."""
    spec, record = run.record(index)
    assert record is not None
    hands = [hand_text(run.info, spec, record, hand.number) for hand in record.hands]
    return "\n\n\n".join([game_text(run.info, spec, record), *hands]) + f"\n\n\n{'=' * 80}\n\n"


def _readme(run: Run, title: str, verified: Verified) -> str:
    return f"""# {title}

{verified.games:,} of {verified.scheduled:,} games, {verified.hands:,} hands.

* `report.html`: the results as a page for a browser, which needs no network, with hands to be played through.
* `standings.*`, `crosstable.*`, `timing.*`: the tables, for people and for programs.
* `replays.zip`: every hand of every game as text, a file a pairing.
* `hands.jsonl.gz`, `games.jsonl.gz`: the export, a line a hand or a game.
* `run.sqlite`: the record. In this folder `arena verify .` deals and scores every hand again, and `arena replay . GAME
  HAND` shows one.

Digest of the record, as `arena verify` prints it: {verified.digest}

Commitment, as it was published before the first card: {run.info.commitment}
"""


# For an entrant.


def _publish_private(run: Run, folder: Path, games: set[int], number: int) -> None:
    """The archive of a bot, by its number: its faults with what it had printed, its logs, the record of its games."""
    bot = run.info.bots[number]
    top = f"{run.info.name}-{bot.name}"
    cleared = without_paths(run, number)
    own = {spec.index for spec in run.games() if spec.index in games and bot.name in spec.seats}
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="gin-publish-") as scratch, _archive(folder / f"{bot.name}.zip") as archive:
        copy = Path(scratch, "run")
        excerpt(run, copy, own, bot=number, premises=_own_premises(run, number, cleared), cleared=cleared)
        archive.writestr(_entry(f"{top}/run.sqlite"), (copy / "run.sqlite").read_bytes())
        with Run.open(copy) as part:
            for name, text in _own_faults(part, number).items():
                archive.writestr(_entry(f"{top}/{name}"), text.encode())
        logs = run.folder / "logs"
        for path in sorted(logs.glob("*/*.log")):
            if path.parent.name.partition("~")[0] == bot.name:
                text = path.read_bytes().decode(errors="surrogateescape")
                data = cleared(text).encode(errors="surrogateescape")
                archive.writestr(_entry(f"{top}/logs/{path.parent.name}/{path.name}"), data)


def _own_premises(run: Run, number: int, cleared: Callable[[str], str]) -> Premises:
    homes = [BotHome("") for _ in run.info.bots]
    if number < len(run.premises.bots):
        command = tuple([cleared(word) for word in run.premises.bots[number].command])
        homes[number] = replace(homes[number], command=command)
    return Premises(bots=tuple(homes))


def _own_faults(run: Run, number: int) -> dict[str, str]:
    bot, command = run.info.bots[number].name, run.premises.bots[number].command
    problems = [problem for problem in problems_of(run.faults(), {}) if problem.bot == bot]
    wording = Wording(".", {bot: command_text(command)} if command else {}, {})
    lines = [
        f"The faults of {bot} in {run.info.name}. In this folder, with BOT the folder of your bot:",
        "",
        *(fault_list(problems, [], wording, lines=10**6) if problems else ["There were none."]),
    ]
    told = {"faults": [{**problem.as_json(), "command": command or None} for problem in problems]}
    return {"faults.txt": "\n".join(lines) + "\n", "faults.json": json.dumps(told, indent=2) + "\n"}


_HOMES = re.compile(r"/(?:home|Users)/[^/\s\"':]+|/root(?=[/\s\"':]|$)")
_SCRATCH = re.compile(r"/[^\s\"':]*/gin-[^/\s\"':]+")


def without_paths(run: Run, number: int, others: Sequence[tuple[Path, str]] = ()) -> Callable[[str], str]:
    """What takes the paths of this machine out of what a bot of a run has printed: its own files are in `.`.

    others: more of them, and what stands there instead.
    """
    places: list[tuple[Path, str]] = []
    if number < len(run.premises.bots) and run.premises.bots[number].folder:
        places.append((run.folder / run.premises.bots[number].folder, "."))
    return cleared_of([*places, (run.folder, "(run)"), (run.folder / run.premises.base, "(series)"), *others])


def cleared_of(places: Sequence[tuple[Path, str]]) -> Callable[[str], str]:
    """What puts a word in place of each of these paths, and of those that any bot may see; the longest path first."""
    python = [(Path(sys.prefix), "(python)"), (Path(sys.base_prefix), "(python)")]
    known = [*places, (Path(arena.__file__).parent.parent, "(arena)"), *python, (Path.cwd(), "(here)")]
    found = {str(form): name for path, name in reversed(known) for form in (path.absolute(), path.resolve())}
    ordered = sorted(((path, name) for path, name in found.items() if len(path) > 1), key=lambda one: -len(one[0]))

    def cleared(text: str) -> str:
        for path, name in ordered:
            text = text.replace(path, name)
        return _HOMES.sub("~", _SCRATCH.sub("(scratch)", text))

    return cleared


# Archives.


def _archive(path: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)


def _entry(name: str) -> zipfile.ZipInfo:
    """The entry of a file: nothing in it depends on where and when it is made."""
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # modes are those of Unix
    entry.external_attr = (stat.S_IFREG | 0o644) << 16
    return entry
