"""What is submitted: taken whole into its folder, or refused with its reason and nothing left of it."""

import asyncio
import gc
import hashlib
import io
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_service import tiny_service

from arena.documents.document import LARGEST
from arena.errors import HostError, InputError
from arena.isolation.values import Mode
from arena.protocol.dialling import PIECE, Server, calling
from arena.protocol.v1.arena_pb2 import BotArchive, SeriesFile, SubmitRequest
from arena.protocol.v1.arena_pb2_grpc import ArenaStub
from arena.server.unbroken import unbroken
from arena.server.uploads import Limits
from arena.tournament.series import load_series

BOT = b"name: ada\nrun: [python3, bot.py]\n"
YAML = "name: cup\nbots: [bots/ada, {path: 'bots/bob', name: bob}]\n"
SMALL = Limits(archives=3, archive=100_000, in_all=150_000, unpacked=1_000_000, seconds=60, silence=30)


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(*infos: tuple[str, bytes, str], kind: str = "w:gz") -> bytes:
    """A tar of (name, type, link)s."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=kind) as archive:  # type: ignore[call-overload]
        for name, of, link in infos:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = of, link
            data = BOT if of == tarfile.REGTYPE else b""
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


FINE = zipped({"ada/bot.yaml": BOT, "ada/bot.py": b"print()\n"})


def series(yaml: str = YAML, name: str = "cup.yaml") -> SubmitRequest:
    return SubmitRequest(series=SeriesFile(yaml=yaml, name=name))


def archive(
    path: str, data: bytes = FINE, *, size: int | None = None, digest: bytes | None = None
) -> list[SubmitRequest]:
    head = BotArchive(
        path=path,
        size=len(data) if size is None else size,
        sha256=hashlib.sha256(data).digest() if digest is None else digest,
    )
    pieces = [data[at : at + PIECE] for at in range(0, len(data), PIECE)]
    return [SubmitRequest(archive=head), *(SubmitRequest(data=piece) for piece in pieces)]


def submit(folder: Path, requests: Iterable[SubmitRequest], limits: Limits = SMALL) -> tuple[str, str]:
    """Submit to a real server that keeps its upload in `folder`/upload; returns the series' text and name."""
    with tiny_service(folder, uploads=limits) as tiny, calling(Server(tiny.address)) as channel:
        taken = ArenaStub(channel).Submit(iter(requests)).series
        return taken.title, taken.told


def refusal(folder: Path, requests: Iterable[SubmitRequest], limits: Limits = SMALL) -> str:
    """What is told, as all of it is refused; nothing of it may be left."""
    before = sorted(folder.rglob("*"))
    with pytest.raises(InputError) as refused:
        submit(folder, requests, limits)
    assert sorted(folder.rglob("*")) == before
    return str(refused.value)


def test_a_series_and_its_bots_are_taken(tmp_path: Path) -> None:
    plain = tarred(("bot.yaml", tarfile.REGTYPE, ""), kind="w")
    text, name = submit(tmp_path, [series(), *archive("bots/ada"), *archive("bots/bob", plain)])
    assert (text, name) == (YAML, "cup.yaml")
    upload = tmp_path / "upload"
    files = [path.relative_to(upload).as_posix() for path in sorted(upload.rglob("*")) if path.is_file()]
    assert files == ["bots/ada/bot.py", "bots/ada/bot.yaml", "bots/bob/bot.yaml", "series.yaml"]
    assert (upload / "series.yaml").read_text() == YAML
    loaded = load_series(upload / "series.yaml")
    assert [bot.folder for bot in loaded.bots] == [upload / "bots" / "ada", upload / "bots" / "bob"]


@pytest.mark.parametrize("kind", ["w", "w:gz", "w:bz2", "w:xz"])
def test_every_kind_of_archive_is_known_by_what_it_begins_with(tmp_path: Path, kind: str) -> None:
    data = tarred(("x/bot.yaml", tarfile.REGTYPE, ""), kind=kind)
    submit(tmp_path, [series("name: cup\nbots: [a]\n"), *archive("a", data)])
    assert (tmp_path / "upload" / "a" / "bot.yaml").read_bytes() == BOT


