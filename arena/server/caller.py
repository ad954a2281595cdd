"""Who calls: what the arena's answers depend on."""

from dataclasses import dataclass, field
from enum import StrEnum


class Role(StrEnum):
    """What a caller may do."""

    ORGANISER = "organiser"
    ENTRANT = "entrant"
    SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls.

    bots: the names of an entrant's bots; of others there are none. label: what the organiser calls the token, for logs.
    """

    role: Role
    bots: frozenset[str] = field(default_factory=frozenset)
    label: str = ""

    def owns(self, bot: str) -> bool:
        """Whether what concerns this bot alone may be told: its faults' details, and what it printed."""
        return self.role is Role.ORGANISER or bot in self.bots


ORGANISER = Caller(Role.ORGANISER)
"""Everyone, where no token was made."""
