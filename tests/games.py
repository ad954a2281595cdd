"""Games for tests: formats in a word, and results of hands written as text."""

from arena.rules.game import Game, GameFormat, Play, Roles
from arena.rules.options import Rules, rules_from
from arena.rules.result import HandResult, ResultKind
from arena.rules.view import GameKind

WALL = HandResult(ResultKind.WALL)


def won(position: int, points: int, kind: ResultKind = ResultKind.KNOCK) -> HandResult:
    """A hand that `position` won by going down."""
    return HandResult(
        kind, winner=position, points=points, knocker=position, knocker_deadwood=0, defender_deadwood=points
    )


def gin(rules: Rules | None = None, *, hollywood: bool = False, play: Play = Play.GAMES) -> Game:
    """A game of two in which seat 1 deals first."""
    return Game(GameFormat(GameKind.GIN, hollywood, play, rules or Rules()), Roles(nondealer=0, dealer=1))


def three_hand(rules: Rules | None = None, *, hollywood: bool = False, play: Play = Play.GAMES) -> Game:
    """A game of three: seat 0 is the box, seat 1 the captain, seat 2 sits out."""
    format_ = GameFormat(GameKind.THREE_HAND, hollywood, play, rules or Rules())
    return Game(format_, Roles(nondealer=1, dealer=0, out=2))


def preset(name: str, **options: object) -> Rules:
    """A preset with options over it."""
    return rules_from({"preset": name, **options})


def record(game: Game, text: str) -> Game:
    """Record hands written as `A18 B12 -`: who wins (A is seat 0) and the points, `-` for a wall."""
    for word in text.split():
        assert game.roles is not None, f"over before {word}"
        if word == "-":
            game.record(WALL)
        else:
            position = game.roles.index("ABC".index(word[0]))
            assert position in (0, 1), f"{word}: that seat sits out of {game.roles}"
            game.record(won(position, int(word[1:])))
    return game
