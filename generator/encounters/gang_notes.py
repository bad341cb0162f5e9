"""Notes on gangs of a sound kit that never come: `undercroft check KIT` prints them.

Only what is certain from the kit alone is noted: in rooms that have enemies, budgets are the largest that
any room of the kind could have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from generator.encounters.budget import budget_of
from generator.encounters.encounter import is_as_drawn
from generator.geometry import Point
from generator.interiors.chapters import every_pool
from generator.interiors.layouts import Layout
from generator.interiors.own_layouts import kit_layouts
from generator.interiors.pools import shipped_of
from generator.kinds import DIFFICULTIES, Kinds, Kit
from generator.kinds.chapters import STAGES, chapter_of_stage
from generator.kinds.gangs import GangRow
from generator.kinds.kit import own_tables
from generator.shapes import SHAPES

Budgets = Mapping[str, Sequence[int]]
"""By room kind, the largest budget of each of the 12 stages. Kinds in which no enemies stand are missing."""


def gang_notes(kit: Kit, budgets: Sequence[Budgets]) -> Iterator[str]:
    """Yield a line for each own gang that never comes. `budgets` are those of each style."""
    for row in kit.rules.gangs:
        if row.name in own_tables(kit).get("gang", {}) and (why := _why_never(row, kit.kinds, budgets)):
            yield f"{kit.file_of(f'gang.{row.name}')}: gang.{row.name}.{why}"


def _why_never(row: GangRow, kinds: Kinds, budgets: Sequence[Budgets]) -> str:
    """Return the key at fault and the reason, empty if the gang may come."""
    rooms = [by_kind[room] for by_kind in budgets for room in row.rooms if room in by_kind]
    if not rooms:
        named = " and ".join(row.rooms)
        return f"rooms: no enemies stand in {named} rooms, so it never comes; name rooms with enemies"
    first, last = row.stages
    known = [kind for kind in kinds.enemies.values() if kind.chapter <= chapter_of_stage(last)]
    cost = 0
    for member, least in row.least().items():
        costs = [kind.cost for kind in known if member in (kind.name, kind.role)]
        if least and not costs:
            return (
                f"waves: no {member} is met at its stages, so it never comes; add an enemy with that role, "
                f"or leave {member} out"
            )
        cost += least * min(costs, default=0)
    richest = max(budget for by_stage in rooms for budget in by_stage[first - 1 : last])
    if cost > richest:
        return (
            f"waves: the fewest of it cost {cost}, but no room of its kinds and stages has more than "
            f"{richest} to spend, so it never comes; ask for fewer"
        )
    return ""


def grid_budgets(kit: Kit, pitch: Point, rooms: Collection[str]) -> Budgets:
    """Return the budgets of room kinds on grids with cells of `pitch` tiles."""
    width, height = pitch
    found = {}
    for room in rooms:
        if not any(_has_places(layout) for layout in _layouts(kit, room)):
            continue
        shapes = SHAPES.values() if kit.kinds.room(room).has_shapes else [SHAPES["1x1"]]
        floor = max((columns * width - 2) * (rows * height - 2) for columns, rows in (s.size for s in shapes))
        found[room] = [
            max(
                budget_of(room, stage, difficulty, way, floor, kit.rules)
                for difficulty in (0, *DIFFICULTIES.values())
                for way in (0, 100)
            )
            for stage in range(1, STAGES + 1)
        ]
    return found


def _layouts(kit: Kit, room: str) -> Iterator[Layout]:
    """Yield the layouts of a room kind on grids, a kit's own first, as few of the others as are asked for."""
    for pool, layouts in kit_layouts(kit, on_grid=True).pools.items():
        if pool.partition("/")[0] == room:
            yield from layouts
    pools = [room]
    if room == "normal":
        pools = [f"normal/{pool}/{name}" for pool in ("any", *every_pool(kit)) for name in DIFFICULTIES]
    for pool in pools:
        yield from shipped_of(kit, pool)


def _has_places(layout: Layout) -> bool:
    return any(glyph.marker == "enemy" and not is_as_drawn(glyph.properties) for glyph in layout.used_glyphs)
