"""Layout files: one room's inside as text. `docs/layouts.md` describes the format."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeVar

from generator import errors
from generator.errors import LayoutError, shown, unknown
from generator.files import read_text
from generator.interiors.layout_rules import check_map, check_rules
from generator.interiors.layouts import Exit, Layout, read_exits
from generator.interiors.variations import Variation, read_variation
from generator.kinds import DIFFICULTIES, FLOOR, SHIPPED, VOID, Glyph, Kinds
from generator.kinds.kind_tables import PROPERTY_FORMS, ROLES
from generator.kinds.marker_properties import FIRST_PROPERTY, MARKER_PROPERTIES
from generator.level import Property
from generator.named_tuple import NamedTuple
from generator.pattern import pattern
from generator.shapes import SHAPES, Shape

T = TypeVar("T")

MAX_BYTES = 1 << 16  # of a layout file
_MIRRORS = {"none": ("",), "h": ("", "h"), "v": ("", "v"), "hv": ("", "h", "v", "hv")}
_TURNS = {"no": ("",), "quarter": ("", "r")}
REPEATS = "freely", "never-adjacent", "once"  # how often a layout comes in a level
OUTSIDE = " "  # the glyph for what is outside a layout with exits
_WORD = pattern(r"[A-Za-z_][A-Za-z0-9_-]{0,39}\Z")


def load_layout(path: Path, kinds: Kinds = SHIPPED) -> Layout:
    """Read and check a layout file. Raises LayoutError with file, line and remedy."""
    return parse_layout(read_text(path, MAX_BYTES, LayoutError), path, kinds)


def parse_layout(
    text: str, path: Path, kinds: Kinds = SHIPPED, *, check: bool = True, headers: Headers | None = None
) -> Layout:
    """Parse a text like `load_layout`. `path` names it, and `kinds` define its glyphs and words.

    `headers`, if given, reads the header with other glyphs, and remembers it for other files.

    The tests check the shipped files; not checking them again halves the time of a cold start.
    """
    lines = text.splitlines()
    header_end = next((i for i, line in enumerate(lines) if line.strip() == "map:"), None)
    if header_end is None:
        raise LayoutError(f"{path}: has no line `map:`; add it above the drawing of the room")
    header = (headers or Headers(kinds, kinds.glyphs)).read(lines[:header_end], path)
    rows = [line.rstrip() for line in lines[header_end + 1 :]]
    while rows and not rows[-1]:
        rows.pop()
    if header.exits:
        width = max(map(len, rows), default=0)
        rows = [row.ljust(width, OUTSIDE) for row in rows]
    layout = Layout(path, tuple(rows), header_end + 2, *header)
    if check:
        check_map(layout)
        check_rules(layout)
    return layout


# --- the header --------------------------------------------------------------------------------------


_DEFAULTS = {
    "weight": "1",
    "mirror": "hv",
    "turn": "no",
    "shape": "1x1",
    "doors": "",
    "exits": "",
    "difficulty": "",
    "tags": "",
    "repeat": "freely",
}
_OF_THE_GRID = "shape", "doors"
_OF_EXITS = "turn", "difficulty"


class _Header(NamedTuple):
    """What a header says, in the order of the fields of `Layout`."""

    glyphs: Mapping[str, Glyph]
    weight: int
    mirrors: tuple[str, ...]
    shape: Shape
    doors: tuple[str, ...]
    exits: tuple[Exit, ...]
    difficulty: int
    tags: frozenset[str]
    repeat: str
    variations: Mapping[str, Variation]
    kinds: Kinds


class Headers:
    """Reads headers with some kinds and glyphs, each once: many files have the same."""

    def __init__(self, kinds: Kinds, glyphs: Mapping[str, Glyph]) -> None:
        self._kinds, self._glyphs = kinds, glyphs
        self._read: dict[tuple[str, ...], _Header] = {}

    def read(self, lines: Sequence[str], path: Path) -> _Header:
        """Parse the lines above the map. `path` names the file in errors."""
        bare = [line.split("//", 1)[0].strip() for line in lines]
        key = tuple(filter(None, bare))
        if key not in self._read:
            letters = _HeaderLetters(dict(self._glyphs), {}, self._kinds)
            self._read[key] = _header(_keys(bare, str(path), letters), letters)
        return self._read[key]


def _header(keys: Mapping[str, tuple[str, str]], letters: _HeaderLetters) -> _Header:
    """Parse the values of a header's keys, each a text and its place."""
    _check_keys(keys)
    fields = {key: keys.get(key, (default, "")) for key, default in _DEFAULTS.items()}
    shape = _one_of(SHAPES, "shape", *fields["shape"])
    exits = read_exits(*keys["exits"]) if "exits" in keys else ()
    if exits:
        letters.glyphs[OUTSIDE] = Glyph(VOID)
    turns = _one_of(_TURNS, "turn", *fields["turn"])
    return _Header(
        weight=_weight(*fields["weight"]),
        mirrors=tuple(m + r for r in turns for m in _one_of(_MIRRORS, "mirror", *fields["mirror"])),
        shape=shape,
        doors=() if exits else _doors(shape, *keys["doors"]) if "doors" in keys else tuple(shape.slots),
        exits=exits,
        difficulty=_difficulty(*keys["difficulty"]) if "difficulty" in keys else 0,
        tags=_tags(*fields["tags"]),
        repeat=_one_of({word: word for word in REPEATS}, "repeat", *fields["repeat"]),
        **letters._asdict(),
    )


