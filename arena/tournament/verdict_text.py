"""What a comparison came to, for people, for programs, for a build's list of tests and for a pull request."""

import json
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from arena.errors import printable
from arena.standings.sequential import FEWEST
from arena.standings.statistics import Estimate
from arena.tournament.comparison import Comparison
from arena.tournament.gate import Word, is_passed
from arena.tournament.verdicts import Difference, Standing

TOLD = 3
"""Differences in play that people are shown."""
_TOLD_APART = (Word.NOT_WORSE, Word.BETTER, Word.WORSE, Word.NOT_BETTER)


class Report(NamedTuple):
    """All there is to say.

    word: what it came to; `UNDECIDED` also where it was stopped. why: what the word alone does not say, or nothing.
    bots: the old version, the new one and the pool, each with its name, its hash and where it is.
    standing: how the groups stand, `None` where none were played. folder: of the run, `None` where there is none.
    scores: why luck is left in the scores, a sentence or nothing.
    """

    word: Word
    why: str
    comparison: Comparison
    bots: Sequence[tuple[str, str]]
    standing: Standing | None
    folder: Path | None
    scores: str = ""

    @property
    def passed(self) -> bool | None:
        """Whether the new version is as was asked, `None` where nobody can say."""
        return is_passed(self.word, self.comparison)

    @property
    def title(self) -> str:
        """The verdict in a line."""
        passed = {True: "passed", False: "REJECTED", None: "open"}[self.passed]
        return f"{passed}: {self.word}"

    @property
    def question(self) -> str:
        """What was asked, a sentence."""
        bounds, one = self.comparison.bounds, self.comparison
        asked, wrong = ("not worse", "worse") if one.hypothesis == "not-worse" else ("better", "no better")
        low, high = [f"{bound:+g}" if bound else "0" for bound in (bounds.low, bounds.high)]
        return (
            f"Is the new version {asked}? A difference of {low} {bounds.of} or less is {wrong}, one of {high} or more "
            f"is {asked}; each wrong answer comes in 5 of 100 cases at most."
        )


def in_text(report: Report) -> str:
    """For people at a terminal."""
    lines = [report.title, *([report.why] if report.why else []), "", report.question, ""]
    if report.standing is not None:
        lines += [f"  {name:<12}{value}" for name, value in _figures(report.standing)]
    lines += [f"  {name:<12}{value}" for name, value in report.bots]
    if report.scores:
        lines += ["", report.scores]
    if report.standing is not None and report.standing.differences:
        lines += ["", "Where they first decided differently, with the same cards and the same past:"]
        for one in report.standing.differences[:TOLD]:
            lines += ["", f"  {_told(one)}", *[f"    {line}" for line in replays(report, one)]]
    return "\n".join(lines)


def _figures(standing: Standing) -> Iterator[tuple[str, str]]:
    yield "difference", f"{estimate_text(standing.judged)} points a hand, {_scores_of(standing)}"
    if standing.adjusted is not None:
        yield "raw", f"{estimate_text(standing.raw)} points a hand"
    yield "hands", f"{standing.hands:,} in {standing.groups:,} deal groups"
    yield "differs in", f"{standing.differing:,} of {standing.hands:,} hands"
    told = f"{standing.ratio:+.2f}, where {-standing.limit:.2f} says no and {standing.limit:+.2f} yes"
    by_interval = standing.word in _TOLD_APART and not standing.why and abs(standing.ratio) < standing.limit
    if standing.groups < FEWEST:
        told += f", of {FEWEST} deal groups or more"
    yield "evidence", told + ("; the whole interval lies beyond a bound, which says it sooner" if by_interval else "")
    for name, kinds in standing.faults.items():
        yield "faults", f"{name}: {', '.join(f'{kind} {count:,}' for kind, count in kinds.items())}"


def _scores_of(standing: Standing) -> str:
    return "raw" if standing.adjusted is None else "luck-adjusted"


def estimate_text(estimate: Estimate) -> str:
    """A mean with its interval."""
    half = estimate.half_width
    return f"{estimate.mean:+.2f} " + ("(too few groups for an interval)" if half is None else f"± {half:.2f}")


def _told(one: Difference) -> str:
    against = "" if one.against == "old" else f" against {one.against}"
    return (
        f"deal group {one.group}{against}, move {one.move}: the old one {one.old}, the new one {one.new}; "
        f"of it came {one.points:+g} points for the new one"
    )


def replays(report: Report, one: Difference) -> list[str]:
    """The commands that show a difference, from the old version's side and from the new one's."""
    folder = shlex.quote(str(report.folder))
    sides = (("old", one.old_game), ("new", one.new_game))
    return [f"arena replay {folder} {game} {one.hand}   # {side}" for side, game in sides]


