"""One hand as a state machine (RULES 1 and 3): from the deal to a showdown, a wall or a forfeit.

    UPCARD_NONDEALER -> UPCARD_DEALER -> DRAW <-> DISCARD -> DEFEND -> SCORED
                                                       |---> LAST_DISCARD -> MUST_KNOCK -> DEFEND
                                                       `---> WALL

Each phase has one method, which checks an action and then does it: what is legal and what follows stand together,
and nothing is changed before everything is checked. The knocker's arrangement rides on the knock, and the draw that
two passes force on the non-dealer is made by the hand itself.
"""

from arena.cards import CARD_TEXT, cards_text
from arena.errors import IllegalAction
from arena.melds import deadwood, deadwood_after
from arena.rules.actions import Action, ActionKind
from arena.rules.handstate import HandState, Phase, position_name
from arena.rules.result import HandResult, ResultKind
from arena.rules.showdown import declare, showdown

LAST_STOCK = 2
"""Stock cards that are never drawn: a discard without a knock that leaves so many is the last (RULES 1.1.4)."""

# Reaching a member through its enum costs 0.2 us in Python 3.11, a name 0.01, and a hand needs hundreds.
_PASS, _TAKE, _STOCK, _PILE = ActionKind.PASS, ActionKind.TAKE, ActionKind.STOCK, ActionKind.PILE
_DISCARD, _KNOCK, _BIG_GIN, _DEFEND = ActionKind.DISCARD, ActionKind.KNOCK, ActionKind.BIG_GIN, ActionKind.DEFEND
_UPCARD_NONDEALER, _UPCARD_DEALER = Phase.UPCARD_NONDEALER, Phase.UPCARD_DEALER
_AT_DRAW, _AT_DISCARD, _AT_DEFEND = Phase.DRAW, Phase.DISCARD, Phase.DEFEND
_LAST_DISCARD, _MUST_KNOCK = Phase.LAST_DISCARD, Phase.MUST_KNOCK


