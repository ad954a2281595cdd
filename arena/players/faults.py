"""What can go wrong with a bot, as values."""

from dataclasses import dataclass, replace
from enum import StrEnum

from arena.errors import BadDecision, HostError, MalformedDecision


class Culprit(StrEnum):
    """Who pays. A bot's fault costs the bot; any other makes the game void, and it is played again."""

    BOT = "bot"
    HOST = "host"
    OPERATOR = "operator"


class Fault(StrEnum):
    """Every way a hand or a game can end abnormally."""

    NEVER_READY = "never_ready"
    """Did not listen, or did not answer Hello, within the ready limit; or exited before."""
    CRASH = "crash"
    """The process ended, or closed its stream, with turns unanswered."""
    TIMEOUT = "timeout"
    """No decision within the limit."""
    ILLEGAL = "illegal"
    """An action that the rules forbid."""
    MALFORMED = "malformed"
    """A decision that is none: no action, no card where one is needed, a card twice, a number that is no card."""
    PROTOCOL = "protocol"
    """A breach of the conversation: an unknown or repeated turn id, an oversized message, another version."""
    OUT_OF_MEMORY = "out_of_memory"
    """Ended, or failed, because it wanted more memory than the limit leaves it."""
    TOO_MUCH_OUTPUT = "too_much_output"
    """Was ended because it printed more than a process may."""
    QUARANTINED = "quarantined"
    """Not played: the bot had used up its faults earlier in the schedule. Does not count as a further fault."""
    SPAWN = "spawn"
    """The host could not start the process."""
    STARVED = "starved"
    """No decision within the limit, but the host was so busy that the bot may not have had the time."""
    KILLED = "killed"
    """The process was ended by a SIGKILL that neither the arena nor a limit explains."""
    INTERRUPTED = "interrupted"
    """The operator stopped the run in the middle of the game."""

    @property
    def culprit(self) -> Culprit:
        """Who pays for it."""
        return _CULPRITS.get(self, Culprit.BOT)


_CULPRITS = {
    Fault.SPAWN: Culprit.HOST,
    Fault.STARVED: Culprit.HOST,
    Fault.KILLED: Culprit.HOST,
    Fault.INTERRUPTED: Culprit.OPERATOR,
}


@dataclass(frozen=True, slots=True)
class Failure:
    """One fault of one bot.

    fault: what it was.
    detail: a sentence for its author: what was asked, what came, how the process ended. It goes into the record, which
        everybody may read, so it tells nothing that would differ in another run of the same games.
    output: the end of what the process had printed, for its author alone.
    """

    fault: Fault
    detail: str
    output: str = ""


def blamed(failure: Failure, fault: Fault = Fault.CRASH) -> Failure:
    """The failure as the bot's own: one that is killed again in the same game has most likely done it itself.

    fault: what that is to be.
    """
    return replace(failure, fault=fault) if failure.fault is Fault.KILLED else failure


def not_the_hosts(failure: Failure | None, fault: Fault = Fault.NEVER_READY) -> Failure | None:
    """What went wrong, at the start of a bot or elsewhere, if it is the bot's doing.

    fault: what it is to be killed. Raises `HostError` if it is the machine's doing.
    """
    if failure is None:
        return None
    failure = blamed(failure, fault)
    if failure.fault.culprit is not Culprit.BOT:
        raise HostError(failure.detail)
    return failure


def fault_of(error: BadDecision) -> Fault:
    """The fault of a decision that cannot be played."""
    return Fault.MALFORMED if isinstance(error, MalformedDecision) else Fault.ILLEGAL
