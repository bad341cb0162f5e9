"""Fields of entities and levels, and the values that they have.

    { "__identifier": "wave", "__type": "Int", "__value": 2, "__tile": null, "defUid": 31, "realEditorValues":
    [{ "id": "V_Int", "params": [2] }] }

(One line in the file; from LDtk's own sample `Entities.ldtk`. LDtk reads `realEditorValues` only.)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from exporters.ldtk.json_text import clean, number, pretty, quoted
from exporters.ldtk.model import Field, Value

_WRAPPERS = {"Int": "V_Int", "Float": "V_Float", "Bool": "V_Bool"}  # all others are V_String
_NUMBERS = ("V_Int", "V_Float")
_LONG = 80  # characters; from about here on LDtk breaks a line


def field_def(field: Field) -> dict[str, object]:
    """A field's definition."""
    reference = field.type == "EntityRef"
    return {
        "identifier": field.name,
        "doc": field.doc,
        "__type": type_name(field),
        "uid": field.uid,
        "type": f"F_Enum({field.enum.uid})" if field.enum else f"F_{field.type}",
        "isArray": False,
        "canBeNull": field.null,
        "arrayMinLength": None,
        "arrayMaxLength": None,
        "editorDisplayMode": "RefLinkBetweenCenters" if reference else "Hidden",
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
        "symmetricalRef": reference,
        "autoChainRef": not reference,
        "allowOutOfLevelRef": True,
        "allowedRefs": "OnlySame",
        "allowedRefsEntityUid": None,
        "allowedRefTags": [],
        "tilesetUid": None,
    }


def type_name(field: Field) -> str:
    """A field's type as it stands beside its values."""
    return f"LocalEnum.{field.enum.name}" if field.enum else field.type


Reference = Mapping[str, str]
"""What an EntityRef leads to: the iids of an entity, its layer, its level and the world."""

Writer = Callable[[Value | Reference], str]
"""What writes a field's value."""


def writer(field: Field, indent: int) -> Writer:
    """Writes values of a field, which stand `indent` tabs deep; made once a field, for speed."""
    head = f'{{ "__identifier": {quoted(field.name)}, "__type": {quoted(type_name(field))}, "__value": '
    middle = f', "__tile": null, "defUid": {field.uid}, "realEditorValues": '
    wrapper = _WRAPPERS.get(field.type, "V_String")
    tabs = "\t" * indent

    def write(value: Value | Reference) -> str:
        if value is None:
            return f"{head}null{middle}[] }}"
        if isinstance(value, Mapping):
            shown, held = pretty(value, indent), quoted(value["entityIid"])
        elif wrapper == "V_String":
            shown = held = quoted(_text(value))
        else:
            shown, held = _plain(_rounded(value)), _plain(value)
        if wrapper in _NUMBERS:
            return f'{head}{shown}{middle}[{{ "id": "{wrapper}", "params": [{held}] }}] }}'
        # LDtk breaks tables with a list of anything but numbers in them, and long texts in lists.
        params = f"[ {held} ]" if wrapper == "V_Bool" else f"[{held}]"
        if len(held) > _LONG:
            params = pretty([json.loads(held)], indent + 1)
        real = f'[{{\n{tabs}\t"id": "{wrapper}",\n{tabs}\t"params": {params}\n{tabs}}}]'
        return f"{head}{shown}{middle}{real} }}"

    return write


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return clean(str(value))


def _plain(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    assert isinstance(value, (int, float))
    return number(value)


def _rounded(value: Value) -> Value:
    """A float as LDtk shows it beside the real one: to thousandths, halves away from zero."""
    if not isinstance(value, float):
        return value
    whole = int(value * 1000 + (0.5 if value > 0 else -0.5))
    return whole / 1000
