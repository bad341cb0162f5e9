"""Kinds of rooms, terrain and markers in LDtk: IntGrid values, enums, colours, and the rules that draw them.

The numbers must not change, because games may use them. New kinds are added at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from exporters import blob
from exporters.formats.ldtk.picked import (
    PICKED,
    FoundValues,
    has_usual_form,
    is_value,
    picked_values,
    property_values,
)
from exporters.formats.ldtk.syntax import identifier
from exporters.theme import Theme, Variants
from exporters.theme.parts import floor_of_room, own_terrain
from exporters.variants import dice, first_keys, tables_of
from generator.geometry import Side
from generator.kinds import SHIPPED, Kinds
from generator.kinds.kind_tables import PROPERTY_FORMS
from generator.kinds.marker_properties import MARKER_PROPERTIES
from generator.level import Level
from generator.named_tuple import NamedTuple


class GridGroup(NamedTuple):
    """A group of IntGrid values. A rule's pattern can require any value of the group."""

    uid: int  # counted per layer
    name: str
    color: str

    @property
    def pattern(self) -> int:
        """The pattern value for "in this group". Negated, it means "not in it"."""
        return (self.uid + 1) * 1000


WALLS = GridGroup(1, "Walls", "#8B8FB8")
FLOORS = GridGroup(2, "Floors", "#A3785A")
PITS = GridGroup(3, "Pits", "#3E4463")
GROUPS = (WALLS, FLOORS, PITS)


class GridValue(NamedTuple):
    """A value of the IntGrid."""

    value: int
    name: str
    group: GridGroup
    color: str


# Void is 0, as everywhere in LDtk. A wall at a room's side may be an end: there is no stone beyond the room
# there, which rules could not detect. Stone is the part of a wall that rises or hangs into the void.
WALL, WEST_END, EAST_END, STONE, SECRET_DOOR, PIT, BRIDGE, HALLWAY, DOOR, RUBBLE, FLOOR = range(1, 12)


def _shade(color: str, step: int) -> str:
    """Return a colour that differs from those of its neighbours in a list."""
    parts = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    moved = [(part + step * prime) % 160 + 64 for part, prime in zip(parts, (37, 61, 83), strict=True)]
    return "#" + "".join(f"{part:02X}" for part in moved)


_DOOR_COLOR, _ENEMY_COLOR, _PICKED_COLOR = "#28503C", "#5A2828", "#285A5A"


def _colors(kinds: Iterable[str], color: str) -> dict[str, str]:
    return {kind: _shade(color, number) for number, kind in enumerate(kinds)}


def _room_colors(kinds: Kinds, rooms: Iterable[str]) -> dict[str, str]:
    return {kind: kinds.room(kind).color.upper() for kind in rooms}


USUAL_VALUES: tuple[GridValue, ...] = (
    GridValue(WALL, "wall", WALLS, "#8B8FB8"),
    GridValue(WEST_END, "wall_west_end", WALLS, "#7478A6"),
    GridValue(EAST_END, "wall_east_end", WALLS, "#A3A7CC"),
    GridValue(STONE, "stone", WALLS, "#565A80"),
    GridValue(SECRET_DOOR, "door_secret", WALLS, "#C65BD6"),
    GridValue(PIT, "pit", PITS, "#1B1D33"),
    GridValue(BRIDGE, "bridge", PITS, "#8A5A2B"),
    GridValue(HALLWAY, "hallway", FLOORS, "#6F665C"),
    GridValue(DOOR, "door", FLOORS, "#E0A83C"),
    GridValue(RUBBLE, "rubble", FLOORS, "#8F8578"),
    GridValue(FLOOR, "floor", FLOORS, "#A3785A"),
)

# The value of each terrain that all kits have; floors and secret doors have several.
_OF_TERRAIN = {
    "void": 0,
    "wall": WALL,
    "pit": PIT,
    "bridge": BRIDGE,
    "hallway": HALLWAY,
    "door": DOOR,
    "rubble": RUBBLE,
}
_USUAL_FLOORS = {
    SECRET_DOOR: "door",
    BRIDGE: "bridge",
    HALLWAY: "hallway",
    DOOR: "door",
    RUBBLE: "rubble",
    FLOOR: "default",
}
_MAX_VALUE = 255  # the limit of the arrays


