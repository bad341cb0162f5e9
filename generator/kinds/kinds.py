"""Kinds: the rows that describe the rooms, doors, tiles, markers and enemies of a level.

They belong to a kit, and every level contains those that it was made with. A reader uses the level's kinds
and does not need the kit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from generator.errors import KitError, shown
from generator.kinds.columns import KitNode, RowTable, unknown
from generator.kinds.kind_tables import (
    FLOOR,
    HUNG,
    KIND_TABLES,
    ROOMS,
    EnemyKind,
    MarkerKind,
    RoomKind,
    decor_kind_of,
    door_kind_of,
    enemy_kind_of,
    marker_kind_of,
    room_kind_of,
    terrain_kind_of,
)
from generator.named_tuple import NamedTuple
from generator.node import Node
from generator.reasons import cached_unless_noted, passed_over

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


_NO_GROUNDS = "door", "hallway"  # a room's markers never stand on these
# The rows with which every kit begins, the same as in the shipped kit: code knows them by number.
FIXED = {
    "terrain": ("void", "floor", "wall", "pit", "bridge", "hallway", "door", "rubble"),
    "decor": ("none",),
}
MAX_NAME = 60  # characters of a kit's name
MAX_KINDS = 256  # of terrain or decor: their numbers are bytes
KitTables = Mapping[str, Any]  # the tables of a kit's files, merged


T = TypeVar("T")


def without_signs(tables: KitTables) -> dict[str, Any]:
    """Return the rows of `Kinds.tables` without the names and colours of their signs on maps."""
    return {
        key: {
            name: {column: value for column, value in row.items() if column not in ("icon", "color")}
            if isinstance(row, Mapping)
            else row
            for name, row in rows.items()
        }
        if isinstance(rows, Mapping)
        else rows
        for key, rows in tables.items()
    }


class Kinds:
    """The rows of a kit that a level can contain, by name and in order.

    Two `Kinds` are equal if all their rows are. `rooms`, `doors`, `markers` and `enemies` are mappings;
    `terrain` and `decor` are tuples whose indices are the numbers in a level's arrays. `tables` are the rows
    as they were written; `Kinds(tables)` gives an equal object. `name` is the kit's name, empty for the
    shipped kit.

    Raises KitError for a wrong row, or one that names an unknown row; `where` begins the message.
    """

    def __init__(self, tables: KitTables, where: str = "kit") -> None:
        self.tables = {
            key: tables[key]
            for key in ("kit", "rare_markers", *(kind_table.key for kind_table in KIND_TABLES))
            if key in tables
        }
        root = KitNode(tables, where, is_file=True)
        self.name = root.at("kit", "").line(MAX_NAME)
        self.digest = hashlib.blake2b(json.dumps(self.tables).encode(), digest_size=8).hexdigest()
        rows = {
            table.key: {
                name: table.read(own_columns(table, row), tables.get(table.key, ()))
                for name, row in table.rows(root.at(table.key, {}))
            }
            for table in KIND_TABLES
        }
        rare = _rare_markers(root)
        styles = {name: _style_tables(row) for name, row in tables.get("room", {}).items()}
        self.rooms = frozen(
            {name: room_kind_of(name, row, styles[name], rare) for name, row in rows["room"].items()}
        )
        self.doors = frozen({name: door_kind_of(name, row) for name, row in rows["door"].items()})
        self.terrain = tuple(terrain_kind_of(name, row) for name, row in rows["terrain"].items())
        self.decor = tuple(decor_kind_of(name, row) for name, row in rows["decor"].items())
        self.markers = frozen({name: marker_kind_of(name, row) for name, row in rows["marker"].items()})
        self.enemies = frozen({name: enemy_kind_of(name, row, where) for name, row in rows["enemy"].items()})
        self.terrain_ids = frozen({kind.name: i for i, kind in enumerate(self.terrain)})
        self.decor_ids = frozen({kind.name: i for i, kind in enumerate(self.decor)})
        meanings = list(_meanings(rows, self))
        _check_glyphs(((owner, character) for owner, character, _ in meanings), where)
        self.glyphs = frozen({character: meaning for _, character, meaning in meanings})
        _check_fixed(rows, where)
        _check_names(rows, where)
        _check_glyphs(((f"room.{kind.name}", kind.glyph) for kind in self.rooms.values()), where)
        for layer in ("terrain", "decor"):
            if len(rows[layer]) > MAX_KINDS:
                raise KitError(
                    f"{where}: {layer}: has {len(rows[layer])} rows; a level can have up to {MAX_KINDS}"
                )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kinds) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<Kinds {self.digest}>"

    def __reduce__(self) -> tuple[object, ...]:
        return kinds_of, (json.dumps(self.tables),)

    def room(self, name: str) -> RoomKind:
        """Return the row of a room kind. A kind without a row, from another package's style, gets defaults.

        Its glyph is then its first letter, and its floor the theme's default.
        """
        return self.rooms.get(name) or RoomKind(name, name[0] if name[:1].isalnum() else "?")

    @cached_property
    def rare_enemies(self) -> tuple[EnemyKind, ...]:
        """The enemies that are met in one of several rooms."""
        return tuple(kind for kind in self.enemies.values() if kind.one_in > 1)

    @cached_property
    def secret_rooms(self) -> frozenset[str]:
        """Rooms to which only secret or red doors lead: they have no distance and lead nowhere else."""
        return frozenset(kind.name for kind in self.rooms.values() if kind.secret)

    @cached_property
    def secret_doors(self) -> frozenset[str]:
        """Door kinds that are hidden while they are shut."""
        return frozenset(kind.name for kind in self.doors.values() if kind.is_secret)

    @cached_property
    def costs(self) -> Mapping[str, tuple[str, ...]]:
        """The keys that doors use up, each as often as it is needed, by the kind of door."""
        return frozen({kind.name: kind.needs for kind in self.doors.values() if kind.needs})

    @cached_property
    def doors_that_start_shut(self) -> frozenset[str]:
        """Door kinds that are shut when the level starts."""
        return frozenset(kind.name for kind in self.doors.values() if kind.starts_shut)

    @cached_property
    def light_markers(self) -> frozenset[str]:
        """Markers of things that hang on a wall or burn: they need not be reachable."""
        return frozenset(kind.name for kind in self.markers.values() if kind.is_light)

    @cached_property
    def terrain_signs(self) -> Mapping[str, str]:
        """The characters of terrain in layouts, by its name."""
        bare = ((sign, glyph) for sign, glyph in self.glyphs.items() if not glyph.decor and not glyph.marker)
        return {self.terrain[glyph.terrain].name: sign for sign, glyph in bare}

    @cached_property
    def decor_signs(self) -> Mapping[str, str]:
        """The characters of decor in layouts, by its name."""
        return {self.decor[glyph.decor].name: sign for sign, glyph in self.glyphs.items() if glyph.decor}

    @cached_property
    def drawn_decor(self) -> frozenset[str]:
        """The decor that layouts can draw, with a character or without one: all that stands."""
        return frozenset(self.decor_ids) - {self.decor[0].name, *HUNG}

    def grounds_of(self, marker: MarkerKind) -> tuple[str, ...]:
        """Return the terrains that a marker can be on: those of its row, or else all walkable ones."""
        return marker.stands_on or tuple(
            kind.name for kind in self.terrain if kind.walk and kind.name not in _NO_GROUNDS
        )

    def usual_ground(self, marker: MarkerKind) -> str:
        """Return the terrain below a marker if a layout does not name one."""
        return marker.stands_on[0] if marker.stands_on and "floor" not in marker.stands_on else "floor"

    def enemies_of(self, role: str, chapter: int, name: str = "") -> tuple[EnemyKind, ...]:
        """Return the kinds with a role in a chapter with this number (1 to 6) and name, in roster order.

        An empty role means all roles.
        """
        return _enemies_of(self, role, chapter, name)

    def decor_where(self, flag: str) -> npt.NDArray[np.bool_]:
        """Return a mask [decor number] of the kinds with a property, such as `walk` or `hazard`."""
        return _where(self, "decor", flag)

    def terrain_where(self, flag: str) -> npt.NDArray[np.bool_]:
        """Return a mask [terrain number] of the kinds with a property, such as `walk` or `hazard`."""
        return _where(self, "terrain", flag)


@lru_cache(maxsize=64)
def kinds_of(tables: str) -> Kinds:
    """Build the kinds of tables given as JSON. The result is cached."""
    return Kinds(json.loads(tables))


@cached_unless_noted(1024)
def _enemies_of(kinds: Kinds, role: str, chapter: int, name: str) -> tuple[EnemyKind, ...]:
    return tuple(
        kind
        for kind in kinds.enemies.values()
        if role in ("", kind.role)
        and (
            kind.is_met_in(chapter, name) or passed_over("enemy", kind.name, "is not of the level's chapter")
        )
    )


@lru_cache(maxsize=256)
def _where(kinds: Kinds, layer: str, flag: str) -> npt.NDArray[np.bool_]:
    import numpy as np  # listing kinds must not import numpy

    mask: npt.NDArray[np.bool_] = np.array([getattr(kind, flag) for kind in getattr(kinds, layer)])
    mask.setflags(write=False)
    return mask


def frozen(rows: dict[str, T]) -> Mapping[str, T]:
    """Return the rows so that nobody can change them."""
    return MappingProxyType(rows)


def own_columns(table: RowTable, row: Node) -> Node:
    """Leave out the tables in a row that belong to styles, which only rooms have."""
    if table is not ROOMS or not isinstance(row.value, dict):
        return row
    own = {key: one for key, one in row.value.items() if key in ROOMS.columns or not isinstance(one, Mapping)}
    return row.instead(own)


def _style_tables(row: object) -> dict[str, Mapping[str, Any]]:
    if not isinstance(row, Mapping):
        return {}
    return {
        key: value for key, value in row.items() if key not in ROOMS.columns and isinstance(value, Mapping)
    }


def _rare_markers(root: KitNode) -> tuple[str, ...]:
    known = list(root.at("marker", {}).table())
    return tuple(marker.known(known, "marker kind") for marker in root.at("rare_markers", []).items())


def _check_fixed(rows: Mapping[str, Mapping[str, Any]], where: str) -> None:
    for key, names in FIXED.items():
        if tuple(rows[key])[: len(names)] != names:
            raise KitError(
                f"{where}: {key}: must begin with {', '.join(names)}, which every kit has; add them"
            )


def _check_names(rows: Mapping[str, Mapping[str, Mapping[str, Any]]], where: str) -> None:
    """Raise KitError if a row names a row that does not exist."""
    for table in KIND_TABLES:
        for name, row in rows[table.key].items():
            for key, value in row.items():
                column = table.columns[key]
                if column.names in rows and value:
                    names = [value] if isinstance(value, str) else list(value)
                    for target in names:
                        if target not in rows[column.names]:
                            subject, label = f"{column.names} kind", f"{where}: {table.key}.{name}.{key}"
                            raise KitError(unknown(subject, target, list(rows[column.names]), label))


# --- characters: what each means in a layout, and in the picture of a floorplan ----------------------


class Glyph(NamedTuple):
    """The meaning of a character in a layout: a terrain, a thing on it, a marker. 0 and None mean nothing."""

    terrain: int
    decor: int = 0
    marker: str | None = None
    properties: Mapping[str, bool | int | float | str] = {}


def _check_glyphs(owners: Iterable[tuple[str, str]], where: str) -> None:
    """Raise KitError if two rows, given with their characters, have the same one."""
    taken: dict[str, str] = {}
    for owner, character in owners:
        if character in taken:
            raise KitError(
                f"{where}: {owner}.glyph: {taken[character]} already has the character {shown(character)}; "
                "choose another"
            )
        taken[character] = owner


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
