"""The project: definitions, then the levels one by one.

    {
        "__header__": { "fileType": "LDtk Project JSON", ... },
        "iid": "a0c5ab2e-6a1d-5f6b-93c1-8d2b5c0f9a11",
        "jsonVersion": "1.5.3",
        ...
        "worldLayout": "GridVania",
        "worldGridWidth": 240,
        "worldGridHeight": 144,
        ...
        "defs": { "layers": [ ... ], "entities": [ ... ], ... },
        "levels": [ ... ],
        "worlds": [],
        "dummyWorldIid": "a9b1c3f0-..."
    }

(Sources: the JSON schema of LDtk 1.5.3 and the samples that ship with it.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from exporters import digest
from exporters.base import Job
from exporters.bundle import Bundle
from exporters.dress import EMPTY
from exporters.formats.ldtk import kinds
from exporters.formats.ldtk.areas import AreaPlan, Neighbour, PlacedLevel, neighbours_of, plan_of
from exporters.formats.ldtk.definitions import (
    LEADS_TO,
    Definitions,
    FieldValue,
    LayerDef,
    LevelWords,
    RoomWords,
    definitions,
    words_of,
)
from exporters.formats.ldtk.kinds import Drawing, drawing_of
from exporters.formats.ldtk.syntax import (
    VERSION,
    Iids,
    Pieces,
    Rendered,
    Streamed,
    TableLines,
    document,
    pretty,
)
from exporters.formats.ldtk.write_definitions import columns_of, definitions_json
from exporters.formats.ldtk.write_entities import (
    EntityTarget,
    EntityWriter,
    Instance,
    Writer,
    WrittenValue,
    instances,
    marker_target,
    room_values,
    writer,
)
from exporters.formats.ldtk.write_layers import Content, LayerPlace, LayerWriter, TileNumbering, contents
from exporters.theme import Theme
from exporters.variants import seed_from, seed_of
from generator.geometry import Point
from generator.level import Level
from generator.links import leads_on, next_place
from generator.named_tuple import NamedTuple

# --- the parts that all projects of a theme share, made once and kept for the next level ---------------

MAX_KEPT = 8  # sets of shared parts; about 1 MB each


class Compiled(NamedTuple):
    """The definitions, their text (`defs`), and the drawing and writers that use them."""

    definitions: Definitions
    text: Rendered
    drawing: Drawing
    layers: LayerWriter
    entities: EntityWriter


def compiled(level: Level, theme: Theme, indent: int, words: RoomWords | None = None) -> Compiled:
    """Return the shared parts for a level's project. The keys of its levels are indented by `indent` tabs.

    Kept for other levels with the same facts (most have the same), except for projects to draw rooms in.
    """
    own = words_of(level)
    return _made(own, theme, indent, words) if words else _kept(own, theme, indent)


def compiled_for_run(levels: Sequence[Level], theme: Theme, indent: int) -> Compiled:
    """Return the shared parts for the project of a run."""
    return _kept(words_of(*levels), theme, indent)


@lru_cache(maxsize=MAX_KEPT)
def _kept(own: LevelWords, theme: Theme, indent: int) -> Compiled:
    return _made(own, theme, indent, None)


def _made(own: LevelWords, theme: Theme, indent: int, words: RoomWords | None) -> Compiled:
    drawing = drawing_of(theme)
    known = definitions(own, theme, drawing.rules, words)
    sheet = TileNumbering(theme, columns_of(theme))
    text = Rendered(pretty(definitions_json(known, sheet), 1))
    layers = LayerWriter(known, sheet, indent + 2)
    return Compiled(known, text, drawing, layers, EntityWriter(known, theme, indent + 3))


def forget() -> None:
    """Clear the cache."""
    _kept.cache_clear()
    drawing_of.cache_clear()


def kept() -> int:
    """Count the entries in the cache."""
    return _kept.cache_info().currsize


# --- a level, with keys in LDtk's order --------------------------------------------------------------
#
#     {
#         "identifier": "Room_0_start",
#         "iid": "a0c5ab2e-6a1d-5f6b-93c1-8d2b5c0f9a11",
#         "worldX": 240,
#         ...
#         "fieldInstances": [ ... ],
#         "layerInstances": [ ... ],
#         "__neighbours": [ { "levelIid": "a9b1c3f0-...", "dir": "n" } ]
#     }
#
# (From LDtk's own sample `WorldMap_GridVania_layout.ldtk`.)

_KEYS = 6  # per field
_WHITENED = 0.45  # the share of white that LDtk mixes into a level's colour


def indent_of(job: Job) -> int:
    """Return the number of tabs before the keys of a job's levels."""
    return 1 if job.options["external"] else 3


