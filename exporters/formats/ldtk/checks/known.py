"""A project's definitions, for look-ups by the checks of its levels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from exporters.formats.ldtk.checks.spot import Spot


class Tileset(NamedTuple):
    """A tileset: the path of its image, and the grid of its tiles."""

    uid: int
    path: str | None
    columns: int
    rows: int
    size: int
    pitch: int
    padding: int

    def place(self, tile: int) -> list[int]:
        """Left and top edge of a tile in the image, px."""
        row, column = divmod(tile, self.columns)
        return [self.padding + column * self.pitch, self.padding + row * self.pitch]


class Field(NamedTuple):
    """A field: `kind` is F_Int and so on, `values` those of its enum."""

    uid: int
    name: str
    kind: str
    type_name: str
    array: bool
    null: bool
    values: frozenset[str] | None
    symmetrical: bool


class Entity(NamedTuple):
    """A kind of entity."""

    uid: int
    name: str
    fields: dict[int, Field]
    pivot: tuple[float, float]
    tags: list[object]
    strays: bool  # whether it may be outside its level


@dataclass
class Layer:
    """A layer. If it has rules, their tiles by rule uid."""

    uid: int
    name: str
    kind: str
    grid: int
    offset: tuple[int, int]
    opacity: float
    tileset: int | None
    killer: int | None
    values: dict[int, int] = field(default_factory=dict)  # IntGrid values and their groups
    rules: dict[int, frozenset[int]] = field(default_factory=dict)
    moved: bool = False  # whether a rule draws tiles at an offset


@dataclass
class Known:
    """All definitions by uid."""

    layers: dict[int, Layer] = field(default_factory=dict)
    entities: dict[int, Entity] = field(default_factory=dict)
    tilesets: dict[int, Tileset] = field(default_factory=dict)
    enums: dict[int, tuple[str, frozenset[str]]] = field(default_factory=dict)
    level_fields: dict[int, Field] = field(default_factory=dict)
    uids: dict[int, str] = field(default_factory=dict)  # with their places

    def claim(self, spot: Spot) -> int:
        """Return the uid at a place, which must be unique."""
        uid = spot.whole(0)
        if uid is None:
            return -1
        first = self.uids.setdefault(uid, spot.place)
        if first != spot.place:
            spot.fail(f"{uid} is also the uid of {first}; LDtk would confuse them")
        return uid
