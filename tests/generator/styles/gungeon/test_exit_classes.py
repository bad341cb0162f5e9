"""Classes of exits: hallways join exits of one class, by chance and in flows, and rooms keep them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from generator import GenerationFailed, Level, LevelError, SpecError, generate, load_level, problems, reroll
from generator.cli import main
from generator.geometry import Point
from generator.interiors.layout_file import load_layout
from generator.kinds import shipped_kit
from generator.picture import room_lines
from generator.styles.gungeon import flow_floor
from generator.styles.gungeon.flows.grow import grow
from generator.styles.gungeon.flows.library import load_flow
from generator.styles.gungeon.flows.records import FlowConnection
from tests.generator.styles.gungeon.flows.plans import flow_file

MARKS = {"start": "P", "boss": "X", "chest": "C", "shop": "W", "normal": "E"}
OFTEN = "mirror: h\nturn: quarter\nweight: 1000"  # so that hardly any room has a shipped layout


def draw(folder: Path, name: str, exits: str, size: Point = (12, 12), header: str = OFTEN) -> None:
    """A layout of bare floor, with the marker of its kind in the middle."""
    width, height = size
    rows = [["."] * width for _ in range(height)]
    rows[height // 2][width // 2] = MARKS[name.partition("/")[0]]
    file = folder / f"{name}.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"exits: {exits}\n{header}\nmap:\n" + "\n".join(map("".join, rows)) + "\n", "utf-8")


def random_rooms(folder: Path, seed: int) -> str:
    """Layouts of all kinds, each with a plain exit and others, of three classes, on other sides."""
    random = Random(seed)
    for kind, count in {"start": 1, "boss": 2, "chest": 2, "shop": 2, "normal": 9}.items():
        for number in range(count):
            size = random.randint(9, 20), random.randint(9, 14)
            exits = []
            for side in random.sample("NESW", random.randint(3, 4)):
                length = size[0] if side in "NS" else size[1]
                first = random.randint(1, length - 3)
                joins = random.choice(["", " joins=wide", " joins=low"]) if exits else ""
                place = f"{first}-{first + random.randint(1, 2)}" if random.random() < 0.8 else "any"
                exits.append(f"{side} {place}{joins}")
            draw(folder, f"{kind}/{number}", ", ".join(exits), size)
    return str(folder)


def classes_at(level: Level, layouts: str, door_id: int) -> set[str]:
    """The classes of the drawn exits that a door lies in or round, in its room's layout; all without one."""
    door = level.doors[door_id]
    room = level.rooms[door.rooms[0]]
    name, _, image = room.layout.partition("+")
    if not name.startswith("own/"):
        return {""} if "/" in name else {"", "wide", "low"}
    layout = load_layout(Path(layouts) / f"{name.removeprefix('own/')}.txt")
    width, height = layout.size
    turned = (height, width) if "r" in image else (width, height)
    along = [
        x - room.bounds.x if door.side in ("north", "south") else y - room.bounds.y for x, y in door.tiles
    ]
    found = set()
    for exit_ in layout.exits:
        opening = exit_.image(image, layout.size)
        tiles = {1 + (x if opening.side.is_vertical_way else y) for x, y in opening.tiles(turned)}
        if opening.side.label == door.side and (tiles <= {*along} or {*along} <= tiles):
            found.add(exit_.joins)
    return found


def joined_classes(level: Level, layouts: str) -> list[str]:
    """The class of each hallway, once it is sure that its doors lie in exits of that class."""
    classes = []
    for hallway in level.hallways:
        first, last = (level.doors[door] for door in hallway.doors)
        assert first.joins == last.joins
        for door in (first, last):
            assert door.joins in classes_at(level, layouts, door.id), (level.seed, door)
        classes.append(first.joins)
    return classes


# --- by chance ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("flow", ["led", "random"])
def test_hallways_of_random_layouts_join_exits_of_one_class(flow: str, tmp_path: Path) -> None:
    found: list[str] = []
    for seed in range(3):
        layouts = random_rooms(tmp_path / str(seed), seed)
        level = generate("gungeon", seed, layouts=layouts, procedural_share=20 * (seed % 2), flow=flow)
        assert problems(level) == []
        found += joined_classes(level, layouts)
    assert min(map(found.count, ("", "wide", "low"))) > 3


