"""The spec of the `gungeon` style."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from generator.errors import SpecError, shown, unknown
from generator.files import is_digest
from generator.interiors.chapters import chapter_names
from generator.kinds import Kit, shipped_kit
from generator.kinds.chapters import STAGES
from generator.spec.base import LevelSpec, Values, grouped
from generator.spec.game import MAX_SEEN, Memory, State, Texts
from generator.styles.gungeon.flows.records import LED, RANDOM, WITHOUT_PLAN, shipped_flows
from generator.styles.gungeon.furnishing.kit_tables import (
    GUNGEON_KINDS,
    NORMAL,
    GungeonRoomKind,
    gungeon_kind,
)
from generator.values import RANGE, When

_of_level = grouped("Level")
_of_sizes = grouped("Room sizes")
_of_floorplan = grouped("Floorplan")
_of_rooms = grouped("Rooms")

MAX_SIDE = 63  # tiles, walls included
MAX_DRAWN = MAX_SIDE + 2  # tiles of a drawn layout, walls included
EVERY = "every"  # of `districts`
AUTO = "auto"  # of `set_pieces`
DEAD_ENDS, SHORTEST = "dead_ends", "shortest"  # of `tree`
_ENEMY_ROOMS = "enemy rooms, except connectors (small rooms on the way) and your own layouts"


def _rooms(kind: str, help: str) -> Any:
    """Declare the range of the number of rooms of a kind. The default is in the kind's row."""
    default = GUNGEON_KINDS[kind].rooms
    return _of_level(default, help, low=0, high=9_000, unit="rooms", parts=RANGE, ordered=True)


def _tiles(kind: str, side: str, help: str) -> Any:
    """Declare the range of a room's width or height. The default is in the kind's row."""
    row = GUNGEON_KINDS[kind]
    default = row.width if side == "width" else row.height
    help = f"{side} of {help}, walls included"
    return _of_sizes(
        default, help, low=row.least_side, high=MAX_SIDE, unit="tiles", parts=RANGE, ordered=True
    )


def stage_seed(spec: GungeonSpec, seed: int) -> int:
    """Return the seed of a level's streams: the levels of a run, which have one seed, share no roll."""
    if not spec.memory.place:
        return seed
    from generator.rng import Stream  # listing a spec's values must not import numpy

    return Stream(seed, "gungeon.run", spec.memory.place).key


def _chapters(kit: Kit) -> tuple[str, ...]:
    return "none", *chapter_names(kit)


_AS_BEFORE = -1  # of a share by procedure: the kit says, or `procedural_share`


def _flows() -> tuple[str, ...]:
    return (*WITHOUT_PLAN, *shipped_flows())


def _share(kind: str, otherwise: str = "the kit says") -> Any:
    return _of_rooms(
        _AS_BEFORE,
        f"how many {kind} are furnished by procedure; the others are drawn layouts; -1: {otherwise}",
        low=0,
        high=100,
        off=_AS_BEFORE,
        unit="percent",
    )


@dataclass(frozen=True, kw_only=True)
class SharesByProcedure(Values):
    """How many rooms of each kind are furnished by procedure."""

    is_late: ClassVar[bool] = True

    start: int = _share("start rooms")
    normal: int = _share("enemy rooms", "procedural_share says")
    boss: int = _share("boss rooms, whose bosses then have islands,")
    shop: int = _share("shops")
    chest: int = _share("chest rooms")

    def _label(self, field: dataclasses.Field[Any]) -> str:
        return f"procedural.{field.name}"


@dataclass(frozen=True, kw_only=True)
class GungeonState(State):
    """The state of the player's game, which the injections of a run may depend on."""

    is_late: ClassVar[bool] = True

    @property
    def only_own(self) -> bool:
        """Whether all facts but those of the kit are as in a new game."""
        return replace(self, own=()) == GungeonState()


@dataclass(frozen=True, kw_only=True)
class GungeonMemory(Memory):
    """What a run has shown before a level, with its injections."""

    injections: Texts = ()


