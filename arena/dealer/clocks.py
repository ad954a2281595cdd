"""The time that a seat has in a game: for a decision, from the bank, and by the average a hand."""

from arena.dealer.values import RoomRules


class SeatClock:
    """Of one seat in one game: one to play by, and another to advise by.

    used: seconds in the whole game. overtime: those that were drawn from the bank.
    spent: seconds on the turn that is asked, in attempts that failed. Set it to 0 for a new turn.
    """

    __slots__ = ("overtime", "spent", "used")

    def __init__(self) -> None:
        self.used = 0.0
        self.overtime = 0.0
        self.spent = 0.0

    def spend(self, seconds: float, free: float) -> None:
        """Count time on the turn that is asked; what it takes beyond `free` seconds is drawn from the bank."""
        over = self.spent + seconds - free
        if over > 0.0:
            self.overtime += min(over, seconds)
        self.spent += seconds
        self.used += seconds

    def left(self, rules: RoomRules, hand: int) -> tuple[float, float]:
        """Seconds that the turn may still take: of its time for a decision, and of the bank beyond that.

        hand: number of the hand. Where there is an average a hand, all that was used so far counts against that of the
        hands so far, this one included, and may leave less.
        """
        free = max(rules.decision - self.spent, 0.0)
        beyond = max(rules.bank - self.overtime, 0.0)
        if rules.hand is not None:
            whole = max(rules.hand * hand - self.used, 0.0)
            free = min(free, whole)
            beyond = min(beyond, whole - free)
        return free, beyond
