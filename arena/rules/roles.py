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

    Three-hand (RULES 2.7): after a wall nobody moves; the box stays while it wins, and whoever it beats changes with
    the one who sits out; a captain who wins becomes the box, and the old box sits out. Two players: RULES A1.
    """
    nondealer, dealer, out = roles
    if out is not None:
        if winner is None:
            return roles
        if winner == Position.DEALER:
            return Roles(nondealer=out, dealer=dealer, out=nondealer)
        return Roles(nondealer=out, dealer=nondealer, out=dealer)
    if winner is None:
        changes = next_dealer == "alternate"
    elif next_dealer == "winner":
        changes = winner == Position.NONDEALER
    elif next_dealer == "loser":
        changes = winner == Position.DEALER
    else:
        changes = True
    return Roles(nondealer=dealer, dealer=nondealer) if changes else roles
