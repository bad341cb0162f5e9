"""Check the definitions, and collect the valid ones."""

from __future__ import annotations

import struct
from pathlib import Path

from exporters.formats.ldtk.check_values import (
    Entity,
    Field,
    Known,
    Layer,
    Once,
    Spot,
    Tileset,
    is_number,
    is_whole,
)
from exporters.theme.file import inside
from generator.errors import shown
from generator.pattern import pattern

_LAYER_KINDS = ("IntGrid", "Entities", "Tiles", "AutoLayer")
_FIELD_KINDS = {
    "F_Int": "Int",
    "F_Float": "Float",
    "F_Bool": "Bool",
    "F_String": "String",
    "F_Text": "Multilines",
    "F_Color": "Color",
    "F_Point": "Point",
    "F_Path": "FilePath",
    "F_EntityRef": "EntityRef",
    "F_Tile": "Tile",
}
_ENUM_KIND = pattern(r"F_Enum\(([0-9]{1,9})\)")
_MAX_SIDE = 1 << 16  # px or tiles


def check_definitions(defs: Spot, folder: Path, multilines: bool) -> Known:
    """Check `defs`. Images are searched for in `folder`."""
    known = Known()
    if not isinstance(defs.value, dict):
        defs.fail("is missing" if not defs.there else f"{shown(defs.value)} is not a table")
        return known
    _enums(defs, known)
    _tilesets(defs["tilesets"], known, folder)
    names = Once("identifier")
    for spot in defs["layers"].tables():
        _layer(spot, known, names)
    names = Once("identifier")
    for spot in defs["entities"].tables():
        _entity(spot, known, names, multilines)
    known.level_fields = _fields(defs["levelFields"], known, multilines) if defs["levelFields"].there else {}
    for spot in defs["layers"].tables():
        _references(spot, known)
    return known


def _enums(defs: Spot, known: Known) -> None:
    names = Once("identifier")
    for key in ("enums", "externalEnums"):
        for spot in defs[key].tables() if key == "enums" or defs[key].there else ():
            uid, name = known.claim(spot["uid"]), spot["identifier"].identifier()
            names.take(spot["identifier"], name)
            values, prefix = Once("value"), "LocalEnum" if key == "enums" else "ExternEnum"
            texts = []
            for value in spot["values"].tables():
                text = value["id"].text()
                values.take(value["id"], text)
                texts.append(text)
            known.enums[uid] = f"{prefix}.{name}", frozenset(text for text in texts if text is not None)


