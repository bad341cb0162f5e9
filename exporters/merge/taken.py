"""What a level has of a person's file already, and how that is taken out before the rest is merged.

Edits that were read are in the level, and so in the new file: perhaps elsewhere, under another number, or
with another picture. So what a person added is left out, and what they changed or removed is as exported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from generator.geometry import Point

_NONE: Mapping[str, Any] = MappingProxyType({})
_READ = (  # what a level has of an object, entity or LDtk level
    "inside", "x", "y", "type", "px", "__grid", "__worldX", "__worldY", "width", "height", "polygon",
    "worldX", "worldY", "pxWid", "pxHei",
)  # fmt: skip


class Taken(NamedTuple):
    """The parts of a person's file that a level has, by their keys in the program, before and now.

    `added` and `changed` also have what the keys of their edits begin with.
    """

    added: Mapping[str, tuple[Any, ...]] = _NONE  # new markers, rooms and doors
    changed: Mapping[str, tuple[Any, ...]] = _NONE  # markers, doors and moved rooms
    gone: frozenset[str] = frozenset()  # removed rooms and doors
    renamed: Mapping[str, str] = _NONE  # the former keys of rooms: Godot gives renamed ones another
    painted: frozenset[Point] = frozenset()  # tiles with other terrain or decor, or of moved rooms
    looks: frozenset[Point] = frozenset()  # tiles that only look different
    corners: Mapping[str, Point] = _NONE  # the level's tile in the corner of each part of the file

    def of_map(self, path: Path) -> Taken:
        """Return what is in one map of Tiled, by the ids of its objects: each room's map has its own ids."""
        own = ("", path.name, f"{path.parent.name}/{path.name}")

        def ids(keys: Mapping[str, Any]) -> dict[str, Any]:
            parts = ((key.rpartition("#"), keys[key]) for key in keys)
            return {id_: value for (part, _, id_), value in parts if part in own}

        gone = frozenset(ids(dict.fromkeys(self.gone)))
        return self._replace(added=ids(self.added), changed=ids(self.changed), gone=gone)


NOTHING = Taken()


def as_exported(
    mine: Sequence[dict[str, Any]], before: Sequence[dict[str, Any]], by: str, taken: Taken
) -> list[dict[str, Any]]:
    """Return a person's objects, entities or levels without those that the level has.

    Changed and removed ones are as `before`, in their order, even if they were moved to another list.
    `by` is the key of their ids.
    """
    old = {str(item.get(by)): item for item in before}
    items = [(str(item.get(by)), item) for item in mine]
    result = [
        _restored(item, old[id_]) if id_ in taken.changed else item
        for id_, item in items
        if id_ not in taken.added and (id_ not in taken.changed or id_ in old)
    ]
    wanted = {*taken.changed, *taken.gone} - {id_ for id_, _ in items}
    missing = [{**item} for id_, item in old.items() if id_ in wanted]
    others = [id_ for id_, _ in items if id_ not in taken.changed and id_ not in taken.added]
    if missing or others == [id_ for id_ in old if id_ not in taken.changed and id_ not in taken.gone]:
        order = {id_: number for number, id_ in enumerate(old)}
        result += missing
        result.sort(key=lambda item: order.get(str(item.get(by)), len(order)))
    return result


def _restored(item: dict[str, Any], old: Mapping[str, Any]) -> dict[str, Any]:
    """Return a changed object as it was exported, but with what no level can have of it."""
    item = item | {key: old[key] for key in _READ if key in old}
    for listed, name in (("properties", "name"), ("fieldInstances", "__identifier")):
        if isinstance(item.get(listed), list) and isinstance(old.get(listed), list):
            known = {each.get(name) for each in old[listed]}
            own = [each for each in item[listed] if each.get(name) not in known and not _is_plain(each)]
            item[listed] = [*old[listed], *own]
    return item


def _is_plain(item: Mapping[str, Any]) -> bool:
    """Check whether a person's own property is one that levels have."""
    return item.get("type") not in ("object", "file", "class") and isinstance(
        item.get("value"), (bool, int, float, str)
    )
