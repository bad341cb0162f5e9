"""The fields of a merged project as LDtk completes them: one for each definition; and what entities show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exporters.merge.ldtk_ids import tables

FieldTable = dict[str, Any]
_SHOWN = "EntityTile"  # the display mode of fields whose picture the entity shows


def complete_fields(project: FieldTable) -> None:
    """Give each level and entity all fields of its definition, in order, and its picture, in place."""
    defs = project["defs"]
    pictures = {
        f"F_Enum({enum['uid']})": {value["id"]: value.get("tileRect") for value in tables(enum.get("values"))}
        for enum in tables(defs.get("enums"))
    }
    entities = {entity["uid"]: entity for entity in tables(defs.get("entities"))}
    for level in tables(project.get("levels")):
        _complete(level, tables(defs.get("levelFields")))
        for layer in tables(level.get("layerInstances")):
            for instance in tables(layer.get("entityInstances")):
                known = entities.get(instance.get("defUid"))
                if known:
                    definitions = tables(known.get("fieldDefs"))
                    _complete(instance, definitions)
                    shown = next(_shown(instance, definitions, pictures), known.get("tileRect"))
                    instance["__tile"] = shown


def _complete(holder: FieldTable, definitions: Sequence[FieldTable]) -> None:
    """Add fields that a level or an entity has not, without a value."""
    there = {field.get("defUid"): field for field in tables(holder.get("fieldInstances"))}
    wanted = {known["uid"]: known for known in definitions}
    if [*there] != [*wanted]:
        new = {uid: there.get(uid) or _empty(known) for uid, known in wanted.items()}
        holder["fieldInstances"] = [*(new | there).values()]


def _empty(known: FieldTable) -> FieldTable:
    default = known.get("defaultOverride")
    value = default["params"][0] if default else None
    if known["type"] == "F_Color" and isinstance(value, int):
        value = f"#{value:06X}"
    return {
        "__identifier": known["identifier"],
        "__type": known["__type"],
        "__value": [] if known.get("isArray") else value,
        "__tile": None,
        "defUid": known["uid"],
        "realEditorValues": [],
    }


def _shown(
    instance: FieldTable, definitions: Sequence[FieldTable], pictures: Mapping[str, Mapping[str, object]]
) -> Iterator[object]:
    """Yield the pictures of an entity's values that it shows. That of an enum's value is the enum's."""
    for field, known in zip(instance["fieldInstances"], definitions, strict=False):
        if known.get("editorDisplayMode") == _SHOWN:
            if known["type"] in pictures and not known.get("isArray"):
                field["__tile"] = pictures[known["type"]].get(field["__value"])
            if field["__tile"]:
                yield field["__tile"]
