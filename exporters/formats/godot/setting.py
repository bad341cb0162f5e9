"""What the scenes of a level are made from: its parts, one per scene, and the settings that all share.

A part is the whole level, or a room or hallway with everything in it.
The origin of a room's scene is the corner of the room's bounds. So an instance at that place lies exactly
where the room lies in the level.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from exporters.base import Job
from exporters.dress import EMPTY, Layers, TileLayer, door_tiles, dress
from exporters.formats.godot.syntax import DIALECTS, Dialect
from exporters.formats.godot.syntax.literals import is_identifier, node_name
from exporters.formats.godot.write_player import player_start
from exporters.objects import Names, names_of, needs_text, room_names
from exporters.owners import extents, halves_by_room, owners
from exporters.theme import lit
from exporters.theme.districts import light_colour, look_steps
from generator.errors import BadInput, hint, shown
from generator.geometry import Point, Rect
from generator.kinds import SHIPPED, DecorKind, Kinds
from generator.level import Door, Hallway, Level, Marker, Room
from generator.named_tuple import NamedTuple

CONTAINERS = ("Rooms", "Hallways", "Markers", "Doors", "Things", "Occluders")  # nodes that only hold others


class DoorPart(NamedTuple):
    """The tiles of a door in a scene, in level coordinates, and its side as seen from that scene."""

    door: Door
    tiles: tuple[Point, ...]
    side: str

    @property
    def rect(self) -> Rect:
        """The door's tiles, which always form a rectangle."""
        return Rect.around(self.tiles)


class ScenePart(NamedTuple):
    """`origin` is the level's tile at the scene's (0, 0). `own` [y, x] masks the part's tiles in `rect`."""

    origin: Point
    rect: Rect
    own: npt.NDArray[np.bool_]
    doors: tuple[DoorPart, ...]
    markers: tuple[Marker, ...]

    def cut(self, layer: TileLayer) -> TileLayer:
        """Cut the part's tiles out of a layer, in the size of `rect`."""
        return np.where(self.own, layer[self.rect.slices], EMPTY)

    def offset(self) -> Point:
        """Return the place of `rect` in the scene, in tiles."""
        return self.rect.x - self.origin[0], self.rect.y - self.origin[1]

    def here(self, points: Sequence[Point]) -> list[Point]:
        """Convert tiles or corners of the level to scene coordinates."""
        left, top = self.origin
        return [(x - left, y - top) for x, y in points]


def whole(level: Level) -> ScenePart:
    """Return the level as one scene."""
    doors = tuple(DoorPart(door, door.tiles, door.side) for door in level.doors)
    everything = np.ones(level.terrain.shape, np.bool_)
    rect = Rect(0, 0, level.width, level.height)
    return ScenePart((0, 0), rect, everything, doors, level.markers)


def parts(level: Level, layers: Layers) -> Iterator[tuple[Room | Hallway, ScenePart]]:
    """Yield each room, then each hallway, with its part of the level."""
    own = owners(level, layers)
    count = len(level.rooms) + len(level.hallways)
    rects = extents(own, np.full((count, 2), max(own.shape)), np.zeros((count, 2), int))
    spaces: list[Room | Hallway] = [*level.rooms, *level.hallways]
    doors = halves_by_room(level)
    markers = _markers_by_place(level)
    for number, (space, rect) in enumerate(zip(spaces, rects, strict=True)):
        if isinstance(space, Room):
            halves = doors.get(space.id, ())
            own_doors = tuple(DoorPart(door, half.tiles, half.side) for door, half in halves)
            origin = (space.bounds.x, space.bounds.y)
        else:
            own_doors, origin = (), (rect.x, rect.y)
        yield space, ScenePart(origin, rect, own[rect.slices] == number, own_doors, markers.get(number, ()))


