"""Kinds that a style or a kit of somebody's brings: the runtime has to do with levels that hold them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence

import pytest

from generator.kinds import DOOR_KINDS, SHIPPED, room_kind
from generator.kinds.signs import EDGE_CONTRAST, Dots, sign_table
from tests.exporters.older_doors import older
from tests.godot_addon.conftest import ADDON

from .conftest import Play

pytestmark = pytest.mark.xdist_group("play")

UPDATE = bool(os.environ.get("UNDERCROFT_UPDATE_GOLDENS"))
RUNTIME = ADDON / "addons" / "undercroft" / "runtime"
# What a kit says of these kinds, in a level.json and in a scene.
TOLD = {
    '"format_version": 1,': '"format_version": 1, "kinds": {"room": {"aquarium": {"icon": "f"}, "boss": {"icon": "star"}}, '
    '"door": {"portcullis": {"starts_shut": true}}},',
    'metadata/kind = "aquarium"': 'metadata/kind = "aquarium"\nmetadata/icon = "f"',
    'metadata/kind = "boss"': 'metadata/kind = "boss"\nmetadata/icon = "star"',
}
LETTER_F, STAR = (
    ["".join("w" if dot == "#" else "." for dot in row) for row in sign_table().named(icon)]
    for icon in ("f", "star")
)
OURS = {"treasure": "aquarium", "item": "fish", "locked": "portcullis"}


def test_a_level_of_unknown_kinds_is_played(play: Play) -> None:
    """An unknown kind of room has the icon of others, an unknown kind of door opens and shuts like any other."""
    for name in ("isaac.level.json", "isaac.tscn"):
        text = (play.folder / name).read_text("utf-8")
        for known, other in OURS.items():
            assert f'"{known}"' in text
            text = text.replace(f'"{known}"', f'"{other}"').replace(f"_{known}", f"_{other}")
        (play.folder / f"unknown-{name}").write_text(older(text, "tscn"), "utf-8")
        for bare, told_of in TOLD.items():
            text = text.replace(bare, told_of)
        (play.folder / f"kit-{name}").write_text(text, "utf-8")
    names = ("isaac.level.json", "isaac.tscn")
    unknown, told_by_a_kit = (
        play.ask("unknown.gd", *(f"res://{what}-{name}" for name in names)) for what in ("unknown", "kit")
    )
    for told in told_by_a_kit:
        assert told["kept"]
        assert told["rooms"]["aquarium"] == "own"
        assert told["drawn"] == {"aquarium": LETTER_F, "boss": STAR}
        assert told["rooms"]["start"] == "own"
        assert told["doors"]["portcullis"] == [False, False, True]
        assert told["doors"]["open"] == [True, False, True]
    for told in unknown:
        assert told["rooms"]["aquarium"] == "other"
        assert told["rooms"]["normal"] == "none"
        assert told["rooms"]["boss"] == "own"
        assert told["doors"]["portcullis"] == [True, False, True]
        assert "fish" in told["markers"]


def _drawings(name: str, rows: Sequence[Dots]) -> str:
    drawn = "".join(f'\t"{"".join(dots)}",\n' for dots in rows)
    return f"const {name}: PackedStringArray = [\n{drawn}]\n"


def _entries(name: str, entries: Iterable[tuple[str, str]]) -> str:
    return f"const {name} := {{\n" + "".join(f'\t"{key}": {value},\n' for key, value in entries) + "}\n"


def table_of_signs() -> str:
    """The script with the signs of maps, those of keys by number, and of ways by direction: east, south, west, north."""
    table, directions = sign_table(), ((1, 0), (0, 1), (-1, 0), (0, -1))
    numbers = range(len(table.keys["colours"]))
    colours = "".join(f'\t"{colour}",\n' for colour in table.keys["colours"])
    keys = {
        f"{sign.upper()}S": [table.of_key(sign, n).dots for n in numbers] for sign in ("key", "lock", "lever")
    }
    ways = {
        kind.upper(): [table.of_way(kind, *way).dots for way in directions] for kind in ("one_way", "barred")
    }
    rooms = ((row.name, f'["{row.icon}", "{row.color}"]') for row in SHIPPED.rooms.values())
    doors = ((row.name, f'"{row.icon}"') for row in SHIPPED.doors.values() if row.icon)
    signs = ((name, f'"{"".join(dots)}"') for name, dots in table.signs.items() if "#" in "".join(dots))
    letters = ((letter, f'"{_digits(dots)}"') for letter, dots in table.letters.items() if letter.isalnum())
    return (
        "extends RefCounted\n"
        "## The signs of maps, of nine by nine dots, and the shipped kit's icons and colours. Written\n"
        "## from generator/kinds/signs.toml and the kit by tests/godot_addon/play/test_unknown_kinds.py.\n\n"
        f'const EDGE := "{table.edge}"\nconst EDGE_CONTRAST := {EDGE_CONTRAST}\nconst PLAIN := "{table.plain}"\nconst OTHER := "{room_kind("?").color}"\n'
        f"const KEY_COLOURS: PackedStringArray = [\n{colours}]\n"
        + "".join(_drawings(name, rows) for name, rows in {**keys, **ways}.items())
        + _entries("SIGNS", ((name, dots) for name, dots in signs if not set(dots) & set("xo")))
        + _entries("ROOMS", rooms)
        + _entries("DOORS", doors)
        + _entries("LETTERS", letters)
    )


def _digits(dots: Dots) -> str:
    return "".join(str(int(row.translate({35: "1", 46: "0"}), 2)) for row in dots)


def table_of_doors() -> str:
    """The script with the shipped doors, for files that say only a door's kind."""
    shut, secret = (
        ", ".join(f'"{kind.name}"' for kind in DOOR_KINDS if kind.name in kinds)
        for kinds in (SHIPPED.doors_that_start_shut, SHIPPED.secret_doors)
    )
    return (
        "extends RefCounted\n"
        "## The doors of the shipped kit, for files that say only a door's kind. Written from\n"
        "## generator/kinds/shipped/doors.toml by tests/godot_addon/play/test_unknown_kinds.py.\n\n"
        f"const STARTS_SHUT: PackedStringArray = [{shut}]\n"
        f"const SECRET: PackedStringArray = [{secret}]\n"
    )


