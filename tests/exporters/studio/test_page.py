"""The studio's page in a real browser: every control, all keys, what it keeps, and what it says to whom."""

from __future__ import annotations

import base64
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

import exporters
import generator
from generator.cli import main
from tests.browser import Page, browser
from tests.combinations import usually
from tests.exporters.pages.test_screenshots import from_afar
from tests.exporters.studio.in_browser import (
    DRAWN,
    KEEP_NOTICES,
    NOTICES,
    READY,
    Running,
    caption,
    enter,
    running,
    settled,
    violations,
)
from tests.exporters.studio.page import make_project, shop_layouts
from tests.exporters.studio.screenshots import PICTURES, take
from tests.waiting import until

CHOSEN = "document.querySelector('#room-list [aria-selected=true]')?.dataset.room"
# Give a control another value as a person does, and take it back; [key, what the address said, and after the reset].
CHANGE_EACH = """
[...document.querySelectorAll('#groups .value')].filter((_, place) => place % 2 === %d).map((row) => {
  const own = (name) => new URLSearchParams(location.hash.slice(1)).get(name);
  const key = row.dataset.key;
  const name = key === 'theme' ? 'theme' : `set.${key}`;
  const input = row.querySelector('.slide input[type=number]') ?? row.querySelector('input, select, textarea');
  const say = (type) => input.dispatchEvent(new Event(type, { bubbles: true }));
  if (input.type === 'checkbox') input.click();
  else if (input.tagName === 'SELECT') input.value = [...input.options].find((each) => each.value !== input.value).value;
  else if (input.type === 'number') input.value = +input.value === +input.max ? input.min : input.max;
  else input.value = 'something';
  say('input'); say('change');
  const after = own(name);
  const marked = row.classList.contains('is-changed');
  row.querySelector('.reset').click();
  return [key, after, marked, own(name), row.classList.contains('is-changed')];
})
"""

# Hold the answers of an address back until `letGo` is called.
HOLD = """
var seen = '', letGo, real = fetch;
fetch = async (path, ...more) => {
  const answer = await real(path, ...more);
  if (path === %s) await new Promise((done) => { letGo = done; });
  return answer;
}; 0
"""

# Hold back the server's first answer to a page until `letGo` is called.
HOLD_FIRST = """
const real = fetch;
fetch = async (...asked) => {
  fetch = real;
  const answer = await real(...asked);
  await new Promise((done) => { window.letGo = done; });
  return answer;
};
"""


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = make_project(tmp_path_factory.mktemp("game"))
    with running(folder, folder.with_suffix(".log")) as found:
        yield found


@pytest.fixture(scope="module")
def shared() -> Iterator[Page]:
    with browser() as page:
        page.send("Page.addScriptToEvaluateOnNewDocument", source=KEEP_NOTICES)
        yield page


@pytest.fixture
def page(shared: Page, studio: Running) -> Iterator[Page]:
    """A page that asks nobody but the studio, and has no error in its console but what the server refused."""
    shared.requests.clear()
    shared.console.clear()
    shared.size(1280, 800)
    shared.prefer(color_scheme="light", reduced_motion="reduce")
    yield shared
    shared.js("0")
    assert [line for line in shared.console if "status of 422" not in line] == []
    home = f"http://127.0.0.1:{studio.port}/"
    assert {each for each in shared.requests if not each.startswith((home, "data:", "about:"))} == set()


def address_of(page: Page) -> dict[str, str]:
    return dict(page.js("[...new URLSearchParams(location.hash.slice(1))]"))


@pytest.mark.soak
def test_the_pictures_of_the_docs_are_up_to_date(page: Page, studio: Running) -> None:
    shots = take(page, studio)
    assert set(shots) == {path.name for path in PICTURES.glob("studio*.png")}
    for name, png in shots.items():
        with Image.open(PICTURES / name) as kept, Image.open(io.BytesIO(png)) as made:
            assert kept.size == made.size
            apart = np.abs(from_afar(kept) - from_afar(made))
        assert apart.mean() < 2, f"{name} is out of date: python -m tests.exporters.studio.screenshots"


@pytest.mark.parametrize("style", usually(["gungeon"], ["gungeon", "rebirth"]))
def test_every_value_has_a_control_that_sets_and_resets_it(style: str, page: Page, studio: Running) -> None:
    """In two halves: after a hundred changes in ten seconds, the page writes its address later."""
    told = json.loads(CliRunner().invoke(main, ["describe", style, "--json"]).stdout)["values"]
    done: list[list[Any]] = []
    for half in 0, 1:
        enter(page, studio, style)
        done += page.js(CHANGE_EACH.replace("%d", str(half)))
    assert {key for key, *_ in done} == {row["key"] for row in told} | {"theme"}
    for key, after, marked, reset, still in done:
        assert after is not None and marked, key
        assert reset is None and not still, key
    named = "[...document.querySelectorAll('#groups :is(input, select, textarea)')].filter(one => !one.labels?.length && !one.ariaLabel).length"
    assert page.js(named) == 0
    settled(page)


