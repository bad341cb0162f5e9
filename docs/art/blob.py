"""The 47 neighbourhoods of a `blob47` set."""

from __future__ import annotations

N, NE, E, SE, S, SW, W, NW = 1, 2, 4, 8, 16, 32, 64, 128

_CORNERS = ((NE, N | E), (SE, S | E), (SW, S | W), (NW, N | W))


def reduced(mask: int) -> int:
    """Drop the corners of a mask that have not both sides beside them."""
    for corner, sides in _CORNERS:
        if mask & sides != sides:
            mask &= ~corner
    return mask


MASKS: list[int] = sorted({reduced(mask) for mask in range(256)})