def _markers_by_place(level: Level) -> dict[int, tuple[Marker, ...]]:
    """Group the markers by owner. Those without an owner are ignored."""
    by_owner: dict[int, list[Marker]] = {}
    for marker in level.markers:
        if marker.room is not None:
            by_owner.setdefault(marker.room, []).append(marker)
        elif marker.hallway is not None:
            by_owner.setdefault(len(level.rooms) + marker.hallway, []).append(marker)
    return {number: tuple(markers) for number, markers in by_owner.items()}


# --- settings: parsed options, and layers without what scenes of the game draw -----------------------

_AUTOMATIC = -1  # option value: a radius that fits the theme


class DecorScene(NamedTuple):
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
    decor_scenes: tuple[DecorScene, ...]
    agent_radius: int  # in px, for bodies that follow the navigation
    hallway_of: Mapping[int, int]  # by door id
    split: bool
    tile_set: str  # a resource of the game; empty: the one beside the scene
    names: Names
    source: int  # the TileSet's source (Godot 3: first tile) with the theme's image
    player_start: Marker | None  # None without a player
    look_steps: Sequence[int]  # of the tiles of each room
    light_colour: Callable[[Marker], str]


def setting_of(job: Job) -> Setting:
    """Build the setting of a job. Raises BadInput for a bad option."""
    options = job.options
    table = scene_table(options["scenes"], options["properties"], job.level.kinds)
    tile_set = options["tileset"]
    if tile_set:
        project_path("godot.tileset", tile_set, (".tres", ".res"))
    if options["lights"]:
        lit(job.theme, "godot.lights", "torch")
    if options["darkness"]:
        lit(job.theme, "godot.darkness", "ambient")
    layers, scenes = _without_scenes(job, table)
    return Setting(
        job=job,
        dialect=DIALECTS[options["target"]],
        table=table,
        layers=layers,
        decor_scenes=scenes,
        agent_radius=agent_radius(job.level, job.theme.tile_size, options["agent_radius"]),
        hallway_of={door: hallway.id for hallway in job.level.hallways for door in hallway.doors},
        split=options["split"] == "rooms",
        tile_set=tile_set,
        names=node_names(job.level),
        source=options["source"],
        player_start=player_start(job),
        look_steps=look_steps(job.level, job.theme),
        light_colour=light_colour(job.level, job.theme),
    )


def node_names(level: Level) -> Names:
    """Return the names of all nodes. No room has the name of a node that only holds others."""
    names = names_of(level)
    return names._replace(rooms=room_names(level.rooms, names.rooms, node_name, CONTAINERS))


def _without_scenes(job: Job, table: SceneTable) -> tuple[Layers, tuple[DecorScene, ...]]:
    """Return the layers without decor and doors that are scenes, and that decor."""
    level, layers = job.level, job.layers
    if not table.wishes:
        return layers, ()
    scenes = tuple(_decor_scenes(level, table))
    if scenes:  # a tile's look depends only on its place, so the rest looks as before
        left = level.decor.copy()
        for piece in scenes:
            left[piece.y, piece.x] = 0
        layers = dress(replace(level, decor=left), job.theme)
    doors, overlay, steps = layers.doors.copy(), layers.overlay.copy(), look_steps(level, job.theme)
    for door in level.doors:
        part = DoorPart(door, door.tiles, door.side)
        if table.scene(door_subjects(door.kind), door_facts(part)) is not None:
            for tile in door_tiles(door, job.theme, steps):
                doors[tile.y, tile.x] = EMPTY
                if overlay[tile.y, tile.x] == tile.overlay:
                    overlay[tile.y, tile.x] = EMPTY
    return layers._replace(doors=doors, overlay=overlay), scenes


def _decor_scenes(level: Level, table: SceneTable) -> list[DecorScene]:
    """List the decor that is scenes, in row order like everything in a level."""
    placed = []
    for number, kind in enumerate(level.decor_kinds):
        scene = table.scene(decor_subjects(kind), decor_facts(kind)) if number else None
        if scene is not None:
            placed += [DecorScene(kind, x, y, scene) for y, x in np.argwhere(level.decor == number).tolist()]
    return sorted(placed, key=lambda piece: (piece.y, piece.x))