class GridWords(NamedTuple):
    """The IntGrid of a kit: its values and their meaning.

    `of_room` is by room kind; rooms of other kinds have the plain floor. `of_terrain` is by terrain. `floors`
    is the theme's floor for each value.
    """

    values: tuple[GridValue, ...]
    of_room: Mapping[str, int]
    of_terrain: Mapping[str, int]
    floors: Mapping[int, str]


@lru_cache(maxsize=16)
def grid_words(kinds: Kinds) -> GridWords:
    """Build the IntGrid of a kit's levels. Shipped room kinds have the same values in all kits."""
    rooms = _room_colors(kinds, kinds.rooms)
    shipped = {kind: FLOOR + 1 + number for number, kind in enumerate(SHIPPED.rooms)}
    free = range(FLOOR + 1 + len(shipped), _MAX_VALUE + 1)
    terrains = dict(zip(own_terrain(kinds), free, strict=False))
    new_kinds = [kind for kind in rooms if kind not in shipped]
    own = dict(zip(new_kinds, free[len(terrains) :], strict=False))
    of_room = {kind: value for kind, value in (shipped | own).items() if kind in rooms}
    names = {grid_value.name for grid_value in USUAL_VALUES}
    values = [GridValue(value, f"floor_{kind}", FLOORS, rooms[kind]) for kind, value in of_room.items()]
    names |= {grid_value.name for grid_value in values}
    for number, (kind, value) in enumerate(terrains.items()):
        values.append(GridValue(value, identifier(kind, names), FLOORS, _shade("#505028", number)))
    floors = {value: floor_of_room(kinds, kind) for kind, value in of_room.items()}
    floors |= {value: kind for kind, value in terrains.items()}
    return GridWords((*USUAL_VALUES, *values), of_room, _OF_TERRAIN | terrains, _USUAL_FLOORS | floors)


OF_LOOK = "__"  # between a value's name and its look
_SPAN = 36  # from a value to the same one in the next look, unless a kit has more values


@lru_cache(maxsize=16)
def look_values(theme: Theme) -> tuple[int, ...]:
    """Return for each look on a theme's sheet how much greater its values are, 0 for the first.

    -1 for a look whose values would be too great: no rule draws it. A look has the same values in all levels.
    """
    greatest = max(value.value for value in grid_words(theme.kinds).values)
    span, order = max(_SPAN, greatest + 1), ("", *theme.looks)
    steps = (span * (1 + order.index(look.look)) for look in theme.below)
    return 0, *(step if step + greatest <= _MAX_VALUE else -1 for step in steps)


def drawn_looks(theme: Theme) -> Iterator[tuple[Theme, int]]:
    """Yield the looks on a theme's sheet that rules draw, each with how much greater its values are."""
    yield from (
        (look, step) for look, step in zip(theme.sheets, look_values(theme), strict=True) if step >= 0
    )


def values_of(theme: Theme) -> Iterator[GridValue]:
    """Yield the values of a theme's levels, those of each look after the other."""
    for look, step in drawn_looks(theme):
        for value, name, group, color in grid_words(theme.kinds).values:
            shade = _shade(color, step) if step else color
            shown = name if look is theme else f"{name}{OF_LOOK}{look.look or 'plain'}"
            yield GridValue(value + step, shown, group, shade)


@lru_cache(maxsize=16)
def first_look(theme: Theme) -> GridValues:
    """Return for each of 256 values the same one in the first look."""
    values = np.arange(256, dtype=np.uint8)
    for _, step in drawn_looks(theme):
        for own in grid_words(theme.kinds).values:
            values[own.value + step] = own.value
    return values


