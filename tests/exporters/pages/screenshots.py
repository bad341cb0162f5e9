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
    text = (PICTURES / "README.md").read_text("utf-8")
    found = re.search("`undercroft (gallery [^`]*)`", text)
    assert found
    words = shlex.split(found[1])
    words[words.index("--out") + 1] = str(folder / "gallery.html")
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
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
    return shots


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
