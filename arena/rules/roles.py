"""Who plays a hand in which part, and who plays the next."""

from typing import NamedTuple

from arena.rules.result import Position


class Roles(NamedTuple):
    """The seats of one hand, by position. In three-hand: the captain, the box, and who sits out."""

    nondealer: int
    dealer: int
    out: int | None = None

    def seat(self, position: int) -> int:
        """The seat that plays in a position (0 the non-dealer, 1 the dealer)."""
        return self.dealer if position == Position.DEALER else self.nondealer

    def seen_from(self, seat: int) -> tuple[int, ...]:
        """A seat first, then the others in order of play: the non-dealer, the dealer, who sits out.

        So a player of three-hand finds its opponent second, and one who sits out finds the captain there.
        """
        return (seat, *[other for other in self if other is not None and other != seat])


def next_roles(roles: Roles, winner: int | None, next_dealer: str) -> Roles:
    """The roles of the hand after one that was won from position `winner`, `None` for a wall or a tie.

    Three-hand (RULES 2.7): after a wall nobody moves; else the winner is the box, the loser sits out, and who sat out
    is the captain. Two players: RULES A1.
    """
    out = roles.out
    if out is not None:
        if winner is None:
            return roles
        return Roles(nondealer=out, dealer=roles.seat(winner), out=roles.seat(1 - winner))
    if winner is None:
        changes = next_dealer == "alternate"
    elif next_dealer == "winner":
        changes = winner == Position.NONDEALER
    elif next_dealer == "loser":
        changes = winner == Position.DEALER
    else:
        changes = True
    return Roles(nondealer=roles.dealer, dealer=roles.nondealer) if changes else roles
