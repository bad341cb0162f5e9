"""A gallery in a real browser: walked by keys, filtered, sorted, looked at, on a desk and on a phone."""

from __future__ import annotations

import base64
import io
import json
import os
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from exporters.formats.png import EXPORTER as PNG
from exporters.pages import cards
from exporters.pages.gallery import gallery as gallery_page
from exporters.theme.loader import load_theme
from generator import generate
from generator.batch.condition import parse_condition
from generator.serialise import dumps
from tests.browser import Page
from tests.exporters import locked_level, own_kinds
from tests.exporters.pages.conftest import undercroft
from tests.exporters.pages.test_gallery_file import data_of

pytestmark = pytest.mark.xdist_group("browser")

LOOK = (Path(__file__).parent / "look.js").read_text("utf-8")
CARDS = "[...document.querySelectorAll('#levels li')]"
NAMES = f"{CARDS}.map(item => item.querySelector('.name').textContent)"
FOCUS = "(document.activeElement.id || document.activeElement.querySelector(':scope > .about .name')?.textContent)"
CLOSED = "!document.querySelector('dialog').open && location.hash === ''"
DRAWN = "document.querySelectorAll('canvas[data-drawn]').length"


def opened(page: Page, path: Path) -> Any:
    """The page's data, once its first levels are drawn."""
    page.open(path)
    page.wait(f"{DRAWN} > 0")
    return data_of(path)


def column(data: Any, name: str) -> list[Any]:
    place = [fact["name"] for fact in data["facts"]].index(name)
    return [level["values"][place] for level in data["levels"]]


def picture(page: Page, selector: str) -> np.ndarray:
    """[y, x, 4]: the pixels of a canvas."""
    address = page.js(f"document.querySelector({json.dumps(selector)}).toDataURL('image/png')")
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(address.split(",")[1]))))


@pytest.mark.parametrize(("style", "markers"), [("rebirth", False), ("gungeon", True), ("isaac", True)])
def test_the_large_picture_is_the_one_that_the_exporter_draws(
    style: str, markers: bool, page: Page, tmp_path: Path
) -> None:
    undercroft("gallery", style, "--seeds", "7:8", "--out", tmp_path / "g.html")
    option = ("--option", f"png.markers={str(markers).lower()}")
    undercroft("generate", style, "--seed", "7", "--to", "png", *option, "--name", "level", "--out", tmp_path)
    opened(page, tmp_path / "g.html")
    page.click(".card")
    expected = np.asarray(Image.open(tmp_path / f"level{PNG.suffixes[0]}").convert("RGBA")).astype(int)
    page.wait(f"document.querySelector('#sheet canvas')?.width === {expected.shape[1]}")
    if markers:
        page.js("globalThis.without = document.querySelector('#sheet canvas'); 0")
        page.key("m")
        page.wait("document.querySelector('#sheet canvas') !== without")
    page.wait("document.querySelectorAll('#sheet canvas').length === 1")
    shown = picture(page, "#sheet canvas").astype(int)
    assert shown.shape == expected.shape
    assert np.array_equal(shown[..., 3] == 0, expected[..., 3] == 0)
    solid = expected[..., 3] == 255
    assert np.abs(shown - expected)[solid].max() <= 2  # a browser rounds where things are half transparent
    assert solid.mean() > 0.2


def test_only_what_can_be_seen_is_drawn(page: Page, tmp_path: Path) -> None:
    undercroft("gallery", "isaac", "--seeds", "0:150", "--jobs", "1", "--out", tmp_path / "g.html")
    page.size(390, 844)
    opened(page, tmp_path / "g.html")
    page.wait(f"{DRAWN} >= 3")
    large = "[...document.querySelectorAll('canvas')].filter(one => one.width > 1).length"
    assert 3 <= page.js(large) <= 12
    page.js("scrollTo(0, 30000)")
    page.wait(
        f"{CARDS}[149].offsetTop < 1e9 && {large} >= 3 && {CARDS}[0].querySelector('canvas').width === 1"
    )
    assert page.js(large) <= 12  # those that went out of sight gave their memory back


