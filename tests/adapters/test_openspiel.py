"""The adapter for bots of OpenSpiel: it plays on as OpenSpiel's own bot does that has seen the whole hand."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyspiel
import pytest
from bots_at_table import bot_class, play, play_by
from series_bench import GIN, SAMPLES, Crew, games

from arena.bot import Bot, Turn, discard, knock, makes_meld
from arena.cards import CARD_TEXT, mask_of
from arena.dealer.values import GameSpec, HandRecord
from arena.players.manifest import read_manifest
from arena.rules.actions import Action, ActionKind
from arena.rules.game import GameFormat, Play
from arena.rules.options import Rules
from arena.rules.view import GameKind, TurnKind

pytestmark = pytest.mark.languages

ADAPTERS = Path(__file__).parents[2] / "adapters"
BOT = ADAPTERS / "openspiel" / "bot.py"
ADAPTED, SIMPLE, RANDOM = bot_class("openspiel", ADAPTERS), bot_class("simple"), bot_class("random")
DRAW_UPCARD, DRAW_STOCK, PASS, KNOCK, MELDS = 52, 53, 54, 55, 56
UTILS = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
THEIRS = [UTILS.card_int(text[0] + text[1].lower()) for text in CARD_TEXT]
"""OpenSpiel's numbers of the arena's cards, by their text."""
MELD_OF = {MELDS + i: mask_of(map(THEIRS.index, meld)) for i, meld in UTILS.int_to_meld.items()}
START = pyspiel.load_game("gin_rummy", {"knock_card": 10}).new_initial_state()
"""Takes long to make, and is quickly copied."""
LATEST = replace(GIN, rules=Rules(wall_last_discard="knock_only"))


class OtherCardError(Exception):
    """OpenSpiel's bot discards the card it has just taken, which is forbidden in the arena."""


class InOpenSpiel:
    """A hand that is played in OpenSpiel by two of its bots, with all cards open, along with a hand of the arena."""

    def __init__(self, limit: int, deck: bytes) -> None:
        game = pyspiel.load_game("gin_rummy", {"knock_card": limit})
        self.state = game.new_initial_state()
        self._bots = [pyspiel.make_simple_gin_rummy_bot(game.get_parameters(), player) for player in (0, 1)]
        self._taken: int | None = None
        for card in deck[:21]:
            self.state.apply_action(THEIRS[card])

    def follow(self, position: int, kind: ActionKind, card: int) -> None:
        """Let the bot act, and compare."""
        assert self.state.current_player() == position
        if kind is ActionKind.PASS:
            self.expect(PASS)
        elif kind in {ActionKind.TAKE, ActionKind.PILE}:
            self._taken = card
            self.expect(KNOCK if self.state.current_phase() == pyspiel.gin_rummy.WALL else DRAW_UPCARD)
        elif kind is ActionKind.STOCK:
            self._taken = None
            self.expect(DRAW_STOCK)
            self.state.apply_action(THEIRS[card])
        else:
            if kind is ActionKind.KNOCK and self.state.current_phase() != pyspiel.gin_rummy.KNOCK:
                self.expect(KNOCK)
            self.expect(THEIRS[card])

    def expect(self, action: int) -> None:
        came = self.step()
        if self._taken is not None and came == THEIRS[self._taken] != action:
            raise OtherCardError
        if came == KNOCK != action and self._taken is not None and self.step() == THEIRS[self._taken]:
            raise OtherCardError
        assert came == action

    def until_pass(self) -> list[int]:
        return list(iter(self.step, PASS))

    def step(self) -> int:
        action: int = self._bots[self.state.current_player()].step(self.state)
        self.state.apply_action(action)
        return action


def follow(limit: int, hand: HandRecord) -> set[ActionKind]:
    """Play a hand of two adapted bots again in OpenSpiel, up to its end. Gives the kinds of decision that were met."""
    there = InOpenSpiel(limit, hand.deck)
    met = set()
    for head, card in zip(hand.moves[::2], hand.moves[1::2], strict=True):
        kind = ActionKind(head & 15)
        if kind is not ActionKind.DEFEND:
            there.follow(head >> 4, kind, card)
        if kind is ActionKind.KNOCK:
            assert {MELD_OF[action] for action in there.until_pass()} == set(hand.result.melds)
        if kind is ActionKind.DEFEND:
            if hand.result.knocker_deadwood:
                assert mask_of(map(THEIRS.index, there.until_pass())) == hand.result.layoffs
            assert {MELD_OF[action] for action in there.until_pass()} == set(hand.result.defender_melds)
        met.add(kind)
    return met


@pytest.mark.parametrize("game_format", [LATEST, replace(GIN, rules=Rules(knock_limit=3))], ids=["gin", "limit 3"])
def test_decisions_are_those_of_the_same_bot_in_openspiel(game_format: GameFormat) -> None:
    met: set[ActionKind] = set()
    others = hands = 0
    for index in range(3):
        record = play(GameSpec(index, index, 0, ("one", "two")), game_format, [ADAPTED, ADAPTED])
        for hand in record.hands:
            hands += 1
            try:
                met |= follow(int(game_format.rules.knock_limit), hand)
            except OtherCardError:
                others += 1
    assert met == set(ActionKind) - {ActionKind.BIG_GIN}
    assert others <= hands / 4


