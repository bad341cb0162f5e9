"""A run: all stages of one seed, each made for what the player has seen and is likely to have by then.

    stage 1: spec, seed --floorplan, layouts--> memory, state --> stage 2: spec with both, seed --> ...

The memory of a stage is in its own spec, so each stage is an ordinary level that can be generated alone.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

from generator.errors import GenerationFailed, SpecError, shown
from generator.level import Level, Property
from generator.links import place_of
from generator.named_tuple import NamedTuple
from generator.pipeline import built
from generator.seeds import Seed
from generator.spec import LevelSpec, spec_of
from generator.spec.base import GameState, Values
from generator.styles.base import Plan, RunTables
from generator.styles.registry import style

if TYPE_CHECKING:
    from generator.keywords import SpecKeywords
    from generator.level import Level
    from generator.player import PlayedStage


CarriedTables: TypeAlias = Mapping[str, Mapping[str, Any]]  # keys and values of a spec's tables, by name


class RunStage(NamedTuple):
    """A stage as requested, before anything is carried over to it.

    `own` are dotted keys of the spec whose values are not replaced by carried ones: (("state.coins", 15),).
    """

    spec: LevelSpec
    seed: Seed
    own: tuple[tuple[str, Any], ...] = ()


class Run:
    """The stages of a run, in order. It is immutable, and levels are generated on demand.

    Iterate over it for its levels. Places count from 1. For the spec of a stage, the floorplans of the stages
    before it are generated and their layouts chosen, once. A stage that cannot be generated, or whose
    style has no runs, adds nothing: the next stage continues from the one before.
    """

    def __init__(self, stages: Iterable[RunStage], player: str | Path | None = None) -> None:
        """Hold the stages, and what the player did on some of them, from a file. Raises BadInput."""
        self.stages = tuple(stages)
        self._player = self._read(Path(player)) if player is not None else {}
        self._specs: list[LevelSpec] = []
        self._carried: CarriedTables = {}
        self._plan: tuple[int, Plan] | None = None  # the last floorplan made, and its place
        # The first level's place: a run may go on from a level of another.
        self._first = (place_of(self.stages[0].spec) if self.stages else 0) or 1

    def __len__(self) -> int:
        return len(self.stages)

    def __iter__(self) -> Iterator[Level]:
        return (self.level(place) for place in range(1, len(self) + 1))

    def spec(self, place: int) -> LevelSpec:
        """Return the spec of a stage, with its memory and state: `run.spec(3).state.coins`.

        `generate(run.spec(3), run.seed(3))` generates that stage alone. Raises SpecError for a place that the
        run does not have, or a bad spec, and LayoutError for a bad layout of your own.
        """
        self._check(place)
        while len(self._specs) < place:
            if self._specs:
                self._carried = _joined(self._carried, self._after(len(self._specs)))
            number = len(self._specs)
            spec = _with_carried(self.stages[number], self._carried)
            self._specs.append(_placed(spec, self._first + number, last=number + 1 == len(self)))
        return self._specs[place - 1]

    def seed(self, place: int) -> Seed:
        """Return the seed of a stage, as it was given."""
        self._check(place)
        return self.stages[place - 1].seed

    def level(self, place: int) -> Level:
        """Generate the level of a stage. Raises `generate`'s errors, and SpecError for an unknown place."""
        spec = self.spec(place)
        chosen = style(spec.style)
        return built(chosen, spec, *chosen.read_seed(self.seed(place)), self._planned(place))

    def number(self, place: int) -> int:
        """Return the stage at a place, or the place itself for a style whose specs have no stage."""
        return int(self.stages[place - 1].spec.to_dict().get("stage", place))

    def _read(self, player: Path) -> Mapping[int, PlayedStage]:
        from generator.player import StageOfRun, read_player

        places = range(1, len(self) + 1)
        return read_player(
            player, [StageOfRun(self.number(place), self.stages[place - 1].spec) for place in places]
        )

    def _planned(self, place: int) -> Plan:
        """Make the floorplan of a stage. Raises GenerationFailed."""
        if self._plan is None or self._plan[0] != place:
            spec = self.spec(place)
            chosen = style(spec.style)
            self._plan = place, chosen.plan(spec, chosen.read_seed(self.seed(place))[0])
        return self._plan[1]

    def _after(self, place: int) -> RunTables:
        """Return what a stage carries over, or nothing if it cannot be made."""
        spec = self._specs[place - 1]
        chosen = style(spec.style)
        if chosen.run_rules is None:
            return {}
        try:
            plan = self._planned(place)
            tables = chosen.run_rules.carry(spec, chosen.read_seed(self.seed(place))[0], plan)
        except GenerationFailed:
            return {}
        played = self._player.get(self.number(place))
        return played.after(spec, [room.kind for room in plan.rooms], tables) if played else tables

    def _check(self, place: object) -> None:
        if type(place) is not int or not 1 <= place <= len(self):
            raise SpecError(f"run: {shown(place)} is not a level of this run; give 1 to {len(self)}")


