"""What cannot be played on a cluster is refused by one line, before there is a run."""

import socket
import sys
from pathlib import Path

import pytest
from series_bench import SAMPLES, write_series

from arena.errors import HostError, InputError
from arena.tournament.mustering import cluster_of
from arena.tournament.series import Series, load_series


def series_with(folder: Path, *bots: object, **keys: object) -> Series:
    return load_series(write_series(folder, [SAMPLES / "simple", *bots], **keys))


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        ({"name": "x", "run": ["./bot"]}, "x is a command, which runs here"),
        ({"name": "x", "address": "unix:/tmp/bot"}, "x is at unix:/tmp/bot, which is on this machine"),
        ({"name": "x", "join": True}, "x dials in to one machine"),
    ],
)
def test_bots_of_this_machine_alone(bot: dict[str, object], told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"^a cluster cannot play with this bot: {told}, expected [^\n]*$"):
        cluster_of(series_with(tmp_path, bot), "tcp://127.0.0.1:8786")


@pytest.mark.parametrize("given", ["node1", "node1:8786", "tcp://", "tcp://node1:8786/x"])
def test_what_is_no_address(given: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^--cluster: expected the address of a scheduler, such as tcp://HOST:8786"):
        cluster_of(series_with(tmp_path, SAMPLES / "random"), given)


def test_an_address_without_a_port(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match=r"^cluster: expected an address with a port, such as tcp://HOST:8786"):
        cluster_of(series_with(tmp_path, SAMPLES / "random"), "tcp://node1")


def test_a_cluster_that_is_not_there(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]  # nobody else's, and nobody listens once it is closed
    address = f"tcp://127.0.0.1:{port}"
    with pytest.raises(HostError, match=f"^the cluster {address} cannot be reached .*: is its scheduler[^\n]*$"):
        cluster_of(series_with(tmp_path, SAMPLES / "random"), address)


def test_an_arena_without_dask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "arena.tournament.cluster", raising=False)
    with pytest.raises(HostError, match=r"^a cluster needs .* distributed, .* pip install 'gin-arena\[cluster\]'"):
        cluster_of(series_with(tmp_path, SAMPLES / "random"), "tcp://127.0.0.1:8786")


def test_none_is_this_machine_whatever_the_series_says(tmp_path: Path) -> None:
    series = series_with(tmp_path, SAMPLES / "random", cluster="tcp://127.0.0.1:8786")
    assert cluster_of(series, "none") is None
    assert series.config.cluster == "tcp://127.0.0.1:8786"
    assert "8786" not in series.public_json()