def test_an_archive_of_many_pieces_comes_whole(tmp_path: Path) -> None:
    weights = bytes(range(256)) * 3000
    data = zipped({"ada/bot.yaml": BOT, "ada/weights": weights}, zipfile.ZIP_STORED)
    assert len(data) > 2 * PIECE
    submit(tmp_path, [series("bots: [a]\n"), *archive("a", data)], replace(SMALL, archive=len(data), in_all=len(data)))
    assert (tmp_path / "upload" / "a" / "weights").read_bytes() == weights


ARCHIVES = [
    (zipped({"../bot.yaml": BOT}), "a path that leads out of the archive (../bot.yaml)"),
    (zipped({"/etc/bot.yaml": BOT}), "a path that leads out of the archive (/etc/bot.yaml)"),
    (zipped({"a/../../bot.yaml": BOT}), "a path that leads out of the archive"),
    (tarred(("../bot.yaml", tarfile.REGTYPE, "")), "a path that leads out of the archive (../bot.yaml)"),
    (tarred(("bot.yaml", tarfile.SYMTYPE, "/etc/passwd")), "bot.yaml is a link or a device"),
    (tarred(("b", tarfile.REGTYPE, ""), ("bot.yaml", tarfile.LNKTYPE, "b")), "bot.yaml is a link or a device"),
    (tarred(("bot.yaml", tarfile.FIFOTYPE, "")), "bot.yaml is a link or a device"),
    (zipped({"a/bot.yaml": BOT, "b/bot.yaml": BOT}), "there are several bots in the submission (a, b)"),
    (zipped({"a/bot.py": BOT}), "there is no bot.yaml in the submission (a/bot.py)"),
    (zipped({}), "there is no bot.yaml in the submission (it is empty)"),
    (b"PK" + b"\0" * 50, "this archive cannot be read"),
    (b"\x1f\x8b" + b"\0" * 50, "this archive"),
    (b"hello", "this is no archive, expected one as 'arena pack' makes it"),
    (b"", "this is no archive"),
    (FINE[:-30], "this archive cannot be read"),
]


@pytest.mark.parametrize(("data", "told"), ARCHIVES, ids=map(str, range(len(ARCHIVES))))
def test_an_archive_that_is_no_bots_is_refused(tmp_path: Path, data: bytes, told: str) -> None:
    said = refusal(tmp_path, [series(), *archive("bots/ada"), *archive("bots/bob", data)])
    assert said.startswith("the bot 'bots/bob': ")
    assert told in said


def flood() -> list[SubmitRequest]:
    head, *_ = archive("b", size=10)
    return [head, SubmitRequest(data=b"x" * 8), SubmitRequest(data=b"x" * 8)]


STREAMS: list[tuple[list[SubmitRequest], str]] = [
    ([], "a submission begins with its series, and this one does not"),
    (archive("a"), "a submission begins with its series"),
    ([SubmitRequest(data=b"x")], "a submission begins with its series"),
    ([series(), series()], "a series came again"),
    ([series(), SubmitRequest(data=b"x")], "data of no archive"),
    ([series(), SubmitRequest()], "expected a bot's archive"),
    (
        [series(), *archive("a", size=len(FINE) + 1)],
        f"the bot 'a': {len(FINE)} bytes came, expected {len(FINE) + 1}",
    ),
    (
        [series(), *archive("a", size=len(FINE) - 1)],
        f"more came than the {len(FINE) - 1} bytes that were announced",
    ),
    ([series(), *archive("a")[:1]], f"the bot 'a': 0 bytes came, expected {len(FINE)}"),
    ([series(), *archive("a")[:1], *archive("b")], f"the bot 'a': 0 bytes came, expected {len(FINE)}"),
    ([series(), *flood()], "the bot 'b': more came than the 10 bytes that were announced"),
    ([series(), *archive("a", digest=b"x" * 32)], "the bot 'a': it came damaged (SHA-256 "),
    ([series(), *archive("a", digest=b"")], "the bot 'a': it came damaged (SHA-256 "),
    ([series(), *archive("a"), *archive("a")], "the bot 'a': its place is taken"),
    ([series(), *archive("a"), *archive("./a/")], "the bot './a/': its place is taken"),
    ([series(), *archive("a"), *archive("a/b")], "the bot 'a/b': its place is taken"),
    ([series(), *archive("a/b"), *archive("a")], "the bot 'a': its place is taken"),
    ([series(), *archive("series.yaml")], "the bot 'series.yaml': its place is taken"),
    ([series(), *archive("service.json")], "the bot 'service.json': its place is taken"),
    ([series(), *archive("play.log/x")], "the bot 'play.log/x': its place is taken"),
    ([series(), *archive(".work/x")], "the bot '.work/x': its place is taken"),
    ([series(), *archive("")], "'' is no path"),
    ([series(), *archive("a\0b")], "is no path"),
    ([series(), *archive("..")], "the path '..' is a folder above the bots"),
    ([series(), *archive("a/../../..")], "is a folder above the bots"),
    ([series(), *archive("/")], "the path '/' is a folder above the bots"),
    ([series(), *archive(".")], "the path '.' is a folder above the bots"),
    ([series(), *archive("a/" * 30)], "is too long"),
    ([series(), *archive("a" * 300)], "is too long"),
    ([series("name: cup\nbots: [a, a: b\n")], "cup.yaml:"),
    ([series("bots: [a]\n" + "#" * LARGEST)], f"the series is too large, expected at most {LARGEST:,} bytes"),
    ([series("")], "cup.yaml:1:1: nothing is in it"),
]


