"""The studio's pictures in `docs/pictures`: `python -m tests.exporters.studio.screenshots` takes them again."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image

from tests.browser import Page, browser
from tests.exporters.studio.in_browser import DRAWN, Running, enter, running

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"
_FOLDER = "my-game"
_COLOURS = 128  # of a picture, which make it a third as large


def take(page: Page, studio: Running) -> dict[str, bytes]:
    """The pictures by name, as PNG files."""
    page.size(1440, 900)
    page.prefer(color_scheme="dark", reduced_motion="reduce")
    enter(page, studio, "gungeon", "8", **{"set.enemy_rooms": "[12,14]"})
    page.key("s", ".", "s", ".", "s", ",", ",")
    page.wait(f"{DRAWN} && document.querySelectorAll('#kept-list canvas[data-drawn=yes]').length === 3")
    page.key("]", "]", "]", "]", "]", "]")
    _quiet(page)
    shots = {"studio.png": _shot(page)}
    page.prefer(color_scheme="light", reduced_motion="reduce")
    enter(page, studio, "rebirth", "7", **{"set.stage": "3"})
    page.js(
        "(box => { box.value = 6; box.dispatchEvent(new Event('input')) })(document.querySelector('[data-key=stage] .box'))"
    )
    page.key("c")
    page.wait("document.querySelector('#stage-b:not(.is-old):not(.is-plan) canvas')?.width > 1")
    page.wait(f"{DRAWN} && document.querySelectorAll('#differences tbody').length === 2")
    _quiet(page)
    return {**shots, "studio-compare.png": _shot(page)}


def _quiet(page: Page) -> None:
    """Without lines that come and go, and without a focus."""
    page.js("document.querySelector('#notices').replaceChildren(), document.activeElement.blur()")


def _shot(page: Page) -> bytes:
    out = io.BytesIO()
    picture = page.shot().quantize(_COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def retake() -> None:
    """Write them anew."""
    with tempfile.TemporaryDirectory() as outer:
        folder = Path(outer) / _FOLDER
        folder.mkdir()
        with running(folder, folder.with_suffix(".log")) as studio, browser() as page:
            for name, data in take(page, studio).items():
                (PICTURES / name).write_bytes(data)


if __name__ == "__main__":
    retake()
