"""A real browser, driven over its DevTools protocol: pages from files, keys, clicks and screenshots.

    with browser() as page:
        page.open(path)
        page.key("ArrowRight")
        assert page.js("document.activeElement.id") == "b"

Whatever a page says in the console and whatever it asks the network for is kept, so that a test can hold
both to be empty. https://chromedevtools.github.io/devtools-protocol/ describes the messages.
"""

from __future__ import annotations

import base64
import io
import itertools
import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from websockets.sync.client import ClientConnection, connect

from tests.engines import HANG, EngineMissing, Program, chromium, environment
from tests.waiting import until

_FLAGS = (
    "--headless",
    "--no-sandbox",  # nothing is opened but what the tests made
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--remote-debugging-port=0",  # a free one, which it writes down in its folder
)
_KEYS = {"Enter": (13, "\r"), "Escape": (27, ""), "Tab": (9, ""), " ": (32, " "), "End": (35, ""),
         "Home": (36, ""), "ArrowLeft": (37, ""), "ArrowUp": (38, ""), "ArrowRight": (39, ""),
         "ArrowDown": (40, "")}  # fmt: skip

_MODIFIERS = {"Alt": 1, "Control": 2, "Shift": 8}
_LEFT = "Inspected target navigated or closed"


class PageLeft(AssertionError):  # noqa: N818 - asked again, it is no error
    """What was asked of a page has no answer, as the browser went on to another one meanwhile."""


class Page:
    """The one page of a browser."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self.requests: list[str] = []  # addresses asked for, the page's own among them
        self.console: list[str] = []  # errors, and what the page's policy refused
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **params: Any) -> Any:
        """Ask for something and wait for the answer."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            said = json.loads(self._socket.recv(HANG))
            self._note(said)
            if said.get("id") == number:
                if said.get("error", {}).get("message") == _LEFT:
                    raise PageLeft(f"{method}: {_LEFT}")
                assert "error" not in said, f"{method}: {said['error']}"
                return said["result"]

    def _note(self, said: dict[str, Any]) -> None:
        params = said.get("params", {})
        match said.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            case "Runtime.exceptionThrown":
                self.console.append(str(params["exceptionDetails"]))
            case "Log.entryAdded":
                self.console.append(params["entry"]["text"])
            case "Runtime.consoleAPICalled":
                self.console.append(str(params["args"]))

    def open(self, path: Path, fragment: str = "") -> None:
        """Load a file and wait until it is done."""
        self.send("Page.navigate", url="about:blank")  # or what is open already would not be loaded again
        self.wait("location.protocol === 'about:'")
        self.send("Page.navigate", url=path.absolute().as_uri() + fragment)
        self.wait("document.readyState === 'complete' && location.protocol === 'file:'")

    def visit(self, address: str) -> None:
        """Load a page of a server on this machine, and wait until it is done."""
        self.send("Page.navigate", url=address)
        self.wait(f"document.readyState === 'complete' && location.href === {json.dumps(address)}")

    def js(self, code: str) -> Any:
        """The value of an expression in the page, awaited if it is a promise."""
        done = self.send("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def wait(self, code: str) -> None:
        """Wait until an expression is true, on whatever page the browser comes to."""

        def is_true() -> object:
            try:
                return self.js(f"Boolean({code})")  # an element has no value of its own
            except PageLeft:
                return False

        try:
            until(is_true, code)
        except AssertionError as error:
            raise AssertionError(f"never true: {code}\n{self.console}") from error

    def key(self, *names: str) -> None:
        """Press keys one after another: `Enter`, `ArrowLeft`, or a letter; `Control+z` holds one."""
        for each in names:
            *held, name = each.split("+") if len(each) > 1 else [each]
            code, text = _KEYS.get(name, (ord(name.upper()) if len(name) == 1 else 0, name))
            modifiers = sum(_MODIFIERS[one] for one in held)
            text = "" if "Control" in held else text
            about = {"key": name, "windowsVirtualKeyCode": code, "code": name, "modifiers": modifiers}
            self.send("Input.dispatchKeyEvent", type="keyDown", **about, **({"text": text} if text else {}))
            self.send("Input.dispatchKeyEvent", type="keyUp", **about)

    def type(self, text: str) -> None:
        """Type a text into what has the focus."""
        self.send("Input.insertText", text=text)

    def click(self, selector: str) -> None:
        """Click the middle of the first element that a selector finds, scrolled into view."""
        box = self.js(
            f"(e => (e.scrollIntoView({{block: 'center'}}), e.getBoundingClientRect().toJSON()))"
            f"(document.querySelector({json.dumps(selector)}))"
        )
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **at)

    def size(self, width: int, height: int, scale: float = 1, *, phone: bool = False) -> None:
        """Make the window so large, in CSS px."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=scale, mobile=phone,
        )  # fmt: skip

    def prefer(self, **features: str) -> None:
        """What the system prefers: `color_scheme="dark"`, `reduced_motion="reduce"`."""
        given = [{"name": f"prefers-{name.replace('_', '-')}", "value": v} for name, v in features.items()]
        self.send("Emulation.setEmulatedMedia", features=given)

    @contextmanager
    def other_tab(self) -> Iterator[Page]:
        """Another tab of the same browser; it is closed with the block."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        host, port = self._socket.remote_address[:2]
        try:
            with _connected(f"ws://{host}:{port}/devtools/page/{target}") as socket:
                yield Page(socket)
        finally:
            self.send("Target.closeTarget", targetId=target)

    def shot(self) -> Image.Image:
        """A screenshot of the window."""
        png = base64.b64decode(self.send("Page.captureScreenshot")["data"])
        return Image.open(io.BytesIO(png)).convert("RGB")


@contextmanager
def browser(program: Program | None = None) -> Iterator[Page]:
    """A browser with an empty profile and one empty page; it ends with the block."""
    program = program or chromium()
    with tempfile.TemporaryDirectory(prefix="undercroft-browser-", ignore_cleanup_errors=True) as folder:
        env = {**environment(), **program.env}
        command = [*program.argv, *_FLAGS, f"--user-data-dir={folder}", "about:blank"]
        with (Path(folder) / "log").open("w") as log:
            process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            with _connected(_address(Path(folder), process)) as socket:
                yield Page(socket)
        finally:
            process.terminate()
            try:
                process.wait(HANG)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _connected(address: str) -> ClientConnection:
    # Pings would draw from `random` beside other tests, which Hypothesis takes for theirs.
    return connect(address, max_size=1 << 28, ping_interval=None, open_timeout=HANG)


def _address(folder: Path, process: subprocess.Popen[bytes]) -> str:
    """Where the browser's first page listens."""
    note = folder / "DevToolsActivePort"
    until(
        lambda: process.poll() is not None or (note.is_file() and note.read_text().count("\n") == 1),
        "chromium does not say where it listens",
    )
    if process.poll() is not None:
        raise EngineMissing(f"chromium did not start: {(folder / 'log').read_text()[-2000:]}")
    port, path = note.read_text().split("\n")
    with _connected(f"ws://127.0.0.1:{port}{path}") as whole:
        whole.send(json.dumps({"id": 1, "method": "Target.getTargets"}))
        targets = json.loads(whole.recv(HANG))["result"]["targetInfos"]
    (page,) = [target["targetId"] for target in targets if target["type"] == "page"]
    return f"ws://127.0.0.1:{port}/devtools/page/{page}"
