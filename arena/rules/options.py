"""Every option of the rules: what it means, what it may be, the presets, and how options are read.

`OPTIONS` says what each option is and `Rules` holds its value, whose default is that of the `house` preset.
A `Rules` is always sound: made in whatever way, it refuses a value that its option does not allow.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches

from arena.errors import RulesError, short

OptionValue = int | str | bool


def _shown(value: object) -> str:
    """A value for an error message, so that the text '25' is not taken for the number."""
    if value is None:
        return "nothing"
    return str(value).lower() if isinstance(value, bool) else short(repr(value))


def _either(choices: Iterable[str]) -> str:
    *most, last = choices
    return f"{', '.join(most)} or {last}" if most else last


def _did_you_mean(given: object, names: Iterable[str]) -> str:
    near = get_close_matches(str(given), list(names), n=1)
    return f"; did you mean {near[0]}?" if near else ""


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its meaning in a line, and the values it allows.

    words: the words allowed.
    minimum, maximum: the integers allowed, both included; none where `minimum` is `None`. The maxima keep the
        totals of any game within the protocol's 32 bits.
    flag: true or false is allowed, and nothing else.
    """

    meaning: str
    words: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int = 10_000
    flag: bool = False

    @property
    def allowed(self) -> str:
        """What may be given, for a person: `none or an integer from 1 to 10000`."""
        choices = ("true", "false") if self.flag else self.words
        if self.minimum is not None:
            choices = (*choices, f"an integer from {self.minimum} to {self.maximum}")
        return _either(choices)

    def problem(self, value: object) -> str | None:
        """Why `value` cannot be this option's, or `None` if it can. True is not 1 here."""
        if type(value) is bool:
            fine = self.flag
        elif type(value) is int:
            fine = self.minimum is not None and self.minimum <= value <= self.maximum
        else:
            fine = value in self.words
        if fine:
            return None
        return f"expected {self.allowed}, got {_shown(value)}{_did_you_mean(value, self.words)}"


OPTIONS: dict[str, Option] = {
    "next_dealer": Option(
        "who deals the next hand; a wall keeps the dealer, except with alternate; in three-hand the box deals",
        words=("winner", "loser", "alternate", "alternate_after_scored"),
    ),
    "gin_bonus": Option("points for gin, on top of the opponent's deadwood", minimum=1),
    "return_taken": Option("discarding the card just taken from the discard pile", words=("forbid", "allow")),
    "undercut_bonus": Option("points for an undercut, on top of the difference", minimum=1),
    "undercut_on_tie": Option("whether equal counts are an undercut; if not they score nothing, as a wall", flag=True),
    "defence": Option(
        "the defender's melds: free together with the lay-offs, or only those of least deadwood before laying off",
        words=("free", "min_first"),
    ),
    "wall_last_discard": Option(
        "the discard that leaves two stock cards: nobody may take it, or the opponent may to knock with it at once",
        words=("none", "knock_only"),
    ),
    "target": Option("the total that wins the game, or a Hollywood column", minimum=1, maximum=1_000_000),
    "game_bonus": Option("points at the end for the winner of the game, not counted toward the target", minimum=0),
    "box_bonus": Option("points at the end for every hand won, not counted toward the target", minimum=0),
    "shutout": Option(
        "against a loser who won no hand the winner's game bonus or points count twice",
        words=("none", "game_x2", "points_x2"),
    ),
    "big_gin": Option(
        "points for eleven melded cards declared instead of a discard, on top of the opponent's deadwood",
        words=("none",),
        minimum=1,
    ),
    "knock_limit": Option(
        "the most deadwood a knock may leave; 0 is straight gin, upcard takes it from the upcard (Oklahoma)",
        words=("upcard",),
        minimum=0,
    ),
    "ace": Option("the limit that an ace as upcard sets: gin only, or one", words=("gin_only", "one")),
    "spade_doubles": Option("whether a spade as upcard doubles all that is earned in the hand", flag=True),
    "max_discard_picks": Option(
        "cards taken from the discard pile in a hand, by both players, after which a discard ends it as a wall",
        minimum=1,
    ),
    "max_hands": Option("hands in a game, walls included, after which the higher total wins", minimum=1),
    "stock": Option(
        "seat 0 draws from the front of the stock and seat 1 from the back, or both from the top",
        words=("two_ended", "top"),
    ),
    "adviser_view": Option(
        "three-hand: the player who sits out sees what the captain sees, what is public, or nothing",
        words=("captain", "public", "none"),
    ),
    "captain_points": Option(
        "three-hand: who scores when the captain wins, the captain alone or also the player who sits out",
        words=("captain", "team"),
    ),
    "late_start": Option(
        "Hollywood: a player's next win opens the lowest column still open, or the k-th opens column k even if closed",
        words=("shift", "strict"),
    ),
}
"""Every option by name, in the order in which they are listed everywhere."""


