"""The documentation site: built once, as the docs say, then read, and looked at in a browser."""

from __future__ import annotations

import html
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote, urlsplit

import click
import pytest
import undercroft
from bs4 import BeautifulSoup
from click.testing import CliRunner
from jinja2 import Template

import generator
from exporters.formats.pack.file import LEVELS_A_BLOCK
from exporters.registry import describe as describe_options
from exporters.registry import exporter, format_names
from exporters.schemas import all_schemas
from generator.batch.facts import facts_of
from generator.checks import REQUIRED, name_of, rules_to_allow
from generator.cli import main
from generator.geometry import Rect
from generator.kinds import ROSTER
from generator.kinds.reference import key_tables
from generator.spec import describe, preset_names
from generator.styles.registry import BUILT_IN, style
from tests.browser import Page, browser
from tests.built_site import DOCS, ROOT, Site, build
from tests.clients import npm
from tests.waiting import until

if TYPE_CHECKING:  # slow to import
    from sphinx.application import Sphinx

MOVED: dict[str, str] = run_path(str(DOCS / "website" / "moved.py"))["MOVED"]
SIZES = {"light": (1280, 900), "dark": (390, 844)}  # a screen, and a phone at night


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return build(tmp_path_factory.mktemp("site"))


def test_every_page_of_the_docs_is_in_the_navigation(site: Site) -> None:
    """With a title and a description of its own, the logo, the icon and a preview."""
    start = site.pages["index.html"]
    linked = {
        urlsplit(link).path for link in re.findall(r'<a class="reference internal" href="([^"]+)"', start)
    }
    parts = {path.relative_to(DOCS).with_suffix(".html").as_posix() for path in DOCS.glob("reference/*.md")}
    pages = {path.with_suffix(".html").name for path in DOCS.glob("*.md")}
    assert len(pages) > 50 and pages - {"index.html"} <= linked
    whole = "".join(text for page, text in site.pages.items() if page.startswith("reference-"))
    assert parts and all(f'href="{part}' in whole for part in parts)
    pages |= parts
    for tag in ("<title>(.+?)</title>", '<meta name="description" content="([^"]{20,})">'):
        found = [re.findall(tag, site.pages[page])[0] for page in pages]
        assert len(set(found)) == len(found)
    for page in pages:
        text = site.pages[page]
        assert re.search(r'src="(\.\./)?_static/logo\.png"', text) and "_static/favicon.png" in text
        assert '<meta property="og:title" content="' in text and "og:image" not in text  # needs an address


def test_the_sidebar_can_be_taken_in_at_a_glance(site: Site) -> None:
    """It has the pages of the outer lists, and those below the one that is open, which is marked."""
    for page in {*site.pages} - {"404.html", *MOVED}:
        (sidebar,) = re.findall('<aside class="sidebar-drawer".*?</aside>', site.pages[page], re.DOTALL)
        soup = BeautifulSoup(sidebar, "html.parser")
        shown = soup.select(".sidebar-tree li.toctree-l1 > a, .sidebar-tree li.current > ul > li > a")
        assert 15 < len(shown) <= 25, (page, [link.text for link in shown])
        marked = soup.select(".sidebar-tree li.current-page")
        assert len(marked) == (page not in {"index.html", "search.html"}), page


def test_the_old_address_of_a_page_leads_on(site: Site, page: Page) -> None:
    for old, to in MOVED.items():
        name, _, place = to.partition("#")
        assert BeautifulSoup(site.pages[name], "html.parser").find(id=place), to
        page.open(site.folder / old)
        page.wait(f"location.href.endsWith({json.dumps(f'/{to}')})")


