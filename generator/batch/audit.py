"""Audits: every check on many levels; and of a kit, what its rows do not show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from generator.batch.many_seeds import level_in_turn
from generator.checks import problems
from generator.errors import GenerationFailed, KitError, LayoutError, UndercroftError, shown
from generator.geometry import Point
from generator.interiors.layout_file import load_layout
from generator.interiors.layouts import Layout
from generator.interiors.own_layouts import is_dropped, kit_layouts, with_blame
from generator.interiors.pool_rules import pool_of_file
from generator.interiors.pools import USUAL_PITCH, shipped, special_choices
from generator.interiors.problems import checked_file, endings
from generator.interiors.team_layouts import team_layouts
from generator.kinds import DIFFICULTIES, Kit
from generator.kinds.chapters import STAGES
from generator.kinds.columns import unknown
from generator.kinds.kit import own_tables
from generator.kinds.kit_files import check_no_link
from generator.kinds.style_names import GRIDS, GUNGEON, REBIRTH, STYLES
from generator.named_tuple import NamedTuple
from generator.pipeline import generate
from generator.spec import LevelSpec, load_spec

BLOCK = 20  # seeds
_MAX_SHOWN = 20  # problems of one level


class Audited(NamedTuple):
    """The problems of a block of seeds, by seed. A seed without a level counts as a problem."""

    seeds: Sequence[int]
    problems: dict[int, list[str]]


def audit_block(task: tuple[LevelSpec, Sequence[int]]) -> Audited:
    """Check a block of seeds. Runs in a worker."""
    spec, seeds = task
    by_seed: dict[int, list[str]] = {}
    for seed in seeds:
        try:
            lines = [str(problem) for problem in problems(level_in_turn(spec, seed))]
        except GenerationFailed as error:
            lines = [str(error)]
        if lines:
            by_seed[seed] = lines[:_MAX_SHOWN]
    return Audited(seeds, by_seed)


# --- kits --------------------------------------------------------------------------------------------

# Whether a kit's layouts can be used, and levels be made with it. `undercroft check KIT` asks this if its
# rows are valid.

MAX_PROBLEMS = 200
_STAGES = range(1, STAGES + 1)
_HEAPS = 4  # levels for a style without stages
_ROOMS = 12  # of each of these levels


def kit_audit(kit: Kit) -> list[str]:
    """Report each problem of a kit's layouts, one line each. If there are none, report those of small levels.

    Levels are made in each style that its rows name, in all of them if they name none: one for each stage,
    every other one with the greatest values of the kit's facts.
    """
    lines = [*_layout_problems(kit), *_idle_encounters(kit)] or list(_level_problems(kit))
    return list(dict.fromkeys(lines))[:MAX_PROBLEMS]


# --- layouts -----------------------------------------------------------------------------------------


def _layout_problems(kit: Kit) -> Iterator[str]:
    """Yield problems of all layouts, also of kits that it extends, whose contents its rows may lack."""
    count, known = 0, endings()
    for folder in kit.layouts:
        for path in sorted(file for file in folder.rglob("*") if file.suffix.lower() in known):
            if is_dropped(kit, folder, path.relative_to(folder).as_posix()):
                continue
            for line in _problems_of_file(path, folder, kit):
                count += 1
                yield with_blame(kit, folder, line)
    for line in _left_out_problems(kit):
        count += 1
        yield line
    if not count:
        try:
            kit_layouts(kit, on_grid=True)
        except UndercroftError as error:
            yield str(error)


def _left_out_problems(kit: Kit) -> Iterator[str]:
    """Yield layouts to leave out, named by its own chapters, that the chapters' pools do not have."""
    for name in own_tables(kit).get("chapter", {}):
        row, where = kit.rules.chapters[name], f"{kit.file_of(f'chapter.{name}')}: chapter.{name}.without"
        folders = [
            f"normal/{pool}/{difficulty}" for pool in (*row.pools, name, "any") for difficulty in DIFFICULTIES
        ]
        known = sorted({layout.name for pool in folders for layout in shipped(pool) if kit.ships_layouts})
        if row.without and not known:
            yield f"{where}: its pools have no shipped layouts to leave out; remove the key"
        elif known:
            yield from (
                unknown("layout", layout, known, where) for layout in row.without if layout not in known
            )


def _problems_of_file(path: Path, folder: Path, kit: Kit) -> list[str]:
    try:
        check_no_link(path)
        checked = checked_file(path, folder, kit)
        gone = _gone_enemies([found.layout for found in checked.layouts], kit)
        lines = checked.problems + [f"{path}: {line}" for line in gone]
        if not lines and path.suffix.lower() == ".txt":
            on_grid = not load_layout(path, kit.kinds).exits
            pool_of_file(path.relative_to(folder).as_posix(), path, kit, on_grid=on_grid)
    except (KitError, LayoutError) as error:
        return [str(error)]
    return lines


