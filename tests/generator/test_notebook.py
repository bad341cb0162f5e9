"""A level in a notebook: one line as text, and a picture with signs and a legend."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

import exporters
from exporters.map_picture import rgb, signs_of
from exporters.notebook import _legend
from generator import Level, generate
from generator.kinds.signs import Sign, sign_table
from tests.browser import browser

SVG = "{http://www.w3.org/2000/svg}"


def drawing(level: Level) -> ElementTree.Element:
    return ElementTree.fromstring(level._repr_svg_() or "")


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))


@pytest.mark.parametrize(
    ("style", "seed", "line"),
    [
        ("isaac", 7, "<Level: isaac, seed 7, 9 rooms, 64 x 40 tiles, "),
        ("gungeon", "my game", "<Level: gungeon, seed 'my game', "),
        ("rebirth", "TKMG 13C2", "<Level: rebirth, seed 'TKMG 13C2', "),
    ],
)
def test_a_level_is_one_line(style: str, seed: int | str, line: str) -> None:
    level = generate(style, seed)
    assert repr(level).startswith(line) and repr(level).endswith(f", {level.fingerprint[:8]}>")
    assert str(level) == repr(level) and "\n" not in repr(level)


def test_the_pictures_are_those_of_png() -> None:
    level = generate("isaac", 7)
    options = {"png.map": True, "png.legend": True, "png.scale": 3}
    small = exporters.export(level, "png", options, name="x")["x.png"]
    assert np.array_equal(pixels(level._repr_png_() or b""), pixels(small))
    whole = exporters.export(level, "png", name="x")["x.png"]
    (image,) = drawing(level).iter(f"{SVG}image")
    data = base64.b64decode(image.attrib["href"].removeprefix("data:image/png;base64,"))
    assert np.array_equal(pixels(data), pixels(whole))


@pytest.mark.parametrize(
    ("style", "values"),
    [
        ("isaac", {"stage": 6, "plan": {"locks": 2, "one_way": 1}}),
        ("rebirth", {"stage": 12}),
        ("gungeon", {}),
        ("gungeon", {"flow": "two_keys"}),
    ],
)
def test_the_legend_explains_each_sign(style: str, values: Mapping[str, Any]) -> None:
    level = generate(style, 7, **values)
    svg = drawing(level)
    told = [text.text or "" for text in svg.iter(f"{SVG}text")]
    kinds = [room.kind for room in level.rooms if sign_table().of_room(level.kinds.room(room.kind))]
    for kind in set(kinds):
        number = f"{kinds.count(kind)} " if kinds.count(kind) > 1 else ""
        assert f"{number}{kind.replace('_', ' ')}" in told
    zones = {room.zone.replace("_", " ") for room in level.rooms if room.zone}
    assert len(zones) < 2 or zones <= set(told)
    signs = signs_of(level)
    assert {placed.words for placed in signs if placed.room is None} <= set(told)
    assert len(told) == len(set(told))
    colours = {path.attrib["fill"] for path in svg.iter(f"{SVG}path")}
    assert {placed.sign.ink for placed in signs} <= colours


def test_names_from_a_kit_are_texts_only() -> None:
    level = generate("isaac", 7, plan={"locks": 1})
    name = "</text><script>alert(1)</script>"
    markers = tuple(
        replace(marker, properties={**marker.properties, "opens": name}) if marker.kind == "key" else marker
        for marker in level.markers
    )
    doors = tuple(replace(door, needs=(name,) if door.needs else ()) for door in level.doors)
    svg = drawing(replace(level, markers=markers, doors=doors))
    assert not list(svg.iter(f"{SVG}script")) and name in [text.text for text in svg.iter(f"{SVG}text")]


def test_a_picture_is_no_larger_than_a_page() -> None:
    level = generate("isaac", 7)
    high = np.zeros((400, level.width), np.uint8)
    found = drawing(replace(level, terrain=high, decor=high)).attrib
    assert int(found["width"]) < 960 and 1440 < int(found["height"]) <= 1440 + 240
    signs = {f"{'long ' * 20}{i}": Sign(("#",), "#ffffff") for i in range(200)}
    drawn, (width, height) = _legend(signs, (100, 100), 1)
    words = re.findall(">([^<>]+)</text>", "".join(drawn))
    assert len(words) == 61 and words[-1] == "and 140 more" and max(map(len, words)) == 40
    assert width > 40 * 8 and height < 100 + 63 * 24


def test_a_huge_level_has_none() -> None:
    """A notebook keeps its pictures in its file; it shows the line instead."""
    level = generate("isaac", 7)
    wide = np.zeros((300, 300), np.uint8)
    huge = replace(level, terrain=wide, decor=wide)
    assert huge._repr_svg_() is None and huge._repr_png_() is None


def test_kinds_that_the_theme_cannot_draw_are_no_error() -> None:
    level = generate("isaac", 7)
    kinds = tuple(kind._replace(name=f"my_{kind.name}") for kind in level.decor_kinds)
    unknown = replace(level, decor_kinds=kinds)
    assert unknown._repr_svg_() is None and unknown._repr_png_() is None


def test_a_browser_shows_it(tmp_path: Path) -> None:
    """As an image, which is how pages made of notebooks hold it: the same on light and on dark pages."""
    level = generate("isaac", 7, stage=3)
    (tmp_path / "level.svg").write_text(level._repr_svg_() or "", "utf-8")
    shots = []
    with browser() as page:
        page.size(1000, 900)
        for colour in ("white", "black"):
            body = f'<body style="margin:0;background:{colour}"><img src="level.svg">'
            (tmp_path / f"{colour}.html").write_text(f"<!doctype html>{body}", "utf-8")
            page.open(tmp_path / f"{colour}.html")
            assert page.js("document.images[0].naturalWidth") == 960
            shots.append(np.asarray(page.shot()).astype(int))
    svg = drawing(level)
    width, height = int(svg.attrib["width"]), int(svg.attrib["height"])
    assert np.array_equal(*(shot[1 : height - 1, 1 : width - 1] for shot in shots))
    assert not np.array_equal(*(shot[:, width:] for shot in shots))  # beside it is the page
    seen, tile_px = shots[0], width / level.width
    for placed in signs_of(level):
        around = seen[round(placed.y * tile_px) - 13 :, round(placed.x * tile_px) - 13 :][:26, :26]
        assert (np.abs(around - rgb(placed.sign.ink)).max(axis=2) < 8).sum() > 20, placed.words
    legend = seen[round(level.height * tile_px) + 1 : height - 1, :width]
    assert (legend[0] == rgb(sign_table().edge)).all() and (legend > 200).all(axis=2).sum() > 300  # letters
