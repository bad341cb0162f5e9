"""Pools: which layouts a room may get, by chapter, difficulty, kind and size."""

from __future__ import annotations

import itertools
import os
import re
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from generator import IsaacSpec, LayoutError, SpecError, generate
from generator.interiors.layouts import load_layout
from generator.interiors.pools import (
    chapter_of,
    check_own_layouts,
    difficulties_of,
    normal_choices,
    special_choices,
)
from generator.kinds import ROOM_KINDS

FOLDER = Path(__file__).parents[2] / "generator" / "interiors" / "layouts"
CHAPTERS = tomllib.loads((FOLDER.parent / "chapters.toml").read_text("utf-8"))["chapter"]
PLAIN = "map:\n" + "\n".join(["." * 13] * 7) + "\n"
USUAL = (13, 7)


def write(root: Path, name: str, text: str = PLAIN) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


# --- chapters ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", range(1, 13))
def test_two_stages_make_a_chapter(stage: int) -> None:
    row = CHAPTERS[(stage - 1) // 2]
    for variant, expected in (("main", row), ("alternative", row["alternative"])):
        chapter = chapter_of(IsaacSpec(stage=stage, stage_variant=variant), 1)
        assert (chapter.name, list(chapter.pools)) == (expected["name"], expected["pools"])


@pytest.mark.parametrize("stage", [1, 2, 8])
def test_the_alternative_replaces_its_chapter_at_random(stage: int) -> None:
    names = Counter(chapter_of(IsaacSpec(stage=stage), seed).name for seed in range(1000))
    assert len(names) == 2
    assert abs(names.most_common()[0][1] - 500) < 4 * 250**0.5


def test_the_level_tells_its_chapter_and_keeps_to_it() -> None:
    for seed in range(20):
        level = generate("isaac", seed, stage=3)
        name = level.facts["chapter"]
        row = next(row for one in CHAPTERS for row in (one, one["alternative"]) if row["name"] == name)
        for room in level.rooms:
            if room.kind == "normal":
                _, pool, _, file = room.layout.split("+")[0].split("/")
                assert pool in row["pools"] and file not in row.get("without", ())


@pytest.mark.parametrize(
    "row", [row for one in CHAPTERS for row in (one, one["alternative"])], ids=lambda row: row["name"]
)
@pytest.mark.parametrize("difficulty", ["easy", "medium", "hard"])
def test_no_chapter_is_short_of_layouts(row: dict[str, object], difficulty: str) -> None:
    """A stage draws from two such pools without repeating itself."""
    spec = next(
        IsaacSpec(stage=stage, stage_variant=variant)
        for stage in range(1, 13)
        for variant in ("main", "alternative")
        if chapter_of(IsaacSpec(stage=stage, stage_variant=variant), 0).name == row["name"]
    )
    choices = normal_choices(chapter_of(spec, 0), (difficulty,), USUAL, "")
    assert len(choices) >= 10
    assert len({choice.name for choice in choices}) == len(choices)
    assert {choice.difficulty for choice in choices} == {{"easy": 1, "medium": 5, "hard": 10}[difficulty]}


def test_every_pool_is_drawn_from_by_some_chapter() -> None:
    pools = {path.name for path in (FOLDER / "normal").iterdir()}
    assert pools == {pool for one in CHAPTERS for row in (one, one["alternative"]) for pool in row["pools"]}


@pytest.mark.parametrize("stage", range(1, 13))
def test_first_stages_are_easier_than_second_ones(stage: int) -> None:
    expected = ("easy", "medium") if stage in (1, 3, 5, 7, 9, 11) else ("medium", "hard")
    assert difficulties_of(IsaacSpec(stage=stage), "none") == expected
    assert difficulties_of(IsaacSpec(stage=stage), "lost") == expected
    assert difficulties_of(IsaacSpec(stage=stage), "labyrinth") == ("easy", "medium", "hard")


# --- the shipped files -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(path.name for path in FOLDER.iterdir() if path.name != "normal"))
def test_layouts_of_a_special_room_differ(kind: str) -> None:
    """Mirrors included, at least 10 of the 91 tiles."""
    assert kind in ROOM_KINDS
    layouts = [load_layout(path) for path in sorted((FOLDER / kind).glob("*.txt"))]
    pictures = [np.array([list(row) for row in layout.rows]) for layout in layouts]
    for (a, one), (b, other) in itertools.combinations(zip(layouts, pictures, strict=True), 2):
        for image in (other, other[::-1], other[:, ::-1], other[::-1, ::-1]):
            assert (one != image).sum() >= 10, f"{a.path} and {b.path}"


@pytest.mark.parametrize(
    ("kind", "marker", "least", "most"),
    [
        ("start", "player_start", 1, 1),
        ("boss", "boss", 1, 1),
        ("boss", "exit", 1, 1),
        ("treasure", "item", 0, 4),
        ("shop", "ware", 2, 9),
        ("shop", "shopkeeper", 0, 1),
        ("mini_boss", "boss", 1, 4),
        ("arcade", "machine", 1, 9),
        ("start", "enemy", 0, 0),
        ("secret", "enemy", 0, 0),
        ("shop", "enemy", 0, 0),
        ("treasure", "enemy", 0, 0),
    ],
)
def test_a_special_room_holds_what_it_is_for(kind: str, marker: str, least: int, most: int) -> None:
    for choice in special_choices(kind, USUAL, ""):
        found = sum(one.kind == marker for one in choice.layout.interior().markers)
        assert least <= found <= most, choice.name


@pytest.mark.parametrize("kind", ["treasure", "library", "curse", "vault", "secret", "sacrifice"])
def test_a_room_worth_a_detour_rewards_it(kind: str) -> None:
    """With an item, a chest, a pick-up, or coins on the floor."""
    for choice in special_choices(kind, USUAL, ""):
        interior = choice.layout.interior()
        rewards = {"item", "chest", "pickup", "ware"} & {one.kind for one in interior.markers}
        assert rewards or "u" in "".join(choice.layout.rows), choice.name


@pytest.mark.parametrize("difficulty", ["easy", "medium", "hard"])
def test_most_normal_rooms_have_enemies(difficulty: str) -> None:
    """The others are breathers: they hold a reward or a hazard. None holds a start or an exit."""
    quiet = 0
    paths = sorted((FOLDER / "normal").rglob(f"{difficulty}/*.txt"))
    for path in paths:
        layout = load_layout(path)
        kinds = {one.kind for one in layout.interior().markers}
        assert not kinds & {"player_start", "exit", "boss", "ware"}, path
        quiet += "enemy" not in kinds
        assert "enemy" in kinds or kinds & {"pickup", "chest", "item"} or "^" in "".join(layout.rows), path
    assert quiet <= 0.2 * len(paths)


# --- a team's own ------------------------------------------------------------------------------------


def test_a_teams_pools_stand_beside_the_shipped_ones(tmp_path: Path) -> None:
    write(tmp_path, "normal/cellar/easy/ours.txt")
    write(tmp_path, "shop/ours.txt")
    chapter = chapter_of(IsaacSpec(stage_variant="main"), 0)
    for shipped, both in (
        (
            normal_choices(chapter, ("easy",), USUAL, ""),
            normal_choices(chapter, ("easy",), USUAL, str(tmp_path)),
        ),
        (special_choices("shop", USUAL, ""), special_choices("shop", USUAL, str(tmp_path))),
    ):
        names = [choice.name for choice in both]
        assert set(names) - {choice.name for choice in shipped} == {names[-1]}
        assert names[-1].endswith("/ours") and len(both) == len(shipped) + 1


def test_any_counts_for_all_chapters_and_another_chapters_for_none(tmp_path: Path) -> None:
    write(tmp_path, "normal/any/easy/everywhere.txt")
    write(tmp_path, "normal/mines/easy/mines-only.txt")
    for stage in (1, 3, 5):
        chapter = chapter_of(IsaacSpec(stage=stage, stage_variant="main"), 0)
        names = {choice.layout.name for choice in normal_choices(chapter, ("easy",), USUAL, str(tmp_path))}
        assert "everywhere" in names and "mines-only" not in names


def test_a_layout_of_another_size_waits_for_its_room_size(tmp_path: Path) -> None:
    write(tmp_path, "shop/small.txt", "map:\n" + "\n".join(["." * 9] * 9) + "\n")
    assert "shop/small" not in {choice.name for choice in special_choices("shop", USUAL, str(tmp_path))}
    assert [choice.name for choice in special_choices("shop", (9, 9), str(tmp_path))] == ["shop/small"]


def test_own_layouts_are_checked_though_shipped_ones_need_not_be(tmp_path: Path) -> None:
    path = write(tmp_path, "shop/shut.txt", PLAIN.replace("." * 13, "#" * 13, 1))
    with pytest.raises(LayoutError, match=re.escape(f"{path}:2: column 7: `#` stands in front of a door")):
        generate("isaac", 1, layouts=str(tmp_path))


@pytest.mark.parametrize(
    "name",
    ["ours.txt", "normal/ours.txt", "normal/cellar/ours.txt", "normal/cellar/harder/ours.txt", "shops/ours.txt",
     "shop/large/ours.txt", "Shop/ours.txt"],
)  # fmt: skip
def test_a_misplaced_file_is_refused(name: str, tmp_path: Path) -> None:
    path = write(tmp_path, name)
    with pytest.raises(LayoutError, match=re.escape(f"{path}: is in no pool; put it into ")):
        check_own_layouts(str(tmp_path))


def test_other_files_do_not_matter(tmp_path: Path) -> None:
    """A team keeps notes and pictures beside its layouts."""
    write(tmp_path, "shop/ours.txt")
    write(tmp_path, "README.md", "ours")
    write(tmp_path, "shop/picture.png", "")
    check_own_layouts(str(tmp_path))
    assert len(special_choices("shop", USUAL, str(tmp_path))) == len(special_choices("shop", USUAL, "")) + 1


def test_the_order_of_files_on_disk_does_not_matter(tmp_path: Path) -> None:
    levels = []
    for folder, names in (("a", "xyz"), ("b", "zyx")):
        for name in names:
            write(tmp_path / folder, f"shop/{name}.txt")
            write(tmp_path / folder, f"normal/any/easy/{name}.txt", PLAIN.replace("...", ".E.", 1))
        levels.append(generate("isaac", 4, layouts=str(tmp_path / folder)))
    assert [room.layout for room in levels[0].rooms] == [room.layout for room in levels[1].rooms]
    assert np.array_equal(levels[0].terrain, levels[1].terrain)


@pytest.mark.parametrize("stage", range(1, 13, 2))
@pytest.mark.parametrize("variant", ["main", "alternative"])
def test_every_chapter_takes_a_teams_layouts_by_its_name(stage: int, variant: str, tmp_path: Path) -> None:
    """Also those that have no shipped pool of their own."""
    chapter = chapter_of(IsaacSpec(stage=stage, stage_variant=variant), 0)
    write(tmp_path, f"normal/{chapter.name}/medium/ours.txt")
    check_own_layouts(str(tmp_path))
    names = {choice.name for choice in normal_choices(chapter, ("medium",), USUAL, str(tmp_path))}
    assert f"normal/{chapter.name}/medium/ours" in names


def test_an_edited_layout_is_read_again(tmp_path: Path) -> None:
    """A designer edits, and generates again in the same session."""
    path = write(tmp_path, "start/ours.txt", "weight: 1000\n" + PLAIN.replace(".", "P", 1))
    seed = next(
        seed for seed in range(9) if "ours" in generate("isaac", seed, layouts=str(tmp_path)).rooms[0].layout
    )
    before = generate("isaac", seed, layouts=str(tmp_path))
    path.write_text(path.read_text("utf-8").replace("P.", "Po"), "utf-8")
    after = generate("isaac", seed, layouts=str(tmp_path))
    assert (before.decor != after.decor).sum() == 1


def test_a_teams_layout_is_not_left_out_for_its_name(tmp_path: Path) -> None:
    """Chapters go `without` some shipped layouts; a team cannot know their names."""
    write(tmp_path, "normal/any/easy/tap-room.txt")
    crypt = chapter_of(IsaacSpec(stage_variant="alternative"), 0)
    assert "tap-room" in crypt.without
    names = {choice.name for choice in normal_choices(crypt, ("easy",), USUAL, str(tmp_path))}
    assert "normal/any/easy/tap-room" in names


def test_a_chapter_that_does_not_exist_is_not_passed_over_in_silence(tmp_path: Path) -> None:
    """`normal/celar/easy` would never be drawn from: a slip of the pen must be told."""
    path = write(tmp_path, "normal/celar/easy/ours.txt")
    with pytest.raises(LayoutError, match=re.escape(str(path))):
        check_own_layouts(str(tmp_path))


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that nobody may list")
def test_a_folder_that_cannot_be_read_is_told_in_one_line(tmp_path: Path) -> None:
    def refuse(*_: object, **__: object) -> bool:
        raise PermissionError(13, "Permission denied", str(tmp_path / "shop"))

    write(tmp_path, "shop/ours.txt")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "is_file", refuse)
        with pytest.raises(SpecError, match=r"layouts: .*shop: cannot be read: Permission denied$"):
            check_own_layouts(str(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_no_layout(tmp_path: Path) -> None:
    """Opening one would wait for ever."""
    (tmp_path / "shop").mkdir()
    os.mkfifo(tmp_path / "shop" / "pipe.txt")
    with pytest.raises(LayoutError, match=r"pipe\.txt: is not a file"):
        load_layout(tmp_path / "shop" / "pipe.txt")


def test_what_has_no_layout_is_refused_before_anything_is_made() -> None:
    with pytest.raises(
        SpecError, match=r"room_size: there are no layouts for shop rooms of 17 x 11 tiles; draw some"
    ):
        special_choices("shop", (15, 9), "")