@lru_cache(maxsize=16)
def enums_of_kinds(
    kinds: Kinds,
    rooms: tuple[str, ...] = (),
    doors: tuple[str, ...] = (),
    enemies: tuple[str, ...] = (),
    found: FoundValues = (),
) -> Mapping[str, Mapping[str, str]]:
    """Return the values of each enum and their colours, in order: those of a kit, then those of a level."""
    return {
        "RoomKind": _room_colors(kinds, (*kinds.rooms, *rooms)),
        "DoorKind": _colors(dict.fromkeys((*kinds.doors, *doors)), _DOOR_COLOR),
        "Side": _colors((side.label for side in Side), "#3C2850"),
        "Terrain": _colors((kind.name for kind in kinds.terrain), "#505028"),
        "EnemyKind": _colors(dict.fromkeys((*kinds.enemies, *enemies)), _ENEMY_COLOR),
        "FireColor": FIRES,
        **{enum: _colors(values, _PICKED_COLOR) for enum, values in picked_values(kinds, found).items()},
    }


OF_MARKERS = (
    "EnemyKind",
    "FireColor",
    *PICKED,
)  # enums of properties: texts for levels whose values do not fit
FIRES = {"orange": "#FF7828", "red": "#E61E3C"}
FIRE_DECOR = {"orange": "fire", "red": "red_fire"}  # decor that looks like the fire


def enemy_names(level: Level) -> list[str]:
    """Return the names of a level's enemies, or none if one of them cannot be an enum value."""
    names = property_values(level, "enemy", "name")
    return [str(name) for name in names] if all(map(is_value, names)) else []


def enums_that_fit(level: Level) -> tuple[str, ...]:
    """Return the enums that can hold all names of a level's enemies, and all values of its other markers."""
    fires = [marker.properties for marker in level.markers if marker.kind == "fire"]
    fits = {
        "EnemyKind": bool(enemy_names(level)) or not property_values(level, "enemy", "name"),
        "FireColor": all(fire.get("color", "red") in FIRES for fire in fires),
    }
    fits |= {enum: has_usual_form(enum, level) for enum in PICKED}
    return tuple(name for name, holds in fits.items() if holds)


BACKGROUND = "#0D0B14"  # of levels and the world around them; fits a transparent void

_TYPES = {str: "String", int: "Int", float: "Float", bool: "Bool"}
_ENUMS = {("enemy", "name"): "EnemyKind", ("fire", "color"): "FireColor"}
_ENUMS |= {place: enum for enum, place in PICKED.items()}


def marker_fields(kind: str, kinds: Kinds) -> dict[str, str]:
    """Return the fields of a marker kind: those from the generator, and those that its kit declares."""
    row = kinds.markers.get(kind)
    declared = row.properties if row else {}
    given = {
        name: _ENUMS.get((kind, name)) or _TYPES[type(own.default)]
        for name, own in MARKER_PROPERTIES.get(kind, {}).items()
    }
    return {name: _TYPES[PROPERTY_FORMS[form]] for name, form in declared.items()} | given


# --- the rules of the auto-layer, which draw the theme's tiles when somebody paints terrain -----------
#
#     pattern of a rule (3 x 3, row by row)          2000: in the group Walls, -2000: not in it
#         -2000  2000  2000
#             0  2000  2000      a wall with walls to the north, north-east, east and south-east, but
#         -2000 -2000  2000      not to the west ...; 0 is ignored
#
# The first rule that matches a tile draws it (`breakOnMatch`). Cells outside the level count as
# `outOfBoundsValue`. (Matching as in LDtk 1.5.3.)

GridValues = npt.NDArray[np.uint8]
"""[y, x]: the IntGrid of one level."""

RuleKey = tuple[str, int, int]
"""The key of a rule: `("walls", mask, 0)`, `("floor", value, 1 if shaded)` ..."""

NOTHING = -1  # where no rule matches

_BITS = (blob.NW, blob.N, blob.NE, blob.W, 0, blob.E, blob.SW, blob.S, blob.SE)
_EAST = blob.NE | blob.E | blob.SE
_WEST = blob.NW | blob.W | blob.SW
_CORNERS = {blob.NE: blob.N | blob.E, blob.SE: blob.S | blob.E, blob.SW: blob.S | blob.W}
_CORNERS |= {blob.NW: blob.N | blob.W}


