"""Statistics as a page and as pictures: the right bars, in a real browser, and the same bytes again."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from exporters.pages.statistics import bins_of, sheet, statistics
from generator.batch.stats import Stats, load_stats
from generator.cli import main
from generator.installed import install_command
from tests.browser import Page
from tests.exporters.pages.conftest import undercroft
from tests.exporters.pages.test_gallery_in_browser import LOOK

pytestmark = pytest.mark.xdist_group("browser")

WORDS = (
    "stats",
    "isaac",
    "--seeds",
    "0:60",
    "--fact",
    "rooms",
    "--fact",
    "count",
    "--fact",
    "longest",
    "--jobs",
    "1",
)

answers = st.one_of(st.none(), st.integers(-(2**63), 2**63), st.text(max_size=5))
counters = st.dictionaries(answers, st.integers(1, 1000), min_size=1, max_size=80).map(Counter)


@given(st.lists(counters, min_size=1, max_size=2))
def test_bars_hold_every_level(several: list[Counter[int | str | None]]) -> None:
    bins = bins_of(several)
    assert len(bins.labels) <= 41 + 41
    for shares in bins.shares:
        assert len(shares) == len(bins.labels)
        assert sum(shares) == pytest.approx(1) and min(shares) >= 0


def test_bars_of_few_numbers_are_theirs() -> None:
    bins = bins_of([Counter({3: 1, 5: 2, None: 1}), Counter({4: 1})])
    assert bins.labels == ["3", "4", "5", "none"]  # 4 never came, and has its place
    assert bins.shares == [[0.25, 0, 0.5, 0.25], [0, 1, 0, 0]]
    assert bins_of([Counter(range(100))]).labels[:2] == ["0–2", "3–5"]


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Stage 2 against stage 1: most distributions have moved."""
    folder = tmp_path_factory.mktemp("stats")
    (folder / "base.json").write_text(undercroft(*WORDS, "--json"), "utf-8")
    words = (*WORDS, "--set", "stage=2", "--against", folder / "base.json", "--html", folder / "s.html")
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == 1 and done.stdout.startswith(
        f"{folder / 's.html'}\nrooms: the distribution moved by 1.000, more than 0.02\n"
    )
    return folder / "s.html"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_can_be_read(scheme: str, page: Page, page_file: Path) -> None:
    page.prefer(color_scheme=scheme, reduced_motion="reduce")
    page.open(page_file)
    page.js("document.querySelectorAll('details').forEach(one => { one.open = true })")
    look = page.js(LOOK)
    assert look["faint"] == [] and look["checked"] > 100
    page.size(390, 844, 2, phone=True)
    assert page.js(LOOK)["width"] == 390


def test_the_page_tells_what_the_table_tells(page: Page, page_file: Path) -> None:
    table = json.loads(undercroft(*WORDS, "--set", "stage=2", "--json"))["facts"]
    page.open(page_file)
    first = "document.querySelector('.fact')"
    assert page.js(f"{first}.dataset.name") == "rooms"
    assert page.js(f"{first}.querySelector('.moved').textContent") == "moved by 1.000"
    rows = page.js(
        f"[...{first}.querySelectorAll('tbody tr')].map(tr => [...tr.children].map(td => td.textContent))"
    )
    assert [[int(row[0]), int(row[1])] for row in rows if row[1] != "0"] == table["rooms"]
    names = page.js("[...document.querySelectorAll('.fact')].map(one => one.dataset.name)")
    same = page.js("[...document.querySelectorAll('#same code')].map(one => one.textContent)")
    assert (
        set(table) - {"failed"} <= {*names, *same}
        and "failed" not in same
        and 'count("boss")' in same
        and "longest" in names
    )
    label = page.js(f"{first}.querySelector('svg').getAttribute('aria-label')")
    assert re.fullmatch(r"rooms: \d+ to \d+, median \d+, mean [\d.]+", label)


def test_facts_are_filtered_by_keys(page: Page, page_file: Path) -> None:
    page.open(page_file)
    shown = "[...document.querySelectorAll('.fact')].filter(one => !one.hidden).map(one => one.dataset.name)"
    everything = page.js(shown)
    page.key("/")
    page.type("walked furthest")
    assert page.js(shown) == ["longest"] and len(everything) > 2
    page.type(" zzz")
    assert page.js("document.querySelector('#none').hidden") is False
    page.key("Escape", "l")
    assert page.js("document.documentElement.dataset.look") == "light"


