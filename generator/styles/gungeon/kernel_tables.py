"""A spec's rules as arrays for the floorplan kernel, and the kernel's buffers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from generator.algorithms.astar_kernel import PathSearch
from generator.algorithms.separation_kernel import Boxes
from generator.algorithms.triangulation_kernel import TriangleMesh
from generator.kinds import DIFFICULTIES
from generator.kinds.style_rows import MAX_WEIGHT
from generator.level import MAX_TILES
from generator.rng import name_key
from generator.styles.gungeon.connect_kernel import ConnectRules, RoomGraph
from generator.styles.gungeon.dealing import PoolEntry, tagged
from generator.styles.gungeon.drop_kernel import DropRules
from generator.styles.gungeon.furnishing.gungeon_layouts import CONNECTOR, HUB, GungeonLayout
from generator.styles.gungeon.furnishing.kit_tables import enemy_row
from generator.styles.gungeon.furnishing.room_kinds import (
    BOSS,
    NORMAL,
    START,
    GungeonRoomKind,
    gungeon_kind,
    gungeon_kinds,
    off_the_way,
)
from generator.styles.gungeon.own_rooms import own_rules
from generator.styles.gungeon.plan_kernel import GungeonRules, HeapState
from generator.styles.gungeon.route_kernel import BESIDE, LINE, MAY, MIDDLE, Doors, Grid, LaidHallways, Rects
from generator.styles.gungeon.scatter_kernel import Dropped, KindTable, Pools
from generator.styles.gungeon.sides import SIDES
from generator.styles.gungeon.spec import RANDOM, GungeonSpec

_SHAPES = ("strip", "square", "disc")  # as the kernel numbers them
_TAGS = ("", HUB, CONNECTOR)
_LEVELS = sorted(DIFFICULTIES.values())
_HALLWAYS_A_ROOM = 4  # hallways at most: neither a triangulation nor two of the same points have more edges


class HeapTables(NamedTuple):
    """A spec's rules as arrays, with the kinds' names and the layouts' images by number."""

    rules: GungeonRules
    kinds: tuple[str, ...]
    images: tuple[GungeonLayout, ...]
    doors: bytearray
    most_rooms: int


def tables_of(spec: GungeonSpec) -> HeapTables | None:
    """Make the tables of a spec. None for one with a flow, an `only_layout`, or a kit with its own rules."""
    if spec.flow != RANDOM or spec.only_layout or own_rules(spec):
        return None
    kit = spec.load_kit()
    rest = [kind for kind in gungeon_kinds(kit.kinds).values() if kind.name not in (START, BOSS)]
    kinds = [gungeon_kind(kit.kinds, START), gungeon_kind(kit.kinds, BOSS), *rest]
    decks = [tagged(spec, kind.name, tag) for kind in kinds for tag in _TAGS]
    cards = [card for deck in decks for card in deck]
    images = [image for card in cards for image in card.images]
    if any(weight < 1 for card in cards for weight in card.weights.values()):
        return None
    rules = GungeonRules(
        _drop_rules(spec, kinds),
        ConnectRules(*spec.loop_share, spec.loop_length, 1 + 2 * MAX_WEIGHT, name_key("gungeon.connect")),
        _kind_table(spec, kinds),
        _pools(spec, decks, cards, images),
        MAX_TILES,
    )
    doors = bytearray().join(_door_lines(spec, image) for image in images)
    ranges = rules.kinds.rooms
    most = spec.rooms or 1 + sum(ranges[2 * kind + 1] for kind in range(1, len(kinds)))
    return HeapTables(rules, tuple(kind.name for kind in kinds), tuple(images), doors, most)


def _drop_rules(spec: GungeonSpec, kinds: Sequence[GungeonRoomKind]) -> DropRules:
    normal = next(number for number, kind in enumerate(kinds) if kind.name == NORMAL)
    numbers = spec.rooms, normal, _SHAPES.index(spec.drop), spec.hallway_width + 2
    return DropRules(array("q", numbers), name_key("gungeon.scatter"), name_key("gungeon.deal"))


