"""The files themselves: no uid, relative, the same every time, and as Godot counts bytes."""

from __future__ import annotations

import re
import struct

import numpy as np
import pytest

import exporters
import generator
from exporters.dress import EMPTY
from exporters.godot.layers import tile_map_data
from generator.level_file import level_from_dict


@pytest.fixture(scope="module")
def bundle() -> exporters.Bundle:
    return exporters.export(generator.generate("isaac", 7), ["godot"])


def test_the_bundle(bundle: exporters.Bundle) -> None:
    assert list(bundle) == ["isaac-7.tscn", "undercroft.tres", "undercroft.png", "isaac-7_edit.tscn"]


def test_two_runs_give_the_same_bytes(bundle: exporters.Bundle) -> None:
    level = generator.generate("isaac", 7)
    assert dict(exporters.export(level, ["godot"])) == dict(bundle)
    assert dict(exporters.export(level_from_dict(level.to_dict()), ["godot"])) == dict(bundle)


def test_every_level_shares_the_tileset(bundle: exporters.Bundle) -> None:
    other = exporters.export(generator.generate("labyrinth", 3), ["godot"])
    assert other["undercroft.tres"] == bundle["undercroft.tres"]


@pytest.mark.parametrize("name", ["isaac-7.tscn", "undercroft.tres"])
def test_references_are_relative_and_there_is_no_uid(bundle: exporters.Bundle, name: str) -> None:
    text = bundle[name].decode("utf-8")
    assert "uid=" not in text and "res://" not in text
    paths = re.findall(r'^\[ext_resource type="\w+" path="([^"]+)"', text, re.MULTILINE)
    assert paths and all(path in bundle for path in paths)
    assert text.splitlines()[0].endswith("format=4]")


def test_cells_are_written_as_godot_reads_them() -> None:
    layer = np.full((3, 4), EMPTY, np.int32)
    layer[2, 1] = 7  # column 2, row 1 of an atlas of 5 columns
    layer[0, 3] = 4
    data = tile_map_data(layer, 5)
    assert data[:2] == b"\0\0"
    assert list(struct.iter_unpack("<hhHHHH", data[2:])) == [(3, 0, 0, 4, 0, 0), (1, 2, 0, 2, 1, 0)]
    assert tile_map_data(np.full((2, 2), EMPTY, np.int32), 5) == b""
