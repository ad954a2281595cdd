"""What a machine lacks is found out by trying, told with what to do, and refused where isolation is required."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from isolation_bench import Bench

from arena.errors import InputError
from arena.isolation import probe
from arena.isolation.values import Isolation, Layer, LayerState, Limits, Mode


def path_with(folder: Path, *programs: str) -> str:
    """A PATH that leads to these programs alone."""
    folder.mkdir()
    for program in ("sh", "true", *programs):
        (folder / program).symlink_to(shutil.which(program) or f"/no/{program}")
    return str(folder)


@pytest.mark.parametrize("layer", Layer)
def test_the_line_of_a_layer_that_is_on_fits_a_terminal_of_80_columns(layer: Layer) -> None:
    assert len(f"    {LayerState(layer, on=True)}") <= 80


def test_without_bubblewrap_the_rest_goes_on(bench: Bench) -> None:
    done = bench.attack("files", path=path_with(bench.home / "bin", "setpriv", "prlimit"))
    assert done.layers["files"] == "files         off  there is no bwrap; install bubblewrap"
    assert done.layers["network"] == "network       off  it needs the layer 'files'"
    assert done.layers["privileges"] == done.layers["limits"] == "on"
    assert done.number < 200
    bare = bench.attack("privileges", path=path_with(bench.home / "bin2", "setpriv", "prlimit"))
    assert bare.out == [], bare.err


def test_without_anything_a_bot_still_runs(bench: Bench) -> None:
    done = bench.run(["/bin/sh", "-c", "echo here"], path=path_with(bench.home / "bin"))
    assert done.out == ["here"]
    assert done.layers["limits"] == "limits        off  there is no prlimit; install util-linux"
    assert done.layers["privileges"] == "privileges    off  there is no setpriv; install util-linux"


def test_a_program_that_does_not_work_is_found_out(bench: Bench) -> None:
    folder = Path(path_with(bench.home / "bin", "setpriv", "prlimit"))
    (folder / "bwrap").write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    (folder / "bwrap").chmod(0o755)
    done = bench.run(["/bin/sh", "-c", "echo here"], path=str(folder))
    assert done.out == ["here"]
    assert "setting up uid map: Permission denied" in done.layers["files"]


def test_a_program_that_says_it_is_well_and_starts_nothing_is_found_out(bench: Bench) -> None:
    folder = Path(path_with(bench.home / "bin", "setpriv", "prlimit"))
    (folder / "bwrap").write_text("#!/bin/sh\nexit 0\n")
    (folder / "bwrap").chmod(0o755)
    done = bench.run(["/bin/sh", "-c", "echo here"], path=str(folder))
    assert done.out == ["here"]
    assert "a program in it is not reached" in done.layers["files"]


def test_where_apparmor_keeps_namespaces_the_remedy_is_a_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "restricted").write_text("1\n")
    monkeypatch.setattr(probe, "APPARMOR", tmp_path / "restricted")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    remedy = probe._remedy(Layer.FILES, "bwrap: setting up uid map: Permission denied")
    assert "/etc/apparmor.d/bwrap" in remedy
    assert "apparmor_parser -r" in remedy
    assert "0.8" in probe._remedy(Layer.FILES, "bwrap: Unknown option --perms")


def test_elsewhere_nothing_is_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    isolation = probe.find_isolation(Mode.BEST_EFFORT, Limits())
    assert [state.on for state in isolation.layers] == [False] * len(Layer)
    assert "only Linux" in isolation.lines()[0]


def test_required_refuses_what_is_missing_and_nothing_else() -> None:
    states = tuple(LayerState(layer, layer is not Layer.NETWORK, "the kernel has none") for layer in Layer)
    wanted = Isolation(Mode.REQUIRED, layers=states)
    with pytest.raises(InputError, match=r"(?s)^isolation is 'required'.*network +off  the kernel has none$"):
        probe.demand(wanted)
    probe.demand(replace(wanted, mode=Mode.BEST_EFFORT))
    probe.demand(replace(wanted, layers=tuple(LayerState(layer, True) for layer in Layer)))


def test_none_tries_nothing() -> None:
    assert probe.find_isolation(Mode.NONE, Limits()).layers == ()
