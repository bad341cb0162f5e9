"""The definitions of an LDtk project with their uids, before they are written.

This module knows nothing about JSON; `write_definitions` writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from exporters.formats.ldtk import kinds
from exporters.formats.ldtk.kinds import Rule
from exporters.formats.ldtk.picked import PICKED, FoundValues, found_values
from exporters.formats.ldtk.syntax import Uids, identifier
from exporters.objects import marker_colors
from exporters.theme import EMPTY, Theme
from exporters.variants import count_keys
from generator.kinds import Kinds
from generator.level import Level, Marker, Property
from generator.links import EXIT
from generator.named_tuple import NamedTuple

FieldValue = Property | None | tuple[str, ...]

DOOR, ROOM = "the door", "a room"  # keys of entities other than markers; kinds contain no space


class EnumDef(NamedTuple):
    """An enum: its values and their colours, and the icons (atlas indexes) of some values."""

    uid: int
    name: str
    values: Mapping[str, str]
    icons: Mapping[str, int] = {}


class FieldDef(NamedTuple):
    """A field of a level or an entity. `type` is Int, Float, Bool, String, EntityRef, or an enum's name.

    An `array` has several values; references in it lead to entities with a tag.
    """

    uid: int
    name: str
    type: str
    enum: EnumDef | None = None
    colors: bool = False  # whether the entity takes the colour of the enum's value
    null: bool = True
    doc: str | None = None
    array: bool = False
    shows: bool = False  # whether the entity shows the icon of the enum's value
    leads_to: str = ""  # the tag of allowed targets of a reference; empty: the same kind of entity


class EntityDef(NamedTuple):
    """A kind of entity."""

    uid: int
    name: str
    fields: tuple[FieldDef, ...]
    color: str
    icon: int | None  # atlas index
    sized: bool  # whether each instance has its own size
    tags: tuple[str, ...]
    doc: str


class LayerDef(NamedTuple):
    """A layer. `offset_tiles` moves its contents down."""

    uid: int
    name: str
    type: str  # Entities, Tiles or IntGrid
    offset_tiles: int
    doc: str


class RuleGroup(NamedTuple):
    """A named group of rules, each with its uid."""

    uid: int
    name: str
    rules: tuple[tuple[int, Rule], ...]


class RoomWords(NamedTuple):
    """The fields and entities of a project to draw rooms in, instead of a finished level.

    `fields` are names and types of level fields, `values` their values by level, `names` the levels' names.
    `markers` are additional kinds of entities, each with the names and types of its fields.
    """

    fields: tuple[tuple[str, str], ...]
    values: Sequence[Mapping[str, FieldValue]]
    names: Sequence[str]
    markers: Mapping[str, Mapping[str, str]]


class Definitions(NamedTuple):
    """All definitions that levels refer to."""

    layers: Mapping[str, LayerDef]  # by name, topmost first
    groups: tuple[RuleGroup, ...]
    entities: Mapping[str, EntityDef]  # by marker kind, or `DOOR` and `ROOM`
    tileset: int  # uid
    enums: Mapping[str, EnumDef]
    level_fields: tuple[FieldDef, ...]
    properties: Mapping[str, Mapping[str, FieldDef]]  # by marker kind and property
    first_rule: int  # the uid of a rule with the key 0
    next_uid: int  # the first free one, for levels

    @property
    def rule_uids(self) -> list[int]:
        """The uids of the rules, by rule number."""
        return [uid for group in self.groups for uid, _ in group.rules]


# --- first pass: collect them, each with its uid -----------------------------------------------------
#
# Definitions common to all projects are numbered first, so that they have the same uids in all projects of
# a theme.

OTHERS = "properties"  # the field for properties without their own field
_MAX_FIELDS = 32  # per marker kind: each entity has all of them
_MAX_INT = (1 << 31) - 1  # the limit of LDtk's numbers
_MAX_FLOAT = _MAX_INT // 1000  # LDtk rounds to thousandths, using an int
MARKERS_OWN = ("id", "room", "hallway")

_LAYERS = (
    ("Entities", "Entities", 0, "doors and markers, and rooms if the level holds several"),
    ("Overlay", "Tiles", 0, "tiles drawn over the player and enemies"),
    ("Decor", "Tiles", 0, "decor, y-sorted with the player and enemies"),
    ("Doors", "Tiles", 0, "doors, open or shut as they are when the level starts"),
    ("Stone_above", "Tiles", -1, "tops of walls, above the level's upper edge"),
    ("Stone_below", "Tiles", 1, "outer faces of walls, below the level's lower edge"),
    ("Terrain_fixed", "Tiles", 0, "tiles that replace what the rules of Terrain would draw"),
    ("Terrain", "IntGrid", 0, "paint here; rules draw the tiles"),
)

_LEVEL_FIELDS = (
    ("kind", "RoomKind"),
    ("room", "Int"),
    ("shape", "String"),
    ("distance", "Int"),
    ("depth", "Int"),
    ("difficulty", "Int"),
    ("layout", "String"),
    ("zone", "String"),
    ("style", "String"),
    ("seed", "String"),
    ("fingerprint", "String"),
)
_ROOM_FIELDS = _LEVEL_FIELDS[:8]
_NAME = (("name", "String"),)  # of rooms, in the projects of levels in which a room has a name
_DOOR_FIELDS = (
    ("kind", "DoorKind"),
    ("id", "Int"),
    ("side", "Side"),
    ("to", "EntityRef"),
    ("room", "Int"),
    ("hallway", "Int"),
    ("needs", "Array<String>"),
    ("keys", "Array<EntityRef>"),
    ("one_way", "Bool"),
    ("opens_from", "Int"),
    ("starts_shut", "Bool"),
    ("secret", "Bool"),
)
_JOINS = (("joins", "String"),)  # of doors, in the projects of levels in which a door has a class
LEADS_TO = "leads_to"  # the field of exits, in the project of a run
_LEADS_TO = {"keys": "marker", LEADS_TO: "marker"}
_DOCS = {
    "distance": "how many rooms away the start is; null if only secret or red doors lead here",
    "depth": "depth in the tree that grew the floorplan",
    "difficulty": "1 easy, 5 medium, 10 hard, 0 none",
    "to": "the door at the other end",
    "needs": "the names of the keys that open it; each Key has its name in the field opens",
    "keys": "the Key entities that open it",
    "one_way": "one-way: it shuts behind a player who comes in here",
    "opens_from": "a shortcut: the only room from which it can be opened the first time",
    "joins": "the class of the exits that its connection joins",
    LEADS_TO: "where the player starts on the next level of the run",
    "starts_shut": "whether it is shut when the level starts",
    "secret": "whether it is hidden until somebody finds it; no path relies on it",
    "zone": "rooms of the same zone share their looks and enemies",
    "seed": "as text, because numbers in JSON can lose digits",
    OTHERS: "properties without a field of their own, as NAME=VALUE",
}


class LevelWords(NamedTuple):
    """Everything in the definitions that depends on the level. Most levels of a kit share it.

    Its kinds; rooms, doors and enemies that are not among these; the enums that can hold the values of its
    markers; by marker kind, the type of each property whose field does not follow from the kind; whether a
    room has a name, and whether a door has a class; whether its exit leads to a level of the same project;
    values of markers that are not usual.
    """

    kinds: Kinds
    rooms: tuple[str, ...]
    doors: tuple[str, ...]
    enemies: tuple[str, ...]
    fitting: tuple[str, ...]
    markers: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    has_names: bool = False
    has_classes: bool = False
    is_run: bool = False
    found: FoundValues = ()


def words_of(*levels: Level) -> LevelWords:
    """Collect the part of the definitions that depends on the level, or on the levels of a run."""
    known, enemies = levels[0].kinds, [name for level in levels for name in kinds.enemy_names(level)]
    rooms = [room for level in levels for room in level.rooms]
    doors = [door for level in levels for door in level.doors]
    fitting = [kinds.enums_that_fit(level) for level in levels]
    markers = []
    for kind, types in _properties(marker for level in levels for marker in level.markers).items():
        usual = kinds.marker_fields(kind, known)
        extra = tuple((name, type_) for name, type_ in types.items() if not _fits(type_, usual.get(name)))
        if extra or kind not in known.markers:
            markers.append((kind, extra))
    return LevelWords(
        known,
        tuple(dict.fromkeys(room.kind for room in rooms if room.kind not in known.rooms)),
        tuple(dict.fromkeys(door.kind for door in doors if door.kind not in known.doors)),
        tuple(dict.fromkeys(name for name in enemies if name not in known.enemies)),
        tuple(name for name in fitting[0] if all(name in names for names in fitting)),
        tuple(markers),
        any(room.name for room in rooms),
        any(door.joins for door in doors),
        len(levels) > 1,
        found_values(levels),
    )


def _fits(type_: str, usual: str | None) -> bool:
    """Return whether a field of the usual type can hold values of a type."""
    usual = "String" if usual in kinds.OF_MARKERS else usual
    return usual is not None and _wider(usual, type_) == usual


def definitions(
    level: LevelWords, theme: Theme, rules: Iterable[Rule], words: RoomWords | None = None
) -> Definitions:
    """Collect all definitions of a level's project, or of a project to draw rooms in."""
    uids = Uids()
    layers = {row[0]: LayerDef(uids.take(), *row) for row in _LAYERS}
    tileset = uids.take()
    enums = {
        name: EnumDef(uids.take(), name, values, _icons(name, values, theme))
        for name, values in kinds.enums_of_kinds(
            level.kinds, level.rooms, level.doors, level.enemies, level.found
        ).items()
    }
    of_names = _NAME if level.has_names else ()
    level_fields = _fields(uids, words.fields if words else (*_LEVEL_FIELDS, *of_names), enums)
    entities = {
        DOOR: EntityDef(
            uids.take(),
            "Door",
            _fields(uids, (*_DOOR_FIELDS, *(_JOINS if level.has_classes else ())), enums),
            "#E0A83C",
            None,
            True,
            ("door",),
            "one side of a door",
        ),
        ROOM: EntityDef(
            uids.take(),
            "Room",
            _fields(uids, (*_ROOM_FIELDS, *of_names), enums),
            "#6F8FAF",
            None,
            True,
            ("room",),
            "a room of a level that holds several",
        ),
    }
    properties: dict[str, dict[str, FieldDef]] = {}
    named = {name: enums[name] for name in level.fitting}
    always = {kind: _marker_fields(uids, kind, named, level.kinds) for kind in level.kinds.markers}
    marker_uids = {kind: uids.take() for kind in level.kinds.markers}
    first_rule = uids.take(count_keys(theme))
    groups = _groups(uids, first_rule, rules)
    property_types = {
        **(words.markers if words else {}),
        **{kind: dict(types) for kind, types in level.markers},
    }
    names = {entity.name for entity in entities.values()}
    extra_kinds = (*(words.markers if words else ()), *(kind for kind, _ in level.markers))
    for kind, color in marker_colors(
        dict.fromkeys((*level.kinds.markers, *extra_kinds)), level.kinds
    ).items():
        own, known = always[kind] if kind in always else _marker_fields(uids, kind, named, level.kinds)
        uid = marker_uids[kind] if kind in marker_uids else uids.take()
        properties[kind] = _with_found(uids, known, property_types.get(kind, {}))
        fields = (*own, *{field.uid: field for field in properties[kind].values()}.values())
        doc = f"a marker of kind {kind}"
        name = identifier("".join(word.title() for word in kind.split("_")), names)
        icon = theme.icons.get(kind)
        entities[kind] = EntityDef(uid, name, fields, color, icon, False, ("marker",), doc)
    exit_ = entities.get(EXIT)
    if level.is_run and exit_ and LEADS_TO not in [field.name for field in exit_.fields]:
        (field,) = _fields(uids, [(LEADS_TO, "EntityRef")], enums)
        entities[EXIT] = exit_._replace(fields=(*exit_.fields, field))
    return Definitions(
        layers, groups, entities, tileset, enums, level_fields, properties, first_rule, uids.next
    )


