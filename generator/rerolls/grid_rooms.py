"""Another inside for a room of a grid style: the next layout of the deal, another image, other variations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import count
from pathlib import Path

from generator.errors import LevelError, RerollError, shown
from generator.floorplans.floorplan import PlannedRoom
from generator.geometry import GridFrame
from generator.interiors.chapters import chapter_of, difficulties_of
from generator.interiors.dealing import Pools
from generator.interiors.difficulty import window
from generator.interiors.furnish import furnished_room, vary_marker
from generator.interiors.lights import torch_marker
from generator.interiors.own_layouts import NO_OWN, OwnLayouts, own_layouts
from generator.interiors.passage import Passage
from generator.interiors.pools import SQUARE, Choice, Form
from generator.kinds import DECOR_IDS, DIFFICULTIES, SECRET_ROOM_KINDS
from generator.level import Room
from generator.rerolls.draft import Draft
from generator.rerolls.markers import move_markers
from generator.rerolls.record import NothingElseError, Rolls
from generator.rng import Stream
from generator.shapes import SHAPES, Slot
from generator.spec import GridSpec, IsaacSpec, RebirthSpec
from generator.tiles.assemble import fires
from generator.tiles.grid import carve_room, hang_torches, open_wall


class GridRooms:
    """Makes rooms of a level of a grid style; `layouts` is the team's own folder, if the level has any."""

    def __init__(self, draft: Draft, spec: GridSpec, layouts: str | Path) -> None:
        self._draft = draft
        self._spec = spec
        self._layouts = layouts
        self._frame = _frame(draft, spec)
        self._turns_of: Counter[str] = Counter()  # by shape, which no roll changes
        self._turns: list[int] = []
        for room in draft.rooms:
            self._turns.append(self._turns_of[room.shape])
            self._turns_of[room.shape] += 1

    @cached_property
    def _pools(self) -> Pools:
        spec, own = self._spec, _own_layouts(self._spec, self._layouts)
        chapter = chapter_of(spec, self._draft.level.seed)
        return Pools(chapter, spec.room_size, own, Passage(spec.body, spec.door_width))

    @cached_property
    def _shares(self) -> Mapping[str, int]:
        """The difficulties of normal rooms, and how likely each is."""
        curse = str(self._draft.level.facts.get("curse", "none"))
        if isinstance(self._spec, RebirthSpec):
            return window(self._spec, curse)
        assert isinstance(self._spec, IsaacSpec)
        return dict.fromkeys(difficulties_of(self._spec, curse), 1)

    def make(self, number: int, rolls: Rolls, seed: int) -> None:
        """Make the inside of a room anew. Raises NothingElseError if there is no other one."""
        draft, frame = self._draft, self._frame
        room = draft.rooms[number]
        planned, slots = self._planned(room), self._slots(room)
        choice = self._choice(room, rolls, seed, slots)
        stream = Stream(seed, "reroll.furnish", number, rolls.layout)
        furnishing = furnished_room(self._spec, choice, slots, stream)

        for cell in room.cells:  # torches hang in the wall too, which is not carved anew
            area = draft.decor[frame.cell_rect(cell).slices]
            area[area == DECOR_IDS["torch"]] = 0
        rect = carve_room(planned, furnishing, frame, draft.terrain, draft.decor)
        for opening in draft.openings(number):
            open_wall(opening.tiles, opening.side.opposite, draft.terrain, draft.decor)
        markers = [
            marker._replace(x=rect.x + 1 + marker.x, y=rect.y + 1 + marker.y) for marker in furnishing.markers
        ]
        if room.kind not in SECRET_ROOM_KINDS:  # they stay dark
            hung = hang_torches(planned, frame, draft.terrain, draft.decor)
            markers += [torch_marker(place) for place in hung]
        markers += fires(room.cells, frame, draft.decor)
        draft.put_markers(number, markers)
        draft.rooms[number] = replace(room, difficulty=furnishing.difficulty, layout=furnishing.layout)

    def move(self, number: int, rolls: Rolls, seed: int) -> None:
        """Place enemies, pickups and chests anew. Raises NothingElseError if there is nothing or no place."""
        room = self._draft.rooms[number]
        self._slots(room)  # refuses a level that it cannot be
        move_markers(self._draft, room, rolls, seed, partial(vary_marker, self._spec))

    # --- which layout ----------------------------------------------------------------------------------

    def _choice(self, room: Room, rolls: Rolls, seed: int, slots: frozenset[Slot]) -> Choice:
        """The next of the deal that is not what the room has, or of a single layout another image."""
        form = Form(room.shape, slots) if isinstance(self._spec, RebirthSpec) else SQUARE
        choices = self._pools.choices(room.kind, tuple(self._shares), form)
        present, _, mirror = ("", "", "") if rolls.is_first_of_its_own else room.layout.partition("+")
        fitting = {choice.name: choice for choice in choices if choice.name != present}
        if fitting:
            return next(fitting[name] for name in self._dealt(room, rolls, seed) if name in fitting)
        mirrors = tuple(each for each in choices[0].mirrors if each != mirror)
        if not mirrors:
            raise NothingElseError(
                f"room {room.id}: {shown(present)} is the only layout that fits this {room.kind} room; "
                "draw another one"
            )
        return choices[0]._replace(mirrors=mirrors)

    def _dealt(self, room: Room, rolls: Rolls, seed: int) -> Iterator[str]:
        """Names of layouts for a kind and shape, as they are dealt to a room, without end.

        A special room has a deck of its own and draws from it roll by roll, so that rolling it leads through
        all there is. Normal rooms of a shape share a deck that is shuffled for each roll, and draw from it by
        turns: rolled all at once, they differ.
        """
        owner, place, step = room.id, rolls.layout - 1, 1
        if room.kind == "normal":
            owner, place, step = rolls.layout, self._turns[room.id], self._turns_of[room.shape]
        shape = Form(room.shape, frozenset()) if isinstance(self._spec, RebirthSpec) else SQUARE
        deck = self._pools.choices(room.kind, tuple(self._shares), shape)
        dealt: dict[int, list[str]] = {}
        for card in count(place, step):
            shuffle, at = divmod(card, len(deck))
            if shuffle not in dealt:
                stream = Stream(seed, f"reroll.deal.{room.kind}.{room.shape}", owner, shuffle)
                dealt[shuffle] = self._shuffled(deck, stream)
            yield dealt[shuffle][at]

    def _shuffled(self, deck: Sequence[Choice], stream: Stream) -> list[str]:
        """The names of layouts in an order by weight."""
        shares = {DIFFICULTIES[name]: share for name, share in self._shares.items()}
        left, names = list(deck), []
        while left:
            weights = [each.layout.weight * shares.get(each.difficulty, 1) for each in left]
            names.append(left.pop(stream.weighted(range(len(left)), weights)).name)
        return names

    # --- what of the level can be believed ---------------------------------------------------------------

    def _planned(self, room: Room) -> PlannedRoom:
        """The room as its floorplan had it. Raises LevelError if its cells or bounds are not of its shape."""
        planned = PlannedRoom(room.kind, room.shape, room.cells, room.distance, room.depth)
        shape = SHAPES.get(room.shape if isinstance(self._spec, RebirthSpec) else SQUARE.shape)
        if shape and shape.name == room.shape and room.cells:
            left, top = planned.corner
            cells = tuple((left + x, top + y) for x, y in shape.cells)
            if cells == room.cells and self._frame.bounds(cells) == room.bounds:
                return planned
        raise LevelError(f"rooms[{room.id}]: its cells and bounds are not of a room of shape {room.shape}")

    def _slots(self, room: Room) -> frozenset[Slot]:
        """A room's doors, from its corner. Raises LevelError for one that cannot be."""
        (left, top), (width, height) = self._frame.origin, self._frame.cell_size
        corner_x, corner_y = self._planned(room).corner
        slots = set()
        for door, side, tiles in self._draft.openings(room.id):
            x, y = tiles[0] if tiles else (-1, -1)
            cell = (x - left) // width, (y - top) // height
            own, _ = self._frame.door_tiles(cell, side, self._spec.door_width)
            if cell not in room.cells or tuple(own) != tiles:
                raise LevelError(
                    f"doors[{door}]: its tiles are not in the middle of a cell's {side.label} side of "
                    f"room {room.id}; see `undercroft check`"
                )
            slots.add(((cell[0] - corner_x, cell[1] - corner_y), side))
        return frozenset(slots)


def _frame(draft: Draft, spec: GridSpec) -> GridFrame:
    frame = draft.level.grid
    if frame is None or frame.cell_size != spec.room_size:
        raise LevelError(f"grid: its cells are not of the spec's room_size {list(spec.room_size)}")
    return frame


def _own_layouts(spec: GridSpec, folder: str | Path) -> OwnLayouts:
    """The team's layouts that the level was made with, which its spec names by their digest."""
    if not folder:
        if not spec.layouts:
            return NO_OWN
        raise RerollError(
            f"spec.layouts: the level was made with layouts of your own (digest {shown(spec.layouts)}); "
            "name their folder with --layouts"
        )
    own = own_layouts(spec.replace({"layouts": str(folder)}))
    if own.digest != spec.layouts:
        had = f"with those of digest {shown(spec.layouts)}" if spec.layouts else "without any"
        raise RerollError(
            f"layouts: the level was made {had}, not those of {shown(str(folder), 200)} ({own.digest}); "
            "make the level anew to use these"
        )
    return own
