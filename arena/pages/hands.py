"""Recorded hands as data for the page: the steps of each, with everything that takes rules to know.

The page only moves cards between a hand, the stock and the discard pile as the steps say. How a hand is arranged, what
is left over, and what the end is worth is told here, by the same code as on a terminal.

A card is a letter, `A` to `Z` and then `a` to `z`, in the order of `arena.cards`. A hand held is its melds, each ended
by a dot, then a slash, what is left over, and the count of that: `ABC.DEF./GHIJ 24`.
"""

from collections.abc import Iterable, Iterator, Sequence
from string import ascii_lowercase, ascii_uppercase

from arena.cards import DECK_SIZE, by_rank, pips
from arena.dealer.values import FaultRecord, GameRecord, GameSpec, HandRecord
from arena.errors import printable
from arena.melds import best_melds
from arena.records.course import HandScored, course
from arena.records.info import RunInfo
from arena.rules.actions import ActionKind
from arena.rules.hand import Hand
from arena.rules.replay import replay_steps
from arena.rules.result import ResultKind
from arena.rules.words import arithmetic, doubled_text, limit_text, plain, styled
from arena.standings.judging import findings

CARDS = ascii_uppercase + ascii_lowercase
"""The letter of each card."""
KIND_LETTERS = {
    ActionKind.PASS: "p",
    ActionKind.TAKE: "t",
    ActionKind.STOCK: "s",
    ActionKind.PILE: "t",
    ActionKind.DISCARD: "d",
    ActionKind.KNOCK: "k",
    ActionKind.BIG_GIN: "b",
}
"""What a step is; to take the upcard and to take a later discard moves the same card."""
_MOVES_ON = (ActionKind.DISCARD, ActionKind.KNOCK, ActionKind.BIG_GIN)

Data = dict[str, object]
"""An object of JSON."""


def game_data(spec: GameSpec, record: GameRecord, bots: dict[str, int]) -> Data:
    """A game. bots: the numbers of the bots on the page."""
    outcome = record.outcome
    return {
        "group": spec.group,
        "bots": [bots[name] for name in spec.seats],
        "hands": len(record.hands),
        "ending": outcome.ending.value,
        "totals": outcome.totals,
        "bonuses": outcome.totals != outcome.points,
    }


def hands_data(info: RunInfo, spec: GameSpec, record: GameRecord, wanted: Iterable[int]) -> Iterator[Data]:
    """The hands of a game by their numbers, in order. Raises `RecordError` for one that cannot be played again."""
    numbers = set(wanted)
    before: tuple[int, ...] = (0,) * len(spec.seats)
    for scored in course(info, spec, record):
        if scored.hand.number in numbers:
            faults = [fault for fault in record.faults if fault.hand == scored.hand.number]
            yield _hand_data(info, spec, scored, before, faults)
        before = scored.totals


def _hand_data(
    info: RunInfo, spec: GameSpec, scored: HandScored, before: tuple[int, ...], faults: list[FaultRecord]
) -> Data:
    hand = scored.hand
    dealt = Hand(info.format.rules, hand.deck)
    names = [spec.seats[seat] for seat in hand.roles if seat is not None]
    steps, final = _steps(info, hand)
    result = hand.result
    data: Data = {
        "game": spec.index,
        "hand": hand.number,
        "roles": [seat for seat in hand.roles if seat is not None],
        "before": before,
        "after": scored.totals,
        "terms": limit_text(dealt.limit) + doubled_text(dealt.multiplier),
        "dealt": [_held(dealt.deal.masks[position]) for position in (0, 1)],
        "upcard": CARDS[dealt.deal.upcard],
        "steps": "|".join(steps),
        "kind": result.kind.value,
        "winner": -1 if result.winner is None else hand.roles.seat(result.winner),
        "points": result.points,
        "told": styled(arithmetic(result, dealt.multiplier, names), plain),
    }
    if result.knocker is not None and result.kind is not ResultKind.FORFEIT:
        masks = final.deal.masks
        defender = masks[1 - result.knocker] & ~result.layoffs
        data["down"] = {
            "knocker": result.knocker,
            "melds": _laid_down(masks[result.knocker], result.melds),
            "layoffs": _letters(by_rank(result.layoffs)),
            "defence": _laid_down(defender, result.defender_melds),
        }
    if scored.columns:
        data["columns"] = scored.columns
    if hand.advice:
        data["advice"] = [[given.move, str(given.action), printable(given.text)] for given in hand.advice]
    if remarks := list(_remarks(info, hand)):
        data["remarks"] = remarks
    if faults:
        data["faults"] = [f"{spec.seats[fault.seat]}: {_fault_text(fault)}" for fault in faults]
    return data


def _fault_text(fault: FaultRecord) -> str:
    """Its kind and what was said of it; what the bot has printed is its author's alone."""
    return printable(f"{fault.fault.replace('_', ' ')}, {fault.detail}" if fault.detail else str(fault.fault))


def _remarks(info: RunInfo, hand: HandRecord) -> Iterator[Sequence[object]]:
    """What the audit has to say of decisions that cost points: move, position, hindsight or not, points, in words."""
    for found in findings(info.format.rules, hand):
        if found.points > 0:
            yield found.move, found.position, int(found.kind.hindsight), found.points, found.told


def _steps(info: RunInfo, hand: HandRecord) -> tuple[list[str], Hand]:
    """Every move but a defence: the position, what it was, its card or `-`, and where it ends a turn the cards held."""
    steps: list[str] = []
    told = 0
    played = Hand(info.format.rules, hand.deck)
    for played in replay_steps(info.format.rules, hand.deck, hand.moves, hand.result):
        moves = played.moves
        for at in range(told, len(moves), 2):
            position, kind = moves[at] >> 4, ActionKind(moves[at] & 15)
            if kind in KIND_LETTERS:
                card = CARDS[moves[at + 1]] if moves[at + 1] < DECK_SIZE else "-"
                held = _held(played.deal.masks[position]) if kind in _MOVES_ON else ""
                steps.append(f"{position}{KIND_LETTERS[kind]}{card}{held}")
        told = len(moves)
    return steps, played


def _held(mask: int) -> str:
    return _laid_down(mask, best_melds(mask))


def _laid_down(mask: int, melds: Iterable[int]) -> str:
    melds = tuple(melds)
    left = mask & ~sum(melds)
    return "".join([_letters(by_rank(meld)) + "." for meld in melds]) + f"/{_letters(by_rank(left))} {pips(left)}"


def _letters(cards: bytes) -> str:
    return "".join([CARDS[card] for card in cards])
