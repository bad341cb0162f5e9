"""What a person's new entities and levels have that no level can have goes to those that we write of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from exporters.merge.ldtk_ids import tables, translated
from exporters.merge.matching import Moves
from exporters.merge.taken import Taken, with_riders
from generator.named_tuple import NamedTuple

Table = dict[str, Any]
_BACKGROUND = ("bgColor", "__bgColor", "bgRelPath", "bgPos", "bgPivotX", "bgPivotY", "__bgPos")
_LEVEL = "level"  # no identifier of an entity begins with a small letter


class AddedThing(NamedTuple):
    """A new entity or level of a person's, its sort, and its place in the world, in px."""

    table: Table
    sort: str
    x: int
    y: int


def added_to(project: Table, taken: Taken) -> list[AddedThing]:
    """List the entities and levels of a person's project that a level has now."""
    return [each for each in _things_in(project) if each.table["iid"] in taken.added] if taken.added else []


def _things_in(project: Table) -> Iterator[AddedThing]:
    for level in tables(project.get("levels")):
        x, y = int(level["worldX"]), int(level["worldY"])
        yield AddedThing(level, _LEVEL, x, y)
        for layer in tables(level.get("layerInstances")):
            for entity in tables(layer.get("entityInstances")):
                yield AddedThing(
                    entity, str(entity["__identifier"]), x + entity["px"][0], y + entity["px"][1]
                )


def counterparts(
    added: Sequence[AddedThing], fresh: Table, moves: Moves, known: set[Hashable], size: int
) -> list[tuple[AddedThing, Table]]:
    """List the things of which the new project has one at the same place, each with that one."""
    new = (
        {each[1:]: each.table for each in _things_in(fresh) if each.table["iid"] not in known}
        if added
        else {}
    )
    pairs = []
    for thing in added:
        dx, dy = moves.shift_at(thing.x // size, thing.y // size)
        made = new.pop((thing.sort, thing.x + dx * size, thing.y + dy * size), None)
        if made:
            pairs.append((thing, made))
    return pairs


def has_riders(pairs: Sequence[tuple[AddedThing, Table]]) -> bool:
    """Check whether any thing has something that ours at its place has not."""
    return any(_joined(thing.table, made, thing.sort) != made for thing, made in pairs)


def give_riders(
    project: Table,
    pairs: Sequence[tuple[AddedThing, Table]],
    uids: Mapping[int, int],
    iids: Mapping[str, str],
) -> None:
    """Give our things what a person's have, in place."""
    by_iid = {each.table["iid"]: each.table for each in _things_in(project)} if pairs else {}
    for thing, made in pairs:
        if target := by_iid.get(made["iid"]):
            target.update(_joined(translated(thing.table, uids, iids), target, thing.sort))


def _joined(theirs: Table, ours: Table, sort: str) -> Table:
    joined = with_riders(theirs, ours, ours)
    if sort == _LEVEL:
        joined |= {key: theirs[key] for key in _BACKGROUND if key in theirs}
    return joined