class Hand(HandState):
    """One hand of two players: a deck as played goes in, actions follow, `result` comes out.

    The deck is 52 cards: 0-9 the non-dealer's hand, 10-19 the dealer's, 20 the upcard, 21-51 the stock. The non-dealer
    draws from the stock's front, the dealer from its back, or both from the front (`stock: top`).
    `CardError` is raised for anything else.
    """

    __slots__ = ()

    def apply(self, action: Action) -> None:
        """Let the position to act do this. Only what belongs to the action's kind is looked at.

        Raises `IllegalAction`, saying what would be legal, and leaves the hand as it was.
        """
        self._PLAY[self.phase](self, action)

    def forfeit(self, position: int) -> HandResult:
        """End the hand by the fault of `position`: its opponent scores as if gone gin at this moment (RULES 1.2).

        What a knocker has laid down stays in the result, unless the fault is the knocker's own. Against a big gin the
        bonus is the big gin's where that is more: nobody gains by failing to answer.
        Raises `IllegalAction` once the hand is over.
        """
        if self.result is not None:
            raise IllegalAction("nothing more in a hand that is over", f"a forfeit of the {position_name(position)}")
        bonus = self.rules.gin_bonus
        if self.phase is _AT_DEFEND and len(self.deal.hands[1 - position]) == 11:
            bonus = max(bonus, int(self.rules.big_gin))
        left = deadwood(self.deal.masks[position])
        self.phase = Phase.SCORED
        self.result = HandResult(
            ResultKind.FORFEIT,
            winner=1 - position,
            points=(bonus + left) * self.multiplier,
            knocker=1 - position,
            knocker_deadwood=0,
            defender_deadwood=left,
            melds=self.melds if position == self.to_act else (),
        )
        return self.result

    # The phases.

    def _play_upcard(self, action: Action) -> None:
        if action.kind is _TAKE:
            self._pick(_TAKE)
        elif action.kind is not _PASS:
            raise IllegalAction("pass or take", str(action))
        elif self.phase is _UPCARD_NONDEALER:
            self.deal.note(0, _PASS)
            self.phase = _UPCARD_DEALER
            self.to_act = 1
        else:
            self.deal.note(1, _PASS)
            self.to_act = 0
            self._draw()

    def _play_draw(self, action: Action) -> None:
        if action.kind is _STOCK:
            self._draw()
        elif action.kind is _PILE:
            self._pick(_PILE)
        else:
            raise IllegalAction("stock or pile", str(action))

    def _play_last_discard(self, action: Action) -> None:
        if action.kind is _PILE:
            self._pick(_PILE)
            self.phase = _MUST_KNOCK
        elif action.kind is _PASS:
            self.deal.note(self.to_act, _PASS)
            self._wall()
        else:
            raise IllegalAction("pile or pass", str(action))

    def _play_discard(self, action: Action) -> None:
        kind, card = action.kind, action.card
        hand = self.deal.masks[self.to_act]
        if kind is _BIG_GIN:
            self.melds, _ = declare(self.rules, self.limit, hand, action.melds)
            self.deal.note(self.to_act, _BIG_GIN)
            self._ask_defence()
            return
        if kind is not _KNOCK and (kind is not _DISCARD or self.phase is _MUST_KNOCK):
            raise IllegalAction("knock" if self.phase is _MUST_KNOCK else "discard or knock", str(action))
        if card is None or card < 0 or not hand >> card & 1 or card == self.barred:
            raise IllegalAction(f"{kind.name.lower()} of {self._discards_text()}", str(action))
        if kind is _KNOCK:
            self.melds, _ = declare(self.rules, self.limit, hand ^ (1 << card), action.melds)
            self.deal.discard(self.to_act, _KNOCK, card)
            self._ask_defence()
        else:
            self.deal.discard(self.to_act, _DISCARD, card)
            self._next_turn()

    def _play_defence(self, action: Action) -> None:
        if action.kind is not _DEFEND:
            raise IllegalAction("defend", str(action))
        knocker = 1 - self.to_act
        hand, own = self.deal.masks[knocker], self.deal.masks[self.to_act]
        self.result = showdown(
            self.rules, self.limit, self.multiplier, knocker, hand, self.melds, own, action.melds, action.layoffs
        )
        self.deal.note(self.to_act, _DEFEND)
        self.phase = Phase.SCORED

    def _play_nothing(self, action: Action) -> None:
        raise IllegalAction("nothing more in a hand that is over", str(action))

    # What the phases are made of. Nothing from here on can fail.

    def _draw(self) -> None:
        self.drawn = self.deal.draw(self.to_act)
        self.barred = None
        self.phase = _AT_DISCARD

    def _pick(self, kind: ActionKind) -> None:
        self.drawn = self.deal.pick(self.to_act, kind)
        self.barred = self.drawn if self.rules.return_taken == "forbid" else None
        self.picks += 1
        self.phase = _AT_DISCARD

    def _next_turn(self) -> None:
        """After a discard without a knock: the opponent's turn, or the end (RULES 1.1.4, A8, A13)."""
        self.to_act = 1 - self.to_act
        if self.picks >= self.rules.max_discard_picks:
            self._wall()
        elif self.deal.stock > LAST_STOCK:
            self.phase = _AT_DRAW
        elif self.rules.wall_last_discard == "knock_only" and self._last_discard_knocks():
            self.phase = _LAST_DISCARD
        else:
            self._wall()

    def _last_discard_knocks(self) -> bool:
        """Whether the position to act could knock if it took the last discard."""
        card = self.deal.pile[-1]
        discards = self.deal.hands[self.to_act]
        if self.rules.return_taken == "allow":
            discards += bytes((card,))
        return min(deadwood_after(self.deal.masks[self.to_act] | 1 << card, discards)) <= self.limit

    def _ask_defence(self) -> None:
        self.to_act = 1 - self.to_act
        self.phase = _AT_DEFEND

    def _wall(self) -> None:
        self.phase = Phase.WALL
        self.result = HandResult(ResultKind.WALL)

    def _discards_text(self) -> str:
        barred = "" if self.barred is None else f", but not {CARD_TEXT[self.barred]}, just taken from the pile"
        return cards_text(self.discards()) + barred

    _PLAY = (
        _play_upcard,
        _play_upcard,
        _play_draw,
        _play_discard,
        _play_last_discard,
        _play_discard,
        _play_defence,
        _play_nothing,
        _play_nothing,
    )
    """What an action is given to, by phase."""
