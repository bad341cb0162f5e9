"""Pools: which layouts a room may get, by chapter, difficulty, kind and size."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import IsaacSpec, RebirthSpec, SpecError, generate
from generator.interiors.chapters import VARIANTS, boss_names, chapter, main_chapter
from generator.interiors.layout_file import load_layout, parse_layout
from generator.interiors.pool_rules import marker_counts
from generator.interiors.pools import Choice, ChoicePool, deal, normal_choices, shipped, special_choices
from generator.kinds import ROOM_KINDS, read_kit, shipped_kit
from generator.rng import Stream
from generator.styles.grid.pools import chapter_of
from generator.styles.isaac.special_rooms import difficulties_of
from tests.cases import for_each
from tests.generator.kits.base import write_kit

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "generator" / "interiors" / "layouts"
CHAPTERS = [
    {
        "name": main.name,
        "pools": main.pools,
        **{
            row.variant: {"name": row.name, "pools": row.pools, "without": row.without}
            for row in shipped_kit().rules.chapters.values()
            if row.replaces == main.name
        },
    }
    for main in shipped_kit().rules.main_chapters
]
USUAL = (15, 9)  # the pitch of cells


# --- chapters ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", range(1, 13))
def test_two_stages_make_a_chapter(stage: int) -> None:
    row = CHAPTERS[(stage - 1) // 2]
    for variant, expected in (("main", row), ("alternative", row["alternative"])):
        chapter = chapter_of(IsaacSpec(stage=stage, stage_variant=variant), 1)
        assert (chapter.name, chapter.pools) == (expected["name"], expected["pools"])


@pytest.mark.parametrize("stage", [1, 2, 8])
def test_the_alternative_replaces_its_chapter_at_random(stage: int) -> None:
    names = Counter(chapter_of(IsaacSpec(stage=stage), seed).name for seed in range(1000))
    assert len(names) == 2
    assert abs(names.most_common()[0][1] - 500) < 4 * 250**0.5


ALTERNATE = [("weir", "gutters"), ("diggings", "ashworks"), ("ossuary", "furnace"), ("carrion", "carrion")]


@pytest.mark.parametrize("stage", range(1, 9))
def test_the_alternate_path_has_chapters_of_its_own(stage: int) -> None:
    """Two variants each, except the last; rooms of their own in every pool, and no third variant."""
    specs = [
        RebirthSpec(stage=stage, alternate_path=True, stage_variant=variant)
        for variant in ("main", "alternative")
    ]
    chapters = [chapter_of(spec, 1) for spec in specs]
    assert tuple(row.name for row in chapters) == ALTERNATE[(stage - 1) // 2]
    for row in chapters:
        for difficulty in ("easy", "medium", "hard"):
            names = {choice.name for choice in normal_choices(row, (difficulty,), USUAL)}
            own = {name for name in names if name.startswith(f"normal/{ALTERNATE[(stage - 1) // 2][0]}/")}
            assert len(own) >= 2 and len(names) >= 10
    assert main_chapter(chapters[1].name, shipped_kit()) == chapters[0].name
    found = {chapter_of(RebirthSpec(stage=stage, alternate_path=True), seed).name for seed in range(1, 50)}
    assert found == set(ALTERNATE[(stage - 1) // 2])


def test_no_boss_of_one_path_is_met_on_the_other() -> None:
    """Once a chapter's own are met, the others of its path follow."""
    kit = shipped_kit()
    orders = {
        name: set(boss_names(name, "bosses", (), Stream(3, "x"), kit))
        for name in ("cellar", "weir", "gutters")
    }
    assert orders["weir"] == orders["gutters"] and not orders["weir"] & orders["cellar"]


def test_the_level_tells_its_chapter_and_keeps_to_it() -> None:
    for seed in range(20):
        level = generate("isaac", seed, stage=3)
        name = level.facts["chapter"]
        row = next(row for one in CHAPTERS for row in (one, one["alternative"]) if row["name"] == name)
        for room in level.rooms:
            if room.kind == "normal":
                _, pool, _, file = room.layout.split("+")[0].split("/")
                assert pool in (*row["pools"], "any") and file not in row.get("without", ())


