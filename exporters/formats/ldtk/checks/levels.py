"""Checks of levels: their places, names and neighbours."""

from __future__ import annotations

from exporters.formats.ldtk.checks.entities import Entities, check_fields
from exporters.formats.ldtk.checks.known import Known, Layer
from exporters.formats.ldtk.checks.spot import Once, Spot
from exporters.formats.ldtk.checks.tiles import check_tiles
from exporters.formats.ldtk.checks.world import World
from generator.errors import shown
from generator.geometry import Rect

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
