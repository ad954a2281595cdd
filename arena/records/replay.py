"""A recorded hand as text that a person can follow.

`arena.rules.words` says how cards are written, and what a style is.
"""

from collections.abc import Iterator, Sequence

from arena.cards import by_rank
from arena.dealer.values import AdviceRecord, FaultRecord, GameRecord, GameSpec
from arena.errors import InputError, printable
from arena.players.place import last_words
from arena.records.course import HandScored, course
from arena.records.info import RunInfo
from arena.rules.actions import ActionKind
from arena.rules.hand import Hand
from arena.rules.replay import replay_steps
from arena.rules.result import ResultKind
from arena.rules.view import GAME_NAMES
from arena.rules.words import (
    DID,
    DRAWS,
    PARTS,
    Style,
    Words,
    arithmetic,
    card_word,
    card_words,
    doubled_text,
    joined,
    laid_down,
    limit_text,
    plain,
    shown_card,
    sorted_hand,
    styled,
    width,
)

_DID_WIDTH = len("draws TS, declares big gin")
_INDENT = " " * 6


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
    return styled([("", f"The game is over ({outcome.ending}): "), *words, ("", bonuses)], style)


def fault_text(spec: GameSpec, fault: FaultRecord, style: Style = plain) -> str:
    """A fault in a line: whose, its kind, what was said of it, and the last that the bot has said itself."""
    words = last_words(fault.output)
    told = ("fault", printable(f"{fault.fault}, {fault.detail}{words and '; its last words: '}{words}"))
    return styled([("name", spec.seats[fault.seat]), ("", ": "), told], style)


class _Page:
    """Makes the lines of one hand."""

    def __init__(self, info: RunInfo, spec: GameSpec, record: GameRecord, scored: HandScored, style: Style) -> None:
        self._info = info
        self._spec = spec
        self._record = record
        self._hand = scored.hand
        self._style = style
        self._names = [spec.seats[seat] for seat in scored.hand.roles if seat is not None]
        self._name_width = max(width("upcard"), *map(width, self._names))
        self._played = Hand(info.format.rules, scored.hand.deck)

    def heading(self) -> Iterator[str]:
        """Which hand it is, who has which part in it, and what a knock may leave."""
        game = GAME_NAMES[self._info.format.game]
        hands, group = len(self._record.hands), self._spec.group
        title = f"Game {self._spec.index}, hand {self._hand.number} of {hands}: {game}, deal group {group}"
        yield self._text([("title", title)])
        parts = zip(self._names, PARTS[len(self._names)], strict=True)
        words = joined([("name", name), ("", f" {part}")] for name, part in parts)
        terms = f"{limit_text(self._played.limit)}{doubled_text(self._played.multiplier)}"
        yield self._text([*words, ("", f"; {terms}")])

    def score(self, when: str, scored: HandScored | None) -> str:
        """The points by seat, none before the first hand."""
        totals = scored.totals if scored else (0,) * len(self._names)
        words = _points(self._spec, totals)
        columns = enumerate(scored.columns if scored else (), 1)
        told = ", ".join([f"column {number} {'-'.join(map(str, column))}" for number, column in columns])
        return self._text([("", f"{when}: "), *words, ("", f" in all; {told}" if told else "")])

    def play(self) -> Iterator[str]:
        """The deal, and a line for every turn, with the number of its first move; advice stands before it."""
        for position in (0, 1):
            yield self._row(self._names[position], [("", "is dealt")], sorted_hand(self._played.deal.masks[position]))
        yield self._row("upcard", [card_word(self._played.deal.upcard)])
        yield ""
        hand = self._hand
        advice = {given.move: given for given in hand.advice}
        words: Words = []
        position = told = began = 0
        for played in replay_steps(self._info.format.rules, hand.deck, hand.moves, hand.result):
            self._played = played
            while told < len(played.moves):
                head, card = played.moves[told : told + 2]
                position, kind = head >> 4, ActionKind(head & 15)
                began = began if words else told // 2 + 1
                told += 2
                if kind is ActionKind.DEFEND:
                    continue
                words = joined([words, [("", DID[kind]), *shown_card(card)]])
                if kind not in DRAWS:
                    yield self._turn(began, position, words, kind)
                    words = []
            if given := advice.pop(told // 2, None):
                yield self._advice(given)
        if words:  # a turn that was not finished
            yield self._turn(began, position, words)

    def end(self) -> Iterator[str]:
        """The showdown, the arithmetic, and what went wrong."""
        result = self._hand.result
        masks = self._played.deal.masks
        if result.knocker is not None and result.kind is not ResultKind.FORFEIT:
            knocker, defender = result.knocker, 1 - result.knocker
            yield self._row(self._names[knocker], [("", "goes down")], laid_down(masks[knocker], result.melds))
            off: Words = [("", "lays off "), *card_words(by_rank(result.layoffs))]
            left = laid_down(masks[defender] & ~result.layoffs, result.defender_melds)
            yield self._row(self._names[defender], off if result.layoffs else [("", "lays down")], left)
        yield self._text([("", _INDENT), *arithmetic(result, self._played.multiplier, self._names)])

    def _turn(self, began: int, position: int, words: Words, kind: ActionKind | None = None) -> str:
        held = [] if kind is ActionKind.PASS else sorted_hand(self._played.deal.masks[position])
        return self._row(self._names[position], words, held, str(began))

    def _advice(self, given: AdviceRecord) -> str:
        said = f', saying "{printable(given.text)}"' if given.text else ""
        return self._row(self._names[-1], [("advice", f"advises {given.action}{said}")])

    def _row(self, name: str, did: Words, held: Words | None = None, number: str = "") -> str:
        """A line in columns: number, name, what was done, cards."""
        columns = [("", f"{number:>4}  "), ("name", name), ("", " " * (self._name_width - width(name) + 2)), *did]
        fill = _DID_WIDTH - sum([width(word) for _, word in did]) + 2
        return self._text([*columns, ("", " " * fill), *held] if held else columns)

    def _text(self, words: Words) -> str:
        return styled(words, self._style)


def _points(spec: GameSpec, points: Sequence[int]) -> Words:
    """Points by bot."""
    named = zip(spec.seats, points, strict=True)
    return joined([("name", name), ("", " "), ("score", str(number))] for name, number in named)