def test_layouts_without_a_class_in_common_are_not_joined(tmp_path: Path) -> None:
    """Then only rooms that are furnished by procedure can be between them."""
    draw(tmp_path, "start/gate", "N any joins=wide, S any joins=wide")
    for kind in ("boss", "normal"):
        for number in range(4):
            draw(tmp_path, f"{kind}/{number}", "N any, S any, E any, W any")
    values = {"layouts": str(tmp_path), "rooms": 6, "only_layout": "own/start/gate"}
    values |= {"chest_rooms": (0, 0), "shop_rooms": (0, 0)}
    reached = 0
    for seed in range(6):
        level = generate("gungeon", seed, **values, procedural_share=50)
        reached += "wide" in joined_classes(level, str(tmp_path))
        assert problems(level) == []
    assert reached == 6
    with pytest.raises(GenerationFailed, match="could not be reached; give layouts whose exits have joins="):
        generate("gungeon", 1, **values, procedural_share=0, until="floorplan")


# --- in flows ----------------------------------------------------------------------------------------

HALL, THRONE = 'layout = "own/normal/hall"', 'layout = "own/boss/throne"'


@pytest.fixture
def rooms(tmp_path: Path) -> str:
    """A folder of layouts with wide and plain exits."""
    folder = tmp_path / "rooms"
    draw(folder, "normal/hall", "N 5-8 joins=wide, S 5-8 joins=wide, E 5-8, W 5-8")
    draw(folder, "normal/nave", "W 5-8 joins=wide, E 5-8 joins=wide")
    draw(folder, "normal/cell", "N 5-8, S 5-8")
    draw(folder, "boss/throne", "N 5-8 joins=wide, S 5-8 joins=wide, E any joins=wide")
    return str(folder)


def test_connections_of_a_flow_join_exits_of_their_class(rooms: str, tmp_path: Path) -> None:
    path = flow_file(tmp_path, 's a b z | joins = "wide"', "a c d", "b e", a=HALL, z=THRONE)
    for seed in range(6):
        level = generate("gungeon", seed, flow=path, layouts=rooms, procedural_share=0)
        assert problems(level) == []
        joined_classes(level, rooms)
        assert [room.layout.split("+")[0] for room in level.rooms if room.id in (1, 3)] == [
            "own/normal/hall",
            "own/boss/throne",
        ]
        assert sum(door.joins == "wide" for door in level.doors) == 6
        ends = {
            frozenset(level.doors[door].rooms[0] for door in hallway.doors): level.doors[
                hallway.doors[0]
            ].joins
            for hallway in level.hallways
        }
        assert {pair for pair, joins in ends.items() if joins} == {
            frozenset(pair) for pair in ((0, 1), (1, 2), (2, 3))
        }


