"""Re-rolled rooms in a manifest: the rows for a group's only level, as in `rerolls` of its level.json.

[group.entrance]
spec = "isaac"
seeds = [7]
rerolls = [{room = 4, kind = "library", layout = 1}, {room = 7, layout = 3, markers = 2}]
"""

from __future__ import annotations

from collections.abc import Sequence

from exporters.builder.section import ManifestNode
from generator.json_schema import JsonSchema, documented, fields, listed, matching, whole
from generator.level import RerollRow
from generator.rerolls.record import MAX_ROLLS, read_rows, rows_of

MAX_ROWS = 100_000  # one per room; no level has as many

_ROW = fields(
    {
        "room": documented("the room's id", whole(0, MAX_ROWS - 1)),
        "kind": documented(
            "the kind that the room became, if that changed", matching("[a-z][a-z0-9_]{0,63}")
        ),
        "seed": documented(
            "the seed that it was rolled from, if not the level's own", matching("[0-9]{1,20}")
        ),
        "layout": documented(
            "how many times its inside was rolled, with that kind and seed", whole(1, MAX_ROLLS)
        ),
        "markers": documented("how many times its markers were rolled after that", whole(1, MAX_ROLLS)),
    },
    ("room",),
)
REROLLS: JsonSchema = documented(
    "the rooms to roll again, as rows of `rerolls` in a level.json; only for a group with one seed",
    listed(_ROW, 0, MAX_ROWS),
)


def rerolls_of(section: ManifestNode, seeds: Sequence[int | str]) -> tuple[RerollRow, ...]:
    """Read the rows of a group with these seeds, in the order of the rooms. Raises BadInput.

    Whether the level has these rooms, and what they can become, is known only when it is made.
    """
    if not section.has("rerolls"):
        return ()
    node, remedy = section["rerolls"], "copy the rerolls of a level.json"
    rows = [row.table(remedy) for row in node.items(MAX_ROWS, remedy=remedy)]
    if len(seeds) != 1:
        problem = f"they are for one level, but the group has {len(seeds)} seeds"
        node.fail(f"{problem}; give each re-rolled level a group of its own")
    with section.named():
        rolls, is_edited = read_rows(rows, MAX_ROWS)
    if is_edited:
        problem = "the level was changed by hand, so no build can make it"
        node.fail(f"{problem}; name its level.json in `levels` instead")
    return rows_of(rolls, is_edited=False)
