"""A bot is what its build has made of it."""

from pathlib import Path

from arena.tournament.running import built, changed_bots
from arena.tournament.series import load_series

BOT = """
name: {name}
build: ["{{python}}", "-c", "import pathlib; pathlib.Path('made').write_text('the same each time')"]
run: ["{{python}}", bot.py]
"""


def test_a_series_builds_what_has_changed_and_nothing_else(tmp_path: Path) -> None:
    count = "import os; os.makedirs('build', exist_ok=True); open('build/count', 'a').write('x')"
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "bot.yaml").write_text(f'name: bot\nbuild: ["{{python}}", "-c", "{count}"]\nrun: ["{{python}}", bot.py]\n')
    file = tmp_path / "series.yaml"
    file.write_text("name: cup\nbots: [bot, {name: other, run: [other]}]\n")
    told: list[str] = []
    for text, builds in (("", 1), ("", 1), ("# changed", 2), ("# changed", 2)):
        (bot / "bot.py").write_text(text)
        built(lambda: load_series(file), told.append)
        assert len((bot / "build" / "count").read_text()) == builds
    assert told == ["bot", "bot"]


def test_what_a_build_writes_beside_the_source_is_no_change_of_the_bot(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.yaml").write_text(BOT.format(name=name))
        (tmp_path / name / "bot.py").write_text("")
    file = tmp_path / "series.yaml"
    file.write_text("name: cup\nbots: [first, second]\n")
    unbuilt = load_series(file)
    series = built(lambda: load_series(file))
    assert (tmp_path / "first" / "made").exists()
    assert changed_bots(series) == []
    assert [bot.content_hash for bot in series.bots] != [bot.content_hash for bot in unbuilt.bots]
    again = built(lambda: load_series(file))
    assert again.bots == series.bots
