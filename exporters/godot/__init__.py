"""Exporter `godot`: scenes for Godot 4.3 and newer, 4.2 or 3.6, their TileSet, and the theme's image."""

from __future__ import annotations

from collections.abc import Mapping

from exporters.base import Exporter, Job
from exporters.bundle import Bundle
from exporters.godot.dialects import DIALECTS
from generator.errors import BadInput
from generator.values import Value

_EDIT = "_edit"


def _export(job: Job) -> Bundle:
    from exporters.godot.player import player_files
    from exporters.godot.scene import edit_scene, scenes
    from exporters.godot.tileset import tileset_file

    if job.name.casefold().endswith(_EDIT):
        what = f"ends in {_EDIT}, as the scenes do that people work in; give another"
        raise BadInput(f"name: {job.name} {what}")
    theme = job.theme
    bundle = Bundle(scenes(job))
    if not job.options["tileset"]:
        bundle.add(f"{theme.name}.tres", tileset_file(theme, job.options["target"]))
        bundle.add(f"{theme.name}.png", theme.image)
    if job.options["player"]:
        for path, data in player_files(theme).items():
            bundle.add(path, data, once=True)
    if job.options["edit"]:
        bundle.add(f"{job.name}{_EDIT}.tscn", edit_scene(job), once=True)
    return bundle


def _lost(path: str, found: bytes, files: Mapping[str, bytes]) -> list[str]:
    from exporters.godot.edits import lost

    main = path.removesuffix(f"{_EDIT}.tscn") + ".tscn"
    return lost(found, main, files) if main in files else []


EXPORTER = Exporter(
    name="godot",
    summary="a scene for Godot 4.3 and newer, 4.2 or 3.6, with its TileSet",
    suffixes=(".tscn",),
    options={
        "target": Value("4.3", "the oldest Godot that opens the scene", choices=tuple(DIALECTS)),
        "split": Value(
            "none", "rooms: one scene per room, and one that holds them", choices=("none", "rooms")
        ),
        "edit": Value(True, "make NAME_edit.tscn to work in, if there is none"),
        "player": Value(
            False, "put a player into the level that walks with the arrow keys, and its camera (Godot 4)"
        ),
        "tileset": Value(
            "", "a TileSet of the game's to use, as res:// path; empty: one is written", form="resource"
        ),
        "source": Value(
            0, "the TileSet's source that has the theme's image (Godot 3: its first tile)", low=0, high=32767
        ),
        "agent_radius": Value(
            -1,
            "how far navigation stays off walls; no less than the radius of bodies that follow it, less than "
            "half a door; -1: three eighths of a tile",
            low=-1,
            high=1024,
            unit="px",
        ),
        "scenes": Value({}, "the game's scenes by kind of marker, door.KIND or decor.KIND, as res:// paths"),
        "properties": Value({}, "exported properties of those scenes by KIND.FACT, such as enemy.role"),
    },
    export=_export,
    lost=_lost,
)
