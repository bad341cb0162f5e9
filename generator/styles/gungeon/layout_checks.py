"""Checks the layouts and tags that a flow's rooms ask for against the layouts that exist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from generator.errors import shown
from generator.geometry import Side
from generator.interiors.own_layouts import team_layouts
from generator.styles.gungeon.dealing import PoolEntry, pool
from generator.styles.gungeon.flows.records import GAUNTLET, QUIET_TAGS, Flow, FlowRoom
from generator.styles.gungeon.furnishing.gungeon_layouts import GungeonLayout
from generator.styles.gungeon.spec import GungeonSpec
from generator.suggestions import meant

OWN = "own/"  # how the names of a team's own layouts begin


def requested_layout(spec: GungeonSpec, room: FlowRoom) -> PoolEntry | None:
    """Return the layout that a room asks for by name, or None if there is no such layout."""
    return next((card for card in pool(spec, room.kind) if card.images[0].file == room.layout), None)


def suits(layout: GungeonLayout, sides: Mapping[Side, int], spec: GungeonSpec) -> bool:
    """Check whether a layout has enough exits on each side for that side's connections."""
    doors = _most_doors(layout, spec)
    return bool(doors) and all(doors.get(side, 0) >= count for side, count in sides.items())


def _most_doors(layout: GungeonLayout, spec: GungeonSpec) -> dict[Side, int]:
    """Count the doors that the exits on each side can take. Empty if the layout suits no such hallway."""
    step = spec.hallway_width + 1
    by_side = layout.exits(spec.hallway_width, spec.body) or {}
    return {
        side: sum(-(-(offsets[-1] - offsets[0] + 1) // step) for offsets in exits)
        for side, exits in by_side.items()
    }


def layout_problem(flow: Flow, spec: GungeonSpec, *, with_own: bool = True) -> str | None:
    """Report the first room whose layout is unknown or has too few exits. None if all are fine.

    Without `with_own`, rooms that ask for an own layout are skipped.
    """
    return next(_layout_problems(flow, spec, with_own), None)


def _layout_problems(flow: Flow, spec: GungeonSpec, with_own: bool) -> Iterator[str]:
    joined = Counter(room for connection in flow.connections for room in (connection.a, connection.b))
    for room in flow.rooms:
        if not room.layout or (room.layout.startswith(OWN) and not with_own):
            continue
        card = requested_layout(spec, room)
        if card is None:
            message = f"unknown {room.kind} layout {shown(room.layout)}; {_remedy(spec, room)}"
            yield f"room {room.id}: {message}"
            continue
        most = max(_most_connections(_most_doors(image, spec), joined[room.id]) for image in card.images)
        if most < joined[room.id]:
            message = (
                f"has {joined[room.id]} connections, but the exits of its layout {room.layout} take only "
                f"{most}"
            )
            yield f"room {room.id}: {message}; give another layout, or fewer connections"


def _most_connections(doors: Mapping[Side, int], joined: int) -> int:
    """Count how many of a room's `joined` connections its layout's exits can take.

    Each leads out of a side of its own, but a room drawn on two cells has two sides with two connections.
    """
    drawn: list[tuple[Side, ...]] = [()]
    if joined > len(Side):
        drawn = [(Side.NORTH, Side.SOUTH), (Side.EAST, Side.WEST)]
    return max(sum(min(count, 1 + (side in twice)) for side, count in doors.items()) for twice in drawn)


def _remedy(spec: GungeonSpec, room: FlowRoom) -> str:
    """Suggest a remedy: the layout with the nearest name, or else the folders of this kind's layouts."""
    known = [card.images[0].file for card in pool(spec, room.kind)]
    if near := meant(room.layout, known):
        return f"did you mean {near}?"
    folders = dict.fromkeys(name.rpartition("/")[0] for name in known)
    own = "" if _has_own(spec) else "; for your own layouts, give their folder as `layouts`"
    return f"choose one of those in {', '.join(folders) or 'no folder'}{own}"


def _has_own(spec: GungeonSpec) -> bool:
    return bool(team_layouts(spec.load_kit(), spec.layouts, None).pools)


def tag_problem(flow: Flow, spec: GungeonSpec) -> str | None:
    """Report the first unknown tag, which no layout of its room's kind has. None if all are known."""
    for room in flow.rooms:
        known = {tag for card in pool(spec, room.kind) for tag in card.images[0].layout.tags}
        for tag in sorted(room.tags - known - QUIET_TAGS - {GAUNTLET}):
            return f"room {room.id}: no {room.kind} layout has the tag {shown(tag)}; {_tags_remedy(known)}"
    return None


def _tags_remedy(known: set[str]) -> str:
    return f"give {' or '.join(sorted(known))}" if known else "leave it out"
