"""Packs: a reader that knows `format.md` of packs alone finds the levels in them; any number of workers makes the same."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import generator
from exporters.dress import EMPTY, dressed
from exporters.formats.godot.syntax.document import Section, Sections
from exporters.formats.pack.file import digest
from exporters.formats.pack.reader import load_pack, problems
from exporters.formats.pack.rows import INDEXES, POINTS, Rows, TooLargeError
from exporters.formats.pack.scan import problem_of_scene
from exporters.formats.pack.variant import Int32s, Int64s, Strings, VariantError, decode, encode
from exporters.theme.loader import load_theme
from generator import Run, run
from generator.cli import main
from generator.errors import GenerationFailed

from .other_pack_reader import Scene, Variant, first_block
from .pack_files import form_of, parts_of, put_together, small_pack


@pytest.mark.parametrize(("style", "seeds"), [("isaac", range(5, 8)), ("gungeon", range(2, 3))])
def test_a_reader_by_the_documentation_finds_the_levels(tmp_path: Path, style: str, seeds: range) -> None:
    """Facts, rooms, markers and every tile, as the generator has them."""
    index, block = first_block(small_pack(tmp_path, style, seeds).read_bytes())
    assert index["seeds"] == list(seeds)
    for number, seed in enumerate(seeds):
        level = generator.generate(style, seed)
        theme, layers = dressed(level, load_theme())
        assert index["fingerprints"][16 * number :][:16].hex() == level.fingerprint
        assert index["facts"]["rooms"][number] == len(level.rooms)
        assert index["texts"]["style"][index["facts"]["style"][number]] == style
        nodes = Scene(block, index["places"][number]).nodes
        rooms = [node for node in nodes if "room" in node["groups"]]
        assert [room["metadata/bounds"] for room in rooms] == [list(room.bounds) for room in level.rooms]
        markers = {node["metadata/id"]: node for node in nodes if "marker" in node["groups"]}
        middles = [[(marker.x + 0.5) * 16, (marker.y + 0.5) * 16] for marker in level.markers]
        assert [markers[marker.id]["position"] for marker in level.markers] == middles
        for name, layer in zip(("Ground", "Walls"), layers, strict=False):
            (node,) = (node for node in nodes if node["name"] == name)
            here = np.full(layer.shape, EMPTY, np.int32)
            for x, y, tile in (cell for part in node["tile_map_data"] for cell in part):
                assert tile & 0xFFFF == 0 and tile >> 48 == 0
                here[y, x] = (tile >> 16 & 0xFFFF) + (tile >> 32 & 0xFFFF) * theme.columns
            assert np.array_equal(here, layer)


def test_any_number_of_workers_makes_the_same(tmp_path: Path) -> None:
    """Two blocks; compressed streams are compared unpacked."""
    made = []
    for jobs in ("1", "2"):
        out = tmp_path / jobs / "x.ucpack"
        args = ["isaac", "--seeds", "0:18", "--set", "stage=2", "--jobs", jobs, "--out", str(out), "--json"]
        done = CliRunner().invoke(main, ["pack", *args])
        assert done.exit_code == 0, done.output
        told = json.loads(done.output)
        assert told["levels"] == 18 and told["files"][0] == str(out)
        made.append(parts_of(out.read_bytes()))
        assert problems(out) == []
        assert [path.name for path in sorted(out.parent.iterdir())] == [
            ".undercroft",
            "undercroft.png",
            "undercroft.tres",
            "x.ucpack",
        ]
    assert made[0].index["facts"] == made[1].index["facts"] and made[0].block == made[1].block


def test_the_levels_of_a_seed_may_be_a_run(tmp_path: Path) -> None:
    (tmp_path / "second.toml").write_text("style = 'isaac'\nstage = 2\n", "utf-8")
    out = tmp_path / "x.ucpack"
    args = ["pack", "isaac", str(tmp_path / "second.toml"), "--run", "--seeds", "3:5", "--out", str(out)]
    done = CliRunner().invoke(main, [*args, "--jobs", "1"])
    assert done.exit_code == 0, done.output
    pack, runs = load_pack(out), [Run(run("isaac", seed).stages[:2]) for seed in (3, 4)]
    made = [each.level(place) for place in (1, 2) for each in runs]
    assert [pack.facts(number)["place"] for number in range(4)] == [1, 1, 2, 2]
    assert [pack.fingerprint(number) for number in range(4)] == [level.fingerprint for level in made]


def test_a_thousand_levels_take_four_megabytes(tmp_path: Path) -> None:
    """By the size of 48, of which a thousand have more in common."""
    path = small_pack(tmp_path, "isaac", range(100, 148))
    assert path.stat().st_size / 48 < 4_000_000 / 1000


def test_facts_of_a_pack(tmp_path: Path) -> None:
    pack = load_pack(small_pack(tmp_path))
    level = generator.generate("isaac", 6)
    facts = pack.facts(1)
    assert (pack.seed(1), pack.fingerprint(1)) == (6, level.fingerprint)
    assert facts["rooms"] == len(level.rooms) and facts["stage"] == 1 and facts["group"] == "isaac"
    assert facts["rooms.boss.distance"] == min(
        room.distance or 0 for room in level.rooms if room.kind == "boss"
    )
    assert facts["markers.enemy"] == sum(marker.kind == "enemy" for marker in level.markers)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["isaac", "--out", "x.ucpack"], "--seeds: is missing; give the first and one past the last"),
        (["isaac", "--seeds", "0:5", "--seeds", "4:9", "--out", "x.ucpack"], "--seeds: 0:5 and 4:9 overlap"),
        (["isaac", "--seeds", "0:2", "--out", "x.pck"], "x.pck: the file name must end in .ucpack"),
        (["isaac", "--seeds", "0:200000", "--out", "x.ucpack"], "a pack of 200000 levels is too large"),
        (
            ["isaac", "--seeds", "0:2", "--out", "x.ucpack", "--option", "godot.split=rooms"],
            "godot.split: packs support only none; remove this option",
        ),
        (
            ["isaac", "--seeds", "0:2", "--out", "x.ucpack", "--option", "godot.player=true"],
            "godot.player: the levels of a pack have no player",
        ),
        (
            ["isaac", "--seeds", "0:2", "--out", "notes.ucpack"],
            "notes.ucpack: exists and is not a pack; choose another name or delete it",
        ),
        (
            ["undercroft.toml", "--seeds", "0:2", "--out", "x.ucpack"],
            "--seeds does not go with a manifest, which says it itself; leave it out",
        ),
    ],
)
def test_wrong_use_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.ucpack").write_text("a person's notes", "utf-8")
    Path("undercroft.toml").write_text('[group.a]\nspec = "isaac"\nseeds = "0:2"\n', "utf-8")
    done = CliRunner().invoke(main, ["pack", *args])
    assert done.exit_code == 2 and said in done.output and done.output.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} == {"notes.ucpack", "undercroft.toml"}
    assert Path("notes.ucpack").read_text("utf-8") == "a person's notes"


def test_several_ranges_of_seeds(tmp_path: Path) -> None:
    out = tmp_path / "x.ucpack"
    args = ["pack", "isaac", "--seeds", "7:9", "--seeds", "2:3", "--jobs", "1", "--out", str(out)]
    assert CliRunner().invoke(main, args).exit_code == 0
    pack = load_pack(out)
    assert [pack.seed(number) for number in range(pack.count)] == [7, 8, 2]


def test_a_level_that_cannot_be_packed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(spec, seed, **more):  # type: ignore[no-untyped-def]
        raise GenerationFailed("floorplan", 100, "of the test", seed)

    monkeypatch.setattr("generator.pipeline.generate", failing)
    args = ["pack", "isaac", "--seeds", "7:8", "--jobs", "1", "--out", str(tmp_path / "x.ucpack")]
    done = CliRunner().invoke(main, args)
    assert done.exit_code == 1
    first, second = done.stderr.splitlines()
    assert first.startswith("undercroft: isaac, seed 7: seed 7: no floorplan after 100 tries")
    assert second.endswith("x.ucpack: not written, because none of its levels could be made")
    assert not list(tmp_path.iterdir())


def test_a_level_that_is_too_large_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are packed."""
    block = parts_of(small_pack(tmp_path).read_bytes()).block
    sizes = [len(rows) + len(cells) for rows, cells in zip(block["rows"], block["cells"], strict=True)]
    large = sizes.index(max(sizes))
    monkeypatch.setattr("exporters.formats.pack.rows.MAX_LEVEL_BYTES", max(sizes) - 1)
    out = tmp_path / "x.ucpack"
    done = CliRunner().invoke(main, ["pack", "isaac", "--seeds", "5:8", "--jobs", "1", "--out", str(out)])
    level = generator.generate("isaac", 5 + large)
    assert done.exit_code == 1
    what = f"level too large for a pack ({level.width * level.height} tiles)"
    assert done.stderr == f"undercroft: isaac, seed {5 + large}: {what}\n"
    assert load_pack(out).count == 2 and problems(out) == []


