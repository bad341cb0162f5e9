"""Damage of what is in the rooms: markers and their values, and what the rooms are."""

from __future__ import annotations

from typing import Any

from tests.generator.breakages.base import Unfit, first

from .draft import Damage, Draft

# A marker kind, a property, and a value that no level has; None takes the property away.
VALUES: dict[str, tuple[str, str, Any]] = {
    "wave_of_9": ("enemy", "wave", 9),
    "wave_of_0": ("enemy", "wave", 0),
    "half_a_wave": ("enemy", "wave", 1.5),
    "enemy_of_no_wave": ("enemy", "wave", None),
    "enemy_called_grue": ("enemy", "name", "grue"),
    "enemy_of_no_name": ("enemy", "name", None),
    "enemy_of_a_strange_role": ("enemy", "role", "dancer"),
    "enemy_that_flies_by_text": ("enemy", "flies", "yes"),
    "champion_by_number": ("enemy", "champion", 3),
    "enemy_awake_before_it_is_there": ("enemy", "wakes_after", -5),
    "enemy_awake_in_a_year": ("enemy", "wakes_after", 31_536_000),
    "boss_called_grue": ("boss", "name", "grue"),
    "boss_of_a_strange_rank": ("boss", "rank", "king"),
    "boss_awake_before_it_is_there": ("boss", "wakes_after", -5),
    "boss_that_flies_by_text": ("boss", "flies", "yes"),
    "chest_without_content": ("chest", "tier", None),
    "chest_of_diamond": ("chest", "tier", "diamond"),
    "item_of_no_pool": ("item", "pool", None),
    "item_of_a_strange_pool": ("item", "pool", "swimming"),
    "ware_without_content": ("ware", "item", None),
    "ware_of_a_strange_item": ("ware", "item", "unicorn"),
    "ware_of_a_price_below_nothing": ("ware", "price", -3),
    "pickup_of_nothing": ("pickup", "item", None),
    "pickup_of_a_strange_item": ("pickup", "item", "unicorn"),
    "exit_to_nowhere": ("exit", "to", "nowhere"),
    "exit_without_a_goal": ("exit", "to", None),
    "torch_that_shines_99_tiles": ("torch", "light_radius_tiles", 99),
    "fire_that_shines_backwards": ("fire", "light_radius_tiles", -1),
    "torch_of_a_strange_colour": ("torch", "color", "mauve"),
    "key_to_nothing": ("key", "opens", None),
    "key_to_a_number": ("key", "opens", 7),
    "key_used_up_by_text": ("key", "consumed", "yes"),
}


def _value(kind: str, name: str, value: Any) -> Damage:
    def damage(draft: Draft) -> None:
        properties = draft.marker(kind)["properties"]
        if value is None:
            properties.pop(name, None)
        else:
            properties[name] = value

    return damage


# --- markers that are gone, or too many --------------------------------------------------------------


def enemies_removed(draft: Draft) -> None:
    draft.remove(draft.markers("enemy"))


def first_wave_removed(draft: Draft) -> None:
    """From a room with others."""
    room = draft.one({row["room"] for row in draft.markers("enemy") if row["properties"].get("wave", 1) > 1})
    draft.remove(
        row for row in draft.markers("enemy") if row["room"] == room and row["properties"].get("wave", 1) == 1
    )


def start_removed(draft: Draft) -> None:
    draft.remove(draft.markers("player_start"))


def bosses_removed(draft: Draft) -> None:
    draft.remove(draft.markers("boss"))


def exits_removed(draft: Draft) -> None:
    draft.remove(draft.markers("exit"))


def shopkeeper_removed(draft: Draft) -> None:
    draft.remove([draft.marker("shopkeeper")])


def wares_removed(draft: Draft) -> None:
    room = draft.room("shop")
    draft.remove(draft.markers("ware", room=room))


def key_removed(draft: Draft) -> None:
    draft.remove(draft.markers("key"))


def torch_put_out(draft: Draft) -> None:
    """Its decor is still there."""
    draft.remove([draft.marker("torch")])


def fire_put_out(draft: Draft) -> None:
    draft.remove([draft.marker("fire")])


