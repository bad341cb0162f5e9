"""The spec of the style: what people may set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from generator.spec.base import LevelSpec, grouped
from generator.values import When

_of_level = grouped("Level")
_of_tunnels = grouped("Tunnels")
_of_chambers = grouped("Chambers")


@dataclass(frozen=True, kw_only=True)
class CavesSpec(LevelSpec):
    """Ragged chambers, joined by winding tunnels."""

    style: ClassVar[str] = "caves"
    summary: ClassVar[str] = "ragged chambers in the rock, joined by winding tunnels"

    chambers: int = _of_level(7, "how many chambers with enemies there are", low=1, high=60, unit="chambers")
    chests: int = _of_level(2, "how many chambers with a chest there are", low=0, high=20, unit="chambers")
    grottoes: int = _of_level(
        1, "how many quiet grottoes with mushrooms there are", low=0, high=20, unit="chambers"
    )
    enemies: int = _of_level(4, "how many enemies a chamber has at most", low=0, high=12, unit="enemies")
    tunnel_width: int = _of_tunnels(
        2,
        "width of tunnels and doors",
        low=1,
        high=3,
        unit="tiles",
        when=tuple(When("body", (body,), {"low": body}, "a smaller body") for body in (2, 3)),
    )
    winding: int = _of_tunnels(
        25,
        "how much rock tunnels have to wind around; 0: as straight as possible",
        low=0,
        high=40,
        unit="percent",
    )
    loops: int = _of_tunnels(
        35,
        "how many of the tunnels that are left over between near chambers are dug as well",
        low=0,
        high=100,
        unit="percent",
    )
    chamber_size: int = _of_chambers(
        17, "how wide a chamber is at least; some are half as wide again", low=12, high=40, unit="tiles"
    )
    rock: int = _of_chambers(
        43,
        "how much of a chamber is rock before it is smoothed; more rock: more ragged",
        low=20,
        high=60,
        unit="percent",
    )
    smoothing: int = _of_chambers(4, "how often a chamber is smoothed", low=0, high=10, unit="times")