def agent_radius(level: Level, tile_size: int, wanted: int) -> int:
    """Return the radius in px for an option value. Raises BadInput if it would close a door.

    The automatic radius is three eighths of a tile: a body three quarters of a tile wide fits through a door
    of one tile, with a quarter left for steering.
    """
    radius = tile_size * 3 // 8 if wanted == _AUTOMATIC else wanted
    across = [{x if door.side in ("north", "south") else y for x, y in door.tiles} for door in level.doors]
    narrowest = min(map(len, across), default=0) * tile_size
    if narrowest and 2 * radius >= narrowest:
        remedy = f"give 0 to {(narrowest - 1) // 2}"
        raise BadInput(f"godot.agent_radius: {radius} closes doors, which are {narrowest} px wide; {remedy}")
    return radius


# --- subjects and facts for the scene table ----------------------------------------------------------


def decor_subjects(kind: DecorKind) -> tuple[str]:
    """Return the scene table's key for a kind of decor."""
    return (f"decor.{kind.name}",)


def decor_facts(kind: DecorKind) -> dict[str, object]:
    """Return the facts that the scene table can choose by."""
    return {"kind": kind.name, "walk": kind.walk, "fly": kind.fly, "shoot": kind.shoot, "hazard": kind.hazard}


def door_subjects(kind: str) -> tuple[str, str]:
    """Return the scene table's keys for a door, most specific first."""
    return f"door.{kind}", "door"


def door_facts(part: DoorPart) -> dict[str, object]:
    """Return the facts that the scene table can choose by."""
    door = part.door
    passage = {"needs": needs_text(door.needs), "one_way": door.one_way, "opens_from": door.opens_from}
    return {"kind": door.kind, "side": part.side, "id": door.id, **passage, "joins": door.joins}


# The game's own scenes for markers, doors and decor: the options `godot.scenes` and `godot.properties`.
#
#     [godot.scenes]
#     enemy = "res://enemies/slime.tscn"                      every marker of this kind
#     "enemy.role=shooter" = "res://enemies/archer.tscn"      those with this property
#     door = "res://doors/door.tscn"                          every door
#     "door.boss" = "res://doors/boss_door.tscn"              those of this kind
#     "door.side=north" = "res://doors/tall_door.tscn"        those with this fact
#     "decor.barrel" = "res://props/barrel.tscn"
#
#     [godot.properties]
#     "enemy.role" = "kind_of_enemy"                          an exported property of the scene's root
#
# The most specific key wins; if two keys have a property or fact, the first one.

_MAX_PATH = 1000  # characters
# Properties that the exporter sets itself, or that would turn the instance into another node.
_TAKEN = frozenset({"name", "owner", "position", "scene_file_path", "script", "unique_name_in_owner"})


class _SceneRule(NamedTuple):
    """A row of the table: its subject, and the fact and value that it requires (any without a fact)."""

    subject: str
    fact: str
    value: str
    path: str


class SceneTable(NamedTuple):
    """The scenes for things, and the root properties to set from facts."""

    wishes: tuple[_SceneRule, ...] = ()
    exported: Mapping[str, str] = {}  # "enemy.role": the property's name

    def scene(self, subjects: Sequence[str], facts: Mapping[str, object]) -> str | None:
        """Return the scene for a thing, given its names, most specific first, or None without a scene."""
        for by_fact in (True, False) if self.wishes else ():
            for subject in subjects:
                for wish in self.wishes:
                    if wish.subject == subject and bool(wish.fact) is by_fact and _fits(wish, facts):
                        return wish.path
        return None

    def properties(self, subjects: Sequence[str], facts: Mapping[str, object]) -> dict[str, object]:
        """Return the properties to set on the instance's root, for the facts in the table."""
        return dict(self._properties(subjects, facts)) if self.exported else {}

    def _properties(
        self, subjects: Sequence[str], facts: Mapping[str, object]
    ) -> Iterator[tuple[str, object]]:
        for subject in reversed(subjects):  # the most specific one comes last and wins
            for fact, value in facts.items():
                name = self.exported.get(f"{subject}.{fact}")
                if name:
                    yield name, value


