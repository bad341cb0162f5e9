"""What an LDtk project consists of before it is written: definitions with their uids.

Nothing here knows how JSON looks; `defs` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from exporters.ldtk.rules import Rule
from generator.level import Property

FieldValue = Property | None | tuple[str, ...]

DOOR, ROOM = "the door", "a room"  # keys of entities that are no marker; no kind has a blank


class EnumDef(NamedTuple):
    """An enum: its values and their colours, and the icons (atlas indexes) of those that have one."""

    uid: int
    name: str
    values: Mapping[str, str]
    icons: Mapping[str, int] = {}


class FieldDef(NamedTuple):
    """A field of a level or an entity. `type` is Int, Float, Bool, String, EntityRef, or an enum's name.

    One that is an `array` holds several values of it; references in one lead to entities of a tag.
    """

    uid: int
    name: str
    type: str
    enum: EnumDef | None = None
    colors: bool = False  # whether the enum's colour is that of the whole
    null: bool = True
    doc: str | None = None
    array: bool = False
    shows: bool = False  # whether the icon of the enum's value stands for the whole
    leads_to: str = ""  # the tag of what a reference may lead to; empty: to another of its own entity's


class EntityDef(NamedTuple):
    """A kind of entity."""

    uid: int
    name: str
    fields: tuple[FieldDef, ...]
    color: str
    icon: int | None  # atlas index
    sized: bool  # whether each has a size of its own
    tags: tuple[str, ...]
    doc: str


class LayerDef(NamedTuple):
    """A layer. `offset_tiles` moves all that is in it down."""

    uid: int
    name: str
    type: str  # Entities, Tiles or IntGrid
    offset_tiles: int
    doc: str


class RuleGroup(NamedTuple):
    """Rules of one name, each with its uid."""

    uid: int
    name: str
    rules: tuple[tuple[int, Rule], ...]


class RoomWords(NamedTuple):
    """What the levels of a project say of rooms that are yet to be drawn, and not part of a finished level.

    `fields` are names and types of level fields, `values` theirs by level; `names` are the levels' own.
    `markers` are kinds of entities beside those of every project, each with its fields' names and types.
    """

    fields: tuple[tuple[str, str], ...]
    values: Sequence[Mapping[str, FieldValue]]
    names: Sequence[str]
    markers: Mapping[str, Mapping[str, str]]


class Definitions(NamedTuple):
    """Everything that levels refer to."""

    layers: Mapping[str, LayerDef]  # by name, the topmost first
    groups: tuple[RuleGroup, ...]
    entities: Mapping[str, EntityDef]  # by marker kind; `DOOR` and `ROOM`
    tileset: int  # uid
    enums: Mapping[str, EnumDef]
    level_fields: tuple[FieldDef, ...]
    properties: Mapping[str, Mapping[str, FieldDef]]  # by marker kind: the field of each property
    next_uid: int  # the first that a level may have

    @property
    def rule_uids(self) -> list[int]:
        """The uid of each rule by its number."""
        return [uid for group in self.groups for uid, _ in group.rules]