def test_plots_hold_their_bars_and_no_styles(page_file: Path) -> None:
    text = page_file.read_text("utf-8")
    (picture, *_) = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    root = ElementTree.fromstring(picture)
    fills = Counter(element.get("fill") for element in root.iter("path"))
    rooms = [int(number) for number in re.findall(r'<th scope="row">(\d+)', text.split("</details>")[0])]
    assert fills["var(--accent)"] == rooms[-1] - rooms[0] + 1
    assert "style=" not in text.split("</style>")[1] and "url(" not in text.split("</style>")[1]
    assert " id=" not in picture and "#0" not in picture  # every stand-in became a colour of the page


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_a_picture_of_all(kind: str, tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.{kind}" for number in (1, 2)]
    for path in paths:
        assert undercroft(*WORDS, "--plot", path) == f"{path}\n"
    assert paths[0].read_bytes() == paths[1].read_bytes()
    if kind == "png":
        with Image.open(paths[0]) as picture:
            assert min(picture.size) > 400
    else:
        assert "".join(ElementTree.parse(paths[0]).getroot().itertext()).count("%") > 5


def test_the_same_page_again(page_file: Path) -> None:
    stats = load_stats(page_file.with_name("base.json"))
    assert statistics(stats, "x") == statistics(stats, "x")
    assert sheet(stats, stats, "png") == sheet(stats, stats, "png")


def test_without_matplotlib_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exporters.pages.statistics.missing_of", lambda extra: [extra])
    done = CliRunner().invoke(main, [*WORDS, "--html", str(tmp_path / "s.html")])
    said = f"undercroft: --html, --plot: plots need matplotlib; run {install_command('plots')}\n"
    assert (done.exit_code, done.stderr, list(tmp_path.iterdir())) == (2, said, [])
    done = CliRunner().invoke(main, [*WORDS, "--plot", str(tmp_path / "s.pdf")])
    assert done.exit_code == 2 and "s.pdf: the file name must end in .png or .svg" in done.stderr


def test_hostile_baselines(page: Page, tmp_path: Path) -> None:
    """Whatever a file calls its facts and answers is a text; numbers that are none are refused."""
    attack = "</script><img src=x onerror=alert(1)>'\""
    facts = {
        attack: [[attack, 3], [2**63, 1], [-(2**63), 1]],
        "rooms": [[7, 60], ["$\\frac{$", 1]],
        "$x {y}": [["$z", 1]],
    }
    facts |= {"half \udcff\x00": [["\x01\udcff", 60]]}
    table = {"format": "undercroft-stats", "format_version": 1, "levels": 60, "facts": facts}
    base = tmp_path / "base.json"
    base.write_text(json.dumps(table), "utf-8")
    all_facts = ("stats", "isaac", "--seeds", "0:60", "--jobs", "1")
    words = (*all_facts, "--against", base, "--html", tmp_path / "s.html", "--plot", tmp_path / "s.png")
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == 1, done.output
    page.open(tmp_path / "s.html")
    assert attack in page.js("[...document.querySelectorAll('.fact')].map(one => one.dataset.name)")
    assert page.js("document.images.length + document.querySelectorAll('script').length") == 2
    for number in ("NaN", "Infinity", "1e300", "9" * 100):
        base.write_text(json.dumps(table).replace(str(2**63), number, 1), "utf-8")
        done = CliRunner().invoke(main, [*WORDS, "--against", str(base)])
        assert done.exit_code == 2 and "make one with it" in done.stderr


@pytest.mark.parametrize("values", [[8, 12], [*range(6, 31)]], ids=["few", "many"])
def test_a_sweep_tells_its_values_one_by_one(values: list[int]) -> None:
    sweep = ("--sweep", f"rooms={values}")
    text = undercroft(
        "stats", "isaac", "--seeds", "0:3", "--jobs", "1", "--fact", "rooms", *sweep, "--html", "-"
    )
    assert f"<p>{3 * len(values)} levels: all values of the sweep together" in text
    told = dict(re.findall('<p class="said"><code>(rooms=[0-9]+)</code> (.*?)</p>', text))
    alone = [
        undercroft(
            "stats", "isaac", "--seeds", "0:3", "--jobs", "1", "--fact", "rooms", "--set", f"rooms={n}"
        )
        for n in values[:2]
    ]
    lines = [line.splitlines()[0].removeprefix("rooms: ") for line in alone]
    assert list(told.values()) == (lines if len(values) == 2 else [])


def test_no_levels_and_no_answers() -> None:
    made = statistics(Stats(3, {"failed": Counter({"yes": 3})}), "none").decode()
    assert "3 levels" in made and "<code>failed</code> yes" in made


def test_bars_of_shares_are_twentieths() -> None:
    bins = bins_of([Counter({0.15: 1, 0.199: 1, 0.3: 2})])
    assert bins.labels == ["0.15", "0.20", "0.25", "0.30"]
    assert bins.shares == [[0.5, 0, 0, 0.5]]
    assert bins_of([Counter({0.97: 1, 1.0: 1})]).shares == [[1]]
