"""The furnishers of rooms. The row of a room kind names its furnisher."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING

from generator.algorithms.bitboard import Bitboard, board_of, dilate8, mask_of
from generator.algorithms.board_drawing import sight_line
from generator.arrays import framed
from generator.geometry import Point, Rect
from generator.interiors.free_tiles import HeldTiles, tile_in_sight, tile_near_middle
from generator.interiors.interior import FIGHTERS, FurnishedRoom, PlacedMarker
from generator.interiors.variations import drawn_signs, varying_places
from generator.kinds import DIFFICULTIES, DOOR, FLOOR, PIT, RUBBLE, VOID, WALL, Glyph, Kinds
from generator.level import Property, Tiles, passable
from generator.named_tuple import NamedTuple
from generator.rng import Stream
from generator.styles.gungeon.furnishing.arrangements import bound_arrangements
from generator.styles.gungeon.furnishing.battle_room import (
    Arena,
    battle_room,
    break_floor,
    place_enemies,
    walls_round,
)
from generator.styles.gungeon.furnishing.boss_room import boss_room
from generator.styles.gungeon.furnishing.boss_seat import axes_of, seat_of_boss
from generator.styles.gungeon.furnishing.decorate import place_decor
from generator.styles.gungeon.furnishing.decorated_room import Grounds, decor_areas, gives_way, over, symmetry
from generator.styles.gungeon.furnishing.faces import behind_tall, hang_banners
from generator.styles.gungeon.furnishing.focal import set_round_later
from generator.styles.gungeon.furnishing.gungeon_layouts import GungeonLayout
from generator.styles.gungeon.furnishing.kit_tables import decor_tables, enemy_row
from generator.styles.gungeon.furnishing.quiet_rooms import chest_room, chest_tier, quiet_room, shop_room
from generator.styles.gungeon.furnishing.site import Site, footing, reach

if TYPE_CHECKING:
    from generator.styles.gungeon.spec import GungeonSpec


FURNISHERS: Mapping[str, Callable[[Site, GungeonSpec, Stream], FurnishedRoom]] = {
    "battle": battle_room,
    "boss": boss_room,
    "shop": shop_room,
    "chest": chest_room,
    "quiet": quiet_room,
}


_WITHOUT_CENTREPIECE = ("battle", "boss")


def furnish_sites(spec: GungeonSpec, sites: Sequence[Site], seed: int) -> list[FurnishedRoom]:
    """Furnish all rooms of a level, each from its own stream. In a run, no two take the same centrepiece."""
    insides = []
    for number, site in enumerate(sites):
        inside = furnish_site(site, spec, Stream(seed, "gungeon.furnish", number))
        if spec.memory.place and has_centrepiece(site):
            spec = spec.having_seen(inside.layout)
        insides.append(inside)
    return insides


def has_centrepiece(site: Site) -> bool:
    """Check whether a room is furnished round a centrepiece."""
    return site.layout is None and site.row.furnisher not in _WITHOUT_CENTREPIECE


def seen_centrepieces(spec: GungeonSpec, sites: Sequence[Site], seed: int) -> list[str]:
    """List the centrepieces that `furnish_sites` takes for the rooms of a level of a run."""
    seen = []
    for number, site in enumerate(sites):
        if has_centrepiece(site):
            inside = furnish_site(site, spec, Stream(seed, "gungeon.furnish", number))
            spec = spec.having_seen(inside.layout)
            seen.append(inside.layout)
    return seen


def furnish_site(site: Site, spec: GungeonSpec, stream: Stream) -> FurnishedRoom:
    """Furnish an empty room from its layout, or without one by the procedure of its kind."""
    if site.layout is not None:
        inside = drawn_room(site, site.layout, spec, stream)
    else:
        inside = FURNISHERS[site.row.furnisher](site, spec, stream)
        if not site.kit.is_shipped:
            inside = with_demanded(inside, site, spec.body)
    inside = _with_gift(inside, site, spec, stream)
    if step := decor_tables(site.row.decor, site.kit).banners:
        hang_banners(inside.terrain, inside.decor, site.kit, step)
    known = site.kinds.markers
    if site.is_quiet:
        known = {kind: row for kind, row in known.items() if kind != "enemy"}
        inside = inside._replace(difficulty=0)
    if all(marker.kind in known for marker in inside.markers):
        return inside
    return inside._replace(markers=tuple(marker for marker in inside.markers if marker.kind in known))


def _with_gift(inside: FurnishedRoom, site: Site, spec: GungeonSpec, stream: Stream) -> FurnishedRoom:
    """Add the marker that a finished room gives. Unchanged if it has no free tile."""
    held = HeldTiles(inside.terrain, inside.decor, site.kinds)
    gift = _gift(held, inside.markers, site, spec, stream)
    if gift is None:
        return inside
    decor, thing = inside.decor, (gift.kind, (gift.x, gift.y))
    if spec.decor:
        taken = [(marker.x, marker.y) for marker in inside.markers]
        decor = set_round_later(site, held, thing, taken, spec.chapter, stream)
    return inside._replace(decor=decor, markers=(*inside.markers, gift))


def _gift(
    held: HeldTiles, markers: Sequence[PlacedMarker], site: Site, spec: GungeonSpec, stream: Stream
) -> PlacedMarker | None:
    """Return the marker that a room gives, near its middle. None if no tile is free, or it has one."""
    if not site.gives or any(marker.kind == site.gives for marker in markers):
        return None
    taken = [(marker.x, marker.y) for marker in markers]
    doorsteps = [opening.doorstep for opening in site.openings]
    tile = tile_in_sight(Rect(0, 0, site.width, site.height), held, taken, spec.body, doorsteps)
    if tile is None:
        return None
    properties = usual_properties(site.kinds, site.gives)
    if site.gives == "chest":
        properties = {**properties, "tier": chest_tier(site.danger, stream)}
    return PlacedMarker(site.gives, *tile, properties)


def _free_tile(inside: FurnishedRoom, site: Site, body: int) -> Point | None:
    taken = [(marker.x, marker.y) for marker in inside.markers]
    held = HeldTiles(inside.terrain, inside.decor, site.kinds)
    return tile_near_middle(Rect(0, 0, site.width, site.height), held, taken, body)


def usual_properties(kinds: Kinds, marker: str) -> Mapping[str, Property]:
    """Return the properties of a marker kind's first letter in layouts."""
    return next((glyph.properties for glyph in kinds.glyphs.values() if glyph.marker == marker), {})


