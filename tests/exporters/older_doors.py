"""Files as version 0.1.0 wrote them: of a shipped kit, only maps said of a door that it is `shut`; of others, all did."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_LISTS = {"properties": "name", "fieldDefs": "identifier", "fieldInstances": "__identifier"}
_IN_SCENES = re.compile(r"metadata/(starts_shut|secret) = .*\n")


def older(text: str, suffix: str, *, is_kits: bool = False) -> str:
    """The text of a map, project or scene without the two facts about every door."""
    if suffix == "tscn":
        return text if is_kits else _IN_SCENES.sub("", text)
    table = json.loads(text)
    for holder in _tables(table):
        for key, named in _LISTS.items():
            if isinstance(holder.get(key), list):
                has_shut = suffix == "tmj" or is_kits
                known = [one for one in holder[key] if one[named] != "secret"]
                holder[key] = [one for one in known if has_shut or one[named] != "starts_shut"]
                for one in holder[key]:
                    one[named] = "shut" if one[named] == "starts_shut" else one[named]
    return json.dumps(table)


def _tables(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _tables(each)
