"""A bot that misbehaves in the way its argument names, in the raw protocol. Without one it answers every turn."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc

from arena.protocol.v1.player_pb2 import (
    ACTION_STOCK,
    Decision,
    HelloRequest,
    HelloResponse,
    Link,
    PlayRequest,
    PlayResponse,
)

WAY, VALUE = [*sys.argv[1:], "", ""][:2]
FOR_EVER = 3600


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def answers(request: PlayRequest) -> list[Decision]:
    return [Decision(turn_id=turn.id, action=ACTION_STOCK) for turn in request.turns]


def hello(request: HelloRequest, context: grpc.ServicerContext) -> HelloResponse | bytes:
    if WAY == "hangs in hello":
        time.sleep(FOR_EVER)
    if WAY == "raises in hello":
        raise ValueError("no manners")
    if WAY == "garbles hello":
        return b"\xff\xff\xff"
    version = 2 if WAY == "speaks version 2" else 1
    return HelloResponse(protocol_version=version, name="misbehaving", version="0.1", max_batch=64, advises=True)


def play(requests: Iterator[PlayRequest], context: grpc.ServicerContext) -> Iterator[PlayResponse | bytes]:
    for request in requests:
        yield from PLAY.get(WAY, answer)(request)
        if WAY in ("closes its stream", "answers half and closes"):
            return
    if WAY.startswith("says goodbye"):
        say("goodbye")
    if WAY == "says goodbye and clings":
        given_up = threading.Event()
        if context.add_callback(given_up.set):
            given_up.wait()
        os._exit(0)
    if WAY == "says goodbye and ends":
        threading.Timer(0.1, os._exit, (0,)).start()


def answer(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    yield PlayResponse(decisions=answers(request))


def answer_one_by_one(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    for decision in reversed(answers(request)):
        yield PlayResponse(decisions=[decision])
        yield PlayResponse()


def exit_with(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    say("leaving\n")
    os._exit(int(VALUE))
    yield from ()


def end_by(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    say("goodbye")
    os.kill(os.getpid(), getattr(signal, VALUE))
    time.sleep(FOR_EVER)
    yield from ()


def crash_on(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    if any(turn.id == int(VALUE) for turn in request.turns):
        os._exit(1)
    yield from answer(request)


def raise_error(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    raise ValueError("cannot play this")
    yield from ()


def leave_politely(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    say("leaving")
    sys.exit(0)
    yield from ()


def sleep(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    say("thinking")
    (Path.home() / "asked").touch()
    time.sleep(FOR_EVER)
    yield from ()


def nap(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    time.sleep(float(VALUE))
    yield from answer(request)


def spin(seconds: float = FOR_EVER) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def work(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    spin(float(VALUE))
    yield from answer(request)


def work_in_threads(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    threads = [threading.Thread(target=spin, args=(float(VALUE),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    yield from answer(request)


def claim_to_be_away(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    yield PlayResponse(link=Link(away=True, round_trip_us=3_600_000_000))
    time.sleep(FOR_EVER)


def answer_half(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    decisions = answers(request)
    yield PlayResponse(decisions=decisions[: len(decisions) // 2])


def answer_twice(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    yield PlayResponse(decisions=answers(request) * 2)


def answer_again_later(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    yield from answer(request)
    yield from answer(request)


def answer_another(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    yield PlayResponse(decisions=[Decision(turn_id=999, action=ACTION_STOCK)])


def answer_too_much(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    yield PlayResponse(decisions=[Decision(turn_id=turn.id, text="x" * 2_000_000) for turn in request.turns])


def answer_garbage(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    yield b"\xff\xff\xff"


def flood(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    say("the first line")
    for _ in range(1000):
        sys.stderr.write("one line of a thousand\n" * 1000)
    say("the last line")
    yield from answer(request)


def start_child(request: PlayRequest) -> Iterator[PlayResponse | bytes]:
    subprocess.Popen(["sleep", str(FOR_EVER)])
    yield from answer(request)


PLAY: dict[str, Callable[[PlayRequest], Iterator[PlayResponse | bytes]]] = {
    "answers one by one": answer_one_by_one,
    "exits with": exit_with,
    "ends by": end_by,
    "crashes on": crash_on,
    "raises": raise_error,
    "calls sys.exit": leave_politely,
    "sleeps": sleep,
    "naps": nap,
    "works": work,
    "works in threads": work_in_threads,
    "spins unimportantly": work,
    "claims to be away": claim_to_be_away,
    "answers half": answer_half,
    "answers half and closes": answer_half,
    "looks around": crash_on,
    "answers twice": answer_twice,
    "answers again later": answer_again_later,
    "answers another": answer_another,
    "answers too much": answer_too_much,
    "answers garbage": answer_garbage,
    "floods": flood,
    "starts a child": start_child,
}


def serialized(message: HelloResponse | PlayResponse | bytes) -> bytes:
    return message if isinstance(message, bytes) else message.SerializeToString()


def serve() -> None:
    handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
        "Hello": grpc.unary_unary_rpc_method_handler(hello, HelloRequest.FromString, serialized),
        "Play": grpc.stream_stream_rpc_method_handler(play, PlayRequest.FromString, serialized),
    }
    server = grpc.server(ThreadPoolExecutor(4))
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("arena.v1.Player", handlers),))
    listen = os.environ["ARENA_LISTEN"]
    port = server.add_insecure_port(listen.removeprefix("tcp:"))
    server.start()
    if listen.startswith("tcp:"):
        print("warming up", flush=True)
        print(f"ARENA-READY 127.0.0.1:{port}", flush=True)
    server.wait_for_termination()


if __name__ == "__main__":
    if WAY == "crashes at start":
        say("Traceback of sorts")
        sys.exit("no such opening book")
    if WAY == "never listens":
        say("loading")
        time.sleep(FOR_EVER)
    if WAY == "ignores TERM":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if WAY == "spins unimportantly":
        os.setpriority(os.PRIO_PROCESS, 0, 19)  # here: when it is asked, it may be long in getting to it
    if WAY == "looks around":
        say("\n".join(f"{name}={value}" for name, value in sorted(os.environ.items())))
        say(f"cwd={Path.cwd()} home={list(Path.home().iterdir())} session={os.getsid(0) == os.getpid()}")
        (Path.home() / "memory").mkdir()
        (Path.home() / "memory" / "deck").write_text("all of it")
        (Path.home() / "memory").chmod(0o500)
    serve()
