"""LDtk's JSON of parsed values: as LDtk writes it, and texts as they were."""

from __future__ import annotations

import json
from typing import Any

from exporters.ldtk.json_text import Rendered, document, quoted


def written(project: dict[str, Any]) -> bytes:
    """The file of a project, or of a level of its own; on one line if the project says so."""
    if project.get("minifyJson"):
        return json.dumps(project, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    root = {key: _safe(value) for key, value in project.items()}
    header = root.pop("__header__", {})
    return document(header, root)


def _safe(value: Any) -> Any:
    """A value whose texts can be written: what LDtk itself would not write is escaped as JSON."""
    if isinstance(value, str):
        try:
            quoted(value)
        except ValueError:
            return Rendered(json.dumps(value.encode("utf-8", "replace").decode(), ensure_ascii=False))
        return value
    if isinstance(value, dict):
        return {key: _safe(each) for key, each in value.items()}
    if isinstance(value, list) and value and not isinstance(value[0], int):
        return [_safe(each) for each in value]
    return value
