"""Exporter `godot`: a scene for Godot 4.3 and newer, its TileSet, and the theme's image."""

from __future__ import annotations

from exporters.base import Exporter, Job
from exporters.bundle import Bundle


def _export(job: Job) -> Bundle:
    from exporters.godot.scene import scene
    from exporters.godot.tileset import tileset

    theme = job.theme
    return Bundle(
        {
            f"{job.name}.tscn": scene(job),
            f"{theme.name}.tres": tileset(theme),
            f"{theme.name}.png": theme.image,
        }
    )


EXPORTER = Exporter(
    name="godot",
    summary="a scene for Godot 4.3 and newer, with its TileSet",
    suffixes=(".tscn",),
    options={},
    export=_export,
)