def test_the_site_online_knows_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command of its workflow is that of the docs and an address, for previews and for unknown addresses."""
    docs = "python -m sphinx -n -W --keep-going docs "
    workflow = (ROOT / ".github" / "workflows" / "docs.yml").read_text("utf-8")
    assert docs in (DOCS / "contributing.md").read_text("utf-8")
    assert docs.replace(" docs ", ' -D html_baseurl="$ADDRESS" -D play_levels=300 docs ') in workflow
    monkeypatch.syspath_prepend(str(DOCS))
    from website import page_head

    config = SimpleNamespace(project="P", root_doc="index", html_title="T", html_baseurl="https://e.org/p")
    context: dict[str, Any] = {}
    page_head.describe(cast("Sphinx", SimpleNamespace(config=config)), "404", "404.html", context, None)
    assert 'property="og:image" content="https://e.org/p/_static/preview.png"' in context["metatags"]
    template = (DOCS / "website" / "templates" / "404.html").read_text("utf-8")
    assert '<base href="https://e.org/p/">' in Template(template).render(context)


def test_descriptions_are_whole_sentences(site: Site) -> None:
    """Results of the search show them, and so do those of search engines."""
    for page, text in site.pages.items():
        (said,) = re.findall(r'<meta name="description" content="([^"]*)">', text)
        assert said[-1] in ".!?…", (page, said)


def test_pictures_have_their_size(site: Site) -> None:
    """So nothing on a page moves when they arrive."""
    pictures = [(page, tag) for page, text in site.pages.items() for tag in re.findall("<img [^>]*>", text)]
    assert len(pictures) > 80
    assert [one for one in pictures if not re.search(r'width="\d+" height="\d+"', one[1])] == []


def test_the_list_of_each_section_is_on_the_start_page() -> None:
    """Once; Sphinx warns of a page that is not."""
    listed = re.findall(r"^ *- \[.*\]\(([\w/-]+\.md)\)", (DOCS / "index.md").read_text("utf-8"), re.MULTILINE)
    assert [page for page in listed if listed.count(page) > 1 or not (DOCS / page).is_file()] == []


def test_each_reader_is_one_click_from_a_page_to_begin_with() -> None:
    """It says how to install Undercroft, and has something to run."""
    start = (DOCS / "index.md").read_text("utf-8").partition("## Where to begin\n")[2].partition("\n## ")[0]
    pages = set(re.findall(r"\((\S+\.md)[#)]", start)) - {"presets.md"}  # pictures and their commands
    assert len(pages) >= 13
    for page in pages:
        text = (DOCS / page).read_text("utf-8")
        assert "(install.md)" in text or "pip install" in text, page
        assert re.search("^```(sh|python|text)$", text, re.MULTILINE), page


def test_links_lead_somewhere_and_nothing_is_asked_of_the_network(site: Site) -> None:
    places = {page: set(re.findall(r'\bid="([^"]+)"', text)) for page, text in site.pages.items()}
    seen = 0
    for page, text in site.pages.items():
        for tag, rest in re.findall(r"<(\w+)\s([^>]*)>", text):
            for link in map(html.unescape, re.findall(r'(?:href|src|poster)="([^"]*)"', rest)):
                found = urlsplit(link)
                if found.scheme:
                    assert tag == "a" and found.scheme in {"http", "https", "mailto"}, (page, link)
                    continue
                target = (
                    (site.folder / page).parent / unquote(found.path) if found.path else site.folder / page
                )
                name = target.resolve().relative_to(site.folder.resolve()).as_posix()
                assert target.is_file() or name == "_static", (page, link)
                if found.fragment and name in places:
                    assert unquote(found.fragment) in places[name], (page, link)
                seen += 1
    assert seen > 1000


def test_every_value_of_every_spec_is_on_its_page(site: Site) -> None:
    page, text = site.pages["reference-specs.html"], site.text("reference-specs.html")
    rows = [(name, row) for name in BUILT_IN for row in describe(style(name).spec)]
    assert len(rows) > 90
    for name, row in rows:
        assert f'id="{name}-{row["key"]}"' in page
        assert row["help"][1:] in text, row["key"]


def test_every_option_of_every_format_is_on_its_page(site: Site) -> None:
    page, text = site.pages["reference-formats.html"], site.text("reference-formats.html")
    for name in format_names():
        for row in describe_options(exporter(name)):
            assert f'id="{name}-{row["key"]}"' in page and row["help"].replace("`", "")[1:] in text, row[
                "key"
            ]


def _commands(
    command: click.Command, context: click.Context
) -> Iterator[tuple[str, click.Command, click.Context]]:
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            below = click.Context(inner, parent=context, info_name=name)
            yield below.command_path, inner, below
            yield from _commands(inner, below)


def test_every_command_and_option_is_on_its_page(site: Site) -> None:
    sections = re.split(r"<h[23]>(undercroft .+?)<a", site.pages["reference-commands.html"])
    found = {
        name: re.sub(r"<[^>]*>", "", text) for name, text in zip(sections[1::2], sections[2::2], strict=True)
    }
    commands = [*_commands(main, click.Context(main, info_name="undercroft"))]
    assert [name for name, _, _ in commands] == list(found)
    for name, command, context in commands:
        for option in command.get_params(context):
            for written in option.opts if isinstance(option, click.Option) else ():
                assert isinstance(command, click.Group) or written in found[name], (name, written)


def test_every_fact_and_its_words_are_on_their_page(site: Site) -> None:
    text = site.text("reference-facts.html")
    for fact in facts_of(BUILT_IN).values():
        assert fact.written() in text and fact.help in text
        assert all(re.search(rf"\b{re.escape(word)}\b", text) for word in fact.of)


def test_what_stands_in_the_code_once_is_on_its_page(site: Site) -> None:
    keys, rules, enemies = map(site.text, ("reference-kits.html", "reference-rules.html", "enemies.html"))
    for table in key_tables():
        assert table.name in keys and all(
            text.replace("`", "") in keys for row in table.keys for text in row.values()
        )
    assert [name for name in rules_to_allow() if f"--allow {name}" not in rules] == []
    assert [name_of(rule) for rule in REQUIRED if name_of(rule) not in rules] == []
    assert [name for name in ROSTER if not re.search(rf"^{name}$", enemies, re.MULTILINE)] == []
    layers = tomllib.loads((ROOT / "tests" / "layers.toml").read_text("utf-8"))
    shown = re.findall(
        r"^((?:generator|exporters)/[a-z/]+)$\n+^(.+)$", site.text("architecture.html"), re.MULTILINE
    )
    assert layers.keys() == {folder for folder, said in shown if len(said) > 20}


def test_every_public_name_of_python_is_on_its_page(site: Site) -> None:
    """The list leads to each, and each page to the types of the others."""
    listed = re.findall(
        r'href="(reference/python-[\w-]+\.html)#undercroft\.(\w+)"', site.pages["reference-python.html"]
    )
    assert {name for _, name in listed} == set(undercroft.__all__)
    assert [name for page, name in listed if f'id="undercroft.{name}"' not in site.pages[page]] == []
    assert 'href="#undercroft.Level"' in site.pages["reference/python-levels.html"]
    assert 'href="python-levels.html#undercroft.Level"' in site.pages["reference/python-files.html"]


def test_every_schema_is_on_its_page_with_its_keys(site: Site) -> None:
    pages = {"kit-rows": "kit"}  # the same keys
    for name, schema in all_schemas().items():
        page = f"reference/schema-{pages.get(name, name)}.html"
        text = site.text(page)
        assert f'href="{page}"' in site.pages["reference-schemas.html"] and schema["$id"] in text
        assert json.loads((site.folder / "_schemas" / f"{name}.schema.json").read_text("utf-8")) == schema
        assert all(re.search(rf"^{key}$", text, re.MULTILINE) for key in schema["properties"]), name
    text = site.text("reference/schema-level.html")
    for key, value in generator.generate("isaac", 7).to_dict().items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            assert all(f"{key}[].{inner}" in text for inner in value[0]), key


def test_the_pictures_of_the_gallery_are_what_their_commands_make(site: Site, tmp_path: Path) -> None:
    page = site.pages["presets.html"]
    assert all(f'id="{name}"' in page for name in preset_names())
    lines = re.findall(r"^undercroft generate .*$", site.text("presets.html"), re.MULTILINE)
    pictures = re.findall(r'<img class="level"[^>]* src="([^"]+)" alt="[^"]{10,}"', page)
    assert len(lines) == len(pictures) >= 2 * len(preset_names()) - 2
    runner = CliRunner()
    for line, picture in zip(lines, pictures, strict=True):
        done = runner.invoke(main, [*shlex.split(line)[1:], "--out", str(tmp_path)])
        assert done.exit_code == 0, done.output
        made = tmp_path / Path(picture).name
        assert made.read_bytes() == (site.folder / picture).read_bytes(), line


def test_install_lines_are_switched_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a checkout, which work today, become those of an index."""
    monkeypatch.syspath_prepend(str(DOCS))
    from website.links import installed_from

    text = "`pip install .` and\npip install '.[fast]'  # compiled\npip install ./undercroft-row"
    assert installed_from(".", text) == text
    assert installed_from("undercroft", text) == (
        "`pip install undercroft` and\npip install 'undercroft[fast]'  # compiled\npip install ./undercroft-row"
    )
    pages = {path.stem: path.read_text("utf-8") for path in DOCS.glob("*.md")}
    assert "pip install .\n" in pages["index"]
    for page, whole in pages.items():
        switched = installed_from("undercroft", whole)
        left = re.findall(r"pip install '?\.(?:\[[^\]]*\])?'?(?![\w/.\[])", switched)
        assert left == [], page


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser() as found:
        yield found


