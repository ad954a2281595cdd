"""What a failure is told by: what was asked, and what stands behind it."""

from arena.players.faults import Fault
from arena.players.memory import ran_out_of_memory
from arena.players.place import last_words
from arena.players.process import MOST_OUTPUT, BotProcess
from arena.protocol.v1.player_pb2 import PlayRequest, TurnKind


def cause(process: BotProcess, seen: tuple[Fault, str], output: str, *, limited: bool) -> tuple[Fault, str]:
    """What stands behind the failure of a process, and in words: the arena, a limit or the machine may have ended it.

    seen: what it looks like. output: the end of what it has printed. limited: whether each process has limits.
    """
    if process.unboxed:
        return Fault.SPAWN, f"no sandbox could be made for the bot: {last_words(output)}"
    if process.overflowed:
        return Fault.TOO_MUCH_OUTPUT, f"the process printed more than {MOST_OUTPUT >> 20} MiB"
    if process.out_of_memory() or (limited and process.exited.done() and ran_out_of_memory(output)):
        return Fault.OUT_OF_MEMORY, "the process ran out of memory"
    fault, told = seen
    return (Fault.KILLED if process.killed else fault), told


def asked_for(request: PlayRequest) -> str:
    """What was asked."""
    turns = request.turns
    if not turns:
        return "told of what has ended"
    if len(turns) > 1:
        return "several decisions asked at once"  # how many is chance, and what is told is part of the record
    kind = TurnKind.Name(turns[0].kind).removeprefix("TURN_KIND_").lower()
    return f"advice on {kind} asked" if turns[0].advising else f"{kind} asked"
