"""Every option of the rules, the presets, and how options are read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules a series is played by."""

    next_dealer: str = "winner"
    gin_bonus: int = 25
    return_taken: str = "forbid"
    undercut_bonus: int = 10
    undercut_on_tie: bool = True
    defence: str = "free"
    wall_last_discard: str = "none"
    target: int = 100
    game_bonus: int = 0
    box_bonus: int = 0
    shutout: str = "none"
    big_gin: int | str = "none"
    knock_limit: int | str = 10
    ace: str = "gin_only"
    spade_doubles: bool = False
    max_discard_picks: int = 50
    max_hands: int = 200
    stock: str = "two_ended"
    adviser_view: str = "captain"
    captain_points: str = "captain"
    late_start: str = "shift"