def test_a_slider_draws_and_is_one_step_to_undo(page: Page, studio: Running) -> None:
    """What is drawn in the end is the level of the last value, as the exporter draws it, pixel by pixel."""
    enter(page, studio, "gungeon")
    before = caption(page)
    page.js("document.querySelector('#values [data-key=rooms] .box').focus()")
    page.js(
        "(slider => { for (const rooms of [6, 9, 12, 8]) { slider.value = rooms; slider.dispatchEvent(new Event('input')); }"
        "slider.dispatchEvent(new Event('change')) })(document.querySelector('#values [data-key=rooms] input[type=range]'))"
    )
    page.wait(f"{DRAWN} && document.querySelector('#side-a .caption').textContent.includes(': 8 rooms')")
    done = CliRunner().invoke(
        main,
        ["generate", "gungeon", "--seed", "1", "--set", "rooms=8", "--to", "png", "--option", "png.markers=true",
         "--name", "eight", "--out", str(studio.folder.parent / "eight")],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    expected = np.asarray(Image.open(studio.folder.parent / "eight" / "eight.png").convert("RGBA")).astype(
        int
    )
    data = page.js("document.querySelector('#stage-a canvas').toDataURL('image/png')").split(",")[1]
    shown = np.asarray(Image.open(io.BytesIO(base64.b64decode(data)))).astype(int)
    solid = expected[..., 3] == 255
    assert shown.shape == expected.shape and np.abs(shown - expected)[solid].max() <= 2
    page.js("document.activeElement.blur()")
    page.key("Control+z")
    page.wait(f"{DRAWN} && document.querySelector('#side-a .caption').textContent === {json.dumps(before)}")
    assert page.js("document.querySelector('#undo').disabled")
    page.key("Control+Shift+z")
    page.wait("document.querySelector('#side-a .caption').textContent.includes(': 8 rooms')")


def test_a_level_that_takes_long_says_so(page: Page, studio: Running) -> None:
    enter(page, studio, "gungeon")
    said = "getComputedStyle(document.querySelector('#stage-a'), '::after')"
    assert page.js(f"{said}.content") == "none"
    page.js(HOLD % "'/api/level'")
    page.key(".")
    page.wait(f"letGo && {said}.opacity === '1'")
    assert "Working" in page.js(f"{said}.content")
    page.wait("document.querySelector('#told').textContent === 'Working …'")
    page.js("letGo()")
    page.wait(f"{DRAWN} && {said}.content === 'none'")


def test_an_abandoned_request_is_not_an_error_in_the_console(page: Page, studio: Running) -> None:
    """As when files change one after another, or a key is held down."""
    enter(page, studio, "gungeon")
    page.js(
        "import('/page/values.js').then(({describe}) => Promise.allSettled([describe(), describe(), describe(), describe()]))"
    )
    page.key("]", "r", "r", "r", "r")
    page.wait(f"location.hash.includes('rerolls') && {DRAWN}")


def test_a_pair_keeps_its_order_and_limits_follow_other_values(page: Page, studio: Running) -> None:
    enter(page, studio, "gungeon")
    row = "document.querySelector('#values [data-key=chest_rooms]')"
    page.js(
        f"(box => {{ box.value = 5; box.dispatchEvent(new Event('input')) }})({row}.querySelectorAll('.box')[0])"
    )
    assert json.loads(address_of(page)["set.chest_rooms"]) == [5, 5]
    width = "document.querySelector('#values [data-key=hallway_width] .limits').textContent"
    assert page.js(width).startswith("2 to 5")  # the preset has bodies of two tiles
    page.js(
        "(s => { s.value = 3; s.dispatchEvent(new Event('input')) })(document.querySelector('[data-key=body] input[type=range]'))"
    )
    page.wait(f"{width}.startsWith('3 to 5')")
    page.wait(
        "[...document.querySelectorAll('.value .problem:not([hidden])')].some(one => one.textContent.includes('hallway'))"
    )


def test_values_are_found_by_typing(page: Page, studio: Running) -> None:
    enter(page, studio, "rebirth")
    page.key("/")
    page.type("hearts")
    shown = "[...document.querySelectorAll('#groups .value')].filter(one => one.checkVisibility()).map(one => one.dataset.key)"
    found = page.js(shown)
    assert "state.soul_hearts" in found and "stage" not in found
    assert "values" in page.js("document.querySelector('#values-told').textContent")
    page.key("Escape")
    page.js(
        "(one => { one.value = ''; one.dispatchEvent(new Event('input')) })(document.querySelector('#find-value'))"
    )
    assert len(page.js(shown)) > len(found)


def test_the_list_of_rooms_is_the_picture_for_keys(page: Page, studio: Running) -> None:
    enter(page, studio, "gungeon")
    level = generator.generate("gungeon", seed=1)
    texts = page.js("[...document.querySelectorAll('#room-list li')].map(one => one.textContent)")
    assert len(texts) == len(level.rooms)
    for room, text in zip(level.rooms, texts, strict=True):
        assert text.startswith(f"{room.kind.replace('_', ' ')} {room.id}")
        beside = sum(room.id in door.rooms for door in level.doors)
        assert f"{beside} door" in text
    numbers = "[...document.querySelectorAll('#stage-a .overlay text')].map(one => one.textContent.match(/[0-9]+$/)?.[0])"
    page.wait(f"({numbers}).filter(Boolean).length === {len(level.rooms)}")
    assert [number for number in page.js(numbers) if number] == [str(room.id) for room in level.rooms]
    page.js("document.querySelector('#room-list li').focus()")
    page.key("ArrowDown", "ArrowDown", "End", "ArrowUp")
    assert page.js(CHOSEN) == str(len(level.rooms) - 2)
    assert page.js("document.activeElement === document.querySelector('#room-list [aria-selected=true]')")
    assert page.js("document.querySelectorAll('#room-list [tabindex=\"0\"]').length") == 1
    page.key("Home", "]", "]", "[")
    assert page.js(CHOSEN) == "1"
    assert page.js("document.querySelector('#about-title').textContent").strip() == f"{level.rooms[1].kind} 1"
    assert page.js("document.querySelectorAll('.marks .chosen').length") == 1
    at = page.js(  # a click into the picture chooses the room there
        "(box => [box.left, box.top, box.width, box.height])(document.querySelector('#stage-a .sheet').getBoundingClientRect())"
    )
    bounds = level.rooms[4].bounds
    x = at[0] + (bounds.x + bounds.width / 2) / level.width * at[2]
    y = at[1] + (bounds.y + bounds.height / 2) / level.height * at[3]
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        page.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
    page.wait(f"{CHOSEN} === '4'")
    assert "away" in page.js("document.querySelector('.tip:not([hidden])').textContent")


# Counts what those who listen hear of the list of rooms.
LISTEN = """
var said = 0, watch = new MutationObserver(found => { said += found.length; });
watch.observe(document.querySelector('#room-list'), {subtree: true, attributeFilter: ['aria-selected', 'aria-label', 'tabindex']});
for (const id of ['told', 'notices', 'about-room']) watch.observe(document.getElementById(id), {childList: true, subtree: true}); 0
"""
IS_WHOLE_IN_THE_LIST = """
(list => (one => one.bottom <= list.bottom + 1 && one.top >= list.top - 1)
(document.querySelector('.is-pointed').getBoundingClientRect()))(document.querySelector('#room-list').getBoundingClientRect())
"""
OUTLINES = "[...document.querySelectorAll('#stage-a {}')].map(one => one.getAttribute('d'))"


def pointed(page: Page) -> tuple[list[str], list[str]]:
    """The rooms that are marked in the list, and the outlines of those that are marked in the picture."""
    items = page.js("[...document.querySelectorAll('#room-list .is-pointed')].map(one => one.dataset.room)")
    return items, page.js(OUTLINES.format(".marks .pointed"))


def point(page: Page, selector: str) -> None:
    page.js(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'nearest'}})")
    box = page.js(f"document.querySelector({json.dumps(selector)}).getBoundingClientRect().toJSON()")
    page.send("Input.dispatchMouseEvent", type="mouseMoved", x=box["x"] + 20, y=box["y"] + box["height"] / 2)


def test_a_room_that_is_pointed_at_is_seen_in_the_list_and_in_the_picture(
    page: Page, studio: Running
) -> None:
    """By mouse and by keys; of which those who listen hear nothing."""
    enter(page, studio, "gungeon")
    level = generator.generate("gungeon", seed=1)
    page.wait("document.querySelector('#told').textContent.startsWith('Drawn')")
    page.wait(f"document.querySelectorAll('#stage-a .overlay .room').length === {len(level.rooms)}")
    page.js(LISTEN)
    rings = page.js(OUTLINES.format(".overlay .room"))
    point(page, "#room-list li[data-room='3']")
    assert pointed(page) == (["3"], [rings[3]])
    point(page, "#find-value")
    assert pointed(page) == ([], [])
    sheet = page.js("document.querySelector('#stage-a .sheet').getBoundingClientRect().toJSON()")
    last = level.rooms[-1]  # which the list does not show without scrolling
    x = sheet["x"] + (last.bounds.x + last.bounds.width / 2) / level.width * sheet["width"]
    y = sheet["y"] + (last.bounds.y + last.bounds.height / 2) / level.height * sheet["height"]
    page.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    assert pointed(page) == ([str(last.id)], [rings[last.id]])
    assert page.js(IS_WHOLE_IN_THE_LIST)
    point(page, "#find-value")
    page.js("document.querySelector('#room-list li').focus()")
    assert pointed(page) == (["0"], [rings[0]])
    assert page.js("said") == 0
    page.key("ArrowDown")  # chooses the room, and points at it
    assert pointed(page) == (["1"], [rings[1]])
    page.js("document.querySelector('#about-room .link').focus()")
    beside = page.js("document.activeElement.dataset.room")
    assert pointed(page) == ([beside], [rings[int(beside)]])
    page.js("document.activeElement.blur()")
    assert pointed(page) == ([], [])


