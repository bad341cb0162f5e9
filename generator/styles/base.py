"""What a style is: one record, just as a format has one `Exporter`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from generator.named_tuple import NamedTuple
from generator.seeds import ReadSeed, read_seed

if TYPE_CHECKING:  # listing the styles and their values must not import numpy
    from pathlib import Path

    from generator.batch.facts import Fact
    from generator.checks.base import Check
    from generator.geometry import Point
    from generator.json_schema import JsonSchema
    from generator.kinds import Kit
    from generator.level import Level, Property
    from generator.rerolls.draft import LevelDraft, RoomRoller
    from generator.spec import LevelSpec
    from generator.spec.base import Values
    from generator.styles.columns import PlanColumns


class PlanRoom(Protocol):
    """A room of a floorplan: the properties that `Room` has too."""

    @property
    def kind(self) -> str:
        """Its room kind."""

    @property
    def distance(self) -> int | None:
        """Rooms walked from the start without secret and red doors, or None if only such doors lead there."""

    @property
    def depth(self) -> int:
        """Its depth in the tree that grew the floorplan."""


class Plan(Protocol):
    """A floorplan: which rooms there are, and which are joined. Room 0 is the start."""

    @property
    def rooms(self) -> Sequence[PlanRoom]:
        """The rooms, in the order of their ids in the level."""

    @property
    def connections(self) -> Sequence[tuple[int, int]]:
        """Pairs of rooms, one for each connection that is neither secret nor red."""

    @property
    def extent(self) -> Point:
        """Width and height: in cells on a grid, otherwise in tiles."""

    @property
    def facts(self) -> Mapping[str, Property]:
        """What chance decided. The level repeats it in its `facts`."""

    @property
    def tries(self) -> int:
        """How many floorplans were made, this one included."""

    def picture(self) -> Mapping[Point, str]:
        """Return what is at each non-empty position (x, y): a room's kind, `wall`, `door` or `hallway`."""


RunTables = Mapping[str, "Values"]  # tables of a spec, by key: `memory`, `state`


class RunRules(NamedTuple):
    """How a style's stages make a run.

    `stages` gives the specs of a run, beginning with a spec's own stage; `begin` the tables that the first of
    them gets; and `carry` those that a stage (its spec, seed and floorplan) hands to the next one: what the
    player has met and is likely to have.
    """

    stages: Callable[[Any], Sequence[LevelSpec]]
    begin: Callable[[Any], RunTables]
    carry: Callable[[Any, int, Any], RunTables]


class Style(NamedTuple):
    """One style. Its functions import what they need when they are called, as listing styles must be cheap.

    `spec` is the class of its specs, whose `style` is the same name. `plan` makes the floorplan of a spec
    and a seed; `build` the level of a spec, a seed, the seed's text if it had one, and that floorplan. Both
    raise GenerationFailed after a counted number of tries.

    `checks` are the checks of its levels only, `facts` what `search` may ask of them beyond what it may ask
    of every level. `room_kinds`, `door_kinds` and `marker_kinds` are the kinds that only this style has.
    `roller` makes rooms of a finished level again; without one `reroll` refuses the style. `read_seed` turns
    what was typed into a seed. With `one_seed_per_run` all stages of a run have the same seed. A style
    without `run_rules` has no runs. `floorplans` makes the floorplans of many seeds at once, the same that
    `plan` makes, or returns None for a spec that it cannot handle. So does `plans`, for
    many seeds one by one: it returns a function from a seed to the floorplan that `plan` makes. `schemas`
    returns the JSON Schemas of the TOML files that its specs name, by name, for a kit or (None) for any kit.
    """

    name: str
    summary: str
    spec: type[LevelSpec]
    plan: Callable[[Any, int], Plan]
    build: Callable[[Any, int, str | None, Any], Level]
    checks: Callable[[], Sequence[Check]] = tuple
    facts: Callable[[], Sequence[Fact]] = tuple
    room_kinds: tuple[str, ...] = ()
    door_kinds: tuple[str, ...] = ()
    marker_kinds: tuple[str, ...] = ()
    roller: Callable[[LevelDraft, Any, str | Path], RoomRoller] | None = None
    read_seed: ReadSeed = read_seed
    one_seed_per_run: bool = False
    run_rules: RunRules | None = None
    floorplans: Callable[[Any, Sequence[int]], PlanColumns | None] | None = None
    plans: Callable[[Any], Callable[[int], Plan] | None] | None = None
    schemas: Callable[[Kit | None], Mapping[str, JsonSchema]] = lambda _: {}
