"""A hand as text: who held what, what was done, what was laid down and what it came to."""

from dataclasses import replace
from textwrap import dedent

import pytest
from hands import action, deck
from playing import FORMATS, GIN, Players

from arena.dealer.table import first_roles
from arena.dealer.values import AdviceRecord, FaultRecord, GameRecord, GameSpec, HandRecord
from arena.errors import InputError, RecordError
from arena.players.faults import Fault
from arena.records.info import RunInfo
from arena.records.outline import game_text
from arena.records.replay import hand_text
from arena.rules.game import Game, GameFormat, Play
from arena.rules.hand import Hand
from arena.rules.options import Rules
from arena.rules.roles import Roles
from arena.rules.view import GameKind
from arena.rules.words import KINDS

DEAL = replace(GIN, play=Play.DEALS)


def recorded(
    format_: GameFormat, cards: bytes, play: str, *, forfeit: int | None = None, advice: tuple[AdviceRecord, ...] = ()
) -> tuple[RunInfo, GameSpec, GameRecord]:
    """A game of one hand, played as the text says; `forfeit` is the position that then fails."""
    hand = Hand(format_.rules, cards)
    for part in play.split(";"):
        hand.apply(action(part))
    faults: tuple[FaultRecord, ...] = ()
    if forfeit is not None:
        hand.forfeit(forfeit)
        faults = (FaultRecord(forfeit, 1, 4, Fault.CRASH, "exit code 1\n\x1b[31mTraceback"),)
    assert hand.result is not None
    names = ("ann", "bob", "cid")[: format_.seats]
    roles = Roles(0, 1, 2 if format_.seats == 3 else None)
    game = Game(format_, roles)
    game.record(hand.result)
    record = HandRecord(1, roles, cards, bytes(hand.moves), advice, hand.result)
    info = Players(format_).info(format_.seats, 1)
    return info, GameSpec(7, 3, 0, names), GameRecord(7, (record,), game.outcome(), faults, ())


def text(format_: GameFormat, cards: bytes, play: str, **more: object) -> str:
    return hand_text(*recorded(format_, cards, play, **more), 1)  # type: ignore[arg-type]


def by(rules: Rules) -> GameFormat:
    return replace(DEAL, rules=rules)


def ending(format_: GameFormat, cards: bytes, play: str, **more: object) -> list[str]:
    """The lines from the showdown to the arithmetic."""
    lines = text(format_, cards, play, **more).split("\n\n")[-2]
    return [line.strip() for line in lines.splitlines()]


KNOCKER = "4S 5S 6S QH QD QC 2D 3C 4H 9D"
GIN_HAND = "4S 5S 6S 7S QH QD QC 2H 2D 9D"
LAYS_OFF = "KS KD KH 7S 8S QS 2H 3H 9H 9C"
UNDERCUTS = "KS KD KH 8D 8C 8H 7S QS 2H AH"
KNOCKED = "pass; pass; knock 9D; defend"


def against(defender: str, knocker: str = KNOCKER, upcard: str = "JC", draws: str = "AC") -> bytes:
    return deck(nondealer=knocker, dealer=defender, upcard=upcard, draws=draws)


def test_a_hand_is_told_from_the_deal_to_the_score() -> None:
    played = "pass; take; discard 9H; stock; knock 9D; defend"
    assert text(DEAL, against(LAYS_OFF), played) == dedent("""\
        Game 7, hand 1 of 1: gin, deal group 3
        ann non-dealer, bob dealer; a knock may leave 10
        Before: ann 0, bob 0

              ann     is dealt                    (4S 5S 6S) (QC QD QH) 2D 3C 4H 9D    18
              bob     is dealt                    (KD KH KS) 2H 3H 7S 8S 9C 9H QS      48
              upcard  JC

           1  ann     passes
           2  bob     takes JC, discards 9H       (KD KH KS) 2H 3H 7S 8S 9C JC QS      49
           4  ann     draws AC, knocks with 9D    (4S 5S 6S) (QC QD QH) AC 2D 3C 4H    10

              ann     goes down                   (4S 5S 6S) (QC QD QH) AC 2D 3C 4H  1+2+3+4 = 10
              bob     lays off 7S 8S QS           (KD KH KS) 2H 3H 9C JC  2+3+9+10 = 24
              ann scores 24 - 10 = 14

        After: ann 14, bob 0
        The game is over (deals): ann 14, bob 0""")


