"""Keys of a kit's special-room rules that have no effect or contradict each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.errors import KitError
from generator.kinds.special_rooms import SpecialRoomRow
from generator.kinds.style_names import REBIRTH


def key_problems(row: SpecialRoomRow, shipped: Sequence[SpecialRoomRow], label: str) -> Iterator[KitError]:
    """Find conflicts between the keys of a rule. `shipped` are the rules that use their style's dice."""
    if not row.has_own_dice:
        if row._replace(becomes=None) not in [rule._replace(becomes=None) for rule in shipped]:
            yield KitError(f"{label}.dice: only shipped rules use their style's dice; leave the key out")
        return
    if row.must and not _is_certain(row.chance):
        yield KitError(
            f"{label}.chance: {row.chance} cannot be used with must = true, which needs no chance; leave "
            "one out"
        )
    if row.must and row.again:
        yield KitError(
            f"{label}.again: cannot be used with must = true, which needs no chance; leave one out"
        )
    if row.in_labyrinth != 1:
        yield KitError(
            f"{label}.in_labyrinth: {row.in_labyrinth} is only for shipped rules; leave it out, and "
            f'give another [[special_room.{row.name}]] only = ["labyrinth"], or one only = ["not labyrinth"]'
        )
    for key, value in (("passes", row.passes), ("draws", row.draws)):
        if value:
            yield KitError(
                f"{label}.{key}: is about the game's own draws in {REBIRTH}, which your own rules do not "
                "take part in; leave the key out"
            )


def _is_certain(chance: str) -> bool:
    first, _, second = chance.partition("/")
    return first.isdigit() and int(first) >= int(second)
