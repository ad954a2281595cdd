"""Finds out which layers this machine has, by running something through each of them: versions tell nothing."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from arena.errors import HostError, InputError
from arena.isolation.groups import hierarchies, sweep
from arena.isolation.sandbox import Sandbox
from arena.isolation.syscalls import filter_program
from arena.isolation.values import Hierarchy, Isolation, Layer, LayerState, Limits, Mode

_SECONDS = 10.0
_TRIAL = Limits(processes=16)
"""Fewer processes than a user has who is at work: where the limit counts those too, the trial fails."""
_SCRIPT = 'true & wait; : >"$HOME/here"; read -r line'
"""Starts a process, writes where a bot writes, and stays until it is told to go."""
_NEEDED = {
    Layer.SCRATCH: Layer.FILES,
    Layer.NETWORK: Layer.FILES,
    Layer.PROCESSES: Layer.FILES,
    Layer.USER: Layer.FILES,
    Layer.SYSCALLS: Layer.FILES,
}
_PROGRAMS = {Layer.FILES: "bwrap", Layer.PRIVILEGES: "setpriv", Layer.LIMITS: "prlimit"}
_PACKAGES = {"bwrap": "bubblewrap", "setpriv": "util-linux", "prlimit": "util-linux"}
APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
"""Ubuntu's: whether AppArmor keeps programs without a profile from the use of user namespaces."""
_SWITCHES = {
    Path("/proc/sys/kernel/unprivileged_userns_clone"): "sudo sysctl -w kernel.unprivileged_userns_clone=1",
    Path("/proc/sys/user/max_user_namespaces"): "sudo sysctl -w user.max_user_namespaces=10000",
}
"""Others that keep user namespaces from all but root where they are 0."""
APPARMOR_REMEDY = (
    "AppArmor keeps user namespaces from bwrap here; give it a profile that allows them: "
    r"printf 'abi <abi/4.0>,\ninclude <tunables/global>\nprofile bwrap /usr/bin/bwrap flags=(unconfined) {\n"
    r"  userns,\n  include if exists <local/bwrap>\n}\n' | sudo tee /etc/apparmor.d/bwrap && "
    "sudo apparmor_parser -r /etc/apparmor.d/bwrap"
)


def find_isolation(mode: Mode, limits: Limits, hidden: Iterable[Path] = ()) -> Isolation:
    """Try every layer. limits, hidden: what the result is to have.

    Called from the main thread, as what is tried dies with it. With mode `none` nothing is tried.
    """
    wanted = Isolation(mode, limits, hidden=tuple(path.resolve() for path in hidden))
    if mode is Mode.NONE:
        return wanted
    if sys.platform != "linux":
        states = [LayerState(layer, False, "only Linux has what it is made of") for layer in Layer]
        return replace(wanted, layers=tuple(states))
    groups = _groups()
    off: dict[Layer, LayerState] = {layer: state for layer in Layer if (state := _not_here(layer, groups))}
    on = [layer for layer in Layer if layer not in off and _NEEDED.get(layer) not in off]
    if _trial(on, groups):  # else which of them is it?
        tried, on = on, []
        for layer in tried:
            if _NEEDED.get(layer) in off:
                continue
            if why := _trial([*on, layer], groups):
                off[layer] = LayerState(layer, False, why, _remedy(layer, why))
            else:
                on.append(layer)
    if Layer.USER not in on and Layer.TOTALS not in on:
        off[Layer.FORKS] = LayerState(Layer.FORKS, False, "the user's other processes would be counted too")
    for layer in Layer:
        if layer not in on and layer not in off:
            off[layer] = LayerState(layer, False, f"it needs the layer '{_NEEDED[layer]}'")
    states = [off.get(layer) or LayerState(layer, True) for layer in Layer]
    return replace(wanted, layers=tuple(states), groups=groups if Layer.TOTALS in on else None)


def demand(isolation: Isolation) -> None:
    """Refuse to go on where isolation is required and a layer is off. Raises InputError with a line for each."""
    if isolation.mode is Mode.REQUIRED and isolation.missing:
        lines = [f"    {state}" for state in isolation.missing]
        told = "isolation is 'required', and this machine does not have all of it (or say isolation: best-effort):"
        raise InputError("\n".join([told, *lines]))


def _not_here(layer: Layer, groups: Hierarchy | None) -> LayerState | None:
    """The state of a layer that need not be tried."""
    program = _PROGRAMS.get(layer)
    if program and shutil.which(program) is None:
        return LayerState(layer, False, f"there is no {program}", f"install {_PACKAGES[program]}")
    if layer is Layer.SYSCALLS and filter_program() is None:
        return LayerState(layer, False, "there is a filter for x86-64 and for 64-bit ARM only")
    if layer is Layer.TOTALS and groups is None:
        remedy = "mount the file systems of cgroups writable"
        if os.geteuid():
            remedy = "start the arena by: systemd-run --user --scope arena ..."
        return LayerState(layer, False, "no control group can be made here", remedy)
    return None


def _remedy(layer: Layer, why: str) -> str:
    """What to do about a layer that does not work."""
    if _NEEDED.get(layer, layer) is not Layer.FILES:
        return ""
    if "nknown option" in why:
        return "install bubblewrap 0.8 or newer"
    if os.geteuid():
        if _reads(APPARMOR) == "1":
            return APPARMOR_REMEDY
        for switch, remedy in _SWITCHES.items():
            if _reads(switch) == "0":
                return f"allow user namespaces: {remedy}"
    return "in a container: it has to be allowed to make namespaces, as by docker run --privileged"


def _reads(file: Path) -> str:
    with suppress(OSError):
        return file.read_text().strip()
    return ""


def _groups() -> Hierarchy | None:
    """Where control groups can be made, found by making one and entering it."""
    for hierarchy in hierarchies():
        sweep(hierarchy)
        if not _trial([Layer.TOTALS], hierarchy):
            return hierarchy
    return None


def _trial(layers: list[Layer], groups: Hierarchy | None) -> str:
    """What is wrong with these layers together; nothing if a program runs in them, and can be reached."""
    isolation = Isolation(Mode.BEST_EFFORT, _TRIAL, tuple(LayerState(layer, True) for layer in layers), groups)
    with tempfile.TemporaryDirectory(prefix="gin-") as private:
        folder = Path(private)
        (folder / "scratch").mkdir()
        try:
            sandbox = Sandbox(isolation, folder)
        except HostError as error:
            return str(error)
        try:
            return _run(sandbox, folder)
        except OSError as error:
            return str(error)
        finally:
            sandbox.close()


def _run(sandbox: Sandbox, folder: Path) -> str:
    process = subprocess.Popen(
        sandbox.command(["/bin/sh", "-c", _SCRIPT], Path("/usr")),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(folder / "scratch")},
        text=True,
        start_new_session=True,
    )
    end = time.monotonic() + _SECONDS
    while not (reached := _reached(sandbox, folder)) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.002)
    late = time.monotonic() > end
    if late:
        sandbox.kill(process.pid)
    _, told = process.communicate("\n")
    lines = told.strip().splitlines()
    if process.returncode and not late:
        return lines[-1] if lines else f"it ends with code {process.returncode}"
    return "" if reached else "a program in it is not reached"


def _reached(sandbox: Sandbox, folder: Path) -> bool:
    here = sandbox.outside(str(folder / "scratch" / "here"))
    return here is not None and Path(here).exists()
