"""Reads the rooms of a flow's file: what they may ask for depends on whether they have fights."""

from __future__ import annotations

from collections.abc import Sequence

from generator.errors import shown
from generator.kinds import DIFFICULTIES, Kit
from generator.styles.gungeon.flows.nodes import FlowNode
from generator.styles.gungeon.flows.records import GAUNTLET, QUIET_TAGS, FlowRoom
from generator.styles.gungeon.flows.schema import MOST_ROOMS, MOST_TAGS, NEEDED, ROOM, SIZES
from generator.styles.gungeon.room_kinds import heap_kind, heap_kinds


def read_rooms(node: FlowNode, zones: Sequence[str], kit: Kit) -> list[FlowRoom]:
    """The rooms of a list of tables, with the room kinds of a kit. Raises SpecError."""
    kinds = tuple(heap_kinds(kit.kinds))
    rooms: list[FlowRoom] = []
    for item in node.items(MOST_ROOMS):
        item.only(ROOM, NEEDED["room"])
        kind = item["kind"].known(kinds, "room kind")
        has_fights = heap_kind(kit.kinds, kind).furnisher == "battle"
        tags = _tags(item.at("tags", []), kind, has_fights)
        room = FlowRoom(
            id=item["id"].id(),
            kind=kind,
            tags=tags,
            layout=item.at("layout", "").line(),
            zone=item["zone"].known(zones, "zone") if item.has("zone") else "",
            difficulty=_difficulty(item["difficulty"], kit) if item.has("difficulty") else 0,
            size=item["size"].known(SIZES, "size") if item.has("size") else "",
        )
        if room.difficulty and not has_fights:
            item["difficulty"].fail(f"a {kind} room has no difficulty; leave it out")
        if room.difficulty and tags & QUIET_TAGS:
            item["difficulty"].fail(
                f"there are no fights in a {min(tags & QUIET_TAGS)}; leave one of them out"
            )
        if room.layout and room.size:
            item["size"].fail(
                "cannot be used with layout, which has a size of its own; leave one of them out"
            )
        if any(room.id == other.id for other in rooms):
            item["id"].fail(f"{shown(room.id)} is the id of two rooms; give each room its own id")
        rooms.append(room)
    return rooms


def _tags(node: FlowNode, kind: str, has_fights: bool) -> frozenset[str]:
    tags = frozenset(tag.name() for tag in node.items(MOST_TAGS))
    of_fights = sorted(tags & {GAUNTLET, *QUIET_TAGS})
    if of_fights and not has_fights:
        node.fail(f"a {kind} room has no fights, so {of_fights[0]} means nothing; leave it out")
    if GAUNTLET in tags and tags & QUIET_TAGS:
        node.fail(f"{GAUNTLET} cannot be used with {min(tags & QUIET_TAGS)}; leave one of them out")
    return tags


def _difficulty(node: FlowNode, kit: Kit) -> int:
    """A difficulty that a row of the kit's crowds has, by its name or number."""
    at_hand = {row.difficulty for row in kit.rules.crowds}
    names = {name: value for name, value in DIFFICULTIES.items() if value in at_hand}
    if isinstance(node.value, str) and node.value not in DIFFICULTIES:
        node.known(tuple(names), "difficulty")
    if isinstance(node.value, str) and node.value in names:
        return names[node.value]
    if type(node.value) is not int or node.value not in names.values():
        node.fail(f"{shown(node.value)} is not a difficulty; choose one of {', '.join(names)}")
    return node.value
