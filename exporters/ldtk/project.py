"""The project: definitions, then one level after the other.

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

(LDtk 1.5.3; its JSON schema and the samples that ship with it.)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from exporters import digest
from exporters.base import Job
from exporters.bundle import Bundle
from exporters.dress import EMPTY
from exporters.ldtk import kinds
from exporters.ldtk.areas import plan_of
from exporters.ldtk.collect import definitions
from exporters.ldtk.content import contents
from exporters.ldtk.defs import definitions_json
from exporters.ldtk.entities import instances
from exporters.ldtk.ids import Iids
from exporters.ldtk.json_text import Rendered, document, pretty
from exporters.ldtk.levels import LevelWriter, Sheet
from exporters.ldtk.rules import Drawing, rules_of
from exporters.ldtk.tileset import columns_of
from exporters.ldtk.touching import Placed, neighbours_of

VERSION = "1.5.3"
BUILD = 473_703  # of release 1.5.3; a smaller number would count as an older program's file

HEADER = {
    "fileType": "LDtk Project JSON",
    "app": "LDtk",
    "doc": "https://ldtk.io/json",
    "schema": "https://ldtk.io/files/JSON_SCHEMA.json",
    "appAuthor": "Sebastien 'deepnight' Benard",
    "appVersion": VERSION,
    "url": "https://ldtk.io",
}


def project(job: Job) -> Bundle:
    """`NAME.ldtk`; with external levels also `NAME/LEVEL.ldtkl` for each; and the theme's image."""
    level, theme = job.level, job.theme
    external = bool(job.options["external"])
    drawn = np.logical_or.reduce([layer != EMPTY for layer in job.layers])
    plan = plan_of(level, _apart(job), drawn)
    rules = rules_of(theme)
    known = definitions(level, theme, rules)
    sheet = Sheet(theme, columns_of(theme))
    iids = Iids(level.fingerprint)
    writer = LevelWriter(level, plan, known, sheet, iids, indent=1 if external else 3)
    bundle = Bundle()

    def levels() -> Iterator[str]:
        entities = instances(level, plan, iids)
        neighbours = neighbours_of([Placed(area.rect, area.depth) for area in plan.areas])
        parts = contents(level, job.layers, plan, Drawing(rules))
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
        "defs": definitions_json(known, sheet),
        "levels": Rendered("[\n\t\t" + ",\n\t\t".join(levels()) + "\n\t]"),
        "worlds": [],
        "dummyWorldIid": iids.of("world"),
    }
    root["nextUid"] = known.next_uid + len(plan.areas)
    # What lies in external levels the digest would not tell of.
    header = HEADER if external else {**HEADER, digest.KEY: digest.BLANK}
    files = Bundle({f"{job.name}.ldtk": digest.with_digest(document(header, root))})
    files.update(bundle)
    files.add(f"{theme.name}.png", theme.image)
    return files


def _apart(job: Job) -> bool:
    """Whether each room is a level of its own."""
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
        "simplifiedExport": False,
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
