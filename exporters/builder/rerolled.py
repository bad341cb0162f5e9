"""Re-rolled rooms in a manifest: the rows for a group's only level, as in `rerolls` of its level.json.

[group.entrance]
spec = "isaac"
seeds = [7]
rerolls = [{room = 4, kind = "library", layout = 1}, {room = 7, layout = 3, markers = 2}]
"""

from __future__ import annotations

from collections.abc import Sequence

from generator.json_schema import JsonSchema, documented, listed
from generator.kinds.reference import row_schema
from generator.level import RerollRow
from generator.node import Node
from generator.rerolls.record import MAX_ROOMS, ROW, read_rows, rows_of

REROLLS: JsonSchema = documented(
    "the rooms to roll again, as rows of `rerolls` in a level.json; only for a group with one seed",
    listed(row_schema(ROW), 0, MAX_ROOMS),
)


def rerolls_of(section: Node, seeds: Sequence[int | str]) -> tuple[RerollRow, ...]:
    """Read the rows of a group with these seeds, in the order of the rooms. Raises BadInput.

    Whether the level has these rooms, and what they can become, is known only when it is made.
    """
    if not section.has("rerolls"):
        return ()
    node, remedy = section["rerolls"], "copy the rerolls of a level.json"
    rows = [row.table(remedy) for row in node.items(MAX_ROOMS, remedy=remedy)]
    if len(seeds) != 1:
        problem = f"they are for one level, but the group has {len(seeds)} seeds"
        node.fail(f"{problem}; give each re-rolled level a group of its own")
    with section.named():
        rolls, is_edited = read_rows(rows, MAX_ROOMS)
    if is_edited:
        problem = "the level was changed by hand, so no build can make it"
        node.fail(f"{problem}; name its level.json in `levels` instead")
    return rows_of(rolls, is_edited=False)
