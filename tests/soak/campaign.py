"""A long series with a bot that misbehaves at random: what the arena holds at the beginning it holds at the end."""

import json
import shutil
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from kills.processes import Process, descendants
from series_bench import BOTS, SAMPLES, ArenaProcess, write_series

from arena.records.store import Run

POLL_SECONDS = 0.5
BROKEN = ("crash", "illegal", "leave", "garbage", "repetition")
"""Ways of the chaos bot, see there."""


@dataclass(frozen=True)
class Held:
    """What a process of the arena holds: memory in MB, resident and its share of it, and open descriptors."""

    resident: float
    share: float
    descriptors: int


@dataclass
class Figures:
    """What came of it.

    held: by the number of hands, of the coordinator and then of each worker. faults: by bot and kind.
    logs: folders in which what bots printed is kept. processes, folders: what was left.
    """

    hands: int = 0
    seconds: float = 0.0
    held: dict[int, list[Held]] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    voids: int = 0
    logs: int = 0
    processes: int = 0
    folders: int = 0
    told: str = ""

    def lines(self) -> list[str]:
        """The figures, for people."""
        kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(self.faults.items()))
        return [
            f"{'hands':>8}  resident MB, share MB, descriptors: of the coordinator, of each worker",
            *(f"{hands:8}  {'   '.join(_text(each) for each in held)}" for hands, held in self.held.items()),
            f"hands           {self.hands} in {self.seconds:.0f} s",
            f"faults survived {sum(self.faults.values())} ({kinds})",
            f"games voided    {self.voids}",
            f"folders of logs {self.logs}",
            f"processes left  {self.processes}",
            f"folders left    {self.folders}",
        ]


def _text(held: Held) -> str:
    return f"{held.resident:.0f} {held.share:.0f} {held.descriptors}"


def chaos(folder: Path, every: int, ways: Sequence[str]) -> Path:
    """The folder of a chaos bot: about one turn in `every` is answered in one of the ways."""
    bot = folder / "chaos"
    bot.mkdir()
    shutil.copy(BOTS / "chaos" / "bot.py", bot)
    (bot / "bot.yaml").write_text(json.dumps({"name": "chaos", "run": ["{python}", "bot.py", str(every), *ways]}))
    return bot


def crowd(folder: Path, number: int) -> list[Path]:
    """The folders of a class: copies of a sound bot, and among every ten of them two that are broken in some way."""
    bots = []
    for place in range(number):
        broken = {4: BROKEN[place // 10 % len(BROKEN)], 9: "absent"}.get(place % 10)
        bot = folder / f"pupil{place:03}"
        bot.mkdir()
        if broken == "absent":
            (bot / "bot.py").write_text("raise SystemExit('no such opening book')\n")
        else:
            shutil.copy((SAMPLES / "simple" if broken is None else BOTS / "chaos") / "bot.py", bot)
        arguments = ["20", broken] if broken in BROKEN else []
        (bot / "bot.yaml").write_text(json.dumps({"name": bot.name, "run": ["{python}", "bot.py", *arguments]}))
        bots.append(bot)
    return bots


def soak(
    folder: Path,
    bots: Sequence[Path],
    groups: int,
    milestones: Sequence[int],
    note: Callable[[str], None] = lambda _: None,
    **keys: object,
) -> Figures:
    """Play a series in the folder, and look at the arena's processes on the way.

    bots: the first meets all others. milestones: at how many hands to look; and at the end.
    """
    figures = Figures()
    scratch, out = folder / "s", folder / "run"
    scratch.mkdir()
    faults = {"quarantine_after": 1_000_000}
    series = write_series(
        folder, bots, **{"groups": groups, "play": "deals", "format": "gauntlet", "faults": faults, **keys}
    )
    start = time.monotonic()
    seen: set[Process] = set()
    left = [*milestones]
    with ArenaProcess(scratch, "run", series, "--out", out) as arena:
        while arena.runs():
            time.sleep(POLL_SECONDS)
            seen.update(descendants(arena.pid))
            held = [held for pid in (arena.pid, *sorted(arena.workers())) if (held := _held(pid))]
            hands = _hands(out)
            if left and hands >= left[0] and held:
                figures.held[left.pop(0)] = held
                note(f"{hands} hands, {time.monotonic() - start:.0f} s: {'   '.join(map(_text, held))}")
            elif len(held) > 1 and not left:  # without workers it writes the tables
                figures.held[-1] = held  # the last look before the end
        code, _, figures.told = arena.end()
    assert code == 0, figures.told
    figures.seconds = time.monotonic() - start
    figures.hands = _hands(out)
    if last := figures.held.pop(-1, None):
        figures.held[figures.hands] = last
    with Run.open(out) as run:
        for spec, record in run.records():
            figures.faults.update(f"{spec.seats[fault.seat]} {fault.fault}" for fault in record.faults)
        figures.voids = len(list(run.voids()))
    figures.logs = len(list((out / "logs").glob("*")))
    end = time.monotonic() + 10
    while any(process.is_there() for process in seen) and time.monotonic() < end:
        time.sleep(0.05)
    figures.processes = sum(process.is_there() for process in seen)
    figures.folders = len(list(scratch.iterdir()))
    return figures


def _held(pid: int) -> Held | None:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
        sizes = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines}
        return Held(sizes["Rss"], sizes["Pss"], len(list(Path(f"/proc/{pid}/fd").iterdir())))
    except (OSError, KeyError):  # it has ended
        return None


def _hands(out: Path) -> int:
    try:
        with closing(sqlite3.connect(f"{(out / 'run.sqlite').as_uri()}?mode=ro", uri=True)) as run:
            ((hands,),) = run.execute("SELECT count(*) FROM hands")
            return int(hands)
    except sqlite3.Error:
        return 0
