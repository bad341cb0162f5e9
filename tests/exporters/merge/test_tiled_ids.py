from __future__ import annotations

from exporters.merge.tiled_flat import flattened
from exporters.merge.tiled_ids import renumber


def test_only_what_refers_to_an_object_gets_its_new_number() -> None:
    """A number that somebody wrote for other ends stays, and so does what is no property at all."""
    properties = [
        {"name": "to", "type": "object", "value": 6},
        {"name": "coins", "type": "int", "value": 6},
        {"name": "said", "type": "object", "value": "6"},
        {"name": "gone", "type": "object", "value": 99},
        "odd",
    ]
    layer = {"id": 1, "type": "objectgroup", "objects": [{"id": 5, "properties": properties}, {"id": 6}]}
    sizes = {"height": 4, "width": 5, "tileheight": 16, "tilewidth": 16}
    found = flattened({"type": "map", "orientation": "orthogonal", **sizes, "layers": [layer]})
    renumber(found, {1: 11}, {5: 50, 6: 60})
    assert [each["id"] for each in found.layers] == [11]
    assert [each["id"] for each in found.objects] == [50, 60]
    assert found.objects[0]["properties"] == [{**properties[0], "value": 60}, *properties[1:]]  # type: ignore[dict-item]
