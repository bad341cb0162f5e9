"""Exports of one level and of what becomes of it, made once."""

from __future__ import annotations

from functools import cache

import pytest

import exporters
import generator

VERSIONS = (
    ("isaac", {}),
    ("isaac", {"rooms": 14}),
    ("isaac", {"rooms": 10}),
    ("isaac", {"stage": 3}),
    ("isaac", {"hard": True}),
)


@cache
def exported(preset: str, seed: int, **values: object) -> dict[str, bytes]:
    """All files of a level named `level`, by their suffix."""
    level = generator.generate(preset, seed, **values)
    bundles = (
        exporters.export(level, "tiled", {"tiled.format": "tmx"}, name="level"),
        exporters.export(level, ["godot", "tiled", "ldtk"], name="level"),
    )
    files = {path: data for bundle in bundles for path, data in bundle.items()}
    return {path.partition(".")[2]: data for path, data in files.items() if not path.startswith("level_edit")}


def gone_enemy() -> str:
    """The name of an enemy of the largest level of these two in a room that the other one does not have."""
    large, small = generator.generate("isaac", 7, rooms=14), generator.generate("isaac", 7)
    frame = {cell for room in small.rooms for cell in room.cells}
    gone = {room.id for room in large.rooms if frame.isdisjoint(room.cells)}
    enemy = next(marker for marker in large.markers if marker.kind == "enemy" and marker.room in gone)
    return f"Enemy_{enemy.x}_{enemy.y}"


@pytest.fixture(scope="session")
def versions() -> list[dict[str, bytes]]:
    return [exported(preset, 7, **values) for preset, values in VERSIONS]
