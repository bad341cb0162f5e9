"""Which rooms become special, in the wiki's order: bosses first, then the table's rows, then secret rooms."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from generator.floorplans.rebirth.counts import Counts
from generator.floorplans.rebirth.draft import Draft
from generator.floorplans.rebirth.secret_rooms import find_secret_cell, find_ultra_secret_cell
from generator.floorplans.special_rooms import SpecialRoom, rows_of, state_facts
from generator.floorplans.stage_variant import stage_variant
from generator.geometry import Point
from generator.rng import Stream
from generator.shapes import LARGE_BOSSES, SHAPES
from generator.spec import RebirthSpec

_HALF_HEART, _HEART = 1, 2  # health counts half hearts
_NO_BONES = ("the_lost", "blue_baby", "the_soul")
_GRAVE_STAGE = 11

Placed = list[tuple[str, int]]  # kinds and numbers of rooms, in the order in which they were placed


class Rejected(Exception):  # noqa: N818  # what happened to a floor, no error
    """A floor that has no place for a room that it must have; the message says which."""


def assign_kinds(draft: Draft, spec: RebirthSpec, counts: Counts, seed: int, attempt: int) -> Placed:
    """Give rooms their kinds, and add the second boss room and the secret rooms. Raises Rejected.

    What is placed keeps its order; the draft's rooms have their kinds and last shapes then.
    """
    placed: Placed = []
    _place_bosses(draft, spec, counts, Stream(seed, "rebirth.boss", attempt), placed)
    rows = special_rooms(spec, counts.is_labyrinth)
    _place_rows(draft, rows, Stream(seed, "rebirth.special", attempt), placed)
    has_grave = _has_grave(spec, seed)
    if has_grave:
        _shrink_for_grave(draft)
    for number in range(_secret_rooms(spec)):
        stream = Stream(seed, "rebirth.secret", attempt, number)
        _place_new(draft, "secret", find_secret_cell(draft, spec.stage, stream), placed)
    if spec.is_repentance:
        stream = Stream(seed, "rebirth.ultra_secret", attempt)
        _place_new(draft, "ultra_secret", find_ultra_secret_cell(draft, spec.stage, stream), placed)
    if has_grave:
        _place(draft, "grave", draft.dead_ends[0], placed)
    return placed


def kinds_allowed(spec: RebirthSpec, labyrinth: bool, seed: int) -> dict[str, tuple[int, int]]:
    """The least and the most special rooms of each kind that a level may have; of any other there is none."""
    bosses, graves = _bosses(spec) + labyrinth, int(_has_grave(spec, seed))
    allowed = {"boss": (bosses, bosses), "grave": (graves, graves)}
    allowed |= {"secret": (0, _secret_rooms(spec)), "ultra_secret": (0, int(spec.is_repentance))}
    for row in special_rooms(spec, labyrinth):
        for kind in row.kinds():
            least, most = allowed.get(kind, (0, 0))
            allowed[kind] = least + row.must, most + 1
    return allowed


def _bosses(spec: RebirthSpec) -> int:
    return spec.void_bosses if spec.is_void else 1


def _has_grave(spec: RebirthSpec, seed: int) -> bool:
    """The Dark Room is stage 11's own variant."""
    return spec.stage == _GRAVE_STAGE and spec.knows_afterbirth_plus and stage_variant(spec, seed) == "main"


def _secret_rooms(spec: RebirthSpec) -> int:
    card = spec.state.fragmented_card and spec.knows_afterbirth_plus
    return 1 + card + (spec.state.luna and spec.is_repentance)


# --- bosses ------------------------------------------------------------------------------------------


def _place_bosses(draft: Draft, spec: RebirthSpec, counts: Counts, stream: Stream, placed: Placed) -> None:
    """The boss room; a labyrinth's second one behind it; the Void's further ones."""
    for _ in range(_bosses(spec)):
        number = _boss_room(draft, spec, counts.is_labyrinth and not placed, stream)
        if number is None:
            raise Rejected("no dead end for a boss room")
        _place(draft, "boss", number, placed)
    if counts.is_labyrinth:
        _place_second_boss(draft, spec, stream, placed)