class Rule(NamedTuple):
    """One rule. `beyond` is the value that counts outside the level. `step` is that of its look's values.

    It draws a `row` of the theme's `variants`. With the rows of its look before it, that is its `key`.
    """

    group: str
    place: RuleKey
    pattern: tuple[int, ...]
    tiles: Variants
    beyond: int | None
    row: int
    key: int = 0
    step: int = 0


def rules_of(theme: Theme) -> tuple[Rule, ...]:
    """Return all rules in the order in which LDtk tries them, grouped. Those of the first look come last."""
    first = dict(zip(theme.sheets, first_keys(theme), strict=True))
    looks = list(drawn_looks(theme))
    return tuple(
        rule._replace(key=first[look] + rule.row)
        for look, step in (*looks[1:], looks[0])
        for rule in _rules_of_look(look, step, theme)
    )


def _rules_of_look(look: Theme, step: int, theme: Theme) -> Iterator[Rule]:
    tables, words = tables_of(theme), grid_words(theme.kinds)
    of_value = {words.of_room[kind]: row for kind, row in tables.rooms.items()}
    rows = {value: tables.floors[floor] for value, floor in words.floors.items()} | of_value
    rules = (
        *_floors(look, "Secret doors", {SECRET_DOOR: tables.secret}, STONE),
        *_blobs(look, "West ends of walls", "west_ends", WEST_END, WALLS, _WEST),
        *_blobs(look, "East ends of walls", "east_ends", EAST_END, WALLS, _EAST),
        *_blobs(look, "Walls", "walls", WALL, WALLS, 0),
        *_blobs(look, "Stone", "stone", STONE, WALLS, 0),
        *_blobs(look, "Pits", "pits", PIT, PITS, 0),
        *_floors(look, "Floors", {value: row for value, row in rows.items() if value != SECRET_DOOR}, 0),
    )
    for rule in rules:
        middle = len(rule.pattern) // 2
        pattern = (*rule.pattern[:middle], rule.pattern[middle] + step, *rule.pattern[middle + 1 :])
        group = f"{rule.group}: {look.look or 'plain'}"
        yield rule._replace(group=group, pattern=pattern, step=step) if step else rule


def _blobs(theme: Theme, group: str, name: str, centre: int, like: GridGroup, ignored: int) -> Iterator[Rule]:
    """Yield one rule per mask. The neighbours in the mask `ignored` do not matter."""
    by_mask, beyond = (theme.pits, 0) if name == "pits" else (theme.walls, STONE)
    first_row: int = getattr(tables_of(theme), name)
    for row, mask in enumerate(blob.MASKS, first_row):
        if mask & ignored:
            continue
        pattern = [0] * 9
        for i, bit in enumerate(_BITS):
            sides = _CORNERS.get(bit, 0)
            if bit and not bit & ignored and mask & sides == sides:
                pattern[i] = like.pattern if mask & bit else -like.pattern
        pattern[4] = centre
        yield Rule(group, (name, mask, 0), tuple(pattern), by_mask[mask], beyond, row)


def _floors(theme: Theme, group: str, rows: Mapping[int, int], beyond: int) -> Iterator[Rule]:
    """Yield for each value, with its row, the floor shaded by a wall to the north, then the plain floor."""
    names = grid_words(theme.kinds).floors
    for value, row in rows.items():
        floor = theme.floors[names[value]]
        pattern = (0, WALLS.pattern, 0, 0, value, 0, 0, 0, 0)
        yield Rule(group, ("floor", value, 1), pattern, floor.shaded, beyond, row + 1)
        yield Rule(group, ("floor", value, 0), (value,), floor.plain, None, row)


