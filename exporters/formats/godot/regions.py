"""The navigation regions of a level's scenes: who can walk or fly where, per scene and shut door.

A door that starts shut has regions of its own. A one-way door has none; a link leads through it in one
direction.

Meshes of two regions must not overlap, or Godot does not know which edges to join. So walkers and flyers
share one region, on both navigation layers, wherever both can be. Where only flyers can be, over pits and
low decor, a second region adjoins it.

All regions of a level are cut from one mesh. Neighbours have the same vertices along their border, so they
join along whole edges, even between the scenes of two rooms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exporters.formats.godot.clearance import FineGrid, fine_grid
from exporters.formats.godot.contours import Rings, outlines
from exporters.formats.godot.navigation import FlatMesh, mesh, rectangles
from exporters.formats.godot.parts import ScenePart
from exporters.formats.godot.tile_uses import FLYERS, WALKERS
from exporters.shut_doors import starts_shut
from generator.arrays import Mask
from generator.errors import BadInput
from generator.geometry import Point, Rect
from generator.kinds import Kinds
from generator.level import Level

# The name of a region's node by its navigation layers. `Way` belongs to a shut door.
EVERYONE = WALKERS | FLYERS
SUFFIXES = {EVERYONE: "", WALKERS: "Walk", FLYERS: "Fly"}
AUTOMATIC = -1  # option value: a radius that fits the theme


class Region(NamedTuple):
    """A mesh and its outlines, in px of the level. Baking the outlines with the radius gives the mesh."""

    layers: int
    mesh: FlatMesh
    outlines: Rings
    agent_radius: int


class PartRegions(NamedTuple):
    """The regions of a part. Those of shut doors are separate, by door id."""

    always: Sequence[Region]
    behind: Mapping[int, Sequence[Region]]


def agent_radius(level: Level, tile_size: int, wanted: int) -> int:
    """Return the radius in px for an option value. Raises BadInput if it would close a door.

    The automatic radius is three eighths of a tile: a body three quarters of a tile wide fits through a door
    of one tile, with a quarter left for steering.
    """
    radius = tile_size * 3 // 8 if wanted == AUTOMATIC else wanted
    across = [{x if door.side in ("north", "south") else y for x, y in door.tiles} for door in level.doors]
    narrowest = min(map(len, across), default=0) * tile_size
    if narrowest and 2 * radius >= narrowest:
        remedy = f"give 0 to {(narrowest - 1) // 2}"
        raise BadInput(f"godot.agent_radius: {radius} closes doors, which are {narrowest} px wide; {remedy}")
    return radius


def regions(
    level: Level, parts: Sequence[ScenePart], tile_size: int, radius: int, links: bool = True
) -> list[PartRegions]:
    """Compute the regions of each part of a level.

    Without `links`, one-way doors are open in both directions.
    """
    grid = fine_grid(level.width, level.height, tile_size, radius)
    who = np.zeros((len(grid.ys) - 1, len(grid.xs) - 1), np.uint8)
    for way, bit in (("walk", WALKERS), ("fly", FLYERS)):
        who |= grid.eroded(level.passable(way)) * np.uint8(bit)
    cuts = [list(_cuts(grid, who, part, links, level.kinds)) for part in parts]
    rects = [[rectangles(cut.mask, cut.corner) for cut in group] for group in cuts]
    full_mesh = mesh(np.concatenate([own for group in rects for own in group]))
    done = 0
    result = []
    for group, theirs in zip(cuts, rects, strict=True):
        always: list[Region] = []
        behind: dict[int, list[Region]] = {}
        for cut, own in zip(group, theirs, strict=True):
            region = _region(cut, grid, full_mesh.cut(done, done + len(own)))
            done += len(own)
            (always if cut.door is None else behind.setdefault(cut.door, [])).append(region)
        result.append(PartRegions(always, behind))
    return result


class _Cut(NamedTuple):
    """The area of a region: a mask [y, x] on the fine grid of some tiles. `corner` is the first tile."""

    door: int | None
    layers: int
    mask: Mask
    grid: FineGrid
    corner: Point


def _cuts(
    grid: FineGrid, who: npt.NDArray[np.uint8], part: ScenePart, links: bool, kinds: Kinds
) -> Iterator[_Cut]:
    """Yield first the areas at doors, which are closed while the doors are shut, then the rest.

    The area at a hallway's door also covers the end of the hallway, where a body would touch the door. It is
    taken out of `who`, so that the hallway's own part, which comes later, does not have it again.
    """
    rect = _grown(part.rect, 1 + grid.radius // grid.tile_size, who.shape, grid.per_tile)
    own = np.zeros((rect.height, rect.width), np.bool_)
    left, top = part.rect.x - rect.x, part.rect.y - rect.y
    own[top : top + part.rect.height, left : left + part.rect.width] = part.own
    around, lines = who[grid.slices(rect)], grid.within(rect)
    inside = around * grid.refined(own)
    corner = rect.x * grid.per_tile, rect.y * grid.per_tile
    for door_part in part.doors:
        door = door_part.door
        linked = links and door.one_way
        if linked or starts_shut(door, kinds):
            near = lines.near(door_part.rect)
            area = inside if door.rooms[1] is not None else around
            for layers in () if linked else SUFFIXES:
                mask = near & (area == layers)
                if mask.any():
                    yield _Cut(door.id, layers, mask, lines, corner)
            inside[near] = 0
            area[near] = 0
    for layers in SUFFIXES:
        mask = inside == layers
        if layers == EVERYONE or mask.any():
            yield _Cut(None, layers, mask, lines, corner)


def _grown(rect: Rect, tiles: int, shape: tuple[int, ...], per_tile: int) -> Rect:
    """Enlarge a rectangle by `tiles` on all sides and clip it to the level."""
    left, top = max(rect.x - tiles, 0), max(rect.y - tiles, 0)
    right, bottom = (
        min(rect.right + tiles, shape[1] // per_tile),
        min(rect.bottom + tiles, shape[0] // per_tile),
    )
    return Rect(left, top, right - left, bottom - top)


def _region(cut: _Cut, grid: FineGrid, mesh: FlatMesh) -> Region:
    """Make the region of a cut from a mesh whose vertices are corners of the grid.

    The outlines of the main region enclose everything that bodies cover. Other regions end at their
    neighbours, so their outlines are their own borders.
    """
    main = cut.door is None and cut.layers == EVERYONE
    rings = outlines(cut.grid.dilated(cut.mask) if main else cut.mask, cut.corner)
    return Region(
        cut.layers,
        mesh._replace(vertices=grid.px(mesh.vertices)),
        rings._replace(points=grid.px(rings.points)),
        grid.radius if main else 0,
    )
