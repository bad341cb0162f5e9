"""The chart of a spec: what it shows of each value, and the page in a real browser."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from exporters.pages import chart
from exporters.pages.cards import CardOptions
from exporters.pages.chart import Chart, ChartedValue, chart_page, charted_block
from exporters.theme.loader import load_theme
from generator import generate
from generator.cli import describe as commands
from generator.cli import main
from generator.cli.describe import flat
from generator.errors import GenerationFailed
from generator.level import Level
from generator.spec import describe, load_spec
from tests.browser import Page
from tests.exporters.pages.conftest import undercroft
from tests.exporters.pages.test_gallery_file import data_of

pytestmark = pytest.mark.xdist_group("browser")

LOOK = (Path(__file__).parent / "look.js").read_text("utf-8")
SEEDS = (7, 1, 2)
STYLES = ("isaac", "rebirth", "gungeon")


def of(style: str, **values: Any) -> Chart:
    spec = load_spec(style).replace(values)
    options = CardOptions(None, None, (style,))
    return Chart(spec, flat(spec.to_dict()), ("undercroft", "generate", style), SEEDS, options)


def charted(whole: Chart, *keys: str) -> dict[str, ChartedValue]:
    rows = [row for row in describe(type(whole.spec)) if row["key"] in keys]
    return {value.row["key"]: value for value in charted_block((whole, rows))}


def shown(value: ChartedValue) -> list[Any]:
    return [picture.value for picture in value.pictures]


def test_the_values_that_the_chart_names_are_those_of_specs() -> None:
    keys = {row["key"] for style in STYLES for row in describe(type(load_spec(style)))}
    needed = {key for values in chart._NEEDED.values() for key in values}
    assert {*chart._NEEDED, *chart._EXAMPLES, *needed} <= keys


def test_a_number_is_shown_at_its_least_as_it_is_and_at_its_greatest() -> None:
    found = charted(of("isaac", stage=3), "stage", "rooms", "champions", "curse", "hard", "layouts")
    assert shown(found["stage"]) == [1, 3, 12]
    assert shown(found["rooms"]) == [0, 5, 40]  # 0: as many as the stage asks for; 59 only with a curse
    assert shown(found["champions"]) == [0, 10, 100]
    (curse,) = [row for row in describe(type(load_spec("isaac"))) if row["key"] == "curse"]
    assert shown(found["curse"]) == ["none", "labyrinth"]  # the others are for the game
    said = [value for picture in found["curse"].pictures for value in (picture.value, *picture.alike)]
    assert sorted(said) == sorted(curse["choices"])
    assert shown(found["layouts"]) == [] and found["layouts"].said == ""
    assert shown(charted(of("isaac", curse="labyrinth", rooms=20), "rooms")["rooms"]) == [0, 10, 20, 59]
    assert shown(charted(of("isaac"), "stage")["stage"]) == [1, 6, 12]  # the least is the usual one


def test_a_picture_is_the_level_of_its_command() -> None:
    whole = of("isaac", stage=2)
    for picture in charted(whole, "stage")["stage"].pictures:
        words = shlex.split(picture.card.command)
        changes = (
            {"stage": int(words[words.index("--set") + 1].partition("=")[2])} if "--set" in words else {}
        )
        level = generate(whole.spec.replace(changes), int(words[words.index("--seed") + 1]))
        assert picture.card.size == (level.width, level.height) and len(picture.card.rooms) == len(
            level.rooms
        )
        assert changes.get("stage", 2) == picture.value


def test_what_has_no_effect_is_told_and_other_seeds_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    found = charted(of("isaac"), "state.soul_hearts", "decor_share", "stage_variant")
    assert found["state.soul_hearts"].said == "no difference in the levels of these seeds: 7, 1, 2"
    asked: list[int | str] = []
    whole = of("isaac")._replace(seeds=("first", *range(40)))
    made = chart._level.__wrapped__
    monkeypatch.setattr(chart, "_level", lambda spec, seed: asked.append(seed) or made(spec, seed))
    (value,) = charted(whole, "state.mini_boss_met").values()
    assert value.pictures and value.pictures[0].card.seed == str(asked[-1]) != "first"
    html = page_of(whole, [value])
    assert f"no difference for seed first; these are levels of seed {asked[-1]}" in html


def test_what_needs_other_values_is_shown_with_them() -> None:
    whole = of("isaac")
    found = charted(whole, "body", "plan.keys", "only_layout")
    assert shown(found["body"]) == [1, 2, 3] and found["body"].needed == {"door_width": 3}
    assert shown(found["plan.keys"]) == ["own", "alike"]
    assert shown(found["only_layout"]) == ["", "boss/colosseum"]
    for value in found.values():
        for picture in value.pictures:
            assert ("--set 'plan.locks=[2, 2]'" in picture.card.command) == ("plan.locks" in value.needed)
            assert ("--set door_width=3" in picture.card.command) == ("door_width" in value.needed)
    assert "no difference alone; these are levels with door_width = 3" in page_of(whole, [found["body"]])
    assert found["body"].pictures[0].card.name == "door_width = 3, seed 7"  # as in the row of door_width
    assert charted(of("isaac", door_width=3), "body")["body"].needed == {}


def test_what_needs_values_that_the_spec_refuses_has_no_picture() -> None:
    """There is no third way through stage 12, which `void_spread` needs."""
    found = charted(of("rebirth", stage_variant="third"), "void_spread", "stage")
    assert shown(found["void_spread"]) == [] and found["void_spread"].needed == {}
    assert found["void_spread"].said == "no difference in the levels of these seeds: 7, 1, 2"
    assert shown(found["stage"])[0] == 1


def test_where_the_greatest_gives_no_level_a_nearer_one_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    made = chart._level.__wrapped__

    def level(spec: Any, seed: int | str) -> Level:
        if spec.stage > 8 or spec.stage == 1:
            raise GenerationFailed("floorplan", 1, "no place", 0)
        return made(spec, seed)

    monkeypatch.setattr(chart, "_level", level)
    found = charted(of("isaac", stage=5), "stage", "hard")["stage"]
    assert shown(found) == [3, 5, 8]


def page_of(whole: Chart, values: list[ChartedValue], title: str = "isaac") -> str:
    return chart_page(title, "levels", whole, values, load_theme(None)).decode()


def test_texts_are_escaped_and_what_a_picture_tells_is_what_differs() -> None:
    whole = of("isaac")
    (stage,) = charted(whole, "stage").values()
    hostile = stage._replace(row={**stage.row, "help": "<script>1</script>", "unit": "<b>"})
    html = page_of(whole, [hostile], "<i>x")
    assert "<script>1" not in html and "<b>;" not in html and "<i>" not in html
    cards = re.findall(r'class="name">(\d+).*?class="told">(.*?)</span></span></button>', html)
    rooms = {value: re.findall(r"<span>rooms <b>(\d+)</b>", told) for value, told in cards}
    assert rooms == {str(p.value): [str(len(p.card.rooms))] for p in stage.pictures}
    (fires,) = charted(whole, "red_fires").values()
    assert fires.pictures[0].said == "no difference"
    assert "<span>no difference</span>" in page_of(whole, [fires])
    (variant,) = charted(whole, "stage_variant").values()
    assert '"random" <span class="usual">default</span><span class="usual">also "main"' in unescape(
        page_of(whole, [variant])
    )


def test_bad_use_is_told_in_one_line(tmp_path: Path) -> None:
    for words, said in (
        ("--html x.html", "--html: shows what the values of a spec do; name the SPEC"),
        ("png --html x.html", "and png is a format; name a SPEC"),
        ("isaac --html x.txt", "the file name must end in .html or .htm"),
        ("isaac --seed 3", "--seed: goes with --html"),
        ("isaac --dry-run", "--dry-run: goes with --html"),
        ("isaac --jobs 3", "--jobs: goes with --html"),
        ("isaac --csv --html x.html", "--csv: does not go with --html"),
    ):
        refused = CliRunner().invoke(main, ["describe", *words.split()])
        assert refused.exit_code == 2 and said in refused.stderr and refused.stderr.count("\n") == 1


# --- the page ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A chart of `rebirth`, with a value that is not the default."""
    path = tmp_path_factory.mktemp("chart") / "chart.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chart, "SEEDS", 1)
        undercroft("describe", "rebirth", "--set", "stage=3", "--jobs", "1", "--html", path)
        yield path