def _kind_table(spec: GungeonSpec, kinds: Sequence[GungeonRoomKind]) -> KindTable:
    rows = spec.load_kit().kinds
    rooms = [(1, 1), *(spec.range_of(kind, "rooms") for kind in kinds[1:])]
    shares = (spec.procedural_share if kind.name == NORMAL else kind.procedural_share for kind in kinds)
    return KindTable(
        rooms=_flat(rooms),
        width=_flat(spec.range_of(kind, "width") for kind in kinds),
        height=_flat(spec.range_of(kind, "height") for kind in kinds),
        procedural=array("q", shares),
        weight=array("q", [kind.weight for kind in kinds]),
        aside=array("q", [kind.name in off_the_way(rows) for kind in kinds]),
    )


def _flat(pairs: Iterable[tuple[int, int]]) -> array[int]:
    return array("q", [number for pair in pairs for number in pair])


def _pools(
    spec: GungeonSpec,
    decks: Sequence[Sequence[PoolEntry]],
    cards: Sequence[PoolEntry],
    images: Sequence[GungeonLayout],
) -> Pools:
    kit = spec.load_kit()
    return Pools(
        decks=_sums(map(len, decks)),
        weights=array("q", [card.weights[level] for card in cards for level in _LEVELS]),
        once=bytearray(card.images[0].layout.repeat == "once" for card in cards),
        images=_sums(len(card.images) for card in cards),
        sizes=_flat(image.size for image in images),
        suits=bytearray(image.exits(spec.hallway_width, spec.body) is not None for image in images),
        is_hub=bytearray(HUB in image.layout.tags for image in images),
        left=bytearray(len(cards)),
        more=bytearray(len(cards)),
        begun=bytearray(len(decks)),
        levels=bytearray(_LEVELS.index(enemy_row(danger, kit).difficulty) for danger in range(101)),
    )


def _sums(counts: Iterable[int]) -> array[int]:
    """Running sums: where each part begins when they follow each other, and where the last ends."""
    sums = array("q", [0])
    for count in counts:
        sums.append(sums[-1] + count)
    return sums


def _door_lines(spec: GungeonSpec, image: GungeonLayout) -> bytearray:
    """Mark where doors may be on the four sides of an image."""
    lines, width = bytearray(4 * LINE), spec.hallway_width
    for number, side in enumerate(SIDES):
        line = memoryview(lines)[number * LINE : (number + 1) * LINE]
        for offsets in (image.exits(width, spec.body) or {}).get(side, ()):
            for offset in offsets:
                line[offset] |= MAY
            for offset in offsets[:: width + 1]:
                line[offset] |= BESIDE
            line[offsets[len(offsets) // 2]] |= MIDDLE
    return lines


def new_state(tables: HeapTables, width: int, tiles: int) -> HeapState:
    """Make buffers for a floorplan of a spec, on a grid of `tiles` tiles, with hallways of this width."""
    rooms = tables.most_rooms + 1

    def zeros(number: int) -> array[int]:
        return array("q", bytes(8 * number))

    boxes = Boxes(*(zeros(rooms) for _ in Boxes._fields))
    dropped = Dropped(*(zeros(max(rooms, len(tables.kinds))) for _ in Dropped._fields))
    hallways, numbers = 2 * _HALLWAYS_A_ROOM * rooms, array("i", bytes(16 * tiles))
    return HeapState(
        boxes=boxes,
        rooms=dropped,
        rects=Rects(boxes.x, boxes.y, boxes.width, boxes.height),
        graph=RoomGraph(*(zeros(2 * hallways) for _ in RoomGraph._fields)),
        mesh=TriangleMesh(*(zeros(6 * rooms) for _ in TriangleMesh._fields)),
        grid=Grid(
            PathSearch(bytearray(tiles), numbers, numbers[:], numbers[:], numbers[:]),
            bytearray(4 * rooms),
            zeros(8),
        ),
        doors=Doors(tables.doors or bytearray(1), dropped.images, width),
        hallways=LaidHallways(
            zeros(2 * hallways),
            zeros(2 * hallways),
            zeros(2 * hallways),
            zeros(hallways),
            zeros(hallways + 1),
            zeros(tiles),
        ),
        distances=zeros(rooms),
        depths=zeros(rooms),
        tries=zeros(1),
        laid=bytearray(3 * hallways),
        dead_ends=bytearray(rooms),
    )
