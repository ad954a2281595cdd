"""One connection of a bot with its arena, frame by frame: just enough HTTP/2 and gRPC to answer it, and to mistreat it.

A bot of gRPC's own cannot do all that its peers may, and takes three times as long to start.
"""

import socket
import struct
from collections import deque
from collections.abc import Iterator

DATA, HEADERS, SETTINGS, PING, WINDOW_UPDATE = 0x0, 0x1, 0x4, 0x6, 0x8
ACK, END_STREAM, END_HEADERS = 0x1, 0x1, 0x4
INITIAL_WINDOW_SIZE = 0x4
"""A setting."""
LARGEST_FRAME = 16384
HELLO, PLAY = 1, 3
"""The streams of a client that opens two."""


def field(name: bytes, value: bytes) -> bytes:
    """A header, written out."""
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


STATUS_200 = b"\x88" + field(b"content-type", b"application/grpc")


class Wire:
    """The bot's end of a connection.

    A client may send only as much as it is given credit for, and so may the bot: both for each stream, and for the
    connection, which is stream 0.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._unread = b""
        self._parts = {HELLO: b"", PLAY: b""}
        self._messages: deque[tuple[int, bytes]] = deque()
        self._credit = {0: 65535, HELLO: 65535, PLAY: 65535}
        self._initial = 65535
        self._frame(SETTINGS, 0, 0)
        self._read(len(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))

    def messages(self) -> Iterator[tuple[int, bytes]]:
        """Each message that comes, with its stream. Ends when the client closes the stream of play."""
        while True:
            while not self._messages:
                if self._take_frame():
                    return
            yield self._messages.popleft()

    def send(self, stream: int, message: bytes) -> None:
        """Send a message, as fast as the client takes it."""
        self.send_data(stream, struct.pack(">BI", 0, len(message)) + message)

    def send_data(self, stream: int, data: bytes) -> None:
        """Send bytes, which ought to be messages, each with its length before it."""
        for start in range(0, len(data), LARGEST_FRAME):
            piece = data[start : start + LARGEST_FRAME]
            while min(self._credit[0], self._credit[stream]) < len(piece):
                self._take_frame()
            self._credit[0] -= len(piece)
            self._credit[stream] -= len(piece)
            self._frame(DATA, 0, stream, piece)

    def end(self, stream: int, status: int = 0, message: str = "") -> None:
        """End a stream with a status of gRPC."""
        trailers = field(b"grpc-status", str(status).encode()) + field(b"grpc-message", message.encode())
        self._frame(HEADERS, END_HEADERS | END_STREAM, stream, trailers)

    def write(self, data: bytes) -> None:
        """Write bytes, which ought to be frames."""
        self._socket.sendall(data)

    def hang_up(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _take_frame(self) -> bool:
        """Read a frame and do what it asks for. Returns whether it closes the stream of play."""
        head = self._read(9)
        kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
        payload = self._read(int.from_bytes(head[:3], "big"))
        if kind == HEADERS:
            self._credit[stream] = self._initial
            self._frame(HEADERS, END_HEADERS, stream, STATUS_200)
        elif kind == DATA:
            self._take_data(stream, payload)
        elif kind == SETTINGS and not flags & ACK:
            for setting, value in struct.iter_unpack(">HI", payload):
                if setting == INITIAL_WINDOW_SIZE:
                    for one in (HELLO, PLAY):
                        self._credit[one] += value - self._initial
                    self._initial = value
            self._frame(SETTINGS, ACK, 0)
        elif kind == PING and not flags & ACK:
            self._frame(PING, ACK, 0, payload)
        elif kind == WINDOW_UPDATE:
            self._credit[stream] += int.from_bytes(payload, "big")
        return kind in (DATA, HEADERS) and stream == PLAY and bool(flags & END_STREAM)

    def _take_data(self, stream: int, data: bytes) -> None:
        parts = self._parts[stream] + data
        while len(parts) >= 5 and len(parts) >= 5 + (size := int.from_bytes(parts[1:5], "big")):
            self._messages.append((stream, parts[5 : 5 + size]))
            parts = parts[5 + size :]
        self._parts[stream] = parts
        for one in (0, stream):
            if data:
                self._frame(WINDOW_UPDATE, 0, one, struct.pack(">I", len(data)))

    def _frame(self, kind: int, flags: int, stream: int, payload: bytes = b"") -> None:
        self.write(struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload)

    def _read(self, size: int) -> bytes:
        while len(self._unread) < size:
            more = self._socket.recv(65536)
            if not more:
                raise ConnectionResetError
            self._unread += more
        read, self._unread = self._unread[:size], self._unread[size:]
        return read
