"""Bots that make decisions which are none."""

from culprit import Moment, serve

from arena.protocol.v1 import player_pb2 as pb


def discard(moment: Moment, card: int | None = None) -> list[pb.Decision]:
    return [pb.Decision(turn_id=moment.turn.id, action=pb.ACTION_DISCARD, card=card)]


def meld(moment: Moment, *melds: bytes, layoffs: bytes = b"") -> list[pb.Decision]:
    declared = pb.Melds(melds=melds)
    return [pb.Decision(turn_id=moment.turn.id, action=pb.ACTION_DEFEND, melds=declared, layoffs=layoffs)]


serve({
    "chooses no action": lambda moment: [pb.Decision(turn_id=moment.turn.id)],
    "chooses an unknown action": lambda moment: [
        pb.Decision.FromString(pb.Decision(turn_id=moment.turn.id).SerializeToString() + b"\x10\x63")
    ],
    "names no card": discard,
    "names card 52": lambda moment: discard(moment, 52),
    "declares melds that overlap": lambda moment: meld(moment, b"\0\1\2", b"\2\3\4"),
    "declares six melds": lambda moment: meld(moment, *[b""] * 6),
    "lays off a million cards": lambda moment: meld(moment, layoffs=bytes(1_000_000)),
})  # fmt: skip
