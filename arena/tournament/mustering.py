"""A cluster in place of this machine: whether it can be had, and who plays there. Dask, which it needs, is an extra."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from arena.errors import InputError
from arena.extras import needing
from arena.tournament.config import cluster_address
from arena.tournament.series import Series
from arena.tournament.shipping import check_shippable
from arena.tournament.worker import Job
from arena.tournament.workers import Muster, Workers

NONE = "none"
"""In place of an address: this machine, whatever the series says."""


def cluster_of(series: Series, given: str | None = None) -> str | None:
    """The address of the cluster that is to play a series, `None` for this machine.

    given: instead of what the series says. Raises `InputError` for what is no address and for bots that cannot play
    there, `HostError` for a cluster that cannot be reached or is of another version, and where Dask is missing.
    """
    address = given or series.config.cluster
    if address in (None, NONE):
        return None
    try:
        cluster_address(address)
    except ValueError as error:
        raise InputError(f"--cluster: expected {error}, or {NONE}, got {address!r}") from None
    check_shippable(series)
    with needing("cluster", "a cluster"):
        from arena.tournament.cluster import check_cluster  # noqa: PLC0415 - an extra
    check_cluster(address)
    return address


def cluster_muster(address: str, name: str, tell: Callable[[str], None]) -> Muster:
    """The workers of a cluster for a run. name: of the run. tell: given a line about a machine."""
    return partial(_muster, address, name, tell)


@contextmanager
def _muster(address: str, name: str, tell: Callable[[str], None], job: Job) -> Iterator[Workers]:
    with needing("cluster", "a cluster"):
        from arena.tournament.cluster import cluster_workers  # noqa: PLC0415 - an extra
    with cluster_workers(address, name, tell, job) as workers:
        yield workers