def test_the_table_of_doors_is_that_of_the_shipped_kit() -> None:
    """UNDERCROFT_UPDATE_GOLDENS=1 makes it anew; no other script, of Godot or of a page, knows such kinds."""
    table = RUNTIME / "shipped_doors.gd"
    if UPDATE:
        table.write_text(table_of_doors(), "utf-8", newline="\n")
    assert table.read_text("utf-8") == table_of_doors(), "UNDERCROFT_UPDATE_GOLDENS=1 renews it"
    exporters = ADDON.parent / "exporters"
    scripts = [*ADDON.joinpath("addons").rglob("*.gd"), *exporters.rglob("*.js")]
    listing = [path for path in scripts if re.search(r'"(secret|red|barred)", "', path.read_text("utf-8"))]
    assert listing == [table]


def test_the_table_of_signs_is_that_of_the_generator() -> None:
    """UNDERCROFT_UPDATE_GOLDENS=1 makes it anew, and every icon of a shipped row is one of its signs."""
    table = RUNTIME / "shipped_signs.gd"
    if UPDATE:
        table.write_text(table_of_signs(), "utf-8", newline="\n")
    assert table.read_text("utf-8") == table_of_signs(), "UNDERCROFT_UPDATE_GOLDENS=1 renews it"
    icons = {row.icon for rows in (SHIPPED.rooms, SHIPPED.doors) for row in rows.values()}
    assert icons - {""} <= set(sign_table().signs)
