"""Door kinds: the rows `[door.NAME]` of a kit."""

from __future__ import annotations

from typing import NamedTuple

from generator.kinds.columns import Column, RowTable, flag


class DoorKind(NamedTuple):
    """A door's kind, whether it is shut when the level starts (and drawn so), and whether it is secret then:
    no door to be seen, and no way that anything counts on.
    """

    name: str
    starts_shut: bool = False
    is_secret: bool = False


DOORS = RowTable(
    "door",
    "What a door is like.",
    {
        "starts_shut": Column(flag, "`true` or `false`", "it is shut when the level starts", False),
        "secret": Column(
            flag, "`true` or `false`", "nobody sees it while it is shut, no path counts on it", False
        ),
    },
)


def door_kind_of(name: str, row: dict[str, object]) -> DoorKind:
    """The kind of a row that was read."""
    return DoorKind(name, bool(row.get("starts_shut", False)), bool(row.get("secret", False)))
