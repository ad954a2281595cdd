"""Archives of strangers: what they may hold, and that nothing is ever written elsewhere."""

import io
import os
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import InputError
from arena.kit import unpacking
from arena.kit.handed_in import bot_folder, unpack_bot
from arena.kit.unpacking import unpack

Maker = Callable[[Path], Path]


def zipped(folder: Path, files: dict[str, bytes], mode: int = 0o100644, name: str = "x.zip") -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, data in files.items():
            info = zipfile.ZipInfo(entry)
            info.external_attr = mode << 16
            info.create_system = 3
            archive.writestr(info, data, zipfile.ZIP_DEFLATED)
    return path


def tarred(folder: Path, *infos: tarfile.TarInfo, name: str = "x.tar.gz", size: int = 1) -> Path:
    path = folder / name
    kind = name.rpartition(".")[2].replace("tgz", "gz")
    with tarfile.open(path, "w" if kind == "tar" else f"w:{kind}") as archive:  # type: ignore[call-overload]
        for info in infos:
            info.size = size if info.isreg() else 0
            archive.addfile(info, io.BytesIO(b"x" * info.size))
    return path


def info(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, link
    return made


def refusal(source: Path, folder: Path) -> str:
    """What an archive is refused with; nothing of it may be left, here or elsewhere."""
    before = sorted(folder.rglob("*"))
    with pytest.raises(InputError) as refused:
        unpack(source, folder / "out")
    assert sorted(folder.rglob("*")) == before
    return str(refused.value)


@pytest.mark.parametrize("name", ["x.tar", "x.tar.gz", "x.tgz", "x.tar.bz2", "x.tar.xz"])
def test_every_kind_of_tar_is_read(tmp_path: Path, name: str) -> None:
    unpack(tarred(tmp_path, info("a/bot.yaml"), name=name), tmp_path / "out")
    assert (tmp_path / "out" / "a" / "bot.yaml").read_text() == "x"


def test_files_can_be_read_by_all_and_keep_the_right_to_execute(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        unpack(zipped(tmp_path, {"a/run": b"1", "__MACOSX/x": b"", "a\\b.txt": b"2"}, 0o100700), tmp_path / "out")
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "out").rglob("*")}
    assert modes == {"a": 0o755, "run": 0o755, "b.txt": 0o755}


@pytest.mark.parametrize("name", ["../evil", "a/../../evil", "/evil", "C:\\evil", "..\\evil"])
def test_no_path_leads_out(tmp_path: Path, name: str) -> None:
    assert "leads out" in refusal(zipped(tmp_path, {name: b"x"}), tmp_path)
    assert "leads out" in refusal(tarred(tmp_path, info(name)), tmp_path)


def test_links_and_devices_are_refused(tmp_path: Path) -> None:
    link = "is a link or a device"
    assert link in refusal(zipped(tmp_path, {"a": b"/etc/passwd"}, stat.S_IFLNK | 0o777), tmp_path)
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE):
        assert link in refusal(tarred(tmp_path, info("a", kind, "/etc/passwd")), tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a").symlink_to("/etc")
    assert link in refusal(tmp_path / "folder", tmp_path)
    (tmp_path / "folder" / "a").unlink()
    os.mkfifo(tmp_path / "folder" / "a")
    assert link in refusal(tmp_path / "folder", tmp_path)


def test_a_file_behind_a_link_of_the_same_archive_is_not_reached(tmp_path: Path) -> None:
    archive = tarred(tmp_path, info("a", tarfile.SYMTYPE, "/tmp"), info("a/evil"))
    assert "is a link" in refusal(archive, tmp_path)


def test_what_is_too_much_is_given_up_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "MOST_BYTES", 1_000_000)
    monkeypatch.setattr(unpacking, "MOST_FILES", 20)
    assert "more than 1 MB" in refusal(zipped(tmp_path, {"zeros": bytes(30_000_000)}), tmp_path)
    assert "more than 1 MB" in refusal(tarred(tmp_path, info("zeros"), size=30_000_000), tmp_path)
    assert "more than 20 files" in refusal(zipped(tmp_path, {f"f{number}": b"" for number in range(21)}), tmp_path)
    endless = tarfile.TarInfo("x")
    endless.pax_headers = {"comment": "x" * 3_000_000}
    assert "more than 1 MB" in refusal(tarred(tmp_path, endless), tmp_path)


@pytest.mark.parametrize(
    "path", ["/".join(["d"] * 30), "n" * 201, "/".join(["n" * 200] * 6), "/".join(["ä" * 21] * 24)]
)
def test_a_path_that_no_system_takes_is_refused(tmp_path: Path, path: str) -> None:
    told = "expected at most 25 folders deep, 200 bytes a name and 1,000 in all"
    assert told in refusal(zipped(tmp_path, {path: b""}), tmp_path)
    assert told in refusal(tarred(tmp_path, info(path)), tmp_path)


