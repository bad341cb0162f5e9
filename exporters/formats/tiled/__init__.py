"""The exporter `tiled`: a map for Tiled 1.10 and newer, its tileset and project, and the theme's image."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from exporters.base import Exporter, Job, MainFile, late
from exporters.bundle import Bundle
from generator.errors import BadInput
from generator.values import Value

if TYPE_CHECKING:
    from exporters.reading.files import ExportFiles
    from exporters.reading.seen import ShownLevel
    from exporters.theme import Theme
    from generator.level import Level

_READER = "exporters.formats.tiled.read"
ENCODINGS = ("csv", "base64", "zlib", "zstd")


def _export(job: Job) -> Bundle:
    from exporters.formats.tiled.syntax.formats import FORMATS
    from exporters.formats.tiled.write_map import maps
    from exporters.formats.tiled.write_project import project, project_file
    from exporters.formats.tiled.write_tileset import tileset

    theme, form = job.theme, FORMATS[str(job.options["format"])]
    if job.options["split"] == "rooms" and not form.edited:
        problem = f"Tiled cannot open a world of {job.options['format']} files"
        raise BadInput(f"tiled.format: {problem}; give tmj or tmx, or leave out tiled.split=rooms")
    bundle = Bundle(maps(job))
    if job.options["tileset"] == "external":
        bundle.add_made(f"{theme.name}.{form.tileset}", partial(tileset, theme, form.tileset))
    bundle.add(f"{theme.name}.png", theme.image)
    if form.edited:
        bundle.add_made(project_file(job.level.kinds), partial(project, job.level.kinds))
    return bundle


def _world_of_run(name: str, jobs: Sequence[Job]) -> Bundle:
    from exporters.formats.tiled.write_map import world_of_run

    levels, form = {job.name: job.level for job in jobs}, str(jobs[0].options["format"])
    return Bundle({f"{name}.world": world_of_run(levels, form, jobs[0].theme.tile_size)})


def _shows_runs(options: Mapping[str, object]) -> bool:
    from exporters.formats.tiled.syntax.formats import FORMATS

    return options["split"] != "rooms" and FORMATS[str(options["format"])].edited


def _read_map(path: str, files: ExportFiles, theme: Theme, _: Level) -> ShownLevel:
    from exporters.formats.tiled.read import read_map

    return read_map(path, files, theme)


def _read_world(path: str, files: ExportFiles, theme: Theme, _: Level) -> ShownLevel:
    from exporters.formats.tiled.read import read_world

    return read_world(path, files, theme)


def _options(split: str, path: str, files: ExportFiles) -> Mapping[str, object]:
    from exporters.formats.tiled.read import options

    return {"tiled.split": split, **options(path, files)}


def _is_map_of(form: str, options: Mapping[str, object]) -> bool:
    return options.get("split", "none") != "rooms" and options.get("format", "tmj") == form


def _is_world(options: Mapping[str, object]) -> bool:
    return options.get("split", "none") == "rooms"


_MAIN_FILES = (
    *(
        MainFile(
            "tiled",
            f".{form}",
            _read_map,
            late(_READER, "identity"),
            partial(_options, "none"),
            partial(_is_map_of, form),
            has_only_taken=late("exporters.merge.tiled_map", "has_only_taken"),
        )
        for form in ("tmj", "tmx")
    ),
    MainFile(
        "tiled",
        ".world",
        _read_world,
        late(_READER, "identity_in_world"),
        partial(_options, "rooms"),
        _is_world,
        room_suffixes=(".tmj", ".tmx"),
    ),
)

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
            "csv", "how tiles are stored; zstd needs Python 3.14 or the extra `zstd`", choices=ENCODINGS
        ),
        "split": Value("none", "rooms: one map per room and hallway, and a world", choices=("none", "rooms")),
    },
    export=_export,
    main_files=_MAIN_FILES,
    mergers={
        **dict.fromkeys((".tmj", ".tmx"), late("exporters.merge.tiled_map", "merge_map")),
        **dict.fromkeys(
            (".tsj", ".tsx", ".tj", ".tiled-project", ".world"),
            late("exporters.merge.tiled_files", "merge_plain"),
        ),
    },
    tilesets=dict.fromkeys((".tsx", ".tsj"), late("exporters.formats.tiled.theme", "tiled_tileset")),
    draw_room=late("exporters.formats.tiled.rooms", "tiled_drawing"),
    drawn_rooms=dict.fromkeys((".tmj", ".tmx"), late("exporters.formats.tiled.drawn_rooms", "tiled_rooms")),
    drawn_level={
        **dict.fromkeys((".tmj", ".tmx"), late("exporters.formats.tiled.drawn_rooms", "tiled_room")),
        ".world": late("exporters.formats.tiled.drawn_rooms", "tiled_world"),
    },
    of_run=_world_of_run,
    shows_runs=_shows_runs,
)