@dataclass(frozen=True, kw_only=True)
class GungeonSpec(LevelSpec):
    """Rooms of many sizes, dropped in a heap, pushed apart and joined by hallways, with some loops.

    Every range has a least and a most, both included.
    """

    style: ClassVar[str] = "gungeon"
    summary: ClassVar[str] = "rooms of many sizes, joined by hallways, with some loops"
    few: ClassVar[int] = 200
    instead: ClassVar[Mapping[str, str]] = {
        "plan": 'in gungeon, a flow plans locks and keys, such as flow = "two_keys"'
    }

    rooms: int = _of_level(
        0,
        "the exact number of rooms, with the start and the bosses; the ranges of the other kinds share the "
        "rest; 0: the ranges decide",
        low=1,
        high=10_000,
        off=0,
        unit="rooms",
    )
    enemy_rooms: tuple[int, int] = _rooms("normal", "how many enemy rooms")
    chest_rooms: tuple[int, int] = _rooms("chest", "how many chest rooms")
    shop_rooms: tuple[int, int] = _rooms("shop", "how many shops")
    boss_rooms: tuple[int, int] = _rooms("boss", "how many boss rooms")
    enemy_width: tuple[int, int] = _tiles("normal", "width", _ENEMY_ROOMS)
    enemy_height: tuple[int, int] = _tiles("normal", "height", _ENEMY_ROOMS)
    chest_width: tuple[int, int] = _tiles("chest", "width", "chest rooms")
    chest_height: tuple[int, int] = _tiles("chest", "height", "chest rooms")
    shop_width: tuple[int, int] = _tiles("shop", "width", "shops")
    shop_height: tuple[int, int] = _tiles("shop", "height", "shops")
    boss_width: tuple[int, int] = _tiles("boss", "width", "boss rooms")
    boss_height: tuple[int, int] = _tiles("boss", "height", "boss rooms")
    start_width: tuple[int, int] = _tiles("start", "width", "the start room")
    start_height: tuple[int, int] = _tiles("start", "height", "the start room")
    drop: str = _of_floorplan(
        "strip",
        "the shape that rooms are dropped in before they are pushed apart; a strip is wider than high, "
        "because rooms are pushed apart more vertically",
        choices=("strip", "square", "disc"),
    )
    hallway_width: int = _of_floorplan(
        2,
        "width of hallways and doors",
        low=1,
        high=5,
        unit="tiles",
        when=tuple(When("body", (body,), {"low": body}, "a smaller body") for body in (2, 3)),
    )
    loop_share: tuple[int, int] = _of_floorplan(
        (6, 14),
        "how many of the unused connections between near rooms become loops, rounded up; loops of fewer "
        "than five rooms and long hallways are left out",
        low=0,
        high=100,
        unit="percent",
        parts=RANGE,
        ordered=True,
    )
    tree: str = _of_floorplan(
        DEAD_ENDS,
        "what joins the rooms before there are loops: dead_ends, a tree in which shops, chest rooms and "
        'bosses are dead ends where possible; shortest, the shortest tree; only with flow = "random"',
        choices=(DEAD_ENDS, SHORTEST),
        is_late=True,
    )
    loop_length: int = _of_floorplan(
        44,
        "the greatest distance between the middles of two rooms joined by a loop",
        low=0,
        high=1_000,
        unit="tiles",
    )
    linearity: tuple[int, int] = _of_floorplan(
        (28, 44),
        'how many of all rooms are on the shortest path from the start to the boss; only with flow = "led"',
        low=0,
        high=100,
        unit="percent",
        parts=RANGE,
        ordered=True,
        is_late=True,
    )
    branching: tuple[int, int] = _of_floorplan(
        (30, 55),
        "how many of the rooms beside this path are dead ends: with fewer, branches are longer; only with "
        'flow = "led"',
        low=0,
        high=100,
        unit="percent",
        parts=RANGE,
        ordered=True,
        is_late=True,
    )
    procedural_share: int = _of_rooms(
        25,
        "how many of the enemy rooms are furnished by procedure; the others are drawn layouts",
        low=0,
        high=100,
        unit="percent",
    )
    procedural: SharesByProcedure = dataclasses.field(default_factory=SharesByProcedure)
    layouts: str = _of_rooms(
        "",
        "a folder of your own layouts, or a drawing (.tmj, .tmx, .ldtk); the shipped layouts are still used",
        form="folder",
        holds="layouts",
    )
    only_layout: str = _of_rooms(
        "", "a layout to try out, such as normal/hubs/wheel: every room that it fits gets it", is_late=True
    )
    roughness: int = _of_rooms(
        50, "how ragged the floors of enemy rooms are; 0: rectangles", low=0, high=100, unit="percent"
    )
    obstacles: int = _of_rooms(
        0,
        "how many enemy rooms that are furnished by procedure keep the obstacles and slots that the flood of "
        "their floor leaves",
        low=0,
        high=100,
        unit="percent",
        is_late=True,
    )
    enemy_spacing: int = _of_rooms(
        3,
        "the least distance between enemies when the level starts; with a greater distance there is room "
        "for fewer",
        low=2,
        high=12,
        unit="tiles",
    )
    enemy_stages: tuple[int, int] = _of_rooms(
        (1, STAGES),
        "the stages of the enemies near the start and in the furthest room, with a gradual rise between "
        "them; a chapter is two stages",
        low=1,
        high=STAGES,
        parts=("near", "far"),
        ordered=True,
        is_late=True,
    )
    champions: int = _of_rooms(
        10,
        "how many enemies are champions near the start; further away there are more",
        low=0,
        high=100,
        unit="percent",
    )
    hallway_torches: int = _of_rooms(
        0,
        "the number of tiles from one torch in a hallway to the next; 0: the kit says",
        low=2,
        high=30,
        off=0,
        unit="tiles",
        is_late=True,
    )
    decor: int = _of_rooms(
        100,
        "how much decor rooms get, compared with what the kit says; 0: only what layouts draw",
        low=0,
        high=100,
        unit="percent",
        is_late=True,
    )
    rubble: int = _of_rooms(8, "how much of an enemy room's floor is rubble", low=0, high=100, unit="percent")

    chapter: str = _of_level(
        "none",
        "the chapter whose look the theme gives the level; none: the theme's plain look",
        choices=_chapters(shipped_kit()),
        kit_choices=_chapters,
        is_late=True,
    )

    districts: str = _of_level(
        LED,
        "in which levels rooms form districts with looks of their own: led, in those whose flow is led; "
        "every, also in those of random and of flows without zones; none",
        choices=(LED, EVERY, "none"),
        is_late=True,
        before="none",
    )

    set_pieces: str = _of_level(
        AUTO,
        "places of several rooms, such as a cathedral, among the level's rooms: auto, in led levels of 24 "
        'rooms or more; none; or the names of those that the level has ("cathedral, market")',
        is_late=True,
        before="none",
    )

    state: GungeonState = dataclasses.field(default_factory=GungeonState)
    memory: GungeonMemory = dataclasses.field(default_factory=GungeonMemory)

    flow: str = _of_level(
        LED,
        "the plan of the level: led, which joins neighbours so that each branch and loop leads to something; "
        "random, which joins them by chance; a shipped flow (descent, gauntlet, hub, lock_and_key, "
        "one_way_reward, rings, shortcut, two_keys), your own TOML file, or several of these with weights "
        '("descent 3, hub"), of which the seed picks one',
        holds="flow",
        names=_flows,
        is_late=True,
        before=RANDOM,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.flow not in WITHOUT_PLAN and self.rooms:
            raise SpecError(
                f"flow: {shown(self.flow)} cannot be used with rooms = {self.rooms}: a flow has its own "
                "rooms; "
                'give rooms = 0, or flow = "led"'
            )

        if self.flow not in WITHOUT_PLAN and self.named_pieces:
            raise SpecError(
                f"set_pieces: {shown(self.set_pieces)} cannot be used with flow = {shown(self.flow)}: a flow "
                'has its own rooms; give flow = "led"'
            )
        if self.named_pieces and not is_digest(self.kit):
            known = self.load_kit().rules.set_pieces
            for name in self.named_pieces:
                if not name:
                    what = f"{shown(self.set_pieces)} lacks a name; give names, {AUTO} or none"
                elif name not in known:
                    what = unknown("set piece", name, [*known, AUTO, "none"])
                else:
                    continue
                raise SpecError(f"set_pieces: {what}")

    @property
    def named_pieces(self) -> list[str]:
        """The set pieces that each level must have, by name."""
        if self.set_pieces in (AUTO, "none"):
            return []
        return list(dict.fromkeys(name.strip() for name in self.set_pieces.split(",")))

    def saved(self) -> dict[str, Any]:
        """See `LevelSpec.saved`. Levels outside of runs were saved with only the kit's facts of a game."""
        table = super().saved()
        if "state" in table and self.state.only_own:
            table["state"] = dict(self.state.own)
        return table

    def having_seen(self, layout: str) -> GungeonSpec:
        """Return the spec with a layout that its own level has shown."""
        seen = tuple(sorted((*self.memory.layouts, layout)))
        return replace(self, memory=replace(self.memory, layouts=seen[-MAX_SEEN:]))

    @property
    def is_of_own_files(self) -> bool:
        """See `LevelSpec.is_of_own_files`."""
        if self.flow in WITHOUT_PLAN:
            return super().is_of_own_files
        from generator.styles.gungeon.flows.library import choices

        return super().is_of_own_files or any(flow.is_file for flow in choices(self.flow))

    def files_digest(self) -> str:
        """Compute the digest of the team's own layouts and flows.

        Raises SpecError or LayoutError if they are bad.
        """
        if self.flow in WITHOUT_PLAN:
            return self.layouts_digest()
        from generator.styles.gungeon.flows.library import flow_digest

        return self.layouts_digest() + flow_digest(self.flow, self.load_kit())

    def layouts_digest(self) -> str:
        """See `LevelSpec.layouts_digest`. Raises SpecError or LayoutError for bad layouts."""
        from generator.interiors.own_layouts import own_layouts

        return own_layouts(self.layouts, None, self.load_kit()).digest

    def layout_misfit(self, name: str) -> str:
        """See `LevelSpec.layout_misfit`."""
        from generator.styles.gungeon.dealing import layout_misfit

        return layout_misfit(self, name)

    def tag_misfit(self, tags: Set[str]) -> str:
        """See `LevelSpec.tag_misfit`."""
        from generator.styles.gungeon.dealing import tag_misfit

        return tag_misfit(tags)

    def sealed(self, layouts_digest: str = "") -> GungeonSpec:
        """Seal the spec as `LevelSpec.sealed` does, and name flow files by their digests."""
        spec = super().sealed(layouts_digest)
        if spec.flow in WITHOUT_PLAN:
            return spec
        from generator.styles.gungeon.flows.library import saved_text

        return replace(spec, flow=saved_text(spec.flow))

    def from_folder(self, folder: Path) -> GungeonSpec:
        """See `LevelSpec.from_folder`. Paths of flow files count from there too."""
        if self.flow in WITHOUT_PLAN:
            return self
        from generator.styles.gungeon.flows.library import beside

        return replace(self, flow=beside(self.flow, folder))

    def row_of(self, kind: str) -> GungeonRoomKind:
        """Return the kit's row for a room kind."""
        return gungeon_kind(self.load_kit().kinds, kind)

    def range_of(self, kind: GungeonRoomKind, measure: str) -> tuple[int, int]:
        """Return the least and most `rooms`, `width` or `height` of a kind.

        The spec decides; where it only repeats the shipped kit's value, the kind's own row does.
        """
        row: tuple[int, int] = getattr(kind, measure)
        value = getattr(self, f"{kind.spec}_{measure}", row)
        if kind.name in GUNGEON_KINDS and value == getattr(GUNGEON_KINDS[kind.name], measure):
            return row  # the spec only repeats the shipped row
        least, most = value
        return least, most

    def sizes_of(self, kind: GungeonRoomKind) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the ranges of the width and height of rooms of a kind."""
        return self.range_of(kind, "width"), self.range_of(kind, "height")

    def share_by_procedure(self, kind: GungeonRoomKind) -> int:
        """Return the percentage of rooms of a kind that are furnished by procedure."""
        share: int = getattr(self.procedural, kind.name, _AS_BEFORE)
        if share != _AS_BEFORE:
            return share
        return self.procedural_share if kind.name == NORMAL else kind.procedural_share
