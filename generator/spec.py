"""Specs: what a level is asked to be. Frozen, validated once, TOML in and out.

Each value is declared once, with its range, unit and help; `describe` turns the declarations into JSON
for help texts, schemas and docks. A style is a subclass of `LevelSpec`, listed in `STYLES`.
"""

from __future__ import annotations

import dataclasses
import difflib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar, Self

from generator.errors import BadInput, SpecError, shown
from generator.files import read_text
from generator.values import Value

_MOST_BYTES = 1 << 20  # a spec is a page of text; anything larger is not one
_FEWEST_ROOMS = 5  # a start, a way, and three end rooms for boss, shop and treasure


def value(default: Any, help: str, **declaration: Any) -> Any:
    """A field of a spec, declared as a `Value`."""
    return dataclasses.field(default=default, metadata={"value": Value(default, help, **declaration)})


@dataclass(frozen=True, kw_only=True)
class _Values:
    """A set of declared values that checks itself when it is made."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            if field.metadata:
                try:
                    given = field.metadata["value"].checked(self._label(field), getattr(self, field.name))
                except BadInput as error:
                    raise SpecError(str(error)) from None
                object.__setattr__(self, field.name, given)

    def _label(self, field: dataclasses.Field[Any]) -> str:
        return field.name


@dataclass(frozen=True, kw_only=True)
class State(_Values):
    """The state of the player's game, which the chances of some special rooms depend on."""

    red_hearts: int = value(6, "red hearts that are filled", low=0, high=48, unit="half hearts")
    heart_containers: int = value(6, "containers for red hearts", low=0, high=48, unit="half hearts")
    soul_hearts: int = value(0, "soul hearts", low=0, high=48, unit="half hearts")
    keys: int = value(0, "keys carried", low=0, high=99)
    coins: int = value(0, "coins carried", low=0, high=999)
    devil_room_visited: bool = value(False, "whether a devil room was visited in this game")
    book_picked_up: bool = value(False, "whether a book was picked up in this game")
    mini_boss_met: bool = value(False, "whether this game had its mini-boss already")

    @property
    def full_health(self) -> bool:
        """Red and soul hearts together at least fill the containers (`rebirth-wiki`, sacrifice)."""
        return self.red_hearts + self.soul_hearts >= self.heart_containers

    def _label(self, field: dataclasses.Field[Any]) -> str:
        return f"state.{field.name}"


@dataclass(frozen=True, kw_only=True)
class LevelSpec(_Values):
    """What every style has. Make one by its style's class, `load_spec`, or `spec_from_dict`."""

    style: ClassVar[str] = ""
    summary: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """Complete, with the style first: TOML's and JSON's types only."""
        table: dict[str, Any] = {"style": self.style}
        for field in dataclasses.fields(self):
            given = getattr(self, field.name)
            if isinstance(given, _Values):
                given = dataclasses.asdict(given)
            table[field.name] = list(given) if isinstance(given, tuple) else given
        return table

    def replace(self, changes: Mapping[str, object], where: str = "") -> Self:
        """A copy with some values changed; keys may be dotted (`state.coins`)."""
        merged = self.to_dict()
        for key, given in changes.items():
            table, last = merged, key
            if "." in key:
                head, last = key.split(".", 1)
                table = merged.get(head)  # type: ignore[assignment]
                if not isinstance(table, dict):
                    raise _unknown_key(f"{where}: " if where else "", key, list(all_keys(type(self))))
            table[last] = given
        spec = spec_from_dict(merged, where)
        assert isinstance(spec, type(self)) or "style" in changes
        return spec  # type: ignore[return-value]


_CURSES = ("none", "labyrinth", "lost", "darkness", "unknown", "maze", "blind", "random")


