"""The result tables of a run: folded from its store, written beside it."""

import json
from dataclasses import dataclass
from pathlib import Path

from arena.dealer.values import GameSpec
from arena.errors import InputError
from arena.records.store import Run
from arena.rules.view import GameKind
from arena.standings.sheet import Sheet, render
from arena.standings.tables import crosstable, roles, standings
from arena.standings.tally import Tally, tally
from arena.standings.timing import timing_of, timing_sheet
from arena.tournament.config import SeriesConfig
from arena.tournament.schedule import OWN_GROUPS


@dataclass(frozen=True, slots=True)
class Results:
    """The tables of a run as it stands.

    title: name of the series and what was played. standings, crosstable: see `arena.standings.tables`.
    roles: of three-hand, else `None`. notes: what a reader has to know, a sentence each.
    """

    title: str
    standings: Sheet
    crosstable: Sheet
    roles: Sheet | None
    notes: tuple[str, ...]

    def as_markdown(self) -> str:
        """The standings as a page of Markdown."""
        parts = [f"# {self.title}\n", render(self.standings, "pipe")]
        if self.roles is not None:
            parts += ["## Roles and advice\n", render(self.roles, "pipe")]
        parts.append("".join(f"* {note}\n" for note in self.notes))
        return "\n".join(parts)

    def crosstable_markdown(self) -> str:
        """The crosstable as a page of Markdown."""
        legend = "Points a hand of the row against the column, with 95 % intervals over deal groups."
        return f"# {self.title}\n\n{legend}\n\n{render(self.crosstable, 'pipe')}"

    def as_json(self) -> str:
        """Everything, for a program."""
        sheets = {
            "standings": self.standings.records(),
            "crosstable": self.crosstable.records(),
            "roles": None if self.roles is None else self.roles.records(),
        }
        return json.dumps({"title": self.title, **sheets, "notes": self.notes}, indent=2, ensure_ascii=False) + "\n"


def results_of(run: Run, without: frozenset[str] = frozenset()) -> Results:
    """Fold the tables of a run, leaving out the games of the bots in `without`.

    Raises `InputError` for a bot that is not in the run, or when fewer than two would stay.
    """
    config = SeriesConfig.model_validate_json(run.info.config)
    names = [bot.name for bot in run.info.bots]
    if unknown := sorted(without.difference(names)):
        raise InputError(f"--without: expected a bot of the run ({', '.join(names)}), got {', '.join(unknown)}")
    if len(without) > len(names) - run.info.format.seats:
        raise InputError("--without: expected enough bots to stay for a game")
    counted = tally(run.records(), names, _group_size, without)
    three_hand = run.info.format.game is GameKind.THREE_HAND
    return Results(
        _title(config),
        standings(counted, config.rank_by),
        crosstable(counted, config.rank_by),
        roles(counted, config.rank_by) if three_hand else None,
        tuple(_notes(run, config, counted, without)),
    )


def write_results(run: Run) -> Results:
    """Write the tables into the run's folder and return them. Times go into files of their own."""
    results = results_of(run)
    folder = run.folder
    times = timing_sheet(timing_of(run.records(), run.starts()))
    for name, text in {
        "standings.md": results.as_markdown(),
        "standings.csv": render(results.standings, "csv"),
        "standings.json": results.as_json(),
        "crosstable.md": results.crosstable_markdown(),
        "crosstable.csv": render(results.crosstable, "csv"),
        "timing.md": f"# {results.title}\n\nMilliseconds.\n\n{render(times, 'pipe')}",
        "timing.json": render(times, "json"),
    }.items():
        _write(folder / name, text)
    return results


def _write(path: Path, text: str) -> None:
    """Replace a file as a whole, so that nobody ever reads half of it."""
    draft = path.with_name(path.name + ".part")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def _group_size(spec: GameSpec) -> int:
    return 1 if spec.group >= OWN_GROUPS else 6 if len(spec.seats) == 3 else 2


def _title(config: SeriesConfig) -> str:
    scoring = ", Hollywood" if config.scoring == "hollywood" else ""
    played = "to the target" if config.play == "games" else "by deals"
    return f"{config.name}: {config.game}{scoring}, {played}"


def _notes(run: Run, config: SeriesConfig, counted: Tally, without: frozenset[str]) -> list[str]:
    done, scheduled = counted.games, len(run)
    notes = [
        f"{done} games and {counted.hands} hands in complete deal groups; intervals are 95 %, over deal groups.",
        f"Ranked by {', then '.join(criterion.replace('_', ' ') for criterion in config.rank_by)}.",
        f"Seed commitment {run.info.commitment}.",
    ]
    if without:
        notes.append(f"Without {', '.join(sorted(without))}: their games are left out.")
    elif done < scheduled:
        notes.append(f"Not finished: {scheduled - done} of {scheduled} games are missing or in incomplete groups.")
    if run.info.amended:
        notes.append("Amended: games of bots that did not change are taken over from an earlier run.")
    if any(game.group >= OWN_GROUPS for game in run.games()):
        notes.append("Games with a bot that cannot be started afresh are on decks of their own, not mirrored.")
    return notes