# Markers that a room kind's row demands and the furnisher of a room by procedure does not know.

_OTHERS = (*FIGHTERS, "key")


def with_demanded(inside: FurnishedRoom, site: Site, body: int) -> FurnishedRoom:
    """Add the markers that the room's row demands, near its middle, within a body's reach.

    Enemies and bosses are left to the furnishers, keys to flows, and what cannot be on floor to layouts.
    """
    kinds = site.kinds
    counts = Counter(marker.kind for marker in inside.markers)
    markers = list(inside.markers)
    for kind, (least, _) in kinds.room(site.kind).markers.items():
        if counts[kind] >= least or kind in _OTHERS or "floor" not in kinds.grounds_of(kinds.markers[kind]):
            continue
        for _ in range(least - counts[kind]):
            tile = _free_tile(inside._replace(markers=tuple(markers)), site, body)
            if tile:
                markers.append(PlacedMarker(kind, *tile, usual_properties(kinds, kind)))
    return inside._replace(markers=tuple(markers))


# A drawn room: a layout with the room's doors, and clutter where the layout leaves space.

BARE = "bare"  # the tag of layouts that get no clutter


def drawn_room(site: Site, drawn: GungeonLayout, spec: GungeonSpec, stream: Stream) -> FurnishedRoom:
    """Furnish a room of the layout's size. Exits without a door are walled up."""
    views = views_of_things(site, drawn, spec.chapter)
    room = _LayoutRoom(drawn, reduce(or_, filter(None, views), 0), stream)
    doors = site.doors
    for opening in site.openings:
        for x, y in opening.tiles:
            room.terrain[y, x] = DOOR
    room.walkable |= doors
    room.shots |= doors
    room.walls &= ~doors
    furnisher = site.row.furnisher
    if furnisher == "battle":
        break_floor(room.terrain, spec.rubble, stream)
    if furnisher == "boss":
        _seat_boss(site, room, spec.body)
    if BARE not in drawn.layout.tags:
        held = HeldTiles(room.terrain, room.decor, site.kinds)
        if gift := _gift(held, room.markers, site, spec, stream):
            room.markers.append(gift)
        _clutter(site, room, spec, stream)
    markers = [_adapted(marker, site, stream) for marker in room.markers if marker.kind != "enemy"]
    places = [marker for marker in room.markers if marker.kind == "enemy"]
    if places:
        covered = room.covered | site.board((marker.x, marker.y) for marker in markers)
        arena = Arena(room.floor, doors, covered, room.walkable, room.shots, room.places)
        markers += place_enemies(site, arena, spec, stream, places)
    difficulty = DIFFICULTIES["hard"] if furnisher == "boss" else 0
    if furnisher == "battle":
        difficulty = enemy_row(site.danger, site.kit).difficulty
    return FurnishedRoom(drawn.name, difficulty, room.terrain, room.decor, tuple(markers))


