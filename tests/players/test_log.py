"""The logs of a bot: head and tail, whatever it prints."""

from pathlib import Path

import pytest

from arena.errors import HostError
from arena.players.log import HEAD, TAIL, Log, LogFolder
from arena.players.place import last_words


def logged(tmp_path: Path, *chunks: bytes) -> bytes:
    log = Log(LogFolder(tmp_path, "bot"), "stderr.log")
    for chunk in chunks:
        log.write(chunk)
    log.flush()
    return (tmp_path / "bot" / "stderr.log").read_bytes()


def test_a_short_log_is_kept_whole(tmp_path: Path) -> None:
    text = b"".join(b"line %d\n" % number for number in range(10_000))
    assert HEAD < len(text) < HEAD + TAIL
    assert logged(tmp_path, text[:1000], text[1000:70_000], text[70_000:]) == text


@pytest.mark.parametrize("chunk", [100, 70_000, 10_000_000])
def test_a_long_log_keeps_its_head_and_its_tail(tmp_path: Path, chunk: int) -> None:
    text = b"".join(b"line %d\n" % number for number in range(30_000))
    kept = logged(tmp_path, *(text[start : start + chunk] for start in range(0, len(text), chunk)))
    gap = b"\n--- %d bytes left out ---\n" % (len(text) - HEAD - TAIL)
    assert kept == text[:HEAD] + gap + text[-TAIL:]


def test_the_head_is_there_before_the_end(tmp_path: Path) -> None:
    log = Log(LogFolder(tmp_path, "bot"), "stderr.log")
    log.write(b"still running")
    assert (tmp_path / "bot" / "stderr.log").read_text() == "still running"


def test_the_tail_is_brought_up_to_date_by_every_flush(tmp_path: Path) -> None:
    log = Log(LogFolder(tmp_path, "bot"), "stderr.log")
    for letter in (b"a", b"b", b"c"):
        log.write(letter * HEAD)
        log.flush()
    kept = (tmp_path / "bot" / "stderr.log").read_bytes()
    assert (kept[:HEAD], kept[-TAIL:]) == (b"a" * HEAD, b"c" * TAIL)
    assert b"--- 65536 bytes left out ---" in kept


def test_memory_does_not_grow(tmp_path: Path) -> None:
    log = Log(LogFolder(tmp_path, "bot"), "stderr.log")
    for _ in range(10_000):
        log.write(b"x" * 4096)
    assert len(log._tail) <= 5 * TAIL


def test_silence_leaves_no_file(tmp_path: Path) -> None:
    log = Log(LogFolder(tmp_path, "bot"), "stderr.log")
    log.begin("start 1")
    log.flush()
    assert not list(tmp_path.iterdir())


def test_each_start_is_marked_and_has_its_own_last_line(tmp_path: Path) -> None:
    log = Log(LogFolder(tmp_path, "bot"), "stderr.log")
    log.begin("start 1")
    log.write(b"one\ntwo\n\n  \n")
    assert last_words(log.latest) == "two"
    log.begin("start 2")
    assert last_words(log.latest) == ""
    log.write(b"three\n")
    assert last_words(log.latest) == "three"
    assert (tmp_path / "bot" / "stderr.log").read_text() == "one\ntwo\n\n  \n\n--- start 2 ---\nthree\n"


def test_the_last_line_is_fit_to_be_shown(tmp_path: Path) -> None:
    log = Log(LogFolder(tmp_path, "bot"), "stderr.log")
    log.write(b"\x1b[31mred\x07 \xff\n")
    assert last_words(log.latest) == r"\x1b[31mred\x07 " + "\ufffd"
    log.write(b"y" * 300)
    assert last_words(log.latest) == "y" * 199 + "…"


def test_a_name_that_is_taken_gets_a_number(tmp_path: Path) -> None:
    folders = [LogFolder(tmp_path / "logs", "bot").path for _ in range(3)]
    assert [folder.name for folder in folders] == ["bot", "bot~2", "bot~3"]


def test_a_log_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "logs").touch()
    log = Log(LogFolder(tmp_path / "logs", "bot"), "stderr.log")
    log.write(b"hello")
    with pytest.raises(HostError, match=r"cannot write a bot's log, .*logs: File exists"):
        log.flush()


def test_what_another_process_of_the_bot_goes_on_with_has_nothing_of_the_last_words_before(tmp_path: Path) -> None:
    log = Log(LogFolder(tmp_path, "bot"), "stderr.log")
    log.begin("start 1")
    text = b"a line of a long log\n" * 20_000
    log.write(text)
    log.flush()
    before = (tmp_path / "bot" / "stderr.log").read_bytes()
    log.hand_on()
    log.begin("start 2")
    assert log.recent() == ""
    log.flush()
    after = (tmp_path / "bot" / "stderr.log").read_bytes()
    assert after[:HEAD] == before[:HEAD]
    assert after.endswith(b"\n--- start 2 ---\n")
