"""A real HTTP server that answers `POST /v1/embeddings` as a test scripts it."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, Any]
"""Status, and a body: bytes as they are, anything else as JSON."""


def vectors_for(texts: list[str], dimension: int = 4) -> dict[str, Any]:
    """A sound answer: the first component grows with the length of the text, the rest is one."""
    rows = [[float(len(text))] + [1.0] * (dimension - 1) for text in texts]
    return {"data": [{"index": at, "embedding": row} for at, row in enumerate(rows)]}


class ScriptedEndpoint:
    """What was asked, and the function that answers the next requests."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.answer: Callable[[dict[str, Any]], Answer] = lambda request: (200, vectors_for(request["input"]))
        self.extra_headers: dict[str, str] = {}
        self.url = ""
        self.callers: list[Any] = []
        """Whatever a test opened on it, for its fixture to close."""


@contextlib.contextmanager
def serving_endpoint() -> Iterator[ScriptedEndpoint]:
    """The endpoint on a free port, for the length of a block."""
    script = ScriptedEndpoint()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            script.requests.append({"path": self.path, **request})
            script.headers.append({name.lower(): value for name, value in self.headers.items()})
            status, body = script.answer(request)
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in script.extra_headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            # A caller that gave up waiting has closed the connection: that is what the test is about.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    script.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
