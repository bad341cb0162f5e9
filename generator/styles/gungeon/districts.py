"""Districts: zones of about twenty rooms of one look, so that a player knows where in a level they are.

A small level has one for each boss room and what is near it. In a larger one, the tree of its hallways is
cut, so that one hallway leads into each district, and loops where there are some. Districts change what rooms
look like, not who fights there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from generator.algorithms.graph import neighbours_of
from generator.algorithms.tree_parts import part_around, tree_parts
from generator.level import Property
from generator.rng import Stream
from generator.styles.gungeon.flows.records import LED, WITHOUT_PLAN
from generator.styles.gungeon.furnishing.kit_tables import BOSS
from generator.styles.gungeon.plan import HeapPlan, edges_of
from generator.styles.gungeon.set_pieces import places_of
from generator.styles.gungeon.spec import EVERY, GungeonSpec

STREAM = "gungeon.districts"
_ROOMS = (15, 25)  # of a district, about


def with_districts(spec: GungeonSpec, plan: HeapPlan, seed: int) -> HeapPlan:
    """Give the rooms of a plan zones, and these looks, if the spec asks for it and the plan has none."""
    looks = looks_beside(spec) if _wants(spec, plan, seed) else ()
    if not looks:
        return plan
    parts = _parts(plan)
    names = [f"district_{number + 1}" for number in range(max(parts) + 1)]
    if len(names) == 1:
        return plan
    chosen = _dealt(parts, edges_of(plan.hallways), looks, Stream(seed, STREAM))
    facts: Mapping[str, Property] = {
        **plan.facts,
        **{f"zone.{name}.look": look for name, look in zip(names, chosen, strict=True) if look},
    }
    rooms = [room._replace(zone=names[part]) for room, part in zip(plan.rooms, parts, strict=True)]
    return replace(plan, rooms=tuple(rooms), facts=facts)


def looks_beside(spec: GungeonSpec) -> tuple[str, ...]:
    """Return the chapters in whose looks districts are drawn beside the level's own look.

    Those that the row of the level's chapter names, or else all other chapters of the kit. A level without a
    chapter has the plain look, which is that of the kit's first chapter.
    """
    rules = spec.load_kit().rules
    mains = [row.name for row in rules.main_chapters]
    own = spec.chapter if spec.chapter in rules.chapters else next(iter(mains), "")
    if not own:
        return ()
    row = rules.chapters[own]
    return row.districts or tuple(name for name in mains if name not in (own, row.replaces))


def _wants(spec: GungeonSpec, plan: HeapPlan, seed: int) -> bool:
    if any(room.zone for room in plan.rooms):
        return False
    if spec.districts != LED:
        return spec.districts == EVERY
    if "flow" in plan.facts or spec.flow in WITHOUT_PLAN:
        return spec.flow == LED and "flow" not in plan.facts
    from generator.styles.gungeon.flows.library import chosen_name  # few specs name several flows

    return chosen_name(spec.flow, seed) == LED


def _parts(plan: HeapPlan) -> list[int]:
    """Return the number of each room's district, from 0, which is the start's.

    A small level has a district for each boss, at most a third of all rooms. A set piece counts as one room.
    """
    nodes = places_of(plan.rooms)
    count = max(nodes) + 1
    pairs = [
        ((nodes[a], nodes[b]), way.is_loop)
        for (a, b), way in zip(plan.connections, plan.hallways, strict=True)
    ]
    edges = [edge for edge, _ in pairs if edge[0] != edge[1]]
    tree = [edge for edge, is_loop in pairs if edge[0] != edge[1] and not is_loop]
    parts = tree_parts(count, tree, *_ROOMS) if count >= 2 * _ROOMS[0] else [0] * count
    if not max(parts):
        bosses = [nodes[room] for room, planned in enumerate(plan.rooms) if planned.kind == BOSS]
        for number, boss in enumerate(bosses, 1):
            for node in part_around(boss, count, edges, count // 3):
                parts[node] = parts[node] or number
    return [sorted({*parts}).index(parts[node]) for node in nodes]


def _dealt(
    parts: Sequence[int], edges: Sequence[tuple[int, int]], looks: Sequence[str], stream: Stream
) -> list[str]:
    """Deal each district a look, empty for the start's: the rarest that no district beside it has."""
    order = list(looks)
    stream.shuffle(order)
    borders = [(parts[a], parts[b]) for a, b in edges if parts[a] != parts[b]]
    beside = neighbours_of(range(max(parts) + 1), borders)
    chosen = [""]
    dealt = Counter({"": 1})
    for part in range(1, max(parts) + 1):
        near = {chosen[other] for other in beside[part] if other < part}
        look = min(("", *order), key=lambda name: (name in near, dealt[name], not name))
        chosen.append(look)
        dealt[look] += 1
    return chosen
