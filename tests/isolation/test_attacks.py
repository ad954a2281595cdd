"""Every way out of the sandbox that is tried here is held, as root and as an ordinary user."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from isolation_bench import SMALL, Bench

from arena.isolation.values import MIB, Layer


def processes_with(word: str) -> list[int]:
    """The processes with a word in their command lines."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in entry.read_bytes().split(b"\0"):
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def nothing_left(word: str) -> None:
    """Wait until no process has this word; pytest ends a test that waits for it."""
    while processes_with(word):
        time.sleep(0.01)


def test_it_reads_nothing_but_its_own(bench: Bench) -> None:
    other = bench.home / "other"
    other.mkdir()
    (other / "bot.py").write_text("the policy of another")
    (other / "bot.py").chmod(0o644)
    own = bench.home / "programs"
    done = bench.attack("read", other, other / "bot.py", own, own / "drive.py", "/home", "/etc/shadow", "/var", "/run")
    done.needs(Layer.FILES, Layer.PROCESSES)
    assert (done.code, done.out) == (0, []), done.err


def test_it_writes_nowhere_but_to_its_scratch(bench: Bench) -> None:
    bench.folder.chmod(0o777)
    done = bench.attack("write", bench.home / "programs")
    done.needs(Layer.FILES)
    assert (done.code, done.out) == (0, []), done.err


def test_what_it_writes_is_nowhere_else(bench: Bench) -> None:
    marker = f"marker-{os.getpid()}"
    done = bench.attack("visible", marker)
    done.needs(Layer.FILES)
    assert done.out == ["# written"], done.err
    assert not [folder for folder in ("/tmp", "/dev/shm") if (Path(folder) / marker).exists()]
    assert list((bench.home / "tmp").rglob(marker)) == []


def test_it_fills_no_more_than_its_scratch(bench: Bench) -> None:
    done = bench.attack("fill", "/tmp", "/dev/shm", bench.home / "tmp")
    done.needs(Layer.FILES, Layer.SCRATCH)
    assert 0 < done.number <= SMALL["scratch"] + 16 * MIB


def test_its_scratch_has_the_size_that_is_told(bench: Bench) -> None:
    done = bench.run(["/bin/sh", "-c", 'df --output=size -B1 "$HOME" | tail -n 1'])
    done.needs(Layer.FILES, Layer.SCRATCH)
    assert [int(line) for line in done.out] == [SMALL["scratch"]]


def test_it_reaches_no_network_and_no_socket(bench: Bench) -> None:
    done = bench.attack("network", sockets=True)
    done.needs(Layer.FILES, Layer.NETWORK, Layer.SYSCALLS)
    assert (done.code, done.out) == (0, []), done.err


def test_without_the_layers_the_same_attack_succeeds(bench: Bench) -> None:
    """What is held above is held by the layers, and not because nothing was there."""
    done = bench.attack("network", sockets=True, layers=[])
    assert {line.split()[0] for line in done.out} == {"a"}
    assert len(done.out) >= 3
    assert any("SECRET" in line for line in bench.attack("read", layers=[]).out)
    assert len(bench.attack("signals", "{pid}", layers=[]).out) >= 1


def test_it_signals_and_traces_nobody(bench: Bench) -> None:
    done = bench.attack("signals", "{pid}", os.getpid())
    done.needs(Layer.PROCESSES, Layer.SYSCALLS)
    assert (done.code, done.out) == (0, []), done.err


def test_a_fork_bomb_is_bounded(bench: Bench) -> None:
    done = bench.attack("forks")
    done.needs(Layer.FORKS)
    assert 5 <= done.number <= SMALL["processes"]


def test_memory_of_a_process_is_bounded(bench: Bench) -> None:
    done = bench.attack("memory")
    done.needs(Layer.LIMITS)
    assert done.code == 0 or done.out_of_memory
    if done.code == 0:
        assert 100 < done.number <= SMALL["memory"] // MIB


def test_memory_of_many_processes_is_bounded(bench: Bench) -> None:
    done = bench.attack("memory_of_many")
    done.needs(Layer.TOTALS)
    assert done.out_of_memory


def test_open_files_are_bounded(bench: Bench) -> None:
    done = bench.attack("files")
    done.needs(Layer.LIMITS)
    assert 50 < done.number <= SMALL["open_files"]


def test_the_size_of_a_file_is_bounded(bench: Bench) -> None:
    done = bench.attack("big_file")
    done.needs(Layer.LIMITS)
    assert done.number == SMALL["file_size"]


