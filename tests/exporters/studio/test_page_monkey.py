"""A monkey at the studio's page: whatever it presses, nothing breaks in the page or in the server.

It goes through stories, so that it comes to what chance alone seldom finds, and between their steps it presses,
types and drags whatever it sees, reloads the page, and changes the project's files.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from tests.browser import Page, browser
from tests.exporters.studio.in_browser import READY, Running, enter, running
from tests.exporters.studio.page import CELLAR, EXAMPLES, make_project, shop_layouts

SESSIONS = 200
BLOCKS = 20
STEPS = 30
TRIES = 6  # of a step of a story
SPECS = ["gungeon", "isaac", "rebirth", "labyrinth", "specs/cellar.toml"]
KEYS = [*"d,.s f c x]][[p r e k + - 0 1 o g m h v v y b l n ? w".replace(" ", ""), "Escape", "Escape", "Tab", "Enter", "Shift+R",
        "ArrowDown", "ArrowUp", "ArrowLeft", "Home", "End", "Control+z", "Control+Shift+z"]  # fmt: skip
TEXTS = ["", "7", "-1", "99999999999999999999999", "<b>&\"'", "broken", "../..", "loops ==", "a b", "💀"]
# What a person does one after the other: a key, or the selector of what is pressed, or of a field, <- and its text.
STORIES: tuple[tuple[str, ...], ...] = (
    ("#compare", "#held-more", "#held-less", "#held", "#swap", "#seed-more", "#close-compare"),
    ("h", "#where <- rooms > 5", "#search-count <- 40", "#search-go", "#hits .drop", "#hits .card"),
    ("h", "#where <- rooms > 500", "#search-count <- 100000", "#search-go", "#search-stop", "#add-fact", "v"),
    ("#write", "#folder <- out/deep", "#file-name <- mine", "#format-png", "#write-go", "#folder-list button", "#write-go"),
    ("#write", "#folder <- ../out", "#file-name <- a/b", "#write-go", "[id=edits-replace]", "#write-dialog .close"),
    ("#write", "#write-dialog .options summary", "#format-tiled", "#write-dialog .value input", "#write-go"),
    ("f", "#seed-more", "#star", "#kept-list li:last-child .small-card", "#star"),
    ("y", "#layout-rows .link", "y", "#pool", "#large-sheet", "#count-layouts", "v"),
    ("[data-key=theme] input <- orbital/theme/orbital.toml", "#throw", "l", "[data-key=theme] .reset", "#look"),
    ("[data-key=theme] input <- broken", "#seed-more", "#reset-all"),
    ("[data-key=kit] input <- garden", "#throw", "[data-key=kit] input <- broken", "y", "v", "[data-key=kit] .reset"),
    ("[data-key=layouts] input <- layouts", "y", "v", "#seed-less", "#undo", "#redo"),
    ("#throw", "#keep", "#throw", "#keep", "#kept-list .small-card", "#kept-list .drop", "#compare", "#held"),
    ("]", "#pin-room", "]", "#roll-layout", "#roll-markers", "#roll-kind", "#roll-rest", "#undo", "#keep", "#write"),
    ("#room-list li:nth-child(3)", "#about-room .link", "p", "r", "Shift+R", "f", "#compare", "#swap", "r"),
    ("#spec <- labyrinth", "#zoom-in", "#zoom-out", "#zoom-fit", "#show-rooms", "#show-locks", "#show-markers"),
    ("#spec <- specs/cellar.toml", "#seed <- a text", "#again summary", "#toggle-rooms", "#toggle-rooms", "#again summary"),
    ("#find-value <- room", "#groups summary", "#values .box", "#values input[type=range]", "#find-value <- "),
    ("#help", "#help-dialog .close", "#views button:nth-child(5)", "#views button:nth-child(2)"),
)  # fmt: skip
# Press, move or type into one of the things that can be used and seen; what it was. First a part of the page is chosen.
USE = """
(([area, at, part, text, selector]) => {
  const root = document.querySelector('dialog[open]') ?? document;
  const all = [...root.querySelectorAll(selector || 'button, input, select, textarea, summary, [role=option]')]
    .filter((one) => !one.disabled && one.checkVisibility());
  const parts = '.formats, .where, header, details, section, aside, .side, dialog, #tools, #views';
  const groups = Map.groupBy(all, (one) => one.closest(parts));
  const group = [...groups.values()][Math.floor(area * groups.size)] ?? [];
  const one = selector ? all[0] : group[Math.floor(at * group.length)];
  if (!one) return null;
  const say = (type) => one.dispatchEvent(new Event(type, { bubbles: true }));
  const offers = [...one.list?.options ?? []].map((each) => each.value);
  one.focus();
  if (one.matches('select') && selector && text !== 'x') one.value = text;
  else if (one.matches('select')) one.selectedIndex = Math.floor(part * one.options.length);
  else if (one.matches('[type=range]')) one.value = +one.min + part * (one.max - one.min);
  else if (one.matches('[type=number]')) one.value = selector && text !== 'x' ? text : Math.floor(part * 2 * (+one.max || 50)) - 3;
  else if (one.matches('textarea, input:not([type=checkbox], [type=radio])')) {
    one.value = !selector && offers.length && part < 0.5 ? offers[Math.floor(2 * part * offers.length)] : text;
  } else { one.click(); return one.id || one.textContent; }
  say('input'); say('change');
  return one.id || one.closest('[data-key]')?.dataset.key || one.tagName;
})(%s)
"""
SOME_FRAMES = "(async () => { for (let i = 0; i < 40; i++) await new Promise(requestAnimationFrame); })()"
FILES: tuple[tuple[str, tuple[bytes, ...]], ...] = (
    ("specs/cellar.toml", (CELLAR.encode(), CELLAR.encode() + b"door_width = 3\n", b"stage = ", b"\xff")),
    ("layouts/shop/mine.txt", (*shop_layouts(), b"not a layout\n", b"")),
    ("garden/kit.toml", ((EXAMPLES / "garden" / "kit.toml").read_bytes(), b"[room.crypt]\ncolor = 7\n")),
    ("orbital/theme/orbital.toml", ((EXAMPLES / "orbital/theme/orbital.toml").read_bytes(), b'image = "none"\n')),
    ("undercroft.toml", (b"", b'[group.mine]\nspec = "isaac"\nseeds = [1, 2]\n', b"[group", b"group = 7\n")),
)  # fmt: skip


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = make_project(tmp_path_factory.mktemp("game"))
    shutil.copytree(EXAMPLES / "orbital", folder / "orbital")
    (folder / "broken").mkdir()
    (folder / "broken" / "kit.toml").write_text("[room.crypt]\ncolor = 7\n", "utf-8")
    with running(folder, folder.with_suffix(".log")) as found:
        yield found


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def told() -> Iterator[Counter[str]]:
    """How often each step of a story did something. If all blocks were played, every step did."""
    found: Counter[str] = Counter()
    yield found
    if found["blocks"] == BLOCKS:
        assert {step for story in STORIES for step in story} - (+found).keys() == set()


@pytest.mark.soak
@pytest.mark.parametrize("block", range(BLOCKS))
def test_a_monkey_breaks_nothing(block: int, page: Page, studio: Running, told: Counter[str]) -> None:
    for session in range(block * SESSIONS // BLOCKS, (block + 1) * SESSIONS // BLOCKS):
        chance = Random(session)
        for path, (sound, *_) in FILES:
            (studio.folder / path).write_bytes(sound)
        page.size(*chance.choice([(1280, 800), (1280, 800), (1024, 700), (390, 844)]))
        enter(page, studio, chance.choice(SPECS), str(chance.randrange(1, 50)))
        done = played(page, studio, chance, STORIES[session % len(STORIES)], told)
        page.js("document.querySelectorAll('dialog[open]').forEach(one => one.close())")
        page.wait(
            "document.querySelector('#stage-a:not(.is-old) canvas, .stage-note:not([hidden]), .problem:not([hidden]):not(:empty)')"
        )
        odd = [line for line in page.console if "status of 422" not in line]
        page.console.clear()
        assert odd == [], (session, done)
        assert page.js("document.querySelector('#banner').textContent") == "", (session, done)
        assert len(studio.said.splitlines()) == 1, (session, done, studio.said)
    told["blocks"] += 1


def played(
    page: Page, studio: Running, chance: Random, story: tuple[str, ...], told: Counter[str]
) -> list[str]:
    """Go through a story, and do whatever comes in between; what was done."""
    done: list[str] = []
    left, tries = list(story), 0
    for _ in range(STEPS):
        if left and chance.random() < 0.6:
            was = follow(page, left[0])
            done.append(f"{left[0]}: {was}")
            told[left[0]] += was is not None
            tries += 1
            if was is not None or tries == TRIES:  # what is not there may be on its way
                left.pop(0)
                tries = 0
        else:
            done.append(anything(page, studio, chance))
    return done


def follow(page: Page, step: str) -> str | None:
    """Do a step of a story; what it was, None if it is not there."""
    if step in KEYS:
        page.js(
            "document.querySelectorAll('dialog[open]').forEach(one => one.close()), document.activeElement.blur()"
        )
        page.key(step)
        return step
    selector, arrow, text = step.partition(" <- ")
    found: str | None = page.js(USE % json.dumps([0, 0, 0.5, text if arrow else "x", selector]))
    if found is None:
        page.js(SOME_FRAMES)
    return found


def anything(page: Page, studio: Running, chance: Random) -> str:
    """Do something; what it was."""
    what = chance.random()
    if what < 0.03:
        page.send("Page.reload")
        page.wait(READY)
        return "reload"
    if what < 0.06:
        path, contents = chance.choice(FILES)
        (studio.folder / path).write_bytes(chance.choice(contents))
        return path
    if what < 0.14:
        return pointed(page, chance)
    if what < 0.45:
        key = chance.choice(KEYS)
        page.key(key)
        return key
    given = [chance.random(), chance.random(), chance.random(), chance.choice(TEXTS), ""]
    return str(page.js(USE % json.dumps(given)))


def pointed(page: Page, chance: Random) -> str:
    """Turn the wheel, or press and drag, somewhere on a picture."""
    box = page.js(
        "(box => [box.x, box.y, box.width, box.height])(document.querySelector('.side:not([hidden]) .stage').getBoundingClientRect())"
    )
    places = [
        {"x": box[0] + chance.random() * box[2], "y": box[1] + chance.random() * box[3]} for _ in range(2)
    ]
    if chance.random() < 0.3:
        wheel = chance.choice([-400, 120, 2000])
        page.send("Input.dispatchMouseEvent", type="mouseWheel", deltaX=0, deltaY=wheel, **places[0])
        return f"wheel {wheel}"
    page.send("Input.dispatchMouseEvent", type="mousePressed", button="left", clickCount=1, **places[0])
    if chance.random() < 0.5:
        page.send("Input.dispatchMouseEvent", type="mouseMoved", button="left", **places[1])
    page.send("Input.dispatchMouseEvent", type="mouseReleased", button="left", clickCount=1, **places[1])
    return "pointer"
