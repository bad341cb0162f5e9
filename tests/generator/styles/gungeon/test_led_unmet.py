"""The fact `unmet` of led levels, counted again from `level.json` alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import networkx as nx
import pytest

from generator import GungeonSpec, generate
from generator.kinds import Kit
from generator.kinds.heap_tables import LedRow
from generator.level import Level
from generator.styles.gungeon.furnishing.kit_tables import off_the_way
from generator.styles.gungeon.led import rows_of_kind

KIT = """
name = "ours"
extends = "shipped"
[room.lobby]
glyph = ":"
[special_room.lobby]
must = true
place = "on_the_way"
[[led.shop]]
place = "branch"
depth = [30, 100]
[[led.shop]]
place = "near"
depth = [0, 50]
[[led.chest]]
place = "on_a_loop"
apart = 3
[[led.chest]]
place = "beside:shop"
"""
SPECS = {
    "eight shops": GungeonSpec(shop_rooms=(8, 8)),
    "no boss": GungeonSpec(boss_rooms=(0, 0), chest_rooms=(6, 6), enemy_rooms=(8, 8)),
    "all places, two bosses": GungeonSpec(boss_rooms=(2, 2), shop_rooms=(2, 4), chest_rooms=(2, 4)),
}


class Joined:
    """The rooms of a level, as a graph from its hallways' doors."""

    def __init__(self, level: Level) -> None:
        data = level.to_dict()
        self.kinds = [room["kind"] for room in data["rooms"]]
        rooms = [door["rooms"][0] for door in data["doors"]]
        ways = [way["doors"] for way in data["hallways"]]
        self.graph: nx.Graph[int] = nx.Graph([(rooms[first], rooms[last]) for first, last in ways])
        self.steps = nx.single_source_shortest_path_length(self.graph, 0)
        bosses = [room for room, kind in enumerate(self.kinds) if kind == "boss"] or [*sorted(self.graph)]
        self.ways = list(nx.all_shortest_paths(self.graph, 0, max(bosses, key=self.steps.__getitem__)))

    def is_on_a_loop(self, room: int) -> bool:
        """With two doors, to rooms that a walk joins that is not through it, and not on each way."""
        around = self.graph.subgraph(set(self.graph) - {room})
        return self.graph.degree[room] == 2 and nx.is_connected(around) and not self.is_needed(room)

    def is_needed(self, room: int) -> bool:
        return all(room in way for way in self.ways)

    def holds(self, room: int, row: LedRow) -> bool:
        kind, depth = self.kinds[room], 100 * self.steps[room] // max(self.steps.values())
        others = [other for other in self.graph if self.kinds[other] == kind and other != room]
        is_there = {
            "dead_end": self.graph.degree[room] == 1,
            "on_the_way": any(room in way for way in self.ways),
            "on_a_loop": self.is_on_a_loop(room),
            "branch": not self.is_needed(room),
            row.beside and row.place: row.beside in [self.kinds[other] for other in self.graph[room]],
        }.get(row.place, True)
        are_apart = all(nx.shortest_path_length(self.graph, room, other) >= row.apart for other in others)
        return is_there and are_apart and row.depth[0] <= depth <= row.depth[1]


def unmet(level: Level, kit: Kit) -> Counter[str]:
    """Count the rooms for which no rule of their kind holds, by the rule whose turn it was."""
    joined, turns, found = Joined(level), Counter[str](), Counter[str]()
    for room, kind in enumerate(joined.kinds):
        rows = rows_of_kind(kit, kind)
        if not rows or (room == 1 and kind == "boss"):
            continue
        turn = rows[min(turns[kind], len(rows) - 1)]
        turns[kind] += 1
        if not any(joined.holds(room, row) for row in rows):
            found[f"{kind} {turn.place}"] += 1
        elif kind in off_the_way(kit.kinds) and joined.graph.degree[room] > 1:
            found["off_the_way"] += not joined.is_on_a_loop(room)
    return +found


@pytest.mark.parametrize("name", SPECS)
def test_unmet_is_true_of_the_level(name: str, tmp_path: Path) -> None:
    spec = SPECS[name].replace({"procedural_share": 100})  # quicker
    if name.startswith("all places"):
        (tmp_path / "kit.toml").write_text(KIT, "utf-8")
        spec = spec.replace({"kit": str(tmp_path)})
    total = 0
    for seed in range(8):
        level = generate(spec, seed)
        assert "not_led" not in level.facts
        found = unmet(level, spec.load_kit())
        assert level.facts.get("unmet", 0) == found.total(), seed
        assert {*str(level.facts.get("unmet_rules", "")).split(", ")} - {""} == set(found), seed
        total += found.total()
    assert total
