"""A recorded hand as text that a person can follow.

A player's cards stand sorted into melds, in parentheses, and what is left over, with its count behind.
A style may dress up the words: it is given the kind of a word (one of `KINDS`) and the word, and returns what to show,
which must be as wide on the screen.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from arena.cards import CARD_TEXT, PIPS, by_rank, pips, suit_of
from arena.dealer.values import AdviceRecord, FaultRecord, GameRecord, GameSpec
from arena.errors import InputError
from arena.melds import best_melds
from arena.players.manifest import GAME_NAMES
from arena.records.course import HandScored, course
from arena.records.info import RunInfo
from arena.rules.actions import ActionKind
from arena.rules.hand import Hand
from arena.rules.replay import replay_steps
from arena.rules.result import HandResult, ResultKind
from arena.rules.view import HIDDEN

KINDS = ("", "title", "name", "red", "black", "score", "advice", "fault")
"""Kinds of words: plain ones have none, cards are `red` or `black`."""

Style = Callable[[str, str], str]
Words = list[tuple[str, str]]
"""A text as (kind, word)."""

_DID_WIDTH = len("draws TS, declares big gin")
_CARDS_WIDTH = len("(2S 3S 4S) (2H 3H 4H) (2C 3C 4C) TD")
_INDENT = " " * 6
_PARTS = {2: ("non-dealer", "dealer"), 3: ("captain", "box", "out")}
_DID = {
    ActionKind.PASS: "passes",
    ActionKind.TAKE: "takes",
    ActionKind.STOCK: "draws",
    ActionKind.PILE: "takes",
    ActionKind.DISCARD: "discards",
    ActionKind.KNOCK: "knocks with",
    ActionKind.BIG_GIN: "declares big gin",
}
_DRAWS = (ActionKind.TAKE, ActionKind.STOCK, ActionKind.PILE)


def plain(kind: str, word: str) -> str:
    """The style of plain text."""
    del kind
    return word


def hand_text(info: RunInfo, spec: GameSpec, record: GameRecord, number: int, style: Style = plain) -> str:
    """The hand of this number, from 1, without a line end.

    Raises `InputError` for a hand that was not played, and `RecordError` for one that cannot be played again.
    """
    hands = list(course(info, spec, record))
    if not 1 <= number <= len(hands):
        raise InputError(f"expected one of the {len(hands)} hands of game {spec.index}, got {number}")
    page = _Page(info, spec, record, hands[number - 1], style)
    before = hands[number - 2] if number > 1 else None
    lines = [*page.heading(), page.score("Before", before), "", *page.play(), "", *page.end()]
    faults = [_INDENT + fault_text(spec, fault, style) for fault in record.faults if fault.hand == number]
    ending = [ending_text(spec, record, style)] if number == len(hands) else []
    return "\n".join([*lines, *faults, "", page.score("After", hands[number - 1]), *ending])


def ending_text(spec: GameSpec, record: GameRecord, style: Style = plain) -> str:
    """How a game ended, in a line."""
    outcome = record.outcome
    words = _points(spec, outcome.totals)
    bonuses = " with bonuses" if outcome.totals != outcome.points else ""
    return _text([("", f"The game is over ({outcome.ending}): "), *words, ("", bonuses)], style)


def fault_text(spec: GameSpec, fault: FaultRecord, style: Style = plain) -> str:
    """A fault in a line: whose, its kind, what was said of it."""
    told = ("fault", _one_line(f"{fault.fault}, {fault.detail}"))
    return _text([("name", spec.seats[fault.seat]), ("", ": "), told], style)


class _Page:
    """Makes the lines of one hand."""

    def __init__(self, info: RunInfo, spec: GameSpec, record: GameRecord, scored: HandScored, style: Style) -> None:
        self._info = info
        self._spec = spec
        self._record = record
        self._hand = scored.hand
        self._style = style
        self._names = [spec.seats[seat] for seat in scored.hand.roles if seat is not None]
        self._name_width = max(len("upcard"), *map(len, self._names))
        self._played = Hand(info.format.rules, scored.hand.deck)
        self._turns = 0

    def heading(self) -> Iterator[str]:
        """Which hand it is, who has which part in it, and what a knock may leave."""
        game = GAME_NAMES[self._info.format.game]
        hands, group = len(self._record.hands), self._spec.group
        title = f"Game {self._spec.index}, hand {self._hand.number} of {hands}: {game}, deal group {group}"
        yield self._text([("title", title)])
        parts = zip(self._names, _PARTS[len(self._names)], strict=True)
        words = _joined([("name", name), ("", f" {part}")] for name, part in parts)
        limit = f"a knock may leave {self._played.limit}" if self._played.limit else "only gin goes down"
        doubled = ", and the spade doubles everything" if self._played.multiplier > 1 else ""
        yield self._text([*words, ("", f"; {limit}{doubled}")])

    def score(self, when: str, scored: HandScored | None) -> str:
        """The points by seat, none before the first hand."""
        totals = scored.totals if scored else (0,) * len(self._names)
        words = _points(self._spec, totals)
        columns = enumerate(scored.columns if scored else (), 1)
        told = ", ".join([f"column {number} {'-'.join(map(str, column))}" for number, column in columns])
        return self._text([("", f"{when}: "), *words, ("", f" in all; {told}" if told else "")])

    def play(self) -> Iterator[str]:
        """The deal, and a line for every turn; advice stands before it."""
        for position in (0, 1):
            yield self._row(self._names[position], [("", "is dealt")], _sorted(self._played.deal.masks[position]))
        yield self._row("upcard", [_card(self._played.deal.upcard)])
        yield ""
        hand = self._hand
        advice = {given.move: given for given in hand.advice}
        words: Words = []
        position = told = 0
        for played in replay_steps(self._info.format.rules, hand.deck, hand.moves, hand.result):
            self._played = played
            while told < len(played.moves):
                head, card = played.moves[told : told + 2]
                position, kind = head >> 4, ActionKind(head & 15)
                told += 2
                if kind is ActionKind.DEFEND:
                    continue
                words = _joined([words, [("", _DID[kind]), *_shown(card)]])
                if kind not in _DRAWS:
                    yield self._turn(position, words, kind)
                    words = []
            if given := advice.pop(told // 2, None):
                yield self._advice(given)
        if words:  # a turn that was not finished
            yield self._turn(position, words)

    def end(self) -> Iterator[str]:
        """The showdown, the arithmetic, and what went wrong."""
        result = self._hand.result
        masks = self._played.deal.masks
        if result.knocker is not None and result.kind is not ResultKind.FORFEIT:
            knocker, defender = result.knocker, 1 - result.knocker
            yield self._laid_down(self._names[knocker], [("", "goes down")], masks[knocker], result.melds)
            did: Words = [("", "lays off "), *_cards(result.layoffs)] if result.layoffs else [("", "lays down")]
            left = masks[defender] & ~result.layoffs
            yield self._laid_down(self._names[defender], did, left, result.defender_melds)
        yield self._text([("", _INDENT), *self._arithmetic(result)])

    def _turn(self, position: int, words: Words, kind: ActionKind | None = None) -> str:
        self._turns += 1
        cards = [] if kind is ActionKind.PASS else _sorted(self._played.deal.masks[position])
        return self._row(self._names[position], words, cards, str(self._turns))

    def _advice(self, given: AdviceRecord) -> str:
        said = f', saying "{_one_line(given.text)}"' if given.text else ""
        return self._row(self._names[-1], [("advice", f"advises {given.action}{said}")])

    def _laid_down(self, name: str, did: Words, mask: int, melds: tuple[int, ...]) -> str:
        left = mask & ~sum(melds)
        count = "+".join([str(PIPS[card]) for card in by_rank(left)])
        total = f"  {count} = {pips(left)}" if "+" in count else f"  {pips(left)}"
        return self._row(name, did, [*_melded(melds, left), ("", total)])

    def _arithmetic(self, result: HandResult) -> Words:
        """Who scores what, and why."""
        if result.winner is None or result.knocker_deadwood is None or result.defender_deadwood is None:
            tie = f"{result.knocker_deadwood} to {result.defender_deadwood}"
            return [("", f"{tie if result.kind is ResultKind.TIE else 'A wall'}: nobody scores")]
        knocker, defender = result.knocker_deadwood, result.defender_deadwood
        times = self._played.multiplier
        bonus = result.points // times - abs(defender - knocker)
        winner, loser = self._names[result.winner], self._names[1 - result.winner]
        why, sum_ = {
            ResultKind.KNOCK: ("", f"{defender} - {knocker}"),
            ResultKind.GIN: (" has gin and", f"{bonus} + {defender}"),
            ResultKind.BIG_GIN: (" has big gin and", f"{bonus} + {defender}"),
            ResultKind.UNDERCUT: (" undercuts and", f"{bonus} + {knocker} - {defender}"),
            ResultKind.FORFEIT: (f" wins, as {loser} failed, and", f"{bonus} + {defender}"),
        }[result.kind]
        doubled = f"({sum_}) x {times}" if times > 1 else sum_
        return [("name", winner), ("", f"{why} scores {doubled} = "), ("score", str(result.points))]

    def _row(self, name: str, did: Words, cards: Words | None = None, number: str = "") -> str:
        """A line in columns: number, name, what was done, cards."""
        columns = [("", f"{number:>4}  "), ("name", name), ("", " " * (self._name_width - len(name) + 2)), *did]
        fill = _DID_WIDTH - sum([len(word) for _, word in did]) + 2
        return self._text([*columns, ("", " " * fill), *cards] if cards else columns)

    def _text(self, words: Words) -> str:
        return _text(words, self._style)


def _text(words: Words, style: Style) -> str:
    return "".join([style(kind, word) for kind, word in words])


def _points(spec: GameSpec, points: Sequence[int]) -> Words:
    """Points by bot."""
    named = zip(spec.seats, points, strict=True)
    return _joined([("name", name), ("", " "), ("score", str(number))] for name, number in named)


def _joined(parts: Iterable[Words], separator: str = ", ") -> Words:
    """Texts with something between them; empty ones are left out."""
    words: Words = []
    for part in parts:
        if words and part:
            words.append(("", separator))
        words += part
    return words


def _sorted(mask: int) -> Words:
    """A hand sorted into melds and the rest, in a column, with the count of the rest behind."""
    melds = best_melds(mask)
    left = mask & ~sum(melds)
    words = _melded(melds, left)
    fill = _CARDS_WIDTH - sum([len(word) for _, word in words])
    return [*words, ("", f"{' ' * fill}{pips(left):4}")]


def _melded(melds: Iterable[int], left: int) -> Words:
    parts = [[("", "("), *_cards(meld), ("", ")")] for meld in melds]
    return _joined([*parts, _cards(left)], " ")


def _cards(mask: int) -> Words:
    return _joined(([_card(card)] for card in by_rank(mask)), " ")


def _card(card: int) -> tuple[str, str]:
    return "red" if suit_of(card) in {1, 2} else "black", CARD_TEXT[card]


def _one_line(text: str) -> str:
    """Words of a bot, without what could move the cursor of a terminal."""
    return "".join([letter if letter.isprintable() else " " for letter in text]).strip()


def _shown(card: int) -> Words:
    """The card of a move, after what was done; nothing where it has none."""
    return [] if card == HIDDEN else [("", " "), _card(card)]
