"""What a person at a table is shown, line by line: the state of a hand, what the others do, showdowns and scores.

It is drawn from what the seat may see, a turn and the public events; the cards of others come in only where they are
laid down or given on purpose.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from arena.cards import by_rank, cards_of, mask_of, parse_card
from arena.dealing import RoleDraw
from arena.rules.actions import Action, ActionKind
from arena.rules.game import Ending, Game, GameFormat, GameOutcome
from arena.rules.hand import Hand
from arena.rules.options import Rules
from arena.rules.result import HandResult, ResultKind
from arena.rules.roles import Roles
from arena.rules.scoreboard import HOLLYWOOD_COLUMNS
from arena.rules.view import GAME_NAMES, HIDDEN, Turn, TurnKind
from arena.rules.words import (
    DID,
    PARTS,
    Words,
    arithmetic,
    card_word,
    card_words,
    doubled_text,
    joined,
    laid_down,
    limit_text,
    shown_card,
    sorted_hand,
    width,
)

ME = 0
"""The person's seat."""
YOU = "you"

_CARD = re.compile(r"\b([A2-9TJQK][CDHS])\b")
_TOLD = {
    ActionKind.PASS: "pass",
    ActionKind.TAKE: "take the upcard",
    ActionKind.STOCK: "draw from the stock",
    ActionKind.PILE: "take from the pile",
    ActionKind.DISCARD: "discard",
    ActionKind.KNOCK: "knock with",
    ActionKind.BIG_GIN: "declare big gin",
    ActionKind.DEFEND: "lay down the best",
}