def _keys(lines: Sequence[str], file: str, letters: _HeaderLetters) -> dict[str, tuple[str, str]]:
    """Return the text of each key and its place, and give letters their meanings. Lines have no comments."""
    keys: dict[str, tuple[str, str]] = {}
    lines_of: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        where = f"{file}:{number}"
        key, colon, text = line.partition(":")
        if not line:
            continue
        own = None if key in _DEFAULTS else re.match(r"[A-Z0-9](?=\s*=)", line)
        name = own[0] if own else key
        if name in lines_of:
            raise LayoutError(f"{where}: {name}: is already in line {lines_of[name]}; remove one of them")
        lines_of[name] = number
        if colon and key in _DEFAULTS:
            keys[key] = text.strip(), where
        elif own:
            _read_letter(line[0], line.split("=", 1)[1], where, letters)
        else:
            known = ", ".join(f"`{name}:`" for name in _DEFAULTS)
            raise LayoutError(f"{where}: {shown(line)} is not a header line; write {known} or `X = KIND …`")
    return keys


def _check_keys(keys: Mapping[str, tuple[str, str]]) -> None:
    """Refuse lines that are for the other family of rooms (on a grid, or with exits)."""
    refused, remedy = (
        (_OF_THE_GRID, "a layout with `exits:` has any outline")
        if "exits" in keys
        else (_OF_EXITS, "only layouts with `exits:` have it")
    )
    for key in refused:
        if key in keys:
            raise LayoutError(f"{keys[key][1]}: {key}: {remedy}; leave this line out")


class _HeaderLetters(NamedTuple):
    """The meanings of a header's letters so far."""

    glyphs: dict[str, Glyph]
    variations: dict[str, Variation]
    kinds: Kinds


def _read_letter(letter: str, text: str, where: str, known: _HeaderLetters) -> None:
    """Give a letter its meaning: a single one, or a variation."""
    own_glyph = partial(_own_glyph, known.kinds)
    variation = read_variation(text, where, known.glyphs, known.kinds, own_glyph)
    if variation is None:
        known.glyphs[letter] = own_glyph(text, where)
    else:
        known.variations[letter] = variation
        known.glyphs[letter] = Glyph(FLOOR)


def _one_of(table: Mapping[str, T], key: str, word: str, where: str) -> T:
    if word not in table:
        raise LayoutError(f"{where}: {key}: {shown(word)} is not one of {', '.join(table)}")
    return table[word]


def _doors(shape: Shape, text: str, where: str) -> tuple[str, ...]:
    """Return the slots named, in the shape's order."""
    names = text.split()
    for name in names:
        if name not in shape.slots:
            known = ", ".join(shape.slots)
            raise LayoutError(
                f"{where}: doors: {shown(name)} is not a door of a {shape.name}; it has {known}"
            )
    if not names:
        raise LayoutError(f"{where}: doors: is empty; a room needs at least one door")
    return tuple(name for name in shape.slots if name in names)


def _difficulty(text: str, where: str) -> int:
    number = DIFFICULTIES.get(text)
    if number is None and text in map(str, DIFFICULTIES.values()):
        number = int(text)
    if number is None:
        known = ", ".join(f"{value} ({name})" for name, value in DIFFICULTIES.items())
        raise LayoutError(f"{where}: difficulty: {shown(text)} is not one of {known}")
    return number


def _tags(text: str, where: str) -> frozenset[str]:
    words = text.replace(",", " ").split()
    for word in words:
        if not _WORD.match(word):
            raise LayoutError(f"{where}: tags: {shown(word)} is not a word; use letters, digits, - and _")
    return frozenset(words)


