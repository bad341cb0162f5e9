"""The screenshots in `docs/pictures`: `python -m tests.exporters.pages.screenshots` takes them again."""

from __future__ import annotations

import io
import re
import shlex
import tempfile
from pathlib import Path

from click.testing import CliRunner

from generator.cli import main
from tests.browser import Page, browser

_DRAWN = """[...document.querySelectorAll('#levels canvas')].every(one =>
    one.dataset.drawn || one.getBoundingClientRect().top > innerHeight)"""
PICTURES = Path(__file__).parents[3] / "docs" / "pictures"


def take(page: Page, folder: Path) -> dict[str, bytes]:
    """The pictures by name, as PNG files; the page is made in `folder`."""
    _make("gallery", "--out", folder / "gallery.html")
    _make("run", "--html", folder / "run.html")
    page.size(1280, 800)
    page.prefer(color_scheme="dark", reduced_motion="reduce")
    page.open(folder / "gallery.html")
    page.key("f")
    page.click("[aria-label='loops, least']")
    page.type("1")
    place = "[...document.querySelectorAll('#sort option')].find(each => each.text === 'rooms.boss.distance').value"
    page.js(
        f"(s => {{ s.value = {place}; s.dispatchEvent(new Event('input')) }})(document.querySelector('#sort'))"
    )
    page.click("#turn")
    page.js("document.activeElement.blur()")
    page.wait(_DRAWN)
    shots = {"gallery.png": _shot(page)}
    page.prefer(color_scheme="light", reduced_motion="reduce")
    page.js("document.querySelectorAll('.card')[3].click()")
    page.key("o")
    page.wait("document.querySelector('#sheet .overlay')")
    page.js("document.activeElement.blur()")
    shots["gallery-level.png"] = _shot(page)
    page.size(1280, 1100)
    page.prefer(color_scheme="dark", reduced_motion="reduce")
    page.open(folder / "run.html")
    page.wait(_DRAWN)
    shots["run.png"] = _shot(page)
    return shots


def _make(command: str, option: str, path: Path) -> None:
    """Make a page by its command in the pictures' README, at another place."""
    text = (PICTURES / "README.md").read_text("utf-8")
    found = re.search(f"`undercroft ({command} [^`]*)`", text)
    assert found
    words = shlex.split(found[1])
    words[words.index(option) + 1] = str(path)
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output


def _shot(page: Page) -> bytes:
    out = io.BytesIO()
    page.shot().save(out, "PNG", optimize=True)
    return out.getvalue()


def retake() -> None:
    """Write them anew."""
    with tempfile.TemporaryDirectory() as folder, browser() as page:
        for name, data in take(page, Path(folder)).items():
            (PICTURES / name).write_bytes(data)


if __name__ == "__main__":
    retake()
