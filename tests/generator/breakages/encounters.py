"""Enemies that are not what the roster and the budget give, or that are unfair at the door."""

from __future__ import annotations

from generator import Level

from .base import (
    Breakage,
    Unfit,
    doors_of,
    first,
    found,
    inwards,
    markers_of,
    one_more_marker,
    own_half,
    rooms_of,
    with_marker,
    without,
)

LAST = {"name": "abyss_hulk", "role": "brute", "flies": False, "wakes_after": 0.0}


def enemy_three_steps_from_a_door(level: Level) -> Level:
    room = first(rooms_of(level, "normal"))
    door = first(door for door in doors_of(level, room) if door.rooms[0] == room.id)
    side, (x, y) = inwards(door), own_half(door)[0]
    enemy = first(markers_of(level, "enemy"))
    return one_more_marker(level, enemy, x=x + 4 * side.dx, y=y + 4 * side.dy, room=room.id)


def shooter_that_does_not_wait(level: Level) -> Level:
    enemy = first(enemy for enemy in markers_of(level, "enemy") if enemy.properties["wakes_after"])
    return with_marker(level, enemy.id, properties={**enemy.properties, "wakes_after": 0.0})


def enemy_of_an_unknown_kind(level: Level) -> Level:
    enemy = first(markers_of(level, "enemy"))
    return with_marker(level, enemy.id, properties={**enemy.properties, "name": "nobody"})


def enemy_without_a_kind(level: Level) -> Level:
    enemy = first(markers_of(level, "enemy"))
    about = {key: value for key, value in enemy.properties.items() if key != "name"}
    return with_marker(level, enemy.id, properties=about)


def walker_called_a_turret(level: Level) -> Level:
    enemy = first(enemy for enemy in markers_of(level, "enemy") if enemy.properties["role"] == "walker")
    return with_marker(level, enemy.id, properties={**enemy.properties, "name": "eye_stalk"})


def enemy_of_a_later_chapter(level: Level) -> Level:
    if level.spec.to_dict().get("stage", 1) > 10:
        raise Unfit
    enemy = min(markers_of(level, "enemy"), key=lambda enemy: level.rooms[enemy.room or 0].distance or 0)
    return with_marker(level, enemy.id, properties={**enemy.properties, **LAST})


def enemies_beyond_the_budget(level: Level) -> Level:
    enemy = first(markers_of(level, "enemy"))
    for _ in range(60):
        level = one_more_marker(level, enemy, properties={**enemy.properties, **LAST})
    return level


def first_wave_never_comes(level: Level) -> Level:
    """All enemies of a room are of the second wave."""
    room = first(rooms_of(level, "normal"))
    enemies = [each for each in markers_of(level, "enemy") if each.room == room.id]
    if not enemies:
        raise Unfit
    for enemy in enemies:
        level = with_marker(level, enemy.id, properties={**enemy.properties, "wave": 2})
    return level


def all_enemies_gone(level: Level) -> Level:
    if len([room for room in rooms_of(level, "normal") if room.difficulty]) < 4:
        raise Unfit
    return without(level, *markers_of(level, "enemy"))


BREAKAGES: tuple[Breakage, ...] = (
    *found("waves-count-from-one", first_wave_never_comes),
    *found("fights-have-enemies", all_enemies_gone),
    *found("fair-at-the-door", enemy_three_steps_from_a_door, shooter_that_does_not_wait),
    *found(
        "enemies-of-the-roster",
        enemy_of_an_unknown_kind,
        enemy_without_a_kind,
        walker_called_a_turret,
        enemy_of_a_later_chapter,
    ),
    *found("encounters-within-budget", enemies_beyond_the_budget),
)