def run(
    spec: LevelSpec | str | Path,
    seed: Seed = None,
    *,
    player: str | Path | None = None,
    **values: Unpack[SpecKeywords],
) -> Run:
    """Return the run of a spec and a seed: the spec's stage and all stages after it, with one seed.

    `spec`, `seed` and `values` are those of `generate`. The spec of a level of a run continues that run.
    `player` is a TOML or JSON file that says what the player did on some stages. Raises SpecError for a bad
    spec or seed, and for a style without stages, and BadInput for a bad file.
    """
    first = spec_of(spec, values)
    chosen = style(first.style)
    if chosen.run_rules is None:
        raise SpecError(f"run: the style {first.style} has no stages; generate single levels, or use isaac")
    number, text = chosen.read_seed(seed)
    stages = chosen.run_rules.stages(first)
    return Run((RunStage(spec, number if text is None else text) for spec in stages), player)


def _joined(carried: CarriedTables, after: RunTables) -> CarriedTables:
    """Return what was carried before a stage, with the stage's own tables over it.

    What the stage's style or kit does not know stays as it was, for later stages that do.
    """
    tables = dict(carried)
    for name, values in after.items():
        own = {field.name for field in dataclasses.fields(values)}
        foreign = {key: value for key, value in carried.get(name, {}).items() if key not in own}
        tables[name] = {**foreign, **values.table()}
    return tables


def _with_carried(stage: RunStage, carried: CarriedTables) -> LevelSpec:
    """Return a stage's spec with what is carried over to it, as far as its style knows it."""
    rules = style(stage.spec.style).run_rules
    if rules is None:
        return stage.spec
    changes: dict[str, object] = {}
    for name, table in (carried or _joined({}, rules.begin(stage.spec))).items():
        known = _keys_of(stage.spec, name)
        if known:
            changes[name] = {key: value for key, value in table.items() if key in known}
    return stage.spec.replace({**changes, **dict(stage.own)})


def _placed(spec: LevelSpec, place: int, *, last: bool) -> LevelSpec:
    """Return a stage's spec with its place in the run, as far as its memory has one."""
    memory = getattr(spec, "memory", None)
    if not isinstance(memory, Values) or not place_of(spec):
        return spec
    known = {field.name for field in dataclasses.fields(memory)}
    values = {name: value for name, value in (("place", place), ("last", last)) if name in known}
    return dataclasses.replace(spec, memory=dataclasses.replace(memory, **values))  # type: ignore[call-arg]


def _keys_of(spec: LevelSpec, name: str) -> set[str]:
    """Return the keys of a spec's table, including the facts of its kit, or none without such a table."""
    values = getattr(spec, name, None)
    if not isinstance(values, Values):
        return set()
    return {*values.table(), *(spec.load_kit().rules.facts if isinstance(values, GameState) else ())}


# --- a summary: one row per level, and how often layouts are repeated --------------------------------

