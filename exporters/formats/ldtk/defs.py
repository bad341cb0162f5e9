"""The definitions as JSON, with keys in LDtk's order. Second pass."""

from __future__ import annotations

from exporters.formats.ldtk import kinds
from exporters.formats.ldtk.entities import icon_rect
from exporters.formats.ldtk.fields import field_def
from exporters.formats.ldtk.layers import TileNumbering
from exporters.formats.ldtk.model import Definitions, EntityDef, LayerDef, RuleGroup
from exporters.formats.ldtk.rules import Rule
from exporters.formats.ldtk.tileset import tileset_def
from exporters.theme import Variants

_MAX_TILES = 96  # per rule; weights are expressed by repeating tiles


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
            for value in (kinds.grid_words(sheet.theme.kinds).values if painted else ())
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
        "tileRectsIds": [[sheet.number(tile)] for tile in _weighted(rule.tiles)],
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


def _weighted(variants: Variants) -> list[int]:
    """Repeat each tile as often as its weight. Large weights count roughly in proportion, at least once."""
    total = sum(variants.weights)
    share = max(1, -(-total // _MAX_TILES))
    return [
        tile
        for tile, weight in zip(variants.tiles, variants.weights, strict=True)
        for _ in range(max(1, (weight + share // 2) // share))
    ]


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
