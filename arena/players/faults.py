"""What can go wrong with a bot, as values."""

from dataclasses import dataclass
from enum import StrEnum

from arena.errors import BadDecision, MalformedDecision


class Culprit(StrEnum):
    """Who pays. Only a bot's fault costs the bot; the host's ends the run, and the game is played when it goes on."""

    BOT = "bot"
    HOST = "host"


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
    QUARANTINED = "quarantined"
    """Not played: the bot had used up its faults earlier in the schedule. Does not count as a further fault."""
    SPAWN = "spawn"
    """The host could not start the process."""

    @property
    def culprit(self) -> Culprit:
        """Who pays for it."""
        return Culprit.HOST if self is Fault.SPAWN else Culprit.BOT


@dataclass(frozen=True, slots=True)
class Failure:
    """One fault of one bot.

    fault: what it was.
    detail: a sentence for its author: what was asked, what came, how the process ended, its last words. It goes into
        the record, so it tells nothing that would differ in another run of the same games.
    """

    fault: Fault
    detail: str


LAST_WORDS = "; its last words: "
"""In a detail, what parts the sentence from what the bot itself has printed."""


def without_last_words(detail: str) -> str:
    """The detail of a failure without what the bot itself has printed."""
    return detail.partition(LAST_WORDS)[0]


def fault_of(error: BadDecision) -> Fault:
    """The fault of a decision that cannot be played."""
    return Fault.MALFORMED if isinstance(error, MalformedDecision) else Fault.ILLEGAL