@pytest.mark.parametrize(("requests", "told"), STREAMS, ids=map(str, range(len(STREAMS))))
def test_a_stream_that_is_no_submission_is_refused(tmp_path: Path, requests: list[SubmitRequest], told: str) -> None:
    assert told in refusal(tmp_path, requests)


@pytest.mark.parametrize(
    ("limits", "requests", "told"),
    [
        (replace(SMALL, archives=1), [series(), *archive("a"), *archive("b")], "more than 1 archives"),
        (replace(SMALL, archive=50), [series(), *archive("a")], f"the bot 'a': {len(FINE)} bytes, expected at most 50"),
        (replace(SMALL, in_all=2 * len(FINE) - 1), [series(), *archive("a"), *archive("b")], "archives of more than"),
        (replace(SMALL, archive=1 << 70), [series(), *archive("a", size=1 << 60)[:1]], "archives of more than 150,000"),
        (
            replace(SMALL, unpacked=10_000),
            [series(), *archive("a", zipped({"bot.yaml": BOT, "zeros": bytes(20_000)}))],
            "bots of more than 10,000 bytes when unpacked",
        ),
        (
            replace(SMALL, archive=1 << 20, in_all=1 << 20),
            [series(), archive("a", size=1 << 20)[0], SubmitRequest(data=bytes(PIECE + 1))],
            f"a piece of {PIECE + 1:,} bytes, expected at most {PIECE:,}",
        ),
    ],
    ids=["archives", "archive", "in all", "announced", "unpacked", "piece"],
)
def test_what_is_too_much_is_refused(tmp_path: Path, limits: Limits, requests: list[SubmitRequest], told: str) -> None:
    assert told in refusal(tmp_path, requests, limits)


def test_what_the_machine_cannot_take_is_told_as_that_and_without_its_folders(tmp_path: Path) -> None:
    (tmp_path / "upload").touch()
    with tiny_service(tmp_path, uploads=SMALL) as tiny:
        with pytest.raises(HostError) as refused, calling(Server(tiny.address)) as channel:
            ArenaStub(channel).Submit(iter([series(), *archive("a")]))
        assert str(refused.value).endswith("the arena's machine cannot take this now: File exists")
        assert not [line for line in tiny.log if " bug " in line]


def test_a_bomb_is_given_up_early(tmp_path: Path) -> None:
    bomb = zipped({"bot.yaml": BOT, **{f"zeros{number}": bytes(50_000_000) for number in range(5)}})
    said = refusal(tmp_path, [series(), *archive("a", bomb)], Limits())
    assert said == "the bot 'a': more than 200 MB when unpacked, expected a bot"


def drops() -> Iterator[SubmitRequest]:
    """A byte at a time, each soon after the one before."""
    pause = threading.Event()
    for _ in range(80_000):
        pause.wait(0.01)
        yield SubmitRequest(data=b"x")


