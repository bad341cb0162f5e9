"""What the player did on the stages of a run, read from a file: the next stage is made for it.

[[stage]]
stage = 2
took = { coins = 7, keys = 1, bloody_crown = true }
used = { keys = 2, red_hearts = 3 }
missed = ["treasure", "secret"]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from generator.errors import BadInput, SpecError
from generator.files import parsed_json, parsed_toml, read_bytes
from generator.interiors.layouts import OWN
from generator.kinds import Kit
from generator.named_tuple import NamedTuple
from generator.node import Node
from generator.spec import LevelSpec
from generator.spec.base import GameState
from generator.spec.game import Memory
from generator.styles.base import RunTables
from generator.styles.carry import in_range, ranges_of
from generator.styles.special_rooms import kit_facts

M = TypeVar("M", bound=Memory)

_MOST_BYTES = 1 << 20
_MOST_STAGES = 1000
_KEYS = ("stage", "took", "used", "missed")
_ON_THE_WAY = ("start", "normal", "boss")  # whoever goes on has been there
_SKIPPED = "treasure_rooms_skipped"
_ALWAYS = "1/1"


@dataclass(frozen=True)
class PlayedStage:
    """What the player did on one stage. `place` is where the file says so.

    `took` and `used` are values of the spec's table `state`: numbers are added and taken away, true means
    that the player has it from then on, or no longer. `missed` are kinds of rooms that were not entered.
    """

    place: str
    took: Mapping[str, Any]
    used: Mapping[str, Any]
    missed: Collection[str]

    def after(self, spec: LevelSpec, kinds: Iterable[str], tables: RunTables) -> RunTables:
        """Return what a stage with rooms of these kinds hands over to the next one.

        Raises SpecError if more is used than the player has.
        """
        before = getattr(spec, "state", None)
        changed: dict[str, Any] = dict(tables)
        if isinstance(before, GameState):
            changed["state"] = self._state(spec, before, Counter(kinds))
        memory, old = changed.get("memory"), getattr(spec, "memory", None)
        if isinstance(memory, Memory) and isinstance(old, Memory):
            changed["memory"] = self._remembered(old, memory)
        return changed

    def _state(self, spec: LevelSpec, state: GameState, kinds: Counter[str]) -> GameState:
        kit = spec.load_kit()
        before = {**state.table(), **kit_facts(kit, spec)}
        values = self._marked(kit, before, kinds)
        for key, value in self.took.items():
            values[key] = True if value is True else values[key] + value
        for key, value in self.used.items():
            if value is not True and value > values[key]:
                raise SpecError(
                    f"{self.place}.used.{key}: {value} is more than the {values[key]} that the player has by "
                    "then; give less, or add to took"
                )
            values[key] = False if value is True else values[key] - value
        ranges = {name: row.range for name, row in kit.rules.facts.items()} | ranges_of(state)
        values = in_range(before, values, ranges)
        own = tuple((name, values.pop(name)) for name in kit.rules.facts)
        return type(state)(**values, own=own)

    def _marked(self, kit: Kit, before: Mapping[str, Any], kinds: Counter[str]) -> dict[str, Any]:
        """Return the state with what rooms always leave behind, and the treasure rooms that were skipped."""
        values = dict(before)
        if _SKIPPED in values and "treasure" in self.missed:
            values[_SKIPPED] += kinds["treasure"]
        for kind in kinds.keys() - set(self.missed):
            for gift in kit.rules.carried.get(kind, ()):
                if gift.chance == _ALWAYS and not gift.needs:
                    marks = {**{key: True for key, value in gift.gives.items() if value is True}, **gift.sets}
                    values |= {key: value for key, value in marks.items() if key in values}
        return values

    def _remembered(self, before: Memory, memory: M) -> M:
        """Return the memory without the rooms that were missed, which a later stage may still show."""

        def entered(key: str, missed: Collection[str]) -> tuple[str, ...]:
            old = Counter(getattr(before, key))
            new = Counter(getattr(memory, key)) - old
            dropped = Counter({name: count for name, count in new.items() if _kind(name) in missed})
            return tuple(sorted((Counter(getattr(memory, key)) - dropped).elements()))

        return replace(
            memory,
            layouts=entered("layouts", self.missed),
            special_rooms=entered("special_rooms", self.missed),
            mini_bosses=before.mini_bosses if "mini_boss" in self.missed else memory.mini_bosses,
        )


def _kind(name: str) -> str:
    """Return the room kind of a layout's name, or a kind itself."""
    return name.removeprefix(OWN).partition("/")[0]


class StageOfRun(NamedTuple):
    """A stage that a file may tell of: its number, and its spec."""

    number: int
    spec: LevelSpec


def read_player(path: Path, stages: Iterable[StageOfRun]) -> Mapping[int, PlayedStage]:
    """Read what the player did, by the number of the stage, from a TOML or JSON file. Raises BadInput."""
    data = read_bytes(path, _MOST_BYTES, BadInput)
    read = parsed_json if path.suffix.lower() == ".json" else parsed_toml
    top = Node(read(data, str(path), BadInput), str(path), is_file=True)
    top.only(("stage",))
    specs = {stage.number: stage.spec for stage in stages}
    found: dict[int, PlayedStage] = {}
    for row in top.needed("stage", "add a row [[stage]] for each stage").items(_MOST_STAGES):
        row.only(_KEYS, ("stage",))
        number = row["stage"].number(min(specs), max(specs))
        if number in found:
            row["stage"].fail(f"{number} is there twice; keep one row for each stage")
        spec = specs[number]
        known = _values_of(spec)
        found[number] = PlayedStage(
            row.place,
            _changes(row.at("took", {}), known),
            _changes(row.at("used", {}), known),
            _missed(row.at("missed", []), spec),
        )
    return found


def _values_of(spec: LevelSpec) -> Mapping[str, int]:
    """Return what a player can take, with the most of each number, and 0 for what is true or false."""
    state = getattr(spec, "state", None)
    if not isinstance(state, GameState):
        raise SpecError(f"run: the style {spec.style} knows no state of a player; leave --player out")
    kit = spec.load_kit()
    ranges = {name: row.range for name, row in kit.rules.facts.items()} | ranges_of(state)
    truths = {key: 0 for key, value in state.table().items() if isinstance(value, bool)}
    return truths | {key: high for key, (_, high) in ranges.items()}


def _changes(node: Node, known: Mapping[str, int]) -> dict[str, Any]:
    node.only(known)
    changes: dict[str, Any] = {}
    for key, value in node.pairs():
        if known[key]:
            changes[key] = value.number(0, known[key])
        elif value.truth():
            changes[key] = True
    return changes


def _missed(node: Node, spec: LevelSpec) -> frozenset[str]:
    kinds = list(spec.load_kit().kinds.rooms)
    for each in node.items():
        if each.known(kinds, "room kind") in _ON_THE_WAY:
            each.fail(f"nobody gets further without a {each.value} room; give kinds of special rooms")
    return frozenset(each.text() for each in node.items())
