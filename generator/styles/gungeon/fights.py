"""How strong the enemies of each room kind can be at most, for notes on rows that are too dear."""

from __future__ import annotations

from collections.abc import Collection

from generator.encounters.budget import threat_of_crowd
from generator.encounters.gang_notes import Budgets
from generator.interiors.own_layouts import kit_layouts
from generator.kinds import Kit
from generator.kinds.chapters import STAGES
from generator.styles.gungeon.furnishing.gungeon_layouts import shipped_layouts
from generator.styles.gungeon.furnishing.kit_tables import enemy_row, gungeon_kind


def fight_budgets(kit: Kit, rooms: Collection[str]) -> Budgets:
    """Return the largest budgets of those room kinds in which enemies stand."""
    tables = [enemy_row(row.danger, kit) for row in kit.rules.crowds]
    crowd = max(table.crowd(table.enemies[1], 2 * table.floor) for table in tables)
    by_stage = [threat_of_crowd(crowd, stage, 0, kit.rules).budget for stage in range(1, STAGES + 1)]
    return {room: by_stage for room in rooms if _has_fights(kit, room)}


def _has_fights(kit: Kit, room: str) -> bool:
    """Check whether enemies stand in rooms of a kind: by furnisher, a layout, or perhaps a set piece."""
    kinds = kit.kinds
    in_pieces = (room in row.needs for row in kit.rules.set_pieces.values())
    if gungeon_kind(kinds, room).has_fights or any(in_pieces):
        return True
    layouts = [
        layout
        for pool, pooled in kit_layouts(kit, on_grid=False).pools.items()
        if pool.partition("/")[0] == room
        for layout in pooled
    ]
    if kit.ships_layouts:
        layouts += [image.layout for image in shipped_layouts(kinds).get(room, ()) if not image.image]
    return any(glyph.marker == "enemy" for layout in layouts for glyph in layout.used_glyphs)