def _boss_room(draft: Draft, spec: RebirthSpec, with_second: bool, stream: Stream) -> int | None:
    """The furthest dead end that is not beside the start, large if chance and the place will; two words.

    For a large room all dead ends as far as that one are tried (isaac-article, "Rebirth"); then it stays
    small. One that has a second boss room behind it needs a free way straight on (isaac-facts 4.5).
    """
    shape = _large_boss(spec, stream)
    ends = [
        number
        for number in draft.dead_ends
        if draft.rooms[number].depth > 1 and (not with_second or draft.has_way_behind(number))
    ]
    if not ends:
        return None
    for number in ends if shape else ():
        if draft.rooms[number].depth < draft.rooms[ends[0]].depth:
            break
        if draft.enlarge(number, SHAPES[shape]):
            if not with_second or any(draft.places_beside(number)):
                return number
            draft.shrink(number)
    draft.shrink(ends[0])
    return ends[0]


def _large_boss(spec: RebirthSpec, stream: Stream) -> str:
    """The shape of a large boss room, or none."""
    comes, shape = stream.chance(spec.large_bosses, 100), stream.pick(LARGE_BOSSES)
    return shape if comes else ""


def _place_second_boss(draft: Draft, spec: RebirthSpec, stream: Stream, placed: Placed) -> None:
    """A boss room behind the first, straight on if it can be; three words."""
    first = placed[0][1]
    places = list(draft.places_beside(first))
    straight = [place for place in places if place[1] == draft.rooms[first].way] or places
    if not straight:
        raise Rejected("no place for a second boss room")
    cell, way = stream.pick(straight)
    number = draft.add("boss", cell, way, draft.rooms[first].depth + 1)
    shape = _large_boss(spec, stream)
    if shape:
        draft.enlarge(number, SHAPES[shape])
    placed.append(("boss", number))


# --- the table's rows, and what comes last -----------------------------------------------------------


@lru_cache(maxsize=256)
def special_rooms(spec: RebirthSpec, labyrinth: bool) -> tuple[SpecialRoom, ...]:
    """The rows of the table that count under `spec`, in their order."""
    state = spec.state
    from_game = spec.late_special_rooms == "game"
    facts = {
        "repentance": spec.is_repentance,
        "labyrinth": labyrinth,
        "shops": _below(spec.stage, state.silver_dollar) and state.victory_lap < 3,
        "treasures": _below(spec.stage, state.bloody_crown),
        "side_rooms": spec.stage < 11 or not from_game,
        "dice": spec.stage < (11 if from_game else 12),
        "poor_health": _poor_health(spec),
        "planetarium": min(100, 1 + 20 * state.treasure_rooms_skipped + state.planetarium_bonus),
        "luna": state.luna,
        "voodoo_head": state.voodoo_head,
    }
    return rows_of("rebirth/special_rooms.toml", {**state_facts(spec), **facts})


def _below(stage: int, trinket: bool) -> bool:
    """Three chapters, and with the trinket a fourth."""
    return stage < (9 if trinket else 7)


def _poor_health(spec: RebirthSpec) -> bool:
    state = spec.state
    containers = state.heart_containers
    if state.character not in _NO_BONES and spec.knows_afterbirth_plus:
        containers += _HEART * state.bone_hearts
    hurt = state.red_hearts <= _HALF_HEART and not state.soul_hearts
    return hurt or (not containers and state.soul_hearts <= _HEART)


def _place_rows(draft: Draft, rows: Sequence[SpecialRoom], stream: Stream, placed: Placed) -> None:
    for row in rows:
        kind = row.roll(stream)
        if draft.dead_ends:
            number = draft.dead_ends[0]
            draft.shrink(number)
            if kind:
                _place(draft, kind, number, placed)
            else:
                draft.dead_ends.append(draft.dead_ends.pop(0))
        elif row.must:
            raise Rejected(f"no dead end for a {row.kind} room")


def _place(draft: Draft, kind: str, number: int, placed: Placed) -> None:
    draft.dead_ends.remove(number)
    draft.rooms[number].kind = kind
    placed.append((kind, number))


def _shrink_for_grave(draft: Draft) -> None:
    """The grave is placed last, but takes its shape before secret rooms look for neighbours.

    A large dead end that shrank afterwards would leave a secret room beside it without a door.
    """
    if not draft.dead_ends:
        raise Rejected("no dead end for a grave")
    draft.shrink(draft.dead_ends[0])


def _place_new(draft: Draft, kind: str, cell: Point | None, placed: Placed) -> None:
    """Build a room for a kind, one deeper than the nearest about it, if there is a place at all."""
    if cell is None:
        return
    near = [number for _, number in draft.beside(cell)] or list(draft.across(cell))
    depth = 1 + min(draft.rooms[number].depth for number in near)
    placed.append((kind, draft.add(kind, cell, 0, depth)))
