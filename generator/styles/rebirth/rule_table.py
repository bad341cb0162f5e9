"""The rules of a kit as tables of whole numbers, for the kernels: special rooms, bosses, rooms to pick.

`stage_kernel.py` names the columns.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from generator.errors import KitError
from generator.kinds import Kinds, Kit
from generator.named_tuple import NamedTuple
from generator.reasons import cached_unless_noted
from generator.shapes import LARGE_BOSSES, SHAPES
from generator.styles.grid.special_rooms import SpecialRoom
from generator.styles.rebirth.board import (
    CURSED,
    EVERY_DOOR,
    HIDDEN,
    MAX_KINDS,
    SHUNNED,
    TRAITS,
    UNSEEN,
    place_of,
)
from generator.styles.rebirth.drawn_shapes import DrawnShapes
from generator.styles.rebirth.growth import Counts
from generator.styles.rebirth.spec import RebirthSpec
from generator.styles.rebirth.special_rooms import CLOSETS, bosses, closet_kinds, last_rooms, special_rooms
from generator.styles.rebirth.stage_kernel import ANYWHERE, BOSS_ROW, END_ROW, SECRET, TABLES, ULTRA_SECRET

# The rooms that the game picks from: not layouts, but their shapes and doors, each with a weight.
#
# The game picks from its own layouts. Here a kind's rooms are single cells, for some kinds also narrow, as
# its row says (`[room.NAME.rebirth]` of a kit), and boss rooms may be large; all have doors wherever the
# shape may have them. Their content is drawn later.


_WEIGHT = 10**7  # the usual weight of a room; the game's least is a ten-millionth of it
_ROOMS = 10  # rooms of each shape, so that picking one changes little


class CatalogueRoom(NamedTuple):
    """A room that may be picked: its shape's id, the bits of its door slots, its weight."""

    shape: int
    doors: int
    weight: int


Catalogue = Mapping[str, Sequence[CatalogueRoom]]


@lru_cache(maxsize=64)
def catalogue_of(
    large_bosses: int, closets: int, kinds: Kinds, drawn: DrawnShapes | None = None
) -> Catalogue:
    """Make the style's catalogue, with these percentages of large boss rooms and of narrow special rooms.

    With `drawn`, their shapes are those that it offers.
    """
    narrow = closet_kinds(kinds)
    rooms = {kind: _rooms({"1x1": 1})[:1] for kind in kinds.rooms if kind not in narrow}  # one for all
    rooms |= {kind: _rooms(_shares(kind, CLOSETS, closets, drawn)) for kind in narrow}
    return rooms | {"boss": _rooms(_shares("boss", LARGE_BOSSES, large_bosses, drawn))}


def _shares(kind: str, shapes: Sequence[str], percent: int, drawn: DrawnShapes | None) -> dict[str, int]:
    if drawn:
        shapes = [shape for shape in shapes if drawn.offers(kind, shape)]
        if shapes and percent and not drawn.has(kind, "1x1"):
            percent = 100
    shares = {"1x1": len(shapes) * (100 - percent)} | dict.fromkeys(shapes, percent)
    return {shape: share for shape, share in shares.items() if share} or {"1x1": 1}


def _rooms(shares: Mapping[str, int]) -> tuple[CatalogueRoom, ...]:
    """List rooms of each shape in proportion to its share, most frequent first."""
    return tuple(
        CatalogueRoom(SHAPES[shape].id, EVERY_DOOR[SHAPES[shape].id], share * _WEIGHT)
        for shape, share in shares.items()
        for _ in range(_ROOMS)
    )


_PLACES = {"secret": SECRET, "ultra_secret": ULTRA_SECRET}
_SHUN = ("boss", "secret", "super_secret")  # kinds that a secret room avoids
_FIRST_STAGES = (1, 3, 5, 7)
_MAX_ENDS = 60  # each that comes only once has a bit of a number
_MAX = 1 << 30  # of a number in a table: its product with a draw must fit into 63 bits


class RuleTable(NamedTuple):
    """The rules as numbers, and the names of the kinds by number."""

    rules: array[int]
    kinds: tuple[str, ...]


@cached_unless_noted(256)
def _rule_table(
    spec: RebirthSpec, numbers: Counts, variant: int, kit: Kit, drawn: DrawnShapes | None
) -> RuleTable:
    rows = special_rooms(spec, numbers.is_labyrinth)
    if drawn:
        numbers = numbers._replace(shape_mask=drawn.mask(numbers.shape_mask))
    catalogue = catalogue_of(spec.large_bosses, spec.narrow_rooms, kit.kinds, drawn)
    return made_table(spec, numbers, variant, rows, catalogue)


def rule_table(
    spec: RebirthSpec, numbers: Counts, variant: int, drawn: DrawnShapes | None = None
) -> RuleTable:
    """Make the tables of a spec, its level's counts, and the number of its stage's variant.

    With `drawn`, rooms have no other shapes than those of its layouts.
    """
    alike = numbers._replace(generator_seed=0, rooms=0)  # what levels of the same curse have in common
    return _rule_table(spec, alike, variant, spec.load_kit(), drawn)