def test_three_hand_tells_the_parts_and_the_advice() -> None:
    advice = (
        AdviceRecord(0, action("pass"), ""),
        AdviceRecord(3, action("knock 9D"), 'now | or "never"\n\x1b[2J'),
    )
    format_ = replace(DEAL, game=GameKind.THREE_HAND)
    assert text(format_, against(UNDERCUTS), KNOCKED, advice=advice) == dedent("""\
        Game 7, hand 1 of 1: three-hand, deal group 3
        ann captain, bob box, cid out; a knock may leave 10
        Before: ann 0, bob 0, cid 0

              ann     is dealt                    (4S 5S 6S) (QC QD QH) 2D 3C 4H 9D    18
              bob     is dealt                    (8C 8D 8H) (KD KH KS) AH 2H 7S QS    20
              upcard  JC

              cid     advises pass
           1  ann     passes
           2  bob     passes
              cid     advises knock 9D, saying "now | or "never"\\n\\x1b[2J"
           3  ann     draws AC, knocks with 9D    (4S 5S 6S) (QC QD QH) AC 2D 3C 4H    10

              ann     goes down                   (4S 5S 6S) (QC QD QH) AC 2D 3C 4H  1+2+3+4 = 10
              bob     lays off 7S QS              (8C 8D 8H) (KD KH KS) AH 2H  1+2 = 3
              bob undercuts and scores 10 + 10 - 3 = 17

        After: ann 0, bob 17, cid 0
        The game is over (deals): ann 0, bob 17, cid 0""")


def test_gin_is_told() -> None:
    told = ending(DEAL, against("KS KD KH 8S 9S QS 2S 3H 3D JC", GIN_HAND, "TC", "2C"), KNOCKED)
    assert told == [
        "ann     goes down                   (2C 2D 2H) (4S 5S 6S 7S) (QC QD QH)  0",
        "bob     lays down                   (KD KH KS) 2S 3D 3H 8S 9S JC QS  2+3+3+8+9+10+10 = 45",
        "ann has gin and scores 25 + 45 = 70",
    ]


def test_big_gin_is_told() -> None:
    cards = against("KS KD KH 8S 9S QS AS 3H 3D JC", "4S 5S 6S 7S QH QD QC 2H 2D 2C", "TC", "2S")
    assert "draws 2S, declares big gin  (2C 2D 2H 2S)" in text(
        by(Rules(big_gin=31)), cards, "pass; pass; big_gin; defend"
    )
    told = ending(by(Rules(big_gin=31)), cards, "pass; pass; big_gin; defend")
    assert told[-1] == "ann has big gin and scores 31 + 44 = 75"


def test_a_tie_is_told() -> None:
    cards = against("KS KD KH 8D 8C 8H 7S QS 4D 6H")
    assert ending(by(Rules(undercut_on_tie=False)), cards, KNOCKED)[-1] == "10 to 10: nobody scores"
    assert ending(DEAL, cards, KNOCKED)[-1] == "bob undercuts and scores 10 + 10 - 10 = 10"


def test_a_wall_is_told() -> None:
    told = ending(by(Rules(max_discard_picks=1)), against(LAYS_OFF), "pass; take; discard 9H")
    assert told == ["A wall: nobody scores"]


def test_what_a_spade_doubles_is_told() -> None:
    format_ = GameFormat(GameKind.OKLAHOMA, False, Play.DEALS, Rules(knock_limit="upcard", spade_doubles=True))
    told = text(format_, against(LAYS_OFF, upcard="JS"), KNOCKED)
    assert "; a knock may leave 10, and the spade doubles everything\n" in told
    assert "\n      ann scores (23 - 10) x 2 = 26\n" in told
    assert "; only gin goes down\n" in text(format_, against(LAYS_OFF, upcard="AD"), "pass; pass", forfeit=0)


def test_a_failure_in_the_middle_of_a_turn_is_told_on_one_line() -> None:
    told = text(DEAL, against(UNDERCUTS), "pass; pass", forfeit=0)
    assert "\n   3  ann     draws AC                    (4S 5S 6S) (QC QD QH) AC 2D 3C 4H 9D  19\n" in told
    assert ending(DEAL, against(UNDERCUTS), "pass; pass", forfeit=0) == [
        "bob wins, as ann failed, and scores 25 + 19 = 44",
        r"ann: crash, exit code 1\n\x1b[31mTraceback",
    ]


def test_a_failure_to_defend_is_told() -> None:
    told = ending(DEAL, against(UNDERCUTS), "pass; pass; knock 9D", forfeit=1)
    assert told[0] == "ann wins, as bob failed, and scores 25 + 20 = 45"


@pytest.mark.parametrize("kind", FORMATS)
def test_every_hand_of_every_kind_can_be_told(kind: str) -> None:
    players = Players(FORMATS[kind], faults=0.005)
    spec = players.schedule(3, 1)[1]
    record = players.game(spec)
    info = players.info(3, 1)
    pages = [hand_text(info, spec, record, hand.number) for hand in record.hands]
    scores = [line for page in pages for line in page.splitlines() if line.startswith(("Before: ", "After: "))]
    assert scores[1:-1:2] == [line.replace("Before", "After") for line in scores[2::2]]
    totals = ", ".join(f"{name} {points}" for name, points in zip(spec.seats, record.outcome.points, strict=True))
    assert scores[-1].startswith(f"After: {totals}")
    assert ("column 1" in scores[-1]) == players.format.hollywood
    assert pages[-1].splitlines()[-1].startswith(f"The game is over ({record.outcome.ending}): ")
    lines = game_text(info, spec, record).splitlines()
    assert len(lines) == 2 + players.format.hollywood + len(record.hands) + len(record.faults) + 1