def second_start(draft: Draft) -> None:
    draft.add("player_start", draft.one(draft.floor(draft.rooms()[0])), 0)


def second_boss(draft: Draft) -> None:
    room = draft.room("boss")
    draft.add("boss", draft.one(draft.floor(room, away=8)), room["id"])


def boss_in_a_common_room(draft: Draft) -> None:
    room = draft.room("normal")
    draft.add("boss", draft.one(draft.floor(room, away=8)), room["id"])


def fifty_enemies(draft: Draft) -> None:
    room = draft.room("normal")
    tiles = draft.floor(room, away=4)[:50]
    if not draft.markers("enemy", room=room) or len(tiles) < 20:
        raise Unfit
    for tile in tiles:
        draft.add("enemy", tile, room["id"])


def start_with_enemies(draft: Draft) -> None:
    draft.add("enemy", draft.one(draft.floor(draft.rooms()[0], away=4)), 0)


def enemy_in_the_shop(draft: Draft) -> None:
    room = draft.room("shop")
    draft.add("enemy", draft.one(draft.floor(room, away=4)), room["id"])


def enemy_in_a_hallway(draft: Draft) -> None:
    way = draft.hallway()
    draft.add("enemy", draft.one(way["tiles"]), None)["hallway"] = way["id"]


# --- markers where none may be -----------------------------------------------------------------------


def _move(row: dict[str, Any], tile: tuple[int, int]) -> None:
    row["x"], row["y"] = tile


def enemy_on_a_doorstep(draft: Draft) -> None:
    enemy = draft.marker("enemy")
    doors = draft.doors(draft.table["rooms"][enemy["room"]])
    own = [row for row in doors if row["rooms"][0] == enemy["room"]]
    _move(enemy, _before(draft.one(own)))


def _before(door: dict[str, Any]) -> tuple[int, int]:
    from .draft import beyond

    return beyond(door)[0]


def enemy_in_a_wall(draft: Draft) -> None:
    enemy = draft.marker("enemy")
    _move(enemy, draft.one(draft.tiles("wall", room=draft.table["rooms"][enemy["room"]])))


def enemy_in_the_void(draft: Draft) -> None:
    _move(draft.marker("enemy"), draft.one(draft.tiles("void")))


def chest_in_a_pit(draft: Draft) -> None:
    chest = draft.marker("chest", "item", "pickup")
    draft.paint([(chest["x"], chest["y"])], "pit")


def item_under_a_rock(draft: Draft) -> None:
    item = draft.marker("item", "chest", "pickup")
    draft.paint([(item["x"], item["y"])], "rock", "decor")


def item_amid_rocks(draft: Draft) -> None:
    item = draft.marker("item", "chest", "pickup")
    around = [
        (item["x"] + dx, item["y"] + dy)
        for dx in (-2, -1, 0, 1, 2)
        for dy in (-2, -1, 0, 1, 2)
        if max(abs(dx), abs(dy)) == 2 and draft.name((item["x"] + dx, item["y"] + dy)) == "floor"
    ]
    taken = {(row["x"], row["y"]) for row in draft.markers()}
    if taken.intersection(around):
        raise Unfit
    draft.paint(around, "rock", "decor")


def two_on_one_tile(draft: Draft) -> None:
    room = draft.one({row["room"] for row in draft.markers("enemy")})
    one, other = (draft.one([row]) for row in [*draft.markers("enemy", room={"id": room}), None][:2])
    if other is None:
        raise Unfit
    _move(one, (other["x"], other["y"]))


def marker_of_another_room(draft: Draft) -> None:
    row = draft.marker("enemy", "chest", "item")
    row["room"] = draft.one(room["id"] for room in draft.rooms() if room["id"] != row["room"])


def marker_of_no_room(draft: Draft) -> None:
    draft.marker("enemy", "chest", "item")["room"] = None


def marker_of_room_and_hallway(draft: Draft) -> None:
    draft.marker("enemy")["hallway"] = draft.hallway()["id"]


def unicorn(draft: Draft) -> None:
    draft.marker("enemy", "chest", "item", "pickup")["kind"] = "unicorn"


def chest_called_a_boss(draft: Draft) -> None:
    draft.marker("chest", "item")["kind"] = "boss"


