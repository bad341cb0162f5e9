"""The invariants of the flow of a level of the `gungeon` style, of its zones, and of its facts."""

from __future__ import annotations

from collections.abc import Iterator

from generator.checks.base import Problem, is_as_generated, problem
from generator.checks.record import wrong_facts
from generator.errors import GenerationFailed, SpecError, shown
from generator.files import is_digest
from generator.kinds import Kit, shipped_kit
from generator.level import Door, Level, Property, Room
from generator.styles.gates import gate_facts, gate_of
from generator.styles.gungeon.districts import looks_beside
from generator.styles.gungeon.flow_dealing import difficulty_of
from generator.styles.gungeon.flows.records import LED, QUIET_TAGS, RANDOM, WITHOUT_PLAN, Flow
from generator.styles.gungeon.injections import FACT
from generator.styles.gungeon.led import LED_FACTS
from generator.styles.gungeon.set_pieces import rooms_by_piece, told
from generator.styles.gungeon.spec import GungeonSpec, stage_seed


def has_flow(level: Level) -> bool:
    """Return whether a level follows a flow. Its facts name the flow."""
    assert isinstance(level.spec, GungeonSpec)
    return level.spec.flow != RANDOM and "flow" in level.facts


def is_led(level: Level) -> bool:
    """Return whether a level's spec or seed chooses `led`, also for a heap that is joined by chance."""
    assert isinstance(level.spec, GungeonSpec)
    flow = level.spec.flow
    if "flow" in level.facts or flow in WITHOUT_PLAN:
        return "flow" not in level.facts and flow == LED
    from generator.styles.gungeon.flows.library import chosen_name  # few levels have a flow

    return chosen_name(flow, stage_seed(level.spec, level.seed), is_saved=True) == LED


def loops_as_facts_say(level: Level) -> Iterator[Problem]:
    """Check that the facts count the connections beyond a spanning tree, and name the chapter, if any.

    For a flow they give its name, the chapters and floors of its zones, and the numbers of keys, locks and
    one-way doors, for a led level the rules that rooms break, or why it is not led.
    """
    assert isinstance(level.spec, GungeonSpec)
    expected: dict[str, Property] = {"loops": len(level.hallways) - len(level.rooms) + 1}
    if level.spec.chapter != "none":
        expected["chapter"] = level.spec.chapter
    if is_led(level):
        expected |= {name: level.facts[name] for name in LED_FACTS if name in level.facts}
    expected |= {name: fact for name, fact in level.facts.items() if name == FACT}
    expected |= told(rooms_by_piece([room.layout for room in level.rooms]))
    if level.spec.districts != "none":
        expected |= {name: fact for name, fact in level.facts.items() if name.startswith("zone.")}
    if has_flow(level):
        counted = gate_facts(level)
        # Versions up to 0.2 did not record shortcuts.
        expected |= {name: counted[name] for name in counted if name != "shortcuts" or name in level.facts}
        expected |= {name: fact for name, fact in level.facts.items() if name.startswith("zone.")}
        expected["flow"] = _flow_at_hand(level) or level.facts["flow"]
    for message in wrong_facts(level, expected):
        yield problem(loops_as_facts_say, "facts", message)


def zones_are_of_rooms(level: Level) -> Iterator[Problem]:
    """Check that facts of zones are about zones with rooms, and that districts are numbered from 1.

    A district has the look of a chapter beside the level's own one. A flow says itself which zones there are:
    a shipped one that grows into the same kinds of rooms now, for which rooms, and how difficult they are.
    """
    assert isinstance(level.spec, GungeonSpec)
    zones = {room.zone for room in level.rooms} - {""}
    if not is_as_generated(level):
        return
    if has_flow(level):
        for room, message in _strays_from_flow(level):
            yield problem(zones_are_of_rooms, f"room {room.id}", message)
        return
    for name in level.facts:
        if name.startswith("zone.") and name.split(".")[1] not in zones:
            yield problem(zones_are_of_rooms, f"facts.{name}", "is about a zone without rooms")
    districts = {f"district_{number + 1}" for number in range(len(zones))}
    for room in level.rooms:
        if room.zone not in (districts or {""}):
            message = f"is in the zone {shown(room.zone)}, which is no district"
            yield problem(zones_are_of_rooms, f"room {room.id}", message)
    looks = looks_beside(level.spec) if level.spec.rules_at_hand() else ()
    for zone in sorted(zones):
        if looks and level.look_of_zone(zone) not in ("", *looks):
            message = f"{shown(level.look_of_zone(zone))} is not among {', '.join(looks)}"
            yield problem(zones_are_of_rooms, f"facts.zone.{zone}.look", message)


def _strays_from_flow(level: Level) -> Iterator[tuple[Room, str]]:
    """Yield rooms with another zone or difficulty than the flow gives them, and what it gives."""
    flow = _grown_flow(level)
    if flow is None or [room.kind for room in flow.rooms] != [
        room.kind for room in level.rooms[: len(flow.rooms)]
    ]:
        return
    for room, planned in zip(level.rooms, flow.rooms, strict=False):
        if room.zone != planned.zone:
            yield room, f"is in the zone {shown(room.zone)}, but the flow says {shown(planned.zone)}"
        is_quiet = not QUIET_TAGS.isdisjoint(planned.tags)
        difficulty = 0 if is_quiet else difficulty_of(planned)
        if room.kind == "normal" and (difficulty or is_quiet) and room.difficulty != difficulty:
            yield room, f"has difficulty {room.difficulty}, but the flow says {difficulty}"


def _grown_flow(level: Level) -> Flow | None:
    """Return a level's flow, grown by its seed. None if it is a file, of which the level has the digest."""
    from generator.styles.gungeon.flows.library import chosen_flow, chosen_name
    from generator.styles.gungeon.flows.records import shipped_flows

    assert isinstance(level.spec, GungeonSpec)
    seed = stage_seed(level.spec, level.seed)
    if chosen_name(level.spec.flow, seed, is_saved=True) not in shipped_flows():
        return None
    try:
        return chosen_flow(level.spec.flow, seed, kit_at_hand(level))
    except (SpecError, GenerationFailed):
        return None  # the kit, or this version, cannot grow it


def _flow_at_hand(level: Level) -> str:
    """Return what a level's flow calls itself. Empty if it is a file, of which the level has the digest."""
    from generator.styles.gungeon.flows.library import chosen_name, load_flow
    from generator.styles.gungeon.flows.records import shipped_flows

    assert isinstance(level.spec, GungeonSpec)
    name = chosen_name(level.spec.flow, stage_seed(level.spec, level.seed), is_saved=True)
    if is_digest(name):
        return ""
    return load_flow(name, kit_at_hand(level)).name if name in shipped_flows() else f"that of {name}"


def gate_kinds(level: Level, door: Door) -> set[str]:
    """Return the kinds that a gate's door may have. Empty for a door without a gate."""
    if kind := gate_of(door, level.kinds):
        return {kind}
    return {"secret"} if door.kind == "secret" and has_flow(level) else set()


def kit_at_hand(level: Level) -> Kit:
    """Return the level's kit, or the shipped one if the level has only the digest of its kit."""
    return shipped_kit() if level.spec.rules_at_hand() is None else level.spec.load_kit()
