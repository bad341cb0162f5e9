"""Exporter `tiled`: a map for Tiled 1.10 and newer with its tileset, its project, and the theme's image."""

from __future__ import annotations

from exporters.base import Exporter, Job
from exporters.bundle import Bundle
from generator.errors import BadInput
from generator.values import Value


def _export(job: Job) -> Bundle:
    from exporters.tiled.formats import FORMATS
    from exporters.tiled.maps import maps
    from exporters.tiled.project import project, project_file
    from exporters.tiled.tileset import tileset

    theme, form = job.theme, FORMATS[str(job.options["format"])]
    if job.options["split"] == "rooms" and not form.edited:
        what = f"{job.options['format']} is no format of which Tiled opens a world"
        raise BadInput(f"tiled.format: {what}; give tmj or tmx, or leave out tiled.split=rooms")
    files = maps(job)
    if job.options["tileset"] == "external":
        files[f"{theme.name}.{form.tileset}"] = tileset(theme, form.tileset)
    files[f"{theme.name}.png"] = theme.image
    if form.edited:
        files[project_file(job.level.kinds)] = project(job.level.kinds)
    return Bundle(files)


EXPORTER = Exporter(
    name="tiled",
    summary="a map for Tiled 1.10 and newer, with its tileset and a project",
    suffixes=(".tmj", ".tmx", ".lua", ".js", ".world"),
    options={
        "format": Value(
            "tmj",
            "tmx for readers of XML; lua and js as Tiled exports them",
            choices=("tmj", "tmx", "lua", "js"),
        ),
        "tileset": Value(
            "external",
            "a file beside the maps, which all of a theme share, or embedded in each map",
            choices=("external", "embedded"),
        ),
        "encoding": Value(
            "csv", "how tiles are stored; zstd needs an extra", choices=("csv", "base64", "zlib", "zstd")
        ),
        "split": Value(
            "none", "rooms: a map for each room and hallway, and a world", choices=("none", "rooms")
        ),
    },
    export=_export,
)
