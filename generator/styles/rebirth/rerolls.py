"""Rerolls rooms of the `rebirth` style."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.styles.grid.rerolls import GridRooms, KindRow, kind_row
from generator.styles.grid.special_rooms import SpecialRoom
from generator.styles.rebirth.rule_table import CLOSETS, closet_kinds
from generator.styles.rebirth.spec import RebirthSpec
from generator.styles.rebirth.special_rooms import own_rules, special_rooms, window


class RebirthRooms(GridRooms):
    """Makes rooms of a level of the `rebirth` style."""

    _spec: RebirthSpec
    has_shapes = True

    def shares(self, curse: str) -> Mapping[str, int]:
        """Return the window of difficulties of the stage."""
        return window(self._spec, curse)

    def kind_rows(self, labyrinth: bool) -> list[KindRow]:
        """List the rows of the table."""
        return [kind_row(row) for row in special_rooms(self._spec, labyrinth)]

    def own_rules(self, labyrinth: bool) -> Sequence[SpecialRoom]:
        """Return the rules that apply under the spec."""
        return own_rules(self._spec, labyrinth, self._draft.level.seed)

    def has_shape(self, kind: str, shape: str) -> bool:
        """Check a shape: closets may be narrow if the spec has any, and a kit's kind has its own shapes."""
        kinds = self._draft.level.kinds
        if kind in closet_kinds(kinds):
            return shape == "1x1" or (shape in CLOSETS and self._spec.narrow_rooms > 0)
        return shape == "1x1" or kinds.room(kind).has_shapes
