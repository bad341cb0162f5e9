"""What a level has of a person's file already, and how that is taken out before the rest is merged.

Edits that were read are in the level, and so in the new file: perhaps elsewhere, under another number, or
with another picture. So what a person added is left out, and what they changed or removed is as exported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from generator.geometry import Point
from generator.named_tuple import NamedTuple

MAPS = (".tmj", ".tmx")
"""The suffixes of Tiled's maps."""

_NONE: Mapping[str, Any] = MappingProxyType({})
_READ = (  # what a level has of an object, entity or LDtk level
    "inside", "x", "y", "type", "px", "__grid", "__worldX", "__worldY", "width", "height", "polygon",
    "worldX", "worldY", "pxWid", "pxHei",
)  # fmt: skip
_LISTED = (("properties", "name"), ("fieldInstances", "__identifier"))  # with what their entries are named by


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
    is_all: bool = False  # the main file has nothing else of a person's

    def of_file(self, path: Path, main: Path) -> Taken:
        """Return what is in the main file or one beside it: in a map of Tiled, by its own objects' ids."""
        is_all = self.is_all and path == main
        if path.suffix not in MAPS:
            return self._replace(is_all=is_all)
        own = ("", path.name, f"{path.parent.name}/{path.name}")

        def ids(keys: Mapping[str, Any]) -> dict[str, Any]:
            parts = ((key.rpartition("#"), keys[key]) for key in keys)
            return {id_: value for (part, _, id_), value in parts if part in own}

        gone = frozenset(ids(dict.fromkeys(self.gone)))
        added, changed = ids(self.added), ids(self.changed)
        return self._replace(added=added, changed=changed, gone=gone, is_all=is_all)


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


def kind_of_added(edit: tuple[Any, ...]) -> str:
    """Return what formats call a thing that an edit adds: the kind of a marker, `door` or `room`."""
    return str(edit[1]) if edit[0] == "new marker" else str(edit[0]).removeprefix("new ")


def _restored(item: dict[str, Any], old: Mapping[str, Any]) -> dict[str, Any]:
    """Return a changed object as it was exported, but with what no level can have of it."""
    return with_riders(item, old, {**item, **{key: old[key] for key in _READ if key in old}})


def with_riders(item: Mapping[str, Any], ours: Mapping[str, Any], onto: Mapping[str, Any]) -> dict[str, Any]:
    """Return `onto` with the entries of our object, and with those of a person's that no level can have."""
    result = {**onto}
    for listed, name in _LISTED:
        if isinstance(item.get(listed), list) and isinstance(ours.get(listed), list):
            known = {each.get(name) for each in ours[listed]}
            own = [each for each in riders_of({listed: item[listed]}) if each.get(name) not in known]
            result[listed] = [*ours[listed], *own]
    return result


def riders_of(item: Mapping[str, Any]) -> list[Any]:
    """Return the properties or fields of a person's object that no level can have."""
    lists = (item[key] for key, _ in _LISTED if isinstance(item.get(key), list))
    return [each for listed in lists for each in listed if not _is_plain(each)]


def _is_plain(item: Mapping[str, Any]) -> bool:
    """Check whether a person's own property is one that levels have."""
    return item.get("type") not in ("object", "file", "class") and isinstance(
        item.get("value"), (bool, int, float, str)
    )