def markers_backwards(draft: Draft) -> None:
    draft.table["markers"].reverse()


def champions_though_there_are_none(draft: Draft) -> None:
    first(row for row in draft.markers("enemy") if row["properties"].get("champion") is not None)
    draft.marker("enemy")["properties"]["champion"] = True
    draft.table["spec"]["champions"] = 0


# --- what the rooms are ------------------------------------------------------------------------------

# A room kind, a field, and what it becomes: a value, or a number that is added.
ROOMS: dict[str, tuple[str, str, Any]] = {
    "difficulty_a_step_up": ("normal", "difficulty", {1: 5, 5: 10, 10: 5, 0: 1}),
    "difficulty_of_a_boss": ("boss", "difficulty", {0: 5}),
    "difficulty_of_3": ("normal", "difficulty", 3),
    "further_than_it_is": ("normal", "distance", "+1"),
    "deeper_than_it_is": ("normal", "depth", "+1"),
    "without_a_distance": ("boss", "distance", None),
    "shop_called_common": ("shop", "kind", "normal"),
    "boss_room_called_common": ("boss", "kind", "normal"),
    "common_room_called_boss": ("normal", "kind", "boss"),
    "common_room_called_shop": ("normal", "kind", "shop"),
    "treasure_called_shop": ("treasure", "kind", "shop"),
    "chest_room_called_common": ("chest", "kind", "normal"),
    "secret_room_called_common": ("secret", "kind", "normal"),
    "start_called_common": ("start", "kind", "normal"),
    "second_start_room": ("normal", "kind", "start"),
    "room_called_unicorn": ("normal", "kind", "unicorn"),
    "shape_of_9_by_9": ("normal", "shape", "9x9"),
    "room_in_limbo": ("normal", "zone", "limbo"),
    "room_of_another_number": ("normal", "id", "+1"),
}


def _room(kind: str, field: str, value: Any) -> Damage:
    def damage(draft: Draft) -> None:
        row = draft.room(kind)
        if isinstance(value, dict):
            row[field] = value.get(row[field], row[field])
        else:
            row[field] = row[field] + 1 if value == "+1" and row[field] is not None else value

    return damage


def layout_of_another_shape(draft: Draft) -> None:
    """Only grid styles have several shapes; a kit's own layouts are not in the level."""
    row = draft.one(row for row in draft.rooms("normal") if not row["layout"].startswith("own/"))
    row["layout"] = draft.one(
        other["layout"]
        for other in draft.rooms("normal")
        if other["shape"] != row["shape"] and not other["layout"].startswith("own/") and row["cells"]
    )


def layout_of_another_kind(draft: Draft) -> None:
    row = draft.room("normal")
    row["layout"] = draft.room("boss")["layout"]


def layout_that_is_not_there(draft: Draft) -> None:
    row = draft.one(row for row in draft.rooms("normal") if not row["layout"].startswith("own/"))
    row["layout"] = "normal/any/easy/no-such-room" if row["cells"] else "no-such-room"


CONTENT: dict[str, Damage] = {
    **{name: _value(*row) for name, row in VALUES.items()},
    **{name: _room(*row) for name, row in ROOMS.items()},
    **{
        damage.__name__: damage
        for damage in (
            enemies_removed,
            first_wave_removed,
            start_removed,
            bosses_removed,
            exits_removed,
            shopkeeper_removed,
            wares_removed,
            key_removed,
            torch_put_out,
            fire_put_out,
            second_start,
            second_boss,
            boss_in_a_common_room,
            fifty_enemies,
            start_with_enemies,
            enemy_in_the_shop,
            enemy_in_a_hallway,
            enemy_on_a_doorstep,
            enemy_in_a_wall,
            enemy_in_the_void,
            chest_in_a_pit,
            item_under_a_rock,
            item_amid_rocks,
            two_on_one_tile,
            marker_of_another_room,
            marker_of_no_room,
            marker_of_room_and_hallway,
            unicorn,
            chest_called_a_boss,
            markers_backwards,
            champions_though_there_are_none,
            layout_of_another_shape,
            layout_of_another_kind,
            layout_that_is_not_there,
        )
    },
}
