"""Markers that are not what they should be."""

from __future__ import annotations

from dataclasses import replace

from generator import Level
from generator.level import Property

from .base import (
    Breakage,
    Unfit,
    bare_floor,
    doors_of,
    first,
    found,
    inwards,
    last,
    markers_of,
    one_more_marker,
    own_half,
    rooms_of,
    tiles_of,
    with_decor,
    with_marker,
    with_spec,
    with_terrain,
    without,
)


def two_enemies_on_a_tile(level: Level) -> Level:
    return one_more_marker(level, first(markers_of(level, "enemy")))


def two_markers_on_a_tile(level: Level) -> Level:
    """A pickup where the boss is."""
    return one_more_marker(level, first(markers_of(level, "boss")), kind="pickup", properties={"item": "any"})


def enemy_in_a_wall(level: Level) -> Level:
    enemy = first(markers_of(level, "enemy"))
    assert enemy.room is not None
    x, y = first(tiles_of(level, "wall", room=level.rooms[enemy.room]))
    return with_marker(level, enemy.id, x=x, y=y)


def enemy_in_a_pit(level: Level) -> Level:
    enemy = last(markers_of(level, "enemy"))
    return with_terrain(
        with_marker(level, enemy.id, properties={**enemy.properties, "flies": False}),
        {(enemy.x, enemy.y): "pit"},
    )


def enemy_in_a_door(level: Level) -> Level:
    enemy = first(markers_of(level, "enemy"))
    assert enemy.room is not None
    x, y = first(
        door.tiles[0] for door in doors_of(level, level.rooms[enemy.room]) if enemy.room == door.rooms[0]
    )
    return with_marker(level, enemy.id, x=x, y=y)


def enemy_on_a_thing(level: Level) -> Level:
    enemy = first(markers_of(level, "enemy"))
    return with_decor(
        with_marker(level, enemy.id, properties={**enemy.properties, "flies": False}),
        {(enemy.x, enemy.y): "rock"},
    )


def chest_on_a_statue(level: Level) -> Level:
    chest = first(markers_of(level, "chest", "item", "pickup"))
    return with_decor(level, {(chest.x, chest.y): "statue"})


def flying_boss_in_a_wall(level: Level) -> Level:
    boss = first(markers_of(level, "boss"))
    assert boss.room is not None
    x, y = last(tiles_of(level, "wall", room=level.rooms[boss.room]))
    return with_marker(level, boss.id, x=x, y=y, properties={**boss.properties, "flies": True})


