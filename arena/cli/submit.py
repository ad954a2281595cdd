"""`arena submit`."""

import hashlib
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.client import Json, client, line_of, series_json

if TYPE_CHECKING:  # rooms are imported when a command runs
    from arena.protocol.v1.arena_pb2 import SubmitRequest
    from arena.protocol.v1.arena_pb2_grpc import ArenaStub


@client
def submit(
    arena: "ArenaStub",
    series: Annotated[Path, typer.Argument(metavar="FILE", help="The series, a YAML file.")],
    as_it_is: Annotated[
        bool, typer.Option("--as-it-is", help="Send the file alone: the folders that it names are the arena's own.")
    ] = False,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Set a key of the series: --set groups=20.")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Then follow the series, as `arena watch` does.")] = False,
    as_json: Json = False,
) -> None:
    """Submit a series to an arena that serves, with its bots, and print its id.

    What is wrong with the series is told here, with its place, before anything is sent. The bots' folders that it names
    travel along, packed as `arena pack` packs them. It is played when its turn comes.

    \b
    Examples:
      arena submit cup.yaml
      arena submit cup.yaml --set name=trial --set groups=5
      arena submit cup.yaml --server arena.example:7777 --ca arena.pem --watch
    """
    import yaml

    from arena.cli.watch import follow
    from arena.documents import read_document
    from arena.tournament.series import load_series

    document = read_document(series, settings or ())
    text = yaml.safe_dump(document.value, sort_keys=False, allow_unicode=True) if settings else document.text
    folders: dict[str, Path] = {}
    if not as_it_is:
        entries = load_series(series, settings or ()).config.bots
        folders = {entry.path: series.parent / entry.path for entry in entries if entry.path is not None}
    with tempfile.TemporaryDirectory(prefix="gin-submit-") as scratch:
        archives = _packed(folders, Path(scratch))
        with _progress(sum(archive.stat().st_size for archive in archives.values())) as sent:
            taken = arena.Submit(_requests(text, series.name, archives, sent)).series
    if watch:
        typer.echo(line_of(taken), err=True)
        follow(arena, taken.id, as_json)
    else:
        typer.echo(json.dumps(series_json(taken), indent=2) if as_json else taken.id)


def _packed(folders: dict[str, Path], scratch: Path) -> dict[str, Path]:
    """The archives of bots, by the paths that the series has of them."""
    from arena.kit.pack import pack

    archives = {}
    for number, (path, folder) in enumerate(folders.items()):
        packed = pack(folder, scratch / f"{number}.zip")
        archives[path] = packed.archive
        for warning in packed.warnings:
            typer.echo(f"Warning: {folder}: {warning}. Is it meant to be sent?", err=True)
    return archives


def _requests(
    text: str, name: str, archives: dict[str, Path], sent: Callable[[int], None]
) -> Iterator["SubmitRequest"]:
    """The stream: the series, then each archive in pieces. sent: told how many bytes have gone."""
    from arena.protocol.dialling import PIECE
    from arena.protocol.v1.arena_pb2 import BotArchive, SeriesFile, SubmitRequest

    yield SubmitRequest(series=SeriesFile(yaml=text, name=name))
    for path, archive in archives.items():
        with archive.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").digest()
            file.seek(0)
            yield SubmitRequest(archive=BotArchive(path=path, size=archive.stat().st_size, sha256=digest))
            while piece := file.read(PIECE):
                yield SubmitRequest(data=piece)
                sent(len(piece))


@contextmanager
def _progress(size: int) -> Iterator[Callable[[int], None]]:
    """A bar of what has gone, on a terminal."""
    if not (size and sys.stderr.isatty()):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    columns = (TextColumn("sending bots"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=size)
        yield lambda count: bar.advance(task, count)
