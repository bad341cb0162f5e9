"""The command itself: a real server in a process of its own."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import Mock

import httpx2 as httpx
import pytest
import uvicorn
from click.testing import CliRunner
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

import exporters
from exporters.studio import serving
from generator import installed
from generator.cli import main
from tests.engines import HANG
from tests.exporters.studio.page import make_project
from tests.interrupts import ctrl_c_is_heard

pytestmark = pytest.mark.xdist_group("studio")


# The command, whose work on something out of date is stopped sooner.
IMPATIENT = """
from exporters.studio import workers
workers.PATIENCE = 0.3
from generator.cli import main
main()
"""


class Server:
    """`undercroft studio` in a folder, on any free port."""

    def __init__(self, folder: Path) -> None:
        with ctrl_c_is_heard():
            self.process = subprocess.Popen(
                [sys.executable, "-c", IMPATIENT, "studio", str(folder), "--port", "0", "--no-browser"],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()
        self.origin = self.address.partition("/?")[0]
        self.client = httpx.Client(
            base_url=self.origin, headers={"origin": self.origin}, follow_redirects=True, timeout=HANG
        )

    def close(self) -> None:
        self.client.close()
        self.process.kill()
        self.process.communicate()

    @property
    def port(self) -> int:
        return int(self.origin.rpartition(":")[2])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(make_project(tmp_path_factory.mktemp("served")))
    try:
        yield found
    finally:
        found.close()


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"\x16\x03\x01\xff\0" * 50 + b"\r\n\r\n", id="no HTTP"),
        pytest.param(b"GET /\r\n\r\n", id="no version"),
        pytest.param(b"GET / HTTP/1.0\r\n\r\n", id="no host"),
        pytest.param(b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", id="a negative length"),
        pytest.param(b"POST / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", id="two hosts"),
        pytest.param(b"GET http://127.0.0.1/ HTTP/1.1\r\nHost: x\r\n\r\n", id="a proxy's address"),
        pytest.param(b"CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n", id="a tunnel"),
        pytest.param(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", id="HTTP/2"),
    ],
)
def test_what_no_browser_of_ours_sends_is_refused_and_its_connection_closed(
    server: Server, sent: bytes
) -> None:
    with socket.create_connection(("127.0.0.1", server.port), HANG) as other:
        other.sendall(sent)
        said = b"".join(iter(lambda: other.recv(65536), b""))
    assert said.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 403 "))


def test_connections_that_ask_nothing_keep_nobody_out(server: Server) -> None:
    with ExitStack() as stack:
        for number in range(250):
            idle = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), HANG))
            idle.sendall(b"GET / HT" if number % 2 else b"")
        assert httpx.get(server.address, timeout=HANG).status_code == 303


WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "is_answered", "is_closed"),
    [
        (b"", True, True),
        (b"GET / HT", True, True),
        (WHOLE + b"GET / HT", True, True),
        (WHOLE, False, False),  # an answer may take as long as it likes
    ],
)
def test_a_connection_whose_request_does_not_come_is_closed(
    sent: bytes, is_answered: bool, is_closed: bool
) -> None:
    made: list[serving.Connection] = []

    async def session() -> None:
        answer, asked, later = asyncio.Event(), asyncio.Event(), list[Callable[[], object]]()
        loop = asyncio.get_running_loop()

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            asked.set()
            await answer.wait()
            await PlainTextResponse("here")(scope, receive, send)

        def connection() -> serving.Connection:
            made.append(serving.Connection(config, ServerState(), {}))
            made[0].loop = Mock(loop, wraps=loop, call_later=lambda _, act: later.append(act))
            return made[0]

        config = uvicorn.Config(app, log_level="critical", lifespan="off")
        listening = await loop.create_server(connection, serving.HOST, 0)
        async with listening, asyncio.timeout(HANG):
            reader, writer = await asyncio.open_connection(*listening.sockets[0].getsockname())
            writer.write(sent)
            if sent.startswith(WHOLE):
                await asked.wait()
            if is_answered:
                answer.set()
            if sent.startswith(WHOLE) and is_answered:
                await reader.readuntil(b"here")
            while not made:
                await asyncio.sleep(0)
            for act in later:
                act()
            assert made[0].transport.is_closing() == is_closed
            answer.set()
            writer.close()

    asyncio.run(session())


ASKED = {"spec": {"name": "isaac"}, "seed": 7}


def test_a_session_from_the_printed_address_to_ctrl_c(server: Server) -> None:
    """In one story, because a server takes a second to start."""
    client = server.client
    assert client.get("/api/described").status_code == 403
    assert "Undercroft" in client.get(server.address).text
    level = client.post("/api/level", json=ASKED)
    assert level.status_code == 200 and level.json()["rooms"]
    assert _is_loopback_alone(server.port)
    _files_that_change_are_told(client, Path(server.process.args[4]))  # type: ignore[index]
    _a_search_that_nobody_reads_leaves_its_place(client)
    _a_level_that_is_out_of_date_is_not_waited_for(client)
    with client.stream("GET", "/api/events") as events:  # an open page does not hold it
        next(events.iter_lines())
        server.process.send_signal(signal.SIGINT)
        _, said = server.process.communicate(timeout=HANG)
    assert (server.process.returncode, said) == (130, "undercroft: interrupted\n")


def _files_that_change_are_told(client: httpx.Client, folder: Path) -> None:
    assert client.get("/api/described", params={"tab": "slow"}).status_code == 200
    (folder / "layouts" / "early.txt").write_text("", "utf-8")  # before the page listens
    with client.stream("GET", "/api/events", params={"tab": "slow"}) as events:
        lines = events.iter_lines()
        assert next(lines).startswith(":")
        for name in ("early", "new"):
            if name == "new":
                (folder / "layouts" / "new.txt").write_text("", "utf-8")
            assert next(line for line in lines if line) == "event: changed"
            assert f"layouts/{name}.txt" in json.loads(next(lines).removeprefix("data: "))["files"]


def _a_search_that_nobody_reads_leaves_its_place(client: httpx.Client) -> None:
    endless = {**ASKED, "where": "loops > 99", "count": 1_000_000}
    with client.stream("POST", "/api/search", json=endless) as search:
        assert "progress" in json.loads(next(search.iter_lines()))
    again = {**ASKED, "where": "rooms > 0", "count": 3}
    assert json.loads(client.post("/api/search", json=again).text.splitlines()[-1])["done"]["hits"] == 3


def _a_level_that_is_out_of_date_is_not_waited_for(client: httpx.Client) -> None:
    huge = {"spec": {"name": "gungeon", "set": {"rooms": 10_000}}, "tab": "slider"}  # takes a minute
    with ThreadPoolExecutor(1) as other:
        slow = other.submit(client.post, "/api/level", json=huge)
        while not slow.done():
            assert client.post("/api/level", json={**ASKED, "tab": "slider"}).status_code == 200
    assert (slow.result().status_code, slow.result().json()["error"]["code"]) == (409, "superseded")


def test_in_the_background_it_leaves_ctrl_c_to_what_is_in_front() -> None:
    """Started by `nohup undercroft studio &`, it ends by a signal that is meant for it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        server = serving._StoppingServer(uvicorn.Config(Mock()), Mock(), Mock())
    finally:
        signal.signal(signal.SIGINT, before)
    server.handle_exit(signal.SIGINT, None)
    assert not server.should_exit
    server.handle_exit(signal.SIGTERM, None)
    assert server.should_exit