def _play(site: Site, page: Page, address: str = "", **preferred: str) -> None:
    """Open the start page, and wait for the first picture of the level."""
    page.requests.clear()
    page.console.clear()
    page.size(1280, 900)
    page.prefer(**preferred)
    page.open(site.folder / "index.html", address)
    page.wait("document.querySelector('.play').dataset.ready")


def _state(page: Page) -> dict[str, Any]:
    return cast("dict[str, Any]", page.js(f"({_TELL})(undercroftPlay.game())"))


_TELL = """({ x, y, level, keys, open, markers, said, room }) => ({
    at: [x, y], keys, said, room: room?.id ?? null, seed: level.seed, width: level.width, walk: Array.from(level.walk),
    one_ways: level.doors.filter((door) => door.one_way).map(({ cells, rooms }) => ({ cells, inside: level.rooms[rooms[0]].bounds })),
    shut: level.doors.filter((door) => !open.has(door)).map(({ id, cells, needs, opens_from }) => ({ id, cells, needs: needs ?? [], opens_from })),
    goals: [...markers.values()].filter(({ kind }) => ["boss", "key"].includes(kind)).map(({ kind, x, y }) => [kind, x, y]),
})"""
_KEYS = {(-1, 0): "ArrowLeft", (1, 0): "ArrowRight", (0, -1): "ArrowUp", (0, 1): "ArrowDown"}


