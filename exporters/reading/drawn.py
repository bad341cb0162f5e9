"""From a drawing of somebody's own to a level: tiles with a meaning, and rooms, doors and markers as objects.

A drawing says where floor and walls are, and which rectangles are rooms. It is put into the form that levels
have: each room has walls of its own, all other floor is hallways, the rest is void. Then its rooms, doors and
markers are applied like edits of a level that has none, so that everything else follows from the tiles.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from exporters.reading.drawings import sheet_tiles
from exporters.reading.drawn_crossings import crossings
from exporters.reading.drawn_rooms import DrawnRoom, Sheet, sheet_of
from exporters.reading.edited import DOOR_VALUES, edited_and_told
from exporters.reading.objects import new_door_edits, new_room_edits, structure_key
from exporters.reading.seen import Edits, SeenThing
from exporters.registry import level_readers
from exporters.theme import Theme
from exporters.theme.loader import fitted, load_theme
from generator.algorithms.outline import outline
from generator.arrays import Mask
from generator.errors import BadInput, LayoutError, hint, shown
from generator.geometry import Point, Rect, Side
from generator.interiors.drawings import DrawnFiles
from generator.interiors.editor_room import NOTHING, DrawnObject, EditorRoom
from generator.interiors.interior import BURNS
from generator.kinds import VOID, WALL
from generator.kinds.kind_tables import HUNG
from generator.level import MAX_NAME, Level, Property, Tiles
from generator.named_tuple import NamedTuple
from generator.rerolls.record import EDITED
from generator.styles.drawn.spec import DrawnSpec
from generator.value_words import how_many

_ALL_ROUND = np.ones((3, 3), bool)
_OURS = ("style", "seed", "fingerprint", "spec")  # what our own maps say of their level
_MOST_MARKERS = 1 << 16
_PLACES = ("room", "hallway", "kind")  # follow from a marker's place and class


class DrawnLevel(NamedTuple):
    """The level of a drawing, and one line for each thing in it that a level cannot have.

    `sources` are the files that were read.
    """

    level: Level
    notes: list[str]
    sources: tuple[Path, ...] = ()


class _WallGap(NamedTuple):
    """A gap in the wall of a room: its tiles, also those in the wall of the other room if it has one."""

    tiles: Rect
    room: int
    other: int  # -1: a hallway


def drawn_level(
    file: str | os.PathLike[str],
    meanings: Mapping[str, str] = MappingProxyType({}),
    kit: str | os.PathLike[str] = "",
    theme: Theme | str | os.PathLike[str] | None = None,
) -> DrawnLevel:
    """Read the level that somebody drew as a .tmj, .tmx, .world or .ldtk. See `docs/draw-levels.md`.

    `meanings` has words for tiles that say nothing themselves, by the name of a layer, `TILESET:NUMBER` or in
    LDtk `LAYER:VALUE`. `kit` is the folder of a kit. The tiles of a `theme` mean what they mean in it. Raises
    BadInput for a file that cannot be read or is no level, and for a word that is none.
    """
    path, spec, readers = Path(file), DrawnSpec(kit=os.fspath(kit)), level_readers()
    if path.suffix.lower() not in readers:
        raise BadInput(f"{path}: cannot be drawn; give a file that ends in {', '.join(readers)}")
    files = DrawnFiles(path.parent, spec.load_kit(), of_level=True, said=meanings)
    if theme is not None:
        kinds = files.kinds
        loaded = fitted(theme, kinds) if isinstance(theme, Theme) else load_theme(theme, kinds)
        files.sheet_tiles = sheet_tiles(loaded)
    for name, word in meanings.items():
        if files.meaning(word) == NOTHING:
            words = [*files.kinds.terrain_ids, *files.kinds.decor_ids]
            raise BadInput(f"meaning: {name}={shown(word)[1:-1]}: no terrain or decor; {hint(word, words)}")
    made = level_of_drawing(readers[path.suffix.lower()](path, files), spec.sealed())
    return made._replace(notes=[*made.notes, *files.lost.lines()], sources=(path, *files.others))


def level_of_drawing(drawing: EditorRoom, spec: DrawnSpec) -> DrawnLevel:
    """Return the level that somebody drew. Raises LayoutError, with the object, if it cannot be one."""
    work = _LevelDrawing(drawing, sheet_of(drawing))
    made = work.level(spec)
    if work.crossings:
        made = _with_crossings(drawing, work, spec) or made
    digest = made.level.fingerprint[:16]
    return made._replace(level=replace(made.level, spec=replace(spec, drawing=digest)))


def _with_crossings(drawing: EditorRoom, work: _LevelDrawing, spec: DrawnSpec) -> DrawnLevel | None:
    """Return the level with a room at each crossing of hallways. None if the rooms have no place there."""
    places = [f"the crossing at {work.sheet.told(*rect[:2])}" for rect in work.crossings]
    items = [
        DrawnObject("room", work.sheet.in_drawing(rect, drawing.origin), {}, f"{drawing.place}: {place}")
        for rect, place in zip(work.crossings, places, strict=True)
    ]
    try:
        again = _LevelDrawing(drawing, sheet_of(drawing, items))
        made = again.level(spec)
    except LayoutError:
        return None
    if again.crossings:
        return None
    rest = f" and {len(items) - 1} more" * (len(items) > 1)
    note = f"{places[0]}{rest}: made a room there, because a hallway joins two rooms"
    return made._replace(notes=[*made.notes, note])


class _LevelDrawing:
    """A drawing while it is put into the form of a level."""

    def __init__(self, drawing: EditorRoom, sheet: Sheet) -> None:
        self.drawing, self.kinds, self.sheet = drawing, drawing.kinds, sheet
        self.walk = np.array([kind.walk for kind in self.kinds.terrain])
        self.door, self.hallway = (self.kinds.terrain_ids[name] for name in ("door", "hallway"))
        self.terrain: Tiles = sheet.terrain.copy()
        self.owner: npt.NDArray[np.int32] = np.full(self.terrain.shape, -1, np.int32)
        self.hangs: Mask = self.owner >= 0  # where decor can hang on a wall
        self.notes: list[str] = []
        self.crossings: list[Rect] = []  # of hallways, where they have no rooms
        self.names: dict[object, str] = {}  # what messages call the thing of an edit

    def level(self, spec: DrawnSpec) -> DrawnLevel:
        """Return the level."""
        rooms = self._ordered()
        for number, room in enumerate(rooms):
            self._place(number, room, rooms)
        openings = self._hallways_of(self._openings())
        doors = [item for item in self.sheet.others if item.kind == "door"]
        self._close_rings([*(opening.tiles for opening in openings), *(door.tiles for door in doors)])
        edits = self._room_edits(rooms) | self._door_edits(openings, doors)
        decor, markers = self._decor()
        markers = self._markers(decor, rooms, markers)
        bare = Level(
            seed=0,
            spec=spec,
            terrain=self.terrain,
            decor=decor,
            rooms=(),
            doors=(),
            markers=(),
            facts={key: value for key, value in self.drawing.header.items() if key not in _OURS},
            kinds=self.kinds,
        )
        made = edited_and_told(bare, edits | markers)
        for key, why in made.refused.items():
            if key[0] == "new room":
                raise LayoutError(f"{self.names[key]}: {why}")
            self.notes.append(f"{self.names[key]}: left out: {why}")
        level = replace(made.level, edited={}, rerolls=(EDITED,))
        return DrawnLevel(level, [*self.notes, *made.notes])

    # --- rooms ---------------------------------------------------------------------------------------

    def _ordered(self) -> list[DrawnRoom]:
        """Return the rooms, the start first: the room of this kind, or the one where the player starts."""
        rooms = [replace(room, item=self._checked(room.item)) for room in self.sheet.rooms]
        if all(_kind_of(room) != "start" for room in rooms):
            starts = [item.tiles[:2] for item in self.sheet.others if item.kind == "player_start"]
            rooms = [
                replace(room, item=_with(room.item, {"kind": "start"}))
                if not _kind_of(room) and any(room.has(*tile) for tile in starts[:1])
                else room
                for room in rooms
            ]
        if all(_kind_of(room) != "start" for room in rooms):
            self.notes.append("no room has the kind start; give it to the room where the player begins")
        return sorted(rooms, key=lambda room: _kind_of(room) != "start")

    def _checked(self, item: DrawnObject) -> DrawnObject:
        """Check the kind of a room, and name the room as its object is called."""
        kind = item.properties.get("kind", "")
        if kind and kind not in self.kinds.rooms:
            near = hint(str(kind), [*self.kinds.rooms])
            raise LayoutError(f"{item.place}: kind: {shown(kind)} is not a kind of room; {near}")
        name = item.name.strip()
        if "name" in item.properties or not name:
            return item
        if len(name) > MAX_NAME or not name.isprintable():
            self.notes.append(
                f"{item.place}: its name is left out: it is not one line of {MAX_NAME} characters"
            )
            return item
        return _with(item, {"name": name})

    def _place(self, number: int, room: DrawnRoom, rooms: Sequence[DrawnRoom]) -> None:
        """Give a room its tiles. Raises LayoutError if another room has one of them."""
        owner, terrain = self.owner[room.bounds.slices], self.terrain[room.bounds.slices]
        for y, x in np.argwhere(room.mask & (owner >= 0))[:1].tolist():
            at = self.sheet.told(room.bounds.x + x, room.bounds.y + y)
            other = rooms[owner[y, x]].item.place.rpartition(": ")[2]
            raise LayoutError(f"{room.item.place}: overlaps {other} at {at}; draw them apart, with walls")
        owner[room.mask] = number
        terrain[room.mask & (terrain == VOID)] = WALL

    def _room_edits(self, rooms: Sequence[DrawnRoom]) -> Edits:
        things = [_thing(room.item, room.bounds) for room in rooms]
        self._tell_unknown("rooms", things, ("kind", "difficulty", "layout", "zone", "name"))
        notes: list[str] = []
        edits = new_room_edits(things, self.kinds, notes)
        if notes:
            raise LayoutError(notes[0])
        for thing, room in zip(things, rooms, strict=True):
            key = structure_key("room", thing)
            self.names[key] = thing.name
            if not room.mask.all():
                edits[key]["outline"] = outline(room.mask, room.bounds[:2])
        return edits

    # --- doors and hallways ----------------------------------------------------------------------------

    def _openings(self) -> list[_WallGap]:
        """Find the gaps in walls: between two rooms, or between a room and floor that is in none."""
        outside = self.owner < 0
        walks = self.walk[self.terrain]
        self.terrain[outside & walks] = self.hallway
        self.terrain[outside & ~walks] = VOID
        return [opening for side in Side for opening in self._gaps(side)]

    def _gaps(self, side: Side) -> Iterator[_WallGap]:
        walks, owner = self.walk[self.terrain], self.owner

        def shifted(array: npt.NDArray[np.int32] | Mask, steps: int) -> npt.NDArray[np.int32]:
            return np.roll(array, (-side.dy * steps, -side.dx * steps), (0, 1)).astype(np.int32)

        behind = shifted(owner, 1)
        found = (owner >= 0) & walks & (behind != owner) & (shifted(walks, 1) > 0)
        found &= (shifted(owner, -1) == owner) & (shifted(walks, -1) > 0)
        found &= (behind < 0) | ((shifted(owner, 2) == behind) & (shifted(walks, 2) > 0))
        if side in (Side.NORTH, Side.WEST):  # a door of two rooms is found from one of them
            found &= behind < 0
        runs: list[tuple[list[Point], int, int]] = []
        along = (0, 1) if side.dx else (1, 0)
        tiles = sorted(
            ((x, y) for y, x in np.argwhere(found).tolist()), key=lambda at: at if side.dx else at[::-1]
        )
        for x, y in tiles:
            pair = int(owner[y, x]), int(behind[y, x])
            if runs and runs[-1][1:] == pair and (x - along[0], y - along[1]) == runs[-1][0][-1]:
                runs[-1][0].append((x, y))
            else:
                runs.append(([(x, y)], *pair))
        for run, room, other in runs:
            beyond = [(x + side.dx, y + side.dy) for x, y in run] if other >= 0 else []
            yield _WallGap(Rect.around((*run, *beyond)), room, other)

    def _hallways_of(self, openings: Sequence[_WallGap]) -> list[_WallGap]:
        """Leave out floor outside of rooms that joins no two of them, and gaps that lead only there."""
        labels = np.zeros(self.terrain.shape, np.int32)
        count = ndimage.label(self.terrain == self.hallway, output=labels)
        ends: dict[int, list[_WallGap]] = {}
        leads_to = {}
        for opening in openings:
            if opening.other < 0:
                near = labels[opening.tiles.shrunk(-1).slices]
                mask = ndimage.binary_dilation(np.pad(np.ones(opening.tiles[:1:-1], bool), 1))
                leads_to[opening] = next(int(number) for number in near[mask] if number)
                ends.setdefault(leads_to[opening], []).append(opening)
        joins = np.zeros(count + 1, bool)
        joins[[number for number, gaps in ends.items() if len({gap.room for gap in gaps}) > 1]] = True
        lost = (labels > 0) & ~joins[labels]
        for y, x in np.argwhere(lost)[:1].tolist():
            number = how_many(int(np.count_nonzero(lost)), "tile")
            at = self.sheet.told(x, y)
            self.notes.append(f"left out: {number} of floor in no room that join no two, the first at {at}")
        self.terrain[lost] = VOID
        self._find_crossings(labels, {n: gaps for n, gaps in ends.items() if joins[n] and len(gaps) > 2})
        return [opening for opening in openings if opening.other >= 0 or joins[leads_to[opening]]]

    def _find_crossings(
        self, labels: npt.NDArray[np.int32], branching: Mapping[int, Sequence[_WallGap]]
    ) -> None:
        """Find where hallways with more than two ends cross, and tell of each."""
        renumbered = np.zeros(int(labels.max()) + 1, np.int32)
        renumbered[[*branching]] = np.arange(1, len(branching) + 1)
        few = renumbered[labels]
        for number, (box, gaps) in enumerate(
            zip(ndimage.find_objects(few), branching.values(), strict=True), 1
        ):
            rows, columns = box
            hallway = few[box] == number
            at = self.sheet.told(columns.start + int(np.argmax(hallway[0])), rows.start)
            self.notes.append(
                f"the hallway at {at} has {len(gaps)} ends, and a hallway joins two rooms; draw a room where "
                "it branches"
            )
            self.crossings += crossings(hallway, (columns.start, rows.start), [gap.tiles for gap in gaps])

    def _close_rings(self, doors: Sequence[Rect]) -> None:
        """Put walls into gaps that are no doors, and into what else somebody drew in the walls of a room."""
        wide = np.pad(self.owner, 1, constant_values=-1)
        least, most = (
            filter_(wide, 3)[1:-1, 1:-1] for filter_ in (ndimage.minimum_filter, ndimage.maximum_filter)
        )
        ring = (self.owner >= 0) & ((least != self.owner) | (most != self.owner))
        for rect in doors:
            ring[rect.slices] = False
        ring &= self.terrain != WALL
        gaps = np.argwhere(ring & self.walk[self.terrain])
        for y, x in gaps[:1].tolist():
            gone = f"{how_many(len(gaps), 'tile')} of floor in walls, with nothing behind"
            self.notes.append(f"closed: {gone}, the first at {self.sheet.told(x, y)}")
        self.terrain[ring] = WALL

    def _door_edits(self, openings: Sequence[_WallGap], doors: Sequence[DrawnObject]) -> Edits:
        """Return the doors: gaps, each with what the object over it says, and objects where there is none."""
        things, left = [], list(doors)
        for opening in openings:
            over = [door for door in left if _touch(door.tiles, opening.tiles)]
            left = [door for door in left if door not in over]
            item = over[0] if over else DrawnObject("door", opening.tiles, {}, self._gap_name(opening))
            things.append(_thing(item, opening.tiles))
        things += [_thing(door, door.tiles) for door in left]
        self._tell_unknown("doors", things, DOOR_VALUES)
        self.names |= {structure_key("door", thing): thing.name for thing in things}
        return new_door_edits(things, self.kinds, self.notes)

    def _tell_unknown(self, what: str, things: Sequence[SeenThing], known: Sequence[str]) -> None:
        names = sorted({name for thing in things for name in thing.properties} - {*known})
        if names:
            listed = ", ".join(shown(name)[1:-1] for name in names)
            self.notes.append(f"left out: properties that {what} of a level do not have: {listed}")

    def _gap_name(self, opening: _WallGap) -> str:
        return f"the gap at {self.sheet.told(*opening.tiles[:2])}"

    # --- decor and markers -----------------------------------------------------------------------------

    def _decor(self) -> tuple[Tiles, Edits]:
        """Return the decor that stands where decor can, and the edits that add the light of what burns."""
        covered, decor = self.sheet.decor, np.zeros_like(self.sheet.decor)
        self.hangs = (self.owner >= 0) | (ndimage.maximum_filter(self.terrain == self.hallway, 3) > 0)
        self.hangs &= self.sheet.terrain == WALL
        stands = self.walk[self.terrain] & (self.owner >= 0) & (self.terrain != self.door)
        lights: Edits = {}
        burning = {name: kind for kind, names in BURNS.items() for name in names}
        for number in np.unique(covered[covered > 0]).tolist():
            kind = self.kinds.decor[number]
            free = (covered == number) & (self.hangs if kind.name in HUNG else stands)
            lost = int(np.count_nonzero(covered == number) - np.count_nonzero(free))
            if kind.width * kind.height == 1:
                decor[free] = number
            else:
                lost += _put_whole(decor, number, free, (kind.width, kind.height))
            if burning.get(kind.name) in self.kinds.markers:
                places = np.argwhere(decor == number).tolist()
                lights |= {("new marker", burning[kind.name], x, y): {} for y, x in places}
            if lost:
                of = f"{kind.name}, not whole or where nothing can stand"
                self.notes.append(f"left out: {how_many(lost, 'tile')} of {of}")
        return decor, lights

    def _markers(self, decor: Tiles, rooms: Sequence[DrawnRoom], lights: Edits) -> Edits:
        """Return the edits that add the markers; what burns is there by its decor, or put there."""
        edits = dict(lights)
        unknown: Counter[str] = Counter()
        outside: Counter[str] = Counter()
        height, width = self.terrain.shape
        for item in self.sheet.others:
            if item.kind == "door":
                continue
            x, y = item.tiles[:2]
            burns = BURNS.get(item.kind, ())
            if item.kind not in self.kinds.markers:
                unknown[item.kind] += 1
            elif not (0 <= x < width and 0 <= y < height and self._has_place(x, y, burns)):
                outside[item.kind] += 1
            else:
                own = {key: value for key, value in item.properties.items() if key not in _PLACES}
                edits["new marker", item.kind, x, y] = own
                if burns and self.kinds.decor[decor[y, x]].name not in burns:
                    decor[y, x] = self.kinds.decor_ids[burns[0]]
        if len(edits) > _MOST_MARKERS:
            raise self.drawing.fail(f"has {len(edits)} markers; draw at most {_MOST_MARKERS}")
        for kind, count in outside.items():
            of = f"of the class {shown(kind)} where none can be"
            self.notes.append(f"left out: {how_many(count, 'object')} {of}")
        for kind, count in unknown.items():
            of = f"of the class {shown(kind)}, which is no kind of marker" if kind else "without a class"
            self.notes.append(f"left out: {how_many(count, 'object')} {of}")
        if rooms and _kind_of(rooms[0]) == "start" and not any(key[1] == "player_start" for key in edits):
            edits["new marker", "player_start", *self._middle(rooms[0], decor)] = {}
        return edits

    def _has_place(self, x: int, y: int, burns: Sequence[str]) -> bool:
        """Check whether a marker can be on a tile: the light of what burns on a wall, all others inside."""
        if burns and burns[0] in HUNG:
            return bool(self.hangs[y, x])
        return bool(self.owner[y, x] >= 0 or self.terrain[y, x])

    def _middle(self, room: DrawnRoom, decor: Tiles) -> Point:
        """Return the free floor of a room that is nearest to its middle."""
        free = room.mask & self.walk[self.terrain[room.bounds.slices]] & (decor[room.bounds.slices] == 0)
        free &= self.terrain[room.bounds.slices] != self.door
        free &= ndimage.binary_erosion(room.mask, _ALL_ROUND)
        tiles = np.argwhere(free if free.any() else room.mask)
        steps = np.abs(2 * tiles - [room.bounds.height - 1, room.bounds.width - 1]).sum(axis=1)
        y, x = tiles[int(np.argmin(steps))].tolist()
        return room.bounds.x + x, room.bounds.y + y


def _put_whole(decor: Tiles, number: int, free: Mask, size: Point) -> int:
    """Put pieces of decor where all tiles of one are free, row by row. Return how many tiles are left."""
    width, height = size
    for y, x in np.argwhere(free).tolist():
        piece = free[y : y + height, x : x + width]
        if piece.size == width * height and piece.all():
            decor[y, x] = number
            piece[:] = False
    return int(np.count_nonzero(free))


def _kind_of(room: DrawnRoom) -> str:
    return str(room.item.properties.get("kind", ""))


def _with(item: DrawnObject, values: Mapping[str, Property]) -> DrawnObject:
    return item._replace(properties={**item.properties, **values})


def _thing(item: DrawnObject, tiles: Rect) -> SeenThing:
    return SeenThing(item.place, -1, item.kind, tiles, item.properties, item.place)


def _touch(a: Rect, b: Rect) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom
