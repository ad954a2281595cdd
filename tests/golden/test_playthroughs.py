"""Every kind of game, whole, against the text that is kept of it."""

from itertools import product
from pathlib import Path
from typing import get_args

import golden_files
import pytest
from golden_files import GOLDEN, kept
from playthroughs import PLAYTHROUGHS

from arena.rules.actions import ActionKind
from arena.rules.game import Ending
from arena.rules.options import PRESETS
from arena.rules.result import ResultKind
from arena.rules.view import TurnKind
from arena.tournament.config import SeriesConfig

KEPT = {name: text for name, text in kept().items() if name.startswith("playthroughs/")}


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_game_goes_as_it_always_went(name: str) -> None:
    text, path = PLAYTHROUGHS[name].text(), f"playthroughs/{name}.txt"
    assert path in KEPT, f"{GOLDEN / path} is missing: python tests/golden_files.py writes it"
    assert text == KEPT[path], (
        f"{GOLDEN / path} differs: if that is wanted, python tests/golden_files.py writes it anew"
    )


def test_no_golden_game_is_left_over() -> None:
    assert set(KEPT) == {f"playthroughs/{name}.txt" for name in PLAYTHROUGHS}


def choices(key: str) -> list[str]:
    """What a key of a series may be."""
    return [*get_args(SeriesConfig.model_fields[key].annotation)]


@pytest.mark.parametrize("name", [*map("-".join, product(choices("game"), choices("scoring")))])
def test_every_game_has_a_golden_game_in_every_scoring(name: str) -> None:
    game, scoring = name.rsplit("-", 1)
    assert KEPT[f"playthroughs/{name}.txt"].startswith(f"{game}, {scoring}, games;")


@pytest.mark.parametrize("game", choices("game"))
def test_every_game_has_a_golden_deal(game: str) -> None:
    assert KEPT[f"playthroughs/{game}-deals.txt"].startswith(f"{game}, single, deals;")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_a_golden_game(preset: str) -> None:
    assert PLAYTHROUGHS[f"preset-{preset}"].format.rules == PRESETS[preset]
    assert KEPT[f"playthroughs/preset-{preset}.txt"].startswith("gin, single, games;")


def test_straight_gin_has_a_golden_game_of_gins_and_walls() -> None:
    text = KEPT["playthroughs/straight-gin.txt"]
    assert "\nrules: house, but knock_limit 0\n" in text
    assert {line.split()[0] for line in text.splitlines() if line.startswith("    ")} >= {"gin", "wall"}
    assert "    knock of" not in text


@pytest.mark.parametrize("kind", ResultKind)
def test_every_end_of_a_hand_is_in_a_golden_game(kind: ResultKind) -> None:
    assert any(f"\n    {kind}\n" in text or f"\n    {kind} of the " in text for text in KEPT.values())


@pytest.mark.parametrize("kind", TurnKind)
def test_every_question_is_in_a_golden_game(kind: TurnKind) -> None:
    assert any(f" {kind.name.lower():7} " in text for text in KEPT.values())


@pytest.mark.parametrize("kind", ActionKind)
def test_every_action_is_in_a_golden_game(kind: ActionKind) -> None:
    assert any(f" => {kind.name.lower()}" in text for text in KEPT.values())


@pytest.mark.parametrize("ending", [Ending.TARGET, Ending.DEALS, Ending.FORFEIT])
def test_every_usual_end_of_a_game_is_in_a_golden_game(ending: Ending) -> None:
    assert any(f"\nover: {ending}\n" in text for text in KEPT.values())


def test_what_python_leaves_beside_the_tests_is_no_golden_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, data in (("test.py", b""), ("__pycache__/test.pyc", b"\xa7\r\r\n"), ("results/gin/a.md", b"#")):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    monkeypatch.setattr(golden_files, "GOLDEN", tmp_path)
    assert kept() == {"results/gin/a.md": "#"}
