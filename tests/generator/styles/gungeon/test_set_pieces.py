"""Set pieces: places of several rooms that levels get as a whole."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from generator import GungeonSpec, Level, SpecError, generate, reroll
from generator.checks import problems
from generator.errors import KitError
from generator.kinds import read_kit, shipped_kit
from generator.kinds.kit import without_rows
from generator.kinds.kit_problems import kit_problems
from generator.kinds.set_pieces import SetPieceRow
from generator.styles.gungeon.floorplan import floorplan
from generator.styles.gungeon.piece_drawing import read_drawing
from generator.styles.gungeon.plan import has_long_walks
from generator.styles.gungeon.set_pieces import piece_problems, set_piece
from tests.generator.kits.base import write_kit

ROWS = shipped_kit().rules.set_pieces
PAIR = ("#####  #####", "#...#  #...#", "#.1.++++.2.#", "#...++++...#", "#...#  #...#", "##++#  #####")


def pieces_of(level: Level) -> dict[str, list[int]]:
    """Read the fact about set pieces."""
    told = str(level.facts.get("set_pieces", ""))
    spans = (part.split() for part in told.split(", ") if part)
    return {name: list(range(int(ids.split("-")[0]), int(ids.split("-")[1]) + 1)) for name, ids in spans}


def assert_whole(level: Level, name: str, ids: list[int]) -> None:
    """A piece is as drawn or mirrored: its rooms, where they lie, their names, and the hallways between."""
    rooms = [level.rooms[number] for number in ids]
    assert [room.name for room in rooms] == [row["name"] for row in ROWS[name].rooms.values()]
    assert Counter(room.kind for room in rooms) == ROWS[name].needs
    left, top = min(room.bounds.x for room in rooms), min(room.bounds.y for room in rooms)
    places = tuple(room.bounds._replace(x=room.bounds.x - left, y=room.bounds.y - top) for room in rooms)
    kit = shipped_kit()
    assert places in [set_piece(kit, name, image).drawn.rects for image in ("", "h")]
    ends = [{level.doors[door].rooms[0] for door in hallway.doors} for hallway in level.hallways]
    inside = [number for number, pair in enumerate(ends) if pair <= set(ids)]
    assert len(inside) == len(ids) - 1  # a tree, as all rooms are reached
    for number in inside:
        xs, ys = zip(*level.hallways[number].tiles, strict=True)
        assert 2 in (max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)
    assert any(pair & set(ids) and not pair <= set(ids) for pair in ends)
    assert len({room.zone for room in rooms}) == 1


def test_pieces_are_whole_and_levels_keep_their_rules() -> None:
    seen = set()
    for seed in range(6):
        level = generate("gungeon", seed=seed, rooms=100 if seed == 2 else 40)
        found = pieces_of(level)
        assert len(found) >= (2 if seed == 2 else 1) and len(level.rooms) == level.spec.to_dict()["rooms"]
        for name, ids in found.items():
            assert_whole(level, name, ids)
        assert seed > 1 or not list(problems(level)), seed
        seen |= set(found)
    assert len(seen) >= 4


def test_small_levels_and_those_joined_by_chance_are_as_without() -> None:
    for values in ({"rooms": 23}, {"rooms": 40, "flow": "random"}, {"flow": "hub"}):
        auto, none = (GungeonSpec(set_pieces=value, **values) for value in ("auto", "none"))
        plans = [generate(spec, seed=3, until="floorplan") for spec in (auto, none)]
        assert plans[0] == plans[1]


def test_named_pieces_are_in_each_level() -> None:
    for seed, flow in ((1, "led"), (2, "random")):
        level = generate("gungeon", seed=seed, rooms=26, flow=flow, set_pieces="market, prison")
        found = pieces_of(level)
        assert list(found) == ["market", "prison"]
        assert not list(problems(level)), flow
    shop = next(room for room in level.rooms if room.name == "Merchant's house")
    assert shop.kind == "shop"
    again = reroll(level, room=found["prison"][0])
    assert again.rooms[found["prison"][0]].layout == level.rooms[found["prison"][0]].layout


REFUSED = {
    "garden,": "set_pieces: 'garden,' lacks a name; give names, auto or none",
    "castle": "set_pieces: unknown set piece 'castle'; choose one of",
    "garden, market": "set_pieces: market needs 1 shop rooms, but 0 are left; ask for more rooms",
}


def test_pieces_that_cannot_be_had_are_refused() -> None:
    for text, message in REFUSED.items():
        with pytest.raises(SpecError) as refused:
            floorplan(GungeonSpec(rooms=30, shop_rooms=(0, 0), set_pieces=text), 1)
        assert message in str(refused.value)
    with pytest.raises(SpecError, match="garden has no space for hallways of 5 tiles and a body of 1; give"):
        floorplan(GungeonSpec(rooms=30, hallway_width=5, set_pieces="garden"), 1)
    for text in ("castle", "garden,"):  # as soon as the spec is read, so that `check` says so, too
        with pytest.raises(SpecError, match="set_pieces: "):
            GungeonSpec(set_pieces=text)
    with pytest.raises(SpecError, match="a flow has its own rooms"):
        GungeonSpec(flow="hub", set_pieces="garden")


def test_shipped_pieces_suit_the_hallways_and_bodies_of_presets() -> None:
    kit = shipped_kit()
    assert len(ROWS) >= 6 and not list(piece_problems(kit))
    for name in ROWS:
        for image in ("", "h"):
            assert all(set_piece(kit, name, image).exits_by_class(2, body) for body in (1, 2)), name
    assert "market" not in without_rows(kit.tables, ["room.shop"])["set_piece"]


def put(row: int, text: str) -> tuple[str, ...]:
    return (*PAIR[:row], text, *PAIR[row + 1 :])


BROKEN = {
    "has no number; give it one of 1, 2": put(2, "#.1.++++...#"),
    "has the numbers 1 and 1; give it one": put(1, "#..1#  #...#"),
    "no doorway leads outside; draw one": put(5, "#####  #####"),
    "doorways do not join all rooms": ("#####  #####", "#.1.#  #.2.#", "#...#  #...#", "##++#  #####"),
    "the doorway at row 3, column 5 leads nowhere": put(2, "#.1.++ #.2.#")[:3] + PAIR[4:],
    "row 3, column 4: `p` is in the exit": put(2, "#.1p++++.2.#"),
    "row 2, column 2: 'Z' means nothing": put(1, "#Z..#  #...#"),
    "the walls of rooms 1 and 2 overlap": ("####++##", "#.1#.2.#", "##++####"),
}


def test_broken_drawings_get_one_line() -> None:
    rooms = {number: {"name": "Twin", "kind": "normal"} for number in "12"}
    assert len(read_drawing(SetPieceRow("pair", PAIR, rooms), "our", shipped_kit()).rooms) == 2
    for message, drawing in BROKEN.items():
        width = max(map(len, drawing))
        row = SetPieceRow("pair", tuple(line.ljust(width) for line in drawing), rooms)
        with pytest.raises(KitError) as refused:
            read_drawing(row, "our/kit.toml: set_piece.pair", shipped_kit())
        assert str(refused.value).startswith("our/kit.toml: set_piece.pair.drawing: ")
        assert message in str(refused.value)


WRONG = {  # rows, and all that `check` says of them
    ("#+###  ##+##", "#+..#  #.+.#", "#.1.++++.2.#", "#...#  #...#", "#...#  #...#", "##++#  #####"): [
        "the doorway at row 1, column 2 does not lead straight from",
        "the doorway at row 1, column 10 does not lead straight from",
    ],
    put(2, "#.1p++++p2.#"): ["row 3, column 4: `p` is in the exit", "row 3, column 9: `p` is in the exit"],
}


def test_check_says_all_that_is_wrong_with_doorways(tmp_path: Path) -> None:
    for number, (drawing, says) in enumerate(WRONG.items()):
        rows = ", ".join(f"'{row}'" for row in drawing)
        names = ", ".join(f'{label} = {{ name = "{label}" }}' for label in "12")
        kit = write_kit(
            tmp_path / str(number), f"[set_piece.pair]\ndrawing = [{rows}]\nrooms = {{ {names} }}\n"
        )
        found = list(piece_problems(read_kit(kit)))
        where = f"{kit / 'kit.toml'}: set_piece.pair.drawing: "
        assert [line.removeprefix(where)[: len(part)] for line, part in zip(found, says, strict=True)] == says


ROOMS = {
    "alone": ('1 = { name = "A" }', "is one room; give two or more"),
    "named": ('1 = { name = "A", kind = "crypt" }, 2 = { name = "B" }', "unknown room kind 'crypt'"),
    "unnamed": ('1 = { name = "" }, 2 = { name = "B" }', "is empty; give a text"),
    "placed": ('1 = { name = "A", kind = "boss" }, 2 = { name = "B" }', "the style places boss itself"),
    "both": (
        '1 = { name = "A", kind = "shop" }, 2 = { name = "B", kind = "chest" }',
        "give only one of them",
    ),
}


def test_broken_rooms_get_one_line(tmp_path: Path) -> None:
    drawing = ", ".join(f"'{row}'" for row in PAIR)
    for names in (["alone"], ["unnamed"], ["named", "placed", "both"]):
        rows = [
            f"[set_piece.{name}]\ndrawing = [{drawing}]\nrooms = {{ {ROOMS[name][0]} }}\n" for name in names
        ]
        (tmp_path / "kit.toml").write_text('name = "our"\n' + "".join(rows), "utf-8")
        found = [line for line in kit_problems(tmp_path) if "set_piece." in line]
        assert len({*found}) == len(names)
        for name in names:
            assert any(f"set_piece.{name}.rooms" in line and ROOMS[name][1] in line for line in found)


def test_rooms_hold_what_their_kind_needs() -> None:
    """A piece with an empty chest room was accepted, and then each level with it was refused."""
    rooms = {"1": {"name": "Nave", "kind": "normal"}, "2": {"name": "Vault", "kind": "chest"}}
    with pytest.raises(KitError) as refused:
        read_drawing(SetPieceRow("pair", PAIR, rooms), "our/kit.toml: set_piece.pair", shipped_kit())
    says = "our/kit.toml: set_piece.pair.drawing: room 2: has 0 chest markers; chest rooms take at least 1"
    assert str(refused.value) == says
    full = SetPieceRow("pair", put(1, "#...#  #.C.#"), rooms)
    assert len(read_drawing(full, "our", shipped_kit()).rooms) == 2


def test_letters_are_told_by_their_key_and_names_of_layouts_are_plain() -> None:
    rooms = {"1": {"name": "../Monk's  cell", "kind": "normal"}, "2": {"name": "?", "kind": "normal"}}
    row = SetPieceRow("pair", PAIR, rooms, {"C": "carpet", "L": "carpit"})
    with pytest.raises(
        KitError, match=r"^our.letters.L: unknown marker kind 'carpit'; did you mean carpet\?"
    ):
        read_drawing(row, "our", shipped_kit())
    drawn = read_drawing(row._replace(letters={}), "our", shipped_kit())
    assert [room.name for room in drawn.rooms] == ["set_piece/pair/monks-cell-1", "set_piece/pair/room-2"]


def test_a_heap_with_pieces_is_given_up_at_its_first_long_hallway(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once all hallways are laid, none is found to be too long. The first heap of these seeds has one."""
    judged = []

    def judge(*given: Any) -> bool:
        judged.append(has_long_walks(*given))
        return judged[-1]

    monkeypatch.setattr("generator.styles.gungeon.floorplan.has_long_walks", judge)
    assert [generate("gungeon", seed, rooms=26, until="floorplan").tries for seed in (1, 9)] == [3, 3]
    assert judged == [False, False]