def test_the_void_has_rooms_of_all_chapters() -> None:
    pools = Counter(
        room.layout.split("/")[1]
        for seed in range(1, 5)
        for room in generate("rebirth", seed, stage=12).rooms
        if room.kind == "normal"
    )
    assert {pool for one in CHAPTERS for pool in one["pools"]} <= pools.keys()


@pytest.mark.parametrize("variant", ["main", "alternative", "third"])
def test_every_variant_knows_the_chapter_that_it_replaces(variant: str) -> None:
    named = {one[variant]["name"]: one["name"] for one in CHAPTERS if variant in one}
    assert all(main_chapter(name, shipped_kit()) == chapter for name, chapter in named.items())


@for_each(row=[row for one in CHAPTERS for row in (one, one["alternative"], one.get("third")) if row])
def test_a_chapter_has_as_many_layouts_as_the_game_draws_from(row: dict[str, object]) -> None:
    """At least 150 for rooms of one cell (the game: 174 in its first chapter), and enough of each difficulty.

    A chapter's own ones, a third of all, come about as often as those that it shares.
    """
    own = next(
        chapter(number, variant, shipped_kit())
        for number, one in enumerate(CHAPTERS)
        for variant in VARIANTS
        if (one if variant == "main" else one.get(variant)) == row
    )
    every: list[Choice] = []
    for difficulty, points in ("easy", 1), ("medium", 5), ("hard", 10):
        choices = normal_choices(own, (difficulty,), USUAL)
        assert len(choices) >= 40
        assert {choice.difficulty for choice in choices} == {points}
        every += choices
    assert len({choice.name for choice in every}) == len(every) >= 150
    shared = sum(choice.weight for choice in every if choice.name.startswith("normal/any/"))
    assert 0.25 < shared / sum(choice.weight for choice in every) < 0.6


@pytest.mark.parametrize("name", shipped_kit().rules.chapters)
def test_a_chapters_own_layouts_weigh_three_times_as_much(name: str) -> None:
    """On both paths, and whoever's chapter it is, unless its row says otherwise."""
    row = shipped_kit().rules.chapters[name]
    weights, alone = (
        {choice.name: choice.weight for choice in normal_choices(one, ("easy",), USUAL)}
        for one in (row, row._replace(own_weight=1))
    )
    times = {layout: weight / alone[layout] for layout, weight in weights.items()}
    assert {times[layout] for layout in times if layout.startswith("normal/any/")} == {1}
    assert {times[layout] for layout in times if not layout.startswith("normal/any/")} == {3}


def test_shipped_layouts_without_what_a_kit_asks_of_their_rooms_are_left_out(tmp_path: Path) -> None:
    """Of eighteen treasure rooms two have a second item; the kit's other rooms keep their layouts."""
    rows = '[room.treasure]\nglyph = "T"\nmarkers = { item = "2" }\n'
    kinds = read_kit(write_kit(tmp_path, rows)).kinds
    found = shipped("treasure", kinds)
    assert len(found) == 2 < len(shipped("treasure"))
    assert all(marker_counts(layout)["item"] == 2 for layout in found)
    assert len(shipped("library", kinds)) == len(shipped("library"))


def test_every_pool_is_drawn_from_by_some_chapter() -> None:
    pools = {path.name for path in (FOLDER / "normal").iterdir()}
    assert pools - {"any"} == {pool for row in shipped_kit().rules.chapters.values() for pool in row.pools}


@pytest.mark.parametrize("stage", range(1, 13))
def test_first_stages_are_easier_than_second_ones(stage: int) -> None:
    expected = ("easy", "medium") if stage in (1, 3, 5, 7, 9, 11) else ("medium", "hard")
    assert tuple(difficulties_of(IsaacSpec(stage=stage), "none")) == expected
    assert tuple(difficulties_of(IsaacSpec(stage=stage), "lost")) == expected
    assert tuple(difficulties_of(IsaacSpec(stage=stage), "labyrinth")) == ("easy", "medium", "hard")


