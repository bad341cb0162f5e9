"""Edits of tiles: terrain painted, decor added and removed, doors drawn as another kind.

Only tiles that differ are compared. Tiles that a terrain brush changes around a wall mean the same as before,
so they are not edits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from exporters.dress import EMPTY, tiles_by_rules
from exporters.formats.ldtk import kinds as ldtk_kinds
from exporters.looks import terrains
from exporters.reading.looks import look_edits
from exporters.reading.meaning import TopLeft, door_kind, grid_terrains, things
from exporters.reading.objects import unusable_parts
from exporters.reading.seen import (
    FOREIGN,
    TURNED,
    CellChange,
    Edits,
    SeenPart,
    ShownCells,
    ShownLevel,
    changed_cells,
)
from exporters.theme import Theme
from generator.checks.base import owners
from generator.geometry import Point, Rect
from generator.level import Level

_TERRAIN = ("terrain", "walls", "ground", "fixed")  # the first of these layers that differs decides


def cell_edits(before: ShownLevel, now: ShownLevel, level: Level, theme: Theme, notes: list[str]) -> Edits:
    """Find the edits of all layers. Tiles without a meaning are added to `notes`, one line per reason."""
    by_tile: dict[Point, dict[str, CellChange]] = {}
    beyond: list[Point] = []
    rooms = {room.part for room in now.rooms}
    unusable = unusable_parts(before, now, level)
    now = _without_tops(before, now)
    shown = {name: (part, now.parts[name]) for name, part in before.parts.items() if name in now.parts}
    added = {name: part for name, part in now.parts.items() if name not in {*before.parts, *unusable}}
    shown |= {name: (_nothing_in(part), part) for name, part in added.items()}
    for old, new in shown.values():
        for change in changed_cells(old, new):
            x, y = change.tile
            if 0 <= x < level.width and 0 <= y < level.height:
                known = by_tile.setdefault(change.tile, {})
                if change.layer not in known or change.new not in (EMPTY, 0):  # a room may come where one was
                    known[change.layer] = change
            elif change.new not in (EMPTY, 0):
                beyond.append(change.tile)
    notes += [
        f"{name}: is gone; what it showed stays as it was"
        for name in before.parts
        if name and name not in now.parts and name not in {room.part for room in before.rooms}
    ]
    notes += [
        f"{now.parts[name].name}: left out with all that is painted in it: it is not inside the level"
        for name in unusable
        if name not in rooms
    ]
    stayed = {room.tiles for room in before.rooms} & {room.tiles for room in now.rooms}
    moved = [room.tiles for room in (*before.rooms, *now.rooms) if room.tiles not in stayed]
    reader = _CellReader(now, level, theme, moved)
    foreign = [
        tile for tile, changes in by_tile.items() for change in changes.values() if change.new == FOREIGN
    ]
    edits = {
        **reader.terrain(by_tile),
        **reader.decor(_of(by_tile, "decor")),
        **reader.doors(_of(by_tile, "doors")),
    }
    edited = {(int(x), int(y)) for _, x, y, *_ in _tiles_of(edits)}
    near = {(x + dx, y + dy) for x, y in edited for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    explained = {*foreign, *reader.unknown, *reader.understood, *edited}
    looks = [  # a program draws the neighbours of an edit anew, but only people paint over LDtk's rules
        tile
        for tile, changes in by_tile.items()
        if tile not in explained and (tile not in near or "fixed" in changes)
    ]
    found = look_edits({tile: by_tile[tile].values() for tile in looks}, level, theme)
    edits |= found.edits
    looks = [tile for tile in looks if tile not in found.tiles]
    for affected, reason in (
        (beyond, "outside the level, which keeps its size"),
        (foreign, "of another tileset than the theme's, so they have no meaning"),
        (reader.unknown, "of an incomplete thing or door, or in a place where they have no meaning"),
        (looks, "another look that the level does not hold; it stays in this file"),
    ):
        if affected:
            x, y = affected[0]
            tiles = "a tile" if len(affected) == 1 else f"{len(affected)} tiles"
            notes.append(f"{tiles} left out, the first at {x},{y}: {reason}")
    return edits


def _rooms_in(name: str, now: ShownLevel) -> list[Rect]:
    """Return where the rooms of a part are."""
    return [room.tiles for room in now.rooms if room.part == name]


def _without_tops(before: ShownLevel, now: ShownLevel) -> ShownLevel:
    """Leave out the tops of the walls of rooms that are new or elsewhere, which are drawn behind the room."""
    if len(now.parts) == 1:
        return now
    rooms = {name: _rooms_in(name, now) for name in now.parts}
    elsewhere = {name for name, inside in rooms.items() if inside and inside != _rooms_in(name, before)}
    parts = {
        name: _within(part, rooms[name]) if name in elsewhere else part for name, part in now.parts.items()
    }
    return replace(now, parts=parts)


def _within(part: SeenPart, rooms: Sequence[Rect]) -> SeenPart:
    """Return a part with nothing outside its rooms."""
    layers = {}
    for name, cells in part.layers.items():
        layers[name] = np.full_like(cells, 0 if name == "terrain" else EMPTY)
        for room in rooms:
            x, y = max(room.x - part.x, 0), max(room.y - part.y, 0)
            inside = slice(y, max(room.bottom - part.y, 0)), slice(x, max(room.right - part.x, 0))
            layers[name][inside] = cells[inside]
    return part._replace(layers=layers)


def _nothing_in(part: SeenPart) -> SeenPart:
    """Return a part with nothing painted in it."""
    nothing = {
        name: np.full_like(cells, 0 if name == "terrain" else EMPTY) for name, cells in part.layers.items()
    }
    return part._replace(layers=nothing)


def _of(by_tile: Mapping[Point, Mapping[str, CellChange]], layer: str) -> dict[Point, CellChange]:
    return {tile: changes[layer] for tile, changes in by_tile.items() if layer in changes}


def _tiles_of(edits: Edits) -> Iterable[tuple[object, int, int]]:
    return [key for key in edits if key[0] in ("terrain", "decor")]


class _CellReader:
    """Reads the changed tiles of a file. `unknown` are those without a meaning.

    `moved` are the places of rooms that are gone, new, or elsewhere.
    """

    def __init__(self, now: ShownLevel, level: Level, theme: Theme, moved: Sequence[Rect]) -> None:
        self._now, self._level, self._theme, self._moved = now, level, theme, moved
        self._names = [kind.name for kind in level.terrain_kinds]
        self._placed = [room.tiles for room in now.rooms if room.tiles in moved]  # new, or elsewhere now
        self._owners = owners(level)
        self.unknown: list[Point] = []
        self.understood: set[Point] = set()

    def terrain(self, by_tile: Mapping[Point, Mapping[str, CellChange]]) -> Edits:
        """Find the new terrain of each tile whose terrain changed."""
        edits: Edits = {}
        for tile, changes in by_tile.items():
            layers = [changes[name] for name in _TERRAIN if name in changes]
            if not layers:
                continue
            old = self._names[self._level.terrain[tile[1], tile[0]]]
            name = self._painted(tile, old, layers[0]) if layers[0].layer == "terrain" else None
            if name is None and not (layers[0].layer == "fixed" and layers[0].new == EMPTY):
                name = self._drawn(tile, old, changes)
            if name is not None and name != old and name in self._names:
                edits["terrain", *tile] = name
        return self._without_rims(edits | self._walls_as_before(by_tile, edits))

    def _walls_as_before(self, by_tile: Collection[Point], edits: Edits) -> Edits:
        """Find walls of new rooms where the void looked like them: as the front of another room's wall."""
        ground = {key[1:] for key, name in edits.items() if name not in ("void", "wall")}
        beside = {(x + dx, y + dy) for x, y in ground for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        return {
            ("terrain", x, y): "wall"
            for x, y in beside.difference(by_tile)
            if 0 <= y < self._level.terrain.shape[0]
            and 0 <= x < self._level.terrain.shape[1]
            and any(rect.contains(x, y) for rect in self._placed)
            and self._names[self._level.terrain[y, x]] == "void"
            and "wall" in terrains(self._theme).get(_at(self._now, "walls", (x, y)) % TURNED, ())
        }

    def _without_rims(self, edits: Edits) -> Edits:
        """Leave out walls in the void that are only the tops and fronts, by the rules, of the others."""
        walls = [key[1:] for key, name in edits.items() if name == "wall"]
        tiles = {tile: _at(self._now, "walls", tile) for tile in walls if self._may_be_rim(*tile)}
        if not tiles:
            return edits
        terrain = self._level.terrain.copy()
        for (_, x, y), name in edits.items():
            if (x, y) not in tiles:
                terrain[y, x] = self._names.index(name)
        drawn = tiles_by_rules(replace(self._level, terrain=terrain), self._theme, "walls", tiles)
        rims = {
            ("terrain", *tile)
            for (tile, index), own in zip(tiles.items(), drawn, strict=True)
            if index % self._theme.sheet_tiles in own
        }
        return {key: name for key, name in edits.items() if key not in rims}

    def _may_be_rim(self, x: int, y: int) -> bool:
        if self._names[self._level.terrain[y, x]] != "void" or _at(self._now, "ground", (x, y)) != EMPTY:
            return False
        return not any(rect.contains(x, y) for rect in self._placed)

    def _painted(self, tile: Point, old: str, change: CellChange) -> str | None:
        """Return the terrain of an IntGrid value."""
        if change.new == 0:
            return "void"
        first = ldtk_kinds.first_look(self._theme)
        value = int(first[change.new]) if change.new in range(len(first)) else change.new
        if value == ldtk_kinds.STONE:
            return "void" if old == "void" else "wall"
        name = grid_terrains(self._level.kinds).get(value)
        if name is None:
            self.unknown.append(tile)
        return name

    def _drawn(self, tile: Point, old: str, changes: Mapping[str, CellChange]) -> str | None:
        """Find the terrain that the tiles of Ground and Walls show, or None if unchanged."""
        top = changes.get("fixed")
        shown = [top.new] if top else [_at(self._now, layer, tile) for layer in ("walls", "ground")]
        for index in shown:
            if index == FOREIGN:
                return None
            if index == EMPTY:
                continue
            names = terrains(self._theme).get(index % TURNED)
            if names is None:
                self.unknown.append(tile)
                return None
            rim = old == "void" and "wall" in names and "walls" in changes and changes["walls"].old != EMPTY
            rim = rim and not any(rect.contains(*tile) for rect in self._placed)
            return old if old in names or rim else self._likeliest(tile, names)
        return "void"

    def _likeliest(self, tile: Point, names: tuple[str, ...]) -> str:
        inside = self._owners[tile[1], tile[0]] >= 0
        wanted = "floor" if inside else "hallway"
        return wanted if wanted in names else names[0]

    def decor(self, changed: Mapping[Point, CellChange]) -> Edits:
        """Find decor that was added, and decor that was removed."""
        if not changed:
            return {}
        before = self._things_at(changed)
        region = sorted(
            {*changed, *(cell for piece in before.values() for cell in _cells_of(*piece))}, key=_row_major
        )
        after: dict[Point, TopLeft] = {}
        claimed: set[Point] = set()
        for cell in region:
            index = _at(self._now, "decor", cell)
            if cell in claimed or index in (EMPTY, FOREIGN):
                continue
            piece = self._thing(cell, index % TURNED, claimed, before)
            if piece is None:
                self.unknown.append(cell)
                continue
            after[cell] = piece
            claimed |= _cells_of(cell, piece)
        edits: Edits = {}
        for tile in sorted({*before, *after}, key=_row_major):
            old, now = before.get(tile), after.get(tile)
            if now is None and old and any(self._is_riddle(cell) for cell in _cells_of(*old)):
                continue  # a tile that means nothing to a level hides it in this file only
            if now is None or old is None or old[1].name != now.name:
                edits["decor", *tile] = now.name if now else ""
                self.understood |= _cells_of(*old) if old else set()
                self.understood |= _cells_of(tile, now) if now else set()
        return edits

    def _is_riddle(self, cell: Point) -> bool:
        """Check whether a cell of Decor has a tile without a meaning."""
        index = _at(self._now, "decor", cell)
        return index == FOREIGN or (
            index != EMPTY and index % TURNED not in things(self._theme) and cell in self.unknown
        )

    def _things_at(self, changed: Mapping[Point, CellChange]) -> dict[Point, tuple[Point, TopLeft]]:
        """Find the level's decor that covers any changed tile, by its top left tile."""
        pieces = {}
        for y, x in np.argwhere(self._level.decor).tolist():
            number = int(self._level.decor[y, x])
            kind = self._level.decor_kinds[number]
            piece = TopLeft(number, kind.name, kind.width, kind.height)
            if not _cells_of((x, y), piece).isdisjoint(changed):
                pieces[x, y] = (x, y), piece
        return pieces

    def _thing(
        self, cell: Point, index: int, claimed: set[Point], before: Mapping[Point, tuple[Point, TopLeft]]
    ) -> TopLeft | None:
        """Find the complete thing whose top left tile is at a cell: the previous one if possible."""
        complete = [
            piece
            for piece in things(self._theme).get(index, ())
            if all(
                _at(self._now, "decor", (cell[0] + dx, cell[1] + dy)) % TURNED
                == index + dy * self._theme.columns + dx
                and (cell[0] + dx, cell[1] + dy) not in claimed
                for dy in range(piece.height)
                for dx in range(piece.width)
            )
        ]
        old = before.get(cell)
        return next(
            (candidate for candidate in complete if old and candidate.name == old[1].name),
            complete[0] if complete else None,
        )

    def doors(self, changed: Mapping[Point, CellChange]) -> Edits:
        """Find the kinds that doors are drawn as now."""
        edits: Edits = {}
        known = {door.id for door in self._level.doors}
        added = [door.tiles for door in self._now.doors if door.number not in known]
        added += self._moved  # doors follow their rooms
        left = {tile for tile in changed if not any(rect.contains(*tile) for rect in added)}
        for door in self._level.doors if changed else ():
            if left.isdisjoint(door.tiles):
                continue
            shown = {tile: _at(self._now, "doors", tile) for tile in door.tiles}
            kind = door_kind(door, shown, self._theme, self._level)
            if kind and kind != door.kind:
                edits["door", door.id, "kind"] = kind
                self.understood |= set(door.tiles)
            elif not kind and set(shown.values()) != {EMPTY}:
                self.unknown += sorted(left & set(door.tiles), key=_row_major)
            left -= set(door.tiles)
        self.unknown += sorted(
            (tile for tile in left if changed[tile].new not in (EMPTY, FOREIGN)), key=_row_major
        )
        return edits


def _row_major(tile: Point) -> Point:
    return tile[1], tile[0]


def _cells_of(tile: Point, piece: TopLeft) -> set[Point]:
    return {(tile[0] + dx, tile[1] + dy) for dy in range(piece.height) for dx in range(piece.width)}


def _at(seen: ShownLevel, layer: str, tile: Point) -> int:
    """Return what a layer shows at a tile, in any part."""
    for part in seen.parts.values():
        cells: ShownCells | None = part.layers.get(layer)
        if cells is not None:
            y, x = tile[1] - part.y, tile[0] - part.x
            if 0 <= y < cells.shape[0] and 0 <= x < cells.shape[1] and cells[y, x] != EMPTY:
                return int(cells[y, x])
    return EMPTY
