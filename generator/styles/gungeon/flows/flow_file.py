"""A flow's file: its keys, which its JSON Schema is made from, and its reader.

It reads strictly, within limits, and names the place of whatever is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from generator.errors import SpecError, hint, shown
from generator.files import parsed_toml
from generator.interiors.chapters import chapter_names
from generator.json_schema import TRUTH, JsonSchema, documented, fields, listed, matching, whole
from generator.kinds import DIFFICULTIES, Kit, shipped_kit
from generator.kinds.kind_tables import MAX_PRICE
from generator.kinds.rule_checks import KEY as KEY_MARKER
from generator.node import MAX_TEXT, Node
from generator.styles.gungeon.flows.records import (
    GAUNTLET,
    MAX_CONNECTIONS,
    QUIET_TAGS,
    Flow,
    FlowConnection,
    FlowKey,
    FlowLock,
    FlowRoom,
    FlowRule,
    Pacing,
    RuleUse,
    Zone,
)
from generator.styles.gungeon.flows.relations import PLACES, RELATIONS, Relation, contradiction
from generator.styles.gungeon.furnishing.kit_tables import gungeon_kind, gungeon_kinds
from generator.value_words import how_many

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
MAX_KEYS = 100  # in one room, or copies of one
MAX_NEEDS = 12  # kinds of keys for one lock
MAX_RULES = 50
MAX_RELATED = 20  # rooms that a relation names
MAX_TIMES = 20  # the most times that a rule is applied
MAX_WEIGHT = 100  # of a rule
MAX_GROWN = 300  # rooms, those of rules included

_TEXT: JsonSchema = {"type": "string", "maxLength": MAX_TEXT}
_ID, _NAME = matching(ID), matching(NAME)
_NAMED = {"type": "string", "maxLength": 64}  # a name that is defined elsewhere
_COSTS = {"type": "object", "additionalProperties": whole(1, MAX_PRICE), "minProperties": 1}
_NAMES: JsonSchema = {"anyOf": [_NAMED, listed(_NAMED, 1, MAX_RELATED)]}

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
    "at": documented("where in the level it is", {"type": "string", "enum": list(PLACES)}),
    "beside": documented("a room that it is near to, or several", _NAMES),
    "not_beside": documented("a room that it is not near to, or several", _NAMES),
    "between": documented("two rooms that it is between", listed(_NAMED, 2, 2)),
    "far_from": documented("a room that it is far away from, or several", _NAMES),
}
CONNECTION = {
    "path": documented("two rooms or more, each joined to the next", listed(_NAMED, 2, MAX)),
    "one_way": documented("it leads only from the first room to the second", TRUTH),
    "opens_from": documented("a shortcut: shut until the player opens it from this room", _NAMED),
    "secret": documented("whether its doors are secret", TRUTH),
    "joins": documented("the class of the exits that it joins; default: plain exits", _NAME),
}
LOCK = {
    "on": documented(
        "the two rooms of a connection; the lock is at the first room's door", listed(_NAMED, 2)
    ),
    "needs": documented(
        "the names of the keys that open it, or a table of names and how many; all of them are needed",
        {"anyOf": [listed(_NAMED, 1, MAX_NEEDS), _COSTS]},
    ),
    "optional": documented("whether the player may find a path around it", TRUTH),
}
KEY = {
    "name": documented("the key's name", _NAME),
    "room": documented("the room with the key; default: the generator hides it", _NAMED),
    "consumed": documented("whether a lock uses it up", TRUTH),
    "count": documented("how many copies of it there are", whole(1, MAX_KEYS)),
    "lever": documented("whether it is a lever, which is pulled instead of carried", TRUTH),
    "must": documented("whether the player has it as soon as they are in its room, wanted or not", TRUTH),
}
_COUNT, _WEIGHT, _GROWN = whole(0, MAX_TIMES), whole(0, MAX_WEIGHT), whole(1, MAX_GROWN)
USE = {
    "name": documented("the name of a shipped rule, or of an own_rule in this file", _NAME),
    "on": documented("the kinds of the two rooms that it applies to, such as normal-normal", _TEXT),
    "times": documented(
        "how many times it is applied: a number, or least and most", {"anyOf": [_COUNT, listed(_COUNT, 2)]}
    ),
    "weight": documented(
        "how often it is picked until there are as many rooms as [grow] says: a number, or least and most",
        {"anyOf": [_WEIGHT, listed(_WEIGHT, 2)]},
    ),
    "inside": documented("a rule: this one only applies to connections that it has made", _NAMED),
}
GROW = {
    "rooms": documented(
        "at how many rooms its rules with a weight stop: a number, or least and most",
        {"anyOf": [_GROWN, listed(_GROWN, 2)]},
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
    "look": documented("the chapter in whose look it is drawn", {"type": "string"}),
}
TOP = {
    "flow": documented("the flow as a whole", fields({"name": documented("its name", _TEXT)}, ("name",))),
    "room": documented("a room; a flow has one start and at least one boss", {}),
    "connection": documented("rooms that are joined", {}),
    "lock": documented("a lock on a connection, and the keys that it needs", {}),
    "key": documented("a key, which opens locks", {}),
    "rule": documented("a rule that adds rooms to the plan", {}),
    "grow": documented("how far its rules with a weight go", fields(GROW, ("rooms",))),
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
    chapters = {"enum": list(chapter_names(kit or shipped_kit()))}
    zone = {**ZONE, **{key: {**ZONE[key], **chapters} for key in ("chapter", "look")}}
    tables = {"own_rule": rule, "zone": fields(zone)}
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


MAX_BYTES = 1 << 18


def parse_flow(text: str, where: str, shipped_rules: Mapping[str, FlowRule], kit: Kit) -> Flow:
    """Parse a flow from TOML, with the room kinds of a kit. `where` names it in messages.

    Raises SpecError.
    """
    table = parsed_toml(text, where, SpecError)
    root = FlowNode(table, where, is_file=True).only(TOP)
    top = {key: root.at(key, {} if key in _TABLES else []) for key in TOP}
    for key, head in (("flow", "[flow]"), ("room", "[[room]]"), ("connection", "[[connection]]")):
        if key not in table:
            raise SpecError(f"{where}: {head} is missing; give it")
    top["flow"].only(("name",), ("name",))
    zones = {name: _zone(name, node, kit) for name, node in top["zone"].pairs()}
    rooms = read_rooms(top["room"], tuple(zones), kit)
    ids = tuple(room.id for room in rooms)
    for kind, count in (("start", 1), ("boss", 0)):
        of_kind = [room.id for room in rooms if room.kind == kind]
        if not of_kind or (count and len(of_kind) > count):
            top["room"].fail(
                f"there are {len(of_kind)} {kind} rooms; give {'one' if count else 'at least one'}"
            )
    connections = tuple(_connections(top["connection"], ids))
    _check_pairs(connections, top["connection"])
    _check_numbers(connections, top["connection"])
    keys = tuple(_keys(top["key"], ids))
    own = {name: _rule(name, node, kit) for name, node in top["own_rule"].pairs()}
    rules, kinds = {**shipped_rules, **own}, tuple(gungeon_kinds(kit.kinds))
    uses = tuple(_use(node, rules, kinds) for node in top["rule"].items(MAX_RULES))
    if KEY_MARKER not in kit.kinds.markers:
        _refuse_keys(top["key"], top["rule"], [rules[use.name] for use in uses])
    budget = _budget(top["grow"]) if "grow" in table else None
    _check_budget(root, len(rooms), uses, rules, budget)
    _check_inside(root, uses)
    return Flow(
        name=top["flow"]["name"].line(),
        rooms=tuple(sorted(rooms, key=lambda room: room.kind != "start")),
        connections=connections,
        locks=tuple(_locks(top["lock"], ids, connections, keys)),
        keys=keys,
        uses=uses,
        rules=rules,
        pacing=_pacing(top["pacing"]),
        zones=zones,
        budget=budget,
        where=where,
    )


_TABLES = ("flow", "pacing", "zone", "own_rule", "grow")


def parse_rules(text: str, where: str) -> dict[str, FlowRule]:
    """Parse the rules of a TOML text, by name. Raises SpecError."""
    table = parsed_toml(text, where, SpecError)
    rules = FlowNode(table, where, is_file=True)["rule"]
    return {name: _rule(name, node, shipped_kit()) for name, node in rules.pairs()}


def _connections(node: FlowNode, ids: Sequence[str]) -> Iterator[FlowConnection]:
    for item in node.items(MAX):
        item.only(CONNECTION, NEEDED["connection"])
        path = [room.known(ids, "room") for room in item["path"].items(MAX)]
        if len(path) < 2:
            item["path"].fail("has fewer than two rooms; give the rooms that it joins, in order")
        one_way, secret = (item.at(key, False).truth() for key in ("one_way", "secret"))
        opens_from = item["opens_from"].known(path, "room of this path") if item.has("opens_from") else ""
        if one_way and opens_from:
            item.fail("is both one_way and a shortcut (opens_from); keep one of them")
        if secret and (one_way or opens_from):
            item["secret"].fail(
                f"cannot be used with {'one_way' if one_way else 'opens_from'}; leave one out"
            )
        joins = item["joins"].joins() if item.has("joins") else ""
        for a, b in pairwise(path):
            if a == b:
                item["path"].fail(f"joins {a} to itself")
            if opens_from not in ("", a, b):
                item["opens_from"].fail(
                    f"{opens_from} is not an end of {a} - {b}; write that connection as a path of its own"
                )
            yield FlowConnection(a, b, one_way, opens_from, secret, joins)


def _check_pairs(connections: Sequence[FlowConnection], node: FlowNode) -> None:
    seen: set[frozenset[str]] = set()
    for connection in connections:
        pair = frozenset((connection.a, connection.b))
        if pair in seen:
            node.fail(f"{connection.name} is given twice; two rooms have one connection")
        seen.add(pair)


def _check_numbers(connections: Sequence[FlowConnection], node: FlowNode) -> None:
    joined = Counter(room for connection in connections for room in (connection.a, connection.b))
    for room, count in joined.items():
        if count > MAX_CONNECTIONS:
            node.fail(f"room {room} has {count} connections; at most {MAX_CONNECTIONS} are allowed")


def _refuse_keys(keys: FlowNode, uses: FlowNode, rules: Sequence[FlowRule]) -> None:
    """Refuse the keys of a flow, and of the rules that it applies, with a kit that has no marker for them."""
    remedy = f"the kit has no marker for keys; add [marker.{KEY_MARKER}] to the kit, or leave"
    for key in keys.items():
        key.fail(f"{remedy} keys and locks out")
    for use, rule in zip(uses.items(), rules, strict=True):
        if rule.keys:
            use.fail(f"the rule adds keys, but {remedy} the rule out")


def _keys(node: FlowNode, ids: Sequence[str]) -> Iterator[FlowKey]:
    seen: dict[str, FlowKey] = {}
    in_room: Counter[str] = Counter()
    for item in node.items(MAX):
        item.only(KEY, NEEDED["key"])
        key = FlowKey(
            name=item["name"].name(),
            room=item["room"].known(ids, "room") if item.has("room") else "",
            consumed=item.at("consumed", False).truth(),
            copies=item.at("count", 1).number(1, MAX_KEYS),
            lever=item.at("lever", False).truth(),
            must=item.at("must", False).truth(),
        )
        first = seen.setdefault(key.name, key)
        if (first.consumed, first.lever) != (key.consumed, key.lever):
            item["name"].fail(f"{shown(key.name)} is consumed or a lever in one place but not in another")
        if key.lever and key.consumed:
            item["lever"].fail("a lever cannot be consumed; leave consumed out")
        if key.room:
            in_room[key.room] += key.copies
        if in_room[key.room] > MAX_KEYS:
            item["room"].fail(f"room {key.room} has {in_room[key.room]} keys; at most {MAX_KEYS} are allowed")
        yield key


def _locks(
    node: FlowNode, ids: Sequence[str], connections: Sequence[FlowConnection], keys: Sequence[FlowKey]
) -> Iterator[FlowLock]:
    joined = {frozenset((connection.a, connection.b)) for connection in connections}
    secret = {frozenset((connection.a, connection.b)) for connection in connections if connection.secret}
    locked: set[frozenset[str]] = set()
    for item in node.items(MAX):
        item.only(LOCK, NEEDED["lock"])
        on = [room.known(ids, "room") for room in item["on"].items(2)]
        if len(on) != 2 or frozenset(on) not in joined:
            item["on"].fail(f"{shown(on)} are not joined by a connection; give two rooms that are")
        if frozenset(on) in secret:
            item["on"].fail(f"{on[0]} - {on[1]} is secret and cannot have a lock; leave one of them out")
        if frozenset(on) in locked:
            item["on"].fail(f"{on[0]} - {on[1]} has two locks; put all keys in the needs of one")
        locked.add(frozenset(on))
        yield FlowLock((on[0], on[1]), _needs(item["needs"], keys), item.at("optional", False).truth())


def _needs(node: FlowNode, keys: Sequence[FlowKey]) -> tuple[str, ...]:
    """Read the keys of a lock: a list of names, or a table that says how many of each it uses up."""
    names = [key.name for key in keys]
    costs: Counter[str] = Counter()
    if isinstance(node.value, dict):
        for name, price in node.pairs(MAX_NEEDS):
            costs[FlowNode(name, node.place).known(names, "key")] = price.number(1, MAX_PRICE)
    elif isinstance(node.value, list):
        costs.update(key.known(names, "key") for key in node.items(MAX_NEEDS * MAX_PRICE))
    else:
        node.fail(f'{shown(node.value)} is neither a list nor a table; give ["gold_key"] or {{ coins = 3 }}')
    if not costs:
        node.fail("names no key; give one or more")
    if len(costs) > MAX_NEEDS:
        node.fail(f"names {len(costs)} keys; at most {MAX_NEEDS} are allowed")
    for name, count in costs.items():
        copies = [key for key in keys if key.name == name]
        there = sum(key.copies for key in copies)
        if count > 1 and not copies[0].consumed:
            node.fail(
                f"costs {count} {name}, but they are not used up; give the key consumed = true, or need 1"
            )
        if count > MAX_PRICE:
            node.fail(f"costs {count} {name}; at most {MAX_PRICE} are allowed")
        if count > there:
            node.fail(f"costs {count} {name}, but there are only {there}; give the key count = {count}")
    return tuple(costs.elements())


def _use(node: FlowNode, rules: Mapping[str, FlowRule], room_kinds: Collection[str]) -> RuleUse:
    node.only(USE, ("name",))
    name = node["name"].known(tuple(rules), "rule")
    for kind in (room.kind for room in rules[name].rooms if room.kind not in room_kinds):
        message = f"the rule {name} adds a {kind} room, and the kit has none in gungeon"
        node["name"].fail(f"{message}; give it room.{kind}.gungeon, or write a rule of your own")
    kinds = ("normal", "normal")
    if node.has("on"):
        first, dash, second = node["on"].text().partition("-")
        for kind in (first, second):
            if not dash or kind not in room_kinds:
                message = f"{shown(node['on'].value)} is not a pair of room kinds such as normal-normal"
                node["on"].fail(f"{message}; {hint(kind, tuple(room_kinds))}")
        kinds = first, second
    weight = _range(node["weight"], 0, MAX_WEIGHT, "weight") if node.has("weight") else None
    if weight == (0, 0):
        node["weight"].fail("is 0, so the rule is never picked; give 1 or more")
    times = (1, 1) if weight is None else (0, MAX_TIMES)
    if node.has("times"):
        times = _range(node["times"], 0, MAX_TIMES, "number of times")
    inside = node["inside"].known(tuple(rules), "rule") if node.has("inside") else ""
    return RuleUse(name, kinds, times, weight, inside)


def _range(node: FlowNode, least: int, most: int, noun: str) -> tuple[int, int]:
    """Read a number, or the least and the most."""
    value = node.value
    if isinstance(value, bool) or not isinstance(value, int | list):
        node.fail(f"{shown(value)} is not a {noun}; give a number, or the least and the most")
    low, high = (value, value) if isinstance(value, int) else node.pair(least, most)
    if not least <= low <= high <= most:
        node.fail(f"{shown(value)} is out of range ({least} to {most}, the least first)")
    return low, high


def _budget(node: FlowNode) -> tuple[int, int]:
    return _range(node.only(GROW, ("rooms",))["rooms"], 1, MAX_GROWN, "number of rooms")


def _check_budget(
    root: FlowNode,
    rooms: int,
    uses: Sequence[RuleUse],
    rules: Mapping[str, FlowRule],
    budget: tuple[int, int] | None,
) -> None:
    """Refuse weights without a budget, a budget without weights, and one that is spent from the start."""
    weighted = [number for number, use in enumerate(uses) if use.weight]
    if budget is None:
        if weighted:
            root["rule"].items()[weighted[0]]["weight"].fail(
                "needs a budget of rooms; add [grow] with rooms = [18, 24], or give times in place of weight"
            )
        return
    if not weighted:
        root["grow"].fail("no rule has a weight, so none is picked; give a rule weight = 1")
    spent = rooms + sum(
        len(rules[use.name].rooms) * (use.times[0] if use.weight else use.times[1]) for use in uses
    )
    if spent > budget[1]:
        root["grow"]["rooms"].fail(
            f"the flow's rooms and the times of its rules already make {spent}; give at least that many"
        )


def _check_inside(root: FlowNode, uses: Sequence[RuleUse]) -> None:
    """Refuse a rule inside one that is not applied, or only after it."""
    for number, use in enumerate(uses):
        if not use.inside:
            continue
        node = root["rule"].items()[number]["inside"]
        if not any(other.name == use.inside for other in uses):
            node.fail(f"no [[rule]] applies {use.inside}; add one, or leave it out")
        is_first = not use.weight or use.times[0]  # before those that are picked by weight
        if is_first and not any(other.name == use.inside for other in uses[:number]):
            node.fail(
                f"no rule {use.inside} comes before it, and rules apply in the order given; put one before"
            )


def _rule(name: str, node: FlowNode, kit: Kit) -> FlowRule:
    node.only(RULE, ("connection",))
    rooms = tuple(read_rooms(node.at("room", []), (), kit))
    ids = ("A", "B", *(room.id for room in rooms))
    if len(set(ids)) < len(ids):
        node["room"].fail("A and B are the rooms that the rule is applied to; choose other ids for new rooms")
    if any(room.relations for room in rooms):
        words = f"at, {', '.join(RELATIONS)}"
        node["room"].fail(f"rooms that a rule adds cannot say where they are ({words}); leave that out")
    if any(room.kind == "start" for room in rooms):
        node["room"].fail("a rule cannot add a start room; the flow has one")
    connections = tuple(_connections(node["connection"], ids))
    _check_numbers(connections, node["connection"])
    keeps = node.at("keeps", False).truth()
    joined = (*connections, FlowConnection("A", "B")) if keeps else connections
    _check_pairs(joined, node["connection"])
    keys = tuple(_keys(node.at("key", []), ids))
    locks = tuple(_locks(node.at("lock", []), ids, joined, keys))
    return FlowRule(FlowNode(name, f"{node.place} name").name(), keeps, rooms, connections, locks, keys)


def _pacing(node: FlowNode) -> Pacing:
    node.only(PACING)
    curve = tuple(beat.known(BEATS, "beat") for beat in node.at("curve", []).items(100))
    table = node.at("at_most_in_a_row", {}).only(("fight",))
    return Pacing(curve, {key: item.number(1, 100) for key, item in table.pairs()})


def _zone(name: str, node: FlowNode, kit: Kit) -> Zone:
    node.only(ZONE)
    return Zone(
        FlowNode(name, f"{node.place} name").name(),
        node["floor"].name() if node.has("floor") else "",
        node["chapter"].known(chapter_names(kit), "chapter") if node.has("chapter") else "",
        node["look"].known(chapter_names(kit), "chapter") if node.has("look") else "",
    )


# Reads the rooms of a flow's file: what they may ask for depends on whether they have fights.


def read_rooms(node: FlowNode, zones: Sequence[str], kit: Kit) -> list[FlowRoom]:
    """Read the rooms of a list of tables, with the room kinds of a kit. Raises SpecError."""
    kinds = tuple(gungeon_kinds(kit.kinds))
    rooms: list[FlowRoom] = []
    listed_rooms = [*node.items(MAX_ROOMS)]
    ids = [item.only(ROOM, NEEDED["room"])["id"].id() for item in listed_rooms]
    for item in listed_rooms:
        kind = item["kind"].known(kinds, "room kind")
        has_fights = gungeon_kind(kit.kinds, kind).has_fights
        tags = _tags(item.at("tags", []), kind, has_fights)
        room = FlowRoom(
            id=item["id"].id(),
            kind=kind,
            tags=tags,
            layout=item.at("layout", "").line(),
            zone=item["zone"].known(zones, "zone") if item.has("zone") else "",
            difficulty=_difficulty(item["difficulty"], kit) if item.has("difficulty") else 0,
            size=item["size"].known(SIZES, "size") if item.has("size") else "",
            relations=tuple(_relations(item, ids)),
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
        if any(room.id == earlier.id for earlier in rooms):
            item["id"].fail(f"{shown(room.id)} is the id of two rooms; give each room its own id")
        rooms.append(room)
    if problem := contradiction({room.id: room.relations for room in rooms}):
        node.fail(problem)
    return rooms


def _relations(node: FlowNode, ids: Sequence[str]) -> Iterator[Relation]:
    """Read where a room is to be. `ids` are those of all rooms."""
    if node.has("at"):
        yield Relation("at", (node["at"].known(tuple(PLACES), "place"),))
    for word in RELATIONS:
        if not node.has(word):
            continue
        named = node[word]
        items = [named] if isinstance(named.value, str) else [*named.items(MAX_RELATED)]
        others = tuple(item.known(tuple(ids), "room") for item in items)
        if node["id"].value in others:
            named.fail("names the room itself; give another room")
        if word == "between" and len(set(others)) != 2:
            named.fail(f"names {how_many(len(set(others)), 'room')}; give two")
        if not others:
            named.fail("names no room; give one or more, or leave it out")
        if len(set(others)) < len(others):
            named.fail("names a room twice; give each room once")
        yield Relation(word, others)


def _tags(node: FlowNode, kind: str, has_fights: bool) -> frozenset[str]:
    tags = frozenset(tag.name() for tag in node.items(MAX_TAGS))
    of_fights = sorted(tags & {GAUNTLET, *QUIET_TAGS})
    if of_fights and not has_fights:
        node.fail(f"a {kind} room has no fights, so {of_fights[0]} means nothing; leave it out")
    if GAUNTLET in tags and tags & QUIET_TAGS:
        node.fail(f"{GAUNTLET} cannot be used with {min(tags & QUIET_TAGS)}; leave one of them out")
    return tags


def _difficulty(node: FlowNode, kit: Kit) -> int:
    """Read a difficulty that a row of the kit's crowds has, by its name or number."""
    at_hand = {row.difficulty for row in kit.rules.crowds}
    names = {name: value for name, value in DIFFICULTIES.items() if value in at_hand}
    if isinstance(node.value, str) and node.value not in DIFFICULTIES:
        node.known(tuple(names), "difficulty")
    if isinstance(node.value, str) and node.value in names:
        return names[node.value]
    if type(node.value) is not int or node.value not in names.values():
        node.fail(f"{shown(node.value)} is not a difficulty; choose one of {', '.join(names)}")
    return node.value