class Screen:
    """Draws for the person at seat 0. names: of the players by seat, the person's is `YOU`."""

    def __init__(self, format_: GameFormat, names: Sequence[str]) -> None:
        self._format = format_
        self._names = names
        self._width = max(width("score"), *map(width, names))
        self.by_suit = False
        """Whether loose cards stand by suit, and not by rank."""

    def opening(self, seed: str, draw: RoleDraw | None) -> Iterator[Words]:
        """What is played, and in three-hand who drew what for the roles."""
        rules = self._format.rules
        usual = Rules().as_text()
        other = [f"{name} {value}" for name, value in rules.as_text().items() if value != usual[name]]
        scoring = ", Hollywood scoring" if self._format.hollywood else ""
        options = f"; {', '.join(other)}" if other else ""
        yield [("title", f"A game of {GAME_NAMES[self._format.game]} to {rules.target}{scoring}{options}.")]
        yield [("", f"The seed is {seed}. ? tells what can be typed, quit ends the game.")]
        for drawn in draw.rounds if draw is not None else ():
            cards = joined([[*self._name(seat), ("", " "), card_word(card)] for seat, card in drawn])
            yield [("", "Drawn for the roles: "), *cards]

    def deal(self, number: int, roles: Roles, hand: Hand) -> Iterator[Words]:
        """A hand begins."""
        parts = zip(roles.seen_from(roles.nondealer), PARTS[len(self._names)], strict=True)
        who = joined(
            [*self._name(seat), ("", f" {'are' if seat == ME else 'is'} {part}")] for seat, part in sorted(parts)
        )
        yield [("title", f"Hand {number}: "), *who]
        terms = f"{limit_text(hand.limit)}{doubled_text(hand.multiplier)}"
        yield [("", "The upcard is "), card_word(hand.deal.upcard), ("", f", {terms}")]

    def did(self, seat: int, events: Iterable[tuple[ActionKind, int]]) -> Words:
        """What another player did in a row; the card is `HIDDEN` where there is none or it cannot be seen."""
        return [
            ("", "  "),
            *self._name(seat),
            ("", " "),
            *joined([[("", DID[kind]), *shown_card(card)] for kind, card in events]),
        ]

    def forced(self) -> Words:
        """The draw that two passes force on the person."""
        return [("", "You draw from the stock, as both have passed")]

    def state(self, turn: Turn, roles: Roles, shown: Mapping[int, int]) -> Iterator[Words]:
        """The hand as it stands at a turn of the person. shown: by seat, hands of others to be shown, as masks."""
        view, frame = turn.view, turn.frame
        points = dict(zip(roles.seen_from(ME), frame.scores.totals, strict=True))
        part = PARTS[len(self._names)][roles.seen_from(roles.nondealer).index(ME)]
        yield self._line(
            "score", [*self._points(sorted(points.items())), ("", f"; you are {part}, {limit_text(frame.limit)}")]
        )
        pile: Words = (
            [card_word(view.discard_pile[-1]), ("", " on the pile")] if view.discard_pile else [("", "an empty pile")]
        )
        opponent = roles.seat(1 - view.position)
        known = [("", "; "), *self._name(opponent), ("", " took "), *card_words(view.opponent_known)]
        table = [*pile, ("", f", {view.stock} in the stock"), *(known if view.opponent_known else [])]
        yield self._line("table", table)
        if view.kind is TurnKind.DEFEND:
            melds = [mask_of(meld) for meld in view.knocker_melds]
            laid = laid_down(sum(melds) | mask_of(view.knocker_unmatched), melds)
            yield self._line("knock", [*self._name(opponent), ("", ": "), *laid])
        for seat, mask in shown.items():
            yield self._line(self._names[seat], sorted_hand(mask, self._order))
        if view.hand:
            yield self.hand(turn, roles)

    def hand(self, turn: Turn, roles: Roles) -> Words:
        """The person's cards, or those of the captain it advises."""
        view = turn.view
        drawn: Words = [] if view.drawn is None else [("", "  with "), card_word(view.drawn)]
        label = self._names[roles.nondealer] if turn.advising else YOU
        return self._line(label, [*sorted_hand(mask_of(view.hand), self._order), *drawn])

    def pile(self, turn: Turn) -> Words:
        """The whole discard pile."""
        return [("", "Discard pile, oldest first: "), *(card_words(turn.view.discard_pile) or [("", "empty")])]

    def told(self, action: Action) -> Words:
        """What to do, as a recommendation."""
        return [("", _TOLD[action.kind]), *shown_card(HIDDEN if action.card is None else action.card)]

    def advice(self, seat: int, action: Action, text: str) -> Words:
        """What another player advises the person."""
        return [
            *self._name(seat),
            ("advice", " advises: "),
            *self.told(action),
            ("advice", f', "{text}"' if text else ""),
        ]

    def showdown(self, hand: Hand, roles: Roles, result: HandResult) -> Iterator[Words]:
        """How a hand ended: what was laid down, and who scores what."""
        seats = roles.nondealer, roles.dealer
        masks = hand.deal.masks
        if result.knocker is not None and result.kind is not ResultKind.FORFEIT:
            knocker, defender = result.knocker, 1 - result.knocker
            yield self._line(self._names[seats[knocker]], laid_down(masks[knocker], result.melds))
            left = laid_down(masks[defender] & ~result.layoffs, result.defender_melds)
            off: Words = [("", ", laid off "), *card_words(by_rank(result.layoffs))] if result.layoffs else []
            yield self._line(self._names[seats[defender]], [*left, *off])
        names = [self._names[seat] for seat in seats]
        you = seats.index(ME) if ME in seats else None
        (kind, first), *rest = arithmetic(result, hand.multiplier, names, you)
        yield [("", "  "), (kind, first.capitalize() if first == YOU else first), *rest]

    def board(self, game: Game) -> Iterator[Words]:
        """The score sheet after a hand."""
        heading = [f"column {number + 1}" for number in range(HOLLYWOOD_COLUMNS)] if self._format.hollywood else []
        rows = [[*heading, "points", "hands"]]
        for seat in range(len(self._names)):
            scores = game.scores(seat)
            rows.append(
                [*[str(column[0]) for column in scores.columns], str(scores.totals[0]), str(scores.hands_won[0])]
            )
        widest = max(len(cell) for row in rows for cell in row)
        for name, row in zip(("", *self._names), rows, strict=True):
            cells = "".join([f"  {cell:>{widest}}" for cell in row])
            yield self._line(name, [("score" if name else "", cells)])
        closed = [str(number + 1) for number, is_open in enumerate(game.scores(ME).open) if not is_open]
        if closed:
            yield [("", f"  Closed: column {' and '.join(closed)}")]

    def so_far(self, totals: Sequence[int], hands: int) -> Words:
        """The score of a game that the person leaves."""
        count = f"{hands} hand{'' if hands == 1 else 's'}"
        return [("", f"The score after {count}: "), *self._points(enumerate(totals))]

    def over(self, outcome: GameOutcome, hands: int) -> Iterator[Words]:
        """The end of the game."""
        for number, column in enumerate(outcome.columns, 1):
            won: Words = [("", "nobody")] if column.winner is None else self._name(column.winner)
            yield [("", f"  Column {number}: "), *self._points(enumerate(column.totals)), ("", ", won by "), *won]
        why = {
            Ending.TARGET: "the target is reached",
            Ending.MAX_HANDS: f"{hands} hand{'' if hands == 1 else 's'} played",
            Ending.FORFEIT: "forfeited",
        }[outcome.ending]
        bonuses = " with bonuses" if outcome.totals != outcome.points else ""
        first = [seat for seat, place in enumerate(outcome.places) if place == 1]
        if len(first) > 1:
            verdict: Words = [("", "a draw")]
        else:
            verdict = [*self._name(first[0]), ("", " win" if first[0] == ME else " wins")]
        yield [
            ("title", "The game is over"),
            ("", f" ({why}): "),
            *self._points(enumerate(outcome.totals)),
            ("", f"{bonuses}; "),
            *verdict,
        ]

    def _order(self, mask: int) -> bytes:
        return cards_of(mask) if self.by_suit else by_rank(mask)

    def _name(self, seat: int) -> Words:
        return [("name", self._names[seat])]

    def _points(self, points: Iterable[tuple[int, int]]) -> Words:
        return joined([*self._name(seat), ("", " "), ("score", str(number))] for seat, number in points)

    def _line(self, label: str, words: Words) -> Words:
        """A line in columns."""
        return [
            ("", "  "),
            ("name" if label in self._names else "", label),
            ("", " " * (self._width - width(label) + 2)),
            *words,
        ]


def carded(text: str) -> Words:
    """A text in which cards are words of their own."""
    return [card_word(parse_card(part)) if _CARD.fullmatch(part) else ("", part) for part in _CARD.split(text)]