def test_every_value_is_on_the_page(file: Path) -> None:
    html = file.read_text("utf-8")
    keys = [row["key"] for row in describe(type(load_spec("rebirth")))]
    assert sorted(re.findall(r'class="fact" id="value-([^"]+)"', html)) == sorted(keys)
    assert "<li>here 3</li>" in html and len(html) < 1 << 20
    numbers = {int(number) for number in re.findall(r'data-number="(\d+)"', html)}
    assert numbers == set(range(len(data_of(file)["levels"])))


def test_a_dry_run_writes_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    every = commands._style
    monkeypatch.setattr(commands, "_style", lambda *of: {**every(*of), "values": every(*of)["values"][:2]})
    for flags, listed in (("--dry-run", "would write a.html\n"), ("", "a.html\n"), ("--dry-run", "")):
        done = CliRunner().invoke(
            main, ["describe", "isaac", "--html", "a.html", "--jobs", "1", *flags.split()]
        )
        assert (done.exit_code, done.stdout) == (0, listed)
        assert (tmp_path / "a.html").exists() == (listed != "would write a.html\n")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_can_be_read(scheme: str, page: Page, file: Path) -> None:
    page.prefer(color_scheme=scheme, reduced_motion="reduce")
    page.open(file)
    look = page.js(LOOK)
    assert look["faint"] == [] and look["checked"] > 300
    page.size(390, 844, 2, phone=True)
    assert page.js(LOOK)["width"] == 390


