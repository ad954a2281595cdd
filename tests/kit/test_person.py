"""What a person types, as actions; and what it is asked, as screens."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from arena.cards import CARD_TEXT, cards_of, mask_of, parse_card, parse_cards
from arena.dealer.table import Table, TableRules
from arena.dealer.values import GameSpec
from arena.dealing import master_seed
from arena.errors import InputError
from arena.kit.check.scenes import (
    ADVISING,
    BIG_GIN,
    CAPTAIN,
    DEFENCE,
    DISCARD,
    DRAW,
    EVERY_KIND,
    GIN_DEFENCE,
    KNOCK,
    LAST_DISCARD,
    UPCARD,
    Scene,
    Setting,
    play_on,
)
from arena.kit.play.person import help_lines, question, read_action
from arena.kit.play.screen import ME, Screen
from arena.kit.play.story import Story
from arena.rules.actions import PASS, PILE, STOCK, TAKE, Action, ActionKind, big_gin, defend, discard, knock
from arena.rules.game import Game, GameFormat, Play
from arena.rules.hand import Hand
from arena.rules.options import Rules
from arena.rules.roles import Roles
from arena.rules.view import GameKind, HandView, TurnKind
from arena.rules.words import Words, plain, styled

GOLDEN = Path(__file__).parent / "person_screens.txt"
NAMES = ("you", "simple", "greedy")
THREE_HAND = Setting(GameKind.THREE_HAND)


def at_a_discard(scene: Scene) -> Scene:
    """The scene where it is about a discard."""

    def here(table: Table) -> bool:
        return scene.here(table) and table.asked is not None and table.asked.view.kind is TurnKind.DISCARD

    return replace(scene, here=here)


SCENES = [
    *[(scene.name, Setting(GameKind.GIN), scene) for scene in EVERY_KIND],
    ("oklahoma", Setting(GameKind.OKLAHOMA), DISCARD),
    ("captain", THREE_HAND, at_a_discard(CAPTAIN)),
    ("adviser", THREE_HAND, at_a_discard(ADVISING)),
    (
        "adviser without the captain's cards",
        Setting(GameKind.THREE_HAND, adviser_view="public"),
        at_a_discard(ADVISING),
    ),
]


def table_at(setting: Setting, scene: Scene) -> Table:
    """The first table at which the person, in seat 0, is asked this."""
    shared = TableRules(GameFormat(setting.game, False, Play.GAMES, setting.rules), master_seed("screens"))
    for group in range(5000):
        spec = GameSpec(group, group, 0, NAMES[: shared.format.seats])
        # The person advises, or is advised.
        advisers = (scene.name == ADVISING.name, *[scene.name == CAPTAIN.name] * (len(spec.seats) - 1))
        table = Table(spec, shared, advisers)
        while table.asked is not None:
            if table.seat == ME and scene.here(table):
                return table
            play_on(table, scene.knocking)
    raise AssertionError(f"no {scene.name}")


def lines_of(table: Table, hand: Hand, view: HandView) -> Iterator[Words]:
    """All that the person has been shown in a hand when it is asked, and with `?`."""
    assert table.asked is not None
    turn = table.asked._replace(view=view)
    screen = Screen(table._shared.format, table.spec.seats)
    captain = table.spec.seats[table.roles.nondealer] if turn.advising else ""
    yield from screen.deal(turn.frame.hand_number, table.roles, hand)
    yield from Story(screen, hand, table.roles).go_on(to_the_end=True)
    yield from screen.state(turn, table.roles, {})
    if turn.advice is not None:
        yield screen.advice(1, turn.advice.action, turn.advice.text)
    yield question(view, captain)
    yield from ([("", f"  {line}")] for line in help_lines(view, turn.advising))
    yield screen.pile(turn)


def text_of(lines: Iterator[Words]) -> str:
    return "".join(f"{styled(words, plain).rstrip()}\n" for words in lines)


def test_a_screen_for_each_kind_of_question() -> None:
    """After a change that is wanted: UPDATE=1 pytest -n0 tests/kit/test_person.py."""
    made = ""
    for name, setting, scene in SCENES:
        table = table_at(setting, scene)
        assert table.asked is not None
        made += f"--- {name}\n{text_of(lines_of(table, table.hand, table.asked.view))}\n"
    if "UPDATE" in os.environ:
        GOLDEN.write_text(made)
    assert made == GOLDEN.read_text()


def test_names_of_wide_letters_push_nothing_aside() -> None:
    format_ = GameFormat(GameKind.GIN, False, Play.GAMES, Rules())
    game = Game(format_, Roles(0, 1))
    narrow, wide = (text_of(Screen(format_, ("you", name)).board(game)) for name in ("anna-marie", "牌手-marie"))
    assert wide == narrow.replace("anna-marie", "牌手-marie")


@pytest.mark.parametrize(("name", "setting", "scene"), SCENES, ids=[name for name, _, _ in SCENES])
def test_cards_that_are_hidden_change_nothing_on_the_screen(name: str, setting: Setting, scene: Scene) -> None:
    table = table_at(setting, scene)
    turn, hand = table.asked, table.hand
    assert turn is not None
    public = not turn.view.hand
    held = [cards_of(hand.deal.masks[position] & ~mask_of(hand.deal.known[position])) for position in (0, 1)]
    hidden = set(hand.deal._deck[hand.deal._front : hand.deal._back])
    if scene not in (DEFENCE, GIN_DEFENCE):
        hidden |= set(held[1 - turn.view.position])
    if public:
        hidden |= set(held[turn.view.position])
    assert len(hidden) > 2
    dice = Random(1)
    for _ in range(5):
        deck = permuted(table._deck, hidden, dice)
        other = played_again(hand, deck)
        assert other.deal._deck != hand.deal._deck
        view = other.view(turn.view.position, hints=not public)
        view = view.public() if public else view
        assert text_of(lines_of(table, other, view)) == text_of(lines_of(table, hand, turn.view))


def permuted(deck: bytes, hidden: set[int], dice: Random) -> bytes:
    """The deck with the hidden cards in other places among themselves."""
    others = sorted(hidden)
    dice.shuffle(others)
    left = iter(others)
    return bytes([next(left) if card in hidden else card for card in deck])


def played_again(hand: Hand, deck: bytes) -> Hand:
    """The same moves with another deck."""
    again = Hand(hand.rules, deck)
    moves = hand.deal.moves
    for at in range(0, len(moves), 2):
        if len(again.deal.moves) == at:  # else it is the forced draw, which the hand has made itself
            kind, card = ActionKind(moves[at] & 15), moves[at + 1]
            again.apply(Action(kind, card if kind in (ActionKind.DISCARD, ActionKind.KNOCK) else None))
    assert again.deal.history == hand.deal.history
    return again


def cards(text: str) -> int:
    return mask_of(parse_cards(text))


SEVEN = parse_card("7H")
ANSWERS = [
    (UPCARD, "take", TAKE),
    (UPCARD, " T ", TAKE),
    (UPCARD, "pass", PASS),
    (UPCARD, "p", PASS),
    (DRAW, "Stock", STOCK),
    (DRAW, "s", STOCK),
    (DRAW, "pile", PILE),
    (DRAW, "p", PILE),
    (DRAW, "take", PILE),
    (LAST_DISCARD, "take", PILE),
    (LAST_DISCARD, "pass", PASS),
    (DISCARD, "7h", discard(SEVEN)),
    (DISCARD, "discard 7H", discard(SEVEN)),
    (DISCARD, "d 7♥", discard(SEVEN)),
    (DISCARD, "10h", discard(parse_card("TH"))),
    (DISCARD, "th", discard(parse_card("TH"))),
    (KNOCK, "knock 7h", knock(SEVEN)),
    (KNOCK, "K  7H", knock(SEVEN)),
    (KNOCK, "knock 7h 4s5s6s / qc,qd,qh", knock(SEVEN, (cards("4S 5S 6S"), cards("QC QD QH")))),
    (KNOCK, "k 7h (4s 5s 6s) (qc qd qh)", knock(SEVEN, (cards("4S 5S 6S"), cards("QC QD QH")))),
    (KNOCK, "knock 7h none", knock(SEVEN, ())),
    (KNOCK, "gin 7h", knock(SEVEN)),  # not held: the table refuses it
    (BIG_GIN, "big gin", big_gin()),
    (DEFENCE, "", defend()),
    (DEFENCE, "best", defend()),
    (DEFENCE, "none", defend(())),
    (DEFENCE, "4s 5s 6s", defend((cards("4S 5S 6S"),))),
    (DEFENCE, "4s 5s 6s / 9c 9d 9h lay off 10d jd", defend((cards("4S 5S 6S"), cards("9C 9D 9H")), cards("TD JD"))),
    (DEFENCE, "lay off 3s", defend(None, cards("3S"))),
    (DEFENCE, "none lay off none", defend((), 0)),
    (DEFENCE, "4s 5s 6s + 7d", defend((cards("4S 5S 6S"),), cards("7D"))),
    (GIN_DEFENCE, "", defend()),
]


@pytest.fixture(scope="module")
def views() -> dict[str, HandView]:
    """A view for each kind of question of gin."""
    tables = {scene.name: table_at(Setting(GameKind.GIN), scene).asked for scene in EVERY_KIND}
    return {name: turn.view for name, turn in tables.items() if turn is not None}


@pytest.mark.parametrize(("scene", "line", "action"), ANSWERS, ids=[f"{a[0].name}: {a[1]}" for a in ANSWERS])
def test_an_answer_is_an_action(scene: Scene, line: str, action: Action, views: dict[str, HandView]) -> None:
    assert read_action(line, views[scene.name]) == action


WRONG = [
    (UPCARD, "", "expected pass or take, got nothing; ? helps"),
    (UPCARD, "stock", "expected pass or take, got stock; ? helps"),
    (DRAW, "7h", "expected stock or pile, got 7h; ? helps"),
    (LAST_DISCARD, "p", "expected pile or pass, got p; ? helps"),
    (DISCARD, "stock", "expected a card such as 7h, got stock; ? helps"),
    (DISCARD, "7h 8h", "expected a card such as 7h, got 7h 8h; ? helps"),
    (DISCARD, "discard", "expected one card such as 7h, got nothing; ? helps"),
    (DISCARD, "knock 1h", "expected a card such as 7h, 10h or th, got 1h; ? helps"),
    (KNOCK, "?!", "expected a card such as 7h or knock and a card, got ?!; ? helps"),
    (BIG_GIN, "bang", "expected a card such as 7h, knock and a card or big gin, got bang; ? helps"),
    (DEFENCE, "4s 4s 5s", "expected every card once, got 4s 4s 5s; ? helps"),
    (DEFENCE, "/", "expected melds such as 4s 5s 6s / 9c 9d 9h, got /; ? helps"),
    (
        DEFENCE,
        "4s lay off 5s lay off 6s",
        "expected melds, then lay off and cards, got 4s lay off 5s lay off 6s; ? helps",
    ),
    (DEFENCE, "knock", "expected a card such as 7h, 10h or th, got knock; ? helps"),
]


@pytest.mark.parametrize(("scene", "line", "told"), WRONG, ids=[f"{a[0].name}: {a[1]}" for a in WRONG])
def test_what_is_no_answer_is_told_with_what_was_expected(
    scene: Scene, line: str, told: str, views: dict[str, HandView]
) -> None:
    with pytest.raises(InputError) as error:
        read_action(line, views[scene.name])
    assert str(error.value) == told


def test_gin_finds_its_discard(views: dict[str, HandView]) -> None:
    view = views[BIG_GIN.name]
    assert read_action("gin", view).card in [
        card for card, left in zip(view.discards, view.deadwood, strict=True) if not left
    ]
    view = views[DISCARD.name]
    with pytest.raises(InputError, match=f"leaves nothing unmatched; the best leaves {min(view.deadwood)}, got gin"):
        read_action("gin", view)
    card, left = view.discards[0], view.deadwood[0]
    with pytest.raises(InputError, match=f"nothing unmatched, got {CARD_TEXT[card]}, which leaves {left}"):
        read_action(f"gin {CARD_TEXT[card]}", view)


def test_a_knock_without_a_card_finds_the_only_one(views: dict[str, HandView]) -> None:
    view = views[KNOCK.name]._replace(knocks=bytes([SEVEN]))
    assert read_action("knock", view) == knock(SEVEN)
    with pytest.raises(InputError, match="expected a card to knock with, one of 7H 8H, got none"):
        read_action("knock", view._replace(knocks=bytes([SEVEN, SEVEN + 1])))
    with pytest.raises(InputError, match="expected a card to knock with, got none"):
        read_action("knock", view._replace(knocks=b""))
