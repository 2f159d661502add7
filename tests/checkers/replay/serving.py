"""A server that plays recorded streams in the wire format, and does with each connection what a test says."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Play:
    """What becomes of one connection."""

    pieces: Sequence[bytes] = ()
    """What is sent, each as a chunk of its own."""
    status: int = 200
    ends_whole: bool = True
    """Whether the end is told; else the connection is cut."""
    holds: bool = False
    """Whether the connection stays open and silent until the test is over."""


@dataclass
class Served:
    """A server that runs, and what it was asked."""

    plays: list[Play]
    address: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    is_over: threading.Event = field(default_factory=threading.Event)

    @property
    def indexes(self) -> list[int]:
        return [int(each["query"]["index"][0]) for each in self.asked]


@contextmanager
def serve(*plays: Play) -> Iterator[Served]:
    """Serve one play a connection; after the last one every further connection fails."""
    served = Served(list(plays))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            headers = {name: value for name, value in self.headers.items() if name.startswith("X-")}
            served.asked.append({"path": parts.path, "query": parse_qs(parts.query), "headers": headers})
            play = served.plays.pop(0) if served.plays else Play(status=503)
            self.send_response(play.status)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for piece in play.pieces:
                self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
                self.wfile.flush()
            if play.holds:
                served.is_over.wait()
            if play.ends_whole:
                self.wfile.write(b"0\r\n\r\n")
            self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- as the library calls it
            """Say nothing on stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    served.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield served
    finally:
        served.is_over.set()
        server.shutdown()
        server.server_close()
        thread.join()
