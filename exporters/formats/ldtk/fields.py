"""Fields of entities and levels, and their values.

    { "__identifier": "wave", "__type": "Int", "__value": 2, "__tile": null, "defUid": 31, "realEditorValues":
    [{ "id": "V_Int", "params": [2] }] }

(One line in the file; from LDtk's own sample `Entities.ldtk`. LDtk reads `realEditorValues` only.)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from exporters.formats.ldtk.json_text import clean, number, pretty, quoted
from exporters.formats.ldtk.model import FieldDef, FieldValue

_WRAPPERS = {"Int": "V_Int", "Float": "V_Float", "Bool": "V_Bool"}  # all other types are V_String
_NUMBERS = ("V_Int", "V_Float")
_MAX_KEPT = 32  # cached texts per field
_LONG = 80  # characters; from about this length on, LDtk breaks a line


def field_def(field: FieldDef) -> dict[str, object]:
    """Return a field's definition."""
    reference = field.type == "EntityRef"
    mutual = reference and not field.leads_to
    return {
        "identifier": field.name,
        "doc": field.doc,
        "__type": type_name(field),
        "uid": field.uid,
        "type": f"F_Enum({field.enum.uid})" if field.enum else f"F_{field.type}",
        "isArray": field.array,
        "canBeNull": field.null and not field.array,
        "arrayMinLength": None,
        "arrayMaxLength": None,
        "editorDisplayMode": _display_mode(field),
        "editorDisplayScale": 1,
        "editorDisplayPos": "Above",
        "editorLinkStyle": "CurvedArrow" if reference else "StraightArrow",
        "editorDisplayColor": None,
        "editorAlwaysShow": False,
        "editorShowInWorld": True,
        "editorCutLongValues": True,
        "editorTextSuffix": None,
        "editorTextPrefix": None,
        "useForSmartColor": field.colors,
        "exportToToc": False,
        "searchable": False,
        "min": None,
        "max": None,
        "regex": None,
        "acceptFileTypes": None,
        "defaultOverride": None,
        "textLanguageMode": None,
        "symmetricalRef": mutual,
        "autoChainRef": not mutual,
        "allowOutOfLevelRef": True,
        "allowedRefs": "OnlyTags" if field.leads_to else "OnlySame",
        "allowedRefsEntityUid": None,
        "allowedRefTags": [field.leads_to] if field.leads_to else [],
        "tilesetUid": None,
    }


def _display_mode(field: FieldDef) -> str:
    if field.type == "EntityRef":
        return "RefLinkBetweenCenters"
    return "EntityTile" if field.shows else "Hidden"


def type_name(field: FieldDef) -> str:
    """Return a field's type as written beside its values."""
    element = f"LocalEnum.{field.enum.name}" if field.enum else field.type
    return f"Array<{element}>" if field.array else element


TileRect = dict[str, int]
"""A tile in an image: the uid of its tileset, and x, y, w, h in px."""

EntityTarget = dict[str, str]
"""The target of an EntityRef: the iids of an entity, its layer, its level and the world."""

WrittenValue = FieldValue | EntityTarget | Sequence[EntityTarget]
Writer = Callable[[WrittenValue], str]
"""A function that writes a field's value."""


