"""A program for the bridge, with nothing of the arena in it. It plays as the sample bot `simple` does.

It is told a way and a text. What a way does is done at the turns that are doomed, one in `EVERY` by their seeds:

    say      the text is written instead of an answer, `ID` in it being the turn's id
    after    the same, after the answer
    exit     it ends with the text as its exit code
    kill     it is ended by SIGKILL, when it has written the text and no end of the line
    close    it closes its output and stays
    sleep    it never answers

and at all times:

    stay     it does not end when its input ends
    trace    it says on standard error what lines it reads
    extra    its answers have fields and spaces that nobody needs
    reverse  it reads as many turns as the text says before it answers, the last one first
"""

import json
import os
import signal
import sys
import time
from typing import Any

EVERY = 53
WAY, TEXT = [*sys.argv[1:], "", ""][:2]


def makes_meld(card: int, hand: list[int]) -> bool:
    rank = card % 13
    beside = [card + step for step in (-2, -1, 1, 2) if 0 <= rank + step < 13 and card + step in hand]
    run = any({low, low + 1, low + 2} <= {*beside, card} for low in (card - 2, card - 1, card))
    return run or sum(other % 13 == rank for other in hand) >= 2


def decision(turn: dict[str, Any]) -> dict[str, object]:
    kind = turn["kind"]
    if kind == "TURN_KIND_DEFEND":
        return {"action": "ACTION_DEFEND"}
    if kind == "TURN_KIND_DISCARD":
        least = min(turn["deadwood"])
        best = [card for card, left in zip(turn["discards"], turn["deadwood"], strict=True) if left == least]
        card = max(best, key=lambda card: (card % 13, card))
        return {"action": "ACTION_KNOCK" if card in turn["knocks"] else "ACTION_DISCARD", "card": card}
    take, leave = ("ACTION_TAKE", "ACTION_PASS") if kind == "TURN_KIND_UPCARD" else ("ACTION_PILE", "ACTION_STOCK")
    return {"action": take if makes_meld(turn["discard_pile"][-1], turn["hand"]) else leave}


def misbehave(turn: dict[str, Any]) -> None:
    if WAY in {"say", "after"}:
        print(TEXT.replace("ID", turn["id"]), flush=True)
    elif WAY == "exit":
        print("no such card", file=sys.stderr)
        sys.exit(int(TEXT))
    elif WAY == "kill":
        print(TEXT, end="", flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    elif WAY == "close":
        os.close(1)
    if WAY in {"close", "sleep"}:
        time.sleep(3600)


def answer(turn: dict[str, Any]) -> None:
    given = {"turn_id": turn["id"], **decision(turn)}
    if turn["advising"]:
        given["text"] = f"as I would, holding {len(turn['hand'])} \u2660"
    if WAY == "extra":
        given = {"note": [1, {"melds": 2}], "card": None, "melds": None, "layoffs": None, "text": "", **given}
    print(json.dumps(given, indent=None, separators=(" , ", " : ") if WAY == "extra" else None), flush=True)


def main() -> None:
    waiting: list[dict[str, Any]] = []
    for line in sys.stdin:
        ((kind, message),) = json.loads(line).items()
        if WAY == "trace":
            print(kind, json.dumps(message), file=sys.stderr, flush=True)
        if kind != "turn":
            continue
        waiting.append(message)
        if WAY == "reverse" and len(waiting) < int(TEXT):
            continue
        for turn in waiting[::-1]:
            bad = int(turn["seed"]) % EVERY == 0
            if not (bad and WAY == "say"):
                if bad and WAY != "after":
                    misbehave(turn)
                answer(turn)
            if bad and WAY in {"say", "after"}:
                misbehave(turn)
        waiting.clear()
    if WAY == "stay":
        time.sleep(3600)


if __name__ == "__main__":
    main()
