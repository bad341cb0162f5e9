"""Merge an LDtk project: translate it to the uids, iids and places of the new one, then level by level."""

from __future__ import annotations

from typing import Any

from exporters.digest import KEY as DIGEST
from exporters.merge.json_files import read
from exporters.merge.ldtk_added import AddedThing, added_to, counterparts, give_riders, has_riders
from exporters.merge.ldtk_ids import (
    grid,
    iids_between,
    tables,
    translated,
    uids_between,
    uids_of,
)
from exporters.merge.ldtk_levels import LDTK, LevelMerge
from exporters.merge.ldtk_needed import complete, keep_needed, named_apart
from exporters.merge.ldtk_places import (
    in_place,
    move_world,
    moved_levels,
    set_neighbours,
    set_world_places,
    world_step,
)
from exporters.merge.ldtk_text import written
from exporters.merge.outcome import CannotMerge, Merged, Notes
from exporters.merge.painted import is_other_theme, unpaint_level
from exporters.merge.taken import NOTHING, Taken, as_exported
from exporters.merge.tree import in_order, merged, same
from generator.geometry import Point

ProjectTable = dict[str, Any]


def merge_project(base: bytes, theirs: bytes, new: bytes, taken: Taken = NOTHING) -> Merged:
    """Merge a project. Return `new` itself if nothing was changed, beside what is taken."""
    project, lines = merge_tables(read(base), read(theirs), read(new), taken)
    return Merged(new if project is None else written(project), lines)


def has_only_taken(old: ProjectTable, mine: ProjectTable, taken: Taken) -> bool:
    """Check whether a person's project, parsed like its base, has no other changes than what is taken of it.

    Changes the tables. If tiles were painted or things added, only the new project can tell.
    """
    if taken.painted or taken.looks or taken.added:
        return False
    try:
        for side in (old, mine):
            side["__header__"].pop(DIGEST, None)
            _check(side)
        if any(level.get("layerInstances") is None for side in (old, mine) for level in side["levels"]):
            return False  # they are in files of their own
        if world_step(old, mine) != (0, 0) or moved_levels(old, mine, taken):
            return False
        _take_out(old, mine, old, taken)
        return same(old, mine)
    except (KeyError, TypeError, AttributeError, ValueError):
        return False


def merge_tables(
    old: ProjectTable, mine: ProjectTable, fresh: ProjectTable, taken: Taken
) -> tuple[ProjectTable | None, tuple[str, ...]]:
    """Merge a project as a table (None if equal to the new one). List the lost edits. Changes the tables.

    If a person moved all levels alike, they stay there, as this is no edit of the level.
    """
    for side in (old, mine, fresh):
        header = side.get("__header__")
        if not isinstance(header, dict) or "LDtk" not in str(header.get("fileType")):
            raise CannotMerge("is not a project of LDtk")
        header.pop(DIGEST, None)
    if same(old, mine):
        return None, ()
    notes = Notes()
    for side in (old, mine, fresh):
        _check(side)
    try:
        step, other = world_step(old, mine), _moved_by_export(old, fresh)
        move_world(mine, (-step[0], -step[1]))
        added = added_to(mine, taken)
        for name in moved_levels(old, mine, taken):
            notes.add(f"level {name}: moved or resized, but the new level has it elsewhere")
        _take_out(old, mine, fresh, taken)
        project = _merged(old, mine, fresh, notes, added) if added or not same(old, mine) else None
        if step not in ((0, 0), other):
            project = project or fresh
            move_world(project, (step[0] - other[0], step[1] - other[1]))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, CannotMerge):
            raise
        raise CannotMerge(f"is not as LDtk writes it: {error}") from None
    return project, notes.lines()


def _moved_by_export(old: ProjectTable, fresh: ProjectTable) -> Point:
    """Return by how many px an export of the same rooms has all of them elsewhere."""
    before, after = ({level["iid"] for level in side["levels"]} for side in (old, fresh))
    return world_step(old, fresh) if before == after else (0, 0)


