"""The errors the arena raises itself.

    ArenaError                 something the arena cannot go on with
    +-- InputError             the user's input is wrong; says what, where and what to do (exit 2)
    |   +-- CardError          text or a byte that is no card
    |   +-- RulesError         options that are no rules; lists every problem
    |   +-- RunError           a run folder that cannot be used as asked
    +-- BadDecision            an answer that cannot be played: expected X, got Y
    |   +-- MalformedDecision  a message that is no action
    |   +-- IllegalAction      an action the rules forbid at this point of a hand
    +-- RecordError            a stored record that cannot be read or replayed
    +-- HostError              this machine cannot do what is needed (exit 3)

What a *bot* does wrong becomes a value, `arena.players.faults.Fault`; `BadDecision` goes no further than its table.
"""

MOST_TOLD = 60
"""Mistakes that are told at once; of more only how many."""


def short(text: str) -> str:
    """A stranger's text for a message: at most 60 characters of it."""
    return text if len(text) <= 60 else text[:57] + "..."


def printable(text: str) -> str:
    """A text in one line that moves no cursor: what cannot be printed is written as Python writes it."""
    return text if text.isprintable() else "".join([c if c.isprintable() else repr(c)[1:-1] for c in text])


class ArenaError(Exception):
    """The root: every error the arena raises on purpose is one of these."""


class InputError(ArenaError):
    """What the user gave is wrong. The message is one line a person can act on (or several such lines)."""


class CardError(InputError):
    """Text or a byte that is no card, or a card given twice."""


class RulesError(InputError):
    """Options that do not make rules.

    `problems` holds `(option, message)` pairs, all that were found.
    """

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        self.problems = tuple(problems)
        told = [f"{printable(short(option))}: {message}" for option, message in problems[:MOST_TOLD]]
        more = [f"and {len(problems) - MOST_TOLD} more"] if len(problems) > MOST_TOLD else []
        super().__init__("; ".join(told + more))


class RunError(InputError):
    """A run folder that cannot be used as asked: in use, of another run, of a newer version, damaged."""


class BadDecision(ArenaError):
    """An answer that cannot be played. The message reads `expected X, got Y`."""

    def __init__(self, expected: str, got: str) -> None:
        self.expected = expected
        self.got = got
        super().__init__(f"expected {expected}, got {got}")


class MalformedDecision(BadDecision):
    """A decision that is no action: none given, no card where one is needed, a card twice, a number that is no card."""


class IllegalAction(BadDecision):
    """An action the rules forbid at this point."""


class RecordError(ArenaError):
    """A stored record that cannot be read or replayed."""


class HostError(ArenaError):
    """This machine cannot do what is needed: no space, no descriptors, no way to start a process."""