def _groups(uids: Uids, first_rule: int, rules: Iterable[Rule]) -> tuple[RuleGroup, ...]:
    """Number the rules by their keys, and the groups, those of the first look first."""
    by_group = {name: list(group) for name, group in groupby(rules, lambda rule: rule.group)}
    numbered = {
        name: RuleGroup(uids.take(), name, tuple((first_rule + rule.key, rule) for rule in by_group[name]))
        for name in sorted(by_group, key=lambda name: by_group[name][0].step > 0)
    }
    return tuple(numbered[name] for name in by_group)


def _fields(
    uids: Uids, rows: Iterable[tuple[str, str]], enums: Mapping[str, EnumDef]
) -> tuple[FieldDef, ...]:
    return tuple(
        FieldDef(
            uids.take(),
            name,
            type_.removeprefix("Array<").removesuffix(">"),
            enums.get(type_),
            name == "kind",
            doc=_DOCS.get(name),
            array=type_.startswith("Array<"),
            leads_to=_LEADS_TO.get(name, ""),
        )
        for name, type_ in rows
    )


def _icons(enum: str, values: Iterable[str], theme: Theme) -> dict[str, int]:
    """Return each value's icon, if any: for fires the burning decor, for enemies also their role's.

    Other values have the icon of their marker, if any of them has an icon of its own.
    """
    icons = {}
    values = list(values)
    kind, _ = PICKED.get(enum, ("", ""))
    if kind and not any(f"{kind}_{name}" in theme.icons for name in values):
        return {}
    for name in values if enum in kinds.OF_MARKERS else ():
        if kind:
            icon: int | None = theme.icons.get(f"{kind}_{name}", theme.icons.get(kind))
        elif enum == "FireColor":
            look = theme.decor.get(kinds.FIRE_DECOR[name])
            icon = look.variants.tiles[0] if look else None
        else:
            role = theme.kinds.enemies[name].role if name in theme.kinds.enemies else ""
            keys = (f"enemy_{name}", f"enemy_{role}", "enemy")
            icon = next((theme.icons[key] for key in keys if key in theme.icons), None)
        if icon is not None and icon != EMPTY:
            icons[name] = icon
    return icons


