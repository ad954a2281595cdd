"""One recorded hand judged from the dealer's chair, all cards open: no bot is needed, the record is enough."""

from collections.abc import Iterator

from arena.cards import CARD_TEXT, PIPS, mask_of, mask_text, pips
from arena.dealer.values import HandRecord
from arena.melds import arrangements, deadwood, deadwood_after
from arena.rules.actions import ActionKind
from arena.rules.hand import Hand
from arena.rules.handstate import Phase
from arena.rules.options import Rules
from arena.rules.replay import replay_steps
from arena.rules.result import HandResult, ResultKind
from arena.rules.showdown import showdown
from arena.standings.kinds import Finding, Kind

_GOES_DOWN = (ActionKind.KNOCK, ActionKind.BIG_GIN)


def findings(rules: Rules, hand: HandRecord) -> Iterator[Finding]:
    """All that there is to find in a hand, in the order of its moves; nothing in one that ended by a fault.

    Raises `RecordError` for a hand that cannot be played again.
    """
    if hand.result.kind is ResultKind.FORFEIT:
        return
    judge = _Judge(rules, hand)
    for played in replay_steps(rules, hand.deck, hand.moves, hand.result):
        at = len(played.moves)
        if at < len(hand.moves):
            yield from judge.decision(played, at)


