"""Checks of levels: their places and names, their layers, entities and fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exporters.formats.ldtk.check_values import (
    MISSING,
    Entity,
    Field,
    Known,
    Layer,
    Once,
    Spot,
    Tileset,
    World,
    is_number,
    is_whole,
)
from exporters.formats.ldtk.syntax import identifier
from generator.errors import shown
from generator.geometry import Rect
from generator.named_tuple import NamedTuple
from generator.pattern import pattern

_MAX_PX = 1 << 24  # a level's side, and its distance from the world's origin


class Levels:
    """Checks the levels of a project one by one."""

    def __init__(self, known: Known, iids: Once) -> None:
        self._known = known
        self._iids = iids
        self._order = list(known.layers)
        self._names = Once("identifier")
        self.entities = Entities(known, iids)

    def check(self, spot: Spot, world: World) -> None:
        """Check one level with everything in it."""
        uid = self._known.claim(spot["uid"])
        self._iids.take(spot["iid"], spot["iid"].text())
        self._names.take(spot["identifier"], spot["identifier"].identifier())
        if spot["bgColor"].there:
            spot["bgColor"].color()
        for key in ("__bgColor", "__smartColor"):
            spot[key].color()
        check_fields(spot["fieldInstances"], self._known.level_fields)
        rect = self._rect(spot, world)
        if rect:
            world.levels.append((spot, rect, spot["worldDepth"].whole(-1000, 1000) or 0))
            self._layers(spot, uid, rect, world)

    def _rect(self, spot: Spot, world: World) -> Rect | None:
        """Return a level's rectangle, in px."""
        width, height = (spot[key].whole(1, _MAX_PX) for key in ("pxWid", "pxHei"))
        x, y = (spot[key].whole(-_MAX_PX, _MAX_PX) for key in ("worldX", "worldY"))
        if width is None or height is None or x is None or y is None:
            return None
        sides = ((x, width, "worldX", "pxWid"), (y, height, "worldY", "pxHei"))
        for (at, side, at_key, side_key), pitch in zip(sides, world.grid or (), strict=False):
            for key, number in ((at_key, at), (side_key, side)):
                if number % pitch:
                    spot[key].fail(f"{number} is not a multiple of the world's grid of {pitch} px")
        return Rect(x, y, width, height)

    def _layers(self, spot: Spot, uid: int, rect: Rect, world: World) -> None:
        instances = list(spot["layerInstances"].tables())
        uids = [instance["layerDefUid"].value for instance in instances]
        if uids != self._order and not any(isinstance(value, bool) for value in uids):
            spot["layerInstances"].fail("do not match `defs.layers`; LDtk sorts or adds layers")
        killed: dict[int, frozenset[int]] = {}
        seen = Once("layerDefUid")
        for instance in instances:
            layer = self._layer(instance, uid, rect, seen)
            if layer:
                check_tiles(instance, layer, self._known, rect, killed)
        for instance in instances:
            layer = self._known.layers.get(instance["layerDefUid"].value) if _hashable(instance) else None
            if layer:
                _refuse_drawn_twice(instance, layer, killed)
                place = (spot["iid"].value, instance["iid"].value, world.iid)
                self.entities.check(instance["entityInstances"], layer, rect, place, world.layout)

    def _layer(self, spot: Spot, uid: int, rect: Rect, seen: Once) -> Layer | None:
        """Check that a layer instance agrees with its definition and its level."""
        self._iids.take(spot["iid"], spot["iid"].text())
        number = spot["layerDefUid"].whole()
        layer = self._known.layers.get(-1 if number is None else number)
        if not layer:
            if number is not None:
                spot["layerDefUid"].fail(f"{number} is not the uid of a layer; LDtk cannot open this")
            return None
        seen.take(spot["layerDefUid"], number)
        if spot["levelId"].value != uid:
            spot["levelId"].fail(
                f"{shown(spot['levelId'].value)} is not the level's uid {uid}; LDtk cannot save"
            )
        offset = [spot[key].whole(null=True) or 0 for key in ("pxOffsetX", "pxOffsetY")]
        tileset = spot["overrideTilesetUid"].whole(null=True)
        tileset = layer.tileset if tileset is None else tileset
        known = self._known.tilesets.get(-1 if tileset is None else tileset)
        if tileset is not None and not known:
            spot["overrideTilesetUid"].fail(f"{tileset} is not the uid of a tileset")
        for key, value in {
            "__identifier": layer.name,
            "__type": layer.kind,
            "__gridSize": layer.grid,
            "__opacity": layer.opacity,
            "__cWid": -(-(rect.width - offset[0]) // layer.grid),
            "__cHei": -(-(rect.height - offset[1]) // layer.grid),
            "__pxTotalOffsetX": offset[0] + layer.offset[0],
            "__pxTotalOffsetY": offset[1] + layer.offset[1],
            "__tilesetDefUid": known.uid if known else None,
            "__tilesetRelPath": known.path if known else None,
        }.items():
            spot[key].same(value)
        for side, field in ((rect.width, "pxWid"), (rect.height, "pxHei")):
            if side % layer.grid:
                spot["__gridSize"].fail(
                    f"the level's {field} {side} is not a multiple of {layer.grid}; tiles will move"
                )
        return layer


def _hashable(spot: Spot) -> bool:
    return isinstance(spot["layerDefUid"].value, int)


def _refuse_drawn_twice(spot: Spot, layer: Layer, killed: dict[int, frozenset[int]]) -> None:
    """Check that rules have drawn nothing where another layer overrides them."""
    places = killed.get(-1 if layer.killer is None else layer.killer, frozenset())
    if not places or not isinstance(spot["autoLayerTiles"].value, list):
        return
    for i, tile in enumerate(spot["autoLayerTiles"].value):
        where = tile.get("d") if isinstance(tile, dict) else None
        if isinstance(where, list) and len(where) == 2 and isinstance(where[1], int) and where[1] in places:
            problem = "is drawn twice: the layer that overrides the rules also has a tile there"
            spot.report.add(f"{spot.place}.autoLayerTiles[{i}]", problem)


# --- the contents of a layer: IntGrid values and tiles, most of a file's values ----------------------

_FLIPS = (0, 1, 2, 3)


def check_tiles(
    spot: Spot, layer: Layer, known: Known, rect: Rect, killed: dict[int, frozenset[int]]
) -> None:
    """Check a layer's IntGrid and tiles. The places of its tiles go into `killed` under its uid."""
    columns, rows = (-(-side // layer.grid) for side in (rect.width, rect.height))
    _grid(spot["intGridCsv"], layer, columns * rows)
    override = spot["overrideTilesetUid"].value
    uid = override if isinstance(override, int) else layer.tileset
    tileset = known.tilesets.get(-1 if uid is None else uid)
    check = _TileCheck(spot, layer, tileset, columns, rows)
    grid_tiles = spot["gridTiles"]
    if layer.kind != "Tiles" and isinstance(grid_tiles.value, list) and grid_tiles.value:
        grid_tiles.fail(f"are in a layer of type {layer.kind}")
    killed[layer.uid] = check.grid_tiles(grid_tiles)
    if spot["autoLayerTiles"].there:
        check.auto_tiles(spot["autoLayerTiles"])


def _grid(spot: Spot, layer: Layer, count: int) -> None:
    values = spot.raw_list()
    wanted = count if layer.kind == "IntGrid" else 0
    if len(values) != wanted:
        spot.fail(f"has {len(values)} values, not {wanted}; LDtk cuts or fills the list")
    if not wanted:
        return
    try:
        unknown = sorted(set(values) - {0} - layer.values.keys())
    except TypeError:
        spot.fail("contains something that is not a whole number")
        return
    if unknown:
        spot.fail(f"contains {shown(unknown[0])}, which is not a value of the layer; LDtk sets it to 0")


class _TileCheck:
    """Checks the tiles of one layer instance."""

    def __init__(self, spot: Spot, layer: Layer, tileset: Tileset | None, columns: int, rows: int) -> None:
        self._spot = spot
        self._layer = layer
        self._tileset = tileset
        self._columns = columns
        self._count = columns * rows

    def _fail(self, key: str, number: int, problem: str) -> None:
        self._spot.report.add(f"{self._spot.place}.{key}[{number}]", problem)

    def grid_tiles(self, spot: Spot) -> frozenset[int]:
        """Check `gridTiles`, and return their coordinates."""
        seen = set()
        places = set()
        for number, tile in enumerate(spot.raw_list()):
            where = self._coords("gridTiles", number, tile, 1)
            if where is None:
                continue
            (coord,) = where
            places.add(coord)
            drawn = (coord, tile["t"], tile["f"]) if _plain(tile) else None
            if drawn and drawn in seen:
                self._fail("gridTiles", number, f"is drawn twice at coordinate {coord}")
            seen.add(drawn)
            self._look("gridTiles", number, tile, coord, True)
        return frozenset(places)

    def auto_tiles(self, spot: Spot) -> None:
        """Check `autoLayerTiles`: each must name a rule of the layer that draws such tiles."""
        seen = set()
        rules = self._layer.rules
        for number, tile in enumerate(spot.raw_list()):
            where = self._coords("autoLayerTiles", number, tile, 2)
            if where is None:
                continue
            rule, coord = where
            if rule not in rules:
                self._fail(
                    "autoLayerTiles", number, f"{rule} is not a rule of the layer; LDtk drops the tile"
                )
            elif _plain(tile) and tile["t"] not in rules[rule]:
                self._fail("autoLayerTiles", number, f"rule {rule} does not draw tile {tile['t']}")
            drawn = (rule, coord, tile["t"], tile["f"], _place(tile.get("px"))) if _plain(tile) else None
            if drawn and drawn in seen:
                self._fail("autoLayerTiles", number, f"is drawn twice at coordinate {coord}")
            seen.add(drawn)
            self._look("autoLayerTiles", number, tile, coord, not self._layer.moved)

    def _coords(self, key: str, number: int, tile: Any, wanted: int) -> list[int] | None:
        """Check and return a tile's `d`, from which LDtk reads its place."""
        where = tile.get("d") if isinstance(tile, dict) else None
        if not isinstance(where, list) or len(where) != wanted or not all(map(is_whole, where)):
            self._fail(key, number, f"has no `d` of {wanted} whole numbers, which LDtk reads its place from")
            return None
        if not 0 <= where[-1] < self._count:
            self._fail(key, number, f"coordinate {shown(where[-1])} is outside the level")
            return None
        return [int(part) for part in where]

    def _look(self, key: str, number: int, tile: dict[str, Any], coord: int, is_placed: bool) -> None:
        """Check that a tile is in the tileset, and that its other values agree with that."""
        index: Any = tile.get("t")
        tileset = self._tileset
        if not is_whole(index) or not tileset or not 0 <= index < tileset.columns * tileset.rows:
            self._fail(key, number, f"{shown(index)} is not a tile of the layer's tileset")
            return
        row, column = divmod(coord, self._columns)
        if is_placed and tile.get("px") != [column * self._layer.grid, row * self._layer.grid]:
            self._fail(key, number, f"px {shown(tile.get('px'))} is not the place of coordinate {coord}")
        if tile.get("src") != tileset.place(int(index)):
            self._fail(key, number, f"src {shown(tile.get('src'))} is not the place of tile {index}")
        if tile.get("f") not in _FLIPS:
            self._fail(key, number, f"f {shown(tile.get('f'))} is not one of 0, 1, 2, 3")


def _place(px: Any) -> tuple[int, ...] | str:
    """Return where a tile is drawn, as something that can be compared."""
    return tuple(px) if isinstance(px, list) and all(map(is_whole, px)) else shown(px)


def _plain(tile: dict[str, Any]) -> bool:
    """Return whether a tile's numbers can be compared."""
    return is_whole(tile.get("t")) and is_whole(tile.get("f"))


# --- entities, and the fields of entities and levels -------------------------------------------------

_POINT = pattern("-?[0-9]{1,9},-?[0-9]{1,9}")
_WRAPPERS = {"F_Int": "V_Int", "F_Color": "V_Int", "F_Float": "V_Float", "F_Bool": "V_Bool"}

Place = tuple[object, object, object]
"""The iids of a level, a layer in it, and the world."""


class _EntityLink(NamedTuple):
    spot: Spot  # the field
    field: Field
    source: str | None  # iids
    target: object
    shown: Any  # the content of `__value`


class Entities:
    """Checks the entities of a project and their references."""

    def __init__(self, known: Known, iids: Once) -> None:
        self._known = known
        self._iids = iids
        self._places: dict[object, Place] = {}
        self._references: list[_EntityLink] = []

    def check(self, spot: Spot, layer: Layer, rect: Rect, place: Place, layout: str) -> None:
        """Check the entities of one layer."""
        instances = list(spot.tables())
        if instances and layer.kind != "Entities":
            spot.fail(f"are in a layer of type {layer.kind}")
        for instance in instances:
            iid = instance["iid"].text()
            self._iids.take(instance["iid"], iid)
            if iid is not None:
                self._places[iid] = place
            number = instance["defUid"].whole()
            entity = self._known.entities.get(-1 if number is None else number)
            if entity:
                self._entity(instance, entity, iid, layer, rect, layout)
            elif number is not None:
                instance["defUid"].fail(f"{number} is not the uid of an entity; LDtk cannot open this")

    def _entity(
        self, spot: Spot, entity: Entity, iid: str | None, layer: Layer, rect: Rect, layout: str
    ) -> None:
        spot["__identifier"].same(entity.name)
        spot["__tags"].same(entity.tags)
        for key in ("width", "height"):
            spot[key].whole(1)
        spot["__smartColor"].color()
        numbers = [spot["px"].value[i] for i in (0, 1)] if _pair(spot["px"].value) else None
        if numbers is None:
            spot["px"].fail(f"{shown(spot['px'].value)} is not a pair of whole numbers")
        else:
            x, y = numbers
            if not entity.strays and not (0 <= x <= rect.width and 0 <= y <= rect.height):
                spot["px"].fail(f"[{x}, {y}] is outside the level")
            cells = [
                int((at - (pivot == 1)) / layer.grid) for at, pivot in zip(numbers, entity.pivot, strict=True)
            ]
            spot["__grid"].same(cells)
            if layout in ("Free", "GridVania"):
                spot["__worldX"].same(x + rect.x)
                spot["__worldY"].same(y + rect.y)
        for field, entry, held in check_fields(spot["fieldInstances"], entity.fields):
            if field.kind == "F_EntityRef":
                stated = entry["__value"].value
                values = stated if field.array and isinstance(stated, list) else [stated] * len(held)
                for target, value in zip(held, [*values, *[None] * len(held)], strict=False):
                    if target is not None:
                        self._references.append(_EntityLink(entry, field, iid, target, value))

    def check_references(self) -> None:
        """Check that each reference leads to an entity, has its right place, and is symmetric if required."""
        pairs = {(link.field.uid, link.source, link.target) for link in self._references}
        for spot, field, source, target, stated in self._references:
            place = self._places.get(target)
            if place is None:
                spot.fail(f"{shown(target)} is not the iid of an entity")
                continue
            level, layer, world = place
            wanted = {"entityIid": target, "layerIid": layer, "levelIid": level, "worldIid": world}
            if stated != wanted:
                spot["__value"].fail(f"{shown(stated)} should be {shown(wanted, 200)}")
            if field.symmetrical and (field.uid, target, source) not in pairs:
                spot.fail(f"refers to {shown(target)}, which does not refer back; LDtk removes the reference")


Held = tuple[Field, Spot, list[Any]]
"""A field, its place, and the values that LDtk reads."""


def check_fields(fields: Spot, wanted: Mapping[int, Field]) -> list[Held]:
    """Check the fields of an entity or a level."""
    held: list[Held] = []
    seen = Once("defUid")
    uids = set()
    for spot in fields.tables() if fields.there or wanted else ():
        number = spot["defUid"].whole()
        field = wanted.get(-1 if number is None else number)
        if not field:
            if number is not None:
                spot["defUid"].fail(
                    f"{number} is not the uid of a field here; LDtk cannot open this, or drops it"
                )
            continue
        seen.take(spot["defUid"], number)
        uids.add(number)
        spot["__identifier"].same(field.name)
        spot["__type"].same(field.type_name)
        held.append((field, spot, _held(spot, field)))
    for uid in wanted.keys() - uids if isinstance(fields.value, list) else ():
        fields.fail(f"do not have {wanted[uid].name}; LDtk adds it")
    return held


def _held(spot: Spot, field: Field) -> list[Any]:
    """Return the values that LDtk reads. Check their types, and that `__value` agrees with them."""
    values = []
    for item in spot["realEditorValues"].items():
        value = _unwrapped(item.value, field)
        if value is MISSING:
            item.fail(
                f"{shown(item.value)} is not a value for a field of type {field.type_name}; LDtk cannot save"
            )
            value = None
        elif field.values is not None and value is not None and not _known(value, field.values):
            item.fail(f"{shown(value)} is not a value of its enum; LDtk removes it")
        values.append(value)
    stated = spot["__value"]
    if stated.value is MISSING:
        stated.fail("is missing")
    elif field.array:
        if not isinstance(stated.value, list) or len(stated.value) != len(values):
            stated.fail(f"{shown(stated.value)} is not a list of {len(values)}")
        else:
            for value, entry in zip(values, stated.items(), strict=True):
                _compare(entry, value, field)
    elif values:
        _compare(stated, values[0], field)
    return values


def _known(value: str, values: frozenset[str]) -> bool:
    """Return whether an enum has a value, in the spelling that LDtk corrects it to."""
    return value in values or identifier(value) in values


def _unwrapped(value: Any, field: Field) -> Any:
    """Return the value in `{ "id": "V_Int", "params": [3] }`, or MISSING if it does not fit the field."""
    if value is None:
        return None
    params = value.get("params") if isinstance(value, dict) else None
    wrapper = _WRAPPERS.get(field.kind, "V_String")
    if not isinstance(params, list) or len(params) != 1 or value.get("id") != wrapper:
        return MISSING
    (held,) = params
    fits = {
        "V_Int": is_whole(held),
        "V_Float": is_number(held),
        "V_Bool": isinstance(held, bool),
        "V_String": isinstance(held, str),
    }[wrapper]
    if fits and field.kind == "F_Point":
        fits = bool(_POINT.fullmatch(held))
    return held if fits else MISSING


def _compare(stated: Spot, value: Any, field: Field) -> None:
    """Check that `__value` shows a value, or the field's default if the value is null."""
    if value is None or field.kind in ("F_EntityRef", "F_Tile"):
        return
    if field.kind == "F_Color":
        value = f"#{int(value) & 0xFFFFFF:06X}"
    elif field.kind == "F_Point":
        x, y = map(int, value.split(","))
        value = {"cx": x, "cy": y}
    elif field.kind == "F_Float" and is_number(stated.value):
        if abs(stated.value - value) > 0.001:
            stated.same(value)
        return
    elif isinstance(value, str):
        # LDtk escapes backslashes in only one of the two.
        if "\\" not in value and "\n" not in value:
            stated.same(value)
        return
    stated.same(value)


def _pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(is_whole, value))
