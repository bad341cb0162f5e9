"""The layouts and tags that the rooms of a flow ask for, held against the layouts that there are."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping

from generator.errors import shown
from generator.geometry import Side
from generator.interiors.own_layouts import team_layouts
from generator.styles.gungeon.dealing import PoolEntry, pool
from generator.styles.gungeon.flows.records import GAUNTLET, QUIET_TAGS, Flow, FlowRoom
from generator.styles.gungeon.heap_layouts import HeapLayout
from generator.styles.gungeon.spec import GungeonSpec

OWN = "own/"  # how the names of a team's own layouts begin


def asked_layout(spec: GungeonSpec, room: FlowRoom) -> PoolEntry | None:
    """The layout that a room asks for by its name; None if there is none of that name."""
    return next((card for card in pool(spec, room.kind) if card.images[0].file == room.layout), None)


def suits(layout: HeapLayout, sides: Mapping[Side, int], spec: GungeonSpec) -> bool:
    """Whether a layout has an exit for each of so many connections on each side."""
    doors = _most_doors(layout, spec)
    return bool(doors) and all(doors.get(side, 0) >= count for side, count in sides.items())


def _most_doors(layout: HeapLayout, spec: GungeonSpec) -> dict[Side, int]:
    """How many doors its exits on each side have a place for; nothing if it suits no hallway of this spec."""
    step = spec.hallway_width + 1
    ways = layout.ways(spec.hallway_width, spec.body) or {}
    return {
        side: sum(-(-(offsets[-1] - offsets[0] + 1) // step) for offsets in exits)
        for side, exits in ways.items()
    }


def layout_problem(flow: Flow, spec: GungeonSpec, *, with_own: bool = True) -> str | None:
    """The first room whose layout is unknown or has too few exits, in a line; None if there is none.

    Without own layouts at hand, rooms that ask for one are passed over.
    """
    return next(_layout_problems(flow, spec, with_own), None)


def _layout_problems(flow: Flow, spec: GungeonSpec, with_own: bool) -> Iterator[str]:
    joined = Counter(room for one in flow.connections for room in (one.a, one.b))
    for room in flow.rooms:
        if not room.layout or (room.layout.startswith(OWN) and not with_own):
            continue
        card = asked_layout(spec, room)
        if card is None:
            what = f"unknown {room.kind} layout {shown(room.layout)}; {_remedy(spec, room)}"
            yield f"room {room.id}: {what}"
            continue
        most = max(_most_connections(_most_doors(image, spec), joined[room.id]) for image in card.images)
        if most < joined[room.id]:
            what = f"has {joined[room.id]} connections, and the exits of its layout {room.layout} take {most}"
            yield f"room {room.id}: {what}; give another layout, or fewer connections"


def _most_connections(doors: Mapping[Side, int], joined: int) -> int:
    """How many connections of so many its exits can take at most.

    They lead out of different sides, but for a room that is drawn on two cells: out of two sides, two do.
    """
    drawn: list[tuple[Side, ...]] = [()]
    if joined > len(Side):
        drawn = [(Side.NORTH, Side.SOUTH), (Side.EAST, Side.WEST)]
    return max(sum(min(count, 1 + (side in twice)) for side, count in doors.items()) for twice in drawn)


def _remedy(spec: GungeonSpec, room: FlowRoom) -> str:
    """The layout with the nearest name, or else where the layouts of this kind are."""
    known = [card.images[0].file for card in pool(spec, room.kind)]
    near = difflib.get_close_matches(room.layout[:80], known, 1)
    if near:
        return f"did you mean {near[0]}?"
    folders = dict.fromkeys(name.rpartition("/")[0] for name in known)
    own = "" if _has_own(spec) else "; there are no own layouts: name their folder as layouts"
    return f"known are those in {', '.join(folders) or 'no folder'}{own}"


def _has_own(spec: GungeonSpec) -> bool:
    return bool(team_layouts(spec.load_kit(), spec.layouts, None).pools)


def tag_problem(flow: Flow, spec: GungeonSpec) -> str | None:
    """The first tag that means nothing, in a line: no layout of the room's kind has it."""
    for room in flow.rooms:
        known = {tag for card in pool(spec, room.kind) for tag in card.images[0].layout.tags}
        for tag in sorted(room.tags - known - QUIET_TAGS - {GAUNTLET}):
            return f"room {room.id}: no {room.kind} layout has the tag {shown(tag)}; {_of_tags(known)}"
    return None


def _of_tags(known: set[str]) -> str:
    return f"give {' or '.join(sorted(known))}" if known else "leave it out"