def _next_key(state: dict[str, Any]) -> str:
    """The first step to the boss, or else to a key, or else to a door that opens from here."""
    walls = {(x, y) for door in state["shut"] for x, y in door["cells"]}
    openable = [
        door
        for door in state["shut"]
        if all(state["keys"].get(key) for key in door["needs"])
        and door.get("opens_from", state["room"]) == state["room"]
    ]
    wanted = [
        {(x, y) for kind, x, y in state["goals"] if kind == "boss"},
        {(x, y) for kind, x, y in state["goals"] if kind == "key"},
        {(x, y) for door in openable for x, y in door["cells"]},
    ]
    barred = {(x, y): door["inside"] for door in state["one_ways"] for x, y in door["cells"]}
    first: dict[tuple[int, int], tuple[int, int]] = {}
    edge = [tuple(state["at"])]
    for x, y in edge:
        for dx, dy in _KEYS:
            to = x + dx, y + dy
            if to in first or not state["walk"][to[1] * state["width"] + to[0]]:
                continue
            if to in barred and (x, y) not in barred and Rect(**barred[to]).contains(x, y):
                continue
            first[to] = first.get((x, y), (dx, dy))
            if to not in walls:
                edge.append(to)
    found = next(here for goals in wanted if (here := [to for to in first if to in goals]))
    return _KEYS[first[found[0]]]


def test_a_bot_plays_the_level_of_the_start_page(site: Site, page: Page) -> None:
    """With the arrow keys from the start to the key, through the lock, to the boss; its address leads back there."""
    _play(site, page, reduced_motion="reduce")
    _choose(page, "style", "gungeon")
    _choose(page, "flow", "one_key")
    page.wait("undercroftPlay.game()?.level.markers.some(({ kind }) => kind === 'key')")
    page.js("undercroftPlay.pace = 0")
    page.js(
        "requestAnimationFrame = draw => setTimeout(() => draw(performance.now()), 400)"
    )  # a slow machine
    page.js("addEventListener('hashchange', () => console.error('the level was shown again'))")
    page.js("document.querySelector('.play canvas').focus()")
    begun = state = _state(page)
    assert "player_start" not in page.js(
        "[...undercroftPlay.game().markers.values()].map(({ kind }) => kind)"
    )
    for _ in range(600):
        if not any(kind == "boss" for kind, _, _ in state["goals"]):
            break
        page.key(_next_key(state))
        state = _state(page)
    assert state["said"].startswith("You beat the boss") and state["said"] == page.js(
        "document.querySelector('.play-status').textContent"
    )
    opened = {door["id"] for door in begun["shut"]} - {door["id"] for door in state["shut"]}
    assert opened and len([goal for goal in begun["goals"] if goal[0] == "key"]) == 1
    page.wait(f"location.hash.endsWith({json.dumps(',{},{}'.format(*state['at']))})")
    address = page.js("location.hash")
    _play(site, page, address)
    again = _state(page)
    assert all(again[same] == state[same] for same in ("seed", "at", "room"))
    assert page.console == []


