"""Who plays the shards of a run, as the runner sees it: processes of this machine, or a cluster of many."""

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Protocol

from arena.tournament.worker import Job, Shard, ShardResult


class WorkerDiedError(Exception):
    """A worker was lost in the middle of a shard, which has to be played again."""


class Workers(Protocol):
    """The workers of a run."""

    @property
    def shard_seconds(self) -> float:
        """How long a shard should take."""

    @property
    def number(self) -> int:
        """How many workers there are at this moment."""

    @property
    def wanted(self) -> int:
        """How many shards they should have: one each, and some in reserve."""

    def submit(self, shard: Shard) -> Future[ShardResult]:
        """Have a shard played. The future raises `WorkerDiedError` if it comes to nothing."""

    def stop(self) -> None:
        """Tell all workers, and those that are yet to come, to bring what they have. Does not wait."""

    def kill(self) -> None:
        """Give up what has not been brought. Does not wait."""

    def shutdown(self) -> None:
        """Wait until all shards that were begun are brought, and let the workers go."""


Muster = Callable[[Job], AbstractContextManager[Workers]]
"""Gets the workers for a run together."""
