"""Notes on rows of a sound kit that never, or seldom, have an effect. `undercroft check KIT` prints them.

Only what is certain from the rows alone is noted, so a kit without mistakes has no notes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from generator.kinds.chapters import STAGES
from generator.kinds.columns import KitNode
from generator.kinds.conditions import FactCondition
from generator.kinds.heap_tables import LedRow
from generator.kinds.kit import Kit, own_tables
from generator.kinds.rules import Rules
from generator.kinds.settings import STYLE_TABLES
from generator.kinds.style_names import GUNGEON
from generator.named_tuple import NamedTuple

_UNKNOWN = -(1 << 31), 1 << 31  # the range of a fact that only the player's game knows


class _Note(NamedTuple):
    """What is said of a row: its table and name, the key in it, and the message."""

    row: str
    key: str
    message: str


def row_notes(kit: Kit) -> Iterator[str]:
    """Yield a line for each own row of a kit that says something which never, or seldom, has an effect."""
    tables = {key: rows for key, rows in own_tables(kit).items() if isinstance(rows, Mapping)}
    own = {f"{key}.{name}" for key, rows in tables.items() for name in rows}
    for find in NOTES:
        for note in find(kit):
            if note.row in own:
                yield f"{kit.file_of(note.row)}: {note.row}.{note.key}: {note.message}"


# --- rules that never apply --------------------------------------------------------------------------


def _impossible_conditions(kit: Kit) -> Iterator[_Note]:
    """Find rules whose conditions cannot hold together."""
    rules = kit.rules
    for rule in rules.special_rooms:
        stages = (1, 1) if {*rule.styles} == {GUNGEON} else (1, STAGES)
        is_for_both = rule.becomes is None or rule.becomes.needs is None
        needs = rule.needs if is_for_both else ()  # the kind that it turns into has its own
        yield from _never(f"special_room.{rule.name}", (*rule.only, *needs), rules, stages)
    for injection in rules.injections:
        yield from _never(f"injection.{injection.name}", injection.only, rules, (1, STAGES))
    for style, rows in rules.difficulties.items():
        for row in rows:
            yield from _never(f"difficulty.{style}", row.only, rules, (1, STAGES))


def _never(
    row: str, conditions: Sequence[FactCondition], rules: Rules, stages: tuple[int, int]
) -> Iterator[_Note]:
    ranges = {"stage": stages, **{name: fact.range for name, fact in rules.facts.items()}}
    for name in dict.fromkeys(condition.fact for condition in conditions):
        low, high = ranges.get(name, _UNKNOWN)
        about = [condition for condition in conditions if condition.fact == name]
        # Whatever holds anywhere holds at an end of the range, or at or beside a number compared with.
        tried = {low, high, *(condition.number + step for condition in about for step in (-1, 0, 1))}
        if not any(
            low <= number <= high and all(condition.holds({name: number}) for condition in about)
            for number in tried
        ):
            where = f", which is {low} to {high} here" if name in ranges else ""
            yield _Note(row, "only", f"can never hold for {name}{where}, so the row does nothing; change it")


def _no_chances(kit: Kit) -> Iterator[_Note]:
    """Find chances of 0."""
    rules = kit.rules
    rolled = [(f"special_room.{row.name}", row.chance) for row in rules.special_rooms if not row.again]
    rolled += [(f"injection.{row.name}", row.chance) for row in rules.injections]
    rolled += [(f"carried.{kind}", gift.chance) for kind, gifts in rules.carried.items() for gift in gifts]
    for row, chance in rolled:
        first = chance.partition("/")[0]
        if first.isdigit() and not int(first):
            message = f'{chance} never comes; give a chance such as "1/3", or leave the row out'
            yield _Note(row, "chance", message)


def _rows_after_all(kit: Kit) -> Iterator[_Note]:
    """Find difficulties after a row without conditions, which always counts."""
    for style, rows in kit.rules.difficulties.items():
        if any(not first.only for first, _ in pairwise(rows)):
            message = "a row without conditions comes before others, which never count; put it last"
            yield _Note(f"difficulty.{style}", "only", message)


# --- rooms and enemies that cannot be so -------------------------------------------------------------


def _too_small(kit: Kit) -> Iterator[_Note]:
    """Find rooms that are never large enough to be furnished by procedure."""
    for name, room in kit.kinds.rooms.items():
        if GUNGEON not in room.styles:
            continue
        table = STYLE_TABLES[GUNGEON]
        row = table.read(KitNode(room.styles[GUNGEON], f"room.{name}.{GUNGEON}"))
        sides = [row.get(key, table.columns[key].default)[1] for key in ("width", "height")]
        if not row.get("spec") and row.get("least_side", 0) > min(sides):
            message = f"{row['least_side']} is more than the shortest side of its largest room, {min(sides)}"
            yield _Note(f"room.{name}", f"{GUNGEON}.least_side", f"{message}; give larger rooms, or less")


def _endless_enemies(kit: Kit) -> Iterator[_Note]:
    """Find enemies that split into others of their own kind, which split again."""
    for enemy in kit.kinds.enemies.values():
        if enemy.makes == enemy.name and "splits" in enemy.habits:
            message = "splits into enemies of its own kind without end; name a smaller kind"
            yield _Note(f"enemy.{enemy.name}", "makes", message)


# --- drawings ----------------------------------------------------------------------------------------


def _idle_letters(kit: Kit) -> Iterator[_Note]:
    """Find letters that no drawing has."""
    rules = kit.rules
    rows = [(f"arrangement.{name}", row.drawing, row.letters) for name, row in rules.arrangements.items()]
    rows += [(f"set_piece.{name}", row.drawing, row.letters) for name, row in rules.set_pieces.items()]
    for label, drawing, letters in rows:
        for letter in letters:
            if letter not in "".join(drawing):
                yield _Note(label, "letters", f"{letter} is not in the drawing; draw it, or leave it out")


# --- places in led levels ----------------------------------------------------------------------------


def _unkept_places(kit: Kit) -> Iterator[_Note]:
    """Find rows of led levels that ask for a place beside a room of a kind for which that seldom holds."""
    for kind, rows in kit.rules.led.items():
        for row in rows:
            if row.beside and row.beside != "normal":
                yield from _unkept_place(kit, kind, row)


def _unkept_place(kit: Kit, kind: str, row: LedRow) -> Iterator[_Note]:
    """Say why a place beside a room is not kept.

    Whatever is beside a dead end leads to it. So the other row is kept that asks for this.
    """
    other, led = row.beside, f"led.{kind}"
    most = kit.kinds.room(kind).styles.get(GUNGEON, {}).get("rooms", (0, 0))[1]
    if other == kind and most == 1:
        message = f"beside:{other} is never kept, as a level has one {kind} room; give another kind"
        yield _Note(led, "place", message)
    elif kit.kinds.room(kind).off_the_way:
        is_end = kit.kinds.room(other).off_the_way
        often = "is never kept, as both have one door" if is_end else "is seldom kept"
        free = f", and take off_the_way from [room.{other}]" if is_end else ""
        remedy = f'give [led.{other}] place = "beside:{kind}" instead{free}'
        yield _Note(led, "place", f"beside:{other} {often}: {kind} rooms are dead ends; {remedy}")


NOTES: tuple[Callable[[Kit], Iterator[_Note]], ...] = (
    _impossible_conditions,
    _no_chances,
    _rows_after_all,
    _too_small,
    _endless_enemies,
    _idle_letters,
    _unkept_places,
)