@dataclass(frozen=True, kw_only=True)
class IsaacSpec(LevelSpec):
    """The 2011 game's levels: square rooms on a grid of 9 x 8 cells, without loops."""

    style: ClassVar[str] = "isaac"
    summary: ClassVar[str] = "the 2011 game's floorplans: square rooms on a 9 x 8 grid, no loops"

    stage: int = value(1, "how deep the level lies; two stages make a chapter", low=1, high=12)
    stage_variant: str = value(
        "random",
        "the chapter itself, its alternative, or either at random",
        choices=("main", "alternative", "random"),
    )
    curse: str = value(
        "none",
        "the level's curse; labyrinth makes it larger, the others are for the game to act on",
        choices=_CURSES,
    )
    hard: bool = value(False, "hard mode: curses are likelier, champions twice as many")
    rooms: int = value(
        0,
        "the number of rooms, secret rooms not counted; 0: as many as the stage and the curse ask for",
        low=0,
        high=72,
        unit="rooms",
    )
    room_size: tuple[int, int] = value(
        (15, 9), "width and height of a room, walls included; odd", low=9, high=63, unit="tiles"
    )
    door_width: int = value(1, "width of a door; odd", low=1, high=5, unit="tiles")
    champions: int = value(10, "how many enemies are champions", low=0, high=100, unit="percent")
    tinted_rocks: int = value(3, "how many rocks are tinted", low=0, high=100, unit="percent")
    red_fires: int = value(15, "how many fires are red", low=0, high=100, unit="percent")
    layouts: str = value("", "a folder of the team's own layouts, used beside the shipped ones")
    state: State = dataclasses.field(default_factory=State)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, numbers in (("room_size", self.room_size), ("door_width", (self.door_width,))):
            if any(number % 2 == 0 for number in numbers):
                given = ", ".join(map(str, numbers))
                raise SpecError(f"{name}: {given}: give odd numbers, so that there is a middle")
        if 0 < self.rooms < _FEWEST_ROOMS:
            raise SpecError(
                f"rooms: {self.rooms} are too few; give {_FEWEST_ROOMS} or more, or 0 for the stage's"
            )
        if self.door_width > min(self.room_size) - 4:
            raise SpecError(f"door_width: {self.door_width} does not fit into rooms of {self.room_size}")


def _tiles(least: int, most: int, help: str, low: int = 7) -> Any:
    """A range of a room's width or height, walls included."""
    return value((least, most), f"{help}, walls included", low=low, high=63, unit="tiles")


@dataclass(frozen=True, kw_only=True)
class GungeonSpec(LevelSpec):
    """Rooms of many sizes, dropped in a heap, pushed apart and joined by hallways, with some loops.

    Every range is the least and the most, both included.
    """

    style: ClassVar[str] = "gungeon"
    summary: ClassVar[str] = "rooms of many sizes in a heap, joined by hallways, with some loops"

    rooms: int = value(
        0,
        "the exact number of rooms: 1 is the start, 2 the start and a boss, and the ranges of the other "
        "kinds tell how the rest is shared; 0: as many as all ranges give",
        low=0,
        high=10_000,
        unit="rooms",
    )
    enemy_rooms: tuple[int, int] = value((11, 15), "how many enemy rooms", low=0, high=9_000, unit="rooms")
    chest_rooms: tuple[int, int] = value((1, 3), "how many chest rooms", low=0, high=9_000, unit="rooms")
    shop_rooms: tuple[int, int] = value((1, 1), "how many shops", low=0, high=9_000, unit="rooms")
    boss_rooms: tuple[int, int] = value((1, 1), "how many boss rooms", low=0, high=9_000, unit="rooms")
    enemy_width: tuple[int, int] = _tiles(14, 26, "width of enemy rooms")
    enemy_height: tuple[int, int] = _tiles(12, 20, "height of enemy rooms")
    chest_width: tuple[int, int] = _tiles(9, 13, "width of chest rooms")
    chest_height: tuple[int, int] = _tiles(8, 11, "height of chest rooms")
    shop_width: tuple[int, int] = _tiles(13, 17, "width of shops")
    shop_height: tuple[int, int] = _tiles(10, 13, "height of shops")
    boss_width: tuple[int, int] = _tiles(28, 34, "width of boss rooms", low=15)
    boss_height: tuple[int, int] = _tiles(22, 27, "height of boss rooms", low=15)
    start_width: tuple[int, int] = _tiles(11, 15, "width of the start room")
    start_height: tuple[int, int] = _tiles(9, 12, "height of the start room")
    drop: str = value(
        "strip",
        "the shape that rooms are dropped in before they are pushed apart; a strip is wider than high, "
        "which makes up for their being pushed apart more up and down than sideways",
        choices=("strip", "square", "disc"),
    )
    hallway_width: int = value(2, "width of hallways and doors", low=1, high=5, unit="tiles")
    loop_share: tuple[int, int] = value(
        (6, 14), "how many of the connections left over become loops", low=0, high=100, unit="percent"
    )
    loop_length: int = value(
        44, "how far apart the middles of rooms on a loop may be at most", low=0, high=1_000, unit="tiles"
    )
    roughness: int = value(
        50, "how ragged the floors of enemy rooms are; 0: rectangles", low=0, high=100, unit="percent"
    )
    enemy_spacing: int = value(
        3, "how far apart enemies stand at least when the level starts", low=2, high=12, unit="tiles"
    )
    champions: int = value(10, "how many enemies are champions", low=0, high=100, unit="percent")
    rubble: int = value(8, "how much of an enemy room's floor is broken", low=0, high=100, unit="percent")

    def __post_init__(self) -> None:
        super().__post_init__()
        for field in dataclasses.fields(self):
            given = getattr(self, field.name)
            if isinstance(given, tuple) and given[0] > given[1]:
                raise SpecError(f"{field.name}: {list(given)} runs backwards; give the least, then the most")