class Patient(Bot):
    """Knocks with the last discard of a hand alone."""

    def draw(self, turn: Turn) -> bool:
        return ActionKind.STOCK not in turn.legal or makes_meld(turn.top, turn.hand)

    def discard(self, turn: Turn) -> Action:
        if ActionKind.DISCARD not in turn.legal:
            return knock(turn.knocks[0])
        return discard(min(zip(turn.deadwood, turn.discards, strict=True))[1])


class Watched(Patient):
    """Looks at where the adapter plays its turns to in OpenSpiel."""

    def decide(self, turn: Turn) -> Action:
        state = START.clone()
        for action in ADAPTED.decide.__globals__["replay"](turn):
            assert action in state.legal_actions()
            state.apply_action(action)
        me = turn.position
        assert state.current_player() == me
        assert state.stock_size() == turn.stock
        hand, others = ({THEIRS.index(card) for card in state.hands()[player]} for player in (me, 1 - me))
        takes_last = turn.kind is TurnKind.DISCARD and state.current_phase() == pyspiel.gin_rummy.WALL
        assert hand == set(turn.hand) - ({turn.drawn} if takes_last else set())
        assert set(turn.opponent_known) - set(b"".join(turn.knocker_melds)) <= others
        assert not others & set(turn.discard_pile)
        return super().decide(turn)


@pytest.mark.parametrize("opponent", [SIMPLE, RANDOM, Patient])
def test_a_turn_is_played_to_with_all_that_it_shows(opponent: type[Bot]) -> None:
    """Up to the last discard, which is one action with the knock in OpenSpiel."""
    for index in range(5):
        assert play(GameSpec(index, index, 0, ("one", "two")), LATEST, [Watched, opponent]).hands


def test_processes_and_batches_make_no_difference(tmp_path: Path) -> None:
    """Nothing is kept from turn to turn, so that a turn is answered the same wherever it is asked."""
    bots = (read_manifest(ADAPTERS / "openspiel"), read_manifest(SAMPLES / "simple"))
    oklahoma = replace(GIN, game=GameKind.OKLAHOMA, play=Play.DEALS, rules=Rules(knock_limit="upcard"))
    players = Crew(bots, tmp_path, oklahoma)
    specs = players.specs(8)
    played = players.play(specs)
    assert [record.faults for record in played] == [()] * 8
    assert games(played) == games(play_by(players.shared, spec, [ADAPTED, SIMPLE]) for spec in specs)


class Wild(pyspiel.Bot):  # type: ignore[misc]
    """Does anything that OpenSpiel allows, and hears of all that its opponent does."""

    def __init__(self, player: int) -> None:
        super().__init__()
        self._player = player
        self._heard = 0

    def restart(self) -> None:
        self._heard = 0

    def inform_action(self, state: pyspiel.State, player: int, action: int) -> None:
        assert player == 1 - self._player == state.current_player()
        assert action in state.legal_actions()
        self._heard += 1

    def step(self, state: pyspiel.State) -> int:
        assert state.current_player() == self._player
        others = [action for action in self.past(state) if action[0] == 1 - self._player]
        assert len(others) == self._heard
        legal = state.legal_actions()
        likely = [action for action in legal if action >= MELDS or action == KNOCK] or legal
        choice: int = likely[sum(state.history()) % len(likely)]
        return choice

    @staticmethod
    def past(state: pyspiel.State) -> Iterator[tuple[int, int]]:
        return ((one.player, one.action) for one in state.full_history())


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules(wall_last_discard="knock_only", big_gin=31),
        Rules(return_taken="allow"),
        Rules(knock_limit=40),
        Rules(knock_limit=0),
        Rules(defence="min_first", stock="top"),
    ],
    ids=["house", "last discard", "return taken", "high limit", "gin only", "min first"],
)
@pytest.mark.parametrize("hints", [True, False])
def test_any_bot_is_legal_under_any_rules(rules: Rules, hints: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    adapted = bot_class("openspiel", ADAPTERS)
    monkeypatch.setitem(adapted.decide.__globals__, "make_bot", lambda _, player: Wild(player))
    game_format = replace(GIN, play=Play.DEALS, rules=rules)
    for index in range(6):
        record = play(GameSpec(index, index, 0, ("one", "two")), game_format, [adapted, RANDOM], hints)
        assert record.hands


@pytest.mark.parametrize("size", range(3, 11))
def test_long_runs_are_laid_down_in_parts(size: int) -> None:
    run = bytes(range(13, 13 + size))
    parts = ADAPTED.decide.__globals__["parts"](run)
    assert all(part in MELD_OF.values() for part in parts)
    assert sum(parts) == mask_of(run)


def test_without_openspiel_it_says_what_to_install() -> None:
    program = "import runpy, sys; sys.modules['pyspiel'] = None; runpy.run_path(sys.argv[1])"
    command = [sys.executable, "-c", program, str(BOT)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr == (
        "this bot needs OpenSpiel, which is not installed here; install it with: pip install open_spiel\n"
    )
