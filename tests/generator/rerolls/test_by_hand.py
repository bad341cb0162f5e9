"""Levels that were changed by hand, by a fool or by a foe: edits outside of the room stay, or one line."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator import BadInput, LayoutError, Level, LevelError, RerollError, SpecError, generate, reroll
from generator.level_file import load_level, own_level_from_bytes
from generator.rerolls.record import changed_by_hand
from generator.serialise import dumps
from generator.version import VERSION
from tests.generator.rerolls.levels import assert_same_outside
from tests.generator.test_level_file_hostile import SCHEMA, change, signed

LEVELS = {style: generate(style, 7).to_dict() for style in ("isaac", "rebirth", "gungeon")}


def test_what_a_person_painted_stays(tmp_path: Path) -> None:
    """Rubble where there was floor, a barrel and a marker in room 1; then room 2 is rolled."""
    table = generate("isaac", 7).to_dict()
    width = table["size"]["width"]
    x, y, _, _ = table["rooms"][1]["bounds"]
    for dx in range(2, 6):
        table["terrain"][(y + 3) * width + x + dx] = 7
    table["markers"].append(
        {**table["markers"][-1], "id": 900, "kind": "pickup", "room": 1, "x": x + 2, "y": y + 2}
    )
    path = tmp_path / "painted.json"
    path.write_text(json.dumps(table), "utf-8")
    with pytest.raises(LevelError, match="the file was changed by hand"):
        load_level(path)
    level = own_level_from_bytes(path.read_bytes(), str(path), accept_edits=True)
    assert level == load_level(path, accept_edits=True) and level.rerolls == ({"edited": True},)
    rolled = reroll(level, room=2)
    assert_same_outside(level, rolled, {2})
    assert (rolled.terrain[y + 3, x + 2 : x + 6] == 7).all()
    assert rolled.rerolls == ({"edited": True}, {"room": 2, "layout": 1})
    path.write_bytes(dumps(rolled))
    assert (
        load_level(path)
        == own_level_from_bytes(path.read_bytes(), str(path))
        == load_level(path, accept_edits=True)
        == rolled
    )
    again = reroll(rolled, room=3)
    assert again.rerolls == ({"edited": True}, {"room": 2, "layout": 1}, {"room": 3, "layout": 1})
    with pytest.raises(
        LevelError, match="rerolls: the level was changed by hand, so its seed cannot generate it again"
    ):
        generate("isaac", 7, rerolls=again.rerolls)


def room_of_many_kinds(level: Level) -> int:
    """A room that may become one of another kind."""
    for room in level.rooms:
        try:
            reroll(level, room=room.id, what="kind")
        except RerollError:
            continue
        return room.id
    raise AssertionError("no room may become another")


def test_the_schema_knows_every_row() -> None:
    level = generate("isaac", 7)
    fight, other, *_ = (
        room.id for room in level.rooms if any(m.room == room.id and m.kind == "enemy" for m in level.markers)
    )
    level = reroll(reroll(level, room=room_of_many_kinds(level), what="kind"), room=fight, what="markers")
    level = changed_by_hand(reroll(level, room=other, seed="spring"))
    rows = [dict(row) for row in level.rerolls]
    assert rows[0] == {"edited": True}
    assert {key for row in rows[1:] for key in row} == {"room", "kind", "seed", "layout", "markers"}
    assert SCHEMA.is_valid(json.loads(dumps(level)))
    wrong = [
        {"room": -1},
        {"room": 1, "layout": 0},
        {"room": 1, "seed": 5},
        {"edited": False},
        {"markers": [1]},
    ]
    for row in wrong:
        assert not SCHEMA.is_valid({**level.to_dict(), "rerolls": [row]}), row


def test_enemies_find_places_round_what_was_painted() -> None:
    """A pit through the middle of the room, and barrels: nobody stands in either."""
    level = generate("isaac", 7)
    room = next(
        room for room in level.rooms if any(m.room == room.id and m.kind == "enemy" for m in level.markers)
    )
    terrain, (x, y, _, height) = level.terrain.copy(), room.bounds
    terrain[y + 1 : y + height - 1, x + 1 : x + 4] = 3
    painted = Level(
        **{**{name: getattr(level, name) for name in level.__dataclass_fields__}, "terrain": terrain}
    )
    rolled = reroll(painted, room=room.id, what="markers", times=3)
    assert (rolled.terrain == terrain).all()
    assert all(
        rolled.terrain[m.y, m.x] in (1, 7) for m in rolled.markers if m.room == room.id and m.kind == "enemy"
    )


def test_a_crowd_is_not_a_reason_to_wait() -> None:
    """As many enemies as there are tiles, and doors without number: an answer, and a soon one."""
    made: Any = copy.deepcopy(LEVELS["gungeon"])
    room = next(room for room in made["rooms"] if room["kind"] == "chest")
    x, y, width, height = room["bounds"]
    for number in range(5_000):
        place = {"x": x + number % width, "y": y + number // width % height}
        made["markers"].append(
            {
                "id": 10**6 + number,
                "kind": "chest",
                "room": room["id"],
                "hallway": None,
                "properties": {},
                **place,
            }
        )
    with pytest.raises(RerollError, match="has fewer free tiles than there are enemies, pickups and chests"):
        reroll(signed(made), room=room["id"], what="markers")
    door = next(door for door in made["doors"] if room["id"] in door["rooms"])
    made["doors"] += [{**door, "id": len(made["doors"]) + number} for number in range(5_000)]
    doors = sum(room["id"] in door["rooms"] for door in made["doors"])
    with pytest.raises(
        LevelError, match=rf"doors: room {room['id']} has {doors}, more than its wall has tiles"
    ):
        reroll(signed(made), room=room["id"])


def test_another_version_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(json.dumps({**LEVELS["isaac"], "generator_version": "0.0.1"}), "utf-8")
    with pytest.raises(LevelError) as caught:
        own_level_from_bytes(path.read_bytes(), str(path))
    says = f"{path}: generator_version: version '0.0.1' made this level, and this is {VERSION}, whose rooms may differ: "
    assert str(caught.value).startswith(says)


# --- a team's own layouts ------------------------------------------------------------------------------

ROOM = "map:\n" + "\n".join(["." * 13] * 7) + "\n"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "ours" / "normal" / "any" / "easy"
    folder.mkdir(parents=True)
    for name in ("hall", "yard"):
        (folder / f"{name}.txt").write_text(
            "weight: 10\n" + (ROOM.replace(".............", "......,......", 1) if name == "hall" else ROOM)
        )
    return tmp_path / "ours"


def test_a_level_of_own_layouts_asks_for_their_folder(own: Path) -> None:
    level = generate("isaac", 7, layouts=str(own))
    room = next(room.id for room in level.rooms if room.kind == "normal")
    rolled = reroll(level, room=room, layouts=own, times=3)
    assert dumps(generate("isaac", 7, layouts=str(own), rerolls=rolled.rerolls)) == dumps(rolled)
    names = set()
    for _ in range(200):
        rolled = reroll(rolled, room=room, layouts=own)
        names.add(rolled.rooms[room].layout.partition("+")[0])
    assert {"own/normal/any/easy/hall", "own/normal/any/easy/yard"} <= names
    digest = level.spec.to_dict()["layouts"]
    for layouts, says in (
        (
            "",
            f"spec.layouts: the level was made with your own layouts (digest '{digest}'); give their folder",
        ),
        (own / "none", "layouts: "),
    ):
        with pytest.raises(BadInput) as caught:
            reroll(level, room=room, layouts=layouts)
        assert str(caught.value).startswith(says)
    assert reroll(level, room=room, what="markers")  # which no layout is needed for
    (own / "normal" / "any" / "easy" / "yard.txt").write_text(ROOM.replace(".", ",", 1))
    with pytest.raises(RerollError, match="generate the level again to use these layouts"):
        reroll(level, room=room, layouts=own)


def test_a_folder_for_a_level_that_has_none(own: Path) -> None:
    with pytest.raises(RerollError, match="layouts: the level was made without own layouts, not with "):
        reroll(generate("isaac", 7), room=1, layouts=own)


# --- foes ----------------------------------------------------------------------------------------------


@given(st.data(), st.sampled_from(sorted(LEVELS)))
@settings(max_examples=100, suppress_health_check=[HealthCheck.data_too_large])
def test_a_changed_level_is_rolled_or_refused_in_a_line(data: st.DataObject, style: str) -> None:
    made: Any = copy.deepcopy(LEVELS[style])
    section = data.draw(st.sampled_from(["", "rooms", "doors", "spec", "grid"]))
    for _ in range(data.draw(st.integers(1, 3))):
        part = made.get(section)
        change(data, part if part and isinstance(part, (dict, list)) else made)
    try:
        level = signed(made)
        number = data.draw(st.integers(0, max(0, len(level.rooms) - 1)))
        what = data.draw(st.sampled_from(["layout", "markers", "kind"]))
        rolled = reroll(level, room=number, what=what, times=2)
    except (LevelError, RerollError, SpecError, LayoutError) as error:
        assert "\n" not in str(error) and len(str(error)) < 800
    else:
        outside = level.terrain.copy(), rolled.terrain.copy()
        for array in outside:
            for part in (
                [level.grid.cell_rect(c) for c in level.rooms[number].cells]
                if level.grid
                else [each.rooms[number].bounds for each in (level, rolled)]
            ):
                array[part.slices] = 0
        assert np.array_equal(*outside)


@pytest.mark.parametrize(
    ("style", "path", "value", "says"),
    [
        ("isaac", "grid", None, "grid: its cells do not have the spec's room_size [15, 9]"),
        ("isaac", "rooms.2.shape", "2x2", "rooms[2]: its cells and bounds do not form the shape 2x2"),
        ("isaac", "rooms.2.shape", "round", "rooms[2]: its cells and bounds do not form the shape round"),
        ("isaac", "rooms.2.shape", "IH", "rooms[2]: its cells and bounds do not form the shape IH"),
        ("isaac", "rooms.2.cells", [], "rooms[2]: its cells and bounds do not form the shape 1x1"),
        ("isaac", "terrain_kinds.1.walk", False, "terrain_kinds, decor_kinds: are not those of this version"),
        ("isaac", "spec.room_size", [17, 9], "level: spec: room_size: [17, 9] cannot be used with layouts"),
        ("gungeon", "rooms.2.kind", "library", "rooms[2]: there is no library room of "),
        ("gungeon", "rooms.2.bounds", [9, 9, 70, 20], "rooms[2]: there is no "),
        ("gungeon", "rooms.2.bounds", [0, 9, 20, 20], "rooms[2].bounds: [0, 9, 20, 20] is at the level's edge"),
        ("gungeon", "rooms.2.bounds", [9, 9, 20, 20], "doors["),
        ("isaac", "rerolls", [{"room": 2}], "rerolls[0]: has no layout"),
        ("isaac", "rerolls", [{"room": 99, "layout": 1}], "rerolls[0].room: 99 is not a whole number from 0 to 8"),
        ("isaac", "rerolls", [{"room": 2, "layout": 10**9}], "rerolls[0].layout: 1000000000 is not"),
        ("isaac", "rerolls", [{"room": 2, "layout": 1}] * 2, "rerolls[1]: room 2 already has a row"),
        ("isaac", "rerolls", [{"room": 2, "layout": 1, "wish": 3}], "rerolls[0].wish: unknown key; choose one of room, kind,"),
        ("isaac", "rerolls", [{"room": 2, "layout": 1, "seed": "x"}], "rerolls[0].seed: 'x' is not a number"),
        ("isaac", "rerolls", [{"room": 2, "layout": 1, "kind": "dragon"}], "rerolls[0].kind: 'dragon' is not one of"),
        ("isaac", "rerolls", [{}], "rerolls[0].room: is missing"),
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_rolled(style: str, path: str, value: object, says: str) -> None:
    made: Any = copy.deepcopy(LEVELS[style])
    node, keys = made, path.split(".")
    for key in keys[:-1]:
        node = node[int(key)] if isinstance(node, list) else node[key]
    node[keys[-1]] = value
    with pytest.raises(LevelError) as caught:
        reroll(signed(made), room=2)
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize(("style", "kind"), [("gungeon", "library"), ("isaac", "planetarium")])
def test_a_kind_that_the_style_does_not_have(style: str, kind: str) -> None:
    made: Any = copy.deepcopy(LEVELS[style])
    made["rooms"][6]["kind"] = kind
    with pytest.raises(LevelError, match="rooms"):
        reroll(signed(made), room=6, what="kind")


def test_a_door_that_a_person_moved_is_named() -> None:
    made: Any = copy.deepcopy(LEVELS["isaac"])
    door = next(door for door in made["doors"] if 2 in door["rooms"])
    door["tiles"] = [[x + 1, y] for x, y in door["tiles"]]
    with pytest.raises(
        LevelError, match=rf"doors\[{door['id']}\]: its tiles are not in the middle of a cell's "
    ):
        reroll(signed(made), room=2)
