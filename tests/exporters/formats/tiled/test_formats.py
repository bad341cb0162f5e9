"""The other formats of Tiled: what the real Tiled reads in them, and what it exports itself."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exporters
from exporters.formats.tiled import ENCODINGS
from exporters.formats.tiled.syntax.formats import written_map_file
from exporters.formats.tiled.syntax.text import Lines, properties
from exporters.formats.tiled.syntax.xml import map_xml
from generator import generate
from generator.errors import BadInput

from .conftest import LEVELS, Case, pixels, rasterized, read, run_tiled
from .test_in_tiled import differences, that_matter

pytestmark = pytest.mark.xdist_group("tiled")

ODD = ("isaac-7", "own.kinds", "by.hand")
DIGEST = re.compile(r' digest="[0-9a-f]{64}"')
WRITER = re.compile(r' tiledversion="[^"]*"|tiledversion = "[^"]*"')


def export(case: Case, format_: str, folder: Path, tileset: str = "external", encoding: str = "csv") -> Path:
    options = {"tiled.format": format_, "tiled.tileset": tileset, "tiled.encoding": encoding}
    exporters.export(case.level, "tiled", options, theme=case.theme, name="level").write(folder)
    return folder / f"level.{format_}"


def exported_by_tiled(path: Path, format_: str) -> str:
    """What Tiled makes of a map, in the folder where it lies: paths in it are as seen from there."""
    target = path.with_name(f"theirs.{format_}")
    run_tiled("--export-map", format_, path, target, project=path.parent, name=project_of(path.parent))
    return target.read_text("utf-8")


def project_of(folder: Path) -> str:
    (found,) = folder.glob("*.tiled-project")
    return found.name


def neutral(text: str) -> str:
    """Without our digests, and the version of Tiled that wrote it."""
    return WRITER.sub("", DIGEST.sub("", text))


def test_tmx_is_to_tiled_what_tmj_is(case: Case, tmp_path: Path) -> None:
    """Also the level by hand, whose texts are out to break things."""
    number = list(LEVELS).index(case.name)
    tileset, encoding = ("external", "embedded")[number % 2], ENCODINGS[number % len(ENCODINGS)]
    found = []
    for format_ in ("tmj", "tmx"):
        path = export(case, format_, tmp_path / format_, tileset, encoding)
        saved = path.with_suffix(".saved")
        run_tiled("--export-map", "json", path, saved, project=path.parent, name=project_of(path.parent))
        found.append(read(saved))
    ours, theirs = found
    if tileset == "external":
        theirs["tilesets"][0]["source"] = theirs["tilesets"][0]["source"].replace(".tsx", ".tsj")
    assert differences(ours, theirs) == []


@pytest.mark.parametrize("name", ["gungeon", "own.kinds"])
def test_tmx_is_as_tiled_writes_it(name: str, cases: dict[str, Case], tmp_path: Path) -> None:
    """To the byte, but for the digest; and so is the tileset beside it."""
    case = cases[name]
    path = export(case, "tmx", tmp_path)
    assert neutral(exported_by_tiled(path, "tmx")) == neutral(path.read_text("utf-8"))
    tileset, target = tmp_path / f"{case.theme.name}.tsx", tmp_path / "theirs.tsx"
    run_tiled("--export-tileset", "tsx", tileset, target, project=tmp_path, name=project_of(tmp_path))
    assert neutral(target.read_text("utf-8")) == neutral(tileset.read_text("utf-8"))


@pytest.mark.parametrize("tileset", ["external", "embedded"])
@pytest.mark.parametrize(
    ("name", "encoding"), [("isaac-7", "csv"), ("hallways", "zlib"), ("gungeon", "base64")]
)
def test_lua_is_as_tiled_exports_it(
    name: str, encoding: str, tileset: str, cases: dict[str, Case], tmp_path: Path
) -> None:
    """To the byte."""
    path = export(cases[name], "tmj", tmp_path, tileset, encoding)
    theirs = exported_by_tiled(path, "lua")
    ours = export(cases[name], "lua", tmp_path / "ours", tileset, encoding).read_text("utf-8")
    assert neutral(ours) == neutral(theirs)


@pytest.mark.parametrize("name", ODD)
def test_js_is_as_tiled_exports_it(name: str, cases: dict[str, Case], tmp_path: Path) -> None:
    """The same function called with the same table; only blanks and the name may differ."""
    case, tileset = cases[name], "external" if name == "isaac-7" else "embedded"
    path = export(case, "tmj", tmp_path, tileset)
    theirs = exported_by_tiled(path, "js")
    ours = export(case, "js", tmp_path / "ours", tileset).read_text("utf-8")
    (head, table, tail), (their_head, their_table, their_tail) = map(call, (ours, theirs))
    assert head.replace('"level"', '"theirs"') == their_head and tail == their_tail
    assert that_matter(differences(table, their_table)) == []


def call(script: str) -> tuple[str, Any, str]:
    """What stands before the table, the table, and what stands behind it."""
    head, mark, rest = script.partition('",\n')
    table, end = json.JSONDecoder().raw_decode(rest)
    return head + mark, table, rest[end:].rstrip()


@pytest.mark.parametrize("name", ODD)
def test_an_embedded_tileset_is_as_tiled_embeds_it(name: str, cases: dict[str, Case], tmp_path: Path) -> None:
    case = cases[name]
    path = export(case, "tmj", tmp_path / "beside")
    embedded = export(case, "tmj", tmp_path / "embedded", "embedded")
    saved = path.with_suffix(".saved")
    project = project_of(path.parent)
    run_tiled("--embed-tilesets", "--export-map", "json", path, saved, project=path.parent, name=project)
    assert that_matter(differences(read(embedded), read(saved))) == []
    assert not list(embedded.parent.glob("*.ts[jx]"))


@pytest.mark.parametrize(("tileset", "encoding"), [("external", "csv"), ("embedded", "zstd")])
def test_tiled_draws_tmx_as_we_draw_the_level(
    tileset: str, encoding: str, cases: dict[str, Case], tmp_path: Path
) -> None:
    case = cases["gungeon"]
    path = export(case, "tmx", tmp_path, tileset, encoding)
    assert np.array_equal(rasterized(path, tmp_path / "map.png"), case.picture)


def test_a_world_of_tmx_is_the_level(cases: dict[str, Case], tmp_path: Path) -> None:
    """With tilesets embedded in the maps of rooms, which lie a folder below the image."""
    case = cases["isaac-7"]
    options = {"tiled.format": "tmx", "tiled.tileset": "embedded", "tiled.split": "rooms"}
    bundle = exporters.export(case.level, ["tiled", "png"], options, theme=case.theme, name="level")
    bundle.write(tmp_path)
    maps = json.loads(bundle["level.world"])["maps"]
    assert all(one["fileName"].endswith(".tmx") and one["fileName"] in bundle for one in maps)
    left, top = min(one["x"] for one in maps), min(one["y"] for one in maps)
    drawn = rasterized(tmp_path / "level.world", tmp_path / "world.png")
    ours = pixels(tmp_path / "level.png")
    assert np.array_equal(ours[top : top + drawn.shape[0], left : left + drawn.shape[1]], drawn)


def test_xml_holds_any_text() -> None:
    """Line breaks and all; what XML cannot hold is replaced."""
    texts = {"a\n<b>&\"'": "x\ny\r\t<&>", "b": " \t\r", "c": "\x08\x0c\ufffe ok", "d": ""}
    top = {"properties": Lines(properties(texts)), "tilesets": [], "layers": []}
    found = {
        one.get("name"): one.get("value", one.text) for one in ET.fromstring(map_xml(top)).iter("property")
    }
    assert found == {**texts, "c": "��� ok"}


def test_only_what_is_edited_has_a_digest_and_a_project(cases: dict[str, Case]) -> None:
    case = cases["isaac-7"]
    for format_ in ("tmj", "tmx", "lua", "js"):
        bundle = exporters.export(case.level, "tiled", {"tiled.format": format_}, name="a")
        edited = format_ in ("tmj", "tmx")
        assert (b"digest" in bundle[f"a.{format_}"]) is edited
        assert any(name.endswith(".tiled-project") for name in bundle) is edited


@pytest.mark.parametrize("format_", ["lua", "js"])
def test_no_world_of_files_that_tiled_cannot_open(format_: str) -> None:
    """Tiled writes these formats, and reads neither."""
    options = {"tiled.format": format_, "tiled.split": "rooms"}
    with pytest.raises(BadInput, match=f"tiled.format: Tiled cannot open a world of {format_} files"):
        exporters.export(generate("isaac", 1), "tiled", options)


def test_a_script_does_not_end_in_one_of_its_texts() -> None:
    """A page may hold it inline, and the texts of a game's kit may say anything."""
    text = "</script><b></SCRIPT><!--<script"
    written = written_map_file({"class": text, "layers": []}, "js", text)
    assert not re.search(rb"<(/?script|!--)", written, re.IGNORECASE)
    name, data = written.rpartition(b"}})(")[2].split(b",\n", 1)
    assert json.loads(name) == text
    assert json.JSONDecoder().raw_decode(data.decode())[0] == {"class": text, "layers": []}
