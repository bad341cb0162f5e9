from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

import exporters
import generator


def test_the_outlines_of_a_room_lie_round_its_mesh_also_in_a_scene_of_its_own() -> None:
    """Godot bakes the mesh anew from them."""
    level = generator.generate("isaac", 7, rooms=6)
    bundle = exporters.export(level, "godot", {"godot.split": "rooms"}, name="a")
    rooms = [data.decode() for path, data in bundle.items() if path.startswith("a/room")]
    assert len(rooms) == len(level.rooms)
    for text in rooms:
        meshes = re.findall(r"^vertices = (.+)$", text, re.MULTILINE)
        outlines = re.findall(r"^outlines = (.+)$", text, re.MULTILINE)
        for mesh, outline in zip(map(points, meshes), map(points, outlines), strict=True):
            further = np.array(
                [outline.min(axis=0) - mesh.min(axis=0), mesh.max(axis=0) - outline.max(axis=0)]
            )
            assert (further <= 0).all() and (further >= -16).all()


def points(text: str) -> npt.NDArray[np.float64]:
    """The points of all polygons in a line, [point, 2], px."""
    packed = re.findall(r"PackedVector2Array\(([^)]*)\)", text)
    return np.array([float(each) for one in packed for each in one.split(", ")]).reshape(-1, 2)
