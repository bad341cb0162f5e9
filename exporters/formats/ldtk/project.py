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

from collections.abc import Iterator

import numpy as np

from exporters import digest
from exporters.base import Job
from exporters.bundle import Bundle
from exporters.dress import EMPTY
from exporters.formats.ldtk import kinds
from exporters.formats.ldtk.areas import plan_of
from exporters.formats.ldtk.compiled import compiled
from exporters.formats.ldtk.content import contents
from exporters.formats.ldtk.entities import instances
from exporters.formats.ldtk.ids import Iids
from exporters.formats.ldtk.json_text import Rendered, document, pretty
from exporters.formats.ldtk.levels import LevelWriter
from exporters.formats.ldtk.model import RoomWords
from exporters.formats.ldtk.touching import PlacedLevel, neighbours_of

VERSION = "1.5.3"
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
    level, theme = job.level, job.theme
    external = bool(job.options["external"])
    drawn = np.logical_or.reduce([layer != EMPTY for layer in job.layers])
    plan = plan_of(level, is_apart(job), drawn, words.names if words else None)
    indent = 1 if external else 3  # of a level's keys
    known = compiled(level, theme, indent, words)
    iids = Iids(level.fingerprint)
    writer = LevelWriter(level, plan, known, theme, iids, indent, words)
    bundle = Bundle()

    def levels() -> Iterator[str]:
        entities = instances(level, plan, iids)
        neighbours = neighbours_of([PlacedLevel(area.rect, area.depth) for area in plan.areas])
        parts = contents(level, job.layers, plan, known.drawing)
        for number, (content, own, near) in enumerate(zip(parts, entities, neighbours, strict=True)):
            written = writer.write(number, content, own, near)
            if external:
                path = f"{job.name}/{plan.areas[number].identifier}.ldtkl"
                bundle.add(path, document(HEADER, written))
                written |= {"layerInstances": None, "externalRelPath": path}
                written["fieldInstances"] = writer.fields(number, 4)
            yield pretty(written, 2)

    root = {
        **_settings(job, plan.grid, iids),
        "defs": known.text,
        "levels": Rendered("[\n\t\t" + ",\n\t\t".join(levels()) + "\n\t]"),
        "worlds": [],
        "dummyWorldIid": iids.of("world"),
    }
    root["nextUid"] = known.definitions.next_uid + len(plan.areas)
    # The digest would not cover external levels.
    header = HEADER if external else {**HEADER, **digest.header(bool(job.level.edited))}
    files = Bundle({f"{job.name}.ldtk": digest.with_digest(document(header, root))})
    files.update(bundle)
    files.add(f"{theme.name}.png", theme.image)
    return files


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
        "minifyJson": False,
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
