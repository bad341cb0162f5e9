from __future__ import annotations

import pytest

from exporters.merge.outcome import CannotMerge
from exporters.merge.tiled_flat import flattened


def nested(groups: int) -> dict[str, object]:
    """A map with nothing but groups, each in the one before."""
    layers: list[dict[str, object]] = []
    for number in range(groups, 0, -1):
        layers = [{"id": number, "type": "group", "layers": layers}]
    sizes = {"height": 4, "width": 5, "tileheight": 16, "tilewidth": 16}
    return {"type": "map", "orientation": "orthogonal", **sizes, "layers": layers}


def test_groups_may_be_nested_thirty_two_deep() -> None:
    assert [layer["id"] for layer in flattened(nested(32)).layers] == [*range(1, 33)]
    with pytest.raises(CannotMerge, match="has groups nested too deeply"):
        flattened(nested(33))
