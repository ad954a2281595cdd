"""Every kind of fault has its file here, and docs/series.md tells what was tried."""

import importlib.util
from collections import defaultdict
from pathlib import Path

from fault_bench import Misdeed
from pages import page, section, tables

from arena.players.faults import Culprit, Fault

LISTS = ("CASES", "OUT_OF_TURN", "BAD_HELLOS", "GONE")
"""What the lists of misdeeds in these files are called."""
HARMLESS = {"test_no_fault", "test_intruders"}
"""Files whose CASES are no faults."""


def tried() -> dict[Fault | None, list[str]]:
    """The ways to misbehave of all CASES here, by what they are; `None` for what is no fault."""
    ways = defaultdict[Fault | None, list[str]](list)
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        if path != Path(__file__):
            spec = importlib.util.spec_from_file_location(f"cases_of_{path.stem}", path)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            for case in [case for name in LISTS for case in getattr(module, name, [])]:
                assert isinstance(case, Misdeed)
                ways[None if path.stem in HARMLESS else case.fault].append(case.way)
    return {fault: [*dict.fromkeys(found)] for fault, found in ways.items()}


def test_every_kind_of_fault_has_a_file() -> None:
    files = {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")}
    assert {fault.value for fault in Fault} <= files


def test_the_page_tells_all_that_was_tried() -> None:
    text = section(page("series.md"), "Faults")
    told = {row["kind"].strip("`"): row["tried with a bot that"] for row in tables(text)[0]}
    ways = tried()
    assert told == {fault.value: ", ".join(ways.get(fault, ["—"])) for fault in Fault if fault.culprit is Culprit.BOT}
    assert ", ".join(ways[None]) in text.replace("\n", " ")
