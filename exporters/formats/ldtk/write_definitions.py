"""The definitions as JSON, with keys in LDtk's order. Second pass."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from exporters.formats.ldtk import kinds
from exporters.formats.ldtk.definitions import Definitions, EntityDef, LayerDef, RuleGroup
from exporters.formats.ldtk.kinds import Rule, enums_of_kinds
from exporters.formats.ldtk.syntax import identifier
from exporters.formats.ldtk.write_entities import field_def, icon_rect
from exporters.formats.ldtk.write_layers import TileNumbering
from exporters.theme import Theme, terrain_of
from exporters.theme.file import png_size
from exporters.theme.image import Pixels, atlas_pixels
from exporters.variants import shares


def definitions_json(definitions: Definitions, sheet: TileNumbering) -> dict[str, object]:
    """Return `defs`."""
    return {
        "layers": [_layer(layer, definitions, sheet) for layer in definitions.layers.values()],
        "entities": [_entity(entity, definitions, sheet) for entity in definitions.entities.values()],
        "tilesets": [tileset_def(sheet.theme, definitions)],
        "enums": [
            {
                "identifier": enum.name,
                "uid": enum.uid,
                "values": [
                    {
                        "id": name,
                        "tileRect": icon_rect(definitions, sheet.theme, enum.icons.get(name)),
                        "color": int(color[1:], 16),
                    }
                    for name, color in enum.values.items()
                ],
                "iconTilesetUid": definitions.tileset if enum.icons else None,
                "externalRelPath": None,
                "externalFileChecksum": None,
                "tags": [],
            }
            for enum in definitions.enums.values()
        ],
        "externalEnums": [],
        "levelFields": [field_def(field) for field in definitions.level_fields],
    }


def _layer(layer: LayerDef, definitions: Definitions, sheet: TileNumbering) -> dict[str, object]:
    painted = layer.type == "IntGrid"
    return {
        "__type": layer.type,
        "identifier": layer.name,
        "type": layer.type,
        "uid": layer.uid,
        "doc": layer.doc,
        "uiColor": None,
        "gridSize": sheet.theme.tile_size,
        "guideGridWid": 0,
        "guideGridHei": 0,
        "displayOpacity": 1,
        "inactiveOpacity": 1,
        "hideInList": False,
        "hideFieldsWhenInactive": True,
        "canSelectWhenInactive": True,
        "renderInWorldView": True,
        "pxOffsetX": 0,
        "pxOffsetY": layer.offset_tiles * sheet.theme.tile_size,
        "parallaxFactorX": 0,
        "parallaxFactorY": 0,
        "parallaxScaling": True,
        "requiredTags": [],
        "excludedTags": [],
        "autoTilesKilledByOtherLayerUid": definitions.layers["Terrain_fixed"].uid if painted else None,
        "uiFilterTags": [],
        "useAsyncRender": False,
        "intGridValues": [
            {
                "value": value.value,
                "identifier": value.name,
                "color": value.color,
                "tile": None,
                "groupUid": value.group.uid,
            }
            for value in (kinds.values_of(sheet.theme) if painted else ())
        ],
        "intGridValuesGroups": [
            {"uid": group.uid, "identifier": group.name, "color": group.color}
            for group in (kinds.GROUPS if painted else ())
        ],
        "autoRuleGroups": [_group(group, sheet) for group in (definitions.groups if painted else ())],
        "autoSourceLayerDefUid": None,
        "tilesetDefUid": None if layer.type == "Entities" else definitions.tileset,
        "tilePivotX": 0,
        "tilePivotY": 0,
        "biomeFieldUid": None,
    }


def _group(group: RuleGroup, sheet: TileNumbering) -> dict[str, object]:
    return {
        "uid": group.uid,
        "name": group.name,
        "color": None,
        "icon": None,
        "active": True,
        "isOptional": False,
        "rules": [_rule(uid, rule, sheet) for uid, rule in group.rules],
        "usesWizard": False,
        "requiredBiomeValues": [],
        "biomeRequirementMode": 0,
    }


def _rule(uid: int, rule: Rule, sheet: TileNumbering) -> dict[str, object]:
    return {
        "uid": uid,
        "active": True,
        "size": 1 if len(rule.pattern) == 1 else 3,
        "tileRectsIds": [
            [sheet.number(tile)]
            for tile, count in zip(rule.tiles.tiles, shares(rule.tiles), strict=True)
            for _ in range(count)
        ],
        "alpha": 1,
        "chance": 1,
        "breakOnMatch": True,
        "pattern": list(rule.pattern),
        "flipX": False,
        "flipY": False,
        "xModulo": 1,
        "yModulo": 1,
        "xOffset": 0,
        "yOffset": 0,
        "tileXOffset": 0,
        "tileYOffset": 0,
        "tileRandomXMin": 0,
        "tileRandomXMax": 0,
        "tileRandomYMin": 0,
        "tileRandomYMax": 0,
        "checker": "None",
        "tileMode": "Single",
        "pivotX": 0,
        "pivotY": 0,
        "outOfBoundsValue": rule.beyond,
        "invalidated": False,
        "perlinActive": False,
        "perlinSeed": uid,
        "perlinScale": 0.2,
        "perlinOctaves": 2,
    }


def _entity(entity: EntityDef, definitions: Definitions, sheet: TileNumbering) -> dict[str, object]:
    size = sheet.theme.tile_size
    return {
        "identifier": entity.name,
        "uid": entity.uid,
        "tags": list(entity.tags),
        "exportToToc": False,
        "allowOutOfBounds": False,
        "doc": entity.doc,
        "width": size,
        "height": size,
        "resizableX": entity.sized,
        "resizableY": entity.sized,
        "minWidth": None,
        "maxWidth": None,
        "minHeight": None,
        "maxHeight": None,
        "keepAspectRatio": False,
        "tileOpacity": 1,
        "fillOpacity": 0.15,
        "lineOpacity": 1,
        "hollow": entity.sized,
        "color": entity.color,
        "renderMode": "Rectangle" if entity.icon is None else "Tile",
        "showName": not entity.sized,
        "tilesetId": None if entity.icon is None else definitions.tileset,
        "tileRenderMode": "FitInside",
        "tileRect": icon_rect(definitions, sheet.theme, entity.icon),
        "uiTileRect": None,
        "nineSliceBorders": [],
        "maxCount": 0,
        "limitScope": "PerLevel",
        "limitBehavior": "MoveLastOne",
        "pivotX": 0,
        "pivotY": 0,
        "fieldDefs": [field_def(field) for field in entity.fields],
    }


# --- the tileset: the theme's image, the tags of its tiles, and what LDtk computes from its pixels ----
#
#     "enumTags": [ { "enumValueId": "wall", "tileIds": [256,257] }, ... ],
#     "cachedPixelData": { "opaqueTiles": "1101...", "averageColors": "f432f321..." }
#
# One digit per tile says whether it is opaque; four digits per tile are its average alpha, red, green,
# blue.


def columns_of(theme: Theme) -> int:
    """Return the number of columns in LDtk, which counts an incomplete last one too."""
    width, _ = png_size(theme.image, theme.name)
    return _counted(theme, width)


def _counted(theme: Theme, side: int) -> int:
    return -(-(side - 2 * theme.margin) // (theme.tile_size + theme.spacing))


def tileset_def(theme: Theme, definitions: Definitions) -> dict[str, object]:
    """Return the tileset's definition."""
    width, height = png_size(theme.image, theme.name)
    columns, rows = _counted(theme, width), _counted(theme, height)
    opaque, averages = _pixel_data(theme, columns, rows)
    return {
        "__cWid": columns,
        "__cHei": rows,
        "identifier": identifier(theme.name),
        "uid": definitions.tileset,
        "relPath": f"{theme.name}.png",
        "embedAtlas": None,
        "pxWid": width,
        "pxHei": height,
        "tileGridSize": theme.tile_size,
        "spacing": theme.spacing,
        "padding": theme.margin,
        "tags": [],
        "tagsSourceEnumUid": definitions.enums["Terrain"].uid,
        "enumTags": [
            {"enumValueId": terrain, "tileIds": tiles} for terrain, tiles in _tags(theme, columns).items()
        ],
        "customData": _custom_data(theme, columns),
        "savedSelections": [],
        "cachedPixelData": {"opaqueTiles": opaque, "averageColors": averages},
    }


