"""What a room with a drawing of the team's kit must hold, as far as the drawing is at hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from generator.checks.base import is_as_generated
from generator.checks.words import own_drawings
from generator.interiors.layouts import OWN, Layout
from generator.interiors.pool_rules import marker_counts
from generator.kinds.chapters import INJECTED
from generator.kinds.kind_tables import ROLES
from generator.level import Level, Marker, Room
from generator.links import EXIT, next_place

ENEMY = "enemy"
_NEVER_ADDED = {"player_start", "boss", "exit", "shopkeeper", "ware"}


def misdrawn_rooms(level: Level) -> Iterator[tuple[Room, str]]:
    """Yield rooms that do not hold the markers of their drawing, and what they hold.

    Bosses, wares and the like are as many as drawn. There may be more or fewer enemies, but none where none
    are drawn.
    """
    drawings = own_drawings(level) if is_as_generated(level) else {}
    held: list[list[Marker]] = [[] for _ in level.rooms]
    for marker in level.markers if drawings else ():
        if marker.room is not None and INJECTED not in marker.properties:
            held[marker.room].append(marker)
    for room in level.rooms if drawings else ():
        if drawing := drawing_of(room, drawings):
            for message in _misfits(level, held[room.id], drawing):
                yield room, message


def drawing_of(room: Room, drawings: Mapping[str, Layout]) -> Layout | None:
    """Return the drawing that a room was made from, if it is a team's and among these."""
    name, *_ = room.layout.partition("+")
    return drawings.get(name.removeprefix(OWN)) if name.startswith(OWN) else None


def has_places_only(drawing: Layout | None) -> bool:
    """Check whether a drawing has places for enemies of the roster, and calls none by its name."""
    used = drawing.used_glyphs if drawing else ()
    enemies = [glyph.properties for glyph in used if glyph.marker == ENEMY]
    return bool(enemies) and all(
        "name" not in given and given.get("role", ROLES[0]) in ROLES for given in enemies
    )


def _misfits(level: Level, held: list[Marker], drawing: Layout) -> Iterator[str]:
    drawn, found = marker_counts(drawing), Counter(marker.kind for marker in held)
    if found[ENEMY] and not drawn[ENEMY]:
        yield f"{found[ENEMY]} {ENEMY} markers, but none are drawn"
    known = _NEVER_ADDED & level.kinds.markers.keys()
    for kind in sorted(known - ({EXIT} if next_place(level.spec) else set())):
        if found[kind] != drawn[kind]:
            yield f"{found[kind]} {kind} markers, but {drawn[kind]} are drawn"