def _problems(options: Mapping[object, object] | Mapping[str, object]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in options.items():
        option = OPTIONS.get(name) if isinstance(name, str) else None
        if option is None:
            hint = _did_you_mean(name, OPTIONS) or f"; the options are {', '.join(OPTIONS)}"
            found.append((str(name), f"no such option{hint}"))
        elif message := option.problem(value):
            found.append((str(name), message))
    return found


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules a series is played by; each field is the option of that name. Raises `RulesError`."""

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

    def __post_init__(self) -> None:
        problems = _problems({name: getattr(self, name) for name in OPTIONS})
        if problems:
            raise RulesError(problems)

    def as_dict(self) -> dict[str, OptionValue]:
        """Every option and its value, as `rules_from` reads them."""
        return asdict(self)

    def as_text(self) -> dict[str, str]:
        """Every option and its value as text, as `rules_from_text` reads them: `25`, `true`, `upcard`."""
        return {name: _text(value) for name, value in self.as_dict().items()}


PRESETS: dict[str, Rules] = {
    "house": Rules(),
    "pagat": Rules(next_dealer="loser", gin_bonus=20, game_bonus=100, box_bonus=20, shutout="game_x2"),
    "modern": Rules(undercut_bonus=25, big_gin=31, game_bonus=100, box_bonus=25, shutout="points_x2"),
    "gra": Rules(undercut_bonus=25, wall_last_discard="knock_only", return_taken="allow"),
    "eaai": Rules(undercut_bonus=25, next_dealer="alternate_after_scored"),
}
"""The named sets of options."""


def rules_from(given: object, oklahoma: bool = False) -> Rules:
    """The rules that a mapping of options makes, as YAML or JSON gives it.

    The key `preset` names what the other options change; without it that is `house`. With `oklahoma` the upcard
    sets the limit without being asked to, and any other limit is a problem. Raises `RulesError` with all problems.
    """
    if not isinstance(given, Mapping):
        raise RulesError([("rules", f"expected options and their values, got {_shown(given)}")])
    options = dict(given)
    preset = options.pop("preset", "house")
    problems = _problems(options)
    if preset not in list(PRESETS):
        hint = _did_you_mean(preset, PRESETS)
        problems.insert(0, ("preset", f"expected {_either(PRESETS)}, got {_shown(preset)}{hint}"))
    if oklahoma and options.setdefault("knock_limit", "upcard") != "upcard":
        problems.append(("knock_limit", "expected upcard, which is what makes Oklahoma; play gin for another limit"))
    if problems:
        raise RulesError(problems)
    return replace(PRESETS[preset], **options)


def rules_from_text(texts: Mapping[str, str], oklahoma: bool = False) -> Rules:
    """The rules of which `texts` is the `Rules.as_text`; what is left out is as in `house`. Raises as `rules_from`."""
    return rules_from({name: _value_of(text) for name, text in texts.items()}, oklahoma)


def _text(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _value_of(text: str) -> OptionValue:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdigit() else text
