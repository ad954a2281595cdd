"""Whole games as text, move by move: what a change of the rules, the dealing or the scoring would change is seen here.

The player is fixed: it decides by its view and the turn's seed alone.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random

from arena.cards import CARD_TEXT, cards_text, mask_of, mask_text
from arena.dealer.table import FaultCost, Table, TableRules, first_roles
from arena.dealer.values import GameRecord, GameSpec, HandRecord
from arena.dealing import master_seed, role_draw
from arena.melds import best_defence, best_melds, deadwood_after
from arena.players.faults import Failure, Fault
from arena.records.notation import encode
from arena.rules.actions import PASS, PILE, STOCK, TAKE, Action, ActionKind, big_gin, defend, discard, knock
from arena.rules.game import Game, GameFormat, Play
from arena.rules.options import Rules, rules_from
from arena.rules.result import HandResult
from arena.rules.showdown import terms
from arena.rules.view import Advice, GameKind, HandView, Turn, TurnKind

SEED = master_seed("golden")
NAMES = ("ann", "bob", "cid")
IN_FULL = 2
"""Hands of which every turn is written; of the others one line in the notation of records."""


@dataclass(frozen=True)
class Playthrough:
    """One game. faults: how often a turn is answered by a fault instead."""

    format: GameFormat
    group: int = 0
    faults: float = 0.0
    cost: FaultCost = FaultCost.HAND

    def text(self) -> str:
        """The game as text, lines ended."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        spec = GameSpec(0, self.group, 0, NAMES[: self.format.seats])
        shared = TableRules(self.format, SEED, cost=self.cost)
        record, turns = self._play(spec, shared)
        yield from self._heading()
        game = Game(self.format, first_roles(shared, self.group))
        for hand in record.hands:
            yield from ("", _dealt(self.format.rules, hand))
            yield from turns[hand.number] if hand.number <= IN_FULL else [encode(hand)]
            yield from _scored(hand.result)
            game.record(hand.result)
            yield _score(game)
        yield ""
        yield from _over(record)

    def _play(self, spec: GameSpec, shared: TableRules) -> tuple[GameRecord, dict[int, list[str]]]:
        """Play the game. Returns its record and the turns as text, by hand."""
        table = Table(spec, shared, advisers=(True,) * self.format.seats)
        turns: dict[int, list[str]] = defaultdict(list)
        while table.asked is not None:
            turn, name = table.asked, spec.seats[table.seat]
            dice = Random(turn.seed).random
            if dice() < self.faults:
                did = "fails"
                table.fault(Failure(Fault.CRASH, "it was to fail"))
            else:
                action = choose(turn.view, dice(), dice())
                did = f"advises {action}" if turn.advising else str(action)
                if turn.advising:
                    table.advise(Advice(action, "so"))
                else:
                    table.decide(action)
            lines = turns[turn.frame.hand_number]
            lines.append(f"{len(lines) + 1:3} {name} {_seen(turn)} => {did}")
        return table.record(), turns

    def _heading(self) -> Iterator[str]:
        format_ = self.format
        scoring = "hollywood" if format_.hollywood else "single"
        yield f"{format_.game.name.lower().replace('_', '-')}, {scoring}, {format_.play}; deal group {self.group}"
        options = [f"{name} {value}" for name, value in format_.rules.as_text().items() if value != _HOUSE[name]]
        yield f"rules: house, but {', '.join(options)}" if options else "rules: house"
        if format_.seats == 3:
            for round_ in role_draw(SEED, self.group).rounds:
                yield f"drawn for roles: {', '.join(f'{NAMES[seat]} {CARD_TEXT[card]}' for seat, card in round_)}"


_HOUSE = Rules().as_text()


def choose(view: HandView, chance: float, other: float) -> Action:
    """What the player does. chance, other: its dice, from 0 to 1."""
    held = mask_of(view.hand)
    if view.kind is TurnKind.DEFEND:
        if not view.knocker_unmatched:
            return defend(best_melds(held) if chance < 0.5 else None)
        melds = tuple(mask_of(meld) for meld in view.knocker_melds)
        return defend(*best_defence(held, melds)) if chance < 0.5 else defend()
    if view.kind is TurnKind.DISCARD:
        return _discard(view, chance, other)
    if view.legal[0] is ActionKind.PILE:  # the last discard, to knock with or to leave
        return PILE if chance < 0.7 else PASS
    eleven = held | 1 << view.discard_pile[-1]
    wants = min(deadwood_after(eleven, view.hand)) + 3 <= view.deadwood[0]
    if view.kind is TurnKind.UPCARD:
        return TAKE if wants else PASS
    return PILE if wants else STOCK


def _discard(view: HandView, chance: float, other: float) -> Action:
    held = mask_of(view.hand)
    if ActionKind.BIG_GIN in view.legal:
        return big_gin()
    best = min(view.deadwood)
    if view.knocks and (ActionKind.DISCARD not in view.legal or chance < 0.6):
        card = view.discards[view.deadwood.index(best)]
        return knock(card, best_melds(held ^ 1 << card) if other < 0.5 else None)
    equals = [card for card, left in zip(view.discards, view.deadwood, strict=True) if left == best]
    return discard(equals[int(other * len(equals))])


def _dealt(rules: Rules, hand: HandRecord) -> str:
    """The heading of a hand: who has which part in it, and on what terms."""
    seats = [seat for seat in hand.roles if seat is not None]
    parts = [f"{NAMES[seat]} {part}" for seat, part in zip(seats, _PARTS[len(seats)], strict=True)]
    upcard = hand.deck[20]
    limit, multiplier = terms(rules, upcard)
    doubled = ", doubled" if multiplier > 1 else ""
    return f"hand {hand.number}: {', '.join(parts)}; upcard {CARD_TEXT[upcard]}, limit {limit}{doubled}"


