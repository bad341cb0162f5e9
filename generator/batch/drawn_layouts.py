"""Counts how often each layout is drawn over many levels, and says why some never are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from generator.errors import GenerationFailed
from generator.geometry import Side
from generator.interiors.layouts import OWN, Layout
from generator.interiors.named import named_layouts, shipped_names
from generator.interiors.pools import in_place
from generator.interiors.team_layouts import team_layouts
from generator.kinds import DIFFICULTIES
from generator.level import Level, Room
from generator.named_tuple import NamedTuple
from generator.pipeline import generate
from generator.shapes import Slot
from generator.spec import LevelSpec
from generator.styles.grid.pools import chapter_of
from generator.styles.grid.spec import GridSpec
from generator.value_words import how_many


class RoomForm(NamedTuple):
    """What a layout must fit to be drawn for a room. For normal rooms, `pools` are the chapter's pools."""

    kind: str
    pools: tuple[str, ...]
    difficulty: int
    shape: str
    doors: frozenset[Slot]


class DrawnCounts(NamedTuple):
    """For some levels: how often each layout was drawn, and how many rooms there were of each form."""

    levels: int
    drawn: Counter[str]
    forms: Counter[RoomForm]


class LayoutFate(NamedTuple):
    """A layout, how many rooms got it, how many it would have fitted, and if it was never drawn, why."""

    name: str
    drawn: int
    fitting: int
    why: str


def count_layouts(task: tuple[LevelSpec, Sequence[int]]) -> DrawnCounts:
    """Count the layouts of a block of seeds. Runs in a worker."""
    spec, seeds = task
    counts = DrawnCounts(len(seeds), Counter(), Counter())
    for seed in seeds:
        try:
            level = generate(spec, seed)
        except GenerationFailed:
            continue
        count_level(counts, spec, level)
    return counts


def count_level(counts: DrawnCounts, spec: LevelSpec, level: Level) -> None:
    """Add the layouts and the room forms of a level to the counts."""
    pools: tuple[str, ...] = ()
    if isinstance(spec, GridSpec):
        chapter = chapter_of(spec, level.seed)
        pools = tuple(dict.fromkeys((*chapter.pools, chapter.name, "any")))
    for room in level.rooms:
        counts.drawn[room.layout.partition("+")[0]] += 1
        counts.forms[_form(level, room, pools)] += 1


def _form(level: Level, room: Room, pools: tuple[str, ...]) -> RoomForm:
    normal = room.kind == "normal"
    doors = frozenset(_slots(level, room))
    return RoomForm(room.kind, pools if normal else (), room.difficulty if normal else 0, room.shape, doors)