def test_nodes_beyond_what_numbers_can_count_are_refused() -> None:
    document = Sections("gd_scene")
    document.nodes += [Section("node", {"name": "Node", "type": "Node2D"})] * 8193
    with pytest.raises(TooLargeError):
        Rows().scene(document)


def test_a_block_has_as_many_values_as_sixteen_bits_can_count() -> None:
    rows = Rows()
    assert [rows.value(number) for number in range(1 << 16)] == [*range(1 << 16)]
    assert rows.value(5) == 5
    with pytest.raises(TooLargeError):
        rows.value("one more")


@pytest.mark.parametrize(
    "number", [-(1 << 63), -(1 << 31) - 1, -(1 << 31), (1 << 31) - 1, 1 << 31, (1 << 63) - 1]
)
def test_whole_numbers_take_32_bits_if_they_fit_and_64_otherwise(number: int) -> None:
    fits = -(1 << 31) <= number < 1 << 31
    assert len(encode(number)) == (8 if fits else 12)
    assert decode(encode(number)) == Variant(encode(number)).value() == number


def test_an_edited_tile_set_is_not_overwritten(tmp_path: Path) -> None:
    """One that an earlier run wrote is, though the theme is another by now."""
    args = ["pack", "isaac", "--seeds", "5:6", "--jobs", "1", "--out", str(tmp_path / "x.ucpack"), "--quiet"]
    tile_set = tmp_path / "undercroft.tres"
    assert CliRunner().invoke(main, args).stderr == ""
    tile_set.write_bytes(b"edited")
    done = CliRunner().invoke(main, args)
    assert done.exit_code == 0 and "undercroft.tres: was changed by hand, so it stays" in done.stderr
    assert tile_set.read_bytes() == b"edited"

    parts = parts_of((tmp_path / "x.ucpack").read_bytes())
    parts.index["theme_files"]["undercroft.tres"] = digest(b"edited")
    (tmp_path / "older.ucpack").write_bytes(put_together(parts, count=1))
    assert CliRunner().invoke(main, args).stderr == ""
    assert tile_set.read_bytes().startswith(b"[gd_resource")