def writer(field: FieldDef, indent: int, tiles: Mapping[str, TileRect | None] | None = None) -> Writer:
    """Return a writer for values of a field, indented by `indent` tabs, made once per field for speed.

    `tiles` are the pictures of the values, for fields that show them.
    """
    if field.array:
        return _array_writer(field, indent)
    if field.shows:
        return _picture_writer(field, indent, tiles or {})
    head = f'{{ "__identifier": {quoted(field.name)}, "__type": {quoted(type_name(field))}, "__value": '
    middle = f', "__tile": null, "defUid": {field.uid}, "realEditorValues": '
    nothing = f"{head}null{middle}[] }}"
    wrapper = _WRAPPERS.get(field.type, "V_String")
    tabs = "\t" * indent

    @lru_cache(maxsize=_MAX_KEPT, typed=True)
    def plain(value: FieldValue) -> str:
        shown, held = _shown(value, wrapper)
        return f"{head}{shown}{middle}{_real(wrapper, held, tabs)} }}"

    def write(value: WrittenValue) -> str:
        if value is None:
            return nothing
        if wrapper == "V_Int" and type(value) is int:
            return f'{head}{value}{middle}[{{ "id": "V_Int", "params": [{value}] }}] }}'
        if isinstance(value, dict):
            real = _real(wrapper, quoted(value["entityIid"]), tabs)
            return f"{head}{_target(value, tabs)}{middle}{real} }}"
        assert not isinstance(value, list)
        return plain(value)

    return write


def _target(value: EntityTarget, tabs: str) -> str:
    """Write the target of a reference: four iids never fit on one line."""
    lines = f",\n{tabs}\t".join([f'"{name}": {quoted(iid)}' for name, iid in value.items()])
    return f"{{\n{tabs}\t{lines}\n{tabs}}}"


def _shown(value: FieldValue, wrapper: str) -> tuple[str, str]:
    """Return a value as written in `__value`, and in `realEditorValues`."""
    if wrapper == "V_String":
        text = quoted(_text(value))
        return text, text
    return _plain(_rounded(value)), _plain(value)


def _real(wrapper: str, held: str, tabs: str) -> str:
    """Write the `realEditorValues` of one value."""
    if wrapper in _NUMBERS:
        return f'[{{ "id": "{wrapper}", "params": [{held}] }}]'
    # LDtk breaks tables that contain lists of anything but numbers, and lists with long texts.
    params = f"[ {held} ]" if wrapper == "V_Bool" else f"[{held}]"
    if len(held) > _LONG:
        params = pretty([json.loads(held)], len(tabs) + 1)
    return f'[{{\n{tabs}\t"id": "{wrapper}",\n{tabs}\t"params": {params}\n{tabs}}}]'


def _picture_writer(field: FieldDef, indent: int, tiles: Mapping[str, TileRect | None]) -> Writer:
    """Return a writer for values of an enum with their tiles."""

    @lru_cache(maxsize=_MAX_KEPT)
    def plain(shown: str | None) -> str:
        table = {
            "__identifier": field.name,
            "__type": type_name(field),
            "__value": shown,
            "__tile": None if shown is None else tiles.get(shown),
            "defUid": field.uid,
            "realEditorValues": [] if shown is None else [{"id": "V_String", "params": [shown]}],
        }
        return pretty(table, indent)

    return lambda value: plain(None if value is None else _text(value))


def _array_writer(field: FieldDef, indent: int) -> Writer:
    """Return a writer for arrays of texts or references. None is an empty array."""

    def written(values: Sequence[object]) -> str:
        shown = [item if isinstance(item, dict) else clean(str(item)) for item in values]
        held = [item["entityIid"] if isinstance(item, dict) else item for item in shown]
        table = {
            "__identifier": field.name,
            "__type": type_name(field),
            "__value": shown,
            "__tile": None,
            "defUid": field.uid,
            "realEditorValues": [{"id": "V_String", "params": [item]} for item in held],
        }
        return pretty(table, indent)

    nothing = written(())

    def write(value: WrittenValue) -> str:
        assert value is None or isinstance(value, Sequence)
        return written(value) if value else nothing

    return write


def _text(value: WrittenValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return clean(str(value))


def _plain(value: WrittenValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    assert isinstance(value, (int, float))
    return number(value)


def _rounded(value: WrittenValue) -> WrittenValue:
    """Round a float as LDtk does in `__value`: to thousandths, halves away from zero."""
    if not isinstance(value, float):
        return value
    thousandths = int(value * 1000 + (0.5 if value > 0 else -0.5))
    return thousandths / 1000
