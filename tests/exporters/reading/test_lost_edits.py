"""The contents of `Lost edits`, which earlier versions wrote, are not part of the level, and are silently ignored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exporters.reading.back import bring_back
from tests.exporters.reading.exported import exported, level_of


def with_lost_edits(form: str, data: bytes) -> bytes:
    """A tile, a marker or a whole level, as a merge of an earlier version put them aside."""
    if form == "scene":
        node = b'\n[node name="Lost edits" type="Node2D" parent="."]\nvisible = false\n'
        enemy = b'\n[node name="Enemy_2_2" type="Marker2D" parent="Lost edits"]\nmetadata/kind = "enemy"\n'
        return data + node + enemy
    table = json.loads(data)
    if form == "ldtk":
        level = json.loads(json.dumps(table["levels"][0]))
        level |= {"identifier": "Lost_edits_Room", "iid": "a" + level["iid"][1:][::-1], "worldX": 4096}
        table["levels"].append(level)
    else:
        layers = [layer for layer in table["layers"] if layer["name"] in ("Walls", "Markers")]
        own = {
            "name": "Lost edits",
            "type": "group",
            "id": 90,
            "visible": False,
            "opacity": 1,
            "x": 0,
            "y": 0,
        }
        table["layers"].append({**own, "layers": [{**layer, "id": 91 + i} for i, layer in enumerate(layers)]})
    return json.dumps(table).encode()


@pytest.mark.parametrize("form", ["map", "ldtk", "scene"])
def test_what_an_earlier_version_put_aside_does_not_come_back(form: str, tmp_path: Path) -> None:
    level = level_of("isaac")
    main = exported(level, form, tmp_path)
    main.write_bytes(with_lost_edits(form, main.read_bytes()))
    back = bring_back(main)
    assert (back.notes, back.level) == ([], level)