def touch(page: Page, *moves: list[tuple[float, float]]) -> None:
    """Put fingers down, move them, and take them away."""
    for number, points in enumerate((*moves, [])):
        kind = "touchEnd" if not points else "touchMove" if number else "touchStart"
        fingers = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        page.send("Input.dispatchTouchEvent", type=kind, touchPoints=fingers)


def sheet_of(page: Page) -> tuple[float, float, float]:
    x, y, width = page.js(
        "(box => [box.x, box.y, box.width])(document.querySelector('#stage-a .sheet').getBoundingClientRect())"
    )
    return x, y, width


def test_two_fingers_zoom_and_one_moves(page: Page, studio: Running) -> None:
    page.size(390, 844, 2, phone=True)
    page.send("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    try:
        enter(page, studio)
        page.wait("document.querySelector('#stage-a .overlay .node')")
        x, y, width = sheet_of(page)
        middle = (195, 300)
        on_sheet = [(middle[0] - x) / width, (middle[1] - y) / width]
        touch(page, *([(165 - 10 * step, 300), (225 + 10 * step, 300)] for step in range(7)))
        x, y, wide = sheet_of(page)
        assert wide == pytest.approx(3 * width, rel=0.02)  # the fingers are three times as far apart
        assert [(middle[0] - x) / wide, (middle[1] - y) / wide] == pytest.approx(on_sheet, abs=0.02)
        assert page.js(CHOSEN) is None and page.js("visualViewport.scale") == 1  # not the page
        touch(page, *([(200 + 10 * step, 300 - 5 * step)] for step in range(4)))
        assert sheet_of(page) == pytest.approx((x + 30, y - 15, wide), abs=2)
        touch(page, *([(105 + 10 * step, 300), (285 - 10 * step, 300)] for step in range(7)))
        assert sheet_of(page)[2] == pytest.approx(width, rel=0.02)
        page.click("#zoom-fit")
        page.wait("document.querySelector('#stage-a .overlay .node')")
        room = page.js("document.querySelector('#stage-a .overlay .node').getBoundingClientRect().toJSON()")
        touch(page, [(room["x"] + room["width"] / 2, room["y"] + room["height"] / 2)])
        page.wait(f"{CHOSEN} === '0'")
    finally:
        page.send("Emulation.setTouchEmulationEnabled", enabled=False)


def test_rooms_are_rolled_and_pinned_by_keys(page: Page, studio: Running) -> None:
    enter(page, studio, "gungeon")
    page.key("]", "]", "p")
    assert address_of(page)["pins"] == "[1]"
    page.key("]", "]", "]", "r")
    page.wait(f"location.hash.includes('rerolls') && {DRAWN}")
    rows = json.loads(address_of(page)["rerolls"])
    assert rows == [{"room": 4, "layout": 1}]
    level = generator.generate("gungeon", seed=1, rerolls=rows)
    layout = (
        f"document.querySelector('#about-room').textContent.includes({json.dumps(level.rooms[4].layout)})"
    )
    page.wait(layout)
    page.key("Shift+R")
    page.wait(f"decodeURIComponent(location.hash).split('\"room\"').length > 5 && {DRAWN}")
    rolled = {row["room"] for row in json.loads(address_of(page)["rerolls"])}
    assert 1 not in rolled and 4 in rolled
    page.key("Control+z")
    page.wait(layout)
    page.key("]", "p", "Control+z")
    assert address_of(page)["pins"] == "[1]"
    page.key(".")  # another floorplan: its rooms are others
    settled(page)
    assert "rerolls" not in address_of(page) and "pins" not in address_of(page)


def test_a_room_that_is_pinned_while_it_is_rolled_is_both(page: Page, studio: Running) -> None:
    enter(page, studio, "gungeon")
    page.js(HOLD % "'/api/reroll'")
    page.key("]", "]", "r")
    page.wait("letGo")
    page.key("p")
    page.js("letGo()")
    page.wait(f"location.hash.includes('rerolls') && {DRAWN}")
    assert address_of(page)["pins"] == "[1]"


def test_what_makes_the_level_again_follows_it_while_somebody_looks(page: Page, studio: Running) -> None:
    enter(page, studio, "isaac")
    assert not any(address.endswith("/api/commands") for address in page.requests)
    page.click("#again summary")
    command = "document.querySelector('#command').textContent"
    page.wait(f"{command}.startsWith('undercroft generate isaac --seed=1')")
    page.key(".")
    page.wait(f"{command}.startsWith('undercroft generate isaac --seed=2')")
    settled(page)


def test_all_keys(page: Page, studio: Running) -> None:
    """Each does what the help says; and every key that a button names is in the help."""
    enter(page, studio)
    page.key("?")
    listed = page.js(
        "[...document.querySelectorAll('#help-dialog dt')].map(one => one.textContent.toLowerCase())"
    )
    named = page.js("[...document.querySelectorAll('[aria-keyshortcuts]')].map(one => one.ariaKeyShortcuts)")
    page.key("d", "Escape")  # letters do nothing below a dialog
    assert address_of(page)["seed"] == "1" and not page.js("document.querySelector('dialog').open")
    for keys in named:
        assert keys.lower().replace("control", "ctrl").replace("+", "") in listed or keys in ("+", "-"), keys
    page.key(".")
    assert address_of(page)["seed"] == "2"
    page.key(",", ",", ",")
    assert address_of(page)["seed"] == "0"
    page.key("d")
    assert int(address_of(page)["seed"]) > 0
    page.key("n")
    page.type("a text")
    page.key("Escape")
    assert address_of(page)["seed"] == "a text"
    _seeds_that_are_texts_are_counted(page)
    settled(page)
    _keys_of_the_picture(page)
    for key, view in (("h", "search"), ("y", "layouts"), ("v", "level")):
        page.key(key)
        assert (
            page.js(f"!document.querySelector('#view-{view}').hidden && document.body.dataset.view") == view
        )
    page.key("b")
    assert not page.js("document.querySelector('#rooms').checkVisibility()")
    page.key("b", "l")
    assert page.js("document.documentElement.dataset.look") == "light"
    page.key("l", "l", "s")
    page.wait("document.querySelectorAll('#kept-list li').length === 1")
    page.key("w")
    page.wait("document.querySelector('#write-dialog').open")
    assert page.js("document.activeElement.id") == "format-json"  # its first field
    page.key("Escape")


def _seeds_that_are_texts_are_counted(page: Page) -> None:
    for key, seed in zip("..,,,", ("a text 1", "a text 2", "a text 1", "a text", "a text"), strict=True):
        page.key(key)
        assert address_of(page)["seed"] == seed


def _keys_of_the_picture(page: Page) -> None:
    """What lies over it, and how large it is."""
    for key, name in (("o", "rooms"), ("g", "locks"), ("m", "markers")):
        pressed = f"document.querySelector('#show-{name}').ariaPressed"
        assert page.js(pressed) == "true"
        page.key(key)
        assert page.js(pressed) == "false"
    page.wait("document.querySelectorAll('#stage-a .overlay .room').length === 0")
    page.key("m")
    sheet = "(box => [box.x, box.width])(document.querySelector('#stage-a .sheet').getBoundingClientRect())"
    whole = page.js(sheet)
    page.key("+")
    assert page.js(sheet)[1] > whole[1]
    page.js("document.querySelector('#stage-a').focus()")
    left = page.js(sheet)[0]
    page.key("ArrowRight")
    assert page.js(sheet)[0] < left
    page.key("-", "-", "0")
    assert page.js(sheet) == whole
    page.key("1")
    assert page.js("document.querySelector('#zoom-fit').textContent") == "100 %"


def reload(page: Page) -> None:
    """Load the page again, and wait until its level is drawn."""
    page.js("old = true")
    page.send("Page.reload")
    page.wait(f"!window.old && {READY} && {DRAWN}")


def test_keys_can_be_turned_off(page: Page, studio: Running) -> None:
    """Those that are pressed alone: who speaks to the computer would press them by words."""
    enter(page, studio)
    page.key("?")
    page.click("#keys-on")
    page.key("Escape", ".")
    reload(page)
    page.key(".", "?")
    assert address_of(page)["seed"] == "1" and not page.js("document.querySelector('dialog[open]')")
    page.click("#seed-more")
    page.key("Control+z")
    assert address_of(page)["seed"] == "1"
    page.click("#help")
    page.click("#keys-on")
    page.key("Escape", ".")
    assert address_of(page)["seed"] == "2"
    settled(page)


def test_a_project_begins_with_its_own_spec(page: Page, studio: Running) -> None:
    enter(page, studio)
    page.send("Page.navigate", url=f"http://127.0.0.1:{studio.port}/shared/common.css")
    page.wait("location.pathname === '/shared/common.css'")
    page.js("sessionStorage.clear(), localStorage.clear()")
    page.send("Page.navigate", url=f"http://127.0.0.1:{studio.port}/")
    page.wait(f"{READY} && {DRAWN}")
    assert address_of(page) == {"spec": "specs/cellar.toml"}
    assert page.js("document.querySelector('#spec').selectedOptions[0].text") == "cellar"
    page.key("s", "s", "]", "p")
    kept = "[...document.querySelectorAll('#kept-list li:has(.drop) .small-card')].map(one => one.getAttribute('aria-current'))"
    assert page.js(kept) == ["true"]  # once, and it is what is shown, whatever is pinned


def test_a_level_is_kept_and_opened_again(page: Page, studio: Running) -> None:
    enter(page, studio, "isaac")
    page.key("s", ".", "s", ".", "s", "s")
    settled(page)
    page.wait("document.querySelectorAll('#kept-list canvas[data-drawn=yes]').length === 3")
    page.click("#kept-list li:nth-child(1) .small-card")
    assert address_of(page)["seed"] == "1"
    settled(page)
    page.click("#kept-list li:nth-child(2) .drop")
    names = "[...document.querySelectorAll('#kept-list .small-name')].map(one => one.textContent)"
    assert page.js(names) == ["isaac 1", "isaac 3"]


def test_two_levels_side_by_side(page: Page, studio: Running) -> None:
    enter(page, studio, "gungeon")
    page.key("c")  # nothing was shown before: the seed before this one
    page.wait("document.querySelector('#side-b .caption').textContent.startsWith('gungeon 0:')")
    page.key("c", ",", "p", "c")  # the level before this one, and what is pinned makes no other
    page.wait("document.querySelector('#side-b .caption').textContent.startsWith('gungeon 1:')")
    rows = "Object.fromEntries([...document.querySelectorAll('#differences tr')].map(row => [...row.children].map(one => one.textContent)).filter(row => row.length === 3).map(([name, ...two]) => [name, two]))"
    page.wait(f"{DRAWN} && ({rows}).rooms")
    found = page.js(rows)
    levels = [generator.generate("gungeon", seed=seed) for seed in (0, 1)]
    assert found["seed"] == ["0", "1"]
    assert found["rooms"] == [str(len(level.rooms)) for level in levels]
    page.key("x")
    assert address_of(page)["seed"] == "1"
    page.wait(f"({rows}).seed?.[0] === '1' && ({rows}).rooms?.[0] === {json.dumps(found['rooms'][1])}")
    page.click("#held-more")
    page.wait("document.querySelector('#differences').textContent.includes('A and B are the same')")
    page.key("c")
    assert not page.js("document.querySelector('#side-b').checkVisibility()")
    settled(page)


def test_a_search_brings_cards_that_open(page: Page, studio: Running) -> None:
    enter(page, studio, "isaac")
    page.key("h")
    for selector, text in (
        ("#where", "rooms.boss.distance >= 4"),
        ("#search-most", "3"),
        ("#search-from", "0"),
    ):
        page.js(
            f"(one => {{ one.value = {json.dumps(text)} }})(document.querySelector({json.dumps(selector)}))"
        )
    page.click("#search-go")
    page.wait("document.querySelector('#search-told').textContent.endsWith('tried.')")
    seeds = page.js("[...document.querySelectorAll('#hits .name')].map(one => one.textContent.split(' ')[1])")
    done = CliRunner().invoke(
        main, ["search", "isaac", "--where", "rooms.boss.distance >= 4", "--seeds", "0:500", "--first", "3", "--jobs", "1", "--json"]
    )  # fmt: skip
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert seeds == [each["seed"] for each in found if each["event"] == "hit"]
    assert len(seeds) == 3
    page.wait("document.querySelectorAll('#hits canvas[data-drawn=yes]').length === 3")
    _a_fact_of_a_kind_asks_for_the_kind(page)
    page.click("#hits .card")
    assert address_of(page)["seed"] == seeds[0] and page.js("document.body.dataset.view") == "level"
    page.key("h")
    _a_slip_in_the_condition_is_shown(page)
    _a_search_can_be_stopped(page)
    settled(page)


def _a_fact_of_a_kind_asks_for_the_kind(page: Page) -> None:
    pick = "((id, value) => {{ const one = document.querySelector(id); one.value = value; one.dispatchEvent(new Event('input')) }})({})"
    for fact, added in (("rooms.KIND.depth", "rooms.boss.depth"), ('count("KIND")', 'count("boss")')):
        page.js("document.querySelector('#where').value = 'loops == 2'")
        page.js(pick.format(f"'#add-fact', {json.dumps(fact)}"))
        assert page.js("document.activeElement.id") == "add-kind"
        page.js(pick.format("'#add-kind', 'boss'"))
        assert page.js("document.querySelector('#where').value") == f"loops == 2 and {added} >= "
        assert not page.js("document.querySelector('#add-kind').checkVisibility()")
    page.js(pick.format("'#add-fact', 'longest'"))
    assert page.js("document.querySelector('#where').value").endswith(" and longest >= ")


def _a_slip_in_the_condition_is_shown(page: Page) -> None:
    page.js("document.querySelector('#where').value = 'rooms.boss.distance >> 7'")
    page.click("#search-go")
    page.wait(
        "!document.querySelector('#where-problem').hidden && !document.querySelector('#search-go').disabled"
    )
    assert page.js("document.querySelector('#where').getAttribute('aria-invalid')") == "true"
    assert page.js("document.activeElement.id") == "where"  # where the slip is
    assert page.js("document.querySelector('#search-told').textContent") == ""


def _a_search_can_be_stopped(page: Page) -> None:
    page.js(
        "document.querySelector('#where').value = 'rooms > 0', document.querySelector('#search-count').value = ''"
    )
    page.click("#search-go")
    page.wait("document.querySelector('#search-told').textContent === '1 level found, 1 of 1 seeds tried.'")
    page.js(
        "document.querySelector('#where').value = 'rooms == 1', document.querySelector('#search-count').value = 1000000"
    )
    page.click("#search-go")
    page.wait("!document.querySelector('#search-stop').disabled")
    assert "of 1000000 seeds" in page.js("document.querySelector('#search-told').textContent")
    assert page.js("document.activeElement.id") == "search-stop"
    page.key("Enter")
    page.wait("document.querySelector('#search-told').textContent.endsWith('stopped.')")
    page.wait("document.activeElement.id === 'search-go'")


def test_files_are_written_and_the_command_makes_the_same(
    page: Page, studio: Running, tmp_path: Path
) -> None:
    enter(page, studio, "isaac", "5")
    page.key("w")
    page.wait("document.querySelector('#write-command')?.textContent")
    for name in ("godot", "tiled", "ldtk", "png"):
        page.click(f"#format-{name}")
    page.js(
        "(one => { one.value = 'out'; one.dispatchEvent(new Event('input')) })(document.querySelector('#folder'))"
    )
    page.js("document.querySelectorAll('#write-dialog details').forEach(one => { one.open = true })")
    page.click("#write-dialog [data-key='png.markers'] input")
    page.wait("document.querySelector('#write-command').textContent.includes('png.markers=true')")
    page.click("#write-go")
    page.wait("document.querySelectorAll('#results .written').length >= 2")
    page.wait("document.activeElement.id === 'write-go'")
    folder = studio.folder / "out"
    assert sorted(path.name for path in folder.glob("isaac*")) == ["isaac-5.level.json", "isaac-5.png"]
    options = "[...document.querySelectorAll('#write-command .unbroken')].map(one => [one.textContent, one.getClientRects().length])"
    assert ["--to", 1] in page.js(options) and {lines for _, lines in page.js(options)} == {1}
    command = page.js("document.querySelector('#write-command').textContent").split()
    command[command.index("out")] = str(tmp_path)
    assert CliRunner().invoke(main, command[1:]).exit_code == 0
    assert (tmp_path / "isaac-5.level.json").read_bytes() == (folder / "isaac-5.level.json").read_bytes()
    (folder / "isaac-5.level.json").write_text("{}", "utf-8")  # a person's work is kept
    page.click("#write-go")
    page.wait("document.querySelector('#results .kept')")
    assert (folder / "isaac-5.level.json").read_text("utf-8") == "{}"
    assert page.js("document.querySelector('#results .kept').textContent") == "kept out/isaac-5.level.json"
    page.key("Escape")
    settled(page)


def test_the_formats_that_were_written_are_offered_again(page: Page, studio: Running) -> None:
    """Later, in another tab of the same project."""
    enter(page, studio, "isaac", "8")
    ticked = "[...document.querySelectorAll('.format input:checked')].map(one => one.id)"
    page.key("w")
    page.wait("document.querySelector('#write-command')?.textContent")
    assert page.js(ticked) == [f"format-{name}" for name in ("json", "godot", "tiled", "ldtk")]
    for name in ("godot", "tiled"):
        page.click(f"#format-{name}")
    page.click("#write-go")
    page.wait("document.querySelector('#results .written')")
    page.js("sessionStorage.clear()")  # which is the tab's own
    reload(page)
    page.key("w")
    page.wait("document.querySelector('#write-command')?.textContent")
    assert page.js(ticked) == ["format-json", "format-ldtk"]
    page.key("Escape")


def test_what_the_page_writes_itself_is_no_news(page: Page, studio: Running) -> None:
    """Though the watch may see the files before the answer comes."""
    enter(page, studio, "isaac", "6")
    page.js("new EventSource('/api/events').addEventListener('changed', (event) => { seen += event.data })")
    page.js(HOLD % "'/api/write'")
    page.key("w")
    page.wait("document.querySelector('#write-command')?.textContent")
    page.js("document.querySelector('#format-png').checked || document.querySelector('#format-png').click()")
    page.click("#write-go")
    page.wait("seen.includes('isaac-6.png') && letGo")
    page.js("letGo()")
    page.wait("document.querySelector('#results .written')")
    (studio.folder / "specs" / "other.toml").write_text('style = "isaac"\n', "utf-8")
    page.wait(f"{NOTICES}.includes('specs/other.toml')")
    assert "isaac-6" not in page.js(NOTICES)
    page.js("letGo = null")
    page.click("#write-go")  # which changes nothing on disk
    page.wait("letGo")
    page.js("letGo()")
    page.wait("!document.querySelector('#write-go').disabled")
    map_file = studio.folder / "levels" / "isaac-6.tmj"
    map_file.write_text(map_file.read_text("utf-8") + "\n", "utf-8")
    page.wait(f"{NOTICES}.includes('isaac-6.tmj')")
    page.key("Escape")
    settled(page)


@pytest.mark.parametrize(
    ("spec", "seed"), [pytest.param("rebirth", "", marks=pytest.mark.soak), ("isaac", "011")]
)
def test_a_star_shows_however_the_seed_is_written(spec: str, seed: str, page: Page, studio: Running) -> None:
    enter(page, studio, spec, seed)
    for state in ("true", "false"):
        page.key("f")
        page.wait(f"document.querySelector('#star').ariaPressed === '{state}'")


def test_a_star_stands_in_the_manifest(page: Page, studio: Running) -> None:
    enter(page, studio, "isaac", "9")
    page.key("f")
    page.wait("document.querySelector('#star').ariaPressed === 'true'")
    assert "9" in (studio.folder / "undercroft.toml").read_text("utf-8")
    page.wait(
        "[...document.querySelectorAll('#kept-list .small-name')].some(one => one.textContent === '★ isaac 9')"
    )
    page.key(".")
    settled(page)
    assert page.js("document.querySelector('#star').ariaPressed") == "false"
    page.key(",", "f")  # taken back
    page.wait("document.querySelector('#star').ariaPressed === 'false'")
    assert "9" not in (studio.folder / "undercroft.toml").read_text("utf-8")


def test_a_star_of_a_level_with_rolled_rooms_shows_for_it_alone(page: Page, studio: Running) -> None:
    enter(page, studio, "isaac", "9", **{"set.state.coins": "7"})
    pressed = "document.querySelector('#star').ariaPressed"
    page.key("]", "]", "r")
    page.wait(f"location.hash.includes('rerolls') && {DRAWN}")
    page.key("f")
    page.wait(f"{pressed} === 'true'")
    assert "rerolls = [{room = 1, layout = 1}]" in (studio.folder / "undercroft.toml").read_text("utf-8")
    page.key("Control+z")
    settled(page)
    assert page.js(pressed) == "false"
    starred = "[...document.querySelectorAll('#kept-list .small-card')].find(one => one.textContent.startsWith('★'))"
    page.wait(starred)
    page.js(f"{starred}.click()")
    page.wait(f"{pressed} === 'true' && {DRAWN}")
    assert json.loads(address_of(page)["rerolls"]) == [{"room": 1, "layout": 1}]
    page.key("f")
    page.wait(f"{pressed} === 'false'")


def test_pools_of_layouts_and_one_that_changes_on_disk(page: Page, studio: Running) -> None:
    enter(page, studio, "specs/cellar.toml")
    page.key("y")
    page.wait("document.querySelector('#contact img')?.naturalWidth > 50")
    rows = "document.querySelectorAll('#layout-rows tr').length"
    assert page.js(rows) == int(
        page.js("document.querySelector('#pool').selectedOptions[0].text").split("(")[1][:-1]
    )
    own = "[...document.querySelectorAll('#pool option')].some(one => one.value.startsWith('own'))"
    page.wait(own)
    page.js(
        "(one => { one.value = 'isaac'; one.dispatchEvent(new Event('input')) })(document.querySelector('#spec'))"
    )
    page.wait(f"!{own}")  # a spec without layouts of its own
    page.js("document.activeElement.blur()")
    page.key("Control+z", "v", "s")
    small = "document.querySelector('#kept-list canvas').dataset.drawn"
    page.wait(f"{small} === 'yes'")
    page.js(f"{small} = 'before'")
    (studio.folder / "layouts" / "shop" / "mine.txt").write_bytes(shop_layouts()[1])
    page.wait(f"{NOTICES}.includes('mine.txt') && {DRAWN}")
    page.wait(f"{small} === 'yes'")
    (studio.folder / "layouts" / "shop" / "mine.txt").write_text("not a layout\n", "utf-8")
    page.wait("document.querySelector('[data-key=layouts] .problem').textContent.includes('mine.txt')")
    (studio.folder / "layouts" / "shop" / "mine.txt").write_bytes(shop_layouts()[0])
    page.wait(f"document.querySelector('[data-key=layouts] .problem').hidden && {DRAWN}")


def test_a_value_that_a_kit_adds_has_its_default(page: Page, studio: Running) -> None:
    enter(page, studio, "gungeon", **{"set.kit": '"garden"'})
    courage = "document.querySelector('[data-key=\"state.courage\"] .box').value"
    assert page.js(courage) == "0"
    page.js("document.querySelector('[data-key=kit] .reset').click()")
    page.wait("!document.querySelector('[data-key=\"state.courage\"]')")
    settled(page)


def test_what_the_project_has_can_be_picked_whatever_the_text_is(page: Page, studio: Running) -> None:
    """A browser's own list offers only what begins like the text that is there."""
    enter(page, studio, "gungeon")
    picks = "Object.fromEntries([...document.querySelectorAll('.picker:not([hidden]) select')].map(one => [one.closest('.value').dataset.key, [...one.options].map(each => each.value)]))"
    found = page.js(picks)
    assert {"", "garden"} <= set(found["kit"])
    assert "layouts" in found["layouts"] and "hub" in found["flow"]
    page.js(
        "(one => { one.value = 'garden'; one.dispatchEvent(new Event('input')) })(document.querySelector('[data-key=kit] select'))"
    )
    page.wait("document.querySelector('[data-key=\"state.courage\"]')")
    assert page.js("document.querySelector('[data-key=kit] input').value") == "garden"
    settled(page)


def test_a_broken_kit_is_a_line_beside_its_control(page: Page, studio: Running) -> None:
    kit = studio.folder / "broken"
    kit.mkdir(exist_ok=True)
    (kit / "kit.toml").write_text("[room.crypt]\ncolor = 7\n", "utf-8")
    enter(page, studio, "isaac")
    page.js(
        "(one => { one.value = 'broken'; one.dispatchEvent(new Event('change')) })(document.querySelector('[data-key=kit] input'))"
    )
    problem = "document.querySelector('[data-key=kit] .problem')"
    page.wait(f"!{problem}.hidden")
    assert "broken" in page.js(f"{problem}.textContent")
    described = page.js("document.querySelector('[data-key=kit] input').getAttribute('aria-describedby')")
    assert page.js(f"{problem}.id") in described.split()
    assert violations(page) == []
    page.js("document.querySelector('[data-key=kit] .reset').click()")
    page.wait(f"{problem}.hidden && {DRAWN}")


def test_a_theme_that_breaks_on_disk_is_a_line_beside_its_control_until_it_is_mended(
    page: Page, studio: Running
) -> None:
    look = studio.folder / "look"
    shutil.copytree(Path(exporters.__file__).parent / "themes", look)
    enter(page, studio, "isaac", "8", theme="look/undercroft.toml")
    problem = "document.querySelector('[data-key=theme] .problem')"
    note = "document.querySelector('#stage-a .stage-note')"
    toml, image = look / "undercroft.toml", look / "undercroft.png"
    for file, broken, said in (
        (toml, b"= 3\n", "look/undercroft.toml: is not TOML"),
        (image, image.read_bytes()[:1000], "look/undercroft.toml: image: is cut short"),
        (image, None, "look/undercroft.toml: image: look/undercroft.png: cannot be read"),
    ):
        whole = file.read_bytes()
        file.write_bytes(broken) if broken is not None else file.unlink()
        page.wait(f"{problem}.textContent.startsWith({json.dumps(said)}) && !{note}.hidden")
        assert "\n" not in page.js(f"{problem}.textContent")
        assert page.js("document.querySelector('#stage-a canvas').width > 1")  # the old picture stays
        file.write_bytes(whole)
        page.wait(f"{problem}.hidden && {note}.hidden && {DRAWN}")
    shutil.rmtree(look)
    page.wait(f"!{problem}.hidden")
    page.js("document.querySelector('[data-key=theme] .reset').click()")
    page.wait(f"{problem}.hidden && {DRAWN}")


def test_a_late_level_does_not_hide_why_the_next_spec_is_refused(page: Page, studio: Running) -> None:
    (studio.folder / "specs" / "refused.toml").write_text('style = "isaac"\nstage = 99\n', "utf-8")
    enter(page, studio)
    page.wait(
        "[...document.querySelectorAll('#spec option')].some(one => one.value === 'specs/refused.toml')"
    )
    page.js(HOLD % "'/api/level'")
    page.key(".")
    page.wait("letGo")
    page.js(
        "{ const one = document.querySelector('#spec'); one.value = 'specs/refused.toml'; one.dispatchEvent(new Event('input')) }"
    )
    said = "[...document.querySelectorAll('.problem')].some(one => one.textContent.includes('refused.toml'))"
    page.wait(said)
    page.js("letGo(), new Promise(done => setTimeout(done, 300))")
    assert page.js(said)


def test_a_broken_spec_is_drawn_as_soon_as_it_is_mended(page: Page, studio: Running) -> None:
    enter(page, studio)
    spec = studio.folder / "specs" / "later.toml"
    spec.write_text('style = "isaac"\nstage = 99\n', "utf-8")
    page.wait("[...document.querySelectorAll('#spec option')].some(one => one.value === 'specs/later.toml')")
    page.wait(  # a list that is made anew at this moment may take the choice back
        "(one => { if (one.value !== 'specs/later.toml') { one.value = 'specs/later.toml'; "
        "one.dispatchEvent(new Event('input')) } return true })(document.querySelector('#spec')) && "
        "[...document.querySelectorAll('.problem, #spec-problem')].some(one => one.textContent.includes('later.toml'))"
    )
    spec.write_text('style = "isaac"\nstage = 2\n', "utf-8")
    page.wait(f"{DRAWN} && document.querySelector('#side-a .caption').textContent.startsWith('later')")
    page.wait("document.querySelector('#spec-problem').textContent === ''")


def test_a_spec_that_breaks_is_told_once(page: Page, studio: Running) -> None:
    """Beside its control, and not for the manifest that names it too."""
    spec, manifest = studio.folder / "specs" / "once.toml", studio.folder / "undercroft.toml"
    spec.write_text('style = "isaac"\n', "utf-8")
    before = manifest.read_bytes() if manifest.exists() else b""
    manifest.write_text('[group.once]\nspec = "specs/once.toml"\nseeds = [1]\n', "utf-8")
    enter(page, studio, "specs/once.toml")
    spec.write_text('style = "isaac"\nrooms = 1000\n', "utf-8")
    page.wait("document.querySelector('[data-key=rooms] .problem').textContent.includes('once.toml')")
    page.wait(f"{NOTICES}.includes('specs/once.toml changed on disk')")
    spec.write_text('style = "isaac"\n', "utf-8")
    page.wait(f"{DRAWN} && document.querySelector('.stage-note').hidden")
    assert "undercroft.toml" not in page.js(NOTICES)
    manifest.write_bytes(before)


def test_a_wrong_seed_code_is_told_once_and_leaves_no_other_level_there(page: Page, studio: Running) -> None:
    """At the seed; and the picture and the rooms of the spec before are gone, until there is a level again."""
    enter(page, studio, "isaac", "ABCD EFGO")
    page.js("document.querySelector('#room-list li').focus()")
    said = "[...document.querySelectorAll('.problem, #spec-problem, .stage-note')].filter(one => one.checkVisibility() && one.textContent).map(one => one.id)"
    rooms = "document.querySelectorAll('#room-list li').length"
    page.js(
        "(one => { one.value = 'rebirth'; one.dispatchEvent(new Event('input')) })(document.querySelector('#spec'))"
    )
    page.wait("!document.querySelector('#seed-problem').hidden")
    assert page.js(said) == ["seed-problem"]
    assert page.js("document.querySelectorAll('#stage-a .sheet > *').length") == 0 == page.js(rooms)
    assert caption(page) == "No level"
    assert page.js("getComputedStyle(document.querySelector('#stage-a'), '::after').content") == "none"
    for part in (".facts", "#about-room"):
        assert not page.js(f"document.querySelector('{part}').checkVisibility()"), part
    page.send("Page.reload")
    page.wait(f"{READY} && !document.querySelector('#seed-problem').hidden")
    assert page.js(said) == ["seed-problem"] and caption(page) == "No level"
    page.key(".")
    page.wait(f"{DRAWN} && {rooms} > 0")
    assert page.js(said) == [] and caption(page).startswith("rebirth ABCD EFGO 1: ")


def test_before_the_first_answer_the_page_says_what_it_waits_for(page: Page, studio: Running) -> None:
    enter(page, studio)
    held = page.send("Page.addScriptToEvaluateOnNewDocument", source=HOLD_FIRST)["identifier"]
    try:
        page.send("Page.reload")
        page.wait("window.letGo")
        said = page.js("document.querySelector('main').innerText.trim()")
        assert said == "Making the first level …"
        assert page.js("document.querySelector('#values-told').innerText") == "Reading the values …"
        assert violations(page) == []
        page.js("letGo()")
        page.wait(f"{READY} && {DRAWN}")
        for waits in ("Making the first level", "Reading the values"):
            assert waits not in page.js("document.body.innerText")
    finally:
        page.send("Page.removeScriptToEvaluateOnNewDocument", identifier=held)


def test_without_a_level_nothing_of_one_is_offered(page: Page, studio: Running) -> None:
    spec = studio.folder / "specs" / "never.toml"
    spec.write_text("style = \n", "utf-8")
    enter(page, studio)
    page.js("location.hash = '#spec=specs/never.toml'")
    page.wait("!document.querySelector('#stage-a .stage-note').hidden")
    page.send("Page.reload")
    page.wait(f"{READY} && document.querySelector('#stage-a .stage-note:not([hidden])')")
    for part in ("#roll-rest", ".facts", "#about-room"):
        assert not page.js(f"document.querySelector('{part}').checkVisibility()"), part
    page.js("location.hash = '#spec=isaac'")
    settled(page)
    assert page.js("document.querySelector('.facts').checkVisibility()")
    spec.unlink()


def test_a_reload_keeps_everything_and_tabs_are_their_own(page: Page, studio: Running) -> None:
    enter(page, studio, "isaac", "3", **{"set.stage": "4"})
    page.key("s", ".")
    settled(page)
    here = page.js("location.hash")
    page.send("Page.reload")
    page.wait(
        f"{READY} && {DRAWN} && document.querySelectorAll('#kept-list li:not(:has(.starred))').length >= 1"
    )
    assert page.js("location.hash") == here
    assert address_of(page) == {"spec": "isaac", "seed": "4", "set.stage": "4"}
    with page.other_tab() as other:
        other.send("Page.navigate", url=f"http://127.0.0.1:{studio.port}/#spec=gungeon&seed=8")
        other.wait(f"{READY} && {DRAWN}")
        assert (
            other.js(
                "[...document.querySelectorAll('.small-name')].filter(one => one.textContent[0] !== '★').length"
            )
            == 0
        )
        other.key(".", "s")
        other.wait(DRAWN)
        assert page.js("location.hash") == here
        assert (
            page.js(
                "[...document.querySelectorAll('.small-name')].map(one => one.textContent).includes('gungeon 9')"
            )
            is False
        )
    page.key("Control+z")
    assert address_of(page)["seed"] == "3"
    settled(page)
    page.js("location.hash = '#spec=gungeon&seed=8'")  # a link that somebody sent, in the tab that is open
    page.wait(f"{DRAWN} && document.querySelector('#side-a .caption').textContent.startsWith('gungeon 8')")
    page.key("Control+z")
    assert address_of(page)["spec"] == "isaac"
    settled(page)


@pytest.mark.parametrize(
    ("scheme", "width"),
    [("light", 1440), pytest.param("dark", 1024, marks=pytest.mark.soak), ("dark", 390)],
)
def test_no_violation_of_accessibility(scheme: str, width: int, page: Page, studio: Running) -> None:
    page.size(width, 844, phone=width < 500)
    page.prefer(color_scheme=scheme, reduced_motion="reduce")
    enter(page, studio, "isaac")
    page.key("]", "]", "p", "s")
    states: dict[str, Any] = {"level": violations(page)}
    if width == 1440:
        page.key("c")
        page.wait(f"{DRAWN} && document.querySelector('#stage-b:not(.is-plan) canvas')?.width > 1")
        states["compared"] = violations(page)
        page.key("c", "h")
        page.js("document.querySelector('#search-most').value = 1")
        page.click("#search-go")
        page.wait("document.querySelector('#search-told').textContent.endsWith('tried.')")
        states["search"] = violations(page)
    elif width == 1024:
        page.key("?")
        states["keys"] = violations(page)
        page.key("Escape", "y")
        page.wait("document.querySelector('#contact img')?.complete")
        states["layouts"] = violations(page)
    else:
        page.key("w")
        page.wait("document.querySelector('#write-python')?.textContent")
        page.js("document.querySelector('.options').open = true")
        fields = (
            "[...document.querySelectorAll('#write-dialog .where > .field')].map(one => one.offsetHeight)"
        )
        assert max(page.js(fields)) < 300
        states["write"] = violations(page)
        page.key("Escape")
    assert {name: found for name, found in states.items() if found} == {}
    assert page.js("document.documentElement.scrollWidth <= innerWidth")
    page.wait("document.querySelector('#told').textContent")  # what was drawn is said
    settled(page)


# Controls that something lies over, or that are cut off.
COVERED = """
[...document.querySelectorAll('header :is(button, select, input), #tools button, #views button, .compare-bar :is(button, select)')]
  .filter((one) => one.checkVisibility()).filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const ends = [[left + 3, (top + bottom) / 2], [right - 3, (top + bottom) / 2]];
    return !ends.every(([x, y]) => one.contains(document.elementFromPoint(x, y)));
  }).map((one) => one.outerHTML)
"""


def test_whatever_the_window_two_levels_and_all_controls_are_in_sight(page: Page, studio: Running) -> None:
    enter(page, studio, "isaac", "8")
    page.key("s", "c")
    page.wait("document.querySelector('#stage-b:not(.is-plan) canvas')?.width > 1")
    page.wait("document.querySelector('#side-b .caption').textContent")
    clear = """['a', 'b'].every((side) => {
      const box = (what) => document.querySelector(what).getBoundingClientRect();
      const [sheet, caption] = [box(`#stage-${side} .sheet`), box(`#side-${side} .caption`)];
      return sheet.top >= box('.compare-bar').bottom - box('#side-b').top + box(`#side-${side}`).top && sheet.bottom <= caption.top + 1;
    })"""
    for width, height in ((1440, 900), (1024, 768), (390, 844)):
        page.size(width, height, phone=width < 500)
        page.wait(f"innerWidth === {width} && {clear}")
        assert page.js(COVERED) == [], width
        assert page.js("document.documentElement.scrollWidth") == width
    page.key("c")


def test_a_fact_of_the_level_is_a_condition_to_search_for(page: Page, studio: Running) -> None:
    enter(page, studio, "rebirth", "8")
    level = generator.generate("rebirth", seed=8)
    texts = "[...document.querySelectorAll('.facts .fact')].map(one => one.textContent)"
    assert {"rooms", "dead ends", "distance to boss", "torch markers", "secret doors"} <= set(page.js(texts))
    page.js("[...document.querySelectorAll('.facts .fact')].find(one => one.textContent === 'rooms').click()")
    assert page.js("document.body.dataset.view") == "search"
    assert (
        page.js("document.activeElement.id + ': ' + document.activeElement.value")
        == f"where: rooms == {len(level.rooms)}"
    )


def test_on_a_phone_panels_are_tabs(page: Page, studio: Running) -> None:
    """The level stays in sight above the panel; what is touched is large enough."""
    page.size(390, 844, 2, phone=True)
    page.send("Emulation.setTouchEmulationEnabled", enabled=True)
    try:
        enter(page, studio)
        shown = "['#values', '#stage-a', '#rooms', '#view-search'].map(one => document.querySelector(one).checkVisibility())"
        for tab, wanted in (
            ("[data-pane=values]", [True, True, False, False]), ("[data-pane=rooms]", [False, True, True, False]),
            ("[data-view=level]", [False, True, False, False]), ("[data-view=search]", [False, False, False, True]),
        ):  # fmt: skip
            page.click(f"#views {tab}")
            assert page.js(shown) == wanted, tab
            assert page.js("document.documentElement.scrollWidth") == 390
            small = page.js(
                "[...document.querySelectorAll('button, select, input:not([type=checkbox])')].filter(one => one.checkVisibility() && !one.closest('.unseen')"
                " && one.getBoundingClientRect().height < 44).map(one => one.outerHTML)"
            )
            assert small == [], tab
        page.size(320, 640, 2, phone=True)
        assert page.js("document.documentElement.scrollWidth") == 320
        page.size(667, 375, 2, phone=True)  # held sideways
        page.click("#views [data-pane=values]")
        high = "['#values', '#stage-a'].map(one => document.querySelector(one).clientHeight)"
        assert min(page.js(high)) > 200
        assert page.js("document.documentElement.scrollWidth") == 667
    finally:
        page.send("Emulation.setTouchEmulationEnabled", enabled=False)


def test_a_server_that_stops_loses_nothing(page: Page, studio: Running) -> None:
    enter(page, studio, "isaac", "3")
    page.key("s")
    page.wait("document.querySelectorAll('#kept-list canvas[data-drawn=yes]').length >= 1")
    studio.stop()
    banner = "document.querySelector('#banner').textContent"
    page.wait(f"{banner}.includes('has stopped')")
    assert page.js("getComputedStyle(document.querySelector('#banner')).display") != "none"
    page.key(".", ".", "s")
    assert address_of(page)["seed"] == "5"
    page.wait("document.querySelector('#kept-list canvas[data-drawn=no]')")
    page.key("w")
    page.wait("document.querySelector('#write-problem').textContent")
    studio.start()
    page.wait(f"{banner}.includes('restarted')")  # with another token
    with page.other_tab() as other:
        other.send("Page.navigate", url=studio.address)
        other.wait(READY)
        page.wait(
            f"!{banner} && {DRAWN} && document.querySelector('#side-a .caption').textContent.startsWith('isaac 5')"
        )
    assert page.js(
        "[...document.querySelectorAll('.small-name')].map(one => one.textContent).includes('isaac 3')"
    )
    until(lambda: page.js(f"!{banner}"), "the banner stays")
    page.wait("!document.querySelector('#kept-list canvas:not([data-drawn=yes])')")
    page.wait("document.querySelector('#write-command').textContent")
    assert page.js("document.querySelector('#write-problem').textContent") == ""
    page.key("Escape")
    page.console[:] = [line for line in page.console if "Failed to load resource" not in line]