_USUAL = ("start", "normal")  # rooms that every stage has
UNCOUNTED = ("red",)  # passages that are solid until a red key opens them


@dataclass(frozen=True)
class StageSummary:
    """One level of a run: its number of rooms, and `new`, its drawn layouts that are new in this run.

    `repeats` are the rooms with a drawn layout that the run has shown before.
    `special_rooms` counts kinds; `state` is what the player is likely to have when it begins. `fights` are
    the rooms with enemies, `cost` says how dangerous all enemies are together.
    """

    stage: int
    chapter: str
    curse: str
    rooms: int
    new: int
    repeats: int
    special_rooms: Mapping[str, int]
    bosses: tuple[str, ...]
    mini_bosses: tuple[str, ...]
    enemies: int
    fights: int
    cost: int
    champions: int
    state: Mapping[str, Property]


@dataclass(frozen=True)
class RunSummary:
    """All levels of a run, and how often each drawn layout was used. Red rooms do not count."""

    stages: tuple[StageSummary, ...]
    layouts: Mapping[str, int]

    @property
    def rooms(self) -> int:
        """The total number of rooms."""
        return sum(stage.rooms for stage in self.stages)

    @property
    def repeats(self) -> float:
        """The share of rooms whose layout had been used before, 0 to 1."""
        return (sum(self.layouts.values()) - len(self.layouts)) / max(1, self.rooms)

    @property
    def most(self) -> int:
        """How often the most frequent layout was used."""
        return max(self.layouts.values(), default=0)

    def to_dict(self) -> dict[str, Any]:
        """Return the summary ready for JSON."""
        return {
            "rooms": self.rooms,
            "layouts": len(self.layouts),
            "repeats": round(self.repeats, 4),
            "most": self.most,
            "stages": [asdict(stage) for stage in self.stages],
        }


def run_summary(levels: Iterable[Level]) -> RunSummary:
    """Summarise the levels of a run, given in order. A level can be discarded once it is counted."""
    seen: Counter[str] = Counter()
    stages = []
    for number, level in enumerate(levels, 1):
        counted = [room for room in level.rooms if room.kind not in UNCOUNTED]
        drawn = (room.layout for room in counted if "/" in room.layout)  # else a procedure's name
        layouts = Counter(layout.partition("+")[0] for layout in drawn)
        new = len(layouts.keys() - seen.keys())
        stages.append(_stage(number, level, (len(counted), new, layouts.total() - new)))
        seen += layouts
    return RunSummary(tuple(stages), dict(seen))


def _stage(number: int, level: Level, counts: tuple[int, int, int]) -> StageSummary:
    spec, (rooms, new, repeats) = level.spec.to_dict(), counts
    state = spec.get("state")
    kinds = Counter(room.kind for room in level.rooms if room.kind not in (*_USUAL, *UNCOUNTED))
    enemies = [marker for marker in level.markers if marker.kind == "enemy"]
    rows = [level.kinds.enemies.get(str(enemy.properties.get("name"))) for enemy in enemies]
    return StageSummary(
        stage=spec.get("stage") or spec.get("memory", {}).get("place") or number,
        chapter=str(level.facts.get("chapter", "")),
        curse=str(level.facts.get("curse", "none")),
        rooms=rooms,
        new=new,
        repeats=repeats,
        special_rooms=dict(sorted(kinds.items())),
        bosses=_names(level, "boss"),
        mini_bosses=_names(level, "mini"),
        enemies=len(enemies),
        fights=len({enemy.room for enemy in enemies}),
        cost=sum(row.cost for row in rows if row),
        champions=sum(enemy.properties.get("champion") is True for enemy in enemies),
        state=state if isinstance(state, dict) else {},
    )


def _names(level: Level, rank: str) -> tuple[str, ...]:
    bosses = (marker.properties for marker in level.markers if marker.kind == "boss")
    return tuple(str(boss["name"]) for boss in bosses if boss.get("rank") == rank and "name" in boss)
