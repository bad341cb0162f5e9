"""First pass: what definitions a project has, each with its uid.

What every project has is numbered first, so that it has the same uid in all projects of a theme.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from exporters.ldtk import kinds
from exporters.ldtk.ids import Uids, identifier
from exporters.ldtk.model import Definitions, Entity, Enum, Field, LayerDef, RuleGroup
from exporters.ldtk.rules import Rule
from exporters.theme import Theme
from generator.kinds import MARKER_KINDS
from generator.level import Level, Marker, Property

OTHERS = "properties"  # the field of what has no field of its own
_MOST_FIELDS = 32  # of one kind of marker: each of its entities has them all
_MOST_INT = (1 << 31) - 1  # LDtk's numbers
_MOST_FLOAT = _MOST_INT // 1000  # LDtk rounds to thousandths, in an int
_MARKERS_OWN = ("id", "room", "hallway")

_LAYERS = (
    ("Entities", "Entities", 0, "doors, markers, and rooms where a level holds several"),
    ("Overlay", "Tiles", 0, "what is drawn over bodies"),
    ("Decor", "Tiles", 0, "things; bodies sort with them by y"),
    ("Doors", "Tiles", 0, "doors as they are when the level starts"),
    ("Stone_above", "Tiles", -1, "tops of walls that rise over the level's edge"),
    ("Stone_below", "Tiles", 1, "outer faces of walls under the level's edge"),
    ("Terrain_fixed", "Tiles", 0, "tiles that the rules of Terrain cannot know; puts them aside"),
    ("Terrain", "IntGrid", 0, "paint here; the tiles follow"),
)

_LEVEL_FIELDS = (
    ("kind", "RoomKind"),
    ("room", "Int"),
    ("shape", "String"),
    ("distance", "Int"),
    ("depth", "Int"),
    ("difficulty", "Int"),
    ("layout", "String"),
    ("style", "String"),
    ("seed", "String"),
    ("fingerprint", "String"),
)
_ROOM_FIELDS = _LEVEL_FIELDS[:7]
_DOOR_FIELDS = (
    ("kind", "DoorKind"),
    ("id", "Int"),
    ("side", "Side"),
    ("to", "EntityRef"),
    ("room", "Int"),
    ("hallway", "Int"),
)
_DOCS = {
    "distance": "rooms walked from the start; null where only secret doors lead",
    "depth": "in the tree that grew the floorplan",
    "difficulty": "1 easy, 5 medium, 10 hard, 0 none",
    "to": "the door at the other end",
    "seed": "as text: numbers of JSON lose digits",
    OTHERS: "what has no field of its own, as NAME=VALUE",
}


def definitions(level: Level, theme: Theme, rules: Iterable[Rule]) -> Definitions:
    """All definitions of a level's project."""
    uids = Uids()
    layers = {row[0]: LayerDef(uids.take(), *row) for row in _LAYERS}
    tileset = uids.take()
    enums = {name: Enum(uids.take(), name, values) for name, values in kinds.ENUMS.items()}
    level_fields = _fields(uids, _LEVEL_FIELDS, enums)
    entities = {
        "door": Entity(
            uids.take(),
            "Door",
            _fields(uids, _DOOR_FIELDS, enums),
            "#E0A83C",
            None,
            True,
            ("door",),
            "one side of a door",
        ),
        "room": Entity(
            uids.take(),
            "Room",
            _fields(uids, _ROOM_FIELDS, enums),
            "#6F8FAF",
            None,
            True,
            ("room",),
            "where one level holds several rooms",
        ),
    }
    properties: dict[str, dict[str, Field]] = {}
    always = {kind: _marker_fields(uids, kind) for kind in MARKER_KINDS}
    marker_uids = {kind: uids.take() for kind in MARKER_KINDS}
    groups = tuple(
        RuleGroup(uids.take(), name, tuple((uids.take(), rule) for rule in some))
        for name, some in groupby(rules, lambda rule: rule.group)
    )
    found = _properties(level.markers)
    for kind in MARKER_KINDS:
        own, known = always[kind]
        properties[kind] = _with_found(uids, known, found.get(kind, {}))
        fields = (*own, *dict.fromkeys(properties[kind].values()))
        doc = f"a marker of kind {kind}"
        name = "".join(word.title() for word in kind.split("_"))
        color = kinds.MARKER_COLORS[kind]
        icon = theme.icons.get(kind)
        entities[kind] = Entity(marker_uids[kind], name, fields, color, icon, False, ("marker",), doc)
    return Definitions(layers, groups, entities, tileset, enums, level_fields, properties, uids.next)


def _fields(uids: Uids, rows: Iterable[tuple[str, str]], enums: Mapping[str, Enum]) -> tuple[Field, ...]:
    return tuple(
        Field(uids.take(), name, type_, enums.get(type_), name == "kind", doc=_DOCS.get(name))
        for name, type_ in rows
    )


def _marker_fields(uids: Uids, kind: str) -> tuple[tuple[Field, ...], dict[str, Field]]:
    """The fields that every marker of a kind has, and those of its usual properties."""
    own = tuple(Field(uids.take(), name, "Int") for name in _MARKERS_OWN)
    usual = kinds.MARKER_FIELDS.get(kind, {})
    return own, {name: Field(uids.take(), name, type_) for name, type_ in usual.items()}


def _properties(markers: Iterable[Marker]) -> dict[str, dict[str, str]]:
    """By kind of marker, and by property: the one type that all its values have."""
    found: dict[str, dict[str, str]] = {}
    for marker in markers:
        types = found.setdefault(marker.kind, {})
        for name, value in marker.properties.items():
            old = types.get(name)
            types[name] = _type(value) if old is None else _wider(old, _type(value))
    return found


def _type(value: Property) -> str:
    """The field type that holds a value as it is; `Long` for an Int that is none for a Float."""
    if isinstance(value, bool):
        return "Bool"
    if isinstance(value, (int, float)) and abs(value) < _MOST_FLOAT:
        return "Int" if isinstance(value, int) else "Float"
    if isinstance(value, int) and abs(value) <= _MOST_INT:
        return "Long"
    return "String"


def _wider(one: str, other: str) -> str:
    """A type for values of two types."""
    if one == other:
        return one
    return {frozenset(("Int", "Float")): "Float", frozenset(("Int", "Long")): "Long"}.get(
        frozenset((one, other)), "String"
    )


def _short(type_: str) -> str:
    return "Int" if type_ == "Long" else type_


def _with_found(uids: Uids, usual: Mapping[str, Field], found: Mapping[str, str]) -> dict[str, Field]:
    """The field of each property of a kind: the usual ones, with a type that fits, then those found."""
    fields = {
        name: field._replace(type=_short(_wider(field.type, found.get(name, field.type))))
        for name, field in usual.items()
    }
    taken = {*_MARKERS_OWN, OTHERS, *fields}
    others: Iterator[str] = (name for name in found if name not in fields)
    for name in list(others)[: _MOST_FIELDS - len(fields)]:
        fields[name] = Field(uids.take(), identifier(name, taken), _short(found[name]))
    if len(fields) < len({*fields, *found}):
        rest = Field(uids.take(), OTHERS, "String", doc=_DOCS[OTHERS])
        fields.update((name, rest) for name in found if name not in fields)
    return fields
