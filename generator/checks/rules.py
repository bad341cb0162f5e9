"""The rules of all styles, in the order in which they are looked at, and what is to be known of each."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Flag, auto
from types import MappingProxyType

from generator.checks import doors, keys, markers, record, rooms, runs, tiles
from generator.checks.base import Check
from generator.checks.body import body_gets_everywhere, nobody_is_shut_off
from generator.checks.crossing import rooms_can_be_crossed


class _Trait(Flag):
    """What is to be known of a rule."""

    # Looks at markers or a person's record: two levels that differ in nothing else may differ here.
    MARKERS = auto()
    # A level may break it on purpose. With any other rule broken, it is damaged or cannot be walked.
    ALLOWABLE = auto()
    # The rows of a kit can break it. Only these are checked of every new level, in a small part of its time.
    ROWS = auto()


_PLAIN = _Trait(0)
MARKERS, ALLOWABLE, ROWS = _Trait.MARKERS, _Trait.ALLOWABLE, _Trait.ROWS

FIRST: tuple[Check, ...] = (record.numbers_stand_for_something,)
"""What all other rules rely on: valid numbers and references."""

_RULES: Mapping[Check, _Trait] = MappingProxyType(
    {
        record.tables_begin_with_nothing: _PLAIN,
        record.tables_are_of_the_kit: _PLAIN,
        record.marker_ids_count_up: MARKERS,
        record.seed_is_its_texts: MARKERS,
        record.rerolls_can_be_made_again: MARKERS,
        tiles.void_margin: _PLAIN,
        tiles.closed_walls: _PLAIN,
        tiles.ground_in_rooms: ALLOWABLE,
        tiles.walls_round_rooms: ALLOWABLE,
        tiles.things_apart: ALLOWABLE,
        tiles.things_on_ground: ALLOWABLE | ROWS,
        rooms.one_start: MARKERS,
        rooms.rooms_apart: ALLOWABLE,
        rooms.outlines_round_rooms: _PLAIN,
        rooms.bounds_are_tight: _PLAIN,
        rooms.distances_walked: ROWS,
        rooms.reached_on_foot: MARKERS,
        rooms.boss_is_far: ALLOWABLE,
        doors.doors_two_sided: _PLAIN,
        doors.doors_in_line: _PLAIN,
        doors.doors_lead_out: _PLAIN,
        doors.door_tiles_once: _PLAIN,
        doors.hallways_apart: ALLOWABLE,
        doors.hallways_join_doors: _PLAIN,
        doors.hallways_join_one_class: ALLOWABLE,
        doors.hallway_tiles_once: _PLAIN,
        markers.markers_are_as_declared: MARKERS | ALLOWABLE,
        markers.markers_in_rooms: MARKERS | ROWS,
        markers.markers_apart: MARKERS | ALLOWABLE | ROWS,
        markers.markers_on_ground: MARKERS | ALLOWABLE | ROWS,
        markers.lights_where_it_burns: MARKERS | ALLOWABLE | ROWS,
        markers.enemies_away_from_doors: MARKERS | ALLOWABLE | ROWS,
        markers.waves_count_from_one: MARKERS | ALLOWABLE,
        body_gets_everywhere: MARKERS,
        rooms_can_be_crossed: MARKERS | ALLOWABLE,
        nobody_is_shut_off: MARKERS | ALLOWABLE,
        keys.keys_fit_locks: MARKERS | ROWS,
        keys.nobody_gets_stuck: MARKERS,
        runs.exit_leads_on: MARKERS | ALLOWABLE,
    }
)
CHECKS: tuple[Check, ...] = (*FIRST, *_RULES)
"""The rules of all styles."""

REQUIRED: tuple[Check, ...] = (
    *FIRST,
    *(check for check, traits in _RULES.items() if ALLOWABLE not in traits),
)
"""What no level may break."""

WITHOUT_MARKERS: tuple[Check, ...] = tuple(check for check, traits in _RULES.items() if MARKERS not in traits)
"""The rules that look at no marker."""

OF_ROWS: tuple[Check, ...] = (
    markers.markers_suit_rooms,
    *(check for check, traits in _RULES.items() if ROWS in traits),
)
"""What the rows of a kit can break."""