def test_walked_by_keys(page: Page, gallery: Path) -> None:
    data = opened(page, gallery)
    names = [level["name"] for level in data["levels"]]
    order = []
    for _ in range(9):
        page.key("Tab")
        order.append(page.js(FOCUS))
    assert order[1:4] == ["text", "sort", "turn"] and order[4] == "open-filters" and order[8] == names[0]
    columns = page.js(
        "getComputedStyle(document.querySelector('#levels')).gridTemplateColumns.split(' ').length"
    )
    assert columns == 4
    for key, at in (("ArrowRight", 1), ("ArrowDown", 5), ("ArrowLeft", 4), ("ArrowUp", 0), ("ArrowUp", 0),
                    ("ArrowLeft", 0), ("End", 23), ("ArrowDown", 23), ("Home", 0), ("ArrowRight", 1)):  # fmt: skip
        page.key(key)
        assert page.js(FOCUS) == names[at], key
    assert page.js("document.querySelectorAll('.card[tabindex=\"0\"]').length") == 1
    outline = "getComputedStyle(document.activeElement)"
    assert page.js(f"[{outline}.outlineStyle, {outline}.outlineWidth]") == ["solid", "3px"]
    page.key("Enter")
    assert page.js("document.querySelector('dialog').open") is True
    assert page.js("location.hash") == f"#{names[1]}"
    page.key("ArrowRight", "ArrowRight", "ArrowLeft")
    assert page.js("document.querySelector('#large-name').textContent").startswith(names[2])
    command = page.js("document.querySelector('#command').textContent")
    assert command == data["levels"][2]["command"]
    page.key("Escape")
    page.wait(CLOSED)
    assert page.js(FOCUS) == names[2]
    page.key("/")
    page.type("o m f l")  # letters there are text
    assert page.js(f"[{FOCUS}, document.activeElement.value]") == ["text", "o m f l"]
    page.key("Escape", "f")
    assert page.js("[document.querySelector('#filters').hidden, document.activeElement.tagName]") == [
        False,
        "BODY",
    ]


def test_the_large_view_keeps_its_bounds(page: Page, gallery: Path) -> None:
    """The first has none before it, the last none after it; a page of a level's address opens it."""
    data = opened(page, gallery)
    page.js("document.querySelector('.card').focus()")
    page.key("Enter", "ArrowLeft")
    disabled = "['before', 'after'].map(id => document.getElementById(id).disabled)"
    assert page.js(disabled) == [True, False]
    page.key("Escape")
    page.wait(CLOSED)
    page.key("End", "Enter", "ArrowRight")
    assert page.js(disabled) == [False, True]
    last = data["levels"][-1]["name"]
    assert page.js("location.hash") == f"#{last}"
    page.open(gallery, f"#{last}")
    page.wait("document.querySelector('dialog').open")
    assert page.js("document.querySelector('#large-name').textContent").startswith(last)


def test_zoom(page: Page, gallery: Path) -> None:
    data = opened(page, gallery)
    page.click(".card")
    page.wait("document.querySelector('#sheet canvas')")
    width, height = (16 * side for side in data["levels"][0]["size"])
    box = "(r => [r.width, r.height])(document.querySelector('#sheet').getBoundingClientRect())"
    stage = page.js(
        "[document.querySelector('#stage').clientWidth, document.querySelector('#stage').clientHeight]"
    )
    fit = page.js(box)
    assert (
        fit[0] <= stage[0] + 1
        and fit[1] <= stage[1] + 1
        and fit[0] / fit[1] == pytest.approx(width / height, 0.01)
    )
    page.key("z")
    assert page.js(box) == [width, height]
    page.key("z")
    assert page.js(box) == [2 * width, 2 * height]
    page.key("ArrowRight")  # scrolls here, and goes on in the other sizes
    assert page.js("document.querySelector('#large-name').textContent").startswith(data["levels"][0]["name"])
    page.key("z")
    assert page.js(box) == fit


def test_copying_the_command(page: Page, gallery: Path) -> None:
    data = opened(page, gallery)
    page.click(".card")
    page.js("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve() }")
    page.js(  # the word stands there for a moment only, which a busy machine may miss
        "window.told = [];"
        "new MutationObserver(changes => changes.forEach(change => told.push(change.target.textContent)))"
        ".observe(document.querySelector('#copy'), {childList: true})"
    )
    page.key("c")
    page.wait("told.includes('Copied')")
    assert page.js("copied") == data["levels"][0]["command"]
    page.js("navigator.clipboard.writeText = () => Promise.reject(new Error('not here'))")
    page.js(
        "document.execCommand = () => { window.copied = getSelection().toString() || document.activeElement.value }"
    )
    page.js("copied = ''")
    page.click("#copy")
    page.wait("copied !== ''")
    assert page.js("copied") == data["levels"][0]["command"]
    assert page.js(FOCUS) == "copy"


