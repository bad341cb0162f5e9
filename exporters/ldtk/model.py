"""What an LDtk project consists of before it is written: definitions with their uids.

Nothing here knows how JSON looks; `defs` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from exporters.ldtk.rules import Rule
from generator.level import Property

Value = Property | None


class Enum(NamedTuple):
    """An enum: its values and their colours."""

    uid: int
    name: str
    values: Mapping[str, str]


class Field(NamedTuple):
    """A field of a level or an entity. `type` is Int, Float, Bool, String, EntityRef, or an enum's name."""

    uid: int
    name: str
    type: str
    enum: Enum | None = None
    colors: bool = False  # whether the enum's colour is that of the whole
    null: bool = True
    doc: str | None = None


class Entity(NamedTuple):
    """A kind of entity."""

    uid: int
    name: str
    fields: tuple[Field, ...]
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


class Definitions(NamedTuple):
    """Everything that levels refer to."""

    layers: Mapping[str, LayerDef]  # by name, the topmost first
    groups: tuple[RuleGroup, ...]
    entities: Mapping[str, Entity]  # by marker kind, `door` or `room`
    tileset: int  # uid
    enums: Mapping[str, Enum]
    level_fields: tuple[Field, ...]
    properties: Mapping[str, Mapping[str, Field]]  # by marker kind: the field of each property
    next_uid: int  # the first that a level may have

    @property
    def rule_uids(self) -> list[int]:
        """The uid of each rule by its number."""
        return [uid for group in self.groups for uid, _ in group.rules]
