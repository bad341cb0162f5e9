"""Floorplans of the `rebirth` style for many seeds at once, as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from generator.compiled.loader import bulk
from generator.kinds.rule_tables import VARIANTS
from generator.shapes import SHAPES_BY_ID
from generator.styles.columns import PlanColumns, Shorts, joined
from generator.styles.grid.columns import doors_between
from generator.styles.grid.special_rooms import door_kinds
from generator.styles.rebirth import bulk_kernel
from generator.styles.rebirth.board import MAX_ROOMS, SIZE, new_floor
from generator.styles.rebirth.bulk_kernel import ManyFloors
from generator.styles.rebirth.floorplan import new_luck
from generator.styles.rebirth.growth import Counts, counts_of, curse_rate
from generator.styles.rebirth.rule_table import rule_table
from generator.styles.rebirth.seeds import LevelDraws, codes_of, read_run_seed, start_seed_of
from generator.styles.rebirth.spec import RebirthSpec

_BLOCK = 4096  # seeds at once, in arrays with space for the largest floor
_STAGE, _CURSE, _MORE, _MORE_HARD, _VOID, _SEED = range(6)  # columns of a level's draws


def floorplans(spec: RebirthSpec, seeds: Sequence[int]) -> PlanColumns | None:
    """Make the floorplans of these seeds. None for a kit whose rules place rooms with their own dice.

    Raises SpecError for a seed that is not valid.
    """
    kit = spec.load_kit()
    kit.need(spec.style, ("start", "normal", "boss"))
    if any(row.has_own_dice and spec.style in row.styles for row in kit.rules.special_rooms):
        return None
    starts = np.array([start_seed_of(seed) for seed in seeds], np.int64)
    for index in np.flatnonzero(starts == 0).tolist():
        read_run_seed(seeds[index])
    kernel = bulk(bulk_kernel, len(seeds))
    drawn = np.zeros((len(seeds), 6), np.int64)
    kernel.draw_levels(starts, spec.seed_slot, curse_rate(spec), spec.is_void, drawn)
    levels, variants = _levels(spec, drawn), _variants(spec, drawn[:, _STAGE])
    blocks = []
    for first in range(0, len(seeds), _BLOCK):
        block = slice(first, first + _BLOCK)
        blocks.append(_block(spec, kernel, drawn[block], levels[block], variants[block]))
    return _columns(spec, seeds, starts, drawn, levels, blocks)


def _levels(spec: RebirthSpec, drawn: npt.NDArray[np.int64]) -> list[Counts]:
    """Return the counts of each level. Levels that differ only in the generator seed share theirs."""
    void = drawn[:, _VOID] % spec.void_spread
    keys = zip(
        *(drawn[:, column].tolist() for column in (_CURSE, _MORE, _MORE_HARD)), void.tolist(), strict=True
    )
    known: dict[tuple[int, int, int, int], Counts] = {}
    per_level = []
    for key in keys:
        if key not in known:
            curse, extra, extra_hard, rest = key
            draws = LevelDraws(None if curse < 0 else curse, extra, extra_hard, rest, 0)
            known[key] = counts_of(spec, draws)
        per_level.append(known[key])
    return per_level


def _variants(spec: RebirthSpec, stage_seeds: npt.NDArray[np.int64]) -> list[int]:
    """Return the number of each stage's variant."""
    if spec.stage_variant != "random":
        return [VARIANTS.index(spec.stage_variant)] * len(stage_seeds)
    of_rest = [VARIANTS.index(spec.variant_of(6 + rest)) for rest in range(6)]  # 2 and 3 decide
    return [of_rest[rest] for rest in (stage_seeds % 6).tolist()]


