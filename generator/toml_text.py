"""Values as TOML, as written after a key."""

from __future__ import annotations

import json
from collections.abc import Mapping


def toml(value: object) -> str:
    """Write a value on one line: a text in quotes, a number, `true`, a list, an inline table.

    JSON's escapes are valid TOML too, except for DEL, which JSON does not escape.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(toml(item) for item in value)}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{toml(key)} = {toml(item)}' for key, item in value.items())}}}"
    return str(value)
