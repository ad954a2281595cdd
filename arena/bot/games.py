"""The games a bot is in: one object of its class for each, and a request answered by them."""

from arena.bot.player import Bot
from arena.bot.turn import Turn
from arena.protocol import codec
from arena.protocol.v1 import player_pb2 as pb
from arena.rules.actions import Action
from arena.rules.notices import Setup

MAX_GAMES = 4096
"""Games remembered at once. The arena says when one is over; the oldest goes if it never does."""
_ENDS, _ROLES = (frozenset(kinds.values()) - {0} for kinds in (pb.HandEnd, pb.Role))


class Games:
    """The objects of one bot class by game, for one stream of requests."""

    def __init__(self, bot_class: type[Bot]) -> None:
        self._bot_class = bot_class
        self._bots: dict[int, Bot] = {}
        self._message = pb.Setup()
        self._setup: Setup | None = None

    def answer(self, request: pb.PlayRequest) -> pb.PlayResponse:
        """Take in the notices of a request, and decide each of its turns."""
        setup = self._setup_of(request)
        for hand_over in request.hands_over:
            bot = self._bots.get(hand_over.game_id)
            if bot is not None and _is_known(hand_over):
                bot.hand_over(codec.read_hand_over(hand_over))
        for game_over in request.games_over:
            bot = self._bots.pop(game_over.game_id, None)
            if bot is not None:
                bot.game_over(codec.read_game_over(game_over))
        response = pb.PlayResponse()
        for message in request.turns:
            bot = self._bots.get(message.game_id)
            if bot is None:
                bot = self._new_bot(message.game_id)
            turn = Turn(message, setup)
            if message.advising:
                _advise(bot, turn, response)
            else:
                action = bot.decide(turn)
                if not isinstance(action, Action):
                    raise TypeError(f"expected an Action such as discard(card) at {turn.kind.name}, got {action!r}")
                codec.add_decision(response, message.id, action)
        return response

    def _setup_of(self, request: pb.PlayRequest) -> Setup:
        if self._setup is None or request.setup != self._message:
            self._message.CopyFrom(request.setup)
            self._setup = codec.read_setup(request.setup)
        return self._setup

    def _new_bot(self, game_id: int) -> Bot:
        if len(self._bots) >= MAX_GAMES:
            del self._bots[next(iter(self._bots))]
        bot = self._bots[game_id] = self._bot_class()
        return bot


def _is_known(notice: pb.HandOver) -> bool:
    """Whether a notice can be told: a later version of the protocol may have other ends and roles."""
    return notice.end in _ENDS and notice.role in _ROLES


def _advise(bot: Bot, turn: Turn, response: pb.PlayResponse) -> None:
    advice = bot.advise(turn)
    if advice is None:
        codec.add_no_advice(response, turn.id)
    else:
        codec.add_decision(response, turn.id, advice.action, advice.text)
