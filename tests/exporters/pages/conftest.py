"""A browser for all tests of pages, and pages for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import main
from tests.browser import Page, browser


def undercroft(*words: str | Path) -> str:
    """Run a command that must succeed; what it printed."""
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture(scope="session")
def shared_browser() -> Iterator[Page]:
    with browser() as page:
        yield page


@pytest.fixture
def page(shared_browser: Page) -> Iterator[Page]:
    """A browser as large as a desk's; whatever a test does there, its pages complain of nothing and ask for nothing."""
    shared_browser.requests.clear()
    shared_browser.console.clear()
    shared_browser.size(1280, 800)
    shared_browser.prefer(color_scheme="light")
    yield shared_browser
    shared_browser.js("0")  # whatever is still to be told
    assert shared_browser.console == []
    assert {address.split(":")[0] for address in shared_browser.requests} <= {"file", "data"}
    assert len([address for address in shared_browser.requests if address.startswith("file:")]) >= 1
    shared_browser.js("localStorage.clear()")


@pytest.fixture(scope="session")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gallery of 24 levels of `rebirth`, in which shapes, loops and kinds of rooms differ."""
    path = tmp_path_factory.mktemp("gallery") / "rebirth.html"
    undercroft("gallery", "rebirth", "--set", "stage=4", "--seeds", "1:25", "--jobs", "1", "--out", path)
    return path
