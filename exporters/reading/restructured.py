"""Apply edits of a level's structure: rooms added, removed, moved and resized; doors added; hallways dug.

A person says what a room or door is; everything else follows from the tiles, as it does for a level that was
generated: outlines, cells, the rooms of doors and markers, hallways, depths, distances and facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import scipy  # its modules are loaded when they are used

from exporters.reading.follows import tree_first, with_facts, with_markers
from exporters.reading.restructured_doors import DoorWork
from exporters.reading.seen import EditKey, Edits
from generator.arrays import Mask
from generator.geometry import Point, Side
from generator.level import Door, Hallway, Level
from generator.things import called

_ALL_ROUND = np.ones((3, 3), bool)
_SOLID = ("void", "wall")  # what closes a hallway


@dataclass(frozen=True)
class Restructured:
    """A level with another structure.

    `refused` are the edits that do not fit it, each with the reason. `notes` say what else was changed.
    """

    level: Level
    refused: Mapping[EditKey, str]
    notes: tuple[str, ...] = ()


def is_structural(key: EditKey) -> bool:
    """Check whether an edit changes which rooms and doors there are, and where rooms are."""
    return key[0] in ("new room", "new door") or (key[0] == "room" and key[2] in ("gone", "bounds"))


def changes_structure(level: Level, edits: Edits) -> bool:
    """Check whether edits change the rooms or connections of a level."""
    names = [kind.name for kind in level.terrain_kinds]
    if any(map(is_structural, edits)):
        return True
    if "hallway" not in names or level.grid is not None:
        return False
    in_hallways = {door for way in level.hallways for door in way.doors}
    for key, value in edits.items():
        if key[0] == "door" and key[2] == "gone" and key[1] in in_hallways:
            return True
        if key[0] == "terrain":
            old = names[level.terrain[key[2], key[1]]]
            if (old in _SOLID and value == "hallway") or (old == "hallway" and value in _SOLID):
                return True
    return False


def restructured(before: Level, level: Level, edits: Edits) -> Restructured:
    """Apply the structural edits to `level`, which has all other edits of `before` already.

    Its rooms still have the numbers of `before`, and its doors their own ids, which may have gaps.
    """
    work = _Work(before, level)
    work.change_rooms(edits)
    work.change_doors(edits)
    work.follow_hallways()
    return Restructured(work.numbered(), work.refused, tuple(dict.fromkeys(work.notes)))


class _Work(DoorWork):
    """The level while its hallways change, after its doors."""

    def follow_hallways(self) -> None:
        """Make the hallways anew from the tiles: each joins the two doors that lead into it.

        What is left of one that does not join two rooms any more is filled in, with its doors.
        """
        if self.hallway_tile < 0 or self.level.grid is not None:
            return
        solid = [number for number, kind in enumerate(self.level.terrain_kinds) if kind.name in _SOLID]
        labels, count = scipy.ndimage.label(
            ~np.isin(self.terrain, [*solid, self.door_tile]) & (self.owner == -1)
        )
        ends: dict[int, list[Door]] = {number: [] for number in range(1, count + 1)}
        for door in list(self.doors.values()):
            side = Side.named(door.side)
            behind = {self.value_at(labels, x + side.dx, y + side.dy) for x, y in door.tiles}
            if door.rooms[1] is None and len(behind) == 1 and 0 not in behind:
                ends[behind.pop()].append(door)
            elif door.rooms[1] is None:
                self.drop_door(door)
        before = self.hallways
        made = [way for number, doors in ends.items() for way in self._ways_in(labels == number, doors)]
        self.hallways = sorted(made, key=lambda way: way.id)
        kept = {way.id for way in self.hallways}
        self._clear_beside([way for way in before if way.id not in kept])
        floor = self._tiles_of(self.hallways)
        beside = scipy.ndimage.binary_dilation(floor, _ALL_ROUND) & (self.owner == -1) & (self.terrain == 0)
        self.terrain[beside] = self.wall

    def _tiles_of(self, hallways: Iterable[Hallway]) -> Mask:
        mask = np.zeros(self.terrain.shape, bool)
        for way in hallways:
            for x, y in way.tiles:
                mask[y, x] = True
        return mask

    def _clear_beside(self, closed: Iterable[Hallway]) -> None:
        """Clear the walls in and beside hallways that were closed, where they stand beside nothing else."""
        near = scipy.ndimage.binary_dilation(self._tiles_of(closed), _ALL_ROUND) & (self.owner == -1)
        used = scipy.ndimage.binary_dilation(self.walk[self.terrain] & (self.owner == -1), _ALL_ROUND)
        self.clear(near & ~used & (self.terrain == self.wall))

    def _ways_in(self, mask: Mask, doors: list[Door]) -> list[Hallway]:
        """Return the hallways of connected tiles, which these doors lead to."""
        tiles = {(int(x), int(y)) for y, x in np.argwhere(mask)}
        here = [way for way in self.hallways if not tiles.isdisjoint(way.tiles)]
        if len(doors) == 2 and doors[0].rooms[0] != doors[1].rooms[0]:
            ids = {door.id for door in doors}
            old = next((way for way in here if set(way.doors) == ids), None)
            if old is None:
                return [Hallway(1 << 30, (min(ids), max(ids)), tuple(sorted(tiles, key=_row_major)))]
            kept = [tile for tile in old.tiles if tile in tiles]
            return [replace(old, tiles=(*kept, *sorted(tiles - {*kept}, key=_row_major)))]
        if len(doors) > 2:  # it branches; a rule says so
            whole = {door.id for door in doors}
            return [way for way in here if whole.issuperset(way.doors) and tiles.issuperset(way.tiles)]
        if here:
            for way in here:
                name = called(self.level, "hallway", way.id)
                ends = " and ".join(called(self.before, "door", door) for door in way.doors)
                self.notes.append(f"{name}: no longer joins two rooms, so it is closed, with {ends}")
            self._close(mask, doors)
        else:
            for door in doors:
                self.drop_door(door)
        return []

    def _close(self, mask: Mask, doors: list[Door]) -> None:
        """Fill in what is left of a hallway."""
        for door in doors:
            self.drop_door(door)
        self.clear(mask)

    # --- the level -----------------------------------------------------------------------------------

    def numbered(self) -> Level:
        """Return the level, with all numbers counted again, and with everything that follows from it."""
        rooms = {old: new for new, old in enumerate(sorted(self.rooms))}
        ways = tree_first(self.hallways, self.doors)
        doors = {old: new for new, old in enumerate(sorted(self.doors))}
        level = replace(
            self.level,
            terrain=self.terrain,
            decor=self.decor,
            rooms=tuple(replace(self.rooms[old], id=new) for old, new in rooms.items()),
            doors=tuple(
                replace(
                    door,
                    id=doors[door.id],
                    rooms=(rooms[door.rooms[0]], None if door.rooms[1] is None else rooms[door.rooms[1]]),
                    opens_from=None if door.opens_from is None else rooms[door.opens_from],
                )
                for _, door in sorted(self.doors.items())
            ),
            hallways=tuple(
                replace(way, id=number, doors=(doors[way.doors[0]], doors[way.doors[1]]))
                for number, way in enumerate(ways)
            ),
            rerolls=tuple(
                {**row, "room": rooms[row["room"]]} if "room" in row else row  # type: ignore[index]
                for row in self.level.rerolls
                if row.get("room", min(self.rooms, default=0)) in self.rooms
            ),
        )
        numbers = {way.id: number for number, way in enumerate(ways)}
        return with_facts(with_markers(level, self.dropped, numbers), self.before)


def _row_major(tile: Point) -> Point:
    return tile[1], tile[0]
