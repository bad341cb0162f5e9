"""A player who walks through a level: the option `godot.player`.

    THEME_player.tscn    a CharacterBody2D with its camera, sized for the theme's tiles
    THEME_player.gd      its script, `player.gd` of this folder

Both are beside the theme's TileSet and shared by all levels of the theme, in any look. They are never
overwritten once a person has changed them.
The level's root has one instance, at the marker `player_start`.
"""

from __future__ import annotations

from exporters.base import Job
from exporters.formats.godot.syntax import GODOT_4_2
from exporters.formats.godot.syntax.document import Document
from exporters.formats.godot.syntax.literals import Call, Packed, vector2
from exporters.formats.godot.write_tileset import WALKERS
from exporters.theme import Theme
from generator.errors import BadInput
from generator.level import Marker
from generator.shipped_files import shipped_folder

_SUFFIX = "_player"
_TILES_A_SECOND = 6
_ZOOMED_TILE = 48  # the width of a tile in px of the window

_DARK, _LIGHT = (0.2, 0.16, 0.2, 1), (0.93, 0.84, 0.62, 1)
# The figure's parts, x and y in radiuses of the body. A larger, darker copy behind it makes the outline.
_PARTS = {
    "Outline": (
        _DARK,
        (-1.1, -1.1, -0.6, -1.9, 0.6, -1.9, 1.1, -1.1, 1.1, 0.6, 0.6, 1.2, -0.6, 1.2, -1.1, 0.6),
    ),
    "Figure": (_LIGHT, (-0.9, -1, -0.5, -1.7, 0.5, -1.7, 0.9, -1, 0.9, 0.5, 0.5, 1, -0.5, 1, -0.9, 0.5)),
    "Face": (_DARK, (-0.6, -1.2, 0.6, -1.2, 0.6, -0.6, -0.6, -0.6)),
}


def player_start(job: Job) -> Marker | None:
    """Return where the player starts, or None without the option. Raises BadInput without a marker for it."""
    if not job.options["player"]:
        return None
    if job.options["target"] == "3.6":
        raise BadInput("godot.player: is for Godot 4; leave it out, or give godot.target=4.2 or 4.3")
    if job.name.casefold() == player_scene(job.theme).removesuffix(".tscn").casefold():
        raise BadInput(f"name: {job.name} is the name of the player's scene; give another")
    for marker in job.level.markers:
        if marker.kind == "player_start":
            return marker
    raise BadInput(
        "godot.player: the level has no marker player_start; leave the option out, or add the marker"
    )


def player_scene(theme: Theme) -> str:
    """Return the name of the player's scene, the same for all levels of the theme."""
    return f"{theme.own_name}{_SUFFIX}.tscn"


def player_files(theme: Theme) -> dict[str, bytes]:
    """Write the player's scene and its script. They depend only on the theme: all levels share them."""
    script = f"{theme.own_name}{_SUFFIX}.gd"
    source = shipped_folder("exporters.formats.godot").joinpath("player.gd").read_bytes()
    return {player_scene(theme): _scene(theme.tile_size, script), script: source}


def _scene(tile_size: int, script: str) -> bytes:
    """Write the scene in the form of 4.2, which newer versions read too: levels for all versions share it."""
    document = Document("gd_scene", GODOT_4_2)
    # Smaller than the navigation's distance from walls, three eighths of a tile, to make steering easy.
    radius = tile_size * 5 / 16
    body = {
        "collision_layer": WALKERS,  # rooms detect bodies on this layer
        "collision_mask": WALKERS,
        "motion_mode": 1,  # CharacterBody2D.MOTION_MODE_FLOATING: seen from above
        "wall_min_slide_angle": 0.0,  # slide at corners instead of stopping
        "script": document.ext_resource("Script", script),
        "speed": float(_TILES_A_SECOND * tile_size),
    }
    document.node("Player", "CharacterBody2D", None, body, ["player"])
    circle = document.sub_resource("CircleShape2D", {"radius": radius})
    document.node("Shape", "CollisionShape2D", ".", {"shape": circle})
    for name, (color, corners) in _PARTS.items():
        polygon = Packed("PackedVector2Array", [coordinate * radius for coordinate in corners])
        document.node(name, "Polygon2D", ".", {"color": Call("Color", color), "polygon": polygon})
    zoom = _ZOOMED_TILE / tile_size
    document.node("Camera", "Camera2D", ".", {"zoom": vector2(zoom, zoom)})
    return document.encode()


def add_player(document: Document, start: tuple[float, float], theme: Theme) -> None:
    """Add the instance to a level's scene."""
    scene = document.ext_resource("PackedScene", player_scene(theme))
    document.node("Player", scene, ".", {"position": vector2(*start)})
