"""The settings for the scenes of a level: parsed options, and layers without things drawn by game scenes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from exporters.base import Job
from exporters.dress import EMPTY, Layers, door_tiles, dress
from exporters.formats.godot.dialects import DIALECTS, Dialect
from exporters.formats.godot.parts import DoorPart
from exporters.formats.godot.player import player_start
from exporters.formats.godot.regions import agent_radius
from exporters.formats.godot.scene_table import SceneTable, project_path, scene_table
from exporters.names import Names, names_of
from exporters.shut_doors import needs_text
from generator.kinds import DecorKind
from generator.level import Level, Marker


class Thing(NamedTuple):
    """A piece of decor with a scene of the game, and its top left tile."""

    kind: DecorKind
    x: int
    y: int
    scene: str


class Setting(NamedTuple):
    """What all scenes of a level share. The layers leave out things that have their own scenes."""

    job: Job
    dialect: Dialect
    table: SceneTable
    layers: Layers
    things: tuple[Thing, ...]
    agent_radius: int  # in px, for bodies that follow the navigation
    hallway_of: Mapping[int, int]  # by door id
    split: bool
    tile_set: str  # a resource of the game; empty: the one beside the scene
    names: Names
    source: int  # the TileSet's source (Godot 3: first tile) with the theme's image
    player_start: Marker | None  # None without a player


def setting_of(job: Job) -> Setting:
    """Build the setting of a job. Raises BadInput for a bad option."""
    options = job.options
    table = scene_table(options["scenes"], options["properties"], job.level.kinds)
    tile_set = options["tileset"]
    if tile_set:
        project_path("godot.tileset", tile_set, (".tres", ".res"))
    layers, things = _without_scenes(job, table)
    return Setting(
        job=job,
        dialect=DIALECTS[options["target"]],
        table=table,
        layers=layers,
        things=things,
        agent_radius=agent_radius(job.level, job.theme.tile_size, options["agent_radius"]),
        hallway_of={door: hallway.id for hallway in job.level.hallways for door in hallway.doors},
        split=options["split"] == "rooms",
        tile_set=tile_set,
        names=names_of(job.level),
        source=options["source"],
        player_start=player_start(job),
    )


def _without_scenes(job: Job, table: SceneTable) -> tuple[Layers, tuple[Thing, ...]]:
    """Return the layers without decor and doors that are scenes, and that decor."""
    level, layers = job.level, job.layers
    if not table.wishes:
        return layers, ()
    things = tuple(_things(level, table))
    if things:  # a tile's look depends only on its place, so the rest looks as before
        left = level.decor.copy()
        for thing in things:
            left[thing.y, thing.x] = 0
        layers = dress(replace(level, decor=left), job.theme)
    doors, overlay = layers.doors.copy(), layers.overlay.copy()
    for door in level.doors:
        part = DoorPart(door, door.tiles, door.side)
        if table.scene(door_subjects(door.kind), door_facts(part)) is not None:
            for tile in door_tiles(door, job.theme):
                doors[tile.y, tile.x] = EMPTY
                if overlay[tile.y, tile.x] == tile.overlay:
                    overlay[tile.y, tile.x] = EMPTY
    return layers._replace(doors=doors, overlay=overlay), things


def _things(level: Level, table: SceneTable) -> list[Thing]:
    """List the decor that is scenes, in row order like everything in a level."""
    placed = []
    for number, kind in enumerate(level.decor_kinds):
        scene = table.scene(decor_subjects(kind), decor_facts(kind)) if number else None
        if scene is not None:
            placed += [Thing(kind, x, y, scene) for y, x in np.argwhere(level.decor == number).tolist()]
    return sorted(placed, key=lambda thing: (thing.y, thing.x))


# --- subjects and facts for the scene table ----------------------------------------------------------


def decor_subjects(kind: DecorKind) -> tuple[str]:
    """Return the scene table's key for a kind of decor."""
    return (f"decor.{kind.name}",)


def decor_facts(kind: DecorKind) -> dict[str, object]:
    """Return the facts that the scene table can choose by."""
    return {
        "kind": kind.name,
        "walk": kind.walk,
        "fly": kind.fly,
        "shoot": kind.shoot,
        "hazard": kind.hazard,
    }


def door_subjects(kind: str) -> tuple[str, str]:
    """Return the scene table's keys for a door, most specific first."""
    return f"door.{kind}", "door"


def door_facts(part: DoorPart) -> dict[str, object]:
    """Return the facts that the scene table can choose by."""
    door = part.door
    passage = {"needs": needs_text(door.needs), "one_way": door.one_way, "opens_from": door.opens_from}
    return {"kind": door.kind, "side": part.side, "id": door.id, **passage}