def enemy_out_of_reach(level: Level) -> Level:
    """Pits all round it."""
    for enemy in markers_of(level, "enemy"):
        ring = [(enemy.x + dx, enemy.y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
        if all(level.terrain[y, x] == 1 for x, y in ring):
            return with_terrain(level, dict.fromkeys(ring, "pit"))
    raise Unfit


def enemy_beside_a_door(level: Level) -> Level:
    room = first(rooms_of(level, "normal"))
    door = first(door for door in doors_of(level, room) if door.rooms[0] == room.id)
    side, (x, y) = inwards(door), own_half(door)[0]
    enemy = first(markers_of(level, "enemy"))
    return one_more_marker(level, enemy, x=x + 2 * side.dx, y=y + 2 * side.dy, room=room.id)


def enemy_beside_an_enemy(level: Level) -> Level:
    enemy = first(markers_of(level, "enemy"))
    return one_more_marker(level, enemy, x=enemy.x + 1)


def marker_of_another_room(level: Level) -> Level:
    marker = last(marker for marker in level.markers if marker.room)
    return with_marker(level, marker.id, room=0)


def marker_without_a_room(level: Level) -> Level:
    return with_marker(level, last(markers_of(level, "enemy")).id, room=None)


def marker_of_a_room_and_a_hallway(level: Level) -> Level:
    return with_marker(level, last(markers_of(level, "enemy")).id, hallway=0)


def marker_of_an_unknown_room(level: Level) -> Level:
    return with_marker(level, level.markers[1].id, room=len(level.rooms))


def marker_of_an_unknown_hallway(level: Level) -> Level:
    return with_marker(level, level.markers[1].id, hallway=len(level.hallways))


def marker_outside_of_the_level(level: Level) -> Level:
    return with_marker(level, level.markers[0].id, x=level.width)


def marker_ids_swapped(level: Level) -> Level:
    a, b, *rest = level.markers
    return replace(level, markers=(b, a, *rest))


def marker_ids_doubled(level: Level) -> Level:
    return with_marker(level, level.markers[1].id, id=level.markers[0].id)


def torch_far_from_its_hallway(level: Level) -> Level:
    torch = last(marker for marker in markers_of(level, "torch") if marker.hallway is not None)
    return with_marker(level, torch.id, hallway=0)


def player_twice(level: Level) -> Level:
    x, y = first(bare_floor(level, level.rooms[0]))
    return one_more_marker(level, first(markers_of(level, "player_start")), x=x, y=y)


def player_missing(level: Level) -> Level:
    return without(level, *markers_of(level, "player_start"))


def player_in_another_room(level: Level) -> Level:
    room = last(rooms_of(level, "normal"))
    x, y = first(bare_floor(level, room))
    return with_marker(level, markers_of(level, "player_start")[0].id, x=x, y=y, room=room.id)


def no_boss_in_the_boss_room(level: Level) -> Level:
    return without(level, *(marker for marker in markers_of(level, "boss")))


def no_way_out(level: Level) -> Level:
    return without(level, *markers_of(level, "exit"))


def shop_without_a_shopkeeper(level: Level) -> Level:
    first(rooms_of(level, "shop"))
    return without(level, *markers_of(level, "shopkeeper"))


def shop_without_wares(level: Level) -> Level:
    first(rooms_of(level, "shop"))
    return without(level, *markers_of(level, "ware"))


def enemy_in_the_start_room(level: Level) -> Level:
    x, y = first(bare_floor(level, level.rooms[0]))
    return one_more_marker(level, first(markers_of(level, "enemy")), x=x, y=y, room=0)


def boss_in_a_normal_room(level: Level) -> Level:
    room = first(room for room in rooms_of(level, "normal") if bare_floor(level, room))
    x, y = first(bare_floor(level, room))
    return one_more_marker(level, first(markers_of(level, "boss")), x=x, y=y, room=room.id)


def ware_in_the_start_room(level: Level) -> Level:
    x, y = first(bare_floor(level, level.rooms[0]))
    return one_more_marker(level, first(markers_of(level, "ware")), x=x, y=y, room=0)


def enemy_in_a_hallway(level: Level) -> Level:
    x, y = level.hallways[0].tiles[0]
    return one_more_marker(level, first(markers_of(level, "enemy")), x=x, y=y, room=None, hallway=0)


def torch_without_a_light(level: Level) -> Level:
    return without(level, first(markers_of(level, "torch")))


def fire_without_a_light(level: Level) -> Level:
    return without(level, first(markers_of(level, "fire")))


def light_without_a_torch(level: Level) -> Level:
    torch = last(markers_of(level, "torch"))
    return with_decor(level, {(torch.x, torch.y): "none"})


def light_of_a_fire_on_a_torch(level: Level) -> Level:
    return with_marker(level, first(markers_of(level, "torch")).id, kind="fire")


def injection_that_no_run_made(level: Level) -> Level:
    item = first(markers_of(level, "item"))
    return with_marker(level, item.id, properties={**item.properties, "injection": "captive_shopkeeper"})


def enemy_of_no_wave(level: Level) -> Level:
    enemy = first(markers_of(level, "enemy"))
    return with_marker(level, enemy.id, properties={**enemy.properties, "wave": -7})


def enemy_of_a_wave_with_a_name(level: Level) -> Level:
    enemy = first(markers_of(level, "enemy"))
    return with_marker(level, enemy.id, properties={**enemy.properties, "wave": "last"})


def enemy_of_a_wave_that_never_comes(level: Level) -> Level:
    enemy = first(markers_of(level, "enemy"))
    return with_marker(level, enemy.id, properties={**enemy.properties, "wave": 9})


def _with_property(level: Level, kind: str, name: str, value: Property | None) -> Level:
    """The first marker of a kind with another value of a property, or without it."""
    marker = first(markers_of(level, kind))
    properties = {key: kept for key, kept in marker.properties.items() if key != name}
    return with_marker(level, marker.id, properties=properties | ({} if value is None else {name: value}))


def boss_of_no_chapter(level: Level) -> Level:
    return _with_property(level, "boss", "name", "Grue")


def marker_of_no_kind(level: Level) -> Level:
    return with_marker(level, first(markers_of(level, "chest", "item")).id, kind="unicorn")


def chest_of_no_tier(level: Level) -> Level:
    return _with_property(level, "chest", "tier", "mithril")


def boss_of_no_rank(level: Level) -> Level:
    return _with_property(level, "boss", "rank", "grue")


def enemy_that_wakes_before_it_sleeps(level: Level) -> Level:
    return _with_property(level, "enemy", "wakes_after", -5.0)


def enemy_that_is_a_champion_by_name(level: Level) -> Level:
    return _with_property(level, "enemy", "champion", "yes")


def torch_without_a_colour(level: Level) -> Level:
    return _with_property(level, "torch", "color", None)


def torch_that_lights_the_world(level: Level) -> Level:
    return _with_property(level, "torch", "light_radius_tiles", 500)


def champion_where_the_spec_has_none(level: Level) -> Level:
    return with_spec(_with_property(level, "enemy", "champion", True), champions=0)


BREAKAGES: tuple[Breakage, ...] = (
    *found("markers-apart", two_enemies_on_a_tile, two_markers_on_a_tile),
    *found(
        "markers-on-ground",
        enemy_in_a_wall,
        enemy_in_a_pit,
        enemy_in_a_door,
        enemy_on_a_thing,
        chest_on_a_statue,
        flying_boss_in_a_wall,
    ),
    *found("reached-on-foot", enemy_out_of_reach),
    *found("enemies-away-from-doors", enemy_beside_a_door),
    *found("waves-count-from-one", enemy_of_no_wave, enemy_of_a_wave_with_a_name),
    *found("bosses-are-of-the-kit", boss_of_no_chapter),
    *found("waves-count-from-one", enemy_of_a_wave_that_never_comes),
    *found(
        "markers-are-as-declared",
        enemy_that_wakes_before_it_sleeps,
        enemy_that_is_a_champion_by_name,
        torch_that_lights_the_world,
    ),
    *found(
        "markers-are-known",
        marker_of_no_kind,
        chest_of_no_tier,
        boss_of_no_rank,
        torch_without_a_colour,
        champion_where_the_spec_has_none,
    ),
    *found("enemies-apart", enemy_beside_an_enemy, styles=("gungeon",)),
    *found("markers-in-rooms", marker_of_another_room, marker_without_a_room),
    *found(
        "markers-in-rooms",
        marker_of_a_room_and_a_hallway,
        torch_far_from_its_hallway,
        styles=("gungeon",),
    ),
    *found(
        "numbers-stand-for-something",
        marker_of_an_unknown_room,
        marker_of_an_unknown_hallway,
        marker_outside_of_the_level,
        marker_ids_swapped,
        marker_ids_doubled,
    ),
    *found("one-start", player_twice, player_missing, player_in_another_room),
    *found(
        "markers-suit-rooms",
        no_boss_in_the_boss_room,
        no_way_out,
        shop_without_a_shopkeeper,
        shop_without_wares,
        enemy_in_the_start_room,
        boss_in_a_normal_room,
        ware_in_the_start_room,
    ),
    *found("markers-suit-rooms", enemy_in_a_hallway, styles=("gungeon",)),
    *found("injections-as-facts-say", injection_that_no_run_made, styles=("gungeon",)),
    *found(
        "lights-where-it-burns",
        torch_without_a_light,
        fire_without_a_light,
        light_without_a_torch,
        light_of_a_fire_on_a_torch,
    ),
)