# --- the shipped files -------------------------------------------------------------------------------


@for_each(kind=sorted(path.name for path in FOLDER.iterdir() if path.name != "normal"))
def test_layouts_of_a_special_room_differ(kind: str) -> None:
    """Mirrors included, at least 10 of the 91 tiles."""
    assert kind in ROOM_KINDS
    layouts = [load_layout(path) for path in sorted((FOLDER / kind).glob("*.txt"))]
    pictures = [np.array([list(row) for row in layout.rows]) for layout in layouts]
    for (a, one), (b, other) in itertools.combinations(zip(layouts, pictures, strict=True), 2):
        for image in (other, other[::-1], other[:, ::-1], other[::-1, ::-1]):
            if one.shape == image.shape:
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
    for choice in special_choices(kind, USUAL):
        found = sum(one.kind == marker for one in choice.layout.interior().markers)
        assert least <= found <= most, choice.name


@pytest.mark.parametrize("kind", ["treasure", "library", "curse", "vault", "secret", "sacrifice"])
def test_a_room_worth_a_detour_rewards_it(kind: str) -> None:
    """With an item, a chest, a pick-up, or coins on the floor."""
    for choice in special_choices(kind, USUAL):
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


def test_a_kind_without_a_layout_is_refused_before_anything_is_made() -> None:
    with pytest.raises(
        SpecError,
        match=r"room_size: there are no layouts for shop rooms of shape 1x1, 17 x 11 tiles; draw some",
    ):
        special_choices("shop", (17, 11))


def test_the_shipped_layouts_may_lie_in_a_zip_file(tmp_path: Path) -> None:
    """As in a wheel on the path, which nobody unpacks."""
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as packed:
        for path in (ROOT / "generator").rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                packed.write(path, path.relative_to(ROOT))
    code = "import generator; print(generator.__file__, generator.generate('isaac', 7).fingerprint)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "packed.zip")},
        capture_output=True,
        text=True,
        check=True,
    )
    where, fingerprint = done.stdout.split()
    assert "packed.zip" in where
    assert fingerprint == generate("isaac", 7).fingerprint


# --- dealing -----------------------------------------------------------------------------------------


@given(st.integers(0, 2**64 - 1), st.integers(0, 30), st.integers(0, 30))
def test_what_is_dealt_first_does_not_depend_on_what_follows(seed: int, few: int, more: int) -> None:
    choices = special_choices("boss", USUAL)
    hands = [deal(choices, count, Stream(seed, "test")) for count in (few, few + more)]
    assert hands[1][:few] == hands[0]


@given(st.integers(0, 2**64 - 1))
def test_each_comes_once_before_any_comes_twice(seed: int) -> None:
    choices = special_choices("boss", USUAL)
    hand = deal(choices, 3 * len(choices) + 2, Stream(seed, "test"))
    for start in range(0, len(hand) - 2, len(choices)):
        assert sorted(choice.name for choice in hand[start : start + len(choices)]) == [
            choice.name for choice in choices
        ]


def test_the_weights_decide_every_draw() -> None:
    """Of A, B, C with the weights 1, 2, 5 the order A, B, C comes 1/8 · 2/7 of the time."""
    layouts = [
        parse_layout(f"weight: {weight}\nmap:\n.....\n", Path("x"), check=False) for weight in (1, 2, 5)
    ]
    choices = ChoicePool(
        Choice(name, layout, 0, ("",), layout.weight) for name, layout in zip("ABC", layouts, strict=True)
    )
    number = 8000
    orders = Counter(
        "".join(choice.name for choice in deal(choices, 3, Stream(seed, "test"))) for seed in range(number)
    )
    for order in map("".join, itertools.permutations("ABC")):
        weights = [{"A": 1, "B": 2, "C": 5}[name] for name in order]
        share = weights[0] / 8 * weights[1] / (8 - weights[0])
        assert orders[order] / number == pytest.approx(share, abs=4 * (share * (1 - share) / number) ** 0.5)