def in_json(report: Report) -> str:
    """For programs."""
    standing = report.standing
    values: dict[str, object] = {
        "verdict": report.word,
        "passed": report.passed,
        "why": report.why,
        "hypothesis": report.comparison.hypothesis,
        "worse": report.comparison.worse,
        "better": report.comparison.better,
        "run": None if report.folder is None else str(report.folder),
        "bots": dict(report.bots),
    }
    if standing is not None:
        adjusted = None if standing.adjusted is None else _interval(standing.adjusted)
        values |= {
            "scores": _scores_of(standing),
            "difference": _interval(standing.judged),
            "raw": _interval(standing.raw),
            "adjusted": adjusted,
            "sd": round(standing.sd, 4),
            "evidence": round(standing.ratio, 4),
            "limit": round(standing.limit, 4),
            "groups": standing.groups,
            "hands": standing.hands,
            "differing_hands": standing.differing,
            "differences": [one._asdict() for one in standing.differences],
            "faults": {
                name: {str(kind): count for kind, count in kinds.items()} for name, kinds in standing.faults.items()
            },
        }
    return json.dumps(values, ensure_ascii=False, indent=2)


def _interval(estimate: Estimate) -> dict[str, float | None]:
    known = estimate.half_width is not None
    low, high = (estimate.low, estimate.high) if known else (None, None)
    return {"mean": round(estimate.mean, 4), "low": low and round(low, 4), "high": high and round(high, 4)}


def in_markdown(report: Report) -> str:
    """For a pull request: what a reviewer has to know, in a few lines."""
    mark = {True: "✅", False: "❌", None: "❔"}[report.passed]
    lines = [f"### {mark} arena compare: {report.word}", ""]
    standing = report.standing
    if standing is None:
        lines.append(_escaped(report.why))
    else:
        summary = (
            f"**{estimate_text(standing.judged)} points a hand** ({_scores_of(standing)}); "
            f"differs in {standing.differing:,} of {standing.hands:,} hands"
        )
        shown = standing.differences[:TOLD]
        counted = {0: "", 1: "; here is one", 2: "; here are two", 3: "; here are three"}[len(shown)]
        lines += [summary + counted + ".", *(["", _escaped(report.why)] if report.why else []), ""]
        if shown:
            lines += ["| deal group | move | old | new | points for new | replay |", "|---|---|---|---|---|---|"]
            lines += [_row(report, one) for one in shown]
            lines.append("")
    lines += ["<details><summary>What was asked, and of whom</summary>", "", report.question, ""]
    lines += [f"* {_escaped(name)}: {_escaped(value)}" for name, value in report.bots]
    if standing is not None:
        lines += [f"* {name}: {_escaped(value)}" for name, value in _figures(standing)]
    lines += ["", *([_escaped(report.scores), ""] if report.scores else []), "</details>"]
    return "\n".join(lines) + "\n"


def _row(report: Report, one: Difference) -> str:
    against = "" if one.against == "old" else f" against {_escaped(one.against)}"
    folder = shlex.quote(str(report.folder))
    replay = f"`arena replay {folder} {one.new_game} {one.hand}`"
    place = f"{one.group}{against}"
    cells = (place, str(one.move), _escaped(one.old), _escaped(one.new), f"{one.points:+g}", replay)
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """A stranger's text for Markdown, in which GitHub finds nobody to call and no issue to link to either.

    It looks for these in what is shown, where no backslash is left: hence the space of no width.
    """
    marks = {ord(mark): f"\\{mark}" for mark in "\\`*_[]<>|"} | {ord(mark): f"{mark}\u200b" for mark in "@#"}
    return printable(text).translate(marks)


def in_junit(report: Report | str) -> str:
    """A list of one test in JUnit's XML: a failure where it is rejected, skipped where nobody can say.

    A sentence in place of a report is what was wrong, an error.
    """
    failed = isinstance(report, Report) and report.passed is False
    skipped = isinstance(report, Report) and report.passed is None
    counts = {"tests": 1, "failures": int(failed), "errors": int(isinstance(report, str)), "skipped": int(skipped)}
    suite = ET.Element("testsuite", {"name": "arena compare", **{name: str(count) for name, count in counts.items()}})
    asked = report.comparison.hypothesis if isinstance(report, Report) else "compared"
    case = ET.SubElement(suite, "testcase", {"classname": "arena.compare", "name": f"the new version is {asked}"})
    if isinstance(report, str):
        ET.SubElement(case, "error", {"message": printable(report)})
    else:
        if failed or skipped:
            ET.SubElement(case, "failure" if failed else "skipped", {"message": report.title})
        ET.SubElement(case, "system-out").text = "\n".join([printable(line) for line in in_text(report).split("\n")])
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