class LevelWriter:
    """Writes the levels of one project, or those of one level of a run.

    `before` is the number of the project's levels before them. The exit of a level of a run leads to
    `next_start`.
    """

    def __init__(
        self,
        job: Job,
        plan: AreaPlan,
        made: Compiled,
        world_iid: str,
        words: RoomWords | None = None,
        before: int = 0,
        next_start: EntityTarget | None = None,
    ) -> None:
        self._level, self._size, self._plan = job.level, job.theme.tile_size, plan
        self._indent = indent_of(job)
        self.compiled = made
        self._definitions = made.definitions
        self._seed = seed_of(job.level.seed)
        self._world_iid, self._before, self._next_start = world_iid, before, next_start
        self.iids = Iids(job.level.ids_from)
        self._level_iids = [self.iids.of("level", number) for number in range(len(plan.areas))]
        self._words = words
        self._writers: dict[int, list[tuple[str, Writer]]] = {}  # for level fields, by indent
        self._next = next_place(job.level.spec)

    def uid(self, number: int) -> int:
        """Return the uid of a level."""
        return self._definitions.next_uid + self._before + number

    def iid(self, number: int) -> str:
        """Return the iid of a level."""
        return self._level_iids[number]

    def world(self, number: int) -> Point:
        """Return the position of a level in LDtk's world, in px."""
        (left, top), rect = self._plan.origin, self._plan.areas[number].rect
        return (rect.x - left) * self._size, (rect.y - top) * self._size

    def write(
        self, number: int, content: Content, entities: Sequence[Instance], neighbours: Sequence[Neighbour]
    ) -> dict[str, object]:
        """Write a level with everything in it."""
        area, size, (x, y) = self._plan.areas[number], self._size, self.world(number)
        room_colors = self._definitions.enums["RoomKind"].values
        return {
            "identifier": area.identifier,
            "iid": self.iid(number),
            "uid": self.uid(number),
            "worldX": x,
            "worldY": y,
            "worldDepth": area.depth,
            "pxWid": area.rect.width * size,
            "pxHei": area.rect.height * size,
            "__bgColor": kinds.BACKGROUND,
            "bgColor": None,
            "useAutoIdentifier": False,
            "bgRelPath": None,
            "bgPos": None,
            "bgPivotX": 0.5,
            "bgPivotY": 0.5,
            "__smartColor": _whitened(room_colors[area.room.kind] if area.room else kinds.BACKGROUND),
            "__bgPos": None,
            "externalRelPath": None,
            "fieldInstances": self.fields(number, self._indent + 1),
            "layerInstances": Streamed(self._layers(number, content, entities)),
            "__neighbours": TableLines(
                [
                    f'{{ "levelIid": "{self.iid(neighbour.place)}", "dir": "{neighbour.direction}" }}'
                    for neighbour in neighbours
                ],
                2,
            ),
        }

    def fields(self, number: int, indent: int) -> TableLines:
        """Write a level's fields, indented by `indent` tabs."""
        room = self._plan.areas[number].room
        values: Mapping[str, FieldValue] = {
            **(room_values(room) if room else {}),
            "style": self._level.style,
            "seed": str(self._level.seed),
            "fingerprint": self._level.fingerprint,
        }
        if self._words:
            values = self._words.values[number]
        return TableLines([write(values.get(name)) for name, write in self._field_writers(indent)], _KEYS)

    def _field_writers(self, indent: int) -> list[tuple[str, Writer]]:
        if indent not in self._writers:
            fields = self._definitions.level_fields
            self._writers[indent] = [(field.name, writer(field, indent)) for field in fields]
        return self._writers[indent]

    def _layers(self, number: int, content: Content, entities: Sequence[Instance]) -> Iterator[Pieces]:
        rect, write = self._plan.areas[number].rect, self.compiled.layers
        tiles = {
            "Overlay": content.overlay,
            "Decor": content.decor,
            "Doors": content.doors,
            "Stone_above": content.above,
            "Stone_below": content.below,
            "Terrain_fixed": content.fixed,
        }
        # LDtk adds a rule's uid to the seed of the layer, and counts places from the corner of its level.
        seed = seed_from(self._seed - self._definitions.first_rule, rect.x, rect.y)
        for layer in self._definitions.layers.values():
            iid = self.layer_iid(number, layer)
            place = LayerPlace(rect.width, rect.height, iid, self.uid(number), seed)
            if layer.type == "IntGrid":
                drawn = write.tiles(content.terrain, rect.width)
                yield write.write(layer, place, values=write.values(content.values), drawn=drawn)
            elif layer.type == "Tiles":
                yield write.write(layer, place, tiles=write.tiles(tiles[layer.name], rect.width))
            else:
                yield write.write(layer, place, entities=self._entity_list(number, entities))

    def layer_iid(self, number: int, layer: LayerDef) -> str:
        """Return the iid of a level's layer."""
        return self.iids.of("level", number, "layer", layer.name)

    def _entity_list(self, number: int, entities: Sequence[Instance]) -> str | Pieces:
        return Pieces(self._entities(number, entities)) if entities else "[]"

    def _entities(self, number: int, entities: Sequence[Instance]) -> Iterator[str]:
        rect, world = self._plan.areas[number].rect, self.world(number)
        tabs = "\t" * (self._indent + 3)
        before = f"[\n{tabs}"
        for entity in entities:
            yield before
            yield self.compiled.entities.write(entity, rect, world, self._references)
            before = f",\n{tabs}"
        yield f"\n{tabs[1:]}]"

    def _references(self, instance: Instance) -> dict[str, WrittenValue]:
        to = self._target(*instance.to) if instance.to else None
        leads = instance.marker and leads_on(instance.marker, self._next)
        return {
            "to": to,
            "keys": [self._target(*key) for key in instance.keys],
            LEADS_TO: self._next_start if leads else None,
        }

    def start(self) -> EntityTarget | None:
        """Return the player's start, as the target of a reference."""
        start = next((marker for marker in self._level.markers if marker.kind == "player_start"), None)
        return self._target(*marker_target(self._plan, start, self.iids)) if start else None

    def _target(self, target_number: int, iid: str) -> EntityTarget:
        return {
            "entityIid": iid,
            "layerIid": self.layer_iid(target_number, self._definitions.layers["Entities"]),
            "levelIid": self.iid(target_number),
            "worldIid": self._world_iid,
        }


