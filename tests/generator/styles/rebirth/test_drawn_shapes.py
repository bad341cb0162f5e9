"""Floors whose rooms have only the shapes that are drawn."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from generator import RebirthSpec, SpecError
from generator.batch.many_seeds import floorplans
from generator.checks import problems
from generator.kinds import SHIPPED
from generator.pipeline import generate
from generator.shapes import SHAPES
from generator.styles.rebirth.floorplan import floorplan
from tests.commands import undercroft
from tests.generator.kits.base import write_kit
from tests.generator.styles.rebirth.test_bulk import as_lists, one_by_one

ORBITAL = Path(__file__).parents[4] / "docs" / "examples" / "orbital"
SIZE = 17, 11  # a size for which nothing is shipped
NEEDED = {
    "start": "P", "boss": "X", "mini_boss": "M", "shop": "W", "treasure": "I", "chest": "C", "vault": "C",
    "challenge": "E", "boss_challenge": "X", "arcade": "A",
}  # fmt: skip


def draw(folder: Path, pool: str, shapes: Sequence[str]) -> None:
    """Draw an empty room of each shape, with the marker that its kind needs."""
    (folder / pool).mkdir(parents=True)
    for shape in shapes:
        columns, rows = (count * side - 2 for count, side in zip(SHAPES[shape].size, SIZE, strict=True))
        lines = ["." * columns] * rows
        lines[4] = lines[4][:7] + NEEDED.get(pool, ".") + lines[4][8:]
        text = "\n".join(lines)
        (folder / pool / f"plain-{shape}.txt").write_text(f"shape: {shape}\nmap:\n{text}\n", "utf-8")


def draw_all(folder: Path, normal: Sequence[str], boss: Sequence[str]) -> Path:
    """Draw rooms of all kinds, special ones of single cells."""
    for difficulty in ("easy", "medium", "hard"):
        draw(folder, f"normal/any/{difficulty}", normal)
    for kind in SHIPPED.rooms.keys() - {"normal"}:
        draw(folder, kind, boss if kind == "boss" else ["1x1"])
    return folder


@pytest.fixture(scope="module")
def layouts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return draw_all(tmp_path_factory.mktemp("rooms"), ["1x1", "2x2"], ["1x1", "2x2"])


def drawn(layouts: Path, **values: Any) -> RebirthSpec:
    return RebirthSpec(layouts=str(layouts), room_size=SIZE, **{"shapes": "drawn", **values})


def test_no_other_shape_comes_in_any_level(layouts: Path) -> None:
    """Not for special rooms that stayed out, bosses, labyrinths, or under the curse of the giant either."""
    found, large_bosses = set(), 0
    for seed in range(1, 201):
        curse = ("none", "labyrinth", "giant", "random")[seed % 4]
        spec = drawn(layouts, stage=seed % 12 + 1, curse=curse)
        rooms = floorplan(spec, seed).rooms
        found |= {(room.kind in ("normal", "boss"), room.shape) for room in rooms}
        large_bosses += any(room.kind == "boss" and room.shape == "2x2" for room in rooms)
        if seed % 25 == 0:
            assert problems(generate(spec, seed)) == []
    assert found == {(True, "1x1"), (True, "2x2"), (False, "1x1")} and large_bosses > 20


def test_floors_at_once_are_those_one_by_one(layouts: Path) -> None:
    spec, seeds = drawn(layouts, stage=4, curse="random"), range(1, 31)
    assert as_lists(floorplans(spec, seeds)) == as_lists(one_by_one(spec, seeds))


def test_with_all_shapes_drawn_floors_are_the_games() -> None:
    for seed in range(1, 13):
        game = RebirthSpec(stage=seed, curse=("none", "labyrinth", "giant")[seed % 3], closets=50)
        assert floorplan(replace(game, shapes="drawn"), seed) == floorplan(game, seed)


def test_bosses_have_a_shape_that_is_drawn_for_them(tmp_path: Path) -> None:
    spec = drawn(draw_all(tmp_path, ["1x1"], ["2x2"]))
    for seed in range(1, 11):
        shapes = {room.kind: room.shape for room in floorplan(spec, seed).rooms}
        assert shapes["boss"] == "2x2" and shapes["normal"] == "1x1"


def test_a_kits_rooms_have_a_shape_that_is_drawn_for_them(tmp_path: Path, layouts: Path) -> None:
    kit = write_kit(
        tmp_path / "kit",
        '[room.garden]\nglyph = ";"\nhas_shapes = true\n[special_room.garden]\nplace = "on_the_way"\n',
    )
    draw(kit / "layouts", "garden", ["1x1"])
    shapes = set()
    for seed in range(1, 16):
        level = generate(drawn(layouts, kit=str(kit), stage=6), seed)
        shapes |= {(room.kind, room.shape) for room in level.rooms if room.kind in ("normal", "garden")}
    assert shapes == {("normal", "1x1"), ("normal", "2x2"), ("garden", "1x1")}


def test_a_layout_with_few_doors_does_not_make_a_shape_come(tmp_path: Path) -> None:
    draw_all(tmp_path, ["1x1", "2x2"], ["1x1"])
    for path in tmp_path.rglob("plain-2x2.txt"):
        path.write_text(f"doors: W E\n{path.read_text('utf-8')}", "utf-8")
    for seed in range(1, 11):
        assert {room.shape for room in floorplan(drawn(tmp_path), seed).rooms} == {"1x1"}


def test_what_is_missing_is_named_with_the_remedy(tmp_path: Path, layouts: Path) -> None:
    with pytest.raises(SpecError, match=r"of shape IH, .* or leave this shape out with shapes = \"drawn\"$"):
        generate(drawn(layouts, shapes="game"), 1)
    shutil.copytree(layouts, tmp_path / "rooms")
    for path in (tmp_path / "rooms" / "normal").rglob("plain-1x1.txt"):
        path.unlink()
    with pytest.raises(SpecError, match=r"no layouts for normal rooms of .* of shape 1x1, .* 15 x 9$"):
        floorplan(drawn(tmp_path / "rooms"), 1)


def test_check_says_what_levels_of_a_kit_do_without(tmp_path: Path) -> None:
    """Shapes in this style, and layouts that the preset of another is too wide for."""
    kit = tmp_path / "station"
    shutil.copytree(ORBITAL, kit, ignore=shutil.ignore_patterns("theme"))
    (kit / "shapes.toml").write_text('[room.bay]\nglyph = "9"\n[room.bay.rebirth]\n', "utf-8")
    narrow = kit / "layouts" / "normal" / "narrow.txt"
    rows = [*["." * 13] * 4, "....#.#......", "....#E#......", "." * 13]
    narrow.write_text("exits: N any, S any\nmap:\n" + "\n".join(rows), "utf-8")
    done = undercroft("check", "station", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    notes = [line.removeprefix("undercroft: note: ") for line in done.stderr.splitlines()[:-1]]
    station = Path("station")
    assert notes == [
        f"{station / 'layouts' / 'normal' / 'narrow.txt'}: the preset gungeon cannot use it: a body of 2 x 2 "
        "tiles cannot get to its enemy (line 8, column 6); make the way 2 tiles wide, or set body = 1",
        f"{station / 'kit.toml'}: style rebirth: there are no layouts of some shapes (normal rooms IH, IV, 1x2, "
        "IIV, 2x1, IIH, 2x2, LTL, LTR, LBL, LBR; boss rooms 2x1, 1x2, 2x2); draw some with all doors, or "
        'leave these shapes out with shapes = "drawn"',
    ]