def test_walked_by_keys(page: Page, file: Path) -> None:
    page.open(file)
    page.wait("document.querySelector('#value-stage canvas').dataset.drawn === 'true'")  # with markers
    at = "document.activeElement.closest('article')?.id + ' ' + document.activeElement.querySelector('.name')?.textContent"
    page.js("document.querySelector('#value-stage .card').focus()")
    page.key("ArrowRight")
    assert page.js(at) == "value-stage 3 here"
    page.key("End", "ArrowRight")
    assert page.js(at) == "value-stage 12"
    page.key("ArrowDown", "ArrowUp", "Home", "Enter")
    page.wait("document.querySelector('dialog').open")
    title = "document.querySelector('#large-name').textContent"
    seen = []
    for _ in range(3):
        seen.append(page.js(title))
        page.key("ArrowRight")
    assert seen == [
        "stage = 1, seed 1  (1 of 3)",
        "unchanged, seed 1  (2 of 3)",
        "stage = 12, seed 1  (3 of 3)",
    ]
    command = page.js("document.querySelector('#command').textContent")
    assert command == "undercroft generate rebirth --set stage=3 --set stage=12 --seed 1"
    page.key("Escape")
    page.wait("!document.querySelector('dialog').open && location.hash === ''")
    assert page.js(at) == "value-stage 12"
    page.key("/")
    page.type("hearts")
    left = "[...document.querySelectorAll('.fact')].filter(one => one.checkVisibility()).map(one => one.dataset.name)"
    assert {"state.red_hearts", "state.soul_hearts"} <= {*page.js(left)} and len(page.js(left)) < 8
    assert (
        page.js("[...document.querySelectorAll('section > h2')].filter(one => one.checkVisibility()).length")
        < 3
    )


def test_an_address_opens_a_level(page: Page, file: Path) -> None:
    page.open(file, "#stage%20%3D%2012%2C%20seed%201")
    page.wait("document.querySelector('dialog').open")
    assert page.js("document.querySelector('#large-name').textContent").startswith("stage = 12")
