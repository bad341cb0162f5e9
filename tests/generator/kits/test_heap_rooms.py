"""Rooms of a kit in the style `gungeon`: what their rows ask for is in every level, or refused in a line."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from generator import GenerationFailed, LayoutError, generate, problems
from generator.errors import KitError
from generator.kinds import PIT, read_kit
from generator.kinds.kit_problems import kit_problems
from tests.generator.kits.base import write_kit

PRISONER = "[marker.prisoner]\n"
OPEN = ["." * 11] * 4


def cell_kit(folder: Path, *lines: str, markers: str = "", room: str = "", more: str = "") -> str:
    """A kit with the room kind `cell`; `lines` are those of its table for the style."""
    rows = ["[room.cell]", 'glyph = "|"', room, f"markers = {{ {markers} }}", "[room.cell.gungeon]"]
    return str(write_kit(folder, "\n".join([PRISONER, *rows, "rooms = [2, 3]", *lines, more])))


def draw(kit: str, *rows: str, head: str = "Q = prisoner", name: str = "one") -> None:
    folder = Path(kit) / "layouts" / "cell"
    folder.mkdir(parents=True, exist_ok=True)
    text = "\n".join(["exits: N any, E any, S any, W any", head, "", "map:", *rows, ""])
    (folder / f"{name}.txt").write_text(text)


def held(kit: str, marker: str, seeds: range) -> set[tuple[str, int]]:
    """The layouts of the cells of some levels without problems, and how many markers of a kind are in each."""
    found = set()
    for seed in seeds:
        level = generate("gungeon", seed, kit=kit)
        assert problems(level) == []
        for room in level.rooms:
            if room.kind == "cell":
                count = sum(each.room == room.id and each.kind == marker for each in level.markers)
                found.add((room.layout.partition("+")[0], count))
    return found


def test_a_room_by_procedure_has_what_its_row_demands(tmp_path: Path) -> None:
    size = "width = [13, 17]", "height = [11, 15]"
    kit = cell_kit(
        tmp_path,
        *size,
        'furnisher = "battle"',
        "procedural_share = 0",
        markers='prisoner = "1", enemy = "1.."',
    )
    draw(kit, *OPEN, "..E..Q..E..", *OPEN)
    assert held(kit, "prisoner", range(4)) == {("own/cell/one", 1), ("lazy-flood", 1)}


@pytest.mark.parametrize("furnisher", ["quiet", "chest", "boss"])
def test_more_markers_than_fit_into_a_block_lie_round_the_middle(furnisher: str, tmp_path: Path) -> None:
    size = "width = [15, 15]", "height = [15, 15]"
    more = ', boss = "1", exit = "1"' if furnisher == "boss" else ""
    kit = cell_kit(tmp_path, *size, f'furnisher = "{furnisher}"', markers=f'prisoner = "12"{more}')
    assert {count for _, count in held(kit, "prisoner", range(2))} == {12}


def test_markers_in_a_room_without_space_for_a_block_of_them(tmp_path: Path) -> None:
    kit = cell_kit(tmp_path, "width = [7, 7]", "height = [7, 7]", markers='prisoner = "9"')
    assert {count for _, count in held(kit, "prisoner", range(2))} == {9}


@pytest.mark.parametrize(
    ("markers", "more", "says"),
    [
        ('prisoner = "99"', "", "kit.toml: [room.cell]: this cell room has "),
        ('boss = "1"', "", "kit.toml: [room.cell]: the "),  # beside a door, as the room is so small
        ('enemy = "1.."', "", "kit.toml: [room.cell]: the "),
        ('urn = "1"', '[marker.urn]\nstands_on = ["pit"]', "[markers-suit-rooms]; change the row, or"),
    ],
)
def test_what_a_room_cannot_hold_is_refused_with_its_row(
    markers: str, more: str, says: str, tmp_path: Path
) -> None:
    kit = cell_kit(tmp_path, "width = [7, 7]", "height = [7, 7]", markers=markers, more=more)
    with pytest.raises(GenerationFailed) as error:
        generate("gungeon", 1, kit=kit)
    assert says in str(error.value) and "\n" not in str(error.value)


def test_a_room_of_a_size_that_only_its_layout_may_have_keeps_the_layout(tmp_path: Path) -> None:
    for name, width in (("small", 20), ("large", 9)):
        size = f"width = [{width}, {width}]", "height = [9, 9]"
        kit = cell_kit(tmp_path / name, *size, 'furnisher = "chest"', "procedural_share = 0")
        draw(kit, *OPEN, *OPEN, head="")
        assert {layout for layout, _ in held(kit, "prisoner", range(3))} == {"own/cell/one"}


ARRANGED = '[arrangement.camp]\ndecor = ["normal"]\n'


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (
            ARRANGED + 'drawing = ["c?"]',
            "arrangement.camp.drawing: '?' is no letter of decor; use ",
        ),
        (
            ARRANGED + 'drawing = ["R"]\nletters = { R = "banner" }',
            "arrangement.camp.letters: banner hangs on walls and cannot stand on floor; remove it",
        ),
        (
            ARRANGED + 'drawing = ["qc", ".."]',
            "arrangement.camp.drawing: crate at 1,0 covers another thing; move one of them",
        ),
        (
            ARRANGED + 'drawing = ["q."]',
            "arrangement.camp.drawing: boulder at 0,0 covers 2 x 2 tiles; draw more",
        ),
        (
            ARRANGED + 'drawing = [". ."]',
            "arrangement.camp.drawing: is empty; draw decor by its letters",
        ),
        (
            ARRANGED + 'drawing = ["c"]\nanchor = "roof"',
            "arrangement.camp.anchor: unknown word 'roof'; choose one of ",
        ),
        (
            ARRANGED + 'drawing = ["c"]\nchapters = ["attic"]',
            "arrangement.camp.chapters: unknown chapter 'attic'; ",
        ),
        (
            ARRANGED + 'drawing = ["cc"]\nanchor = "focus"\nat = ["chest"]',
            "arrangement.camp.drawing: has 2 columns and no middle; draw one more or less",
        ),
        (
            ARRANGED + 'drawing = ["c"]\nanchor = "focus"',
            "arrangement.camp.at: is missing; name the markers that it stands round",
        ),
        (
            ARRANGED + 'drawing = ["c"]\nat = ["chest"]',
            'arrangement.camp.at: is for anchor = "focus"; set it, or remove at',
        ),
        (
            ARRANGED + 'drawing = ["c"]\nanchor = "doorway"\ndoors = ["gate"]',
            "arrangement.camp.doors: unknown name 'gate'; ",
        ),
        (
            "[arrangement.camp]\ndecor = []\ndrawing = ['c']",
            "arrangement.camp.decor: is empty, so it stands in no room",
        ),
        (
            ARRANGED + 'drawing = [" ", "c"]',
            "arrangement.camp.drawing: its first row is blank and must touch what it stands at; remove it",
        ),
        (
            ARRANGED + 'drawing = [" c"]\nanchor = "corner"',
            "arrangement.camp.drawing: its first column is blank",
        ),
        (ARRANGED + 'drawing = ["c"]\nleads = "carpet"', "arrangement.camp.leads: is for anchor ="),
        (
            ARRANGED + 'drawing = ["c."]\nletters = { "." = "crate" }',
            "arrangement.camp.letters: `.` is floor that stays",
        ),
        (
            ARRANGED + 'drawing = ["c"]\nanchor = "doorway"\ndoors = ["boss"]\nleads = "crate"',
            "arrangement.camp.leads: crate is in the way; name flat things",
        ),
        (
            '[arrangement.camp]\ndecor = ["barn"]\ndrawing = ["c"]',
            "arrangement.camp.decor: unknown decor table 'barn'; ",
        ),
        (
            "growth = { chance = 9, things = { crate = 1 } }",
            "decor_table.cellar.growth: crate is in the way; name flat things",
        ),
        (
            "wall = { chance = 9, things = { banner = 1 } }",
            "decor_table.cellar.wall: banner hangs on walls and cannot stand on floor; remove it",
        ),
        (
            "middle = { chance = 9, things = { torch = 1 } }",
            "decor_table.cellar.middle: torch hangs on walls and cannot stand on floor; remove it",
        ),
        (
            'rows = [["pot", "banner"]]',
            "decor_table.cellar.rows: banner hangs on walls and cannot stand on floor; remove it",
        ),
        (
            '[decor.banner]\nwalk = true\nfly = true\nshoot = true\nglyph = ";"',
            "decor.banner.glyph: banner hangs on walls and cannot be drawn on floor; remove glyph",
        ),
        (
            "[room.lair]\nglyph = ';'\nmarkers = { torch = '0' }",
            "room.lair.markers: torch markers come with ",
        ),
        (
            "[room.lair]\nglyph = ';'\noff_the_way = true\n[room.lair.gungeon]\nweight = 0",
            "room.lair.gungeon.weight: 0 keeps no room off the way; give 1 to 3, or leave it out",
        ),
    ],
)
def test_rows_that_no_level_can_keep_are_named(row: str, says: str, tmp_path: Path) -> None:
    kit = cell_kit(tmp_path, 'decor = "cellar"', more=f"[decor_table.cellar]\n{row}")
    (line,) = kit_problems(Path(kit))
    assert line.startswith(f"{kit}/kit.toml: {says}")
    with pytest.raises(KitError, match=r"kit\.toml: "):
        read_kit(Path(kit))


def test_lights_are_not_drawn(tmp_path: Path) -> None:
    kit = cell_kit(tmp_path, "procedural_share = 0")
    draw(kit, *OPEN, ".....Q.....", *OPEN, head="Q = torch")
    with pytest.raises(LayoutError, match=r":9: column 6: `Q` is the light of a torch, which comes by"):
        generate("gungeon", 1, kit=kit)


CAVES = """
[room.cave]
glyph = "^"
markers = { enemy = "0.." }