class Drawing:
    """Finds the matching rules, for whole levels at once."""

    def __init__(self, theme: Theme) -> None:
        self.rules = rules = rules_of(theme)
        self._variants = tables_of(theme).terrain
        sheets = {step: number * theme.sheet_tiles for number, step in enumerate(look_values(theme))}
        columns = zip(*((rule.row, rule.key, sheets[rule.step]) for rule in rules), strict=True)
        self._rows, self._keys, self._sheets = map(np.array, columns)
        places = {(rule.step, *rule.place): number for number, rule in enumerate(rules)}
        values = np.arange(256)
        self._first = first_look(theme).astype(np.intp)
        by_value = list(zip(self._first.tolist(), (values - self._first).tolist(), strict=True))
        steps = {step: number for number, step in enumerate(sorted({step for _, step in by_value}))}
        self._look = np.array([steps[step] for _, step in by_value])
        self._by_mask = {
            name: np.array(
                [[places.get((step, name, mask, 0), NOTHING) for mask in blob.MASKS] for step in steps],
                np.int32,
            )
            for name in ("walls", "stone", "west_ends", "east_ends", "pits")
        }
        self._floors = np.array(
            [
                [places.get((step, "floor", own, shaded), NOTHING)]
                for shaded in (0, 1)
                for own, step in by_value
            ],
            np.int32,
        ).reshape(2, 256)
        self._walls, self._pits = (
            np.isin(self._first, [own.value for own in USUAL_VALUES if own.group == group])
            for group in (WALLS, PITS)
        )
        pairs = {(number, tile) for number, rule in enumerate(rules) for tile in rule.tiles.tiles}
        self._pairs = np.sort(np.array([number << 32 | tile for number, tile in pairs], np.int64))

    def is_wall(self, values: GridValues) -> npt.NDArray[np.bool_]:
        """Return where values are walls that could be ends, in any look."""
        result: npt.NDArray[np.bool_] = self._first[values] == WALL
        return result

    def drawn(self, values: GridValues) -> npt.NDArray[np.int32]:
        """Find the number of the rule that draws each tile, or NOTHING. `values` are [n, y, x] or [y, x]."""
        stone = _framed(self._walls[values], True)
        wall_masks = _masks(stone)
        numbers = self._floor_rules(values, stone)
        first, look = self._first[values], self._look[values]
        pit = first == PIT
        if pit.any():
            masks = _masks(_framed(self._pits[values], False))[pit]
            numbers[pit] = self._by_mask["pits"][look[pit], blob.PLACES[masks]]
        for value, name, ignored in (
            (WALL, "walls", 0),
            (STONE, "stone", 0),
            (WEST_END, "west_ends", _WEST),
            (EAST_END, "east_ends", _EAST),
        ):
            where = first == value
            places = blob.PLACES[wall_masks[where] & (255 - ignored)]
            numbers[where] = self._by_mask[name][look[where], places]
        return numbers

    def _floor_rules(self, values: GridValues, stone: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
        shaded = stone[..., :-2, 1:-1].copy()
        # All other rules treat the outside as empty.
        shaded[..., 0, :] = self._first[values[..., 0, :]] == SECRET_DOOR
        return self._floors[shaded.astype(np.intp), values]

    def holds(self, numbers: npt.NDArray[np.int32], tiles: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        """Return whether each rule of `numbers` can draw the tile of `tiles` at the same index."""
        wanted = numbers.astype(np.int64) << 32 | tiles
        places = np.searchsorted(self._pairs, wanted)
        result: npt.NDArray[np.bool_] = self._pairs[np.minimum(places, len(self._pairs) - 1)] == wanted
        return result

    def tiles(
        self, numbers: npt.NDArray[np.int32], seed: int, xs: npt.NDArray[np.intp], ys: npt.NDArray[np.intp]
    ) -> npt.NDArray[np.int32]:
        """Return the tile that each rule of `numbers` draws at a place of the level with this `seed_of`."""
        chosen = self._variants.choose(self._rows[numbers], dice(seed, self._keys[numbers], xs, ys))
        result: npt.NDArray[np.int32] = self._variants.tiles[chosen] + self._sheets[numbers]
        return result


drawing_of = lru_cache(maxsize=8)(Drawing)


def _framed(mask: npt.NDArray[np.bool_], beyond: bool) -> npt.NDArray[np.bool_]:
    """Extend a mask by one tile on each side with the value `beyond`."""
    *count, height, width = mask.shape
    framed = np.full((*count, height + 2, width + 2), beyond, np.bool_)
    framed[..., 1:-1, 1:-1] = mask
    return framed


def _masks(framed: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """Return the mask of each tile inside a frame."""
    return blob.masks_of(framed)[..., 1:-1, 1:-1]
