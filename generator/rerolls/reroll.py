"""reroll(): rolls rooms of a level again, and generates a level again with its rerolls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import SupportsIndex

from generator.errors import LevelError, RerollError, shown
from generator.geometry import Point
from generator.interiors.team_layouts import OwnLayouts, team_layouts
from generator.kinds import Kit, read_kit
from generator.kinds.kit_files import digest_of_kit, is_former_digest
from generator.level import Level, RerollRow
from generator.rerolls.draft import LevelDraft, next_kind, stays
from generator.rerolls.exits import link
from generator.rerolls.record import MAX_ROLLS, NothingElseError, Rolls, read_rows
from generator.seeds import Seed, plain
from generator.spec import LevelSpec
from generator.styles.registry import style

WHAT = ("layout", "markers", "kind")


def reroll(
    level: Level,
    *,
    room: SupportsIndex | Iterable[SupportsIndex] | None = None,
    pin: SupportsIndex | Iterable[SupportsIndex] | None = None,
    what: str = "layout",
    times: SupportsIndex = 1,
    seed: Seed = None,
    layouts: str | Path = "",
    kit: str | Path = "",
) -> Level:
    """Roll one room, several, or all but the pinned ones again. Everything else stays as it is.

    `what` is `layout`, the inside of the room; `markers`, only its enemies, pickups and chests; or `kind`,
    another kind of room that the style's rules allow there, and its inside. `times` rolls one after the
    other, each with a different result: the n-th roll of a room is always the same. `seed` rolls
    with another seed than the level's, from the first roll on. `layouts` is the folder of your own
    layouts, if the level was made with some, and `kit` the folder of its kit.

    With `pin`, rooms that cannot be rolled stay the same. Raises RerollError for a room
    that does not exist or cannot be rolled like this, and LevelError for such a level.
    """
    numbers = _rooms_asked_for(level, room, pin, what)
    if what not in WHAT:
        raise RerollError(f"what: {shown(what)} is not one of {', '.join(WHAT)}")
    count = plain(times)
    if type(count) is not int or not 1 <= count <= MAX_ROLLS:
        raise RerollError(f"times: {shown(times)} is not a whole number from 1 to {MAX_ROLLS}")
    if seed is not None and what != "layout":
        raise RerollError(
            f"seed: is only for layouts; {what} follow the seed of the room's layout, so leave it out"
        )
    start = None if seed is None else style(level.style).read_seed(seed)[0]
    rolling = _Rolling(level, layouts, kit)
    if pin is None:
        for number in numbers:
            rolling.roll(number, what, count, start)
    elif not sum(rolling.is_rolled(number, what, count, start) for number in numbers):
        raise RerollError("pin: there is nothing to roll in the other rooms")
    return rolling.finished()


def rolled_again(
    level: Level, rows: Iterable[RerollRow], layouts: str | Path = "", kit: str | Path = ""
) -> Level:
    """Return a level as it was generated, with all of its `rerolls`. Raises LevelError for bad rerolls."""
    rolling = _Rolling(level, layouts, kit)
    rolls, is_edited = read_rows(rows, len(level.rooms), rolling.kinds)
    if is_edited:
        raise LevelError("rerolls: the level was changed by hand, so its seed cannot generate it again")
    for entry in rolls.values():
        if entry.kind is not None:
            rolling.become(entry.room, entry.kind)
        if entry.seed is not None:
            rolling.start_from(entry.room, entry.seed)
        for _ in range(entry.layout):
            rolling.layout(entry.room)
        for _ in range(entry.markers):
            rolling.markers(entry.room)
    return rolling.finished()


class _Rolling:
    """A level while its rooms are rolled, and the rolls of each room."""

    def __init__(self, level: Level, layouts: str | Path, kit: str | Path) -> None:
        self._level = level
        self._draft = LevelDraft(level)
        own = style(level.style)
        self.kinds = (*level.kinds.rooms, *own.room_kinds)
        self._rolls, self._is_edited = read_rows(level.rerolls, len(level.rooms), self.kinds)
        roller = own.roller
        if roller is None:
            raise RerollError(
                f"style: {level.style} cannot roll rooms again; generate a level with another seed"
            )
        self._rooms = roller(self._draft, spec_again(level.spec, kit), layouts)

    def roll(self, room: int, what: str, times: int, seed: int | None) -> None:
        """Roll a room this many times. Raises NothingElseError if it can only be what it is."""
        if seed is not None:
            self.start_from(room, seed)
        roll = {"layout": self.layout, "markers": self.markers, "kind": self.kind}[what]
        for _ in range(times):
            roll(room)

    def is_rolled(self, room: int, what: str, times: int, seed: int | None) -> bool:
        """Reroll like `roll`, and return whether it was possible."""
        try:
            self.roll(room, what, times, seed)
        except NothingElseError:
            return False
        return True

    def layout(self, room: int) -> None:
        """Roll the inside of a room again."""
        rolls = self._of(room).next_layout()
        self._rooms.make(room, rolls, self._seed(rolls))
        link(self._draft, room)
        self._rolls[room] = rolls

    def markers(self, room: int) -> None:
        """Place the enemies, pickups and chests of a room again."""
        rolls = self._of(room).next_markers()
        self._rooms.move(room, rolls, self._seed(rolls))
        self._rolls[room] = rolls

    def kind(self, room: int) -> None:
        """Change a room's kind, unless a flow fixes it."""
        now = self._draft.rooms[room]
        if "flow" in self._level.facts:
            raise stays(now, "the flow of the level says what kind it is")
        self.become(room, next_kind(self._rooms, self._level.seed, now, self._level.kinds))
        self.layout(room)

    def become(self, room: int, kind: str) -> None:
        """Change the kinds of a room and its doors, and count its rolls from the start."""
        draft = self._draft
        draft.rooms[room] = replace(draft.rooms[room], kind=kind)
        self._rolls[room] = Rolls(room, kind, self._of(room).seed)
        self._rooms.change_doors(room)

    def start_from(self, room: int, seed: int) -> None:
        """Count a room's rolls from the start, with another seed."""
        self._rolls[room] = Rolls(room, self._of(room).kind, seed)

    def finished(self) -> Level:
        """Build the level as it is now."""
        return self._draft.finished(self._rolls, is_edited=self._is_edited)

    def _of(self, room: int) -> Rolls:
        return self._rolls.get(room, Rolls(room))

    def _seed(self, rolls: Rolls) -> int:
        return self._level.seed if rolls.seed is None else rolls.seed


