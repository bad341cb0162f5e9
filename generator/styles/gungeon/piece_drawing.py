"""The drawing of a set piece: its rooms, the hallways between them, and the doorways that lead outside.

#######  #######      Room 1 and room 2 are parts of the floor, each with its number. Doorways `+` pass
#..1..++++..2..#      through two walls and what is between them, or through an outer wall.
#######  ##+####
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import combinations
from pathlib import Path
from typing import NoReturn, TypeVar

from generator.algorithms.graph import kruskal
from generator.errors import KitError, LayoutError
from generator.geometry import Point, Rect, Side
from generator.interiors.interior import joined
from generator.interiors.layout_file import parse_layout
from generator.interiors.layout_rules import check_map, check_rules
from generator.interiors.layouts import Exit, Layout
from generator.interiors.pool_rules import check_markers
from generator.kinds import Kit
from generator.kinds.set_pieces import DOORWAY, LABELS, OUTSIDE_SIGN, WALL_SIGN, SetPieceRow
from generator.named_tuple import NamedTuple
from generator.shapes import mirrored_side
from generator.styles.gungeon.furnishing.gungeon_layouts import GungeonLayout
from generator.styles.gungeon.furnishing.kit_tables import off_the_way

T = TypeVar("T")
SET_PIECE = "set_piece/"  # how the names of the layouts of its rooms begin


@dataclass(frozen=True, eq=False)
class PieceRoom(GungeonLayout):
    """One image of a room of a set piece. It is quiet if no enemy is drawn in it."""

    title: str = ""
    is_quiet: bool = False


class Doorway(NamedTuple):
    """A doorway of the drawing: the tiles of its part, and the rooms at its ends with their sides."""

    tiles: Rect
    ends: tuple[tuple[int, Side], ...]

    def middle(self) -> int:
        """Return the doubled middle of the doorway, along the walls that it passes through."""
        x, y, width, height = self.tiles
        return 2 * x + width if self.ends[0][1].is_vertical_way else 2 * y + height

    def mirrored(self, width: int) -> Doorway:
        """Return the doorway in a drawing of this width with left and right swapped."""
        ends = tuple((room, mirrored_side(side, "h")) for room, side in self.ends)
        return Doorway(mirrored_rect(self.tiles, width), ends)


def mirrored_rect(rect: Rect, width: int) -> Rect:
    """Return a rectangle of a drawing of this width with left and right swapped."""
    return rect._replace(x=width - rect.right)


class DrawnPiece(NamedTuple):
    """A drawing that was read: its doorways, and each room's kind, rectangle of walls and layout.

    The rectangles count from the top left of all of them, which together are `size`.
    """

    kinds: tuple[str, ...]
    rects: tuple[Rect, ...]
    rooms: tuple[PieceRoom, ...]
    doorways: tuple[Doorway, ...]
    size: Point


NOTHING = DrawnPiece((), (), (), (), (0, 0))


@lru_cache(maxsize=256)
def drawn_piece(kit: Kit, name: str) -> DrawnPiece:
    """Read the drawing of a kit's set piece. Raises KitError."""
    return read_drawing(*_row(kit, name))


def _row(kit: Kit, name: str) -> tuple[SetPieceRow, str, Kit]:
    return kit.rules.set_pieces[name], f"{kit.file_of(f'set_piece.{name}')}: set_piece.{name}", kit


def read_drawing(row: SetPieceRow, where: str, kit: Kit) -> DrawnPiece:
    """Read the drawing of a row. Raises KitError, which begins with `where`."""
    return _PieceReader(row, where, kit).read()


def drawing_problems(kit: Kit, name: str) -> list[str]:
    """List what is wrong with the drawing of a kit's set piece, in all of its doorways or rooms."""
    reader = _PieceReader(*_row(kit, name))
    try:
        reader.read()
    except KitError as error:
        return reader.problems or [str(error)]
    return []


