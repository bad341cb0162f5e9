"""Checks between the rules of special rooms, the rooms that they place and their styles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from generator.kinds.columns import unknown
from generator.kinds.conditions import unknown_facts
from generator.kinds.special_rooms import OtherRoom, SpecialRoomRow, chance_order, turn_of
from generator.kinds.style_names import (
    GRIDS,
    GUNGEON,
    ISAAC,
    REBIRTH,
    RED,
    STYLES,
    ULTRA_SECRET,
    style_problems,
)

if TYPE_CHECKING:
    from generator.kinds.kinds import Kinds
    from generator.kinds.rules import Rules


START = "start"
_FIXED = (START, "normal", "boss")  # rooms that every style places itself


def special_room_problems(rules: Rules, kinds: Kinds) -> Iterator[str]:
    """Find everything that is wrong between the rules."""
    names = list(dict.fromkeys(row.name for row in rules.special_rooms))
    rooms = list(kinds.rooms)
    standing = {style: _standing(rules.special_rooms, kinds, style) for style in STYLES}
    for row in rules.special_rooms:
        label = f"special_room.{row.name}"
        wrong = [
            unknown("room kind", room, rooms, f"{label}.{key}")
            for key, room in (("room", row.room), ("becomes", row.other), ("place", row.beside))
            if room and room not in kinds.rooms
        ]
        yield from wrong
        if not wrong:
            yield from _room_problems(row, label)
            yield from _place_problems(row, kinds, label)
            yield from _beside_problems(row, kinds, standing, label)
        yield from _style_problems(row, label)
        yield from key_problems(row, rules.shipped_rules, label)
        if row.before and row.before not in names:
            yield unknown("special room", row.before, names, f"{label}.before")
        elif row.before:
            yield from _before_problems(row, rules.special_rooms, standing, label)
        for key, fact in _facts_of(row):
            yield from unknown_facts(rules.known_facts, [fact], f"{label}.{key}")


def _facts_of(row: SpecialRoomRow) -> Iterator[tuple[str, str]]:
    """Yield the facts that a rule tests, each with the key that tests it."""
    other = row.becomes or OtherRoom("")
    rolls = [(key, roll) for key, roll in (("again", row.again), ("becomes.again", other.again)) if roll]
    conditions = [
        *(("only", condition) for condition in row.only),
        *(("needs", condition) for condition in row.needs),
        *(("becomes.needs", condition) for condition in other.needs or ()),
        *((key, roll.when) for key, roll in rolls),
        *([("passes", row.passes)] if row.passes else ()),
    ]
    yield from ((key, condition.fact) for key, condition in conditions)
    chances = [(key, roll.chance) for key, roll in rolls]
    for key, chance in (("chance", row.chance), *chances, ("becomes", other.chance)):
        fact = chance.split("/")[0]
        if not fact.isdigit():
            yield key, fact


def _style_problems(row: SpecialRoomRow, label: str) -> Iterator[str]:
    if not row.styles:
        yield f"{label}.styles: is empty; leave the key out for all styles, or the whole row for none"
    yield from style_problems(row.styles, f"{label}.styles")


def _room_problems(row: SpecialRoomRow, label: str) -> Iterator[str]:
    """Find rooms that no rule can place, that turn into themselves, or that must come but never can."""
    for key, name in (("room", row.room), ("becomes", row.other)):
        if name == START:
            yield f"{label}.{key}: a level has only one room.{START}, which its style places; give another"
        elif name in _FIXED:
            yield f"{label}.{key}: room.{name} is placed by the style itself; give another"
    if row.other == row.room:
        yield f"{label}.becomes: is room.{row.room} itself; give another kind"


def _place_problems(row: SpecialRoomRow, kinds: Kinds, label: str) -> Iterator[str]:
    """Find kinds that may not be where a row places them."""
    for name in dict.fromkeys((row.room, row.other or row.room)):
        kind = kinds.rooms[name]
        if kind.secret and not row.is_hidden:
            yield f'{label}.place: only secret doors lead to room.{name}; give place = "secret"'
        if row.is_hidden and not kind.secret:
            yield (
                f"{label}.place: {row.place} is for rooms that only secret doors lead to; give room.{name} "
                "secret = true, or another place"
            )
        if row.place == "on_the_way" and kind.off_the_way:
            yield (
                f"{label}.place: room.{name} is off the way, but a room on_the_way has several doors; give "
                "another place, or remove off_the_way from the room's row"
            )
    if row.place == ULTRA_SECRET and RED not in kinds.rooms:
        yield f"{label}.place: red rooms lead to it; add [room.{RED}], or give another place"
    if row.place == ULTRA_SECRET and set(row.styles) != {REBIRTH}:
        yield f'{label}.styles: only {REBIRTH} has ultra secret rooms; give styles = ["{REBIRTH}"]'
    if row.is_hidden and GUNGEON in row.styles:
        yield f"{label}.styles: the style {GUNGEON} has no secret rooms; leave it out"
    if row.has_own_dice and row.place == ULTRA_SECRET:
        yield f"{label}.place: {row.place}: only the game places these rooms; give another place"


# --- beside others -----------------------------------------------------------------------------------


def _standing(rows: Iterable[SpecialRoomRow], kinds: Kinds, style: str) -> frozenset[str]:
    """Collect the kinds of a style's levels: its own, and those of rules whose neighbours exist."""
    standing = {
        *_FIXED,
        *(name for name, row in kinds.rooms.items() if style == GUNGEON and GUNGEON in row.styles),
    }
    left = [row for row in rows if style in row.styles]
    before = -1
    while len(standing) > before:
        before = len(standing)
        for row in left:
            if not row.beside or row.beside in standing:
                standing |= {row.room, row.other or row.room}
    return frozenset(standing)


