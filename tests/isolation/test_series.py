"""A series says how isolated its bots are to be, and a run tells how isolated they are."""

import json
import os
import shutil
from pathlib import Path

import pytest
from command import run_arena
from series_bench import SAMPLES, write_series

from arena.errors import InputError
from arena.isolation.values import Isolation, Layer, LayerState, Limits, Mode
from arena.tournament import isolating
from arena.tournament.isolating import isolation_of, isolation_report
from arena.tournament.series import Series, load_series

GREEDY, SIMPLE = SAMPLES / "greedy", SAMPLES / "simple"


@pytest.fixture
def everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has every layer."""

    def found(mode: Mode, limits: Limits, hidden: tuple[Path, ...] = ()) -> Isolation:
        layers = () if mode is Mode.NONE else tuple(LayerState(layer, True) for layer in Layer)
        return Isolation(mode, limits, layers, hidden=hidden)

    monkeypatch.setattr(isolating, "find_isolation", found)


def series(folder: Path, *bots: object, isolation: str = "required", **keys: object) -> Series:
    return load_series(write_series(folder, [*bots], groups=1, isolation=isolation, **keys))


def test_a_run_tells_its_layers_and_plays(tmp_path: Path) -> None:
    file = write_series(tmp_path, [GREEDY, SIMPLE], groups=1, play="deals")
    done = run_arena("run", file, "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    head, *lines = done.stderr.splitlines()[: len(Layer) + 1]
    assert head == "Isolation: best-effort"
    assert [line[4:17].strip() for line in lines] == [layer.value for layer in Layer]
    if "CI" in os.environ:
        off = [line for line in lines if line[18:21] == "off" and Layer.TOTALS not in line]
        assert off == []
    rows = json.loads((tmp_path / "run" / "standings.json").read_text())["standings"]
    assert {(row["games"], row["faults"]) for row in rows} == {(2, 0)}


def test_none_is_told_as_well(tmp_path: Path) -> None:
    file = write_series(tmp_path, [GREEDY, SIMPLE], groups=1, play="deals")
    done = run_arena("run", file, "--out", tmp_path / "run", "--set", "isolation=none")
    assert done.stderr.splitlines()[0] == "Isolation: none. Bots run with your rights."


@pytest.mark.usefixtures("everything")
@pytest.mark.parametrize("place", ["{folder}/elsewhere/bot.py", "../elsewhere/bot.py"])
def test_a_command_whose_file_would_not_be_seen_is_refused(place: str, tmp_path: Path) -> None:
    """Else each of its processes would end with a file that is not there, which is there."""
    for folder in ("elsewhere", "series"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").touch()
    word = place.format(folder=tmp_path)
    bots = {"name": "far", "run": ["{python}", word]}, {"name": "near", "run": ["{python}", "bot.py", "/usr", "-c"]}
    with pytest.raises(InputError) as refused:
        isolation_of(series(tmp_path / "series", *bots, isolation="best-effort"), tmp_path / "run")
    assert str(refused.value).startswith(f"far: its command names {word}, and an isolated bot sees no folder of yours")
    assert "say isolation: none" in str(refused.value)
    assert "near" not in str(refused.value)
    isolation_of(series(tmp_path / "series", *bots, isolation="none"), tmp_path / "run")


@pytest.mark.usefixtures("everything")
def test_required_refuses_bots_that_it_does_not_reach(tmp_path: Path) -> None:
    far = {"name": "far", "address": "127.0.0.1:1"}
    tcp = {"name": "old", "run": ["{python}", "bot.py"], "transport": "tcp"}
    with pytest.raises(InputError) as refused:
        isolation_of(series(tmp_path, GREEDY, far, tcp), tmp_path / "run")
    told = str(refused.value).splitlines()[1:]
    assert [line.split()[0] for line in told] == ["far", "old"]
    lenient = series(tmp_path, GREEDY, far, tcp, isolation="best-effort")
    report = isolation_report(lenient, isolation_of(lenient, tmp_path / "run"))
    assert [line.strip() for line in report[-2:]] == [line.strip() for line in told]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's bots are users of their own")
@pytest.mark.usefixtures("everything")
def test_a_bot_that_its_user_could_not_read_is_refused(tmp_path: Path) -> None:
    shutil.copytree(GREEDY, tmp_path / "bot")
    (tmp_path / "bot" / "bot.py").chmod(0o600)
    with pytest.raises(InputError, match=rf"bot.py: only its owner may read it.* chmod -R go\+rX {tmp_path / 'bot'}$"):
        isolation_of(series(tmp_path, tmp_path / "bot", SIMPLE), tmp_path / "run")


@pytest.mark.usefixtures("everything")
def test_the_limits_of_the_series_are_those_of_its_bots(tmp_path: Path) -> None:
    keys = {"memory": "512MiB", "processes": 70, "cpu": "2m"}
    isolation = isolation_of(series(tmp_path, GREEDY, SIMPLE, limits=keys), tmp_path / "run")
    assert (isolation.limits.memory, isolation.limits.processes) == (512 << 20, 70)
    assert isolation.limits.cpu.total_seconds() == 120
    assert isolation.limits.open_files == Limits().open_files
    assert isolation.hidden == (tmp_path / "run",)


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"isolation": "some"}, "isolation is 'some', expected 'required', 'best-effort' or 'none'"),
        ({"limits": {"memory": 5}}, "limits.memory is 5, expected a size with its unit, such as 512KiB, 64MiB or 1GiB"),
        ({"limits": {"memory": "0GiB"}}, "limits.memory is '0GiB', expected 1KiB or more, 1048576GiB or less"),
        ({"limits": {"processes": 0}}, "limits.processes is 0, expected 1 or more"),
        ({"limits": {"cpu": "0s"}}, "limits.cpu is '0s', expected 1ms or more"),
        ({"limits": {"disk": "1GiB"}}, "unknown key 'disk', expected memory, processes"),
    ],
)
def test_mistakes_are_told_at_their_place(keys: dict[str, object], told: str, tmp_path: Path) -> None:
    file = write_series(tmp_path, [GREEDY, SIMPLE], **keys)
    with pytest.raises(InputError) as refused:
        load_series(file)
    assert told in str(refused.value)
    assert str(refused.value).startswith(f"{file}:")


@pytest.mark.usefixtures("everything")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no such limits")
def test_limits_of_the_machine_that_are_below_those_of_the_series_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = series(tmp_path, GREEDY, SIMPLE)
    assert "limits of this machine" not in "".join(isolation_report(one, isolation_of(one, tmp_path / "run")))
    monkeypatch.setattr("arena.isolation.sandbox._allowed", lambda name, value: 50 if name == "NPROC" else value)
    (line,) = [line for line in isolation_report(one, isolation_of(one, tmp_path / "run")) if "ulimit" in line]
    told = "limits of this machine (ulimit -H) leave a bot 50 processes and threads instead of 256: raise them"
    assert line.strip() == told
