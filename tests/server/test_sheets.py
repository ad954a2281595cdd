"""Tables travel whole: what a client shows is what the run's folder shows, in every form."""

from pathlib import Path

import pytest
from finished_runs import FORMATS, run_of

from arena.protocol.v1.arena_pb2 import StandingsResponse
from arena.server.sheets import shown, standings_message
from arena.standings.sheet import FORMATS as FORMS
from arena.standings.sheet import render
from arena.tournament.results import results_of


@pytest.mark.parametrize("name", FORMATS)
def test_the_tables_of_a_message_are_those_of_the_run(name: str, tmp_path: Path) -> None:
    with run_of(name, tmp_path / "run") as run:
        results = results_of(run)
    data = standings_message(results, crosstable=True).SerializeToString()
    travelled = shown(StandingsResponse.FromString(data))
    assert (travelled.title, travelled.notes, travelled.as_json()) == (results.title, results.notes, results.as_json())
    for form in FORMS:
        assert render(travelled.standings, form) == render(results.standings, form)
        assert travelled.crosstable_as(form) == results.crosstable_as(form)
        if form not in ("csv", "json"):
            assert travelled.as_text(form) == results.as_text(form)
    assert travelled.as_markdown() == results.as_markdown()