def test_a_manifest_is_one_pack(tmp_path: Path) -> None:
    manifest = '[group.a]\nspec = "isaac"\nseeds = "0:2"\n[campaign.b]\nseed = 3\nspec = "isaac"\n'
    (tmp_path / "m.toml").write_text(f'{manifest}stages = [{{ name = "deep", set.stage = 4 }}]\n', "utf-8")
    out = tmp_path / "x.ucpack"
    done = CliRunner().invoke(main, ["pack", str(tmp_path / "m.toml"), "--out", str(out), "--jobs", "1"])
    assert done.exit_code == 0, done.output
    pack = load_pack(out)
    assert [pack.facts(i)["group"] for i in range(pack.count)] == ["a", "a", "b"]
    assert (pack.facts(2)["name"], pack.facts(2)["stage"]) == ("deep", 4)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -5,
        1 << 40,
        0.5,
        "é✓",
        b"abc",
        [1, ["x"]],
        {"a": {}},
        Int32s([1, -1]),
        Int64s([1 << 40]),
        Strings(["", "ab"]),
    ],
)
def test_values_come_back(value: object) -> None:
    assert (
        decode(encode(value))
        == value
        == (Variant(encode(value)).value() if not isinstance(value, tuple) else value)
    )


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x1c\0\0\0\xff\xff\xff\x7f",
        b"\x04\0\0\0\xff\0\0\0a",
        b"\x18\0\0\0",
        b"\x1c\0\0\0\1\0\0\0" * 40,
        b"\0" * 8,
    ],
)
def test_bytes_that_are_no_value_are_refused(data: bytes) -> None:
    with pytest.raises(VariantError):
        decode(data)


@pytest.mark.parametrize(
    ("corners", "is_fine"), [((0, 1, 1), True), ((2, -1, -1), True), ((0, 1, 2), False), ((0, -1, 3), False)]
)
def test_polygons_have_corners_that_are_there(corners: tuple[int, ...], is_fine: bool) -> None:
    """Each number is the difference from the one before; there are three vertices."""
    mesh = form_of("NavigationPolygon", {"vertices": POINTS, "polygons": INDEXES})
    root = form_of("Node2D", {}, "Root")
    numbers = [1, 1, 0, 3, 0, 0, 16, 0, 0, 16, 1, 3, *corners, 1, 0]
    rows = [struct.pack(f"<{len(numbers)}h", *numbers)]
    block = {
        "forms": [mesh, root],
        "values": [],
        "files": Strings(),
        "palettes": [],
        "rows": rows,
        "cells": [b""],
    }
    assert problem_of_scene(block, 0) == ("" if is_fine else "has polygons with corners that do not exist")


@pytest.mark.parametrize(
    ("sizes", "said"), [((0, 3), ""), ((3, 0), ""), ((4, -1), "has a list of negative length")]
)
def test_a_list_may_be_empty_but_not_of_negative_length(sizes: tuple[int, ...], said: str) -> None:
    form = form_of("Node2D", {"metadata/lists": INDEXES}, "Root")
    numbers = [0, 1, 0, 0, len(sizes), *sizes, 5, 6, 7]
    block = {
        "forms": [form],
        "values": [],
        "files": Strings(),
        "palettes": [],
        "rows": [struct.pack(f"<{len(numbers)}h", *numbers)],
        "cells": [b""],
    }
    assert problem_of_scene(block, 0) == said
