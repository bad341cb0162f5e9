"""A level that was made with a team's own rows, held against the rules, and the row at fault.

A level does not say which row put a thing where it is. But its rooms say of which kind they are and which
layout they have, and only few rows put such a thing into such a room. Of these, the team's own is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from generator.checks.base import Problem
from generator.errors import GenerationFailed
from generator.interiors.layouts import OWN, Layout
from generator.interiors.team_layouts import team_layouts
from generator.kinds.decor_tables import things_drawn
from generator.level import Level, Marker, Room
from generator.named_tuple import NamedTuple

if TYPE_CHECKING:
    from generator.spec import LevelSpec

_MAX_ROWS = 5  # that are named of a level
_LOOSE = ("wall", "middle", "growth", "wear")  # what a decor table scatters


class _Cause(NamedTuple):
    """A row, or part of it, and the file that it is in."""

    file: str
    row: str


def as_judged(level: Level, spec: LevelSpec) -> Level:
    """Return a new level with the folder of its kit instead of the digest, so that all rules can be asked."""
    return replace(level, spec=level.spec.replace({"kit": spec.kit})) if spec.kit else level


def refuse_broken(
    found: Iterable[Problem], level: Level, spec: LevelSpec, allowed: Collection[str] = ()
) -> None:
    """Raise GenerationFailed if a new level of `spec` has problems. Each row at fault is named once."""
    broken = [problem for problem in found if problem.check not in allowed]
    if not broken:
        return
    lines = named_rows(broken, level, spec)
    more = [f"and {len(lines) - _MAX_ROWS} more"] * (len(lines) > _MAX_ROWS)
    remedy = "change the row, or draw layouts for it that keep the rule"
    reason = "; ".join([*lines[:_MAX_ROWS], *more, remedy])
    raise GenerationFailed("level by the team's own rows", 1, reason, level.seed)


def named_rows(found: Iterable[Problem], level: Level, spec: LevelSpec) -> list[str]:
    """Return a line for each row at fault and each rule that it breaks, with the number of places."""
    blame = _Blame(level, spec)
    groups: dict[tuple[_Cause, str], list[Problem]] = {}
    for problem in found:
        groups.setdefault((blame.cause(problem), problem.check), []).append(problem)
    return [_line(cause, problems) for (cause, _), problems in groups.items()]


def _line(cause: _Cause, problems: list[Problem]) -> str:
    first = problems[0]
    places = f"; {len(problems)} places, first {first.place}" if len(problems) > 1 else f"; {first.place}"
    subject = ": ".join(filter(None, cause))
    return f"{subject}: {first.what}{places} [{first.check}]"


class _Blame:
    """Finds the row of a team that a problem of a level comes from."""

    def __init__(self, level: Level, spec: LevelSpec) -> None:
        self._level, self._spec, self._kit = level, spec, spec.load_kit()

    def cause(self, problem: Problem) -> _Cause:
        """Return the first of the rows that may be at fault which the team wrote, or what it named."""
        return next(self._causes(problem), None) or _Cause(self._source(), "")

    def _source(self) -> str:
        """Return what else of the team's own the level is made with."""
        named = (str(getattr(self._spec, key, "")) for key in ("flow", "layouts"))
        own = [name for name in named if name and (".toml" in name.lower() or Path(name).is_dir())]
        return own[0] if own else self._kit.where

    def _causes(self, problem: Problem) -> Iterator[_Cause]:
        kind, _, number = problem.place.partition(" ")
        if kind == "tile":
            yield from self._of_tile(*map(int, number.split(",")))
        elif number.isdecimal() and kind == "marker":
            for marker in self._level.markers:
                if marker.id == int(number):  # the next place of a run takes a marker out
                    yield from self._of_marker(marker, problem.check)
        elif number.isdecimal() and kind == "room":
            room = self._level.rooms[int(number)]
            if problem.check in _OF_ENEMIES:
                yield from self._of_gang(room)
            yield from self._of_room(room)
        elif number.isdecimal() and kind == "door":
            door = self._level.doors[int(number)]
            yield from self._rows(f"door.{door.kind}")
            yield from self._of_room(self._level.rooms[door.rooms[0]])

    def _rows(self, row: str, said: str = "") -> Iterator[_Cause]:
        """Yield a row if it is in the team's own files."""
        if self._kit.has_own(row):
            yield _Cause(self._kit.file_of(row), said or f"[{row}]")

    def _of_tile(self, x: int, y: int) -> Iterator[_Cause]:
        level = self._level
        room = next((room for room in level.rooms if room.bounds.contains(x, y)), None)
        name = level.decor_kinds[level.covered[y, x]].name
        if room is not None and name != "none":
            yield from self._of_decor(name, room)
        if name != "none":
            yield from self._rows(f"decor.{name}")
        if room is not None:
            yield from self._of_room(room)

    def _of_decor(self, name: str, room: Room) -> Iterator[_Cause]:
        """Yield what may have put a thing into a room: its layout, an arrangement, or its decor table."""
        kit, layout = self._kit, self._layout(room)
        number = kit.kinds.decor_ids[name]
        if layout and any(glyph.decor == number for glyph in layout.used_glyphs):
            yield _Cause(str(layout.path), "")
        table = str(kit.kinds.room(room.kind).styles.get(self._level.style, {}).get("decor", ""))
        for own, row in kit.rules.arrangements.items():
            if table in row.decor and any(thing == number for *_, thing in things_drawn(row, kit.kinds)):
                yield from self._rows(f"arrangement.{own}", f"[arrangement.{own}] {name}")
        loose = kit.rules.decor_tables.get(table, {})
        for part in _LOOSE:
            if name in loose.get(part, {}).get("things", {}):
                yield from self._rows(f"decor_table.{table}", f"[decor_table.{table}] {part} = {name}")

    def _of_marker(self, marker: Marker, check: str) -> Iterator[_Cause]:
        room = None if marker.room is None else self._level.rooms[marker.room]
        name = str(marker.properties.get("name", ""))
        if check in _OF_ENEMIES and marker.kind == "enemy":
            yield from self._rows(f"enemy.{name}")
        if room is not None and (layout := self._layout(room)):
            yield _Cause(str(layout.path), "")
        yield from self._rows(f"marker.{marker.kind}")
        if marker.kind == "enemy":
            yield from self._rows(f"enemy.{name}")
            if room is not None:
                yield from self._of_gang(room)
        if room is not None:
            yield from self._of_room(room)

    def _of_gang(self, room: Room) -> Iterator[_Cause]:
        """Yield the gangs that the enemies of a room may be."""
        roles = [
            (str(marker.properties.get("name", "")), str(marker.properties.get("role", "")))
            for marker in self._level.markers
            if marker.kind == "enemy" and marker.room == room.id
        ]
        for row in self._kit.rules.gangs:
            least, most = row.least(), row.most()
            count = Counter(name if name in most else role for name, role in roles)
            if room.kind in row.rooms and least <= count <= most:
                yield from self._rows(f"gang.{row.name}")

    def _of_room(self, room: Room) -> Iterator[_Cause]:
        if layout := self._layout(room):
            yield _Cause(str(layout.path), "")
        yield from self._rows(f"room.{room.kind}")
        for row in self._kit.rules.special_rooms:
            if room.kind in (row.room, row.becomes.room if row.becomes else ""):
                yield from self._rows(f"special_room.{row.name}")
        chapter = str(self._level.facts.get("chapter", ""))
        yield from self._rows(f"chapter.{chapter}")

    def _layout(self, room: Room) -> Layout | None:
        """Return a room's layout if the team drew it."""
        if not room.layout.startswith(OWN):
            return None
        pool, _, name = room.layout.partition("+")[0].removeprefix(OWN).rpartition("/")
        size = None if self._level.grid is None else self._level.grid.cell_size
        layouts = team_layouts(self._kit, getattr(self._spec, "layouts", ""), size).pools.get(pool, ())
        return next((layout for layout in layouts if layout.name == name), None)


_OF_ENEMIES = {"enemies-of-the-roster", "encounters-within-budget", "markers-are-as-declared"}
