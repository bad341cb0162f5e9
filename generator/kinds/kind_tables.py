"""The tables of kinds in a kit: terrain and decor, doors, rooms, markers, and enemies.

A level carries the rows it uses (see `level.json`), so a reader never needs this module to understand a
file.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from generator.errors import KitError
from generator.kinds.columns import (
    ONE_IN,
    Column,
    RowTable,
    choice,
    colour,
    count,
    flag,
    glyph,
    many,
    name,
    number,
    numbers,
    one_or_list,
    pair,
    reads,
    table,
    text,
)
from generator.named_tuple import NamedTuple
from generator.node import Node

MAX_PRICE = 20  # keys of one kind that a door asks for
MAX_PRICED = 4  # kinds of keys that a kind of door asks for


class TerrainKind(NamedTuple):
    """The terrain of a tile, and what can pass it.

    `walk`, `fly` and `shoot` say whether a walking body, a flying body or shots can pass; `hazard` says
    whether it hurts to stand there.
    """

    name: str
    walk: bool
    fly: bool
    shoot: bool
    hazard: bool = False

    @property
    def safe(self) -> bool:
        """Whether bodies walk on it unharmed."""
        return self.walk and not self.hazard


class DecorKind(NamedTuple):
    """A thing on a tile: like `TerrainKind`, plus its size in tiles."""

    name: str
    walk: bool
    fly: bool
    shoot: bool
    hazard: bool = False
    width: int = 1
    height: int = 1

    @property
    def is_flat(self) -> bool:
        """Whether bodies and shots pass it unharmed, as they pass bones or grass."""
        return self.shoot and not self.is_in_the_way

    @property
    def is_in_the_way(self) -> bool:
        """Whether bodies cannot pass it, or not unharmed."""
        return not self.walk or self.hazard

    @property
    def safe(self) -> bool:
        """Whether bodies walk on it unharmed."""
        return not self.is_in_the_way


# The numbers of the terrains that every kit has: a kind's index in its table is its number in the arrays.
VOID, FLOOR, WALL, PIT, BRIDGE, HALLWAY, DOOR, RUBBLE = range(8)

MAX_SIDE = 16  # tiles of a thing
HUNG = ("torch", "banner", "chains", "vines")  # decor that the generator hangs on walls; the rest stands

_PASSES = {
    "walk": Column(flag, "walking bodies can pass"),
    "fly": Column(flag, "flying bodies can pass"),
    "shoot": Column(flag, "shots can pass"),
    "hazard": Column(flag, "it hurts to stand there", False),
    "glyph": Column(glyph, "its letter in layouts", ""),
}
TERRAIN = RowTable("terrain", "The terrain of a tile.", _PASSES)
DECOR = RowTable(
    "decor",
    "A thing on a tile.",
    {
        **_PASSES,
        "size": Column(numbers(2, 1, MAX_SIDE), "its size in tiles", (1, 1), form="`[width, height]`"),
    },
)


def terrain_kind_of(name: str, row: dict[str, Any]) -> TerrainKind:
    """Build the kind that a row defines."""
    return TerrainKind(name, row["walk"], row["fly"], row["shoot"], row.get("hazard", False))


def decor_kind_of(name: str, row: dict[str, Any]) -> DecorKind:
    """Build the kind that a row defines."""
    return DecorKind(*terrain_kind_of(name, row), *row.get("size", (1, 1)))


# --- doors: `[door.NAME]` ----------------------------------------------------------------------------


class DoorKind(NamedTuple):
    """A door's kind, whether it is shut (and drawn so) when the level starts, and whether it is secret then.

    A secret door starts shut, whatever its row says, is not visible, and no path that a level relies on leads
    through it.
    """

    name: str
    starts_shut: bool = False
    is_secret: bool = False
    icon: str = ""
    needs: tuple[str, ...] = ()  # a name for each key that it uses up


_costs = table(number(1, MAX_PRICE), MAX_PRICED)


@reads({**_costs.schema, "minProperties": 1}, "`{ coins = 5 }`")
def _price(node: Node) -> dict[str, int]:
    costs = _costs(node)
    if not costs:
        node.fail("names no key; give { coins = 5 }, or leave it out for doors that cost nothing")
    return costs


DOORS = RowTable(
    "door",
    "A kind of door.",
    {
        "starts_shut": Column(flag, "it is shut when the level starts", False),
        "secret": Column(
            flag, "it starts shut, is hidden until somebody finds it, and no path relies on it", False
        ),
        "icon": Column(text, "its sign on maps: a name or a letter; empty for none", ""),
        "needs": Column(
            _price,
            "what each door of the kind costs: keys that it uses up; so many of them lie in rooms before it",
            {},
        ),
    },
)


def door_kind_of(name: str, row: dict[str, object]) -> DoorKind:
    """Build the kind that a row defines."""
    secret, icon = bool(row.get("secret", False)), str(row.get("icon", ""))
    costs: Any = row.get("needs", {})
    needs = tuple(key for key, count in costs.items() for _ in range(count))
    return DoorKind(name, bool(row.get("starts_shut", False)) or bool(needs), secret, icon, needs)


# --- rooms: `[room.NAME]` ----------------------------------------------------------------------------
#
# A table in a row, such as `[room.garden.gungeon]`, is only for the style of this name; the style reads it.

MANY = 1 << 16  # more markers than any layout holds

Bounds = tuple[int, int]

# The remake's scale of difficulty (rebirth-wiki, step 12), which `Room.difficulty` uses for all styles.
DIFFICULTIES: dict[str, int] = {"easy": 1, "medium": 5, "hard": 10, "brutal": 15, "deadly": 20}


class RoomKind(NamedTuple):
    """A room kind. `ROOMS` gives the meaning of the keys.

    `door` is the kind of its doors on the first stage and later; None if the room on the other side decides.
    `markers` has the least and most number for each marker kind that has a rule. `becomes` is None if a
    reroll follows only the style. `styles` has a table for each style with settings of its own.
    """

    name: str
    glyph: str
    color: str = "#9aa4c4"
    icon: str = "dot"
    door: tuple[str, str] | None = None
    floor: str = "default"
    off_the_way: bool = False
    secret: bool = False
    markers: Mapping[str, Bounds] = MappingProxyType({})
    has_shapes: bool = False
    stays: str = ""
    becomes: frozenset[str] | None = None
    styles: Mapping[str, Mapping[str, Any]] = MappingProxyType({})

    def needs(self, marker: str) -> bool:
        """Whether a room of this kind must have a marker of a kind."""
        return self.markers.get(marker, (0, 0))[0] > 0


_door = one_or_list(name.into(lambda kind: (kind, kind)), pair(name))

ROOMS = RowTable(
    "room",
    "A kind of room.",
    {
        "glyph": Column(glyph, "its letter in `show --floorplan`, unique among room kinds"),
        "color": Column(colour, "its colour on maps and in editors", "#9aa4c4"),
        "icon": Column(
            text, "its sign on maps: a sign's name, an icon of the theme, or a letter; empty for none", "dot"
        ),
        "door": Column(
            _door,
            "its doors, on the first stage and later; without it the other room decides; for a secret "
            "room: `secret`",
            None,
            form="a door kind, or two",
            names="door",
        ),
        "floor": Column(text, "the theme's floor for it", "its own name"),
        "off_the_way": Column(flag, "it is a dead end: it has one door", False),
        "secret": Column(flag, "only secret or red doors lead to it", False),
        "markers": Column(
            table(count),
            'how many markers its layouts have: `"1"`, `"0..1"`, `"1.."`',
            {},
            form='`{ item = "1.." }`',
            names="marker",
        ),
        "has_shapes": Column(flag, "its layouts can have other shapes than `1x1`", False),
        "stays": Column(text, "why a re-roll cannot change its kind", ""),
        "becomes": Column(
            many(name),
            "the only kinds that a re-roll can change it to",
            None,
            form="a list of room kinds",
            names="room",
        ),
    },
)


def room_kind_of(
    kind: str, row: Mapping[str, Any], styles: Mapping[str, Any], rare_markers: tuple[str, ...]
) -> RoomKind:
    """Build the kind that a row defines. `styles` are the tables in it.

    `rare_markers` appear only in rooms whose rows name them.
    """
    rules = dict.fromkeys(rare_markers, "0") | row.get("markers", {})
    values = {**row, "markers": {marker: bounds(rule) for marker, rule in rules.items()}}
    if "becomes" in values:
        values["becomes"] = frozenset(values["becomes"])
    return RoomKind(**{"name": kind, "floor": kind, **values, "styles": styles})


def bounds(rule: str) -> Bounds:
    """Parse a count: `"2"` is exactly two, `"0..1"` none or one, `"1.."` one or more."""
    least, dots, most = rule.partition("..")
    return int(least), int(most) if most else MANY if dots else int(least)


# --- markers: `[marker.NAME]` ------------------------------------------------------------------------

PropertyForms = Mapping[str, str]
PROPERTY_FORMS: Mapping[str, type] = {"text": str, "number": int, "truth": bool}


class MarkerKind(NamedTuple):
    """A marker kind.

    `is_light` is true for things that hang on a wall or burn: they need not be reachable, and their decor
    shows them. `stands_on` are the terrains that it can be on; empty: all that can be walked on.
    `properties` has the form of each property that its rows declare.
    """

    name: str
    is_light: bool = False
    stands_on: tuple[str, ...] = ()
    properties: PropertyForms = MappingProxyType({})
    color: str = ""


_number = number(-(1 << 31), 1 << 31)


@reads({"anyOf": [flag.schema, _number.schema, text.schema]})
def a_property(node: Node) -> bool | int | str:
    """Read the value of a marker's property."""
    if isinstance(node.value, bool):
        return node.value
    return text(node) if isinstance(node.value, str) else _number(node)


