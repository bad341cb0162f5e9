"""Checks of entities and of the fields of entities and levels."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from exporters.formats.ldtk.checks.known import Entity, Field, Known, Layer
from exporters.formats.ldtk.checks.spot import MISSING, Once, Spot, is_number, is_whole
from exporters.formats.ldtk.ids import identifier
from generator.errors import shown
from generator.geometry import Rect

_POINT = re.compile("-?[0-9]{1,9},-?[0-9]{1,9}")
_WRAPPERS = {"F_Int": "V_Int", "F_Color": "V_Int", "F_Float": "V_Float", "F_Bool": "V_Bool"}

Place = tuple[object, object, object]
"""The iids of a level, a layer in it, and the world."""


class _EntityLink(NamedTuple):
    spot: Spot  # the field
    field: Field
    source: str | None  # iids
    target: object
    shown: Any  # the content of `__value`


class Entities:
    """Checks the entities of a project and their references."""

    def __init__(self, known: Known, iids: Once) -> None:
        self._known = known
        self._iids = iids
        self._places: dict[object, Place] = {}
        self._references: list[_EntityLink] = []

    def check(self, spot: Spot, layer: Layer, rect: Rect, place: Place, layout: str) -> None:
        """Check the entities of one layer."""
        instances = list(spot.tables())
        if instances and layer.kind != "Entities":
            spot.fail(f"are in a layer of type {layer.kind}")
        for instance in instances:
            iid = instance["iid"].text()
            self._iids.take(instance["iid"], iid)
            if iid is not None:
                self._places[iid] = place
            number = instance["defUid"].whole()
            entity = self._known.entities.get(-1 if number is None else number)
            if entity:
                self._entity(instance, entity, iid, layer, rect, layout)
            elif number is not None:
                instance["defUid"].fail(f"{number} is not the uid of an entity; LDtk cannot open this")

    def _entity(
        self, spot: Spot, entity: Entity, iid: str | None, layer: Layer, rect: Rect, layout: str
    ) -> None:
        spot["__identifier"].same(entity.name)
        spot["__tags"].same(entity.tags)
        for key in ("width", "height"):
            spot[key].whole(1)
        spot["__smartColor"].color()
        numbers = [spot["px"].value[i] for i in (0, 1)] if _pair(spot["px"].value) else None
        if numbers is None:
            spot["px"].fail(f"{shown(spot['px'].value)} is not a pair of whole numbers")
        else:
            x, y = numbers
            if not entity.strays and not (0 <= x <= rect.width and 0 <= y <= rect.height):
                spot["px"].fail(f"[{x}, {y}] is outside the level")
            cells = [
                int((at - (pivot == 1)) / layer.grid) for at, pivot in zip(numbers, entity.pivot, strict=True)
            ]
            spot["__grid"].same(cells)
            if layout in ("Free", "GridVania"):
                spot["__worldX"].same(x + rect.x)
                spot["__worldY"].same(y + rect.y)
        for field, entry, held in check_fields(spot["fieldInstances"], entity.fields):
            if field.kind == "F_EntityRef":
                stated = entry["__value"].value
                values = stated if field.array and isinstance(stated, list) else [stated] * len(held)
                for target, value in zip(held, [*values, *[None] * len(held)], strict=False):
                    if target is not None:
                        self._references.append(_EntityLink(entry, field, iid, target, value))

    def check_references(self) -> None:
        """Check that each reference leads to an entity, has its right place, and is symmetric if required."""
        pairs = {(link.field.uid, link.source, link.target) for link in self._references}
        for spot, field, source, target, stated in self._references:
            place = self._places.get(target)
            if place is None:
                spot.fail(f"{shown(target)} is not the iid of an entity")
                continue
            level, layer, world = place
            wanted = {"entityIid": target, "layerIid": layer, "levelIid": level, "worldIid": world}
            if stated != wanted:
                spot["__value"].fail(f"{shown(stated)} should be {shown(wanted, 200)}")
            if field.symmetrical and (field.uid, target, source) not in pairs:
                spot.fail(f"refers to {shown(target)}, which does not refer back; LDtk removes the reference")


Held = tuple[Field, Spot, list[Any]]
"""A field, its place, and the values that LDtk reads."""


def check_fields(fields: Spot, wanted: Mapping[int, Field]) -> list[Held]:
    """Check the fields of an entity or a level."""
    held: list[Held] = []
    seen = Once("defUid")
    uids = set()
    for spot in fields.tables() if fields.there or wanted else ():
        number = spot["defUid"].whole()
        field = wanted.get(-1 if number is None else number)
        if not field:
            if number is not None:
                spot["defUid"].fail(
                    f"{number} is not the uid of a field here; LDtk cannot open this, or drops it"
                )
            continue
        seen.take(spot["defUid"], number)
        uids.add(number)
        spot["__identifier"].same(field.name)
        spot["__type"].same(field.type_name)
        held.append((field, spot, _held(spot, field)))
    for uid in wanted.keys() - uids if isinstance(fields.value, list) else ():
        fields.fail(f"do not have {wanted[uid].name}; LDtk adds it")
    return held


def _held(spot: Spot, field: Field) -> list[Any]:
    """Return the values that LDtk reads. Check their types, and that `__value` agrees with them."""
    values = []
    for item in spot["realEditorValues"].items():
        value = _unwrapped(item.value, field)
        if value is MISSING:
            item.fail(
                f"{shown(item.value)} is not a value for a field of type {field.type_name}; LDtk cannot save"
            )
            value = None
        elif field.values is not None and value is not None and not _known(value, field.values):
            item.fail(f"{shown(value)} is not a value of its enum; LDtk removes it")
        values.append(value)
    stated = spot["__value"]
    if stated.value is MISSING:
        stated.fail("is missing")
    elif field.array:
        if not isinstance(stated.value, list) or len(stated.value) != len(values):
            stated.fail(f"{shown(stated.value)} is not a list of {len(values)}")
        else:
            for value, entry in zip(values, stated.items(), strict=True):
                _compare(entry, value, field)
    elif values:
        _compare(stated, values[0], field)
    return values


def _known(value: str, values: frozenset[str]) -> bool:
    """Return whether an enum has a value, in the spelling that LDtk corrects it to."""
    return value in values or identifier(value) in values


def _unwrapped(value: Any, field: Field) -> Any:
    """Return the value in `{ "id": "V_Int", "params": [3] }`, or MISSING if it does not fit the field."""
    if value is None:
        return None
    params = value.get("params") if isinstance(value, dict) else None
    wrapper = _WRAPPERS.get(field.kind, "V_String")
    if not isinstance(params, list) or len(params) != 1 or value.get("id") != wrapper:
        return MISSING
    (held,) = params
    fits = {
        "V_Int": is_whole(held),
        "V_Float": is_number(held),
        "V_Bool": isinstance(held, bool),
        "V_String": isinstance(held, str),
    }[wrapper]
    if fits and field.kind == "F_Point":
        fits = bool(_POINT.fullmatch(held))
    return held if fits else MISSING


def _compare(stated: Spot, value: Any, field: Field) -> None:
    """Check that `__value` shows a value, or the field's default if the value is null."""
    if value is None or field.kind in ("F_EntityRef", "F_Tile"):
        return
    if field.kind == "F_Color":
        value = f"#{int(value) & 0xFFFFFF:06X}"
    elif field.kind == "F_Point":
        x, y = map(int, value.split(","))
        value = {"cx": x, "cy": y}
    elif field.kind == "F_Float" and is_number(stated.value):
        if abs(stated.value - value) > 0.001:
            stated.same(value)
        return
    elif isinstance(value, str):
        # LDtk escapes backslashes in only one of the two.
        if "\\" not in value and "\n" not in value:
            stated.same(value)
        return
    stated.same(value)


def _pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(is_whole, value))