_PARTS = {2: ("non-dealer", "dealer"), 3: ("captain", "box", "out")}


def _seen(turn: Turn) -> str:
    """What a player sees, in short."""
    view = turn.view
    words = [f"{view.kind.name.lower():7} {cards_text(view.hand)}"]
    if view.drawn is not None:
        words.append(f"drew {CARD_TEXT[view.drawn]}")
    if view.discard_pile:
        words.append(f"pile {len(view.discard_pile)} {CARD_TEXT[view.discard_pile[-1]]}")
    words.append(f"stock {view.stock}")
    if view.opponent_known:
        words.append(f"known {cards_text(view.opponent_known)}")
    words.append(f"leaves {' '.join(map(str, view.deadwood))}")
    if view.knocks:
        words.append(f"may knock with {cards_text(view.knocks)}")
    if view.knocker_melds:
        words.append(f"against {_melds(map(mask_of, view.knocker_melds))}, {cards_text(view.knocker_unmatched)}")
    if turn.advice is not None:
        words.append(f"advised {turn.advice.action}")
    return " | ".join(words)


def _scored(result: HandResult) -> Iterator[str]:
    """How a hand ended."""
    sides = ("non-dealer", "dealer")
    if result.knocker is None:
        yield f"    {result.kind}"
        return
    winner = "nobody" if result.winner is None else sides[result.winner]
    counts = f"{result.knocker_deadwood} against {result.defender_deadwood}"
    yield f"    {result.kind} of the {sides[result.knocker]}, {counts}: {winner} {result.points}"
    laid_off = mask_text(result.layoffs) or "nothing"
    yield f"    {_melds(result.melds)}; {_melds(result.defender_melds)}; laid off {laid_off}"


def _melds(melds: Iterable[int]) -> str:
    return " / ".join(mask_text(meld) for meld in melds) or "no melds"


def _score(game: Game) -> str:
    """The score by seat, and as the last seat is told it, which stands first in that."""
    seat = len(game.totals) - 1
    scores = game.scores(seat)
    columns = "".join(
        f"; {'-'.join(map(str, column))}{'' if open_ else ' closed'}"
        for column, open_ in zip(scores.columns, scores.open, strict=True)
    )
    told = "-".join(map(str, scores.totals))
    return f"    score {'-'.join(map(str, game.totals))}; as {NAMES[seat]} is told {told}{columns}"


def _over(record: GameRecord) -> Iterator[str]:
    """What the game came to, by seat."""
    outcome = record.outcome
    yield f"over: {outcome.ending}"
    for what in ("points", "totals", "margins", "places", "hands_won"):
        yield f"{what}: {_by_seat(getattr(outcome, what))}"
    for number, column in enumerate(outcome.columns, 1):
        winner = "nobody" if column.winner is None else NAMES[column.winner]
        yield f"G{number}: {winner}; {_by_seat(column.points)}; {_by_seat(column.totals)}; {_by_seat(column.margins)}"
    for fault in record.faults:
        yield f"fault of {NAMES[fault.seat]} in hand {fault.hand}: {fault.fault}, {fault.detail}"


def _by_seat(values: Iterable[float]) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in zip(NAMES, values, strict=False))


def _of(
    game: GameKind, group: int = 0, *, hollywood: bool = False, play: Play = Play.GAMES, **rules: object
) -> Playthrough:
    options = rules_from(rules, oklahoma=game is GameKind.OKLAHOMA)
    return Playthrough(GameFormat(game, hollywood, play, options), group)


_GIN, _THREE_HAND, _OKLAHOMA = GameKind

PLAYTHROUGHS = {
    "gin-single": _of(_GIN),
    "gin-hollywood": _of(_GIN, hollywood=True),
    "gin-deals": _of(_GIN, play=Play.DEALS),
    "three-hand-single": _of(_THREE_HAND, 1),
    "three-hand-hollywood": _of(_THREE_HAND, hollywood=True),
    "three-hand-deals": _of(_THREE_HAND, play=Play.DEALS),
    "oklahoma-single": _of(_OKLAHOMA, spade_doubles=True),
    "oklahoma-hollywood": _of(_OKLAHOMA, hollywood=True),
    "oklahoma-deals": _of(_OKLAHOMA, play=Play.DEALS),
    "preset-house": _of(_GIN, 1, preset="house"),
    "preset-pagat": _of(_GIN, 1, preset="pagat"),
    "preset-modern": _of(_GIN, 328, preset="modern"),  # with a big gin
    "preset-gra": _of(_GIN, 1, preset="gra"),
    "preset-eaai": _of(_GIN, 1, preset="eaai"),
    "straight-gin": _of(_GIN, knock_limit=0),
    "one-ended-stock": _of(_GIN, stock="top"),
    "tie-scores-nothing": _of(_GIN, 11, undercut_on_tie=False),
    "last-discard": _of(_GIN, 4, preset="gra", knock_limit=0, target=50),
    "captain-and-out-as-a-team": _of(_THREE_HAND, captain_points="team", knock_limit="upcard"),
    "hand-forfeited": replace(_of(_GIN), faults=0.01),
    "game-forfeited": replace(_of(_GIN), faults=0.01, cost=FaultCost.GAME),
}
"""Every golden game, by the name of its file."""