def _check(project: ProjectTable) -> None:
    """Raise CannotMerge for a project whose parts have no ids."""
    if not isinstance(project.get("levels"), list) or grid(project) > 1 << 12:
        raise CannotMerge("its levels are damaged")
    if project.get("worlds"):
        raise CannotMerge("its levels are in several worlds; keep them in one")
    for level in project["levels"]:
        if not isinstance(level, dict) or not isinstance(level.get("iid"), str):
            raise CannotMerge("has a level without an iid")
        for layer in tables(level.get("layerInstances")):
            instances = [layer, *tables(layer.get("entityInstances"))]
            if not all(isinstance(instance.get("iid"), str) for instance in instances):
                raise CannotMerge(f"level {level.get('identifier')}: a layer or entity has no iid")


def _take_out(old: ProjectTable, mine: ProjectTable, fresh: ProjectTable, taken: Taken) -> None:
    """Give levels that show rooms their place and size, and take out what the new project has, in place."""
    before = {level["iid"]: level for level in old["levels"]}
    if before and before.keys().isdisjoint(level["iid"] for level in mine["levels"]):
        raise CannotMerge("shows another level than the version from which it was made")
    mine["levels"] = [
        in_place(level, before[level["iid"]]) if level["iid"] in before else level for level in mine["levels"]
    ]
    set_world_places(mine)
    if taken == NOTHING:
        return
    other_theme = is_other_theme(old, fresh)
    mine["levels"] = as_exported(mine["levels"], old["levels"], "iid", taken)
    for level in mine["levels"]:
        was = before.get(level["iid"], {})
        layers = {layer["iid"]: layer for layer in tables(was.get("layerInstances"))}
        for layer in tables(level.get("layerInstances")):
            ours = layers.get(layer["iid"], {}).get("entityInstances", [])
            layer["entityInstances"] = as_exported(layer["entityInstances"], ours, "iid", taken)
        unpaint_level(level, was, taken, other_theme=other_theme)


def _merged(
    old: ProjectTable, mine: ProjectTable, fresh: ProjectTable, notes: Notes, added: list[AddedThing]
) -> ProjectTable | None:
    """Merge projects from which is taken out what the new one has. None if nothing is left to merge."""
    moves, iids = iids_between(old, mine, fresh)
    added_as = counterparts(added, fresh, moves, {*iids.values()}, grid(fresh))
    if same(old, mine) and not has_riders(added_as):
        return None
    iids |= {thing.table["iid"]: made["iid"] for thing, made in added_as}
    uids = uids_between(old, mine, fresh, iids)
    before, after = (translated(_top(side), uids, iids) for side in (old, mine))
    project: ProjectTable = merged(before, after, _top(fresh), LDTK, notes)
    free_uid = max([0, *uids.values(), *uids_of(mine), *uids_of(fresh)]) + 1
    layers = {layer["uid"]: layer["identifier"] for layer in tables(project.get("defs", {}).get("layers"))}
    work = LevelMerge(moves, uids, iids, grid(fresh), notes, layers)
    project["levels"] = _levels(old, mine, fresh, work)
    set_neighbours(project)
    set_world_places(project)
    give_riders(project, added_as, uids, iids)
    keep_needed(project, after)
    if "defs" in project:
        project["nextUid"] = max(free_uid, int(fresh.get("nextUid", 0)), int(mine.get("nextUid", 0)))
    complete(project)
    return {key: project[key] for key in dict.fromkeys((*fresh, *project)) if key in project}


def _levels(
    old: ProjectTable, mine: ProjectTable, fresh: ProjectTable, work: LevelMerge
) -> list[ProjectTable]:
    """Merge the levels of a project."""
    before, after = (
        {work.iids.get(level["iid"], level["iid"]): level for level in side["levels"]} for side in (old, mine)
    )
    current = {level["iid"]: level for level in fresh["levels"]}
    levels: list[ProjectTable] = []
    added = set()
    for key in in_order(list(before), list(after), list(current)):
        name = str(key)
        ours, theirs, now = before.get(name), after.get(name), current.get(name)
        if theirs is None:
            levels += [now] if now and ours is None else []
        elif now is not None:
            levels.append(work.pair(ours, theirs, now) if ours else theirs)
        elif ours is None:
            added.add(theirs["iid"])
            levels.append(work.added(theirs))
        else:
            work.gone(ours, theirs)
    named_apart(levels, added)
    return levels


def _top(project: ProjectTable) -> ProjectTable:
    return {key: value for key, value in project.items() if key not in ("levels", "nextUid")}