class _PieceReader:
    """Reads one drawing. `problems` are those of its doorways, or else of its rooms."""

    def __init__(self, row: SetPieceRow, where: str, kit: Kit) -> None:
        self.problems: list[str] = []
        self._row, self._where, self._kit = row, where, kit
        self._signs = {
            (x, y): sign
            for y, line in enumerate(row.drawing)
            for x, sign in enumerate(line)
            if sign not in (WALL_SIGN, OUTSIDE_SIGN)
        }

    def read(self) -> DrawnPiece:
        floors = dict(sorted(self._floors()))
        labels = [*self._row.rooms]
        missing = next((label for label in labels if label not in floors), "")
        if missing:
            self._fail(f"has no floor with the number {missing}; write it on one tile of the room")
        rects = [Rect.around(floors[label]).shrunk(-1) for label in labels]
        for a, b in combinations(range(len(rects)), 2):
            if _overlap(rects[a], rects[b]):
                self._fail(f"the walls of rooms {labels[a]} and {labels[b]} overlap; move them apart")
        left, top = min(rect.x for rect in rects), min(rect.y for rect in rects)
        size = max(rect.right for rect in rects) - left, max(rect.bottom for rect in rects) - top
        numbers = {tile: labels.index(label) for label, tiles in floors.items() for tile in tiles}
        around = Rect(left, top, *size)
        doorways = self._all(
            partial(self._doorway, part, numbers, rects, around) for part in self._doorways()
        )
        self._check_ways(doorways, labels)
        images = self._all(
            partial(self._room, label, rect, floors[label], doorways)
            for label, rect in zip(labels, rects, strict=True)
        )
        return DrawnPiece(
            tuple(self._row.rooms[label]["kind"] for label in labels),
            tuple(_moved(rect, -left, -top) for rect in rects),
            tuple(images),
            tuple(door._replace(tiles=_moved(door.tiles, -left, -top)) for door in doorways),
            size,
        )

    def _all(self, parts: Iterable[Callable[[], T]]) -> list[T]:
        """Read all parts. If some are wrong, `problems` says what is wrong with each."""
        read = []
        for part in parts:
            try:
                read.append(part())
            except KitError as error:
                self.problems.append(str(error))
        if self.problems:
            raise KitError(self.problems[0])
        return read

    def _fail(self, what: str) -> NoReturn:
        raise KitError(f"{self._where}.drawing: {what}")

    def _floors(self) -> Iterator[tuple[str, set[Point]]]:
        """Yield each part of the floor with its number."""
        for part in self._parts(lambda sign: sign != DOORWAY):
            labels = [self._signs[tile] for tile in sorted(part) if self._signs[tile] in LABELS]
            x, y = min(part, key=lambda tile: tile[::-1])
            if len(labels) != 1 or labels[0] not in self._row.rooms:
                has = f"the numbers {' and '.join(labels)}" if labels else "no number"
                known = ", ".join(self._row.rooms)
                self._fail(
                    f"the floor at row {y + 1}, column {x + 1} has {has}; give it one of {known}, once"
                )
            yield labels[0], part

    def _doorways(self) -> Iterator[set[Point]]:
        return self._parts(lambda sign: sign == DOORWAY)

    def _parts(self, belongs: Callable[[str], bool]) -> Iterator[set[Point]]:
        """Yield the connected parts of the tiles whose signs belong."""
        left = {tile for tile, sign in self._signs.items() if belongs(sign)}
        while left:
            part = joined({min(left)}, left)
            left -= part
            yield part

    def _doorway(
        self, part: set[Point], numbers: dict[Point, int], rects: Sequence[Rect], around: Rect
    ) -> Doorway:
        """Find the rooms that a doorway leads to. An outer one must lead out of the whole drawing."""
        tiles = Rect.around(part)
        place = f"the doorway at row {tiles.y + 1}, column {tiles.x + 1}"
        ends = {
            (numbers[x + side.dx, y + side.dy], side.opposite)
            for x, y in part
            for side in Side
            if (x + side.dx, y + side.dy) in numbers
        }
        sides = [side for _, side in ends]
        is_through = len(ends) == 2 and sides[0].opposite is sides[1] and len({room for room, _ in ends}) == 2
        if len(part) != tiles.width * tiles.height or not (len(ends) == 1 or is_through):
            self._fail(f"{place} does not lead straight from one room to another, or outside; draw it so")
        for room, side in ends:
            if _end(tiles, side.opposite) != _end(rects[room], side):
                self._fail(f"{place} is not in the outermost wall of its room; move it there")
            if not is_through and _end(tiles, side) != _end(around, side):
                self._fail(f"{place} leads nowhere; lead it to another room, or to the edge of the drawing")
        return Doorway(tiles, tuple(sorted(ends, key=lambda end: end[0])))

    def _check_ways(self, doorways: Sequence[Doorway], labels: Sequence[str]) -> None:
        """Check that doorways join the rooms without loops, and that one leads outside."""
        inner = [(door.ends[0][0], door.ends[1][0]) for door in doorways if len(door.ends) == 2]
        tree, spare = kruskal(len(labels), inner)
        if len(tree) < len(labels) - 1:
            self._fail("doorways do not join all rooms; draw more of them")
        if spare:
            a, b = (labels[room] for room in spare[0])
            self._fail(
                f"rooms {a} and {b} are joined by two ways; a loop must have five rooms: leave one out"
            )
        if len(inner) == len(doorways):
            self._fail("no doorway leads outside; draw one in an outer wall")
        for label, kind in zip(labels, (room["kind"] for room in self._row.rooms.values()), strict=True):
            doors = sum(labels.index(label) in dict(door.ends) for door in doorways)
            if doors > 1 and kind in off_the_way(self._kit.kinds):
                self._fail(
                    f"room {label} has {doors} doorways, but {kind} rooms have one; leave the others out"
                )

    def _room(self, label: str, rect: Rect, floor: set[Point], doorways: Sequence[Doorway]) -> PieceRoom:
        """Read a room as a layout, whose exits are its doorways."""
        number, inside = [*self._row.rooms].index(label), rect.shrunk(1)
        sides = [(door, dict(door.ends).get(number)) for door in doorways]
        exits = ", ".join(str(_exit(door, side, inside)) for door, side in sides if side)
        rows = [
            "".join(self._sign((x, y), floor) for x in range(inside.x, inside.right))
            for y in range(inside.y, inside.bottom)
        ]
        title = self._row.rooms[label]["name"]
        layout = self._parsed([f"exits: {exits}", "mirror: h", "tags: bare"], rows, inside, label)
        is_quiet = all(layout.glyphs[sign].marker != "enemy" for row in rows for sign in row)
        words = re.sub("[^a-z0-9]+", "-", title.replace("'", "").lower()).strip("-")
        file = f"{SET_PIECE}{self._row.name}/{words or 'room'}-{label}"
        return PieceRoom(file, layout, "", 0, {}, title, is_quiet)

    def _parsed(self, header: Sequence[str], rows: Sequence[str], inside: Rect, label: str) -> Layout:
        """Parse a room's layout. What is wrong with it is told with its place in the whole drawing."""
        letters = [f"{letter} = {meaning}" for letter, meaning in self._row.letters.items()]
        path = Path(self._where)
        try:
            text = "\n".join([*header, *letters, "map:", *rows])
            layout = replace(parse_layout(text, path, self._kit.kinds, check=False), first_line=1)
        except LayoutError as error:
            line, _, what = str(error).removeprefix(f"{path}:").partition(": ")
            letter = [*self._row.letters][int(line) - len(header) - 1]
            raise KitError(f"{self._where}.letters.{letter}: {what}") from None
        try:
            check_map(layout)
            check_rules(layout)
            check_markers(layout, self._row.rooms[label]["kind"])
        except LayoutError as error:
            at = re.match(r":(\d+): (?:column (\d+): )?", rest := str(error).removeprefix(str(path)))
            what = rest[at.end() :] if at else rest.removeprefix(": ")
            place = f"row {int(at[1]) + inside.y}" if at else f"room {label}"
            place += f", column {int(at[2]) + inside.x}" if at and at[2] else ""
            self._fail(f"{place}: {what}")
        return layout

    def _sign(self, tile: Point, floor: set[Point]) -> str:
        if tile not in floor:
            return WALL_SIGN
        return "." if self._signs[tile] in LABELS else self._signs[tile]


def _overlap(a: Rect, b: Rect) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom


def _moved(rect: Rect, dx: int, dy: int) -> Rect:
    return rect._replace(x=rect.x + dx, y=rect.y + dy)


def _end(rect: Rect, side: Side) -> int:
    """Return the row or column of a rectangle's last tiles on a side."""
    return {
        Side.NORTH: rect.y,
        Side.WEST: rect.x,
        Side.SOUTH: rect.bottom - 1,
        Side.EAST: rect.right - 1,
    }[side]


def _exit(door: Doorway, side: Side, inside: Rect) -> Exit:
    x, y, width, height = door.tiles
    first, last = (
        (x - inside.x, x + width - 1 - inside.x)
        if side.is_vertical_way
        else (
            y - inside.y,
            y + height - 1 - inside.y,
        )
    )
    return Exit(side, first, last)
