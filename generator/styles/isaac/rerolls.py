"""Rerolls rooms of the `isaac` style."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.styles.grid.rerolls import GridRooms, KindRow, kind_row
from generator.styles.grid.special_rooms import SpecialRoom
from generator.styles.isaac.spec import IsaacSpec
from generator.styles.isaac.special_rooms import always, difficulties_of, own_rules, special_rooms


class IsaacRooms(GridRooms):
    """Makes rooms of a level of the `isaac` style."""

    _spec: IsaacSpec
    has_shapes = False

    def shares(self, curse: str) -> Mapping[str, int]:
        """Return the shares of the stage's difficulties, from the kit."""
        return difficulties_of(self._spec, curse)

    def kind_rows(self, labyrinth: bool) -> list[KindRow]:
        """List the rooms that always come, such as shop and treasure, then those that come by chance."""
        fixed = [KindRow(frozenset({kind}), True) for kind in always(self._spec, labyrinth)]
        return fixed + [kind_row(row) for row in special_rooms(self._spec, labyrinth)]

    def own_rules(self, labyrinth: bool) -> Sequence[SpecialRoom]:
        """Return the rules that apply under the spec."""
        return own_rules(self._spec, labyrinth)

    def why_normal(self, labyrinth: bool) -> str:
        """Explain that in a labyrinth only the furthest dead ends become special rooms."""
        return "in a labyrinth only the furthest dead ends are special" if labyrinth else ""