[room.cave.gungeon]
rooms = [2, 4]
width = [15, 21]
height = [13, 17]
furnisher = "battle"
motifs = { island = 2, mound = 1 }

[gang.bats]
waves = [{ flyer = [2, 6] }]
rooms = ["cave"]
"""


def test_a_room_kind_has_its_own_motifs(tmp_path: Path) -> None:
    """Caves are islands among pits or mounds, with bats in most of them."""
    bare = write_kit(tmp_path / "bare", CAVES.replace("island = 2, mound = 1", "none = 1"))
    kit = write_kit(tmp_path / "caves", CAVES)
    pits = dict.fromkeys((bare, kit), 0)
    roles = set()
    for folder in pits:
        for seed in range(2):
            level = generate("gungeon", seed, kit=str(folder))
            assert problems(level) == []
            found = {
                room.id: level.terrain[room.bounds.slices] for room in level.rooms if room.kind == "cave"
            }
            pits[folder] += sum(bool((terrain == PIT).any()) for terrain in found.values())
            roles |= {m.properties["role"] for m in level.markers if m.kind == "enemy" and m.room in found}
    assert pits[bare] == 0 and pits[kit] >= 2
    assert roles == {"flyer"}


def _rows_at_random(dice: random.Random, folder: Path) -> str:
    furnisher = dice.choice(["quiet", "battle", "boss", "shop", "chest"])
    kinds = ["prisoner", "enemy", "chest", "item", "ware", "shopkeeper", "pickup", "boss", "key"]
    markers = {dice.choice(kinds): dice.choice(["0", "1", "2", "0..1", "0..", "1..", "12"]) for _ in range(3)}
    side = 15 if furnisher == "boss" else dice.choice([7, 9, 11, 15])
    rules = ", ".join(f'{kind} = "{rule}"' for kind, rule in markers.items())
    lines = [f'furnisher = "{furnisher}"', f"procedural_share = {dice.choice([0, 50, 100])}"]
    lines += [f"width = [{side}, {side + dice.choice([0, 2, 8])}]", f"height = [{side}, {side + 3}]"]
    kit = cell_kit(folder, *lines, markers=rules, room=f"off_the_way = {dice.choice(['true', 'false'])}")
    if dice.random() < 0.5:
        demanded = [kind for kind, rule in markers.items() for _ in range(int(rule.split("..")[0]))]
        letters = "HJLNOQUY"
        heads = [f"{letter} = {kind}" for letter, kind in zip(letters, demanded, strict=False)]
        draw(kit, *OPEN, letters[: len(heads)].ljust(11, "."), *OPEN, head="\n".join(heads))
    return kit


def test_rows_at_random_make_levels_without_problems_or_are_refused_in_a_line(tmp_path: Path) -> None:
    made = 0
    for seed in range(24):
        kit = _rows_at_random(random.Random(seed), tmp_path / str(seed))
        try:
            level = generate("gungeon", seed, kit=kit, body=1 + seed % 2)
        except (KitError, LayoutError, GenerationFailed) as error:
            assert kit in str(error) and "\n" not in str(error)
        else:
            assert problems(level) == []
            made += 1
    assert made >= 4