def _weight(text: str, where: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 5 and 1 <= int(text) <= 1000):
        raise LayoutError(f"{where}: weight: {shown(text)} is not a whole number from 1 to 1000")
    return int(text)


def _own_glyph(kinds: Kinds, text: str, where: str) -> Glyph:
    """Parse the meaning after `X =`: decor, or a marker kind, properties, and `on=` a terrain."""
    kind, *pairs = text.split() or [""]
    if kind in kinds.drawn_decor and not pairs and kind not in kinds.markers:
        return Glyph(FLOOR, kinds.decor_ids[kind])
    if kind not in kinds.markers:
        raise LayoutError(f"{where}: {unknown('marker kind', kind, [*kinds.markers, *kinds.drawn_decor])}")
    properties: dict[str, Property] = {}
    for number, pair in enumerate(pairs):
        key, equals, word = pair.partition("=")
        if not equals and number == 0 and pair != FIRST_PROPERTY.get(kind, pair):  # `enemy shooter`
            key, word = FIRST_PROPERTY[kind], pair
        if not _WORD.match(key) or not (_WORD.match(word) or re.match(r"-?[0-9]{1,9}\Z", word)):
            raise LayoutError(
                f"{where}: {shown(pair)} is not NAME=VALUE with a number, true, false or a word"
            )
        properties[key] = _property(word)
    row = kinds.markers[kind]
    ground = str(properties.pop("on", kinds.usual_ground(row)))
    if ground not in kinds.grounds_of(row):
        known = ", ".join(kinds.grounds_of(row))
        who = f"no {kind}" if row.stands_on else "nothing"
        raise LayoutError(f"{where}: on={ground}: {who} can be on that; choose one of {known}")
    for key, value in properties.items():
        if key in row.properties and type(value) is not PROPERTY_FORMS[row.properties[key]]:
            raise LayoutError(
                f"{where}: {key}={value}: is not a {row.properties[key]}; {_REMEDY[row.properties[key]]}"
            )
    if slip := slip_of(kind, properties, kinds):
        raise LayoutError(f"{where}: {slip}")
    return Glyph(kinds.terrain_ids[ground], 0, kind, properties)


_REMEDY = {"text": "give a word", "number": "give a whole number", "truth": "give true or false"}


def _property(word: str) -> Property:
    if word in ("true", "false"):
        return word == "true"
    return word if _WORD.match(word) else int(word)


# Finds misspelled words of markers: names and values close to known ones.
#
# A game can give its markers its own properties and roles, so words that are merely unknown are accepted.

_CLOSED = ("role", "tier")  # their values are words, and most games use those of the kit
_ALIKE = 0.8  # of difflib's ratio: `rol` and `role` have 0.86, `walker` and `stalker` 0.77


def slip_of(kind: str, properties: Mapping[str, Property], kinds: Kinds) -> str:
    """Return a likely slip in the properties of a marker, with a remedy, or an empty text."""
    keys, words = _known(kind, kinds)
    for key, value in properties.items():
        near = nearest(key, keys)
        if near:
            return f"{shown(key)} is not a property of {kind}; did you mean {near}?"
        if key not in _CLOSED or not words.get(key):
            continue
        if not isinstance(value, str):
            return f"{key}={said_value(value)}: is not a word; give one such as {', '.join(words[key])}"
        near = nearest(value, words[key])
        if near:
            return f"{key}={value}: unknown {key}; did you mean {near}?"
    return ""


def said_value(value: Property) -> str:
    """Write a property's value as a layout's header has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def nearest(word: str, known: Collection[str]) -> str:
    """Find the known word that an unknown one nearly matches. Empty if none does, or if it is known.

    Words that differ only in digits do not match.
    """
    if word in known:
        return ""
    near = errors.nearest(word, sorted(known), _ALIKE)
    return near if near and _bare(near) != _bare(word) else ""


def _bare(word: str) -> str:
    return word.rstrip("0123456789_-")


@lru_cache(maxsize=256)
def _known(kind: str, kinds: Kinds) -> tuple[frozenset[str], Mapping[str, tuple[str, ...]]]:
    """Return the known properties of a marker kind, and the known values of some of them."""
    drawn = [glyph.properties for glyph in kinds.glyphs.values() if glyph.marker == kind]
    keys = {
        *MARKER_PROPERTIES.get(kind, ()),
        *kinds.markers[kind].properties,
        *(key for values in drawn for key in values),
    }
    words = {key: dict.fromkeys(str(values[key]) for values in drawn if key in values) for key in _CLOSED}
    if "role" in keys:
        words["role"] |= dict.fromkeys(ROLES)
    return frozenset(keys), {key: tuple(values) for key, values in words.items()}
