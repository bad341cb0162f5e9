"""The layouts that a team drew. Without any, nothing that reads drawings is imported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.geometry import Point
    from generator.interiors.layouts import Layout
    from generator.kinds import Kit


class OwnLayouts:
    """A team's layouts by pool (`shop`, `normal/any/easy`), and a digest of their names and contents."""

    def __init__(self, pools: Mapping[str, tuple[Layout, ...]], digest: str) -> None:
        self.pools = pools
        self.digest = digest


NO_OWN = OwnLayouts({}, "")


def team_layouts(kit: Kit, folder: str, room_size: Point | None) -> OwnLayouts:
    """Add the layouts of a folder to those of a kit. The digest is only that of the folder's layouts.

    Raises SpecError and LayoutError like `own_layouts`.
    """
    if not (folder or kit.layouts):
        return NO_OWN
    from generator.interiors.own_layouts import kit_layouts, over, own_layouts

    own = own_layouts(folder, room_size, kit)
    return over(kit_layouts(kit, on_grid=room_size is not None), own) if kit.layouts else own
