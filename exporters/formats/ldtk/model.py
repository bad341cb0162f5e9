"""The definitions of an LDtk project with their uids, before they are written.

This module knows nothing about JSON; `defs` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from exporters.formats.ldtk.rules import Rule
from generator.level import Property

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
    next_uid: int  # the first free one, for levels

    @property
    def rule_uids(self) -> list[int]:
        """The uids of the rules, by rule number."""
        return [uid for group in self.groups for uid, _ in group.rules]
