"""A bot begun by `arena new` in another language builds under an odd name, and plays as the sample that it was."""

import shutil
from pathlib import Path

import pytest
from command import run_arena
from language_bots import another_language, built_bot
from series_bench import SAMPLES, play_series, records_of, write_series

from arena.kit.new import LANGUAGES, new_bot
from arena.players.build import Built, build
from arena.players.manifest import read_manifest

pytestmark = another_language

NAME = "Größe 1"
CHECKED = ("go", "java-bridge")
"""The others play what they played, which is checked."""


@pytest.mark.parametrize("language", [language for language in LANGUAGES if LANGUAGES[language].tools])
def test_a_new_bot_builds_and_plays_as_its_sample(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")  # for Java's tools, and the name
    sample = built_bot(LANGUAGES[language].sample)
    made = new_bot(language, NAME, tmp_path)
    assert sample.folder is not None
    if language == "rust":  # with the crates that the sample was built with
        shutil.copytree(sample.folder / "target", made.folder / "target")
    spec = read_manifest(made.folder)
    assert build(spec) is Built.BUILT
    play_series(write_series(tmp_path, [made.folder, SAMPLES / "simple"], groups=1), tmp_path / "run")
    records = [record for _, record in records_of(tmp_path / "run")]
    assert [record.faults for record in records] == [(), ()]
    first, second = (record.outcome.margins for record in records)
    assert first == second  # of the seats, whoever sits there
    if language in CHECKED:
        checked = run_arena("check", made.folder, "--quick")
        assert checked.returncode == 0, checked.stdout
        assert "warning" not in checked.stdout
