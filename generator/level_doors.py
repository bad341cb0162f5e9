"""Reading the doors and hallways of a level.json: what they join, and what a door needs."""

from __future__ import annotations

from generator.errors import shown
from generator.geometry import Side
from generator.level import Door, Hallway
from generator.level_node import LevelNode
from generator.node import MOST_ITEMS

_SIDES = [side.label for side in Side]
_MOST_KEYS = 12  # for one door


def own_id(item: LevelNode, number: int) -> int:
    """The id of the item, which must be its index."""
    if item["id"].number(0, MOST_ITEMS) != number:
        item["id"].fail(f"{item['id'].value} is at position {number}; ids count up from 0")
    return number


def doors_of(root: LevelNode, width: int, height: int) -> tuple[Door, ...]:
    """Read the doors of a level of this size."""
    rooms = len(root["rooms"].items()) - 1
    doors = []
    for number, item in enumerate(root["doors"].items()):
        pair = item["rooms"].items()
        if len(pair) != 2:
            item["rooms"].fail("is not a pair")
        a, b = pair[0].number(0, rooms), pair[1].maybe(0, rooms)
        tiles = item["tiles"].tiles(width, height)
        if not tiles:
            item["tiles"].fail("is empty; a door needs tiles")
        side, kind = item["side"].one_of(_SIDES), item["kind"].kind()
        doors.append(Door(own_id(item, number), (a, b), tiles, side, kind, *_gate(item, (a, b))))
    return tuple(doors)


def hallways_of(root: LevelNode, width: int, height: int) -> tuple[Hallway, ...]:
    """Read the hallways of a level of this size."""
    doors = len(root["doors"].items()) - 1
    return tuple(
        Hallway(
            own_id(item, number),
            item["doors"].pair(0, doors),
            item["tiles"].tiles(width, height),
        )
        for number, item in enumerate(root["hallways"].items())
    )


def _gate(item: LevelNode, rooms: tuple[int, int | None]) -> tuple[tuple[str, ...], bool, int | None]:
    """The keys that a door needs, whether it is one-way, and the room that it opens from."""
    needs = tuple(key.kind() for key in item["needs"].items(_MOST_KEYS)) if "needs" in item.value else ()
    if len(set(needs)) < len(needs):
        item["needs"].fail("names a key twice; name it once")
    one_way = item["one_way"].truth() if "one_way" in item.value else False
    if "opens_from" not in item.value:
        return needs, one_way, None
    node = item["opens_from"]
    if node.value not in rooms or type(node.value) is not int:
        node.fail(f"{shown(node.value)} is not a room of this door, {list(rooms)}")
    return needs, one_way, node.value