def _whitened(color: str) -> str:
    """Mix a colour with white, as LDtk does for levels."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    mixed = [int(255 * (part + (1 - part) * _WHITENED) + 0.5) for part in parts]
    return "#" + "".join(f"{part:02X}" for part in mixed)


# --- the project -------------------------------------------------------------------------------------

BUILD = 473_703  # of release 1.5.3; LDtk would treat a smaller number as an older file

HEADER = {
    "fileType": "LDtk Project JSON",
    "app": "LDtk",
    "doc": "https://ldtk.io/json",
    "schema": "https://ldtk.io/files/JSON_SCHEMA.json",
    "appAuthor": "Sebastien 'deepnight' Benard",
    "appVersion": VERSION,
    "url": "https://ldtk.io",
}


def project(job: Job, words: RoomWords | None = None) -> Bundle:
    """Write `NAME.ldtk` and the theme's image, and with external levels also `NAME/LEVEL.ldtkl` for each.

    With `words`, a project to draw rooms in.
    """
    plan, iids = plan_of_job(job, words), Iids(job.level.ids_from)
    made = compiled(job.level, job.theme, indent_of(job), words)
    writer = LevelWriter(job, plan, made, iids.of("world"), words)
    commands = [] if words else _commands(job)
    return project_of(job.name, [LevelPart(job, plan, writer)], made, iids, plan.grid, commands)


SYNC = "undercroft sync "


def _commands(job: Job) -> list[dict[str, str]]:
    """Return what LDtk's menu of commands offers. LDtk runs them in the project's folder, and asks before."""
    file = f"{job.name}.ldtk"
    saved = "AfterSave" if job.options["sync_on_save"] else "Manual"
    by_hand = (f"undercroft check {file}", "undercroft undo .")
    return [
        {"command": SYNC + file, "when": saved},
        *({"command": command, "when": "Manual"} for command in by_hand),
    ]


def plan_of_job(job: Job, words: RoomWords | None = None) -> AreaPlan:
    """Plan the LDtk levels of a job."""
    drawn = np.logical_or.reduce([layer != EMPTY for layer in job.layers])
    return plan_of(job.level, is_apart(job), drawn, words.names if words else None)


class LevelPart(NamedTuple):
    """One of our levels in a project: its job, its LDtk levels, and their writer."""

    job: Job
    plan: AreaPlan
    writer: LevelWriter


def project_of(
    name: str,
    parts: Sequence[LevelPart],
    known: Compiled,
    iids: Iids,
    grid: tuple[int, int] | None,
    commands: Sequence[dict[str, str]] = (),
) -> Bundle:
    """Write a project of one or more of our levels, which share the definitions `known`."""
    job = parts[0].job
    theme, bundle = job.theme, Bundle()
    # The digest would not cover external levels.
    by_hand = any(part.job.level.is_by_hand for part in parts)
    header = HEADER if job.options["external"] else {**HEADER, **digest.header(by_hand)}
    own = {"customCommands": list(commands)}
    file = document(header, _root(name, parts, known, iids, grid, bundle) | own, bool(job.options["compact"]))
    files = Bundle({f"{name}.ldtk": digest.with_digest(file)})
    files.update(bundle)
    files.add(f"{theme.name}.png", theme.image)
    return files


def _root(
    name: str,
    parts: Sequence[LevelPart],
    known: Compiled,
    iids: Iids,
    grid: tuple[int, int] | None,
    bundle: Bundle,
) -> dict[str, object]:
    """Return the keys of a project. Levels in separate files are added to `bundle` as they are written."""
    count = sum(len(part.plan.areas) for part in parts)
    levels = Streamed(level for part in parts for level in _levels(name, part, bundle))
    return {
        **_settings(parts[0].job, grid, iids),
        "nextUid": known.definitions.next_uid + count,
        "defs": known.text,
        "levels": levels,
        "worlds": [],
        "dummyWorldIid": iids.of("world"),
    }


def _levels(name: str, part: LevelPart, bundle: Bundle) -> Iterator[dict[str, object]]:
    """Write the LDtk levels of one of our levels. Those in separate files are added to `bundle`."""
    (job, plan, writer), level = part, part.job.level
    entities = instances(level, plan, writer.iids)
    neighbours = neighbours_of([PlacedLevel(area.rect, area.depth) for area in plan.areas])
    drawn = contents(level, job.layers, plan, writer.compiled.drawing, job.theme)
    for number, (content, own, near) in enumerate(zip(drawn, entities, neighbours, strict=True)):
        written = writer.write(number, content, own, near)
        if job.options["external"]:
            path = f"{name}/{plan.areas[number].identifier}.ldtkl"
            bundle.add(path, document(HEADER, written, bool(job.options["compact"])).getvalue())
            written |= {"layerInstances": None, "externalRelPath": path}
            written["fieldInstances"] = writer.fields(number, 4)
        yield written


def is_apart(job: Job) -> bool:
    """Return whether each room is a separate level."""
    chosen = job.options["levels"]
    return chosen == "rooms" or (chosen == "auto" and job.level.grid is not None)


def _settings(job: Job, grid: tuple[int, int] | None, iids: Iids) -> dict[str, object]:
    size = job.theme.tile_size
    width, height = (side * size for side in grid or (16, 16))
    return {
        "iid": iids.of("project"),
        "jsonVersion": VERSION,
        "appBuildId": BUILD,
        "nextUid": 0,
        "identifierStyle": "Free",
        "toc": [],
        "worldLayout": "GridVania" if grid else "Free",
        "worldGridWidth": width,
        "worldGridHeight": height,
        "defaultLevelWidth": width,
        "defaultLevelHeight": height,
        "defaultPivotX": 0,
        "defaultPivotY": 0,
        "defaultGridSize": size,
        "defaultEntityWidth": size,
        "defaultEntityHeight": size,
        "bgColor": kinds.BACKGROUND,
        "defaultLevelBgColor": kinds.BACKGROUND,
        "minifyJson": job.options["compact"],
        "externalLevels": bool(job.options["external"]),
        "exportTiled": False,
        "simplifiedExport": bool(job.options.get("simplified")),
        "imageExportMode": "None",
        "exportLevelBg": True,
        "pngFilePattern": None,
        "backupOnSave": False,
        "backupLimit": 10,
        "backupRelPath": None,
        "levelNamePattern": "Level_%idx",
        "tutorialDesc": None,
        "customCommands": [],
        "flags": ["IgnoreBackupSuggest", "UseMultilinesType"],
    }