def _gone_enemies(layouts: Iterable[Layout], kit: Kit) -> list[str]:
    """Name the enemies of layouts that the kit leaves out. Other names can be a game's own."""
    glyphs = [glyph for layout in layouts for glyph in layout.glyphs.values() if glyph.marker == "enemy"]
    names = {str(glyph.properties["name"]) for glyph in glyphs if "name" in glyph.properties}
    return [
        f"the enemy {shown(name)} is of the row enemy.{name}, which the kit leaves out; name another enemy, "
        "or keep the row"
        for name in sorted(names)
        if f"enemy.{name}" in kit.gone
    ]


# --- rows without effect ------------------------------------------------------------------------------

_ON_GRIDS = ("stage", "difficulty", "way", "more_floor", "ambush")  # of [encounters]


def _idle_encounters(kit: Kit) -> Iterator[str]:
    """Yield keys of encounters that count only on grids, in a kit whose rows name no such style."""
    if not set(styles_of(kit)) <= {GUNGEON}:
        return
    for key in own_tables(kit).get("encounters", {}):
        if key in _ON_GRIDS:
            yield (
                f"{kit.file_of(f'encounters.{key}')}: encounters.{key}: counts only on grids, but the kit's "
                "rows are for gungeon, where [[crowd.gungeon]] says how many enemies a room has; leave it out"
            )


# --- levels ------------------------------------------------------------------------------------------


def _level_problems(kit: Kit) -> Iterator[str]:
    seen: set[str] = set()
    pitch = pitch_of(kit)
    for style in styles_of(kit):
        lines = _without_layouts(kit, style, pitch) if style in GRIDS else []
        for line in lines or _of_style(kit, style, pitch):
            same = line.replace(f"style {style}", "style")
            if same not in seen:
                seen.add(same)
                yield line


def styles_of(kit: Kit) -> tuple[str, ...]:
    """Return the styles that its own rows name, built-in ones first, or all built-in ones without any."""
    own = own_tables(kit)
    named = {*own.get("difficulty", {}), *own.get("crowd", {})}
    for name in own.get("room", {}):
        named |= kit.kinds.rooms[name].styles.keys()
    own_rules = own.get("special_room", {})
    named |= {style for row in kit.rules.special_rooms if row.name in own_rules for style in row.styles}
    styles = named or set(STYLES)
    return (*(style for style in STYLES if style in styles), *sorted(styles - set(STYLES)))


def pitch_of(kit: Kit) -> Point:
    """Return the cell size that most of its own layouts are drawn for, unless some have the usual one."""
    pools = kit_layouts(kit, on_grid=True).pools.values()
    sizes = Counter(layout.pitch for layouts in pools for layout in layouts)
    if kit.ships_layouts or not sizes or USUAL_PITCH in sizes:
        return USUAL_PITCH
    return sizes.most_common(1)[0][0]


def _without_layouts(kit: Kit, style: str, pitch: Point) -> list[str]:
    """List kinds without a layout that rules place in a style, however rarely the rules apply."""
    rules = [row for row in kit.rules.special_rooms if style in row.styles]
    names = [room for row in rules for room in (row.room, *([row.becomes.room] if row.becomes else ()))]
    own, lines = team_layouts(kit, "", pitch), []
    for name in dict.fromkeys(names):
        try:
            special_choices(name, pitch, own, kit=kit)
        except UndercroftError as error:
            lines.append(_line(kit, f"style {style}", error))
    return lines


def _of_style(kit: Kit, style: str, pitch: Point) -> Iterator[str]:
    """Yield what is wrong with levels of a style. Stops at the first that cannot be made."""
    try:
        spec = load_spec(style).replace({"kit": str(kit.folder)})
        for seed, changes in _levels(kit, spec, pitch):
            where = f"style {style}" + (f", stage {changes['stage']}" if "stage" in changes else "")
            level = generate(spec.replace(changes), seed)
            for problem in problems(level):
                yield f"{kit.where}: {where}, seed {seed}: {problem}"
    except UndercroftError as error:
        yield _line(kit, f"style {style}", error)


def _levels(kit: Kit, spec: LevelSpec, pitch: Point) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield seeds, and the spec's values for each."""
    high = {f"state.{name}": fact.range[1] for name, fact in kit.rules.facts.items()}
    if spec.style in GRIDS:
        for stage in _STAGES:
            drawn = {"shapes": "drawn"} if spec.style == REBIRTH else {}
            facts = high if stage % 2 == 0 else {}
            yield stage, {"stage": stage, "room_size": list(pitch), **drawn, **facts}
    else:
        rooms = {"rooms": _ROOMS} if spec.style == GUNGEON else {}
        for seed in range(1, _HEAPS + 1):
            yield seed, {**rooms, **(high if seed % 2 == 0 and hasattr(spec, "state") else {})}


def _line(kit: Kit, subject: str, error: UndercroftError) -> str:
    """Return an error, with the kit's file in front if it names no file itself."""
    return str(error) if isinstance(error, (KitError, LayoutError)) else f"{kit.where}: {subject}: {error}"