def _block(
    spec: RebirthSpec,
    kernel: Any,
    drawn: npt.NDArray[np.int64],
    levels: Sequence[Counts],
    variants: Sequence[int],
) -> ManyFloors:
    """Make the floorplans of some levels, in arrays cut to the width they need."""
    out = _room_for(len(drawn))
    wanted = np.array([level.rooms for level in levels], np.int64)
    for level, variant, rows in _alike(levels, variants):
        table = rule_table(spec, level, variant)
        state = new_floor(), new_luck(table.rules)
        kernel.make_plans(drawn[rows, _SEED], wanted[rows], rows, table.rules, *state, out)
    rooms, cells = (max(0, int(count.max(initial=0))) for count in (out.rooms, out.cells))
    by_room = {key: getattr(out, key)[:, :rooms].copy() for key in ("kind", "shape", "distance", "depth")}
    by_cell = {key: getattr(out, key)[:, :cells].copy() for key in ("cell", "owner")}
    return out._replace(**by_room, **by_cell)


def _room_for(number: int) -> ManyFloors:
    """Allocate the arrays of so many floors."""

    def nothing(*shape: int) -> Shorts:
        return np.full((number, *shape), -1, np.int16)

    return ManyFloors(
        tries=np.zeros(number, np.int32),
        rooms=nothing(),
        cells=nothing(),
        kind=nothing(MAX_ROOMS),
        shape=nothing(MAX_ROOMS),
        distance=nothing(MAX_ROOMS),
        depth=nothing(MAX_ROOMS),
        cell=nothing(SIZE * SIZE, 2),
        owner=nothing(SIZE * SIZE),
        extent=nothing(2),
    )


def _alike(
    levels: Sequence[Counts], variants: Sequence[int]
) -> Iterator[tuple[Counts, int, npt.NDArray[np.int64]]]:
    """Group levels with the same rules: their counts without the rooms, the variant, and their indices."""
    rows: dict[tuple[Counts, int], list[int]] = {}
    short: dict[int, Counts] = {}
    for row, (level, variant) in enumerate(zip(levels, variants, strict=True)):
        if id(level) not in short:
            short[id(level)] = level._replace(rooms=0)
        rows.setdefault((short[id(level)], variant), []).append(row)
    for (level, variant), indices in rows.items():
        yield level, variant, np.array(indices, np.int64)


def _columns(
    spec: RebirthSpec,
    seeds: Sequence[int],
    starts: npt.NDArray[np.int64],
    drawn: npt.NDArray[np.int64],
    levels: Sequence[Counts],
    blocks: Sequence[ManyFloors],
) -> PlanColumns:
    kinds = spec.load_kit().kinds
    by_room = door_kinds(spec.stage, kinds)
    rooms = np.concatenate([block.rooms for block in blocks] or [np.zeros(0, np.int16)])
    is_made = rooms > 0
    facts = {
        "curse": np.where(is_made, np.array([level.curse for level in levels], np.str_), ""),
        "edition": np.where(is_made, spec.edition, ""),
        "seed_code": np.where(is_made, codes_of(starts), ""),
        "generator_seed": np.where(is_made, drawn[:, _SEED], -1),
        "target_rooms": np.where(is_made, np.array([level.rooms for level in levels], np.int64), -1),
    }
    return PlanColumns(
        seeds=np.array(seeds, np.uint64),
        made=is_made,
        tries=np.concatenate([block.tries for block in blocks] or [np.zeros(0, np.int32)]),
        rooms=rooms,
        kind=joined([block.kind for block in blocks]),
        shape=joined([block.shape for block in blocks]),
        distance=joined([block.distance for block in blocks]),
        depth=joined([block.depth for block in blocks]),
        bounds=np.full((len(seeds), 0, 4), -1, np.int16),
        cells=joined([block.cell for block in blocks] or [np.zeros((0, 0, 2), np.int16)]),
        cell_room=joined([block.owner for block in blocks]),
        extent=np.concatenate([block.extent for block in blocks] or [np.zeros((0, 2), np.int16)]),
        facts=facts,
        kinds=tuple(kinds.rooms),
        shapes=tuple(SHAPES_BY_ID[number].name for number in sorted(SHAPES_BY_ID)),
        secret_doors=kinds.secret_doors,
        find_doors=partial(doors_between, by_room=by_room, kinds=kinds),
    )