def test_sorted(page: Page, gallery: Path) -> None:
    data = opened(page, gallery)
    names = [level["name"] for level in data["levels"]]
    far = column(data, "rooms.boss.distance")
    place = [fact["name"] for fact in data["facts"]].index("rooms.boss.distance")
    page.js(
        f"(s => {{ s.value = '{place}'; s.dispatchEvent(new Event('input')) }})(document.querySelector('#sort'))"
    )
    by = sorted(range(len(names)), key=lambda i: far[i])
    assert page.js(NAMES) == [names[i] for i in by]
    page.click("#turn")
    assert page.js(NAMES) == [names[i] for i in sorted(range(len(names)), key=lambda i: -far[i])]
    assert page.js("document.querySelector('#turn').ariaPressed") == "true"
    assert page.js("[...document.querySelectorAll('.sorted b')].map(b => +b.textContent)") == sorted(
        far, reverse=True
    )
    rare = "rooms.sacrifice.distance"  # those without one stand last, either way
    place, some = [fact["name"] for fact in data["facts"]].index(rare), column(data, rare)
    assert None in some
    page.js(
        f"(s => {{ s.value = '{place}'; s.dispatchEvent(new Event('input')) }})(document.querySelector('#sort'))"
    )
    shown = [some[names.index(name)] for name in page.js(NAMES)]
    told = [value for value in some if value is not None]
    assert shown == sorted(told, reverse=True) + [None] * (len(some) - len(told))


def test_filtered_by_a_text(page: Page, gallery: Path) -> None:
    """By a text."""
    data = opened(page, gallery)
    names = [level["name"] for level in data["levels"]]
    page.key("/")
    page.type("sacrifice")
    with_one = [name for name, count in zip(names, column(data, 'count("sacrifice")'), strict=True) if count]
    assert page.js(NAMES) == with_one and 0 < len(with_one) < 24
    page.type(" -nothing-")
    assert page.js("[document.querySelector('#none').hidden, document.querySelector('#count').textContent]") == [
        False, "0 of 24 levels"]  # fmt: skip
    page.click("#clear-too")
    assert page.js(NAMES) == names


def test_filtered_by_ranges(page: Page, gallery: Path) -> None:
    """The filters are shown as a condition for `search`."""
    data = opened(page, gallery)
    names = [level["name"] for level in data["levels"]]
    page.key("f")
    loops = [fact["name"] for fact in data["facts"]].index("loops")
    page.click(f"#least-{loops}")
    page.type("1")
    page.click(f"#most-{loops}")
    page.type("2")
    some = [name for name, loop in zip(names, column(data, "loops"), strict=True) if 1 <= loop <= 2]
    assert page.js(NAMES) == some and 0 < len(some) < 24
    where = page.js("document.querySelector('#where').textContent")
    assert where == "--where '1 <= loops <= 2'"
    asked = ("--set", "stage=4", "--seeds", "1:25", "--where", where.split("'")[1])
    *hits, _ = map(json.loads, undercroft("search", "rebirth", *asked, "--json").splitlines())
    found = [hit["seed"] for hit in hits]
    assert [name.split("-")[1] for name in some] == found
    page.js("document.querySelector('.card').focus()")
    page.key("End")
    assert page.js(FOCUS) == some[-1]  # the keys walk over what is left
    page.click("#clear")
    assert page.js(NAMES) == names and page.js(f"document.querySelector('#least-{loops}').value") == ""


