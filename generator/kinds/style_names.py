"""The styles whose rules a kit's tables name: the only place outside of their folders that does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator import plugins
from generator.errors import KitError, hint, shown

ORIGINAL, REMAKE, HEAP = "isaac", "rebirth", "gungeon"
GRIDS = (ORIGINAL, REMAKE)
STYLES = (ORIGINAL, REMAKE, HEAP)
ULTRA_SECRET, RED = "ultra_secret", "red"  # the place behind red rooms, in the remake, and their kind
GROUP = "undercroft.styles"  # the entry points of other packages' styles


def style_problems(
    names: Iterable[str], place: str, built_in: tuple[str, ...] = STYLES
) -> Iterator[KitError]:
    """Names that no style has, neither one of those `built_in` nor one of another package's."""
    for name in names:
        if name not in built_in and (name in STYLES or name not in plugins.names(GROUP, STYLES)):
            known = (*built_in, *plugins.names(GROUP, STYLES))
            near = hint(name, known, "styles with such rows are" if name in STYLES else "installed are")
            what = "has no such rows" if name in STYLES else "is not installed"
            yield KitError(f"{place}: the style {shown(name)} {what}; {near}")