def _marker_fields(
    uids: Uids, kind: str, enums: Mapping[str, EnumDef], of_kit: Kinds
) -> tuple[tuple[FieldDef, ...], dict[str, FieldDef]]:
    """Return the fields of every marker of a kind, and those of its usual properties."""
    own = tuple(FieldDef(uids.take(), name, "Int") for name in MARKERS_OWN)
    usual = kinds.marker_fields(kind, of_kit)
    taken = {*MARKERS_OWN, OTHERS}
    return own, {
        name: FieldDef(
            uids.take(),
            identifier(name, taken),
            "String" if type_ in kinds.OF_MARKERS else type_,
            enums.get(type_),
            colors=type_ == "FireColor" and type_ in enums,
            shows=type_ in kinds.OF_MARKERS and type_ in enums and bool(enums[type_].icons),
        )
        for name, type_ in usual.items()
    }


def _properties(markers: Iterable[Marker]) -> dict[str, dict[str, str]]:
    """Find by marker kind and property a type for all of the property's values."""
    by_kind: dict[str, dict[str, str]] = {}
    for marker in markers:
        types = by_kind.setdefault(marker.kind, {})
        for name, value in marker.properties.items():
            own, before = _type(value), types.get(name)
            if own != before:
                types[name] = own if before is None else _wider(before, own)
    return by_kind