def test_rooms_and_ways_over_the_pictures(page: Page, gallery: Path) -> None:
    data = opened(page, gallery)
    assert page.js("document.querySelectorAll('.overlay').length") == 0
    page.key("o")
    assert 8 <= page.js("document.querySelectorAll('.card .overlay').length") <= 24  # those that can be seen
    first = data["levels"][0]
    counts = "['.room', '.way', '.node'].map(each => document.querySelector('.overlay').querySelectorAll(each).length)"
    assert page.js(counts) == [len(first["rooms"]), len(first["paths"]), len(first["rooms"])]
    page.click(".card")
    page.wait("document.querySelector('#sheet .overlay')")
    words = page.js("[...document.querySelectorAll('#sheet text:not(.inside)')].map(one => one.textContent)")
    named = [room["kind"].replace("_", " ") for room in first["rooms"] if room["kind"] != "normal"]
    assert [text.rstrip("?0123456789 ") for text in words] == named
    assert page.js("[...document.querySelectorAll('.toggle-rooms')].map(b => b.ariaPressed)") == [
        "true",
        "true",
    ]
    page.key("o")
    page.wait("!document.querySelector('.overlay')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_can_be_read(scheme: str, page: Page, gallery: Path) -> None:
    """WCAG 2.2's contrast of texts (4.5) and of the edges of controls (3), everywhere on the page."""
    page.prefer(color_scheme=scheme, reduced_motion="reduce")
    opened(page, gallery)
    page.key("f", "o")
    page.js("document.querySelectorAll('details').forEach(one => { one.open = true })")
    look = page.js(LOOK)
    assert look["faint"] == [] and look["checked"] > 300
    page.click("#turn")
    assert page.js(LOOK)["faint"] == []
    page.click(".card")
    page.wait("document.querySelector('#sheet canvas')")
    assert page.js(LOOK)["faint"] == []


def test_light_and_dark_by_a_button(page: Page, gallery: Path) -> None:
    opened(page, gallery)
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.js(ground)
    page.prefer(color_scheme="dark")
    dark = page.js(ground)
    assert light != dark
    page.key("l")
    assert page.js(f"[{ground}, document.querySelector('#look').ariaLabel]") == [light, "Colours: Light"]
    page.key("l")
    page.prefer(color_scheme="light")
    assert page.js(ground) == dark
    page.open(gallery)
    assert page.js(ground) == dark  # it is kept
    page.key("l")
    assert page.js(ground) == light


def test_on_a_phone(page: Page, gallery: Path) -> None:
    """390 px wide: nothing scrolls sideways, and what is touched is large enough."""
    page.size(390, 844, 3, phone=True)
    page.send("Emulation.setTouchEmulationEnabled", enabled=True)
    try:
        opened(page, gallery)
        page.js("document.querySelector('#open-filters').click()")
        page.js("document.querySelectorAll('details').forEach(one => { one.open = true })")
        look = page.js(LOOK)
        assert look["width"] == 390 and look["small"] == []
        page.js("document.querySelector('.card').click()")
        page.wait("document.querySelector('#sheet canvas')")
        look = page.js(LOOK)
        assert look["width"] == 390 and look["small"] == []
        assert page.js("document.querySelector('.large-body').scrollWidth") <= 390
        stage = "document.querySelector('#stage')"
        assert page.js(f"{stage}.scrollWidth <= {stage}.clientWidth && {stage}.clientHeight > 100")
    finally:
        page.send("Emulation.setTouchEmulationEnabled", enabled=False)


def test_without_motion(page: Page, gallery: Path) -> None:
    opened(page, gallery)
    moves = "getComputedStyle(document.querySelector('.card')).transitionDuration"
    assert page.js(moves) != "0s"
    page.prefer(reduced_motion="reduce")
    assert page.js(moves) == "0s"


def test_names_for_those_who_listen(page: Page, gallery: Path) -> None:
    """The browser's own tree of what a screen reader tells: everything that can be used has a name."""
    opened(page, gallery)
    page.key("f")
    page.send("Accessibility.enable")
    nodes = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in page.send("Accessibility.getFullAXTree")["nodes"]
        if not node["ignored"]
    ]
    page.send("Accessibility.disable")
    used = {"button", "searchbox", "combobox", "spinbutton", "list", "heading", "region", "textbox"}
    named = [(role, name) for role, name in nodes if role in used]
    assert len(named) > 40 and all(name for _, name in named)
    assert ("list", "Levels") in named and ("spinbutton", "loops, least") in named
    assert ("main", "") in nodes and ("banner", "") in nodes and ("contentinfo", "") in nodes


def test_hostile_names_are_texts(page: Page, tmp_path: Path) -> None:
    """Names of files, seeds and specs are shown as they are; nothing in them runs."""
    attack = "<img src=x onerror=alert(1)>\"'&"
    level = generate("isaac", "</script><script>document.title='taken'</script>")
    folder = tmp_path / f"<b>{attack}"
    folder.mkdir()
    (folder / f"{attack}.level.json").write_bytes(dumps(level))
    if os.name == "posix":
        (folder / "new\nline \udcff\u2028.level.json").write_bytes(dumps(level))
    undercroft("gallery", folder, "--out", tmp_path / "g.html")
    data = opened(page, tmp_path / "g.html")
    assert (
        page.js("document.title") == page.js("document.querySelector('h1').textContent") == str(folder)
        and page.js("document.images.length") == 0
    )
    assert attack in page.js(NAMES)
    page.js(f"{CARDS}[{page.js(NAMES).index(attack)}].firstChild.click()")
    page.key("o")
    assert attack in page.js("document.querySelector('#command').textContent.replaceAll(`'\"'\"'`, \"'\")")
    page.key("Escape", "/")
    page.type("</script>")
    assert len(page.js(NAMES)) == len(data["levels"])  # the seed's text
    assert page.js("document.querySelectorAll('script').length") == 2