@pytest.mark.parametrize("tries", [40, 0])
def test_rooms_with_two_classes_on_a_side_are_drawn(
    tries: int, rooms: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the free search and from an embedding: a room of five connections has two of them on a side."""
    monkeypatch.setattr(flow_floor, "_MAX_TRIES", tries)
    draw(Path(rooms), "normal/both", "N 2-4 joins=wide, N 8-10, S 2-4 joins=wide, S 8-10, E 5-8, W 5-8")
    both = 'layout = "own/normal/both"'
    path = flow_file(tmp_path, 's a b | joins = "wide"', "b z", "a c", "a d", "a e", "b f", a=both, b=both)
    for seed in range(3):
        level = generate("gungeon", seed, flow=path, layouts=rooms)
        assert problems(level) == []
        assert sorted(joined_classes(level, rooms)) == [""] * 5 + ["wide"] * 2
        sides = Counter(door.side for door in level.doors if door.rooms[0] == 1)
        assert sorted(sides.values()) == [1, 1, 1, 2]


@pytest.mark.parametrize(
    ("ways", "asked", "message"),
    [
        (
            ('s a z | joins = "wyde"',),
            {},
            "connection s - a: no start or normal layout has an exit with joins=wyde; did you mean wide?",
        ),
        (
            ('s a z | joins = "gate"',),
            {},
            "connection s - a: no start or normal layout has an exit with joins=gate; draw one, or leave joins out",
        ),
        (
            ('s a b | joins = "wide"', 'a c | joins = "wide"', "c z"),
            {"a": HALL},
            "room a: has 3 wide connections, but the exits of its layout own/normal/hall take only 2; give another",
        ),
        (
            ("s a z",),
            {"z": THRONE},
            "room z: has 1 plain connection, but the exits of its layout own/boss/throne take none; give another",
        ),
        (
            ('s a z | joins = "Wide"',),
            {},
            "joins: 'Wide' is not a class of exits; use up to 64 of a-z, 0-9 and _",
        ),
    ],
)
def test_what_no_exit_can_join_is_refused_with_the_connection(
    ways: tuple[str, ...], asked: dict[str, str], message: str, rooms: str, tmp_path: Path
) -> None:
    path = flow_file(tmp_path, *ways, **asked)
    with pytest.raises(SpecError) as refused:
        generate("gungeon", 1, flow=path, layouts=rooms)
    assert message in str(refused.value) and str(refused.value).startswith(path)
    done = CliRunner().invoke(main, ["flow", "check", path, "--layouts", rooms])
    assert done.exit_code == 1 and message in done.stdout and done.stdout.count("\n") == 1


def test_without_own_layouts_the_message_says_how_to_give_them(tmp_path: Path) -> None:
    path = flow_file(tmp_path, 's a z | joins = "wide"')
    with pytest.raises(
        SpecError, match="leave joins out; for your own layouts, give their folder as `layouts`"
    ):
        generate("gungeon", 1, flow=path)


def test_rules_do_not_apply_to_connections_of_a_class(rooms: str, tmp_path: Path) -> None:
    stretch = '[[rule]]\nname = "stretch"\n'
    path = flow_file(tmp_path, 's a | joins = "wide"', "a b z", more=stretch)
    flow = grow(load_flow(path, shipped_kit()), 3)
    assert [connection for connection in flow.connections if connection.joins] == [
        FlowConnection("s", "a", joins="wide")
    ]
    assert len(flow.rooms) == 5
    assert generate("gungeon", 3, flow=path, layouts=rooms).rooms


# --- in the level ------------------------------------------------------------------------------------


@pytest.fixture
def level(rooms: str, tmp_path: Path) -> Level:
    path = flow_file(tmp_path, 's a z | joins = "wide"', "a c", a=HALL, z=THRONE)
    return generate("gungeon", 2, flow=path, layouts=rooms, procedural_share=0)


def test_a_saved_level_keeps_the_classes(level: Level, tmp_path: Path) -> None:
    file = tmp_path / "saved.json"
    table = json.loads(json.dumps(level.to_dict()))
    file.write_text(json.dumps(table), "utf-8")
    assert load_level(file) == level
    assert [door.get("joins", "") for door in table["doors"]] == [door.joins for door in level.doors]
    assert sum(line.endswith(": joins wide") for line in room_lines(level)) == 4
    table["doors"][0]["joins"] = "very wide"
    file.write_text(json.dumps(table), "utf-8")
    with pytest.raises(LevelError, match=r"doors\[0\]\.joins: 'very wide' is not a class of exits"):
        load_level(file)


def test_a_room_that_is_rolled_again_has_exits_for_its_doors(rooms: str, tmp_path: Path) -> None:
    draw(Path(rooms), "normal/hall_too", "N 5-8 joins=wide, S 5-8 joins=wide, E 5-8, W 5-8")
    draw(Path(rooms), "normal/plain", "N 5-8, S 5-8, E 5-8, W 5-8")
    path = flow_file(tmp_path, 's a z | joins = "wide"', "a c", a=HALL, z=THRONE)
    seen = set()
    for seed in range(6):
        level = generate("gungeon", seed, flow=path, layouts=rooms, procedural_share=0)
        for _ in range(3):
            level = reroll(level, room=1, layouts=Path(rooms))
            assert problems(level) == []
            joined_classes(level, rooms)
            seen.add(level.rooms[1].layout.partition("+")[0])
    assert "own/normal/hall_too" in seen and "own/normal/plain" not in seen
