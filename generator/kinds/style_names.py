"""The names of the styles that a kit's tables use: the only place outside the styles that has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator import plugins
from generator.errors import hint, shown

ISAAC, REBIRTH, GUNGEON = "isaac", "rebirth", "gungeon"
GRIDS = (ISAAC, REBIRTH)
STYLES = (ISAAC, REBIRTH, GUNGEON)
ULTRA_SECRET, RED = "ultra_secret", "red"  # in the remake: the place behind red rooms, and the kind of these
GROUP = "undercroft.styles"  # the entry-point group for other packages' styles


def style_problems(names: Iterable[str], label: str, built_in: tuple[str, ...] = STYLES) -> Iterator[str]:
    """Find names of styles that are neither `built_in` nor added by another package."""
    for name in names:
        if name not in built_in and (name in STYLES or name not in plugins.names(GROUP, STYLES)):
            known = (*built_in, *plugins.names(GROUP, STYLES))
            near = hint(name, known)
            problem = "has no such rows" if name in STYLES else "is not installed"
            yield f"{label}: the style {shown(name)} {problem}; {near}"
