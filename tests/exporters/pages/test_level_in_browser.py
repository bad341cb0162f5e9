"""The large view of a level in a real browser: its rooms in a list and in the picture, and how one comes to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import generate
from tests.browser import Page
from tests.exporters.pages.conftest import undercroft
from tests.exporters.studio.in_browser import violations

pytestmark = pytest.mark.xdist_group("browser")


def test_rooms_are_found_in_the_list_and_in_the_picture(page: Page, tmp_path: Path) -> None:
    """On the page of one level, which opens at once: by mouse, by keys, and on paper."""
    path = tmp_path / "one.html"
    undercroft("gallery", "gungeon", "--seeds", "8:9", "--jobs", "1", "--out", path)
    page.open(path)
    page.wait("document.querySelector('#sheet .marks')")
    assert page.js("document.querySelector('#large-name').textContent") == "gungeon-8"
    assert not page.js("document.querySelector('#after').checkVisibility()")
    level = generate("gungeon", seed=8)
    listed = page.js(
        "[...document.querySelectorAll('#rooms button')].map(one => one.firstChild.nextSibling.textContent)"
    )
    assert listed == [f"{room.kind} {room.id}" for room in level.rooms]
    marked = "[document.querySelectorAll('#sheet .pointed').length, document.querySelector('#rooms .is-pointed')?.textContent ?? '']"
    box = page.js("document.querySelector('#sheet').getBoundingClientRect().toJSON()")
    rect = level.rooms[3].bounds
    x = box["x"] + (rect.x + rect.width / 2) / level.width * box["width"]
    y = box["y"] + (rect.y + rect.height / 2) / level.height * box["height"]
    page.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    assert page.js(marked) == [1, f"{level.rooms[3].kind} 3{level.rooms[3].distance} away"]
    page.send("Input.dispatchMouseEvent", type="mouseMoved", x=1270, y=20)
    assert page.js(marked) == [0, ""]
    page.js("document.querySelector('#rooms button').focus()")
    assert page.js(marked) == [1, "start 0the start"]
    page.key("Enter")  # and from near
    assert page.js("document.querySelector('#zoom').textContent") == "1 : 1"
    assert violations(page) == []
    page.send("Emulation.setEmulatedMedia", media="print")
    seen = "[...document.querySelectorAll('button')].filter(one => one.checkVisibility() && !one.closest('#rooms')).length"
    assert page.js(seen) == 0 and page.js("document.documentElement.scrollWidth <= innerWidth")
    page.send("Emulation.setEmulatedMedia", media="")
    page.key("Escape")
    page.wait("!document.querySelector('dialog').open")
    assert page.js("document.querySelector('#count').textContent") == "1 level"


def test_a_stage_of_a_run_leads_to_its_level(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "run.html"
    undercroft("run", "isaac", "--seed", "7", "--stages", "1:3", "--html", path)
    page.open(path)
    page.click("tbody tr:nth-child(2) a")
    page.wait("document.querySelector('dialog').open")
    assert page.js("document.querySelector('#large-name').textContent").startswith("Stage 2, ")
    page.key("Escape")
    page.wait("!document.querySelector('dialog').open")