def _type(value: Property) -> str:
    """Return the field type for a value: `Long` for an integer that is too large for a Float."""
    if isinstance(value, str):
        return "String"
    if isinstance(value, bool):
        return "Bool"
    if isinstance(value, (int, float)) and abs(value) < _MAX_FLOAT:
        return "Int" if isinstance(value, int) else "Float"
    if isinstance(value, int) and abs(value) <= _MAX_INT:
        return "Long"
    return "String"


def _wider(first: str, second: str) -> str:
    """Return a type that can hold values of two types."""
    if first == second:
        return first
    return {frozenset(("Int", "Float")): "Float", frozenset(("Int", "Long")): "Long"}.get(
        frozenset((first, second)), "String"
    )


def _short(type_: str) -> str:
    return "Int" if type_ == "Long" else type_


def _with_found(uids: Uids, usual: Mapping[str, FieldDef], types: Mapping[str, str]) -> dict[str, FieldDef]:
    """Return the fields of a kind's properties: the usual ones, with types that fit, then any others."""
    fields = {
        name: field._replace(type=_short(_wider(field.type, types.get(name, field.type))))
        for name, field in usual.items()
    }
    taken = {*MARKERS_OWN, OTHERS, *(field.name for field in fields.values())}
    further: Iterator[str] = (name for name in types if name not in fields)
    for name in list(further)[: _MAX_FIELDS - len(fields)]:
        fields[name] = FieldDef(uids.take(), identifier(name, taken), _short(types[name]))
    if len(fields) < len({*fields, *types}):
        rest = FieldDef(uids.take(), OTHERS, "String", doc=_DOCS[OTHERS])
        fields.update((name, rest) for name in types if name not in fields)
    return fields