def _tags(theme: Theme, columns: int) -> dict[str, list[int]]:
    """Return for each terrain the numbers of its tiles, ascending."""
    by_terrain: dict[str, set[int]] = {terrain: set() for terrain in enums_of_kinds(theme.kinds)["Terrain"]}
    for use in theme.uses():
        terrain = terrain_of(use, theme.kinds)
        if terrain:
            column, row = theme.at(use.tile)
            by_terrain[terrain].add(row * columns + column)
    return {terrain: sorted(tiles) for terrain, tiles in by_terrain.items()}


def _custom_data(theme: Theme, columns: int) -> list[dict[str, object]]:
    """Return for each decor tile the name of the thing."""
    names: dict[int, str] = {}
    for use in theme.uses():
        if use.role == "decor":
            column, row = theme.at(use.tile)
            names.setdefault(row * columns + column, f"decor={use.name}")
    return [{"tileId": tile, "data": names[tile]} for tile in sorted(names)]


@lru_cache(maxsize=16)
def _pixel_data(theme: Theme, columns: int, rows: int) -> tuple[str, str]:
    """Write both texts, for each tile in LDtk. Tiles over the image's edge are opaque and black."""
    atlas = atlas_pixels(theme)
    height, width = atlas.shape[:2]
    size, pitch = theme.tile_size, theme.tile_size + theme.spacing
    whole_columns = max(0, min(columns, (width - theme.margin - size) // pitch + 1))
    opaque, averages = np.ones((rows, columns), bool), np.zeros((rows, columns, 4), np.uint16)
    for row in range(rows):
        top = theme.margin + row * pitch
        if top + size <= height and whole_columns:
            lefts = theme.margin + np.arange(whole_columns) * pitch
            strip = atlas[top : top + size]
            tiles = strip[:, (lefts[:, None] + np.arange(size)).ravel()]
            tiles = tiles.reshape(size, whole_columns, size, 4).swapaxes(0, 1).reshape(whole_columns, -1, 4)
            opaque[row, :whole_columns] = (tiles[..., 3] == 255).all(axis=1)
            averages[row, :whole_columns] = _averages(tiles)
    digits = "".join("0123456789abcdef"[digit] for digit in averages.ravel().tolist())
    return "".join("01"[bit] for bit in opaque.ravel().tolist()), digits


def _averages(tiles: Pixels) -> npt.NDArray[np.uint16]:
    """Return [tile, 4]: alpha, red, green, blue of each of `tiles` [tile, pixel, 4], 0 to 15.

    Alpha is a mean; the colours are root mean squares weighted by alpha. All are truncated to 8 bits, then
    rounded to 4. As in LDtk, numbers are added one by one, because rounding errors can change the result.
    """
    parts = np.ascontiguousarray(tiles.swapaxes(0, 1)) / 255.0
    alpha = parts[..., 3]
    weight = np.add.accumulate(alpha)[-1]
    squares = np.add.accumulate(parts[..., :3] * parts[..., :3] * alpha[..., None])[-1]
    seen = np.where(weight, weight, 1)[:, None]
    mean = np.concatenate([(weight / tiles.shape[1])[:, None], np.sqrt(squares / seen)], axis=1)
    eight = np.floor(np.minimum(mean, 1) * 255)
    rounded: npt.NDArray[np.uint16] = np.floor(eight / 255 * 15 + 0.5).astype(np.uint16)
    return rounded