def test_every_entry_counts_also_where_nothing_comes_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "MOST_ENTRIES", 20)
    folders, left_out = [f"f{number}/" for number in range(21)], [f".git/{number}" for number in range(21)]
    for names in (folders, left_out):
        assert "more than 20 entries" in refusal(zipped(tmp_path, dict.fromkeys(names, b"")), tmp_path)
        kind = tarfile.DIRTYPE if names is folders else tarfile.REGTYPE
        assert "more than 20 entries" in refusal(tarred(tmp_path, *[info(name, kind) for name in names]), tmp_path)
    for name in folders:
        (tmp_path / "in" / name).mkdir(parents=True)
    assert "more than 20 entries" in refusal(tmp_path / "in", tmp_path)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_path_that_comes_twice_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path, {"a": b"1"})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("a", b"2")
    assert "comes twice" in refusal(path, tmp_path)
    assert "comes twice" in refusal(zipped(tmp_path, {"a": b"1", "a/b": b"2"}), tmp_path)


def test_damaged_archives_are_told(tmp_path: Path) -> None:
    good = {name: make(tmp_path).read_bytes() for name, make in _MAKERS.items()}
    for name, data in good.items():
        path = tmp_path / name
        for cut in range(0, len(data), max(1, len(data) // 12)):
            for spoilt in (data[:cut], data[:cut] + bytes([data[cut] ^ 0x55]) + data[cut + 1 :]):
                path.write_bytes(spoilt)
                try:
                    unpack(path, tmp_path / "out")
                except InputError:
                    assert not (tmp_path / "out").exists()
                else:
                    for made in sorted((tmp_path / "out").rglob("*"), reverse=True):
                        made.rmdir() if made.is_dir() else made.unlink()
                    (tmp_path / "out").rmdir()


_MAKERS: dict[str, Maker] = {
    "x.zip": lambda folder: zipped(folder, {"a/bot.yaml": b"name: x" * 50}),
    "x.tar.gz": lambda folder: tarred(folder, info("a/bot.yaml"), size=500),
    "x.tar.xz": lambda folder: tarred(folder, info("a/bot.yaml"), size=500, name="x.tar.xz"),
    "x.tar.bz2": lambda folder: tarred(folder, info("a/bot.yaml"), size=500, name="x.tar.bz2"),
}


def test_an_archive_with_a_password_is_told(tmp_path: Path) -> None:
    path = zipped(tmp_path, {"a/bot.yaml": b"name: x"})
    data = bytearray(path.read_bytes())
    for header, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(header) + flags] |= 1
    path.write_bytes(data)
    assert refusal(path, tmp_path) == "x.zip: it has a password, expected an archive without one"


def test_no_archive_is_told_with_what_is_one(tmp_path: Path) -> None:
    (tmp_path / "bot.rar").write_bytes(b"Rar!")
    assert "expected a folder or an archive (.zip, .tar" in refusal(tmp_path / "bot.rar", tmp_path)


def test_an_archive_in_a_folder_or_an_archive_is_unpacked_too(tmp_path: Path) -> None:
    handed_in = tmp_path / "Jane_1_assignsubmission_file_"
    handed_in.mkdir()
    inner = zipped(tmp_path, {"ginny/bot.yaml": b"name: x"}, name="inner.zip").read_bytes()
    zipped(handed_in, {"my bot.zip": inner})
    (handed_in / "notes.txt").write_text("here is my bot")
    unpack_bot(handed_in, tmp_path / "out")
    assert bot_folder(tmp_path / "out") == tmp_path / "out" / "ginny"
    assert not (tmp_path / "inner").exists()


def test_the_bot_is_the_one_nearest_to_the_top(tmp_path: Path) -> None:
    for name in ("a/bot.yaml", "a/old/bot.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert bot_folder(tmp_path) == tmp_path / "a"
    (tmp_path / "b").mkdir()
    with pytest.raises(InputError, match=r"there is no bot\.yaml in the submission"):
        bot_folder(tmp_path / "b")
    for number in range(5):
        (tmp_path / "b" / f"{number}.rar").write_text("")
    with pytest.raises(InputError, match=r"in the submission \(0\.rar, 1\.rar, 2\.rar, and 2 more\)"):
        bot_folder(tmp_path / "b")
    (tmp_path / "b" / "bot.yaml").write_text("")
    with pytest.raises(InputError, match=r"several bots in the submission \(a, b\)"):
        bot_folder(tmp_path)
