"""The `rebirth` style: the remake's floorplans, draw for draw, with special rooms in the wiki's order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.seeds import Seed
from generator.styles.grid.style import grid_style
from generator.styles.rebirth.spec import RebirthSpec

if TYPE_CHECKING:
    from generator.styles.rebirth.growth import Topology, topology

__all__ = ["STYLE", "Topology", "topology"]


def _read_seed(seed: Seed) -> tuple[int, str | None]:
    from generator.styles.rebirth.seeds import read_run_seed

    return read_run_seed(seed)


STYLE = grid_style(RebirthSpec, read_seed=_read_seed, one_seed_per_run=True)


def __getattr__(name: str) -> object:
    """Import the topology when it is first used."""
    if name in ("Topology", "topology"):
        from generator.styles.rebirth import growth

        return getattr(growth, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