def _beside_problems(
    row: SpecialRoomRow, kinds: Kinds, standing: dict[str, frozenset[str]], label: str
) -> Iterator[str]:
    """Find rows whose room is placed beside a kind that levels of the style cannot have."""
    if not row.beside:
        return
    if kinds.rooms[row.beside].secret:
        yield f"{label}.place: only secret doors lead to room.{row.beside}; give another kind"
        return
    lacking = [style for style in row.styles if row.beside not in standing.get(style, (row.beside,))]
    if lacking and (row.must or len(lacking) == len(row.styles)):
        subject = "no other rule" if row.beside == row.room else "no rule"
        yield (
            f"{label}.place: {subject} places room.{row.beside} in {_listed(lacking)}, so no room can be "
            "beside it; give another kind"
            + (", or leave these styles out" if len(lacking) < len(row.styles) else "")
        )
    grids = [style for style in row.styles if style in GRIDS]
    both = kinds.rooms[row.beside].off_the_way and kinds.rooms[row.room].off_the_way
    if grids and both and (row.must or len(grids) == len(row.styles)):
        yield (
            f"{label}.place: room.{row.room} and room.{row.beside} have one door each in {_listed(grids)}, "
            "so they cannot be neighbours; remove off_the_way from one of them, or give another place"
        )


# --- before others -----------------------------------------------------------------------------------


def _before_problems(
    row: SpecialRoomRow,
    rows: tuple[SpecialRoomRow, ...],
    standing: dict[str, frozenset[str]],
    label: str,
) -> Iterator[str]:
    """Find rows placed before themselves, or before a row that their styles do not have."""
    following = {rule.name: rule.before for rule in reversed(rows)}
    seen = [row.name]
    while seen[-1] in following and following[seen[-1]] and len(seen) <= len(following):
        seen.append(following[seen[-1]])
        if seen[-1] == row.name:
            circle = " before ".join(seen)
            yield f"{label}.before: {circle} is an endless circle; leave one of them out"
            return
    for style in row.styles:
        rules = [rule for rule in rows if rule.name == row.before and style in rule.styles]
        if style == GUNGEON:
            rules += [rule for rule in rows if rule.name == row.before and rule.room in standing[GUNGEON]]
        if style not in STYLES or (style != REBIRTH and rules):
            yield from _turn_problems(row, rows, label)
            return
    yield (
        f"{label}.before: no rule {row.before} counts in {_listed(row.styles)}; only {ISAAC} and {GUNGEON} "
        "order their rules; give one of their rules, or leave the key out"
    )


def _turn_problems(row: SpecialRoomRow, rows: tuple[SpecialRoomRow, ...], label: str) -> Iterator[str]:
    """Find rows without a turn before another in `isaac`, where rows with a chance take dead ends in turn."""
    if ISAAC not in row.styles or not row.has_own_dice:
        return
    remedy = f"leave the key out, or {ISAAC} out of styles"
    if row.must:
        yield f"{label}.before: in {ISAAC} a rule with must cannot come before others; {remedy}"
    elif row.place != "dead_end":
        place = f"only rooms at a dead_end have an order, not at {row.place}"
        yield f"{label}.before: in {ISAAC} {place}; {remedy}"
    elif turn_of(row) not in (order := chance_order(rows)):
        names = _listed(dict.fromkeys(name for name, _ in order)) if order else "none"
        yield f"{label}.before: {row.before} has no order in {ISAAC}; choose one of {names}, {remedy}"


def _listed(styles: Iterable[str]) -> str:
    *most, last = styles
    return f"{', '.join(most)} and {last}" if most else last


# --- keys that have no effect or contradict each other -----------------------------------------------


def key_problems(row: SpecialRoomRow, shipped: Sequence[SpecialRoomRow], label: str) -> Iterator[str]:
    """Find conflicts between the keys of a rule. `shipped` are the rules that use their style's dice."""
    if not row.has_own_dice:
        if row._replace(becomes=None) not in [rule._replace(becomes=None) for rule in shipped]:
            yield f"{label}.dice: only shipped rules use their style's dice; leave the key out"
        return
    if row.must and not _is_certain(row.chance):
        yield (
            f"{label}.chance: {row.chance} cannot be used with must = true, which needs no chance; leave "
            "one out"
        )
    if row.must and row.again:
        yield f"{label}.again: cannot be used with must = true, which needs no chance; leave one out"
    if row.in_labyrinth != 1:
        yield (
            f"{label}.in_labyrinth: {row.in_labyrinth} is only for shipped rules; leave it out, and "
            f'give another [[special_room.{row.name}]] only = ["labyrinth"], or one only = ["not labyrinth"]'
        )
    for key, value in (("passes", row.passes), ("draws", row.draws)):
        if value:
            yield (
                f"{label}.{key}: is about the game's own draws in {REBIRTH}, which your own rules do not "
                "take part in; leave the key out"
            )


def _is_certain(chance: str) -> bool:
    first, _, second = chance.partition("/")
    return first.isdigit() and int(first) >= int(second)
