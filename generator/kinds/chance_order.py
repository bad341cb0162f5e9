"""The order in which rules take dead ends in `isaac`, where a kit's rule can come `before` another."""

from __future__ import annotations

from collections.abc import Iterable

from generator.kinds.special_rooms import SpecialRoomRow
from generator.kinds.style_names import ISAAC

ChanceTurn = tuple[str, str]  # a rule's name, and the rule that it comes before; "" for the style's own rules


def chance_order(rows: Iterable[SpecialRoomRow]) -> list[ChanceTurn]:
    """List the rules of `isaac` rolled at dead ends, by name: the style's own, and those put before them.

    Whether a rule applies does not matter, so that each keeps its place even if the next one is left out. A
    rule that comes before one without a place here is always left out.
    """
    candidates = [row for row in rows if ISAAC in row.styles and not row.must and row.place == "dead_end"]
    order = list(dict.fromkeys((row.name, "") for row in candidates if not row.has_own_dice))
    left = list(
        dict.fromkeys((row.name, row.before) for row in candidates if row.has_own_dice and row.before)
    )
    placed = True
    while placed:
        placed = False
        for turn in left.copy():
            names = [name for name, _ in order]
            if turn[1] in names:
                order.insert(names.index(turn[1]), turn)
                left.remove(turn)
                placed = True
    return order


def turn_of(row: SpecialRoomRow) -> ChanceTurn:
    """Return a rule's entry in `chance_order`."""
    return row.name, row.before if row.has_own_dice else ""