STYLES: dict[str, type[LevelSpec]] = {style.style: style for style in (IsaacSpec, GungeonSpec)}


def all_keys(style: type[LevelSpec]) -> Iterator[str]:
    """Every key of a style's spec, dotted."""
    for name, _ in _declared(style):
        yield name


def _declared(style: type[_Values], prefix: str = "") -> Iterator[tuple[str, dataclasses.Field[Any]]]:
    for field in dataclasses.fields(style):
        if field.metadata:
            yield prefix + field.name, field
        elif isinstance(field.default_factory, type) and issubclass(field.default_factory, _Values):
            yield from _declared(field.default_factory, f"{prefix}{field.name}.")


def _unknown_key(where: str, key: str, known: list[str]) -> SpecError:
    near = difflib.get_close_matches(key[:80], known, 1)
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
    return SpecError(f"{where}{shown(key)} is no key of this spec; {hint}")


def spec_from_dict(table: Mapping[str, Any], where: str = "") -> LevelSpec:
    """The spec that a table (of TOML or JSON) describes.

    `where` names the source in messages. Raises SpecError for an unknown style or key, or a value of a
    wrong type or out of range.
    """
    where = f"{where}: " if where else ""
    given = dict(table)
    name = given.pop("style", None)
    if not isinstance(name, str) or name not in STYLES:
        raise SpecError(f"{where}style: {shown(name)} is none of {', '.join(STYLES)}")
    style = STYLES[name]
    known = list(all_keys(style))
    fields = {field.name for field in dataclasses.fields(style)}
    for key in given:
        if key not in fields:
            raise _unknown_key(where, key, known)
    try:
        if "state" in given:
            given["state"] = _state_from(given["state"], known)
        return style(**given)
    except SpecError as error:
        raise SpecError(f"{where}{error}") from None


def _state_from(table: object, known: list[str]) -> State:
    if isinstance(table, State):
        return table
    if not isinstance(table, Mapping):
        raise SpecError(f"state: {shown(table)} is not a table")
    for key in table:
        if f"state.{key}" not in known:
            raise _unknown_key("", f"state.{key}", known)
    return State(**table)


@cache
def preset_names() -> tuple[str, ...]:
    """The presets that ship with the package, sorted."""
    folder = resources.files("generator") / "presets"
    names = (entry.name for entry in folder.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def preset_text(name: str) -> str:
    """A preset's TOML. Raises SpecError if there is none of that name."""
    if name not in preset_names():
        near = difflib.get_close_matches(name[:80], preset_names(), 1)
        hint = f"did you mean {near[0]}?" if near else f"presets are {', '.join(preset_names())}"
        raise SpecError(f"{shown(name)} is neither a preset nor a TOML file; {hint}")
    return (resources.files("generator") / "presets" / f"{name}.toml").read_text("utf-8")


def load_spec(name: str | Path) -> LevelSpec:
    """The spec of a preset's name or a TOML file's path; a folder that it names counts from the file's."""
    path = Path(name)
    if path.suffix != ".toml":
        return parse_spec(preset_text(str(name)), str(name))
    spec = parse_spec(read_text(path, _MOST_BYTES, SpecError), str(path))
    layouts = getattr(spec, "layouts", "")
    return spec.replace({"layouts": str(path.parent / layouts)}) if layouts else spec


def parse_spec(text: str, where: str = "") -> LevelSpec:
    """The spec that a TOML text describes."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: bad TOML, or a number of 5000 digits
        raise SpecError(f"{where}: is not TOML: {str(error).splitlines()[0]}") from None
    return spec_from_dict(table, where)


def describe(style: type[LevelSpec]) -> list[dict[str, Any]]:
    """Every value of a style: key, type, default, range or choices, unit and help, ready for JSON."""
    return [field.metadata["value"].described(key) for key, field in _declared(style)]