@pytest.mark.parametrize(
    ("limits", "slowly"),
    [(replace(SMALL, silence=0.2), False), (replace(SMALL, seconds=0.5), True)],
    ids=["silence", "drops"],
)
def test_a_stream_that_does_not_end_is_ended(tmp_path: Path, limits: Limits, slowly: bool) -> None:
    over = threading.Event()

    def requests() -> Iterator[SubmitRequest]:
        yield series()
        yield archive("a", size=90_000)[0]
        if slowly:
            yield from drops()
        over.wait(30)

    with tiny_service(tmp_path, uploads=limits) as tiny:
        with pytest.raises(HostError, match="the submission took longer"), calling(Server(tiny.address)) as channel:
            ArenaStub(channel).Submit(requests())
        over.set()
    assert not (tmp_path / "upload").exists()


def test_a_stream_that_breaks_in_the_middle_leaves_nothing(tmp_path: Path) -> None:
    sent, over = threading.Event(), threading.Event()

    def requests() -> Iterator[SubmitRequest]:
        yield series()
        yield from archive("a")
        yield from archive("b", size=len(FINE) + 1)
        sent.set()
        over.wait(30)

    upload = tmp_path / "upload"
    with tiny_service(tmp_path, uploads=SMALL) as tiny, calling(Server(tiny.address)) as channel:
        call = ArenaStub(channel).Submit.future(requests())
        assert sent.wait(30)
        assert eventually((upload / "a").exists)
        call.cancel()
        over.set()
        assert eventually(lambda: not upload.exists())


def test_a_mistake_that_is_found_when_nobody_waits_for_it_any_more_is_told_to_nobody() -> None:
    told: list[object] = []
    cancelled = threading.Event()

    def fails() -> None:
        cancelled.wait(30)
        raise InputError("wrong")

    async def broken_off() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, what: told.append(what))
        task = asyncio.create_task(unbroken(asyncio.to_thread(fails)))
        await asyncio.sleep(0)
        task.cancel()
        cancelled.set()
        await asyncio.wait({task})
        assert task.cancelled()
        del task
        gc.collect()

    asyncio.run(broken_off())
    assert told == []


def eventually(true: Callable[[], bool]) -> bool:
    """Whether it comes true, with a generous ceiling."""
    pause = threading.Event()
    return any(true() or pause.wait(0.01) for _ in range(3000))


@pytest.mark.parametrize(
    ("path", "here"),
    [
        ("../bots/ada", "_up/bots/ada"),
        ("../../ada", "_up/_up/ada"),
        ("/home/me/ada", "_root/home/me/ada"),
        ("x/../../ada", "_up/ada"),
        ("./ada/", "ada"),
        ("é ada", "é ada"),
    ],
)
def test_a_bot_from_anywhere_is_taken_into_the_folder_and_the_series_rewritten(
    tmp_path: Path, path: str, here: str
) -> None:
    yaml = f"# a cup\nname: cup\nbots:\n  - {path}  # mine\n  - {{sample: greedy}}\n  - path: '{path}'\n    name: x\n"
    text, _ = submit(tmp_path, [series(yaml), *archive(path)])
    expected = yaml.replace(f"'{path}'", f'"{here}"').replace(f"{path} ", f'"{here}" ') if path != here else yaml
    assert text == expected
    loaded = load_series(tmp_path / "upload" / "series.yaml")
    assert [bot.name for bot in loaded.bots] == ["ada", "greedy", "x"]
    assert loaded.bots[0].folder == tmp_path / "upload" / here


def test_a_pattern_leads_to_the_archives_that_it_matched(tmp_path: Path) -> None:
    other = zipped({"bot.yaml": BOT.replace(b"ada", b"bob")})
    yaml = "name: cup\nbots:\n- >-\n  ../entries/*\n- {sample: greedy}\n"
    submit(tmp_path, [series(yaml), *archive("../entries/1"), *archive("../entries/2", other)])
    loaded = load_series(tmp_path / "upload" / "series.yaml")
    assert [bot.name for bot in loaded.bots] == ["ada", "bob", "greedy"]


