"""Layout files: one room's inside as text. `docs/layouts.md` is the format."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar

from generator.errors import LayoutError, shown
from generator.files import read_text
from generator.interiors.glyphs import GLYPHS, Glyph
from generator.interiors.layout_rules import check_map, check_rules
from generator.interiors.layouts import Layout
from generator.kinds import MARKER_KINDS, TERRAIN_IDS, TERRAIN_KINDS
from generator.level import Property
from generator.shapes import SHAPES, Shape

T = TypeVar("T")

MOST_BYTES = 1 << 16  # of a layout file
_MIRRORS = {"none": ("",), "h": ("", "h"), "v": ("", "v"), "hv": ("", "h", "v", "hv")}
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,39}\Z")


def load_layout(path: Path) -> Layout:
    """Read and check a layout file. Raises LayoutError with file, line and remedy."""
    return parse_layout(read_text(path, MOST_BYTES, LayoutError), path)


def parse_layout(text: str, path: Path, *, check: bool = True) -> Layout:
    """As `load_layout`, of a text; `path` names it.

    The shipped files are checked by the tests; not doing it again saves half the time of a cold start.
    """
    lines = text.splitlines()
    header_end = next((i for i, line in enumerate(lines) if line.strip() == "map:"), None)
    if header_end is None:
        raise LayoutError(f"{path}: has no line `map:`; draw the room below one")
    header = _header(lines[:header_end], path)
    rows = [line.rstrip() for line in lines[header_end + 1 :]]
    while rows and not rows[-1]:
        rows.pop()
    layout = Layout(path, tuple(rows), header_end + 2, **header._asdict())
    if check:
        check_map(layout)
        check_rules(layout, layout.interior())
    return layout


# --- the header --------------------------------------------------------------------------------------


class _Header(NamedTuple):
    """What stands above the map; the fields are those of `Layout`."""

    glyphs: Mapping[str, Glyph]
    weight: int
    mirrors: tuple[str, ...]
    shape: Shape
    doors: tuple[str, ...]


def _header(lines: list[str], path: Path) -> _Header:
    glyphs = dict(GLYPHS)
    keys: dict[str, tuple[str, str]] = {"weight": ("1", ""), "mirror": ("hv", ""), "shape": ("1x1", "")}
    for number, whole_line in enumerate(lines, 1):
        line = whole_line.split("//", 1)[0].strip()
        where = f"{path}:{number}"
        key, colon, text = line.partition(":")
        if not line:
            continue
        if colon and key in ("weight", "mirror", "shape", "doors"):
            keys[key] = text.strip(), where
        elif re.match(r"[A-Z0-9]\s*=", line):
            glyphs[line[0]] = _own_glyph(line.split("=", 1)[1], where)
        else:
            raise LayoutError(
                f"{where}: {shown(line)} is no header line; write `weight:`, `mirror:`, `shape:`, `doors:` "
                "or `X = KIND …`"
            )
    shape = _one_of(SHAPES, "shape", *keys["shape"])
    return _Header(
        glyphs=glyphs,
        weight=_weight(*keys["weight"]),
        mirrors=_one_of(_MIRRORS, "mirror", *keys["mirror"]),
        shape=shape,
        doors=_doors(shape, *keys["doors"]) if "doors" in keys else tuple(shape.slots),
    )


def _one_of(table: Mapping[str, T], key: str, word: str, where: str) -> T:
    if word not in table:
        raise LayoutError(f"{where}: {key}: {shown(word)} is none of {', '.join(table)}")
    return table[word]


def _doors(shape: Shape, text: str, where: str) -> tuple[str, ...]:
    """The slots named, in the shape's order."""
    names = text.split()
    for name in names:
        if name not in shape.slots:
            known = ", ".join(shape.slots)
            raise LayoutError(f"{where}: doors: {shown(name)} is no door of a {shape.name}; it has {known}")
    if not names:
        raise LayoutError(f"{where}: doors: names none; a room has one at least")
    return tuple(name for name in shape.slots if name in names)


def _weight(text: str, where: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 5 and 1 <= int(text) <= 1000):
        raise LayoutError(f"{where}: weight: {shown(text)} is not a whole number from 1 to 1000")
    return int(text)


def _own_glyph(text: str, where: str) -> Glyph:
    """The meaning after `X =`: a marker kind, properties, and `on=` a terrain."""
    kind, *pairs = text.split() or [""]
    if kind not in MARKER_KINDS:
        raise LayoutError(f"{where}: {shown(kind)} is no marker kind; known are {', '.join(MARKER_KINDS)}")
    properties: dict[str, Property] = {}
    for pair in pairs:
        key, _, word = pair.partition("=")
        if not _WORD.match(key) or not (_WORD.match(word) or re.match(r"-?[0-9]{1,9}\Z", word)):
            raise LayoutError(
                f"{where}: {shown(pair)} is not NAME=VALUE with a number, true, false or a word"
            )
        properties[key] = _property(word)
    ground = str(properties.pop("on", "floor"))
    if ground not in TERRAIN_IDS or not TERRAIN_KINDS[TERRAIN_IDS[ground]].walk or ground == "door":
        raise LayoutError(f"{where}: on={ground}: nothing stands on that; use floor, rubble or bridge")
    return Glyph(TERRAIN_IDS[ground], 0, kind, properties)


def _property(word: str) -> Property:
    if word in ("true", "false"):
        return word == "true"
    return word if _WORD.match(word) else int(word)