def test_processor_time_is_bounded_and_counted(bench: Bench) -> None:
    """The limit is of seconds, so it is looked at where it is set."""
    done = bench.run(["/bin/sh", "-c", "ulimit -t; i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"])
    done.needs(Layer.LIMITS)
    assert done.out == [str(24 * 3600)]
    done.needs(Layer.TOTALS)
    assert done.cpu_seconds is not None
    assert done.cpu_seconds > 0.01


@pytest.mark.parametrize(("attack", "wait"), [("outlive", "exit"), ("outlive_and_stay", "line")])
def test_nothing_outlives_it(bench: Bench, attack: str, wait: str) -> None:
    marker = f"3600.{os.getpid()}"
    done = bench.attack(attack, marker, wait=wait)
    done.needs(Layer.PROCESSES)
    assert done.out == ["# left"], done.err
    assert processes_with(marker) == []


def test_its_children_end_with_it_also_where_it_has_no_processes_of_its_own(bench: Bench) -> None:
    """As in a container that lets nobody mount a /proc."""
    marker = f"3602.{os.getpid()}"
    layers = [layer for layer in Layer if layer not in (Layer.PROCESSES, Layer.TOTALS)]
    done = bench.attack("leave_child", marker, wait="line", layers=layers)
    assert (done.code, done.out) == (-signal.SIGKILL, ["# left"]), done.err
    assert processes_with(marker) == []


def test_all_of_it_dies_with_the_arena(bench: Bench) -> None:
    marker = f"3601.{os.getpid()}"
    command = bench.attack_command("outlive_and_stay", marker)
    with subprocess.Popen(
        bench.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=bench.environment()
    ) as driver:
        assert driver.stdin is not None
        assert driver.stderr is not None
        driver.stdin.write(bench.asked(command, wait="forever").encode())
        driver.stdin.close()
        assert driver.stderr.readline() == b"# left\n"
        assert processes_with(marker)
        driver.send_signal(signal.SIGKILL)
    if shutil.which("bwrap") is None and "CI" not in os.environ:
        for process in processes_with(marker):
            os.kill(process, signal.SIGKILL)
        pytest.skip("here is no bwrap, without which what has a session of its own stays")
    nothing_left(marker)


def test_it_reaches_into_no_kernel(bench: Bench) -> None:
    done = bench.attack("kernel")
    done.needs(Layer.FILES, Layer.SYSCALLS, Layer.PRIVILEGES)
    assert (done.code, done.out) == (0, []), done.err


def test_it_gains_no_privileges(bench: Bench) -> None:
    program = bench.folder / "id"
    shutil.copy(shutil.which("id") or "/usr/bin/id", program)
    program.chmod(0o4755)  # of root, where the tests are run by root
    done = bench.attack("privileges", program)
    done.needs(Layer.FILES, Layer.PRIVILEGES, Layer.LIMITS)
    assert (done.code, done.out) == (0, []), done.err


def test_it_is_not_root(bench: Bench) -> None:
    """As root it is another user each time; as an ordinary user the same one, in a namespace of its own."""
    ask = [bench.python, "-c", "import os; print(*os.getresuid(), *os.getgroups(), os.readlink('/proc/self/ns/user'))"]
    first, second = bench.run(ask), bench.run(ask)
    first.needs(Layer.USER)
    *users, namespace = first.out[0].split()
    assert "0" not in users
    if bench.user is None and os.geteuid() == 0:
        assert first.out != second.out
    else:
        assert namespace != str(Path("/proc/self/ns/user").readlink())


def test_it_sees_its_folder_and_its_runtime(bench: Bench) -> None:
    done = bench.run([bench.python, "-c", "import os, json, ssl, sqlite3; print(*sorted(os.listdir('.')))"])
    done.needs(Layer.FILES)
    assert (done.code, done.out) == (0, ["attack.py"]), done.err


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL, signal.SIGTERM])
def test_the_signal_that_ended_it_is_told(bench: Bench, number: signal.Signals) -> None:
    done = bench.run(["/bin/sh", "-c", f"kill -{number.value} $$"])
    assert done.code == -number


def test_its_exit_code_is_told(bench: Bench) -> None:
    assert bench.run(["/bin/sh", "-c", "exit 7"]).code == 7


@pytest.mark.parametrize("layers", [None, ["files"]])
def test_a_program_that_cannot_be_started_is_not_the_sandboxs_fault(bench: Bench, layers: list[str] | None) -> None:
    program = bench.folder / "bot"
    program.write_text("#!/no/such/interpreter\n")
    program.chmod(0o755)
    done = bench.run([str(program)], layers=layers)
    done.needs(Layer.FILES)
    assert done.code == 127
