"""The studio in a real browser: a server in a process of its own, and its page."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.browser import Page
from tests.clients import npm
from tests.engines import HANG
from tests.interrupts import ctrl_c_is_heard
from tests.waiting import until

READY = "document.body?.dataset.ready === 'yes'"
DRAWN = "document.querySelector('#stage-a:not(.is-old):not(.is-plan) canvas')?.width > 1"
# All notices of a page so far. They go by themselves after some seconds, which on a busy machine may be too soon.
NOTICES = "window.noticed"
KEEP_NOTICES = """
addEventListener('DOMContentLoaded', () => {
  window.noticed = '';
  const keep = (found) => found.forEach(({ addedNodes }) => addedNodes.forEach((each) => { noticed += `${each.textContent}\\n`; }));
  const notices = document.querySelector('#notices');
  if (notices) new MutationObserver(keep).observe(notices, { childList: true });
});
"""
AXE = """axe.run({preload: false}).then(found => found.violations.map(
    one => [one.id, one.nodes[0].html, one.nodes[0].failureSummary]))"""


class Running:
    """`undercroft studio` as a person starts it."""

    def __init__(self, folder: Path, log: Path) -> None:
        self.folder, self._log, self.port = folder, log, 0
        self.start()

    def start(self) -> None:
        """Start it, at the port that it had."""
        self.visitors: list[Page] = []  # browsers that the printed address was opened in
        command = [
            sys.executable,
            "-m",
            "undercroft",
            "studio",
            str(self.folder),
            "--port",
            str(self.port),
            "--no-browser",
        ]
        with self._log.open("w") as out, ctrl_c_is_heard():
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env={**os.environ, "PYTHONWARNINGS": "error"},
            )
        until(lambda: "token=" in self.said or self._process.poll() is not None, "the studio does not start")
        assert self._process.poll() is None, self.said
        self.address = self.said.split()[0]
        self.port = int(self.address.split(":")[2].split("/")[0])

    @property
    def said(self) -> str:
        """All that it printed: its address, and nothing else."""
        return self._log.read_text("utf-8")

    def stop(self) -> None:
        """Press Ctrl-C, and wait until it has ended."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(HANG)
            finally:
                self._process.kill()


@contextmanager
def running(folder: Path, log: Path) -> Iterator[Running]:
    """A studio that ends with the block, without having complained of anything."""
    studio = Running(folder, log)
    try:
        yield studio
    finally:
        studio.stop()
    assert "Traceback" not in studio.said, studio.said


def enter(page: Page, studio: Running, spec: str = "isaac", seed: str = "1", **more: str) -> None:
    """Open the studio at a level, as if nobody had been there before, and wait until it is drawn."""
    home = f"http://127.0.0.1:{studio.port}/"
    if page not in studio.visitors:  # the printed address gives the browser its cookie
        page.send("Page.navigate", url=studio.address)
        page.wait(f"{READY} && location.href.startsWith('{home}#')")
        studio.visitors.append(page)
    page.send("Page.navigate", url=f"{home}shared/common.css")  # where no script keeps anything
    page.wait("location.pathname === '/shared/common.css'")
    page.js("sessionStorage.clear(), localStorage.clear()")
    page.send("Page.navigate", url=f"{home}#{urlencode({'spec': spec, 'seed': seed, **more})}")
    page.wait(f"{READY} && {DRAWN}")


def settled(page: Page) -> None:
    """Wait until the newest level is drawn."""
    page.wait(DRAWN)


def caption(page: Page) -> str:
    """What stands below the picture."""
    return str(page.js("document.querySelector('#side-a .caption').textContent"))


def violations(page: Page) -> Any:
    """What axe says of the page as it is."""
    axe = (npm("axe-core") / "package" / "axe.min.js").read_text("utf-8")
    page.js(f"window.axe || (() => {{ {axe} }})(); 0")
    return page.js(AXE)
