"""Checks what was fixed of a run before its first card: seed, configuration, schedule. See `arena.records.verify`."""

import json
import re
from itertools import permutations
from typing import NamedTuple

from arena import dealing
from arena.dealer.table import FaultCost
from arena.errors import RecordError
from arena.records.digest import PlanDigest
from arena.records.info import RunInfo
from arena.records.store import INFO, Run
from arena.rules.view import GAMES


class Settings(NamedTuple):
    """What verification needs of the configuration. named: what `RunInfo` says too."""

    named: dict[str, object]
    groups: int
    cost: FaultCost
    quarantine_after: int


def check_plan(run: Run) -> Settings:
    """Check the plan of a run. Raises `RecordError` at the first difference."""
    settings = _settings(run.info)
    _check_info(run.info, settings.named)
    _check_schedule(run, settings.groups)
    return settings


def _settings(info: RunInfo) -> Settings:
    try:
        config = json.loads(info.config)
        named = {key: config[key] for key in ("name", "game", "scoring", "play", "rules")}
        groups, faults = int(config["groups"]), config["faults"]
        if groups > 0:
            return Settings(named, groups, FaultCost(faults["cost"]), int(faults["quarantine_after"]))
    except (ValueError, KeyError, TypeError):
        pass
    raise RecordError(f"configuration: expected a series with every setting, found {info.config!r:.80}")


def _check_info(info: RunInfo, named: dict[str, object]) -> None:
    seed = _bytes("seed", info.seed)
    if info.secret is None:
        same("commitment to the seed", dealing.commitment(seed), info.commitment)
    else:
        secret = _bytes("secret", info.secret)
        same("commitment to the secret", dealing.commitment(secret), info.commitment)
        if not info.amended:  # else it is the seed of the earlier run, and of the bots of that one
            same("seed", dealing.contest_seed(secret, [bot.content_hash for bot in info.bots]).hex(), info.seed)
    format_ = info.format
    same("configuration: name", info.name, named["name"])
    same("configuration: game", format_.game, GAMES.get(str(named["game"])))
    same("configuration: scoring", "hollywood" if format_.hollywood else "single", named["scoring"])
    same("configuration: play", format_.play, named["play"])
    rules = named["rules"]
    for option, value in format_.rules.as_dict().items():
        same(f"configuration: rules: {option}", value, rules.get(option) if isinstance(rules, dict) else rules)


def _bytes(name: str, text: str) -> bytes:
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise RecordError(f"{name}: expected 64 hexadecimal digits, found {text}")
    return bytes.fromhex(text)


def _check_schedule(run: Run, rounds: int) -> None:
    """Check the order of the schedule and its digest."""
    digest = PlanDigest(INFO.text(run.info))
    orders = list(permutations(range(run.info.format.seats)))
    names = [bot.name for bot in run.info.bots]
    pairings, left = divmod(len(run), rounds * len(orders))
    same(f"schedule: games beyond {rounds} groups in {len(orders)} seatings", 0, left)
    first_round: list[list[str]] = []
    for index, spec in enumerate(run.games()):
        place = f"game {spec.index} of the schedule"
        rest, seating = divmod(index, len(orders))
        round_, pairing = divmod(rest, pairings)
        same(f"{place}: number", index, spec.index)
        same(f"{place}: seating", seating, spec.seating)
        same(f"{place}: different bots", len(orders[0]), len(set(spec.seats)))
        if round_ == 0 and seating == 0:
            first_round.append(sorted(spec.seats, key=names.index))
        same(f"{place}: seats", [first_round[pairing][bot] for bot in orders[seating]], list(spec.seats))
        digest.add(spec)
    same("digest of the plan", run.digest, digest.text())


def same(what: str, expected: object, found: object) -> None:
    """Raise `RecordError` for what is not as it should be."""
    if expected != found:
        raise RecordError(f"{what}: expected {expected}, found {found}")
