"""The keys of a flow's file, for both its reader and its JSON Schema."""

from __future__ import annotations

from generator.interiors.chapters import chapter_names
from generator.json_schema import TRUTH, JsonSchema, fields, listed, matching, told, whole
from generator.kinds import DIFFICULTIES, Kit
from generator.level_node import MOST_TEXT
from generator.styles.gungeon.flows.nodes import ID, NAME
from generator.styles.gungeon.room_kinds import heap_kinds

BEATS = ("fight", "breath", "foyer", "gauntlet", "reward", "boss")
SIZES = ("small", "medium", "large")
MOST = 1_000  # entries of a list
MOST_ROOMS = 200
MOST_TAGS = 20
MOST_KEYS = 12  # in one room, copies of one, or for one lock
MOST_RULES = 50
MOST_TIMES = 20  # the most times that a rule is applied

_TEXT: JsonSchema = {"type": "string", "maxLength": MOST_TEXT}
_ID, _NAME = matching(ID), matching(NAME)
_NAMED = {"type": "string", "maxLength": 64}  # a name that is defined elsewhere

ROOM = {
    "id": told("the room's name in this file", _ID),
    "kind": told("its room kind", _NAMED),
    "tags": told("hub, foyer, breath, gauntlet, or tags of layouts", listed(_NAME, 0, MOST_TAGS)),
    "layout": told("the layout that it has, such as normal/hubs/wheel", _TEXT),
    "zone": told("one of the file's zones", _NAMED),
    "difficulty": told("of its fights; else the further from the start, the harder", {}),
    "size": told("its size; else by chance", {"type": "string", "enum": list(SIZES)}),
}
CONNECTION = {
    "path": told("two rooms or more, each joined to the next", listed(_NAMED, 2, MOST)),
    "one_way": told("it leads from the first room to the second alone", TRUTH),
    "opens_from": told("a shortcut: shut until somebody opens it from that room", _NAMED),
    "secret": told("it has secret doors", TRUTH),
}
LOCK = {
    "on": told("the two rooms of a connection; the lock is at the first one's door", listed(_NAMED, 2)),
    "needs": told("the keys that open it, all of them", listed(_NAMED, 1, MOST_KEYS)),
    "optional": told("the player is allowed to get around it", TRUTH),
}
KEY = {
    "name": told("the key's name", _NAME),
    "room": told("where it is; otherwise the generator hides it", _NAMED),
    "consumed": told("one lock uses it up", TRUTH),
    "count": told("how many of them are there", whole(1, MOST_KEYS)),
    "lever": told("it is pulled, not carried", TRUTH),
}
_COUNT = whole(0, MOST_TIMES)
USE = {
    "name": told("the rule: a shipped one, or one of this file's own_rule", _NAME),
    "on": told("the kinds of the two rooms that it is for, such as normal-normal", _TEXT),
    "times": told("how often it is applied, or least and most", {"anyOf": [_COUNT, listed(_COUNT, 2)]}),
}
RULE = {
    "keeps": told("the connection of A and B stays", TRUTH),
    "drawing": told("a picture for people", {}),
    "room": told("the rooms that it adds", {}),
    "connection": told("the connections of A, B and its own rooms", {}),
    "lock": told("locks on these", {}),
    "key": told("keys in its own rooms", {}),
}
PACING = {
    "curve": told(
        "what one meets on the shortest way to the goal",
        listed({"type": "string", "enum": list(BEATS)}, 0, 100),
    ),
    "at_most_in_a_row": told("how many fights may follow one another", fields({"fight": whole(1, 100)})),
}
ZONE = {
    "floor": told("the theme's floor of its rooms", _NAME),
    "chapter": told("the chapter of its enemies", {"type": "string"}),
}
TOP = {
    "flow": told("the plan itself", fields({"name": told("its name", _TEXT)}, ("name",))),
    "room": told("a room; one start, and at least one boss", {}),
    "connection": told("rooms that are joined", {}),
    "lock": told("what a connection needs", {}),
    "key": told("what opens locks", {}),
    "rule": told("a rule that the plan grows by", {}),
    "own_rule": told("rules of this file's own, by name", {}),
    "pacing": told("what one meets on the way", fields(PACING)),
    "zone": told("rooms that share their looks and enemies, by name", {}),
}
NEEDED = {"room": ("id", "kind"), "connection": ("path",), "lock": ("on", "needs"), "key": ("name",)}


def flow_schema(kit: Kit | None = None) -> JsonSchema:
    """The schema of a flow's file; with a kit, only the kit's room kinds and chapters are allowed."""
    parts = _parts(kit)
    rule = fields({**RULE, **{key: {**RULE[key], **parts[key]} for key in NEEDED}}, ("connection",))
    use = fields(USE, ("name",))
    lists = {**parts, "rule": {"type": "array", "items": use, "maxItems": MOST_RULES}}
    chapter = {**ZONE["chapter"], "enum": list(chapter_names(kit))}
    tables = {"own_rule": rule, "zone": fields({**ZONE, "chapter": chapter})}
    keys = {
        **TOP,
        **{key: {**TOP[key], **one} for key, one in lists.items()},
        **{key: {**TOP[key], **_by_name(one)} for key, one in tables.items()},
    }
    what = "The plan of levels: named rooms, connections, locks, keys, and rules that grow it."
    return {
        "title": "Undercroft flow",
        "description": what,
        **fields(keys, ("flow", "room", "connection")),
    }


def _parts(kit: Kit | None) -> dict[str, JsonSchema]:
    """The lists that a flow and a rule both have."""
    room = dict(ROOM)
    names = [*DIFFICULTIES]
    if kit:
        at_hand = {row.difficulty for row in kit.rules.crowds}
        names = [name for name in names if DIFFICULTIES[name] in at_hand]
        room["kind"] = {**room["kind"], "enum": list(heap_kinds(kit.kinds))}
    room["difficulty"] = {**room["difficulty"], "enum": [*names, *(DIFFICULTIES[name] for name in names)]}
    rows = {"room": room, "connection": CONNECTION, "lock": LOCK, "key": KEY}
    return {
        key: listed(fields(row, NEEDED[key]), 0, MOST_ROOMS if key == "room" else MOST)
        for key, row in rows.items()
    }


def _by_name(one: JsonSchema) -> JsonSchema:
    return {"type": "object", "propertyNames": _NAME, "additionalProperties": one}
