"""One project as each version of LDtk wrote it, key by key, and with the line ends of all systems.

What changed when is told by LDtk's changelog and by the samples that the versions shipped with
(github.com/deepnight/ldtk, `app/extraFiles/samples` and `tests/oldVersions`).
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator

from .projects import POINT, TILES, Json, entity, field, layer, layer_def, level, project, tile

VERSIONS = (
    "1.5.3",
    "1.4.1",
    "1.3.4",
    "1.2.5",
    "1.1.3",
    "1.0.0",
    "0.10.0-beta1",
    "0.9.3",
    "0.8.1",
    "0.7.2",
    "0.6.0",
)
WIDTH, HEIGHT = 40, 30  # cells: enough for arrays that are lifted out of the text

ENDS: dict[str, Callable[[str], bytes]] = {
    "lf": lambda text: text.encode(),
    "crlf": lambda text: text.replace("\n", "\r\n").encode() + b"\r\n",
    "cr": lambda text: text.replace("\n", "\r").encode() + b"\r",
    "bom": lambda text: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
    "trailing": lambda text: text.encode() + b"\n\n \t\n\r\n  ",
    "leading": lambda text: b"\n \r\n\t" + text.encode(),
    "minified": lambda text: json.dumps(json.loads(text), separators=(",", ":")).encode(),
}


def files() -> dict[str, tuple[str, str]]:
    """Name, version and line end: every version, with one of the line ends; and the newest with all of them."""
    ends = list(ENDS)
    found = {}
    for number, version in enumerate(VERSIONS):
        end = ends[number % len(ends)]
        found[f"v{version.replace('.', '_')}_{end}"] = version, end
    return found | {f"newest_{end}": (VERSIONS[0], end) for end in ends[1:]}


def content(written: Json, end: str) -> bytes:
    return ENDS[end](json.dumps(written, indent="\t"))


def newest() -> Json:
    """Two levels that touch, with a layer of each type, as 1.5.3 writes them."""
    values = [
        {"value": 1, "identifier": "wall", "color": "#FF0000"},
        {"value": 2, "identifier": "water", "color": "#0000FF"},
    ]
    defs = [
        layer_def(2, "Things", "Entities"),
        layer_def(1, "Drawn", "Tiles"),
        layer_def(3, "Grid", "IntGrid", intGridValues=values),
        layer_def(4, "Auto", "AutoLayer", pxOffsetX=4),
    ]
    entities = [
        {
            "uid": POINT,
            "identifier": "Point",
            "tags": [],
            "width": 16,
            "height": 24,
            "pivotX": 0.5,
            "pivotY": 1,
        }
    ]
    levels = [
        _level("West", 0, [{"levelIid": "level-East", "dir": "e"}]),
        _level("East", WIDTH * 16, [{"levelIid": "level-West", "dir": "w"}]),
    ]
    return project(levels, defs, {"entities": entities})


def _level(name: str, x: int, neighbours: list[Json]) -> Json:
    size = {"__cWid": WIDTH, "__cHei": HEIGHT}
    spread = [tile(16 * (n % WIDTH), 16 * (n // WIDTH), n % 12, n % 4) for n in range(0, WIDTH * HEIGHT, 7)]
    csv = [n * n % 3 for n in range(WIDTH * HEIGHT)]
    thing = entity(
        POINT,
        "Point",
        56,
        40,
        [
            field("count", "Int", 3),
            field("kind", "LocalEnum.Kind", "Red"),
            field("way", "Array<Point>", [{"cx": 1, "cy": 2}, {"cx": 3, "cy": 4}]),
            field("tint", "Color", "#12AB34"),
            field("none", "String", None),
        ],
        height=24,
        __tile={"tilesetUid": TILES, "x": 16, "y": 32, "w": 16, "h": 16},
    )
    layers = [
        layer(2, "Things", "Entities", entityInstances=[thing], **size),
        layer(1, "Drawn", "Tiles", gridTiles=spread, **size),
        layer(3, "Grid", "IntGrid", intGridCsv=csv, autoLayerTiles=spread[:30], **size),
        layer(4, "Auto", "AutoLayer", autoLayerTiles=spread[30:], __pxTotalOffsetX=4, visible=True, **size),
    ]
    area = {"pxWid": WIDTH * 16, "pxHei": HEIGHT * 16, "worldX": x, "__neighbours": neighbours}
    return level(name, layers, **area)


def as_of(found: Json, version: str) -> Json:
    """A project as an older version wrote it."""
    made = copy.deepcopy(found)
    made["jsonVersion"] = version
    number = tuple(int(part) for part in version.partition("-")[0].split("."))
    for before, change in _CHANGES.items():
        if number < before:
            change(made)
    return made


def _layers(made: Json) -> Iterator[Json]:
    for each in made["levels"]:
        yield from each["layerInstances"]


def _entities(made: Json) -> Iterator[Json]:
    for each in _layers(made):
        yield from each["entityInstances"]


def _without(objects: Iterator[Json] | list[Json], *keys: str) -> None:
    for each in objects:
        for key in keys:
            each.pop(key, None)


def _before_1_4(made: Json) -> None:
    _without(made["defs"]["layers"], "intGridValuesGroups")
    for each in _layers(made):
        _without(each["autoLayerTiles"], "a")
        _without(each["gridTiles"], "a")


def _before_1_2(made: Json) -> None:
    for each in made["defs"]["layers"]:
        each["autoTilesetDefUid"] = None
        if each["type"] in ("IntGrid", "AutoLayer"):
            each["autoTilesetDefUid"], each["tilesetDefUid"] = each["tilesetDefUid"], None


def _before_1_0(made: Json) -> None:
    uids = {each["iid"]: each["uid"] for each in made["levels"]}
    _without([made], "iid", "worlds", "toc")
    for each in made["levels"]:
        each["__neighbours"] = [
            {"levelUid": uids[other["levelIid"]], "dir": other["dir"]} for other in each["__neighbours"]
        ]
    _without(made["levels"], "iid", "worldDepth")
    _without(_layers(made), "iid")
    _without(_entities(made), "iid", "__tags")
    for each in _entities(made):
        box = each["__tile"]
        each["__tile"] = {"tilesetUid": box["tilesetUid"], "srcRect": [box[key] for key in "xywh"]}


def _before_0_9_3(made: Json) -> None:
    _without(made["defs"]["tilesets"], "enumTags", "customData", "embedAtlas")


def _before_0_8(made: Json) -> None:
    for each in made["defs"]["layers"]:
        _without(each["intGridValues"], "value")
    for each in _layers(made):
        csv = each.pop("intGridCsv")
        each["intGrid"] = [{"coordId": at, "v": value - 1} for at, value in enumerate(csv) if value]
    _without(_layers(made), "overrideTilesetUid", "visible")
    _without(_entities(made), "width", "height")
    _without(made["levels"], "fieldInstances")
    _without(made["defs"]["entities"], "tags")


def _before_0_7(made: Json) -> None:
    _without([made], "externalLevels")
    _without(made["levels"], "externalRelPath", "bgRelPath", "__bgPos")
    _without(_entities(made), "__pivot")


_CHANGES: dict[tuple[int, ...], Callable[[Json], None]] = {
    (1, 4): _before_1_4,
    (1, 2): _before_1_2,
    (1, 0): _before_1_0,
    (0, 9, 3): _before_0_9_3,
    (0, 8): _before_0_8,
    (0, 7): _before_0_7,
}
