"""The same spec and seed give the same level, here and everywhere."""

from __future__ import annotations

import difflib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import Floorplan, IsaacSpec, SpecError, generate
from generator.kinds import DOOR, TERRAIN_KINDS, VOID
from generator.serialise import dumps
from generator.spec import preset_names
from tests.combinations import usually
from tests.generator.pictures import floorplan_text, level_text

GOLDENS = Path(__file__).parent.parent / "goldens"
UPDATE = bool(os.environ.get("UNDERCROFT_UPDATE_GOLDENS"))


@given(st.integers(0, 2**64 - 1), st.integers(1, 8))
@settings(max_examples=30)
def test_two_runs_give_the_same_bytes(seed: int, stage: int) -> None:
    assert dumps(generate("isaac", seed, stage=stage)) == dumps(generate("isaac", seed, stage=stage))
    assert dumps(generate("rebirth", seed | 1, stage=stage)) == dumps(
        generate("rebirth", seed | 1, stage=stage)
    )
    assert dumps(generate("gungeon", seed, rooms=stage * 3)) == dumps(
        generate("gungeon", seed, rooms=stage * 3)
    )


@pytest.mark.parametrize("preset", usually(["rebirth", "gungeon"], preset_names()))
def test_no_process_differs(preset: str) -> None:
    code = f"import generator, sys; from generator.serialise import dumps; sys.stdout.buffer.write(dumps(generator.generate({preset!r}, 'x')))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "12345")
    }
    assert outputs == {dumps(generate(preset, "x"))}


@pytest.mark.parametrize("path", sorted(GOLDENS.glob("*.txt")), ids=lambda path: path.stem)
def test_goldens(path: Path) -> None:
    """A level as text, with the fingerprint below; its name is the spec, in the form `isaac-7-stage-4`.

    UNDERCROFT_UPDATE_GOLDENS=1 writes them anew: a change there belongs under "Changes the output for a
    given seed".
    """
    style, seed, *rest = path.stem.split("-")
    values = {
        key: int(value) if value.isdigit() else value == "true" if value in ("true", "false") else value
        for key, value in zip(rest[::2], rest[1::2], strict=True)
    }
    level = generate(style, int(seed), **values)
    made = f"{level_text(level)}\n{level.fingerprint}\n"
    if UPDATE:
        path.write_text(made, "utf-8")
    kept = path.read_text("utf-8")
    assert made == kept, "\n".join(
        difflib.unified_diff(kept.splitlines(), made.splitlines(), "kept", "made", lineterm="")
    )


def test_a_floorplan_can_be_had_alone() -> None:
    plan = generate("isaac", 7, until="floorplan")
    assert isinstance(plan, Floorplan)
    level = generate("isaac", 7)
    assert [room.cells for room in level.rooms] == [room.cells for room in plan.rooms]
    assert [door.kind for door in level.doors] == [door.kind for door in plan.doors]
    with pytest.raises(ValueError, match="until: 'walls' is not a stage"):
        generate("isaac", 7, until="walls")  # type: ignore[call-overload]


def test_a_spec_can_be_given_in_three_ways(tmp_path: Path) -> None:
    path = tmp_path / "deep.toml"
    path.write_text("style = 'isaac'\nstage = 3\n", "utf-8")
    ways = [generate("isaac", 7, stage=3), generate(IsaacSpec(stage=3), 7), generate(str(path), 7)]
    assert len({level.fingerprint for level in ways}) == 1
    with pytest.raises(SpecError, match="stag: unknown key"):
        generate("isaac", 7, stag=3)


def test_a_level_is_frozen() -> None:
    level = generate("isaac", 7)
    with pytest.raises(ValueError, match="read-only"):
        level.terrain[0, 0] = 1
    with pytest.raises(AttributeError):
        level.rooms[0].kind = "boss"  # type: ignore[misc]


@pytest.mark.parametrize("door_width", [1, 3, 5])
def test_the_frame(door_width: int) -> None:
    """Rooms are 15 x 9 tiles at their cells, with doors in the middle of shared sides."""
    level = generate("isaac", 3, stage=4, door_width=door_width)
    assert level.grid is not None
    for room in level.rooms:
        (cell,) = room.cells
        assert room.bounds == level.grid.cell_rect(cell) and room.bounds[2:] == (15, 9)
        walls = np.ones((9, 15), bool)
        walls[1:-1, 1:-1] = False
        assert set(np.unique(level.terrain[room.bounds.slices][walls]).tolist()) <= {2, DOOR}
    for door in level.doors:
        assert len(door.tiles) == 2 * door_width
        first, second = (level.rooms[room] for room in door.rooms if room is not None)
        xs, ys = zip(*door.tiles, strict=True)
        if door.side == "east":
            assert sum(ys) / len(ys) == first.bounds.y + 4 and second.bounds.x == first.bounds.right
        else:
            assert door.side == "south"
            assert sum(xs) / len(xs) == first.bounds.x + 7 and second.bounds.y == first.bounds.bottom
    assert (level.terrain == DOOR).sum() == sum(len(door.tiles) for door in level.doors)
    edge = np.concatenate(
        [level.terrain[:2].ravel(), level.terrain[-2:].ravel(), level.terrain[:, :2].ravel()]
    )
    assert (edge == VOID).all()


def test_torches_hang_on_walls_and_fires_burn_where_they_are() -> None:
    level = generate("isaac", 7, stage=4)
    for marker in level.markers:
        if marker.kind in ("torch", "fire"):
            name = level.decor_kinds[level.decor[marker.y, marker.x]].name
            assert name in {"torch": ("torch",), "fire": ("fire", "red_fire")}[marker.kind]
            terrain = TERRAIN_KINDS[level.terrain[marker.y, marker.x]].name
            assert (terrain == "wall") is (marker.kind == "torch")
            assert marker.room is not None
            assert level.rooms[marker.room].kind != "secret" or marker.kind == "fire"


def test_pictures_in_text() -> None:
    level = generate("isaac", 7)
    lines = level_text(level).splitlines()
    start = next(marker for marker in level.markers if marker.kind == "player_start")
    assert lines[start.y][start.x] == "P"
    assert lines[level.height].startswith("isaac, seed 7: curse none")
    assert len(lines) == level.height + 1 + len(level.rooms)
    plan = floorplan_text(generate("isaac", 7, until="floorplan"))
    assert plan.count("b") == plan.count("s") == plan.count("S") == plan.count("x") == 1


def test_levels_are_equal_by_what_they_hold() -> None:
    one, other = generate("isaac", 7), generate("isaac", 7)
    assert one == other and hash(one) == hash(other) and one != generate("isaac", 8)