def _fits(wish: _SceneRule, facts: Mapping[str, object]) -> bool:
    return not wish.fact or (wish.fact in facts and _as_text(facts[wish.fact]) == wish.value)


def _as_text(value: object) -> str:
    """Return a fact as written in a key."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def scene_table(
    scenes: Mapping[str, str], properties: Mapping[str, str], kinds: Kinds = SHIPPED
) -> SceneTable:
    """Read the table of the two options. Raises BadInput for an unknown key or a bad value.

    Keys may name any of `kinds` and of the shipped kinds, so one options file serves the levels of all kits.
    """
    known = _subjects(kinds)
    return SceneTable(
        tuple(_wish(key, path, known) for key, path in scenes.items()),
        {_fact_key(key, known): _property(key, name) for key, name in properties.items()},
    )


def _subjects(kinds: Kinds) -> tuple[str, ...]:
    both = (kinds, SHIPPED)
    names = (
        *(name for table in both for name in table.markers),
        "door",
        *(f"door.{name}" for table in both for name in table.doors),
        *(f"decor.{kind.name}" for table in both for kind in table.decor[1:]),
    )
    return tuple(dict.fromkeys(names))


def _wish(key: str, path: str, known: Sequence[str]) -> _SceneRule:
    left, equals, value = key.partition("=")
    where = f"godot.scenes.{shown(key)[1:-1]}"
    subject, fact = _parted(left, where, known) if equals else (left, "")
    if subject not in known or (equals and not fact):
        raise BadInput(f"{where}: is not a kind of marker, door or decor; {hint(left, known)}")
    return _SceneRule(subject, fact, value, project_path(where, path, (".tscn", ".scn")))


def _fact_key(key: str, known: Sequence[str]) -> str:
    where = f"godot.properties.{shown(key)[1:-1]}"
    _, fact = _parted(key, where, known)
    if not fact:
        raise BadInput(f"{where}: is not a property of a marker or a fact; write one such as enemy.role")
    return key


def _parted(text: str, where: str, known: Sequence[str]) -> tuple[str, str]:
    """Split off the longest possible subject, and return it and the fact after it."""
    fitting = [subject for subject in known if text == subject or text.startswith(f"{subject}.")]
    if not fitting:
        raise BadInput(f"{where}: is not a kind of marker, door or decor; {hint(text, known)}")
    subject = max(fitting, key=len)
    return subject, text[len(subject) + 1 :]


def _property(key: str, name: str) -> str:
    if not is_identifier(name) or name in _TAKEN or len(name) > 100:
        problem = "is not the name of an exported property; give one such as kind_of_enemy"
        raise BadInput(f"godot.properties.{shown(key)[1:-1]}: {shown(name)} {problem}")
    return name


def project_path(where: str, path: str, suffixes: Sequence[str]) -> str:
    """Return `path`, if it is a path in a Godot project. Raises BadInput otherwise."""
    parts = path.removeprefix("res://").split("/")
    plain = path.startswith("res://") and not re.search(r'[\\:*?"<>|\x00-\x1f\x7f]', path[6:])
    if not plain or any(part.strip() in ("", ".", "..") for part in parts) or len(path) > _MAX_PATH:
        example = f"res://folder/file{suffixes[0]}"
        raise BadInput(f"{where}: {shown(path)} is not a path in a project; give one such as {example}")
    if not path.endswith(tuple(suffixes)):
        raise BadInput(f"{where}: {shown(path)} does not end in {' or '.join(suffixes)}")
    return path
