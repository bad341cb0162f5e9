"""Door kinds: the `[door.NAME]` rows of a kit."""

from __future__ import annotations

from typing import NamedTuple

from generator.kinds.columns import Column, RowTable, flag


class DoorKind(NamedTuple):
    """A door's kind, whether it is shut (and drawn so) when the level starts, and whether it is secret then.

    A secret door starts shut, whatever its row says, is not visible, and no path that a level relies on leads
    through it.
    """

    name: str
    starts_shut: bool = False
    is_secret: bool = False


DOORS = RowTable(
    "door",
    "A kind of door.",
    {
        "starts_shut": Column(flag, "`true` or `false`", "it is shut when the level starts", False),
        "secret": Column(
            flag,
            "`true` or `false`",
            "it starts shut, is hidden until somebody finds it, and no path relies on it",
            False,
        ),
    },
)


def door_kind_of(name: str, row: dict[str, object]) -> DoorKind:
    """Build the kind that a row defines."""
    return DoorKind(name, bool(row.get("starts_shut", False)), bool(row.get("secret", False)))