class _Outcome(NamedTuple):
    """What a variable tile may become, and what that changes. `opaque` is relative to the tile itself."""

    glyph: Glyph
    is_bare: bool
    is_safe: bool
    opaque: Bitboard


class _Varying(NamedTuple):
    """Tiles that vary in the same way, in groups of mirror images, which vary alike.

    `many` of the groups get the first outcome, 0: each draws its own.
    """

    groups: tuple[tuple[Point, ...], ...]
    outcomes: tuple[_Outcome, ...]
    many: int


class _Bare(NamedTuple):
    """A layout as a room without doors, with bare floor wherever it varies: arrays [y, x] and boards.

    `shots` are the tiles that a shot passes, and `telling` the markers that stay in their places, without
    enemies.
    """

    terrain: Tiles
    decor: Tiles
    markers: tuple[PlacedMarker, ...]
    telling: tuple[PlacedMarker, ...]
    varying: tuple[_Varying, ...]
    walls: Bitboard
    floor: Bitboard
    walkable: Bitboard
    covered: Bitboard
    shots: Bitboard
    pits: Bitboard


@lru_cache(maxsize=4096)
def _bare(drawn: GungeonLayout) -> _Bare:
    interior = drawn.layout.interior(drawn.image)
    markers = tuple(marker._replace(x=marker.x + 1, y=marker.y + 1) for marker in interior.markers)
    terrain, decor = framed(interior.terrain), framed(interior.decor)
    walls = _set_walls(terrain, drawn.size)
    floor = (terrain == FLOOR) | (terrain == RUBBLE)
    covered, safe = framed(interior.covered), framed(interior.safe())
    shots = passable(terrain, covered, "shoot", interior.kinds)
    boards = [board_of(mask) for mask in (floor, safe, covered > 0, shots, terrain == PIT)]
    telling = tuple(
        marker
        for marker in markers
        if marker.kind != "enemy" and (marker.kind != "boss" or marker.properties.get("flies"))
    )
    return _Bare(terrain, decor, markers, telling, _varying(drawn, terrain), walls, *boards)


