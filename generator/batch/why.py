"""In how many levels each row of a kit came, and why the others did not, as the code that chooses says."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from generator.batch.drawn_layouts import DrawnCounts, count_level, fates, layouts_of, merged_counts
from generator.errors import GenerationFailed
from generator.interiors.layouts import OWN
from generator.kinds import Kit
from generator.kinds.kit import own_tables
from generator.kinds.style_names import GUNGEON
from generator.level import Level
from generator.named_tuple import NamedTuple
from generator.pipeline import generate
from generator.reasons import RowName, noted
from generator.spec import LevelSpec

BLOCK = 10  # seeds
SELDOM = 20  # one level in so many, or fewer, and the reason is told

_LAYOUT = "layout"
_UNASKED = {  # where nobody asked for a row at all
    "special_room": "its style has no such rule",
    "enemy": "no room asked for its role",
    "gang": "no room with places for enemies was of its kinds, stages and chapters",
    "decor_table": "no room of that table came that takes loose things: layouts with the tag bare take none",
    "arrangement": "no room of its decor tables and chapters drew it",
    "rule": "no flow with it was chosen",
}


class RowsSeen(NamedTuple):
    """What came in a block of seeds: of each row in how many levels, and the reasons why it did not."""

    levels: int
    failed: int
    came: Counter[RowName]
    passed_over: dict[RowName, Counter[str]]
    layouts: DrawnCounts


class RowFate(NamedTuple):
    """A row, in how many levels it came, and if that is seldom, why."""

    table: str
    name: str
    came: int
    why: str


def see_block(task: tuple[LevelSpec, Sequence[int]]) -> RowsSeen:
    """Make the levels of a block of seeds, and note what comes. Runs in a worker."""
    spec, seeds = task
    seen = RowsSeen(
        len(seeds), 0, Counter(), defaultdict(Counter), DrawnCounts(len(seeds), Counter(), Counter())
    )
    failed = 0
    for seed in seeds:
        with noted() as notes:
            try:
                level = generate(spec, seed)
            except GenerationFailed:
                failed += 1
                level = None
        for row, reasons in notes.passed_over.items():
            seen.passed_over[row].update(reasons)
        if level:
            count_level(seen.layouts, spec, level)
            seen.came.update(_in_level(level, spec.load_kit(), notes.came))
    return seen._replace(failed=failed)


def _in_level(level: Level, kit: Kit, came: set[RowName]) -> set[RowName]:
    """Return the rows that came into a level: those that it shows itself, and of the others what was noted.

    A floorplan may be drawn several times, so a special room that was noted must be there, too.
    """
    kinds = {room.kind for room in level.rooms}
    rules = [row for row in kit.rules.special_rooms if level.style in row.styles]
    absent = {("special_room", row.name) for row in rules if kinds.isdisjoint((row.room, row.other))}
    unnoted = {("special_room", row.name) for row in rules if not row.has_own_dice}
    layouts = {(_LAYOUT, room.layout.partition("+")[0]) for room in level.rooms}
    fighters = (marker.properties.get("name") for marker in level.markers if marker.kind == "enemy")
    return (came | unnoted | layouts | {("enemy", str(name)) for name in fighters if name}) - absent


def merged(parts: Iterable[RowsSeen]) -> RowsSeen:
    """Sum what came in some blocks."""
    total = RowsSeen(0, 0, Counter(), defaultdict(Counter), DrawnCounts(0, Counter(), Counter()))
    for part in parts:
        for row, reasons in part.passed_over.items():
            total.passed_over[row].update(reasons)
        total = RowsSeen(
            total.levels + part.levels,
            total.failed + part.failed,
            total.came + part.came,
            total.passed_over,
            merged_counts((total.layouts, part.layouts)),
        )
    return total


def row_fates(spec: LevelSpec, seen: RowsSeen) -> list[RowFate]:
    """Return the fate of each row of the spec's own kit, or of the shipped one without a kit, table by table.

    Layouts are those of the kit and the spec; rules are those of the flows that were grown.
    """
    made = seen.levels - seen.failed
    reasons: dict[RowName, str] = {
        row: max(counts, key=lambda reason: counts[reason]) for row, counts in seen.passed_over.items()
    }
    known = layouts_of(spec)
    own = {name: layout for name, layout in known.items() if name.startswith(OWN)} or known
    drawn = {fate.name: fate.why for fate in fates(spec, seen.layouts, own)}
    rows = [(_LAYOUT, name) for name in drawn] + list(_rows(spec))
    rows += sorted(row for row in {*seen.came, *reasons} if row[0] == "rule")
    found = []
    for row in dict.fromkeys(rows):
        came = seen.came[row]
        why = ""
        if came * SELDOM <= made:
            why = drawn[row[1]] if row[0] == _LAYOUT else reasons.get(row, "" if came else _UNASKED[row[0]])
        found.append(RowFate(*row, came, why))
    return found


def _rows(spec: LevelSpec) -> Iterator[RowName]:
    """Yield the rows of a spec's kit that chance and filters choose from."""
    kit = spec.load_kit()
    own: Mapping[str, Mapping[str, object]] = own_tables(kit)
    for rule in kit.rules.special_rooms:
        if rule.name in own.get("special_room", {}) and spec.style in rule.styles:
            yield "special_room", rule.name
    yield from ((table, name) for table in ("enemy", "gang") for name in own.get(table, {}))
    if spec.style != GUNGEON:  # no other style scatters decor
        return
    for table in own.get("decor_table", {}):
        for part, row in kit.rules.decor_tables[table].items():
            things = row.get("things", ()) if isinstance(row, Mapping) else ()
            yield from (("decor_table", f"{table}.{part}: {thing}") for thing in things)
    for name in own.get("arrangement", {}):
        row = kit.rules.arrangements[name]
        if not row.at and not row.doors:  # those stand wherever their marker or door does
            yield "arrangement", name
