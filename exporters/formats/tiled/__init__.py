"""The exporter `tiled`: a map for Tiled 1.10 and newer, its tileset and project, and the theme's image."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from exporters.base import Exporter, Job, MainFile
from exporters.bundle import Bundle
from generator.errors import BadInput
from generator.values import Value

if TYPE_CHECKING:
    from pathlib import Path

    from exporters.merge.outcome import Merged
    from exporters.reading.files import ExportFiles
    from exporters.reading.seen import ShownLevel
    from exporters.theme import Theme
    from exporters.theme.tileset import TilesetFile
    from generator.interiors.drawings import DrawnFiles
    from generator.interiors.editor_room import EditorRoom
    from generator.interiors.named import NamedLayout
    from generator.level import Level

ENCODINGS = ("csv", "base64", "zlib", "zstd")


def _export(job: Job) -> Bundle:
    from exporters.formats.tiled.formats import FORMATS
    from exporters.formats.tiled.maps import maps
    from exporters.formats.tiled.project import project, project_file
    from exporters.formats.tiled.tileset import tileset

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


def _read_map(path: str, files: ExportFiles, theme: Theme, _: Level) -> ShownLevel:
    from exporters.formats.tiled.read import read_map

    return read_map(path, files, theme)


def _read_world(path: str, files: ExportFiles, theme: Theme, _: Level) -> ShownLevel:
    from exporters.formats.tiled.read import read_world

    return read_world(path, files, theme)


def _map_identity(path: str, files: ExportFiles) -> Mapping[str, str]:
    from exporters.formats.tiled.read import identity

    return identity(path, files)


def _world_identity(path: str, files: ExportFiles) -> Mapping[str, str]:
    from exporters.formats.tiled.read import identity_in_world

    return identity_in_world(path, files)


def _options(split: str, path: str, files: ExportFiles) -> Mapping[str, object]:
    from exporters.formats.tiled.read import options

    return {"tiled.split": split, **options(path, files)}


def _is_map_of(form: str, options: Mapping[str, object]) -> bool:
    return options.get("split", "none") != "rooms" and options.get("format", "tmj") == form


def _is_world(options: Mapping[str, object]) -> bool:
    return options.get("split", "none") == "rooms"


def _tileset(data: bytes, name: str, _: int | None) -> TilesetFile:
    from exporters.formats.tiled.theme import tiled_tileset

    return tiled_tileset(data, name)


def _draw_room(named: NamedLayout, theme: Theme, name: str) -> Bundle:
    from exporters.formats.tiled.rooms import tiled_drawing

    return tiled_drawing(named, theme, name)


def _drawn_rooms(path: Path, files: DrawnFiles) -> Iterable[EditorRoom]:
    from exporters.formats.tiled.drawn_rooms import tiled_rooms

    return tiled_rooms(path, files)


def _merge_map(base: bytes, theirs: bytes, new: bytes) -> Merged:
    from exporters.merge.tiled_map import merge_map

    return merge_map(base, theirs, new)


def _merge_plain(base: bytes, theirs: bytes, new: bytes) -> Merged:
    from exporters.merge.json_files import merge_plain

    return merge_plain(base, theirs, new)


_MAIN_FILES = (
    *(
        MainFile(
            "tiled",
            f".{form}",
            _read_map,
            _map_identity,
            partial(_options, "none"),
            partial(_is_map_of, form),
        )
        for form in ("tmj", "tmx")
    ),
    MainFile(
        "tiled",
        ".world",
        _read_world,
        _world_identity,
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
            "csv",
            "how tiles are stored; zstd needs `pip install 'undercroft[zstd]'`",
            choices=ENCODINGS,
        ),
        "split": Value("none", "rooms: one map per room and hallway, and a world", choices=("none", "rooms")),
    },
    export=_export,
    main_files=_MAIN_FILES,
    mergers={
        ".tmj": _merge_map,
        **dict.fromkeys((".tsj", ".tj", ".tiled-project", ".world"), _merge_plain),
    },
    tilesets={".tsx": _tileset, ".tsj": _tileset},
    draw_room=_draw_room,
    drawn_rooms={".tmj": _drawn_rooms, ".tmx": _drawn_rooms},
)
