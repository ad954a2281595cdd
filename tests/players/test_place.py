"""Where a bot failed, found in what it printed: in the words of every language that has a sample bot."""

import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent

import pytest

from arena.players.place import LONGEST, last_lines, last_words, place_in

HOME = "/home/me/my/ginny"

REPORTS = {
    "a Python bot in a library's thread": (
        """\
        ready
        Traceback (most recent call last):
          File "/home/me/.venv/lib/python3.11/site-packages/arena/bot/server.py", line 101, in Play
            answer = decide(turn)
                     ^^^^^^^^^^^^
          File "/home/me/my/ginny/bot.py", line 31, in discard
            return discard(choices[9])
                           ~~~~~~~^^^
          File "/usr/lib/python3.11/random.py", line 3, in choice
            return self[0]
        IndexError: list index out of range
        """,
        "bot.py:31 IndexError: list index out of range",
    ),
    "the last of several": (
        """\
        Traceback (most recent call last):
          File "/home/me/my/ginny/bot.py", line 4, in draw
            first()
        KeyError: 'top'

        During handling of the above exception, another exception occurred:

        Traceback (most recent call last):
          File "/home/me/my/ginny/lib/table.py", line 7, in <module>
            second()
        tables.TableError: no such table
        and a last line
        """,
        "lib/table.py:7 TableError: no such table",
    ),
    "a Python file that cannot be read": (
        """\
          File "/home/me/my/ginny/bot.py", line 3
            def
               ^
        SyntaxError: invalid syntax
        """,
        "bot.py:3 SyntaxError: invalid syntax",
    ),
    "Go": (
        """\
        panic: runtime error: index out of range [5] with length 3

        goroutine 7 [running]:
        runtime.panicIndex()
        \t/usr/local/go/src/runtime/panic.go:115 +0x74
        main.discard(...)
        \t/home/me/my/ginny/bot.go:12
        main.main()
        \t/home/me/my/ginny/main.go:31 +0x1d
        exit status 2
        """,
        "bot.go:12 panic: runtime error: index out of range [5] with length 3",
    ),
    "Rust": (
        """\

        thread 'tokio-runtime-worker' (17) panicked at src/policy.rs:4:5:
        index out of bounds: the len is 3 but the index is 99
        note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
        """,
        "src/policy.rs:4 index out of bounds: the len is 3 but the index is 99",
    ),
    "an older Rust": (
        "thread 'main' panicked at 'no card', src/main.rs:9:13\n",
        "src/main.rs:9 no card",
    ),
    "Java": (
        """\
        Exception in thread "main" java.lang.IllegalStateException: no turn
        \tat io.grpc.stub.ServerCalls.invoke(ServerCalls.java:10)
        \tat Server.main(Server.java:80)
        Caused by: java.lang.ArrayIndexOutOfBoundsException: Index 5 out of bounds for length 3
        \tat java.base/java.util.ArrayList.get(ArrayList.java:427)
        \tat ginny.Policy.discard(Policy.java:31)
        \t... 1 more
        """,
        "Policy.java:31 ArrayIndexOutOfBoundsException: Index 5 out of bounds for length 3",
    ),
    "Node": (
        """\
        /home/me/my/ginny/bot.js:31
                throw new Error("x");
                ^

        TypeError: Cannot read properties of undefined (reading 'card')
            at Array.map (<anonymous>)
            at choose (file:///home/me/my/ginny/build/policy.js:12:9)
            at node:internal/process/task_queues:95:5

        Node.js v20.11.0
        """,
        "build/policy.js:12 TypeError: Cannot read properties of undefined (reading 'card')",
    ),
    "an assertion in C": (
        "bot: src/bot.cpp:31: int discard(const Turn&): Assertion `card < 52' failed.\n",
        "src/bot.cpp:31 Assertion `card < 52' failed.",
    ),
    "an assertion on macOS": (
        "Assertion failed: (card < 52), function discard, file bot.c, line 31.\n",
        "bot.c:31 Assertion failed: (card < 52)",
    ),
    "a sanitizer": (
        """\
        =================================================================
        ==17==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x55 bp 0x7f sp 0x7f
        READ of size 4 at 0x602000000020 thread T0
            #0 0x55 in std::vector<int>::operator[](unsigned long) /usr/include/c++/12/bits/stl_vector.h:1123
            #1 0x56 in discard(Turn const&) /home/me/my/ginny/bot.cpp:31:5
        """,
        "bot.cpp:31 AddressSanitizer: heap-buffer-overflow",
    ),
    "undefined behaviour": (
        "bot.cpp:31:5: runtime error: index 5 out of bounds for type 'int [3]'\n",
        "bot.cpp:31 index 5 out of bounds for type 'int [3]'",
    ),
    "an exception that nobody caught": (
        "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::_M_range_check\n",
        "std::out_of_range: vector::_M_range_check",
    ),
}


@pytest.mark.parametrize("name", REPORTS)
def test_the_place_is_found(name: str) -> None:
    output, place = REPORTS[name]
    assert str(place_in(dedent(output), HOME)) == place


def test_a_bot_whose_folder_has_moved_is_told_from_libraries_by_the_names_of_files() -> None:
    output, place = REPORTS["a Python bot in a library's thread"]
    assert str(place_in(dedent(output))) == place
    assert str(place_in(dedent(output), "/elsewhere")) == place


def test_words_without_a_place_of_the_bots_own_are_still_told() -> None:
    output = 'Traceback:\n  File "/usr/lib/python3/x.py", line 3, in f\n    f()\nOSError: no\n'
    assert str(place_in(output, HOME)) == "OSError: no"


def test_an_output_without_a_report_has_no_place() -> None:
    assert place_in("", HOME) is None
    assert place_in("all is well\nError 3\n", HOME) is None


def test_a_real_traceback_is_understood(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import json\n\n\ndef f():\n    json.loads('{')\n\n\nf()\n")
    done = subprocess.run([sys.executable, "bot.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    place = place_in(done.stderr, str(tmp_path))
    assert place is not None
    assert (place.file, place.line) == ("bot.py", 5)
    assert place.told.startswith("JSONDecodeError: Expecting property name")


HOSTILE = {
    "escapes": 'Traceback\n  File "\x1b[2Jbot.py", line 3, in f\n    x\nIndexError: \x1b[31mgone\r\x07\u202e\n',
    "a forged line": "thread 'main' panicked at src/a.rs:1:1:\nno\u2028bob wins\x0b\n",
    "a long line": "bot.cpp:31:5: runtime error: " + "y" * 5000,
}


@pytest.mark.parametrize("output", HOSTILE.values(), ids=HOSTILE)
def test_nothing_of_it_moves_a_cursor_or_has_no_end(output: str) -> None:
    place = place_in(output)
    assert place is not None
    assert str(place).isprintable()
    assert len(place.told) <= LONGEST
    assert all(line.isprintable() for line in last_lines(output, 9))


@pytest.mark.parametrize(
    "unit",
    ['  File "x", line 1\n', "  File ", "Exception in ", "a.b.", "    at x (", " | ", "x: y:1: ", "\nwhat(): "],
)
def test_an_output_made_to_be_slow_is_not(unit: str) -> None:
    start = time.process_time()
    place_in(unit * (4096 // len(unit)))
    assert time.process_time() - start < 2, "of a pattern that goes back and forth without end"


def test_the_last_lines_and_words() -> None:
    assert last_lines("one\n\ttwo  \nthree\n\n", 2) == ["    two", "three"]
    assert last_lines(" \n", 3) == []
    assert last_words("one\n  \x1b[1mtwo\n\n") == r"\x1b[1mtwo"