def _tilesets(tilesets: Spot, known: Known, folder: Path) -> None:
    names = Once("identifier")
    for spot in tilesets.tables():
        uid = known.claim(spot["uid"])
        names.take(spot["identifier"], spot["identifier"].identifier())
        numbers = [
            spot[key].whole(low, _MAX_SIDE)
            for key, low in (("pxWid", 0), ("pxHei", 0), ("tileGridSize", 1), ("spacing", 0), ("padding", 0))
        ]
        path = spot["relPath"].text(null=True)
        if None in numbers:
            continue
        width, height, size, spacing, padding = (number or 0 for number in numbers)
        pitch = size + spacing
        pointed = path is not None or spot["embedAtlas"].there
        columns, rows = (
            max(0, -(-(side - 2 * padding) // pitch)) if pointed else 0 for side in (width, height)
        )
        spot["__cWid"].same(columns)
        spot["__cHei"].same(rows)
        tileset = Tileset(uid, path, columns, rows, size, pitch, padding)
        known.tilesets[uid] = tileset
        _pixel_data(spot, tileset)
        _tags(spot, tileset, known)
        if path is not None:
            check_image(spot["relPath"], folder, path, (width, height))


def _pixel_data(spot: Spot, tileset: Tileset) -> None:
    data, count = spot["cachedPixelData"], tileset.columns * tileset.rows
    if tileset.path is None:
        return
    if not data.there:
        data.fail("is missing; LDtk will add it and mark the project as changed")
        return
    for key, wanted in (("opaqueTiles", count), ("averageColors", 4 * count)):
        text = data[key].text()
        if text is not None and len(text) != wanted:
            data[key].fail(f"has {len(text)} digits, not {wanted}; LDtk will write it again")


def _tags(spot: Spot, tileset: Tileset, known: Known) -> None:
    """Check that tags and custom data name existing tiles and values of the tileset's enum."""
    uid = spot["tagsSourceEnumUid"].whole(null=True)
    if uid is not None and uid not in known.enums:
        spot["tagsSourceEnumUid"].fail(f"{uid} is not the uid of an enum")
    values = known.enums[uid][1] if uid in known.enums else frozenset()
    count = tileset.columns * tileset.rows
    for tag in spot["enumTags"].tables() if spot["enumTags"].there else ():
        value = tag["enumValueId"].text()
        if value is not None and value not in values:
            tag["enumValueId"].fail(f"{shown(value)} is not a value of the tileset's enum")
        for tile in tag["tileIds"].items():
            tile.whole(0, count - 1)
    for data in spot["customData"].tables() if spot["customData"].there else ():
        data["tileId"].whole(0, count - 1)


def _layer(spot: Spot, known: Known, names: Once) -> None:
    uid, name = known.claim(spot["uid"]), spot["identifier"].identifier()
    names.take(spot["identifier"], name)
    kind, grid = spot["type"].one_of(_LAYER_KINDS), spot["gridSize"].whole(1, _MAX_SIDE)
    if kind is None or grid is None:
        return
    spot["__type"].same(kind)
    offset = spot["pxOffsetX"].whole(null=True) or 0, spot["pxOffsetY"].whole(null=True) or 0
    opacity = spot["displayOpacity"].value
    layer = Layer(
        uid,
        name or "",
        kind,
        grid,
        offset,
        opacity if is_number(opacity) else 1,
        spot["tilesetDefUid"].whole(null=True),
        spot["autoTilesKilledByOtherLayerUid"].whole(null=True),
    )
    known.layers[uid] = layer
    if layer.tileset is not None and layer.tileset not in known.tilesets:
        spot["tilesetDefUid"].fail(f"{layer.tileset} is not the uid of a tileset")
    groups = {0} | {
        group["uid"].whole() for group in spot["intGridValuesGroups"].tables() if kind == "IntGrid"
    }
    once, named = Once("value"), Once("identifier")
    for value in spot["intGridValues"].tables() if kind == "IntGrid" else ():
        number = value["value"].whole(1, 999)
        once.take(value["value"], number)
        value["color"].color()
        if value["identifier"].there:
            named.take(value["identifier"], value["identifier"].identifier())
        group = value["groupUid"].whole(null=True) or 0
        if group not in groups:
            value["groupUid"].fail(f"{group} is not a group of the layer")
        if number is not None:
            layer.values[number] = group


def _references(spot: Spot, known: Known) -> None:
    """Check the references between layers, and their rules."""
    layer = known.layers.get(spot["uid"].value) if isinstance(spot["uid"].value, int) else None
    if not layer:
        return
    killer = known.layers.get(layer.killer) if layer.killer is not None else None
    if layer.killer is not None and (not killer or killer.kind != "Tiles"):
        spot["autoTilesKilledByOtherLayerUid"].fail(f"{layer.killer} is not the uid of a tile layer")
    source_uid = spot["autoSourceLayerDefUid"].whole(null=True)
    source = layer if layer.kind == "IntGrid" else known.layers.get(-1 if source_uid is None else source_uid)
    if source_uid is not None and (not source or source.kind != "IntGrid"):
        spot["autoSourceLayerDefUid"].fail(f"{source_uid} is not the uid of an IntGrid layer")
    check_rules(spot["autoRuleGroups"], layer, source, known)


def _entity(spot: Spot, known: Known, names: Once, multilines: bool) -> None:
    uid, name = known.claim(spot["uid"]), spot["identifier"].identifier()
    names.take(spot["identifier"], name)
    spot["color"].color()
    for key in ("width", "height"):
        spot[key].whole(1, _MAX_SIDE)
    pivot = [spot[key].value for key in ("pivotX", "pivotY")]
    for key in ("tilesetId", "tileRect"):
        tileset = spot[key] if key == "tilesetId" else spot[key]["tilesetUid"]
        if spot[key].there and tileset.whole() not in known.tilesets:
            tileset.fail(f"{shown(tileset.value)} is not the uid of a tileset")
    tags = spot["tags"].raw_list() if spot["tags"].there else []
    x, y = (float(part) if is_number(part) else 0.0 for part in pivot)
    fields = _fields(spot["fieldDefs"], known, multilines)
    known.entities[uid] = Entity(
        uid, name or "", fields, (x, y), tags, spot["allowOutOfBounds"].value is True
    )


def _fields(fields: Spot, known: Known, multilines: bool) -> dict[int, Field]:
    by_uid, names = {}, Once("identifier")
    for spot in fields.tables():
        uid, name = known.claim(spot["uid"]), spot["identifier"].identifier()
        names.take(spot["identifier"], name)
        kind = spot["type"].text() or ""
        enum = _ENUM_KIND.fullmatch(kind)
        values = None
        if enum:
            type_name, values = known.enums.get(int(enum[1]), ("", None))
            if values is None:
                spot["type"].fail(f"{enum[1]} is not the uid of an enum")
        elif kind not in _FIELD_KINDS:
            spot["type"].fail(f"{shown(kind)} is not a type of field")
            continue
        else:
            type_name = "String" if kind == "F_Text" and not multilines else _FIELD_KINDS[kind]
        array = spot["isArray"].truth()
        type_name = f"Array<{type_name}>" if array else type_name
        spot["__type"].same(type_name)
        null, symmetrical = spot["canBeNull"].truth(), spot["symmetricalRef"].value is True
        by_uid[uid] = Field(uid, name or "", kind, type_name, array, null, values, symmetrical)
    return by_uid


# --- the rules of an auto-layer ----------------------------------------------------------------------

_ANYTHING = 1_000_001
_FIRST_GROUP = 1000
_SIZES = (1, 3, 5, 7, 9)
_MOVING = (
    "tileXOffset",
    "tileYOffset",
    "tileRandomXMin",
    "tileRandomXMax",
    "tileRandomYMin",
    "tileRandomYMax",
)


def check_rules(groups: Spot, layer: Layer, source: Layer | None, known: Known) -> None:
    """Check that every rule has its own uid, a complete pattern of known values, and tiles of the tileset."""
    tileset = known.tilesets.get(-1 if layer.tileset is None else layer.tileset)
    count = tileset.columns * tileset.rows if tileset else 0
    for group in groups.tables() if groups.there else ():
        known.claim(group["uid"])
        for rule in group["rules"].tables():
            uid = known.claim(rule["uid"])
            _pattern(rule, source)
            layer.rules[uid] = _tiles(rule, count if tileset else None)
            stamped = rule["tileMode"].value == "Stamp"
            layer.moved |= stamped or any(rule[key].value not in (0, None) for key in _MOVING)


def _pattern(rule: Spot, source: Layer | None) -> None:
    size, pattern = rule["size"].whole(1, _SIZES[-1]), rule["pattern"].raw_list()
    if size is not None and (size not in _SIZES or len(pattern) != size * size):
        rule["pattern"].fail(f"has {len(pattern)} values; a rule of size {size} is odd and has {size * size}")
    if source:
        groups = set(source.values.values())
        for wanted in dict.fromkeys(map(_asked, pattern)):
            if not _is_asked(wanted, source, groups):
                rule["pattern"].fail(
                    f"asks for {shown(wanted)}, which is not a value or group of the IntGrid"
                )
        beyond = rule["outOfBoundsValue"].whole(0, null=True)
        if beyond and beyond not in source.values:
            rule["outOfBoundsValue"].fail(f"{beyond} is not a value of the IntGrid; LDtk drops it")


def _asked(wanted: object) -> object:
    return abs(wanted) if isinstance(wanted, int) and is_whole(wanted) else shown(wanted)


def _is_asked(wanted: object, source: Layer, groups: set[int]) -> bool:
    if not isinstance(wanted, int):
        return False
    if wanted in (0, _ANYTHING) or wanted in source.values:
        return True
    return wanted >= _FIRST_GROUP and wanted % 1000 == 0 and wanted // 1000 - 1 in groups


def _tiles(rule: Spot, count: int | None) -> frozenset[int]:
    """Return the tiles that a rule draws."""
    tiles = set()
    for choice in rule["tileRectsIds"].items():
        for tile in choice.items():
            number = tile.whole(0)
            if number is not None:
                tiles.add(number)
                if count is not None and number >= count:
                    tile.fail(f"{number} is not a tile of the tileset, which has {count}")
    return frozenset(tiles)


# --- a tileset's image on disk, if it is in the project's folder -------------------------------------


def check_image(spot: Spot, folder: Path, relative: str, size: tuple[int, int]) -> None:
    """Check that the image exists and has the tileset's size. Images outside the folder are not checked.

    An image that got more rows at its end may stay: all tiles keep their numbers.
    """
    path = inside(folder, relative)
    if path is None:
        return
    if not path.is_file():
        spot.fail(f"{shown(relative)} is not a file; LDtk will ask for it")
        return
    if path.suffix.lower() != ".png":
        return
    actual = _png_size(path)
    if actual is None:
        spot.fail(f"{shown(relative)} is not a PNG image; LDtk cannot show it")
    elif actual[0] != size[0] or actual[1] < size[1]:
        spot.fail(
            f"{shown(relative)} has {actual[0]} x {actual[1]} px, but the tileset has {size[0]} x {size[1]}; "
            "LDtk will ask, and renumber the tiles"
        )


def _png_size(path: Path) -> tuple[int, int] | None:
    """Width and height from a PNG file's first bytes."""
    try:
        with path.open("rb") as file:
            head = file.read(24)
    except OSError:
        return None
    if head[:8] != b"\x89PNG\r\n\x1a\n" or len(head) < 24 or head[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", head[16:])
    return width, height
