"""The digest that a file contains of itself replaces the zeros behind its key, and no other zeros."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import exporters
import generator
from exporters.base import Exporter
from exporters.digest import BLANK, with_digest
from exporters.edits.digests import is_as_written
from exporters.registry import exporter, format_names
from exporters.theme.districts import theme_of_level
from exporters.theme.image import Pixels, atlas_pixels
from exporters.theme.loader import load_theme
from generator.level import Level
from tests.combinations import each_once_first

_OWN = re.compile(rb'(?:"digest": |\sdigest=)"([0-9a-f]{64})"')


@cache
def level() -> Level:
    return generator.generate(generator.GungeonSpec(rooms=2), 7)


def choices(one: Exporter) -> dict[str, tuple[object, ...]]:
    """The values of each switch and each choice of a format."""
    return {
        f"{one.name}.{key}": value.choices or (False, True)
        for key, value in one.options.items()
        if value.choices or isinstance(value.default, bool)
    }


def one_by_one(one: Exporter) -> Iterator[dict[str, object]]:
    yield {}
    yield from ({key: value} for key, values in choices(one).items() for value in values)


LDTK = choices(exporter("ldtk"))


@cache
def alpha() -> Pixels:
    return atlas_pixels(theme_of_level(load_theme(), level()))[..., 3]


@pytest.mark.parametrize("name", sorted({*format_names()} - {"ldtk"}))
def test_a_file_has_its_own_digest_or_none(name: str) -> None:
    """Whatever the options: it is the SHA-256 of the file with zeros in its place."""
    found = 0
    for options in one_by_one(exporter(name)):
        for path, data in exporters.export(level(), name, options, name="a").items():
            if path.endswith(".png"):
                continue
            marks = _OWN.findall(data)
            assert len(marks) <= 1, (path, options)
            for mark in marks:
                blank = data.replace(mark, BLANK.encode(), 1)
                assert mark == hashlib.sha256(blank).hexdigest().encode(), (path, options)
                found += 1
    assert found if name == "tiled" else not found


@pytest.mark.parametrize(
    "chosen",
    [pytest.param(each.values, marks=each.marks) for each in each_once_first(*LDTK.values())],
    ids=str,
)
def test_an_ldtk_project_has_its_digest_in_the_header_alone(
    chosen: tuple[object, ...], tmp_path: Path
) -> None:
    """Whatever the options; a project with external levels has none, as it would not cover them."""
    options = dict(zip(LDTK, chosen, strict=True))
    external = options["ldtk.external"]
    exporters.export(level(), "ldtk", options, name="a").write(tmp_path)
    data = (tmp_path / "a.ldtk").read_bytes()
    project = json.loads(data)
    assert ("digest" in project["__header__"]) is (data.count(b'"digest"') == 1) is not external
    assert is_as_written(tmp_path / "a.ldtk") is not external
    (tileset,) = project["defs"]["tilesets"]
    size, across = tileset["tileGridSize"], tileset["__cWid"]
    opaque = (alpha() == 255).reshape(-1, size, across, size).all(axis=(1, 3))
    assert tileset["cachedPixelData"]["opaqueTiles"] == "".join(np.where(opaque, "1", "0").flat)


def test_a_file_without_a_place_for_a_digest_gets_none() -> None:
    for data in (BLANK, f'{{"zeros": "{BLANK}"}}', f'<map zeros="{BLANK}"/>'):
        assert with_digest(BytesIO(data.encode())) == data.encode()
    data = f'{{"zeros": "{BLANK}", "digest": "{BLANK}"}}'.encode()
    assert with_digest(BytesIO(data)).startswith(f'{{"zeros": "{BLANK}", "digest": "'.encode())
    assert BLANK.encode() not in with_digest(BytesIO(data))[80:]