MARKERS = RowTable(
    "marker",
    "A named point where a game puts something.",
    {
        "glyph": Column(glyph, "its letter in layouts", ""),
        "glyphs": Column(
            table(table(a_property, 20), 50, glyph),
            "letters in layouts, each of which also sets its properties",
            {},
            form='`{ E = { role = "walker" } }`',
        ),
        "light": Column(flag, "it hangs on a wall or burns, so it need not be reachable", False),
        "stands_on": Column(
            many(name), "the terrain that it can be on", (), form="a list of terrains", names="terrain"
        ),
        "properties": Column(
            table(choice(*PROPERTY_FORMS)),
            f"its other properties: {', '.join(PROPERTY_FORMS)}",
            {},
            form='`{ opens = "text" }`',
        ),
        "color": Column(colour, "its colour in editors", ""),
    },
)


def marker_kind_of(kind: str, row: dict[str, Any]) -> MarkerKind:
    """Build the kind that a row defines."""
    properties = MappingProxyType(dict(row.get("properties", {})))
    color = row.get("color", "")
    return MarkerKind(kind, row.get("light", False), row.get("stands_on", ()), properties, color)


# --- enemies, the roster: `[enemy.NAME]` -------------------------------------------------------------
#
# A theme's icon for a kind is `[marker.enemy_NAME]`; otherwise its role's icon, or that of all enemies.

