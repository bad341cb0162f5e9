"""The exporter `godot`: scenes for Godot 4.3 and newer, 4.2 or 3.6, their TileSet, and the theme's image."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from exporters.base import Exporter, Job, MainFile, late
from exporters.bundle import Bundle
from exporters.formats.godot.syntax import DIALECTS
from generator.errors import BadInput
from generator.values import Value

_EDIT = "_edit"


def _export(job: Job) -> Bundle:
    from exporters.formats.godot.write_player import player_files
    from exporters.formats.godot.write_scene import edit_scene, scenes
    from exporters.formats.godot.write_tileset import tileset_file

    if job.name.casefold().endswith(_EDIT):
        problem = f"ends in {_EDIT}, which is for scenes to work in; give another name"
        raise BadInput(f"name: {job.name} {problem}")
    theme = job.theme
    bundle = Bundle(scenes(job))
    own = job.options["tileset"]
    if not own or theme.below:
        bundle.add_made(f"{theme.name}.tres", partial(tileset_file, theme, job.options["target"]))
        bundle.add(f"{theme.name}.png", theme.image)
    if own and theme.below:
        bundle.notes.append(
            f"godot.tileset: {job.name} has several looks, so {own} needs the tiles of {theme.name}.png; "
            f"{theme.name}.tres has them"
        )
    if job.options["player"]:
        for path, data in player_files(theme).items():
            bundle.add(path, data, once=True)
    if job.options["edit"]:
        bundle.add(f"{job.name}{_EDIT}.tscn", edit_scene(job), once=True)
    return bundle


def _lost(path: str, edited: bytes, files: Mapping[str, bytes]) -> list[str]:
    from exporters.formats.godot.read_edits import lost

    main = path.removesuffix(f"{_EDIT}.tscn") + ".tscn"
    return lost(edited, main, files) if main in files else []


_READ = (
    late("exporters.formats.godot.read", "read_scene"),
    late("exporters.formats.godot.read", "identity"),
    late("exporters.formats.godot.read", "options"),
)

EXPORTER = Exporter(
    name="godot",
    summary="a scene for Godot 4.3 and newer, 4.2 or 3.6, with its TileSet",
    suffixes=(".tscn",),
    options={
        "target": Value("4.3", "the oldest Godot that opens the scene", choices=tuple(DIALECTS)),
        "split": Value(
            "none",
            "rooms: one scene per room, and one scene that contains them all",
            choices=("none", "rooms"),
        ),
        "edit": Value(True, "make NAME_edit.tscn to work in, unless it exists"),
        "player": Value(False, "add a player that walks with the arrow keys, and a camera (Godot 4)"),
        "lights": Value(
            False,
            "add a PointLight2D for each torch and fire, in the theme's torch_light, and a LightOccluder2D "
            "for each outline of walls",
        ),
        "darkness": Value(
            False, "add a CanvasModulate in the theme's ambient_light: what no light reaches is dark"
        ),
        "tileset": Value(
            "", "the res:// path of a TileSet of your game to use; empty: one is written", form="resource"
        ),
        "source": Value(
            0,
            "the id of the TileSet's source with the theme's image (Godot 3: of its first tile)",
            low=0,
            high=32767,
        ),
        "agent_radius": Value(
            -1,
            "how far navigation stays away from walls: at least the radius of the bodies that follow it, "
            "less than half a door; -1: three eighths of a tile",
            low=-1,
            high=1024,
            unit="px",
        ),
        "scenes": Value(
            {}, "your game's scenes, as res:// paths, by kind of marker, door.KIND or decor.KIND"
        ),
        "properties": Value(
            {}, "the exported properties of those scenes that get a fact, by KIND.FACT, such as enemy.role"
        ),
    },
    export=_export,
    lost=_lost,
    overrides=late("exporters.formats.godot.read_edits", "overrides"),
    main_files=(
        MainFile(
            "godot",
            ".tscn",
            *_READ,
            room_suffixes=(".tscn",),
            has_only_taken=late("exporters.merge.godot", "has_only_taken"),
        ),
    ),
    mergers=dict.fromkeys((".tscn", ".tres"), late("exporters.merge.godot", "merge_scene")),
    tilesets={".tres": late("exporters.formats.godot.theme", "godot_tileset")},
    missing=late("exporters.formats.godot.game", "missing_files"),
)