def made_table(
    spec: RebirthSpec,
    numbers: Counts,
    variant: int,
    rows: Sequence[SpecialRoom],
    catalogue: Catalogue | None = None,
) -> RuleTable:
    """Make the tables for these rows and these rooms to pick, by kind. By default the style's own."""
    kit = spec.load_kit()
    kinds = tuple(kit.kinds.rooms)
    number_of = {name: number for number, name in enumerate(kinds)}
    if catalogue is None:
        catalogue = catalogue_of(spec.large_bosses, spec.narrow_rooms, kit.kinds)
    rooms = [room for kind in kinds for room in catalogue.get(kind, ())]
    counts = [len(catalogue.get(kind, ())) for kind in kinds]
    ends: list[int] = []
    draws = kit.rules.boss_draws
    boss_rows = [_boss_rows(draws, stage, variant, spec, ends) for stage in (spec.stage, spec.stage + 1)]
    tables = [
        [number for row in rows for number in _row(row, spec, number_of)],
        [number for row in last_rooms(spec, variant) for number in _row(row, spec, number_of)],
        [number for stage_rows in boss_rows for number in stage_rows],
        ends,
        [room.shape for room in rooms],
        [room.doors for room in rooms],
        [room.weight for room in rooms],
    ]
    _check_sizes(spec, kit.where, len(kinds), len(ends) // END_ROW, tables[:-1])
    by_kind = [
        _traits(spec, kit.kinds),
        [sum(counts[:number]) for number in range(len(kinds))],
        counts,
        [sum(room.weight for room in catalogue.get(kind, ())) for kind in kinds],
    ]
    head = _setup(spec, numbers, rows, number_of, [len(stage_rows) // BOSS_ROW for stage_rows in boss_rows])
    head += [len(kinds), *(TABLES + sum(map(len, tables[:index])) for index in range(len(tables)))]
    padded = [_padded(head, TRAITS), *(_padded(values, MAX_KINDS) for values in by_kind)]
    return RuleTable(array("q", [number for part in (*padded, *tables) for number in part]), kinds)


def _check_sizes(
    spec: RebirthSpec, where: str, kinds: int, ends: int, tables: Iterable[Iterable[int]]
) -> None:
    """Raise KitError if the tables cannot hold the `ends` of bosses on two stages, or a number."""
    assert kinds <= MAX_KINDS  # each has its own printable character, of which there are 94
    if ends > _MAX_ENDS:
        raise KitError(
            f"{where}: rebirth.boss: has {ends} ends on stages {spec.stage} and {spec.stage + 1} together; "
            f"the style {spec.style} allows up to {_MAX_ENDS}, so remove some"
        )
    greatest = max((abs(number) for table in tables for number in table), default=0)
    if greatest >= _MAX:
        raise KitError(
            f"{where}: special_room: {greatest} is too large for the style {spec.style}; "
            f"give numbers up to {_MAX - 1} in chances and draws"
        )


def _padded(numbers: list[int], width: int) -> list[int]:
    return numbers + [0] * (width - len(numbers))


def _setup(
    spec: RebirthSpec,
    numbers: Counts,
    rows: Sequence[SpecialRoom],
    number_of: Mapping[str, int],
    boss_draws: Sequence[int],
) -> list[int]:
    first = next((at for at, row in enumerate(rows) if row.place != "super_secret"), len(rows))
    kinds = ("start", "normal", "boss", "secret", "ultra_secret", "red")
    return [
        spec.stage,
        spec.is_repentance,
        bosses(spec),
        numbers.is_labyrinth,
        not numbers.shape_mask & 2,
        numbers.dead_ends,
        numbers.shape_mask,
        numbers.is_large,
        place_of(numbers.blocked[0]) if numbers.blocked else 0,
        spec.is_repentance or spec.rooms > 0,
        first,
        *boss_draws,
        *(number_of.get(kind, -1) for kind in kinds),
    ]


def _traits(spec: RebirthSpec, kinds: Kinds) -> list[int]:
    unseen = ("secret",) if spec.is_repentance else ("secret", "super_secret")
    return [
        HIDDEN * (kind in kinds.secret_rooms)
        | SHUNNED * (kind in _SHUN)
        | CURSED * (kind == "curse")
        | UNSEEN * (kind in unseen)
        for kind in kinds.rooms
    ]


def _row(row: SpecialRoom, spec: RebirthSpec, number_of: Mapping[str, int]) -> list[int]:
    draws = row.draws.get("repentance", row.draws) if spec.is_repentance else row.draws
    first = draws.get("first", {})
    return [
        _PLACES.get(row.place, ANYWHERE),
        number_of[row.kind],
        number_of[row.other_kind],
        row.allowed,
        row.other_allowed,
        *row.chance.first,
        *row.chance.second,
        *row.other_chance.first,
        *row.other_chance.second,
        first.get("chance", 0),
        first.get("hit", 0),
        first.get("miss", 0),
        "own" in draws,
        *draws.get("own", (0, 0, 0)),
        row.passes,
        draws.get("fades", True),
        draws.get("then", 0),
        bool(draws.get("aside")),
        draws.get("share", False),
        row.must,
    ]


def _boss_rows(
    draws: Iterable[Mapping[str, Any]], stage: int, variant: int, spec: RebirthSpec, ends: list[int]
) -> list[int]:
    """List what the game draws while it goes through its bosses on a stage. Appends to `ends`."""
    numbers: list[int] = []
    draws = list(draws)
    names = [end["once"] for row in draws for end in row.get("ends", ()) if "once" in end]
    for row in draws:
        if stage not in row.get("stages", (stage,)):
            continue
        stage_ends = [
            end
            for end in row.get("ends", ())
            if stage in end["stages"]
            and variant in end.get("variants", (variant,))
            and not (end.get("after_devil_room") and not spec.state.devil_room_visited)
        ]
        numbers += [
            row["percent"][variant] if "percent" in row else -1,
            int(row.get("chance", 0)),
            row.get("draws", 0) + (row.get("on_first_stages", 0) if stage in _FIRST_STAGES else 0),
            len(ends) // END_ROW,
            len(stage_ends),
        ]
        for end in stage_ends:
            once = names.index(end["once"]) if "once" in end else -1
            ends += [end.get("aside", 0), once, end.get("draws", 0)]
    return numbers