def _varying(drawn: GungeonLayout, terrain: Tiles) -> tuple[_Varying, ...]:
    """List the tiles of a layout's room that vary, letter by letter."""
    layout, (width, height) = drawn.layout, drawn.size
    flips_x = bool((terrain == terrain[:, ::-1]).all())
    flips_y = not flips_x and bool((terrain == terrain[::-1]).all())
    varying = []
    for letter, (signs, many) in layout.variations.items():
        outcomes = tuple(_outcome(layout.glyphs[sign], layout.kinds, width + 1) for sign in signs)
        places = [drawn.tile(x, y) for x, y in varying_places(layout.rows, letter)]
        twins = {
            (x, y): (width - 1 - x if flips_x else x, height - 1 - y if flips_y else y) for x, y in places
        }
        groups = tuple(dict.fromkeys(tuple(sorted({*pair})) for pair in twins.items()))
        is_even = not many or (many % 2 == 0 and len(places) == 2 * len(groups))
        if is_even and twins.keys() == {*twins.values()}:
            varying.append(_Varying(groups, outcomes, many * len(groups) // len(places)))
        else:
            varying.append(_Varying(tuple((place,) for place in places), outcomes, many))
    return tuple(varying)


def _outcome(glyph: Glyph, kinds: Kinds, stride: int) -> _Outcome:
    decor, ground = kinds.decor[glyph.decor], kinds.terrain[glyph.terrain]
    is_bare = glyph.terrain == FLOOR and not glyph.decor and not glyph.marker
    is_safe = decor.walk and not decor.hazard and ground.walk and not ground.hazard
    opaque = 0 if decor.shoot else decor_areas(kinds, stride)[glyph.decor]
    return _Outcome(glyph, is_bare, is_safe, opaque if ground.shoot else opaque | 1)


def _set_walls(terrain: Tiles, size: Point) -> Bitboard:
    """Put walls round all tiles that are neither wall nor void, and void elsewhere."""
    solid = (terrain == VOID) | (terrain == WALL)
    walls = walls_round(size, board_of(~solid))
    terrain[solid] = VOID
    terrain[mask_of(walls, terrain.shape)] = WALL
    return walls


def views_of_things(site: Site, drawn: GungeonLayout, chapter: str) -> list[Bitboard | None]:
    """Return a line of sight from a door to each thing that a drawn room is about. None if a wall hides it.

    A boss on foot is not among them: it moves to where it is seen.
    """
    bare = _bare(drawn)
    if not bare.telling:
        return []
    views: list[Bitboard | None] = []
    at = bound_arrangements(site.row.decor, chapter, site.kit, site.stride).at
    for kind, x, y, _ in bare.telling:
        if kind in at:
            lines = (sight_line(way.doorstep, (x, y), site.stride) for way in site.openings)
            views.append(next((line for line in lines if not line & ~bare.shots), None))
    return views


class _LayoutRoom:
    """A layout as a room. Chance decides wherever it varies, but hides nothing `in_view`."""

    def __init__(self, drawn: GungeonLayout, in_view: Bitboard, stream: Stream) -> None:
        bare = _bare(drawn)
        self.terrain, self.decor = bare.terrain.copy(), bare.decor.copy()
        self.markers = list(bare.markers)
        self.walls, self.floor, self.walkable, self.covered, self.shots, self.pits = bare[5:]
        self.places = 0  # of a large body, as in `Arena`
        self._stride = drawn.size[0] + 1
        has_walls = False
        for groups, outcomes, many in bare.varying:
            for tiles, outcome in drawn_signs(groups, outcomes, many, stream):
                if outcome.is_bare or any(outcome.opaque << self._at(tile) & in_view for tile in tiles):
                    continue
                for tile in tiles:
                    self._vary(tile, outcome)
                has_walls |= outcome.glyph.terrain == WALL
        if has_walls:
            self.walls = _set_walls(self.terrain, drawn.size)

    def _at(self, point: Point) -> int:
        return point[0] + point[1] * self._stride

    def _vary(self, point: Point, outcome: _Outcome) -> None:
        """Let a tile of bare floor become something else."""
        x, y = point
        glyph = outcome.glyph
        at = self._at(point)
        tile = 1 << at
        if glyph.marker:
            self.markers.append(PlacedMarker(glyph.marker, x, y, glyph.properties))
        if glyph.decor:
            self.decor[y, x] = glyph.decor
            self.covered |= tile
        if glyph.terrain != FLOOR:
            self.terrain[y, x] = glyph.terrain
            if glyph.terrain != RUBBLE:
                self.floor &= ~tile
        if not outcome.is_safe:
            self.walkable &= ~tile
        self.shots &= ~(outcome.opaque << at)


def _seat_boss(site: Site, room: _LayoutRoom, body: int) -> None:
    """Move a boss that walks to the far end of its hall, as seen from the door."""
    bosses = [marker for marker in room.markers if marker.kind == "boss"]
    if len(bosses) != 1 or bosses[0].properties.get("flies"):
        return
    (boss,) = bosses
    others = site.board((marker.x, marker.y) for marker in room.markers if marker is not boss)
    reached = reach(room.walkable, site, body)
    axes = axes_of(site, *symmetry(room.walls | site.doors, room.pits, site.shape))
    seat = seat_of_boss(site, room.floor & ~room.covered, reached, room.shots, others, axes)
    if seat:
        room.markers[room.markers.index(boss)] = boss._replace(x=seat[0], y=seat[1])


def _clutter(site: Site, room: _LayoutRoom, spec: GungeonSpec, stream: Stream) -> None:
    """Put the things of the kind's table beside walls and in the middle, clear of what is drawn."""
    kept = dilate8(site.board((marker.x, marker.y) for marker in room.markers), site.stride)
    kept |= room.covered | site.doorsteps(margin=1)
    large = None
    if spec.body > 1:
        large = footing(room.walkable, site, spec.body, room.markers)
        if large is None:
            return
    enemies = [marker for marker in room.markers if marker.kind == "enemy"]
    under_enemies = site.board((marker.x, marker.y) for marker in enemies)
    grounds = Grounds(
        room.walkable,
        room.floor & ~kept,
        room.walls,
        room.pits,
        spec.decor,
        spec.chapter,
        room.floor & board_of(gives_way(room.decor, site.kinds)) & ~under_enemies,
        [marker for marker in room.markers if marker not in enemies],
        board_of(behind_tall(room.decor, site.kit)),
    )
    placed = place_decor(site, grounds, large, stream)
    room.decor = over(placed.decor, room.decor, site.kinds)
    room.covered |= placed.covered
    room.walkable = placed.walkable
    room.shots &= ~placed.opaque
    room.places = large.places if large else 0


def _adapted(marker: PlacedMarker, site: Site, stream: Stream) -> PlacedMarker:
    """Adapt a marker: wooden chests improve with distance, and a boss on floor walks instead of flying."""
    if marker.kind == "chest" and marker.properties.get("tier") == "wood":
        return marker._replace(properties={**marker.properties, "tier": chest_tier(site.danger, stream)})
    if marker.kind == "boss":
        return marker._replace(properties={"flies": False, **marker.properties})
    return marker
