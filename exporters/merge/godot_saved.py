"""Changes that Godot itself makes when it saves our scenes and resources, and that are not a person's work.

It gives the file a uid, numbers nodes, writes paths relative to the project, sorts dictionaries, omits
default values, and writes `polygon_0/polygon` for the first occluder of a tile. Godot 3 writes
`Vector2( 1, 2 )` and `[ 1, 2 ]`.
"""

from __future__ import annotations

import re
from typing import Any

from exporters.formats.godot.syntax.sections import STRING, plain
from generator.pattern import pattern

_USUAL = {
    "collision_layer": "1",
    "collision_mask": "1",
    "position": "Vector2(0, 0)",
    "visible": "true",
    "z_index": "0",
    # of TileSets and their sources
    "margins": "Vector2i(0, 0)",
    "separation": "Vector2i(0, 0)",
    "texture_region_size": "Vector2i(16, 16)",
    "tile_size": "Vector2i(16, 16)",
}
_ALIKE = {"3", "4"}  # numbers of formats; the later is for a type that we do not write
_OCCLUDER = pattern(r"(\d+:\d+/\d+/occlusion_layer_\d+)/polygon")
_ENTRY = pattern(
    rf'(?:{STRING}|[^"()\[\]{{}},]++|\((?:{STRING}|[^"()]++|\([^()]*\))*\)|\[(?:{STRING}|[^"\[\]]++)*\])++',
    re.DOTALL,
)
_BLANK = pattern(rf"({STRING})|\s+", re.DOTALL)


def conform(old: dict[str, Any], mine: dict[str, Any]) -> str:
    """Undo Godot's own changes in `mine`, in place. Return the uid that it gave the file, or ""."""
    uid: str = "" if "uid" in old["heading"] else mine["heading"].pop("uid", "")
    if {old["heading"].get("format"), mine["heading"].get("format")} == _ALIKE:
        mine["heading"]["format"] = old["heading"]["format"]
    files = {resource["id"]: resource["class"] for resource in old["ext"]}
    for resource in mine["ext"]:
        before, after = files.get(resource["id"], {}), resource["class"]
        if before and _is_file(plain(after.get("path")), plain(before.get("path"))):
            resource["class"] = before
    known = {node["path"]: node for node in old["nodes"]}
    for node in mine["nodes"]:
        if node["path"] in known:
            if "unique_id" not in known[node["path"]]["class"]:
                node["class"].pop("unique_id", None)
            _properties(known[node["path"]]["properties"], node)
    inside = {resource["id"]: resource for resource in old["sub"]}
    for resource in mine["sub"]:
        if resource["id"] in inside and resource["class"] == inside[resource["id"]]["class"]:
            _properties(inside[resource["id"]]["properties"], resource)
    return uid


def with_uid(data: bytes, uid: str) -> bytes:
    """Give a file a uid in its heading, which is its first line."""
    heading, bracket, rest = data.partition(b"]")
    return heading + f" uid={uid}".encode() + bracket + rest


def _is_file(path: str, ours: str) -> bool:
    """Check whether a `res://` path may be the same as one of ours, which is relative to the scene."""
    return path == ours or path.endswith("/" + ours.removeprefix("../"))


def _properties(before: dict[str, str], holder: dict[str, Any]) -> None:
    after = holder["properties"]
    for key, value in before.items():
        if (tile := _OCCLUDER.fullmatch(key)) and after.get(f"{tile[1]}/polygon_0/polygon") == value:
            after[key] = after.pop(f"{tile[1]}/polygon_0/polygon")
        left_out = key not in after and _USUAL.get(key) == value
        if left_out or (key in after and after[key] != value and _sorted(after[key]) == _sorted(value)):
            after[key] = value


def _sorted(value: str) -> list[str] | str:
    """Remove blanks, which Godot 3 puts inside brackets, and sort the entries of a dictionary."""
    value = _BLANK.sub(lambda found: found[1] or "", value)
    if not value.startswith("{"):
        return value
    return sorted(entry.strip() for entry in _ENTRY.findall(value[1:-1]))
