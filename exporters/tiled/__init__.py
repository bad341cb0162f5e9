"""The exporter `tiled`: a map for Tiled 1.10 and newer, its tileset and project, and the theme's image."""

from __future__ import annotations

from exporters.base import Exporter, Job
from exporters.bundle import Bundle
from generator.errors import BadInput
from generator.values import Value

ENCODINGS = ("csv", "base64", "zlib", "zstd")


def _export(job: Job) -> Bundle:
    from exporters.tiled.formats import FORMATS
    from exporters.tiled.maps import maps
    from exporters.tiled.project import project, project_file
    from exporters.tiled.tileset import tileset

    theme, form = job.theme, FORMATS[str(job.options["format"])]
    if job.options["split"] == "rooms" and not form.edited:
        problem = f"Tiled cannot open a world of {job.options['format']} files"
        raise BadInput(f"tiled.format: {problem}; give tmj or tmx, or leave out tiled.split=rooms")
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
            "tmj: JSON; tmx: XML; lua and js: as Tiled exports them",
            choices=("tmj", "tmx", "lua", "js"),
        ),
        "tileset": Value(
            "external",
            "external: a file beside the maps, shared by all maps of a theme; embedded: in each map",
            choices=("external", "embedded"),
        ),
        "encoding": Value(
            "csv",
            "how tiles are stored; zstd needs `pip install 'undercroft[zstd]'`",
            choices=ENCODINGS,
        ),
        "split": Value("none", "rooms: one map per room and hallway, and a world", choices=("none", "rooms")),
    },
    export=_export,
)