def _is_loopback_alone(port: int) -> bool:
    """Whether nothing listens on this machine's other addresses."""
    with socket.socket() as other:
        return other.connect_ex(("127.0.0.2", port)) != 0


def test_a_port_that_is_taken_is_reported_in_a_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = CliRunner().invoke(main, ["studio", str(tmp_path), "--port", str(port), "--no-browser"])
    assert done.exit_code == 2
    assert done.stderr == (
        f"undercroft: --port: {port}: cannot be listened on: Address already in use; give another, "
        "or 0 for any free one\n"
    )


def test_without_the_extra_a_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = installed.find_spec
    monkeypatch.setattr(installed, "find_spec", lambda name: None if name == "uvicorn" else known(name))
    done = CliRunner().invoke(main, ["studio", str(tmp_path)])
    assert done.exit_code == 2
    command = installed.install_command("studio")
    assert done.stderr == f"undercroft: studio: uvicorn: not installed; run {command}\n"


def test_the_folder_must_be_there(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["studio", str(tmp_path / "none")])
    assert done.exit_code == 2 and "is not a folder" in done.stderr


def test_every_variable_of_the_styles_is_set_somewhere() -> None:
    """A browser reports no error for an unset variable; the colour is just missing."""
    pages = Path(exporters.__file__).parent
    sheets = [
        path.read_text("utf-8")
        for folder in ("pages/assets", "studio/page")
        for path in (pages / folder).glob("*.css")
    ]
    text = "\n".join(sheets)
    used = set(re.findall(r"var\((--[a-z0-9-]+)\)", text))  # those with a fallback are set by scripts
    assert len(used) > 10 and used <= set(re.findall(r"(--[a-z0-9-]+):", text))
