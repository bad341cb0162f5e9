"""Kinds that a style or a kit of somebody's brings: the runtime has to do with levels that hold them."""

from __future__ import annotations

import os
import re

import pytest

from generator.kinds import DOOR_KINDS, ROOM_KINDS, SHIPPED, room_kind
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
LETTER_F = [".www.", ".w...", ".ww..", ".w...", ".w..."]
STAR = ["..w..", ".www.", "wwwww", ".www.", "..w.."]
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
        assert told["rooms"]["aquarium"] == "own"
        assert told["drawn"] == {"aquarium": LETTER_F, "boss": STAR}
        assert told["rooms"]["start"] == "none"
        assert told["doors"]["portcullis"] == [False, False, True]
        assert told["doors"]["open"] == [True, False, True]
    for told in unknown:
        assert told["rooms"]["aquarium"] == "other"
        assert told["rooms"]["start"] == told["rooms"]["normal"] == "none"
        assert told["rooms"]["boss"] == "own"
        assert told["doors"]["portcullis"] == [True, False, True]
        assert "fish" in told["markers"]


def test_the_minimap_has_the_icons_of_the_room_kinds() -> None:
    """Its table says what their rows say; a kind that it does not name has the icon of unknown kinds."""
    text = (RUNTIME / "minimap_icons.gd").read_text("utf-8")
    plain = re.search(r"const PLAIN.* = \[(.*)\]", text)
    other = re.search(r"func other\(\).*\n.*_picture\(_(\w+)\)", text)
    assert plain and other
    table = text_between(text, "const ICONS", "}")
    icons = {kind: icon.lower() for kind, icon in re.findall(r'^\t"(\w+)": _(\w+)', table, re.MULTILINE)}
    icons |= dict.fromkeys(re.findall(r'"(\w+)"', plain[1]), "")
    assert set(icons) <= set(ROOM_KINDS)
    for kind in (*ROOM_KINDS, "aquarium"):
        assert icons.get(kind, other[1].lower()) == room_kind(kind).icon


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


def test_every_icon_that_a_room_s_row_names_has_a_picture() -> None:
    icons = (RUNTIME / "minimap_icons.gd").read_text("utf-8")
    named = text_between(icons, "const NAMED", "}")
    assert set(re.findall(r'"(\w+)": _', named)) == {
        *(room_kind(kind).icon for kind in ROOM_KINDS),
        "dot",
    } - {""}


def text_between(text: str, start: str, end: str) -> str:
    return text[text.index(start) : text.index(end, text.index(start))]
