"""Exporter `tiled`: a map for Tiled 1.10 and newer with its tileset, its project, and the theme's image."""

from __future__ import annotations

from exporters.base import Exporter, Job
from exporters.bundle import Bundle
from generator.values import Value


def _export(job: Job) -> Bundle:
    from exporters.tiled.maps import maps
    from exporters.tiled.project import project, project_file
    from exporters.tiled.tileset import tileset

    theme = job.theme
    return Bundle(
        {
            **maps(job),
            f"{theme.name}.tsj": tileset(theme),
            f"{theme.name}.png": theme.image,
            project_file(job.level.kinds): project(job.level.kinds),
        }
    )


EXPORTER = Exporter(
    name="tiled",
    summary="a map for Tiled 1.10 and newer, with its tileset and a project",
    suffixes=(".tmj", ".world"),
    options={
        "encoding": Value(
            "csv", "how tiles are stored; zstd needs an extra", choices=("csv", "base64", "zlib", "zstd")
        ),
        "split": Value(
            "none", "rooms: a map for each room and hallway, and a world", choices=("none", "rooms")
        ),
    },
    export=_export,
)