@pytest.fixture
def allowed(tmp_path: Path) -> Path:
    """A folder that a series may name, with a bot and a link that leads out, beside a bot that may not be named."""
    for name in ("allowed/ada", "elsewhere/eve"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "bot.yaml").write_bytes(BOT)
    (tmp_path / "allowed" / "out").symlink_to(tmp_path / "elsewhere" / "eve")
    (tmp_path / "link").symlink_to(tmp_path / "allowed")
    return tmp_path / "allowed"


@pytest.mark.parametrize(
    ("path", "may"),
    [
        ("{top}/allowed/ada", True),
        ("{top}/allowed/a*", True),
        ("{top}/allowed/../allowed/ada", True),
        ("{top}/elsewhere/eve", False),
        ("{top}/allowed/out", False),
        ("{top}/allowed/*", False),
        ("{top}/allowed/../elsewhere/eve", False),
        ("{top}/allowed-too/ada", False),
        ("{top}/*/eve", False),
        ("../elsewhere/eve", False),
        ("allowed/ada", False),
        ("../../../../../../../../../../etc", False),
        ("/etc/passwd", False),
    ],
)
def test_of_the_arenas_own_folders_only_those_below_what_it_allows_may_be_named(
    tmp_path: Path, allowed: Path, path: str, may: bool
) -> None:
    yaml = f"name: cup\nbots: ['{path.format(top=tmp_path)}', {{sample: greedy}}]\n"
    limits = replace(SMALL, allow=(allowed,))
    if may:
        submit(tmp_path, [series(yaml)], limits)
        assert [bot.name for bot in load_series(tmp_path / "upload" / "series.yaml").bots] == ["ada", "greedy"]
        return
    said = refusal(tmp_path, [series(yaml)], limits)
    assert said.startswith("cup.yaml:2:8: ")
    assert "did not come with the series" in said


def test_a_folder_that_is_allowed_may_be_a_link(tmp_path: Path, allowed: Path) -> None:
    for way in (tmp_path / "link", allowed):
        yaml = f"name: cup\nbots: ['{way}/ada', {{sample: greedy}}]\n"
        submit(tmp_path / str(way.name), [series(yaml)], replace(SMALL, allow=(tmp_path / "link",)))


def test_a_secret_and_isolation_are_held_to_what_the_arena_allows(tmp_path: Path, allowed: Path) -> None:
    limits = replace(SMALL, allow=(allowed,), floor=Mode.REQUIRED)
    yaml = "name: cup\nbots: [{sample: greedy}]\n"
    told = refusal(
        tmp_path, [series(f"{yaml}secret_file: {tmp_path}/elsewhere/secret\nisolation: best-effort\n")], limits
    )
    first, second = told.split("\n")
    assert first.startswith("cup.yaml:3:14: secret_file is '/")
    assert second == "cup.yaml:4:12: isolation is best-effort, expected required: this arena demands it"
    assert "isolation is best-effort" in refusal(tmp_path, [series(yaml)], limits)
    assert "secret_file is '../secret'" in refusal(tmp_path, [series(f"{yaml}secret_file: ../secret\n")], limits)
    relaxed = replace(limits, floor=Mode.BEST_EFFORT)
    told = refusal(tmp_path, [series(f"{yaml}isolation: none\n")], relaxed)
    assert told == "cup.yaml:3:12: isolation is none, expected best-effort or required: this arena demands it"
    submit(tmp_path, [series(f"{yaml}isolation: required\nsecret_file: {allowed}/secret\n")], limits)


@pytest.mark.parametrize("name", ["", "../../x/cup.yaml", "a\nb.yaml", "x" * 500])
def test_the_name_of_the_file_is_a_name(tmp_path: Path, name: str) -> None:
    _, told = submit(tmp_path, [series("bots: []\n", name)])
    assert told.isprintable()
    assert "/" not in told
    assert 0 < len(told) <= 60


@pytest.mark.parametrize("yaml", ["bots: ada", "bots: {a: b}", "bots: [[a], {path: [b]}, 3]", "bots:\n", "name: x"])
def test_what_else_is_wrong_is_left_to_who_loads_the_series(tmp_path: Path, yaml: str) -> None:
    def loaded() -> object:
        submit(tmp_path, [series(yaml)])
        return load_series(tmp_path / "upload" / "series.yaml")

    with pytest.raises(InputError):
        loaded()