def _slots(level: Level, room: Room) -> Iterable[Slot]:
    """Return the doors of a room on a grid as cells, counted from the corner of its shape, and sides."""
    if not level.grid:
        return
    left, top = (min(cell[axis] for cell in room.cells) for axis in (0, 1))
    for door in level.doors:
        for half in door.halves:
            if half.room == room.id:
                x, y = half.tiles[0]
                (width, height), (ox, oy) = level.grid.cell_size, level.grid.origin
                yield ((x - ox) // width - left, (y - oy) // height - top), Side.named(half.side)


def merged_counts(parts: Iterable[DrawnCounts]) -> DrawnCounts:
    """Sum the counts of some blocks."""
    total = DrawnCounts(0, Counter(), Counter())
    for part in parts:
        total = DrawnCounts(total.levels + part.levels, total.drawn + part.drawn, total.forms + part.forms)
    return total


def fates(
    spec: LevelSpec, counts: DrawnCounts, layouts: Mapping[str, Layout] | None = None
) -> list[LayoutFate]:
    """Return the fate of every layout of the style, by name. `layouts` is `layouts_of(spec)`."""
    layouts = layouts_of(spec) if layouts is None else layouts
    fate = _fate if isinstance(spec, GridSpec) else _free_fate
    return [fate(spec, name, layouts[name], counts) for name in sorted(layouts)]


def layouts_of(spec: LevelSpec) -> dict[str, Layout]:
    """Return every layout of the spec's style, shipped and a team's own, by name."""
    kit = spec.load_kit()
    names, own_style = shipped_names() if kit.ships_layouts else [], f"{spec.style}/"
    if any(name.startswith(own_style) for name in names):
        shipped = named_layouts(spec.style, _ignored, kit)
        by_name = {named.name.removeprefix(own_style): named.layout for named in shipped}
    else:
        tops = sorted({name.split("/")[0] for name in names} & set(kit.kinds.rooms))
        by_name = {named.name: named.layout for top in tops for named in named_layouts(top, _ignored, kit)}
    size = spec.room_size if isinstance(spec, GridSpec) else None
    for pool, layouts in team_layouts(kit, getattr(spec, "layouts", ""), size).pools.items():
        by_name |= {f"{OWN}{pool}/{layout.name}": layout for layout in layouts}
    return by_name


def _ignored(_: str) -> None:
    """Ignore a message: shipped layouts fail only if a kit lacks a kind that they use."""


def _free_fate(spec: LevelSpec, name: str, layout: Layout, counts: DrawnCounts) -> LayoutFate:
    """Return the fate of a layout with exits, which brings its own size."""
    kind, drawn = name.removeprefix(OWN).partition("/")[0], counts.drawn[name]
    rooms = sum(count for form, count in counts.forms.items() if form.kind == kind)
    if drawn or not rooms:
        return LayoutFate(name, drawn, rooms, "" if drawn else f"there is no {kind} room")
    if why := spec.layout_misfit(name):
        return LayoutFate(name, 0, 0, why)
    return LayoutFate(name, 0, rooms, spec.tag_misfit(layout.tags) or _by_chance(rooms))


def _by_chance(rooms: int) -> str:
    reason = f"fits {how_many(rooms, 'room')}, but others were drawn there by chance"
    return f"{reason}; try more seeds, or a larger weight"


def _fate(spec: LevelSpec, name: str, layout: Layout, counts: DrawnCounts) -> LayoutFate:
    assert isinstance(spec, GridSpec)
    drawn = counts.drawn[name]
    folders = name.removeprefix(OWN).split("/")[:-1]
    kind = folders[0]
    shapes = {layout.shape.mirrored(image).name for image in layout.mirrors}
    doors = " ".join(layout.doors)
    steps: list[tuple[str, Callable[[RoomForm], bool]]] = [
        (f"there is no {kind} room", lambda form: form.kind == kind)
    ]
    if kind == "normal":
        chapter, difficulty = folders[1], DIFFICULTIES[folders[2]]
        steps += [
            (f"no level draws from the chapter {chapter}", lambda form: chapter in form.pools),
            (f"no such room is {folders[2]}", lambda form: form.difficulty == difficulty),
        ]
    steps += [
        (f"no such room is {' or '.join(sorted(shapes))}", lambda form: form.shape in shapes),
        (f"every such room has a door beside {doors}", lambda form: _has_doors(layout, form)),
    ]
    left = list(counts.forms.items())
    for why, fits in steps:
        left = [(form, count) for form, count in left if fits(form)]
        if not left and not drawn:
            return LayoutFate(name, 0, 0, why)
    fitting = max(drawn, sum(count for _, count in left))
    if drawn:
        return LayoutFate(name, drawn, fitting, "")
    if layout.pitch != spec.room_size:
        return LayoutFate(name, 0, 0, f"was drawn for a room_size of {layout.pitch[0]} x {layout.pitch[1]}")
    why = _by_chance(fitting)
    if not in_place(layout, spec.body, spec.door_width):
        why = f"leaves a body of {spec.body} x {spec.body} tiles too little space"
    return LayoutFate(name, 0, fitting, why)


def _has_doors(layout: Layout, form: RoomForm) -> bool:
    return any(
        form.doors <= layout.slots(image)
        for image in layout.mirrors
        if layout.shape.mirrored(image).name == form.shape
    )