def _choose(page: Page, name: str, value: str) -> None:
    """Choose a value in a field of the start page, as a hand does."""
    page.js(
        "((name, value) => { const field = document.querySelector(`.play [name=${name}]`); field.value = value;"
        f" field.dispatchEvent(new Event('change', {{ bubbles: true }})) }})({json.dumps(name)}, {json.dumps(value)})"
    )


_STATUS = "document.querySelector('.play-status').textContent"


def test_what_the_start_page_could_not_load_is_asked_for_again(site: Site, page: Page) -> None:
    """It says what is missing or damaged, and shows no level in its place."""
    _play(site, page)
    pack = next(site.folder.rglob("rebirth-cellar.js"))
    whole = pack.read_text("utf-8")
    try:
        for damaged in ("", whole[: len(whole) // 2]):
            pack.write_text(damaged, "utf-8")
            _choose(page, "style", "rebirth")
            page.wait(f"{_STATUS}.startsWith('rebirth-cellar.js cannot be read.')")
            assert page.js("undercroftPlay.game()") is None
    finally:
        pack.write_text(whole, "utf-8")
    _choose(page, "style", "rebirth")
    page.wait("location.hash.startsWith('#play=rebirth-cellar,')")


def test_a_level_is_gone_at_once_when_another_one_is_chosen(site: Site, page: Page) -> None:
    """The page says which one it loads, however long that takes; what was chosen last is what one gets."""
    _play(site, page)
    page.js("append = HTMLHeadElement.prototype.append; held = []; 0")
    page.js("HTMLHeadElement.prototype.append = function (tag) { held.push([this, tag]) }")
    _choose(page, "style", "isaac")
    assert page.js(_STATUS) == "Loading isaac, caverns …" and page.js("undercroftPlay.game()") is None
    until(lambda: _is_blank(page), "the level before is still there")
    _choose(page, "style", "rebirth")
    page.js("HTMLHeadElement.prototype.append = append")
    page.js("held.reverse().forEach(([head, tag]) => append.call(head, tag))")
    page.wait("document.querySelector('.play').dataset.ready")
    assert page.js("undercroftPlay.game().level.style") == "rebirth" and not _is_blank(page)


def _is_blank(page: Page) -> bool:
    """Whether the upper part of the canvas has one colour; a page from a file may not look itself."""
    left, top, width, height = page.js(
        "(box => [box.left, box.top, box.width, box.height])(document.querySelector('.play canvas').getBoundingClientRect())"
    )
    upper = page.shot().crop(tuple(map(int, (left + 9, top + 9, left + width - 9, top + height / 3))))
    return len(upper.getcolors(2) or []) == 1


def test_little_is_loaded_before_the_first_level(site: Site, page: Page) -> None:
    """Also where blocks are full, as they are in a pack of hundreds of levels."""
    _play(site, page, "#play=constructor,1")
    files = [Path(unquote(urlsplit(one).path)) for one in set(page.requests) if one.startswith("file:")]
    (block,) = [
        path for path in files if re.fullmatch(r"[a-z].*-\d+\.js", path.name) and path.parent.name == "play"
    ]
    levels = page.js("Number(/ of (\\d+)/.exec(document.querySelector('.play-status').textContent)[1])")
    full = block.stat().st_size * LEVELS_A_BLOCK / min(levels, LEVELS_A_BLOCK)
    assert sum(path.stat().st_size for path in {*files} - {block}) + full < 1_500_000


def test_the_level_of_the_start_page_is_chosen_by_hand(site: Site, page: Page) -> None:
    """Style, chapter, flow, seed and the next one; a click walks, and a button shows the map."""
    _play(site, page)
    shown = "'style flow chapter seed'.split(' ').map(name => document.querySelector(`.play [name=${name}]`).value)"
    for name, value, hash_ in (
        ("style", "rebirth", "rebirth-"),
        ("style", "isaac", "isaac-"),
        ("chapter", "cellar", "isaac-cellar,"),
        ("seed", "2", "isaac-cellar,2,"),
        ("chapter", "caverns", "isaac-caverns,"),
        ("style", "gungeon", "gungeon-led-caverns,"),
        ("flow", "two_keys", "locked-two_keys-caverns,"),
        ("chapter", "cellar", "locked-two_keys-cellar,"),
    ):
        _choose(page, name, value)
        page.wait(f"location.hash.startsWith({json.dumps(f'#play={hash_}')})")
        assert value in page.js(shown)
    page.click(".play [name=back]")  # the last of the chapter before, in a ring
    page.wait("location.hash.startsWith('#play=locked-two_keys-caverns,')")
    before = _state(page)["at"]
    page.click(".play canvas")
    page.click(".play [name=map]")
    assert page.js("document.querySelector('.play [name=map]').ariaPressed") == "true" and page.console == []
    left, top = page.js(
        "(box => [box.left + box.width / 3, box.top + box.height / 2])(document.querySelector('.play canvas').getBoundingClientRect())"
    )
    for kind in ("mousePressed", "mouseReleased"):
        page.send("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, x=left, y=top)
    page.wait(f"undercroftPlay.game().x !== {before[0]} || undercroftPlay.game().y !== {before[1]}")


def test_packs_that_are_up_to_date_are_not_made_again(
    site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A second build of the site finds those of the first, which lie beside what Sphinx keeps."""
    monkeypatch.syspath_prepend(str(DOCS))
    from website import packs, play

    kept = site.doctrees / "play"
    made = {path: path.stat().st_mtime_ns for path in kept.rglob("*.ucpack")}
    play.draw(tmp_path, kept, packs.FEW)
    assert made == {path: path.stat().st_mtime_ns for path in kept.rglob("*.ucpack")}
    assert len(made) == len(packs.choices(packs.FEW)) and not list(site.folder.rglob("*.ucpack"))
    again = {path.name: path.read_bytes() for path in (tmp_path / "play").iterdir()}
    assert again == {path.name: path.read_bytes() for path in (site.folder / "_static" / "play").iterdir()}


KINDS = ("index", "reference-formats", "search")


@pytest.mark.parametrize("name", KINDS)
def test_pages_are_accessible(name: str, site: Site, page: Page) -> None:
    """The start page, a page of text and tables, and the search; `--soak` looks at all."""
    _look(name, site, page)


@pytest.mark.soak
def test_all_pages_are_accessible(site: Site, page: Page) -> None:
    for name in site.pages:
        _look(name.removesuffix(".html"), site, page)


def _look(name: str, site: Site, page: Page) -> None:
    """Nothing that a checker for accessibility finds, and nothing wider than the window."""
    axe = (npm("axe-core") / "package" / "axe.min.js").read_text("utf-8")
    for scheme, (width, height) in SIZES.items():
        page.size(width, height, phone=width < 500)
        page.prefer(color_scheme=scheme)
        page.open(site.folder / f"{name}.html", "?q=labyrinth" if name == "search" else "")
        page.js(f"{axe}; 0")
        broken = "axe.run({preload: false}).then(found => found.violations.map(one => [one.id, one.nodes[0].html]))"
        assert page.js(broken) == [], (name, scheme)
        assert page.js("document.documentElement.scrollWidth <= innerWidth"), (name, scheme)


def test_the_words_of_readers_lead_to_the_page_that_answers_them(site: Site, page: Page) -> None:
    """`words.toml` says which; what it leads to is there, and comes first."""
    asked = tomllib.loads((DOCS / "website" / "words.toml").read_text("utf-8"))
    words = [word for phrases in asked.values() for word in phrases]
    assert len(set(words)) == len(words) > 50
    page.open(site.folder / "search.html", "?q=seed")
    page.wait("document.querySelector('#search-results a[href*=\"specs.html#seeds\"]')")
    search = "Search._performSearch(...Search._parseQuery(word)).at(-1)"
    first = page.js(f"{json.dumps(words)}.map(word => {search}).map(found => found[5] + found[2])")
    found = [address.replace(".md", ".html") for address in first]
    assert found == [address for address, phrases in asked.items() for _ in phrases]
    for address in asked:
        file, _, place = address.partition("#")
        assert not place or f'id="{place}"' in site.pages[file], address


def test_the_search_finds_words_of_pages_and_of_the_generated_reference(site: Site, page: Page) -> None:
    """From a folder, without a server: nothing but files is asked for, and nothing is wrong in the console."""
    page.requests.clear()
    page.console.clear()
    for words, wanted in (("portcullis", "demo.html"), ("stage_variant", "reference-specs.html")):
        page.open(site.folder / "search.html", f"?q={words}")
        page.wait(f"document.querySelector('#search-results a[href*={json.dumps(wanted)}]')")
    assert page.console == []
    assert {urlsplit(address).scheme for address in page.requests} <= {"file", "data", "about"}
