"""The characters of a kit: what each means in a layout, and in the picture of a floorplan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.errors import KitError, shown
from generator.kinds.rooms import RoomKind
from generator.kinds.tiles import FLOOR

if TYPE_CHECKING:
    from generator.kinds.kinds import Kinds


class Glyph(NamedTuple):
    """The meaning of a character in a layout: a terrain, a thing on it, a marker. 0 and None mean nothing."""

    terrain: int
    decor: int = 0
    marker: str | None = None
    properties: Mapping[str, bool | int | float | str] = {}


def check_room_glyphs(rooms: Mapping[str, RoomKind], where: str) -> None:
    """Raise KitError if two room kinds have the same character."""
    owners: dict[str, str] = {}
    for kind in rooms.values():
        first = owners.setdefault(kind.glyph, kind.name)
        if first != kind.name:
            raise KitError(
                f"{where}: room.{kind.name}.glyph: room.{first} already has the character "
                f"{shown(kind.glyph)}; choose another"
            )


def glyphs_of(
    rows: Mapping[str, Mapping[str, Mapping[str, Any]]], kinds: Kinds, where: str
) -> dict[str, Glyph]:
    """Collect the meaning of each character of a layout. Raises KitError if a character has two."""
    by_character: dict[str, tuple[str, Glyph]] = {}
    for owner, character, meaning in _meanings(rows, kinds):
        if character in by_character:
            raise KitError(
                f"{where}: {owner}.glyph: {by_character[character][0]} already has the character "
                f"{shown(character)}; choose another"
            )
        by_character[character] = owner, meaning
    return {character: meaning for character, (_, meaning) in by_character.items()}


def _meanings(
    rows: Mapping[str, Mapping[str, Mapping[str, Any]]], kinds: Kinds
) -> Iterator[tuple[str, str, Glyph]]:
    for name, row in rows["terrain"].items():
        if row.get("glyph"):
            yield f"terrain.{name}", row["glyph"], Glyph(kinds.terrain_ids[name])
    for name, row in rows["decor"].items():
        if row.get("glyph"):
            yield f"decor.{name}", row["glyph"], Glyph(FLOOR, kinds.decor_ids[name])
    for name, row in rows["marker"].items():
        ground = kinds.terrain_ids.get(kinds.usual_ground(kinds.markers[name]), FLOOR)
        if row.get("glyph"):
            yield f"marker.{name}", row["glyph"], Glyph(ground, 0, name, {})
        for character, properties in row.get("glyphs", {}).items():
            yield f"marker.{name}", character, Glyph(ground, 0, name, properties)