class _Judge:
    """Judges the decisions of one hand. `done` are the chances that were told: the first of a player's in a hand."""

    def __init__(self, rules: Rules, hand: HandRecord) -> None:
        self._rules = rules
        self._moves = hand.moves
        self._result = hand.result
        self._done: set[tuple[int, str]] = set()

    def decision(self, hand: Hand, at: int) -> Iterator[Finding]:
        """Judge the decision that is made at this place of the moves; `hand` stands before it."""
        kind = ActionKind(self._moves[at] & 15)
        if hand.phase is Phase.DEFEND:
            yield from self._defence(hand, at)
        elif hand.phase in (Phase.DISCARD, Phase.MUST_KNOCK):
            yield from self._discard(hand, at, kind)
        elif kind in (ActionKind.TAKE, ActionKind.PILE):
            yield from self._taken(hand, at)
        else:
            yield from self._left(hand, at, kind)

    # Draws.

    def _taken(self, hand: Hand, at: int) -> Iterator[Finding]:
        """A card that was taken from the pile: what it did for the taker, and so, if he gave it, for the opponent."""
        taker, card = hand.to_act, hand.deal.pile[-1]
        held, given = hand.deal.masks[taker], hand.phase in (Phase.DRAW, Phase.LAST_DISCARD)
        name = CARD_TEXT[card]
        if not _melds(held, card):
            if ActionKind(self._moves[at + 2] & 15) not in _GOES_DOWN:
                yield Finding(Kind.IDLE_TAKE, at // 2 + 1, taker, 0, f"took {name}, which stays unmatched")
            return
        lost = deadwood(held) - deadwood(held | 1 << card)
        if given and lost >= 0:
            known = mask_of(hand.deal.known[taker])
            kind = Kind.FED_KNOWN if _melds(known, card) else Kind.FED_UNKNOWN
            seen = f", seen to hold {mask_text(known)}," if kind is Kind.FED_KNOWN else ""
            told = f"discarded {name}; the opponent{seen} took it into a meld, {lost} points less unmatched"
            yield Finding(kind, at // 2, 1 - taker, lost * hand.multiplier, told)

    def _left(self, hand: Hand, at: int, kind: ActionKind) -> Iterator[Finding]:
        """A card that was left in the pile: gin with it, and at the last discard a knock, would have been sure."""
        position, card = hand.to_act, hand.deal.pile[-1]
        own = hand.deal.hands[position]
        discards = own + bytes((card,)) if self._rules.return_taken == "allow" else own
        held = hand.deal.masks[position] | 1 << card
        turn = self._moves[at + 2 : at + 4]
        if kind is ActionKind.STOCK and turn and turn[0] & 15 in _GOES_DOWN and self._result.knocker_deadwood == 0:
            return  # it drew gin all the same
        did = f"left {CARD_TEXT[card]} in the pile"
        yield from self._chances(hand, at, held, discards, did, knocks=hand.phase is Phase.LAST_DISCARD)

    # Discards and knocks.

    def _discard(self, hand: Hand, at: int, kind: ActionKind) -> Iterator[Finding]:
        position, result = hand.to_act, self._result
        held, discards = hand.deal.masks[position], hand.discards()
        if kind is ActionKind.DISCARD:
            did = f"discarded {CARD_TEXT[self._moves[at + 1]]}"
            yield from self._chances(hand, at, held, discards, did, knocks=True)
        elif kind is ActionKind.KNOCK:
            did = "went gin" if result.kind is ResultKind.GIN else f"knocked with {result.knocker_deadwood}"
            missed = [*self._gin(hand, at, held, discards, did)]
            yield from missed
            if not missed and result.kind is not ResultKind.GIN:
                yield from self._knock(hand, at, held, discards)

    def _chances(self, hand: Hand, at: int, held: int, discards: bytes, did: str, *, knocks: bool) -> Iterator[Finding]:
        """The chances to go down with these eleven cards that were not used: of gin, or else of a knock."""
        missed = [*self._gin(hand, at, held, discards, did)]
        yield from missed
        if knocks and not missed and (hand.to_act, "knock") not in self._done:
            yield from self._waited(hand, at, held, discards, did)

    def _gin(self, hand: Hand, at: int, held: int, discards: bytes, did: str) -> Iterator[Finding]:
        """Gin, or big gin, that was there and was not declared."""
        position = hand.to_act
        bonus, how = 0, ""
        if self._rules.big_gin != "none" and deadwood(held) == 0:
            bonus, how = int(self._rules.big_gin), "big gin"
        left = deadwood_after(held, discards)
        if not how and min(left) == 0 and not self._goes_gin(at):
            bonus, how = self._rules.gin_bonus, f"gin by discarding {CARD_TEXT[discards[left.index(0)]]}"
        if how and (position, "gin") not in self._done:
            self._done |= {(position, "gin"), (position, "knock")}
            worth = (bonus + deadwood(hand.deal.masks[1 - position])) * hand.multiplier
            yield self._compared(Kind.MISSED_GIN, at, position, worth, f"{did}; {how}")

    def _goes_gin(self, at: int) -> bool:
        """Whether the move at this place declares gin."""
        knocks = self._moves[at] & 15 == ActionKind.KNOCK
        return knocks and self._result.kind is ResultKind.GIN

    def _waited(self, hand: Hand, at: int, held: int, discards: bytes, did: str) -> Iterator[Finding]:
        """A knock that was passed up: what it would have scored at once, against what the hand brought."""
        position = hand.to_act
        left = deadwood_after(held, discards)
        least = min(left)
        if least > hand.limit:
            return
        self._done.add((position, "knock"))
        card = _first(least, left, discards, self._moves[at + 1])
        worth = self._worth(hand, position, held & ~(1 << card), None)
        lost = worth - _points(self._result, position)
        if lost:
            kind = Kind.MISSED_KNOCK if lost > 0 else Kind.PAID_WAIT
            told = f"{did}; a knock with {least} (discarding {CARD_TEXT[card]})"
            yield self._compared(kind, at, position, worth, told)

    def _knock(self, hand: Hand, at: int, held: int, discards: bytes) -> Iterator[Finding]:
        """A knock without gin: a lower one that was possible, other melds that would have scored more, an undercut."""
        position, result = hand.to_act, self._result
        move, count = at // 2 + 1, result.knocker_deadwood
        kept = held & ~(1 << self._moves[at + 1])
        left = deadwood_after(held, discards)
        least = min(left)
        declared = self._worth(hand, position, kept, result.melds)
        if count is not None and count > least:
            card = _first(least, left, discards, self._moves[at + 1])
            worth = self._worth(hand, position, held & ~(1 << card), None)
            told = f"knocked with {count}; {least} were possible, discarding {CARD_TEXT[card]}"
            yield Finding(Kind.HIGH_KNOCK, move, position, worth - declared, f"{told}: {worth:+}, not {declared:+}")
        else:
            worth, melds = max(
                (self._worth(hand, position, kept, melds), melds)
                for melds in arrangements(kept)
                if pips(kept ^ sum(melds)) <= hand.limit
            )
            if worth > declared:
                laid = ", ".join(map(mask_text, melds))
                told = f"laid down otherwise ({laid}) the knock was worth {worth:+}, not {declared:+}"
                yield Finding(Kind.OTHER_MELDS, move, position, worth - declared, told)
        if result.kind is ResultKind.UNDERCUT:
            told = f"knocked with {count}; the opponent had {result.defender_deadwood} left"
            yield Finding(Kind.UNDERCUT, move, position, result.points, told)

    # The defence.

    def _defence(self, hand: Hand, at: int) -> Iterator[Finding]:
        """What the defender laid off and laid down. At that moment it knew all the knocker's cards."""
        position, result = hand.to_act, self._result
        move, knocker = at // 2 + 1, 1 - position
        down, own = hand.deal.masks[knocker], hand.deal.masks[position]

        def scored(melds: tuple[int, ...] | None) -> HandResult:
            terms = self._rules, hand.limit, hand.multiplier
            return showdown(*terms, knocker, down, result.melds, own, melds)

        as_played, full, best = _points(result, position), scored(result.defender_melds), scored(None)
        completed = _points(full, position)
        if left := full.layoffs & ~result.layoffs:
            told = f"kept {mask_text(left)}, which fitted the knocker's melds: {as_played:+}, not {completed:+}"
            yield Finding(Kind.LAYOFFS_LEFT, move, position, completed - as_played, told)
        if (lost := _points(best, position) - completed) > 0:
            laid = ", ".join(map(mask_text, best.defender_melds)) or "none"
            off = mask_text(best.layoffs) or "nothing"
            told = f"the best were the melds {laid} with {off} laid off: {_points(best, position):+}, not {completed:+}"
            yield Finding(Kind.POOR_DEFENCE, move, position, lost, told)

    # What they are made of.

    def _worth(self, hand: Hand, position: int, kept: int, melds: tuple[int, ...] | None) -> int:
        """What a knock with these ten cards scores for `position` against the best defence; `None`: the best melds."""
        terms = self._rules, hand.limit, hand.multiplier
        return _points(showdown(*terms, position, kept, melds, hand.deal.masks[1 - position]), position)

    def _compared(self, kind: Kind, at: int, position: int, worth: int, told: str) -> Finding:
        brought = _points(self._result, position)
        words = f"{told} was worth {worth:+}, the hand brought {brought:+}"
        return Finding(kind, at // 2 + 1, position, worth - brought, words)


def _melds(cards: int, card: int) -> bool:
    """Whether a card that joins these is in a meld where the least is left unmatched."""
    return deadwood(cards | 1 << card) < deadwood(cards) + PIPS[card]


def _first(least: int, left: bytes, discards: bytes, made: int) -> int:
    """A discard that leaves the least: the one that was made, or else the first."""
    equals = [card for card, count in zip(discards, left, strict=True) if count == least]
    return made if made in equals else equals[0]


def _points(result: HandResult, position: int) -> int:
    """What a result is worth for a position."""
    return 0 if result.winner is None else result.points if result.winner == position else -result.points