ROLES: tuple[str, ...] = ("walker", "shooter", "flyer", "brute", "turret")
AFAR = frozenset({"shooter", "turret"})  # the roles that need not come near

HABITS: dict[str, str] = {
    "bursts": "leaves a ring of shots when it dies",
    "charges": "runs straight at the player when there is a clear line",
    "flies": "crosses pits and obstacles",
    "hides": "vanishes now and then and cannot be hit meanwhile",
    "leaps": "jumps towards the player",
    "shoots": "shoots at the player",
    "splits": "splits into two other enemies when it dies",
    "sprays": "shoots in all directions",
    "stays": "never leaves its place",
    "summons": "calls other enemies",
    "wanders": "walks about at random",
}
"""The habits of enemies, and their meaning."""

MAX_COST = 12
MAX_CHAPTER = 6


class EnemyKind(NamedTuple):
    """A row of the roster. `ENEMIES` gives the meaning of the keys."""

    name: str
    role: str
    cost: int
    chapter: int = 1
    habits: tuple[str, ...] = ()
    makes: str = ""
    chapters: tuple[str, ...] = ()
    one_in: int = 1

    def is_met_in(self, chapter: int, name: str) -> bool:
        """Return whether it appears in the chapter with this number, 1 to 6, and name."""
        return self.chapter <= chapter and (not self.chapters or name in self.chapters)

    @property
    def flies(self) -> bool:
        """Whether it crosses pits."""
        return "flies" in self.habits

    @property
    def hits_from_afar(self) -> bool:
        """Whether it can hit anything in a clear line."""
        return self.role in AFAR or not {"shoots", "sprays"}.isdisjoint(self.habits)


ENEMIES = RowTable(
    "enemy",
    "A kind of enemy.",
    {
        "role": Column(
            choice(*ROLES), "which places in layouts it can take: " + ", ".join(ROLES), form="a role"
        ),
        "cost": Column(number(1, MAX_COST), "how much of a room's budget it takes, also as a champion"),
        "chapter": Column(number(1, MAX_CHAPTER), "the first chapter in which it appears", 1),
        "chapters": Column(
            many(name),
            "the only chapters in which it appears",
            (),
            form="a list of chapters",
            names="chapter",
        ),
        "habits": Column(
            many(choice(*HABITS)), "what it does beyond walking up to the player", (), form="a list of habits"
        ),
        "flies": Column(flag, "the same as the habit `flies`", False),
        "makes": Column(
            name, "the kind that it splits into or summons", "", form="an enemy kind", names="enemy"
        ),
        "one_in": ONE_IN,
    },
)


def enemy_kind_of(kind: str, row: dict[str, Any], where: str) -> EnemyKind:
    """Build the kind that a row defines. Raises KitError for a role that cannot be used with its habits."""
    flies = row.pop("flies", False) and "flies" not in row.get("habits", ())
    enemy = EnemyKind(kind, **row)
    if flies:
        enemy = enemy._replace(habits=(*enemy.habits, "flies"))
    label = f"{where}: enemy.{kind}"
    if enemy.flies != (enemy.role == "flyer"):
        raise KitError(
            f'{label}.habits: only flyers fly; give role = "flyer" and the habit flies, or neither'
        )
    if ("stays" in enemy.habits) != (enemy.role == "turret"):
        raise KitError(
            f'{label}.habits: only turrets stay; give role = "turret" and the habit stays, or neither'
        )
    if bool(enemy.makes) == {"splits", "summons"}.isdisjoint(enemy.habits):
        raise KitError(f"{label}.makes: belongs to the habits splits and summons; give both or neither")
    return enemy


KIND_TABLES: tuple[RowTable, ...] = (ROOMS, DOORS, TERRAIN, DECOR, MARKERS, ENEMIES)
