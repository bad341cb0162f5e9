"""Runs the server until Ctrl-C: on 127.0.0.1 alone, with a token that is new each time."""

from __future__ import annotations

import asyncio
import secrets
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from exporters.studio.app import Studio, studio_app
from generator.errors import BadInput

HOST = "127.0.0.1"
LIMIT = 30.0  # seconds that a connection may be open without a request


class Connection(H11Protocol):
    """A connection that is closed if it does not bring its next request in time.

    uvicorn itself waits for ever for the first request, and for the rest of one that has begun.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._expect()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._expect()

    def _expect(self) -> None:
        last = self.cycle  # None before the first request

        def look() -> None:
            if self.cycle is last and (last is None or last.response_complete):
                self.transport.close()

        self.loop.call_later(LIMIT, look)


class _StoppingServer(uvicorn.Server):
    """A server that ends its streams when it is asked to stop, and so need not wait for them."""

    def __init__(self, config: uvicorn.Config, studio: Studio, begun: Callable[[], None]) -> None:
        super().__init__(config)
        self._studio, self._begun = studio, begun
        # Shells start jobs in the background with Ctrl-C ignored.
        self._is_in_background = signal.getsignal(signal.SIGINT) is signal.SIG_IGN

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._begun()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if sig == signal.SIGINT and self._is_in_background:
            return  # Ctrl-C is for what is in front
        self._studio.stopping.set()
        super().handle_exit(sig, frame)


def serve(folder: Path, port: int, tell: Callable[[str], None]) -> None:
    """Serve a project's folder. `tell` gets the address when it can be opened.

    Port 0 is any that is free. Raises BadInput if the port is taken; Ctrl-C ends it with KeyboardInterrupt.
    """
    with _listening(port) as listening:
        port = listening.getsockname()[1]
        token = secrets.token_urlsafe(32)
        app, studio = studio_app(folder, token, port)
        config = uvicorn.Config(
            app,
            http=Connection,
            log_level="critical",  # what goes wrong is answered
            access_log=False,
            lifespan="on",
            ws="none",
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=int(LIMIT),
            timeout_graceful_shutdown=2,
        )
        server = _StoppingServer(config, studio, lambda: tell(f"http://{HOST}:{port}/?token={token}"))
        server.run(sockets=[listening])


def _listening(port: int) -> socket.socket:
    # With this number asyncio sends small answers at once, which else wait 40 ms for more.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform != "win32":  # there it would let two programs share a port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        reason = error.strerror or error
        raise BadInput(
            f"--port: {port}: cannot be listened on: {reason}; give another, or 0 for any free one"
        ) from None
    return listener
