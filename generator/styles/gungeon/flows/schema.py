"""The keys of a flow's file, for both its reader and its JSON Schema."""

from __future__ import annotations

from generator.errors import SpecError
from generator.interiors.chapters import chapter_names
from generator.json_schema import TRUTH, JsonSchema, documented, fields, listed, matching, whole
from generator.kinds import DIFFICULTIES, Kit, shipped_kit
from generator.node import MAX_TEXT, Node
from generator.styles.gungeon.furnishing.kit_tables import gungeon_kinds

# A value of a flow's TOML: the types that only flows have.

ID = "[A-Za-z][A-Za-z0-9_]{0,31}"
NAME = "[a-z][a-z0-9_]{0,63}"


class FlowNode(Node):
    """A value of a flow's file."""

    __slots__ = ()
    error = SpecError

    def id(self) -> str:
        """Return the id of a room."""
        return self.matching(ID, "the id of a room; use up to 32 letters, digits and _")

    def name(self) -> str:
        """Return the name of a key, a rule, a zone or a tag."""
        return self.matching(NAME, "a name; use up to 64 of a-z, 0-9 and _")


BEATS = ("fight", "breath", "foyer", "gauntlet", "reward", "boss")
SIZES = ("small", "medium", "large")
MAX = 1_000  # entries of a list
MAX_ROOMS = 200
MAX_TAGS = 20
MAX_KEYS = 12  # in one room, copies of one, or for one lock
MAX_RULES = 50
MAX_TIMES = 20  # the most times that a rule is applied

_TEXT: JsonSchema = {"type": "string", "maxLength": MAX_TEXT}
_ID, _NAME = matching(ID), matching(NAME)
_NAMED = {"type": "string", "maxLength": 64}  # a name that is defined elsewhere

ROOM = {
    "id": documented("the room's name in this file", _ID),
    "kind": documented("its room kind", _NAMED),
    "tags": documented(
        "hub, foyer, breath or gauntlet, or tags of layouts to choose from", listed(_NAME, 0, MAX_TAGS)
    ),
    "layout": documented("its layout, such as normal/hubs/wheel", _TEXT),
    "zone": documented("its zone, one of those in this file", _NAMED),
    "difficulty": documented(
        "the difficulty of its fights; default: the further from the start, the harder", {}
    ),
    "size": documented("its size; default: by chance", {"type": "string", "enum": list(SIZES)}),
}
CONNECTION = {
    "path": documented("two rooms or more, each joined to the next", listed(_NAMED, 2, MAX)),
    "one_way": documented("it leads only from the first room to the second", TRUTH),
    "opens_from": documented("a shortcut: shut until the player opens it from this room", _NAMED),
    "secret": documented("whether its doors are secret", TRUTH),
}
LOCK = {
    "on": documented(
        "the two rooms of a connection; the lock is at the first room's door", listed(_NAMED, 2)
    ),
    "needs": documented(
        "the names of the keys that open it; all of them are needed", listed(_NAMED, 1, MAX_KEYS)
    ),
    "optional": documented("whether the player may find a path around it", TRUTH),
}
KEY = {
    "name": documented("the key's name", _NAME),
    "room": documented("the room with the key; default: the generator hides it", _NAMED),
    "consumed": documented("whether a lock uses it up", TRUTH),
    "count": documented("how many copies of it there are", whole(1, MAX_KEYS)),
    "lever": documented("whether it is a lever, which is pulled instead of carried", TRUTH),
}
_COUNT = whole(0, MAX_TIMES)
USE = {
    "name": documented("the name of a shipped rule, or of an own_rule in this file", _NAME),
    "on": documented("the kinds of the two rooms that it applies to, such as normal-normal", _TEXT),
    "times": documented(
        "how many times it is applied: a number, or least and most", {"anyOf": [_COUNT, listed(_COUNT, 2)]}
    ),
}
RULE = {
    "keeps": documented("whether the connection of A and B stays", TRUTH),
    "drawing": documented("a drawing of the rule, for people who read the file", {}),
    "room": documented("the rooms that it adds", {}),
    "connection": documented("the connections of A, B and the rooms that it adds", {}),
    "lock": documented("locks on these connections", {}),
    "key": documented("keys in the rooms that it adds", {}),
}
PACING = {
    "curve": documented(
        "what the player meets on the shortest path to the goal, in order",
        listed({"type": "string", "enum": list(BEATS)}, 0, 100),
    ),
    "at_most_in_a_row": documented(
        "how many fights may follow each other without a pause", fields({"fight": whole(1, 100)})
    ),
}
ZONE = {
    "floor": documented("the floor of its rooms, from the theme", _NAME),
    "chapter": documented("the chapter from which its enemies come", {"type": "string"}),
}
TOP = {
    "flow": documented("the flow as a whole", fields({"name": documented("its name", _TEXT)}, ("name",))),
    "room": documented("a room; a flow has one start and at least one boss", {}),
    "connection": documented("rooms that are joined", {}),
    "lock": documented("a lock on a connection, and the keys that it needs", {}),
    "key": documented("a key, which opens locks", {}),
    "rule": documented("a rule that adds rooms to the plan", {}),
    "own_rule": documented("your own rules, by name", {}),
    "pacing": documented("the order of fights and pauses on the way to the goal", fields(PACING)),
    "zone": documented("rooms that share their looks and enemies, by name", {}),
}
NEEDED = {"room": ("id", "kind"), "connection": ("path",), "lock": ("on", "needs"), "key": ("name",)}


def flow_schema(kit: Kit | None = None) -> JsonSchema:
    """Return the schema of a flow's file. With a kit, only its room kinds and chapters are allowed."""
    parts = _parts(kit)
    rule = fields({**RULE, **{key: {**RULE[key], **parts[key]} for key in NEEDED}}, ("connection",))
    use = fields(USE, ("name",))
    lists = {**parts, "rule": {"type": "array", "items": use, "maxItems": MAX_RULES}}
    chapter = {**ZONE["chapter"], "enum": list(chapter_names(kit or shipped_kit()))}
    tables = {"own_rule": rule, "zone": fields({**ZONE, "chapter": chapter})}
    keys = {
        **TOP,
        **{key: {**TOP[key], **schema} for key, schema in lists.items()},
        **{key: {**TOP[key], **_by_name(schema)} for key, schema in tables.items()},
    }
    description = "The plan of a level: named rooms, connections, locks, keys, and rules that add rooms."
    return {
        "title": "Undercroft flow",
        "description": description,
        **fields(keys, ("flow", "room", "connection")),
    }


def _parts(kit: Kit | None) -> dict[str, JsonSchema]:
    """Return the lists that a flow and a rule both have."""
    room = dict(ROOM)
    names = [*DIFFICULTIES]
    if kit:
        at_hand = {row.difficulty for row in kit.rules.crowds}
        names = [name for name in names if DIFFICULTIES[name] in at_hand]
        room["kind"] = {**room["kind"], "enum": list(gungeon_kinds(kit.kinds))}
    room["difficulty"] = {**room["difficulty"], "enum": [*names, *(DIFFICULTIES[name] for name in names)]}
    rows = {"room": room, "connection": CONNECTION, "lock": LOCK, "key": KEY}
    return {
        key: listed(fields(row, NEEDED[key]), 0, MAX_ROOMS if key == "room" else MAX)
        for key, row in rows.items()
    }


def _by_name(schema: JsonSchema) -> JsonSchema:
    return {"type": "object", "propertyNames": _NAME, "additionalProperties": schema}