def test_a_condition_is_safe_to_copy(page: Page, tmp_path: Path) -> None:
    """A saved level may call its chapter anything; the copied condition stays one word of the command."""
    word = "x' ; touch taken ; echo '\"$(touch taken)`touch taken`\\"
    for name, chapter in (("a", word), ("b", "plain")):
        level = generate("isaac", 1)
        level = replace(level, facts={**level.facts, "chapter": chapter})
        (tmp_path / f"{name}.level.json").write_bytes(dumps(level))
    undercroft("gallery", tmp_path, "--out", tmp_path / "g.html")
    opened(page, tmp_path / "g.html")
    page.key("f")
    page.js("document.querySelectorAll('details').forEach(one => { one.open = true })")
    page.js(
        f"(s => {{ s.value = {json.dumps(word)}; s.dispatchEvent(new Event('input')) }})"
        "([...document.querySelectorAll('#ranges select')].find(s => s.ariaLabel === 'chapter'))"
    )
    assert page.js(NAMES) == ["a"]
    flag, condition = shlex.split(page.js("document.querySelector('#where').textContent"))
    assert flag == "--where" and parse_condition(condition).text == condition
    undercroft("gallery", tmp_path, "--where", condition, "--out", tmp_path / "one.html")
    assert [each["name"] for each in data_of(tmp_path / "one.html")["levels"]] == ["a"]


def test_the_policy_lets_nothing_in(page: Page, gallery: Path) -> None:
    """Even a script of the page could neither load nor send nor run anything else."""
    opened(page, gallery)
    tried = {
        "img-src": "new Image().src = 'http://127.0.0.1:9/x.png'",
        "connect-src": "fetch('http://127.0.0.1:9/').catch(() => 0)",
        "script-src-elem": "document.body.append(el('script', {textContent: 'window.ran = 1'}))",
        "style-src-attr": "document.body.setAttribute('style', 'color: red')",
    }
    for directive, code in tried.items():
        told = page.js(
            "new Promise(done => { document.addEventListener('securitypolicyviolation', "
            f"event => done(event.effectiveDirective), {{once: true}}); {code} }})"
        )
        assert told == directive
    assert page.js("window.ran") is None
    assert all(" violates " in line or "CSP" in line for line in page.console)
    page.console.clear()
    page.requests[:] = [address for address in page.requests if "127.0.0.1:9/" not in address]


def test_keys_are_drawn_with_lines_to_their_locks(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a colour for each key; a lock has those of all its keys. The list of kinds explains their signs."""
    monkeypatch.setattr(cards, "load_level", lambda *_, **__: locked_level.level())
    made = cards.file_block((cards.CardOptions(None, None), [], [(Path("a.level.json"), "a")]))
    path = tmp_path / "g.html"
    path.write_bytes(gallery_page(made.cards, load_theme(), "Locks"))
    page.open(path, "#a")
    page.wait("document.querySelector('dialog').open")
    page.key("o")
    page.wait("document.querySelector('#sheet .overlay')")

    def colours(what: str, name: str) -> list[str]:
        found = f"[...document.querySelectorAll('#sheet .{what}')].map(one => one.getAttribute('{name}'))"
        return list(page.js(found))

    silver, gold, _ = colours("key", "fill")
    assert sorted(colours("opens", "stroke")) == sorted(colours("lock", "fill")) == sorted([gold, silver])
    assert len(colours("one_way", "d")) == len(colours("barred", "d")) == 1
    assert page.js("document.querySelectorAll('#sheet .way.shut').length") == 3
    explained = page.js("[...document.querySelectorAll('#kinds li')].slice(-3).map(one => one.textContent)")
    assert "gold key" in explained and "silver key" in explained


def test_rooms_of_own_kinds_are_listed_behind_those_that_the_page_knows(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = own_kinds.level("rebirth")
    monkeypatch.setattr(cards, "load_level", lambda *_, **__: level)
    made = cards.file_block((cards.CardOptions(None, None), [], [(Path("own.level.json"), "own")]))
    path = tmp_path / "g.html"
    path.write_bytes(gallery_page(made.cards, load_theme(), "Own kinds"))
    page.open(path, "#own")
    page.wait("document.querySelector('dialog').open")
    listed = page.js("[...document.querySelectorAll('#kinds li')].map(item => item.textContent)")
    assert listed[0] == "start"
    assert listed[-3:-1] == ["bone pit", "crypt chapel"] and listed[-1].startswith("normal")
    page.key("o")
    page.wait("document.querySelector('#sheet .overlay')")
    words = page.js("[...document.querySelectorAll('#sheet .overlay text')].map(text => text.textContent)")
    assert {"crypt chapel", "bone pit"} <= {text.rstrip("?0123456789 ") for text in words}