def test_a_style_dresses_every_word_and_changes_none() -> None:
    game = recorded(replace(DEAL, game=GameKind.THREE_HAND), against(UNDERCUTS), KNOCKED,
                    advice=(AdviceRecord(0, action("take"), ""),))  # fmt: skip
    seen = set[str]()

    def style(kind: str, word: str) -> str:
        seen.add(kind)
        return f"<{word}>" if kind in {"red", "black"} else word

    styled = hand_text(*game, 1, style)
    assert styled.replace("<", "").replace(">", "") == hand_text(*game, 1)
    assert "(<8C> <8D> <8H>) (<KD> <KH> <KS>) <AH> <2H>" in styled
    assert seen == set(KINDS) - {"fault"}


def test_a_game_in_outline() -> None:
    players = Players(replace(GIN, rules=Rules(target=30, game_bonus=100)))
    knocked = recorded(DEAL, against(LAYS_OFF), KNOCKED)[2].hands[0]
    wall = recorded(by(Rules(max_discard_picks=1)), against(LAYS_OFF), "pass; take; discard 9H")[2].hands[0]
    failed = recorded(DEAL, against(UNDERCUTS), "pass; pass", forfeit=0)[2].hands[0]
    spec = players.schedule(2, 1)[0]
    game = Game(players.format, first_roles(players.shared, spec.group))
    hands = []
    for number, hand in enumerate((knocked, wall, failed), 1):
        assert game.roles is not None
        hands.append(replace(hand, number=number, roles=game.roles))
        game.record(hand.result)
    fault = FaultRecord(hands[-1].roles.nondealer, 3, 4, Fault.CRASH, "exit code 1")
    record = GameRecord(0, tuple(hands), game.outcome(), (fault,), ())
    assert game_text(players.info(2, 1), spec, record) == dedent("""\
        Game 0: gin, deal group 0, seating 0
        hand  dealer                           ann  bob
           1  ann     bob knocks +13             0   13
           2  bob     wall                       0   13
           3  bob     bob wins by forfeit +44    0   57
        hand 3: ann: crash, exit code 1
        The game is over (target): ann 0, bob 157 with bonuses""")


def test_a_game_of_hollywood_shows_its_columns_and_three_hand_its_parts() -> None:
    players = Players(FORMATS["three-hand-hollywood"])
    spec = players.schedule(3, 1)[0]
    record = players.game(spec)
    lines = game_text(players.info(3, 1), spec, record).splitlines()
    assert lines[1] == "Points in the columns as ann-bob-cid, behind them the sums."
    assert " ".join(lines[2].split()) == "hand captain box column 1 column 2 column 3 ann bob cid"
    for hand, line in zip(record.hands, lines[3:], strict=False):
        captain, box = spec.seats[hand.roles.nondealer], spec.seats[hand.roles.dealer]
        assert line.split()[:3] == [str(hand.number), captain, box]
        columns = [[int(points) for points in column.split("-")] for column in line.split()[-6:-3]]
        assert [sum(points) for points in zip(*columns, strict=True)] == [int(total) for total in line.split()[-3:]]
    told = hand_text(players.info(3, 1), spec, record, len(record.hands))
    sums = ", ".join([f"{name} {points}" for name, points in zip(spec.seats, record.outcome.points, strict=True)])
    assert f"\nAfter: {sums} in all; column 1 " in told


def test_letters_of_two_columns_push_nothing_aside() -> None:
    info, spec, record = recorded(DEAL, against(LAYS_OFF), KNOCKED)
    named, wide = (replace(spec, seats=(name, "bob")) for name in ("anna", "牌手"))
    assert hand_text(info, wide, record, 1) == hand_text(info, named, record, 1).replace("anna", "牌手")
    assert game_text(info, wide, record) == game_text(info, named, record).replace("anna", "牌手")


def test_a_hand_that_was_not_played_is_told() -> None:
    game = recorded(DEAL, against(LAYS_OFF), KNOCKED)
    for number in (0, 2):
        with pytest.raises(InputError, match=f"expected one of the 1 hands of game 7, got {number}"):
            hand_text(*game, number)


def test_a_hand_that_cannot_be_played_again_is_told() -> None:
    info, spec, record = recorded(DEAL, against(LAYS_OFF), KNOCKED)
    hand = replace(record.hands[0], moves=record.hands[0].moves[2:])
    with pytest.raises(RecordError, match="move 1: expected nondealer pass, got dealer pass"):
        hand_text(info, spec, replace(record, hands=(hand,)), 1)
