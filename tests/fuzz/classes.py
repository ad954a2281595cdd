"""Fuzzed: what a class hands in, and the files of its course system and of its teacher."""

import io
import shutil
import tarfile
import zipfile
from functools import partial
from pathlib import Path

from fuzz.target import ROOT, Target, check_message

from arena.classroom.assignment import load_assignment
from arena.classroom.roster import read_roster
from arena.classroom.submissions import find_submissions, match
from arena.errors import InputError
from arena.kit.handed_in import bot_folder, unpack_bot

_BOT = {"ginny/bot.yaml": b"name: ginny\nrun: [x]\n", "ginny/bot.py": b"import arena\n" * 20, "notes.txt": b""}
_NAMES = (b"../", b"/", b"\\", b"a/../../b", b"bot.yaml", b"__MACOSX", b"\0", b"..", b"ginny/bot.yaml/x", b"C:\\")
_ROSTER = b'id,name,key\ns1,"Doe, Jane",4711\ns2,Bob Ray,\n'
_METADATA = b"submission_5:\n  :submitters:\n  - :name: Jane Doe\n    :sid: s1\n  :created_at: 2026-11-01 10:00:00 Z\n"


def class_targets(folder: Path) -> dict[str, Target]:
    """All of a class. folder: where files can be written."""
    assignment = (ROOT / "tournaments" / "class" / "assignment.yaml").read_bytes()
    words = (
        b"references",
        b"check",
        b": ",
        b"[",
        b"]",
        b"{sample: x}",
        b"bots",
        b"full",
        b"\n",
        b"~",
        b"7",
        b"gauntlet: 1\n",
    )
    return {
        "archive": Target(partial(_check_archive, folder), _archives(), _NAMES),
        "roster": Target(partial(_check_roster, folder), (_ROSTER, _ROSTER.replace(b",", b";")), _CELLS),
        "metadata": Target(partial(_check_metadata, folder), (_METADATA,), _YAML),
        "assignment": Target(partial(_check_assignment, folder), (assignment,), words),
    }


_CELLS = (b",", b";", b'"', b"\n", b"\r", b"\t", b"\xef\xbb\xbf", b"\0", b"id", b"name", b"key", b"s1", b"\xff", b"../")
_YAML = (
    b"&a ",
    b"*a",
    b": ",
    b"- ",
    b"\n",
    b"[",
    b"{",
    b"~",
    b":sid",
    b":name",
    b"!!python/name:os.system ",
    b"? ",
    b'"',
)


def _archives() -> tuple[bytes, ...]:
    stored, packed, tar, plain = io.BytesIO(), io.BytesIO(), io.BytesIO(), io.BytesIO()
    for kind, file in ((zipfile.ZIP_STORED, stored), (zipfile.ZIP_DEFLATED, packed)):
        with zipfile.ZipFile(file, "w", kind) as archive:
            for name, data in _BOT.items():
                archive.writestr(zipfile.ZipInfo(name), data, kind)
    for mode, file in (("w:gz", tar), ("w", plain)):
        with tarfile.open(fileobj=file, mode=mode) as tarred:  # type: ignore[call-overload]
            for name, data in _BOT.items():
                info = tarfile.TarInfo(name)
                info.size = len(data)
                tarred.addfile(info, io.BytesIO(data))
    return tuple(file.getvalue() for file in (stored, packed, tar, plain))


def _check_archive(folder: Path, data: bytes) -> None:
    """It is unpacked into its place or refused, alike again; and nothing is written elsewhere."""
    here = folder / "archive"
    end = ".zip" if data[:1] == b"P" else ".tar.gz" if data[:1] == b"\x1f" else ".tar"
    told = []
    for _ in range(2):
        shutil.rmtree(here, ignore_errors=True)
        here.mkdir()
        (here / f"x{end}").write_bytes(data)
        try:
            unpack_bot(here / f"x{end}", here / "out")
            bot = bot_folder(here / "out")
            told.append(f"a bot in {bot.relative_to(here)}")
            assert bot.is_relative_to(here / "out")
        except InputError as error:
            check_message(str(error))
            told.append(str(error))
        assert {path.name for path in here.iterdir()} <= {f"x{end}", "out"}
        assert not any(path.is_symlink() for path in here.rglob("*"))
    assert told[0] == told[1]


def _check_roster(folder: Path, data: bytes) -> None:
    path = folder / "roster.csv"
    path.write_bytes(data)
    try:
        students = read_roster(path, frozenset({"random"}))
    except InputError as error:
        check_message(str(error))
        return
    assert len({student.id.casefold() for student in students}) == len(students) > 0
    assert match(students, []).of == {}


def _check_metadata(folder: Path, data: bytes) -> None:
    export = folder / "export"
    (export / "submission_5").mkdir(parents=True, exist_ok=True)
    (export / "submission_metadata.yml").write_bytes(data)
    try:
        (found,) = find_submissions(export)
    except InputError as error:
        check_message(str(error))
        return
    assert all(isinstance(word, str) for word in (*found.keys, *found.names))


def _check_assignment(folder: Path, data: bytes) -> None:
    path = folder / "assignment.yaml"
    path.write_bytes(data)
    try:
        assert load_assignment(path).references
    except InputError as error:
        check_message(str(error))
