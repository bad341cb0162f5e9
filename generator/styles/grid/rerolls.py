"""Rerolls the inside of a room of a grid style: the next layout dealt, another image, other variations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import count
from pathlib import Path

from generator.errors import LevelError, shown
from generator.geometry import GridFrame
from generator.interiors.interior import torch_marker, torch_of
from generator.interiors.pools import SQUARE, Choice, ChoicePool, Form, deal, drawn_difficulty
from generator.level import Room
from generator.rerolls.draft import LevelDraft, stays
from generator.rerolls.markers import another_enemy, keys_again, move_markers
from generator.rerolls.record import NothingElseError, Rolls
from generator.rerolls.reroll import layouts_again
from generator.rng import Stream
from generator.shapes import SHAPES, Slot
from generator.styles.costs import costly_rooms
from generator.styles.gates import gate_of
from generator.styles.grid.build import CarvedTiles, beside_room, carve_room, fires, hang_torches, open_wall
from generator.styles.grid.floorplan import PlannedRoom, door_kind
from generator.styles.grid.furnish import (
    Fight,
    RoomNames,
    RoomPlace,
    champions,
    first_turn,
    furnished_room,
    names_in_rooms,
    room_places,
    room_terms,
)
from generator.styles.grid.pools import LevelPools, chapter_of, level_pools
from generator.styles.grid.spec import GridSpec
from generator.styles.grid.special_rooms import KindRow, RerollRules, door_kinds, kind_row

# Rerolls the kind of a room on a grid, within what the tables of special rooms allow at dead ends.


AT_DEAD_ENDS = "dead_end", "far", "near"  # the places of rules that mean rooms with one door


def other_kinds(
    draft: LevelDraft,
    room: Room,
    rows: Sequence[KindRow],
    has_shape: Callable[[str, str], bool],
    why_normal: str,
) -> set[str]:
    """Find the kinds that a room may become, given the rows by which its style places rooms.

    Dead ends may become what the rows place, if that kind has rooms of their shape (`has_shape` takes a kind
    and a shape); what always comes is neither removed nor added. If normal rooms cannot become special, nor
    special ones normal, `why_normal` says why. Every change can be undone. Raises NothingElseError if the
    room must stay what it is, and LevelError if the level's special rooms do not match the rows.
    """
    kinds = draft.level.kinds
    doors = sum(
        draft.doors[opening.door].kind not in kinds.secret_doors for opening in draft.openings(room.id)
    )
    costly = costly_rooms(kinds)
    if room.kind in costly:
        raise stays(room, "its doors cost keys, which lie elsewhere in the level")
    if doors > 1 or (room.kind == "normal" and doors != 1):
        raise stays(room, f"it has {doors} doors, but special rooms are dead ends")
    if room.kind == "normal" and not any(has_shape(kind, room.shape) for row in rows for kind in row.kinds):
        raise stays(room, f"it is a {room.shape}, but special rooms are single cells")
    if room.kind == "normal" and why_normal:
        raise stays(room, why_normal)
    rest = [level_room.kind for level_room in draft.rooms if level_room.id != room.id]
    rest = [kind for kind in rest if kind != "normal" and not kinds.room(kind).stays]
    fits, certain = _placed(rows, [*rest, *_special(room.kind)])
    if not fits:
        raise LevelError("rooms: the special rooms are not those of the spec; see `undercroft check`")
    allowed = set()
    candidates = {kind for row in rows for kind in row.kinds} | (set() if why_normal else {"normal"})
    for kind in candidates - {room.kind}:
        fits, still_certain = _placed(rows, [*rest, *_special(kind)])
        can_be = not kinds.room(kind).stays and not (kind == "curse" and _has_red_door(draft, room))
        can_be &= kind not in costly and (kind == "normal" or has_shape(kind, room.shape))
        if fits and still_certain == certain and can_be:
            allowed.add(kind)
    if not allowed and room.kind == "normal":
        raise stays(room, "the level has every special room that its spec allows")
    if not allowed and why_normal and not any(row.is_certain and room.kind in row.kinds for row in rows):
        raise stays(room, why_normal)
    if not allowed:
        raise stays(room, "a level of this spec always has one")
    return allowed


def _special(kind: str) -> list[str]:
    return [] if kind == "normal" else [kind]


def _placed(rows: Sequence[KindRow], kinds: Sequence[str]) -> tuple[bool, set[int]]:
    """Return whether each room of these kinds can have its own row, and which certain rows are used.

    A bipartite matching along augmenting paths (Kuhn 1955): whatever is matched once stays matched. So rows
    that always come choose first, in their order, and then the remaining rooms.
    """
    rooms_for = [[room for room, kind in enumerate(kinds) if kind in row.kinds] for row in rows]
    row_of: dict[int, int] = {}  # by room
    certain = {
        number
        for number, row in enumerate(rows)
        if row.is_certain and _match(number, rooms_for, row_of, set())
    }
    rows_for = [[number for number, row in enumerate(rows) if kind in row.kinds] for kind in kinds]
    room_of = {row: room for room, row in row_of.items()}
    left = [room for room in range(len(kinds)) if room not in row_of]
    return all(_match(room, rows_for, room_of, set()) for room in left), certain


def _match(node: int, options: Sequence[Sequence[int]], partner: dict[int, int], seen: set[int]) -> bool:
    """Give a node one of its options, whose present partner then takes another. False if it gets none."""
    for option in options[node]:
        if option not in seen:
            seen.add(option)
            if option not in partner or _match(partner[option], options, partner, seen):
                partner[option] = node
                return True
    return False


def _has_red_door(draft: LevelDraft, room: Room) -> bool:
    """Check whether a red room is beside a room. A curse room may not have one."""
    return any(draft.doors[opening.door].kind == "red" for opening in draft.openings(room.id))


class GridRooms:
    """Makes rooms of a level on a grid. `layouts` is the folder of the team's own layouts, if it has one."""

    def __init__(self, draft: LevelDraft, spec: GridSpec, layouts: str | Path, rules: RerollRules) -> None:
        self._draft = draft
        self._spec = spec
        self._layouts = layouts
        self._rules = rules
        self._frame = _frame(draft, spec)
        self._turns_of: Counter[str] = Counter()  # by shape, which rolls do not change
        self._turns: list[int] = []
        for room in draft.rooms:
            self._turns.append(self._turns_of[room.shape])
            self._turns_of[room.shape] += 1

    @cached_property
    def _pools(self) -> LevelPools:
        spec = self._spec
        own = layouts_again(self._draft.level.spec, self._layouts, spec.room_size, spec.load_kit())
        return level_pools(spec, chapter_of(spec, self._draft.level.seed), own)

    @cached_property
    def _shares(self) -> Mapping[str, int]:
        return self._rules.shares(self._spec, str(self._draft.level.facts.get("curse", "none")))

    @property
    def _door_kinds(self) -> Mapping[str, str]:
        return door_kinds(self._spec.stage, self._draft.level.kinds)

    def other_kinds(self, room: Room) -> set[str]:
        """See `RoomRoller.other_kinds`."""
        level, rules = self._draft.level, self._rules
        labyrinth = level.facts.get("curse") == "labyrinth"
        rows = rules.rows(self._spec, labyrinth)
        own = rules.own_rules(self._spec, labyrinth, level.seed)

        def has_shape(kind: str, shape: str) -> bool:
            is_drawn = shape == SQUARE.shape or self._pools.has(kind, tuple(self._shares), shape)
            return is_drawn and rules.has_shape(self._spec, level.kinds, kind, shape)

        why_normal = rules.why_normal if labyrinth else ""
        allowed = other_kinds(self._draft, room, [*rows, *map(kind_row, own)], has_shape, why_normal)
        placeable = frozenset[str]().union(
            *(row.kinds for row in rows), *(row.kinds() for row in own if row.place in AT_DEAD_ENDS)
        )
        return {kind for kind in allowed if kind == "normal" or kind in placeable}

    def change_doors(self, number: int) -> None:
        """See `RoomRoller.change_doors`."""
        draft = self._draft
        for index, _, _ in draft.openings(number):
            door = draft.doors[index]
            a, b = (draft.rooms[room].kind if room is not None else "" for room in door.rooms)
            kind = door_kind(a, b, self._door_kinds, draft.level.kinds)
            kind = gate_of(door, draft.level.kinds) or kind
            draft.doors[index] = replace(door, kind=kind)

    def make(self, number: int, rolls: Rolls, seed: int) -> None:
        """Make the inside of a room anew. Raises NothingElseError if there is no other."""
        draft, frame = self._draft, self._frame
        room = draft.rooms[number]
        planned, slots = self._planned(room), self._slots(room)
        choice = self._choice(room, rolls, seed, slots)
        stream, enemies = (
            Stream(seed, name, self._spec.stage, number, rolls.layout)
            for name in ("reroll.furnish", "reroll.encounter")
        )
        turn = first_turn(self._spec, draft.level.seed) + number
        fight = Fight(self._place(room), self._names(number), enemies, turn)
        furnishing = furnished_room(room_terms(self._spec), choice, slots, stream, fight)

        tiles = CarvedTiles(draft.terrain, draft.decor, draft.level.kinds)
        torch = torch_of(tiles.kinds)
        for cell in room.cells if torch else ():  # torches also hang on the wall, which is not carved again
            area = draft.decor[frame.cell_rect(cell).slices]
            area[area == torch] = 0
        rect = carve_room(planned, furnishing, frame, draft.terrain, draft.decor)
        for opening in draft.openings(number):
            open_wall(opening.tiles, opening.side.opposite, tiles)
        markers = [
            marker._replace(x=rect.x + 1 + marker.x, y=rect.y + 1 + marker.y) for marker in furnishing.markers
        ]
        elsewhere = beside_room(room.cells, rect, frame)
        markers += keys_again(draft, room, markers, self._spec.body, elsewhere)
        if room.kind not in tiles.kinds.secret_rooms:  # they stay dark
            torches = hang_torches([(number, planned)], frame, tiles)
            markers += [torch_marker(tile) for _, tile in torches]
        markers += fires(room.cells, frame, draft.decor, tiles.kinds)
        draft.put_markers(number, markers)
        draft.rooms[number] = replace(room, difficulty=furnishing.difficulty, layout=furnishing.layout)

    def move(self, number: int, rolls: Rolls, seed: int) -> None:
        """Place enemies, pickups and chests anew. Raises NothingElseError if nothing or nowhere is left."""
        room = self._draft.rooms[number]
        self._slots(room)  # refuses an impossible level
        move_markers(self._draft, room, rolls, seed, another_enemy(self._draft, room, champions(self._spec)))

    def _place(self, room: Room) -> RoomPlace:
        rooms = [(level_room.kind, level_room.distance) for level_room in self._draft.rooms]
        return room_places(rooms, self._pools.chapter.name)[room.id]

    def _names(self, number: int) -> RoomNames:
        kinds = [room.kind for room in self._draft.rooms]
        chapter = self._pools.chapter.name
        return names_in_rooms(self._spec, self._draft.level.seed, chapter, kinds)[number]

    # --- which layout ----------------------------------------------------------------------------------

    def _choice(self, room: Room, rolls: Rolls, seed: int, slots: frozenset[Slot]) -> Choice:
        """Return the next layout dealt that is not the present one, or another image of the only one."""
        form = Form(room.shape, slots) if self._rules.has_shapes else SQUARE
        choices = self._pools.choices(room.kind, tuple(self._shares), form)
        present, _, mirror = ("", "", "") if rolls.is_first_of_its_own else room.layout.partition("+")
        fitting = {choice.name: choice for choice in choices if choice.name != present}
        if fitting:
            deck = self._deck(room, rolls, seed, {choice.difficulty for choice in fitting.values()})
            if not any(choice.name in fitting for choice in deck):  # such as those with a way cut for a body
                deck = ChoicePool(fitting.values())
            dealt = self._dealt(room, rolls, seed, deck)
            return next(fitting[name] for name in dealt if name in fitting)
        mirrors = tuple(image for image in choices[0].mirrors if image != mirror)
        if not mirrors:
            raise NothingElseError(
                f"room {room.id}: {shown(present)} is the only layout that fits this {room.kind} room; draw "
                "another one"
            )
        return choices[0]._replace(mirrors=mirrors)

    def _deck(self, room: Room, rolls: Rolls, seed: int, difficulties: set[int]) -> ChoicePool:
        """List the layouts that a room draws from: normal ones all of one difficulty, drawn by its share."""
        shape = Form(room.shape, frozenset()) if self._rules.has_shapes else SQUARE
        deck = self._pools.choices(room.kind, tuple(self._shares), shape)
        if room.kind != "normal":
            return deck
        stream = Stream(seed, "reroll.difficulty", self._spec.stage, room.id, rolls.layout)
        difficulty = drawn_difficulty(difficulties, self._shares, stream)
        return deck.by_difficulty.get(difficulty, ChoicePool())

    def _dealt(self, room: Room, rolls: Rolls, seed: int, deck: ChoicePool) -> Iterator[str]:
        """Yield the endless sequence of layout names that a room of its kind and shape is dealt from a deck.

        A special room has its own deck and draws from it roll by roll, so that repeated rolls go through all
        layouts. Normal rooms of a shape share a deck for each difficulty that is shuffled for each roll, and
        take turns to draw: rolled all at once, they differ.
        """
        owner, position, step = room.id, rolls.layout - 1, 1
        if room.kind == "normal":
            owner, position, step = rolls.layout, self._turns[room.id], self._turns_of[room.shape]
        dealt: dict[int, list[str]] = {}
        for card in count(position, step):
            shuffle, at = divmod(card, len(deck))
            if shuffle not in dealt:
                name = f"reroll.deal.{room.kind}.{room.shape}"
                stream = Stream(seed, name, self._spec.stage, owner, shuffle)
                dealt[shuffle] = [choice.name for choice in deal(deck, len(deck), stream)]
            yield dealt[shuffle][at]

    # --- what is checked before use ----------------------------------------------------------------------

    def _planned(self, room: Room) -> PlannedRoom:
        """Return the room as in its floorplan. Raises LevelError for cells or bounds not of its shape."""
        planned = PlannedRoom(room.kind, room.shape, room.cells, room.distance, room.depth)
        shape = SHAPES.get(room.shape if self._rules.has_shapes else SQUARE.shape)
        if shape and shape.name == room.shape and room.cells:
            left, top = planned.corner
            cells = tuple((left + x, top + y) for x, y in shape.cells)
            if cells == room.cells and self._frame.bounds(cells) == room.bounds:
                return planned
        raise LevelError(f"rooms[{room.id}]: its cells and bounds do not form the shape {room.shape}")

    def _slots(self, room: Room) -> frozenset[Slot]:
        """Return a room's doors, counted from its corner. Raises LevelError for an impossible one."""
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


def _frame(draft: LevelDraft, spec: GridSpec) -> GridFrame:
    frame = draft.level.grid
    if frame is None or frame.cell_size != spec.room_size:
        raise LevelError(f"grid: its cells do not have the spec's room_size {list(spec.room_size)}")
    return frame
