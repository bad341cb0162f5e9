"""Parsed values as JSON, formatted as LDtk does; texts keep their escapes."""

from __future__ import annotations

import json
from typing import Any

from exporters.formats.ldtk.syntax import Rendered, document, one_line, quoted


def written(project: dict[str, Any]) -> bytes:
    """Write the file of a project, or of a separate level. It has one line if the project says so."""
    if project.get("minifyJson"):
        return one_line(project)
    header = project.get("__header__", {})
    root = {key: value for key, value in project.items() if key != "__header__"}
    try:
        return document(header, root).getvalue()
    except ValueError:  # a text that LDtk would not write
        return document(_safe(header), _safe(root)).getvalue()


def _safe(value: Any) -> Any:
    """Escape the characters in a value's texts that LDtk would not write, as in JSON."""
    if isinstance(value, str):
        try:
            quoted(value)
        except ValueError:
            return Rendered(json.dumps(value.encode("utf-8", "replace").decode(), ensure_ascii=False))
        return value
    if isinstance(value, dict):
        return {key: _safe(item) for key, item in value.items()}
    if isinstance(value, list) and value and not isinstance(value[0], int):
        return [_safe(item) for item in value]
    return value