def _rooms_asked_for(
    level: Level,
    room: SupportsIndex | Iterable[SupportsIndex] | None,
    pin: SupportsIndex | Iterable[SupportsIndex] | None,
    what: str,
) -> list[int]:
    """Return the rooms to roll, in order. Raises RerollError."""
    if (room is None) == (pin is None):
        raise RerollError("room, pin: give one of the two: the rooms to roll, or the rooms to keep")
    chosen = plain(room if pin is None else pin)
    numbers = [plain(candidate) for candidate in chosen] if isinstance(chosen, Iterable) else [chosen]
    name = "room" if pin is None else "pin"
    counts = Counter[int]()
    for number in numbers:
        if type(number) is not int or not 0 <= number < len(level.rooms):
            last = len(level.rooms) - 1
            raise RerollError(f"{name}: {shown(number)} is not a room of this level (0 to {last})")
        counts[number] += 1
        if counts[number] > 1:
            raise RerollError(f"{name}: {number} is given twice; to roll it twice, give times = 2")
    if not numbers:
        raise RerollError(f"{name}: is empty; give at least one room")
    if pin is None:
        return sorted(counts)
    if what == "kind":
        raise RerollError("pin: cannot be used with a kind; name the rooms with room instead")
    if len(counts) == len(level.rooms):
        raise RerollError("pin: every room is pinned, so there is no room to roll")
    return [candidate.id for candidate in level.rooms if candidate.id not in counts]


# Finds the kit and the own layouts that a level was made with, to roll its rooms again.


def spec_again(spec: LevelSpec, kit: str | Path) -> LevelSpec:
    """Return the spec of a level with the folder of its kit instead of the digest.

    Raises RerollError if it is another kit or the folder is missing, and KitError for a bad kit.
    """
    if not kit:
        if not spec.kit:
            return spec
        raise RerollError(
            f"spec.kit: the level was made with your own kit (digest {shown(spec.kit)}); give its folder "
            "with --kit"
        )
    digest = digest_of_kit(read_kit(kit))
    if digest != spec.kit and not is_former_digest(spec.kit):
        had = f"with the kit of digest {shown(spec.kit)}" if spec.kit else "without a kit"
        raise RerollError(
            f"kit: the level was made {had}, not with {shown(str(kit), 200)} ({digest}); "
            "generate the level again to use this kit"
        )
    return spec.replace({"kit": str(kit)})


def layouts_again(spec: LevelSpec, folder: str | Path, room_size: Point | None, kit: Kit) -> OwnLayouts:
    """Read the layouts of a kit and of a folder, which must match the digest in a level's spec.

    `room_size` as for `own_layouts`. Raises RerollError if they are others, or if the folder is missing.
    """
    digest = str(getattr(spec, "layouts", ""))
    if not folder:
        if not digest:
            return team_layouts(kit, "", room_size)
        raise RerollError(
            f"spec.layouts: the level was made with your own layouts (digest {shown(digest)}); give their "
            "folder with --layouts"
        )
    own = team_layouts(kit, str(folder), room_size)
    if own.digest != digest:
        had = f"with the layouts of digest {shown(digest)}" if digest else "without own layouts"
        raise RerollError(
            f"layouts: the level was made {had}, not with {shown(str(folder), 200)} ({own.digest}); "
            "generate the level again to use these layouts"
        )
    return own
