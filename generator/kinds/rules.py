"""Rules: everything in a kit except its kinds, read and checked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from generator.errors import KitError, hint, shown
from generator.kinds.chapters import Chapter, InjectionRow
from generator.kinds.columns import KitNode, RowTable
from generator.kinds.conditions import FACTS, RESERVED, TAKEN
from generator.kinds.decor_tables import ArrangementRow
from generator.kinds.gangs import GangRow
from generator.kinds.kind_tables import KIND_TABLES
from generator.kinds.kinds import frozen
from generator.kinds.rule_tables import (
    RULE_TABLES,
    CrowdRow,
    DifficultyRow,
    FactRow,
    Gift,
    HallwayRow,
    LedRow,
)
from generator.kinds.set_pieces import SetPieceRow
from generator.kinds.settings import CHANCES, ENCOUNTERS, NUMBER_TABLES, SETTING_TABLES, NumberTable
from generator.kinds.special_rooms import SpecialRoomRow, special_room_of
from generator.kinds.style_names import GUNGEON, REBIRTH

if TYPE_CHECKING:
    from generator.kinds.kinds import Kinds, KitTables

SEVERAL = frozenset(
    {"special_room", "difficulty", "carried", "crowd", REBIRTH, "led"}
)  # may have lists of rows
MAX_RULES = 100  # with one name


class Rules:
    """The rules of a kit, in the order of their rows.

    `special_rooms` are all rules that place rooms; `facts` the kit's own facts of the game; `chapters` all
    chapters and their variants by name; `difficulties` and `crowds` the rows by style; `carried` what rooms
    give by kind; `settings` tables of numbers by key, `encounters` one of them; `numbers` the tables of
    names with a number; `led` where rooms of led levels lie, by kind; `hallways` the kinds of hallways and
    `set_pieces` the places of several rooms, `decor_tables` and `arrangements` the decor of rooms of
    `gungeon`, `injections` what its runs add to levels, `gangs` enemies that come together, and
    `boss_draws` the rows of the remake's boss choice. A kit that leaves out a table of numbers has the
    shipped kit's. `crowd_styles` and `boss_tables` are the names under `crowd` and `rebirth`,
    `shipped_rules` the special rooms of the shipped kit.

    Raises KitError for a wrong row, and with `check` for an unknown name; `where` begins the message.
    """

    def __init__(
        self, tables: KitTables, kinds: Kinds, where: str, shipped: Rules | None, *, check: bool = True
    ) -> None:
        check_keys(tables, where)
        root = KitNode(tables, where, is_file=True)
        rows = {table.key: dict(rows_of_table(table, root.at(table.key, {}))) for table in RULE_TABLES}
        self.special_rooms: tuple[SpecialRoomRow, ...] = tuple(
            special_room_of(name, row) for name, entries in rows["special_room"].items() for row in entries
        )
        self.shipped_rules = shipped.special_rooms if shipped else self.special_rooms
        self.facts = frozen({name: _fact(name, row, where) for name, (row,) in rows["state"].items()})
        self.chapters = frozen({name: Chapter(name, **row) for name, (row,) in rows["chapter"].items()})
        self.difficulties = frozen(
            {
                style: tuple(DifficultyRow(**row) for row in entries)
                for style, entries in rows["difficulty"].items()
            }
        )
        self.carried = frozen(
            {kind: tuple(Gift(**row) for row in entries) for kind, entries in rows["carried"].items()}
        )
        crowds = sorted((CrowdRow(**row) for row in rows["crowd"].get(GUNGEON, ())), key=attrgetter("danger"))
        self.crowd_styles, self.boss_tables = tuple(rows["crowd"]), tuple(rows[REBIRTH])
        self.shipped_chapters: Collection[str] = shipped.chapters if shipped else ()
        self.crowds: tuple[CrowdRow, ...] = tuple(crowds) or (shipped.crowds if shipped else ())
        self.led = frozen(
            {kind: tuple(LedRow(**row) for row in entries) for kind, entries in rows["led"].items()}
        )
        self.decor_tables = frozen({name: row for name, (row,) in rows["decor_table"].items()})
        self.hallways = tuple(HallwayRow(name, **row) for name, (row,) in rows["hallway"].items())
        self.set_pieces = frozen(
            {name: SetPieceRow(name, **row) for name, (row,) in rows["set_piece"].items()}
        )
        self.injections = tuple(InjectionRow(name, **row) for name, (row,) in rows["injection"].items())
        self.arrangements = frozen(
            {name: ArrangementRow(**row) for name, (row,) in rows["arrangement"].items()}
        )
        self.gangs = tuple(GangRow(name, **row) for name, (row,) in rows["gang"].items())
        self.boss_draws: tuple[Mapping[str, Any], ...] = tuple(rows[REBIRTH].get("boss", ()))
        self.settings = frozen(
            {table.key: settings_of(table, root.at(table.key, {}), shipped) for table in SETTING_TABLES}
        )
        numbers: dict[str, Mapping[str, Any]] = {
            table.key: numbers_of(table, root.at(table.key, {})) for table in NUMBER_TABLES
        }
        if shipped and not numbers["motif"]:
            numbers["motif"] = shipped.numbers["motif"]
        self.numbers: Mapping[str, Mapping[str, Any]] = frozen(numbers)
        if check:
            from generator.kinds.rule_checks import rule_problems  # late: the shipped kit is not checked

            for problem in rule_problems(self, kinds):
                raise KitError(f"{where}: {problem}")

    @property
    def encounters(self) -> Mapping[str, Any]:
        """How strong encounters are."""
        return self.settings[ENCOUNTERS.key]

    @property
    def chances(self) -> Mapping[str, int]:
        """The chances that apply to every room, in percent."""
        return self.settings[CHANCES.key]

    @property
    def gungeon(self) -> Mapping[str, int]:
        """Numbers of the `gungeon` style."""
        return self.settings[GUNGEON]

    @cached_property
    def known_facts(self) -> tuple[str, ...]:
        """The facts that conditions can test."""
        return (*FACTS, *self.facts)

    @cached_property
    def main_chapters(self) -> tuple[Chapter, ...]:
        """The chapters in order, without their variants and those of the alternate path."""
        rows = self.chapters.values()
        return tuple(row for row in rows if not (row.replaces or row.alternate_to))


def check_keys(tables: KitTables, where: str) -> None:
    """Raise KitError for an unknown table."""
    rows = [table.key for table in (*KIND_TABLES, *RULE_TABLES, *SETTING_TABLES)]
    known = [*rows, *(table.key for table in NUMBER_TABLES), "rare_markers"]
    for key in tables:
        if key not in known:
            raise KitError(f"{where}: {shown(key)[1:-1]}: unknown table; {hint(key, known)}")


def rows_of_table(table: RowTable, node: KitNode) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the rows of a table by name, each name with one or several. Raises KitError."""
    for name, row in table.rows(node):
        is_list = isinstance(row.value, list) and table.key in SEVERAL
        yield name, [table.read(entry) for entry in (row.items(MAX_RULES) if is_list else [row])]


def settings_of(table: RowTable, node: KitNode, shipped: Rules | None) -> dict[str, Any]:
    """Read a table of numbers. Missing keys come from the shipped kit. Raises KitError."""
    node.table(f"write [{table.key}]")
    settings = dict(shipped.settings[table.key]) if shipped else {}
    return settings | {key: table.columns[key].read(node[key]) for key in node.only(table.columns).table()}


def numbers_of(table: NumberTable, node: KitNode) -> dict[str, Any]:
    """Read a table of names with a value each. Raises KitError."""
    numbers = {key: table.column.read(node[key]) for key in node.table(f"write [{table.key}]")}
    if table.key == "motif" and numbers and not any(numbers.values()):
        node.fail("no motif has a weight above 0; give none = 1 for rooms without one")
    return numbers


def _fact(name: str, row: Mapping[str, Any], where: str) -> FactRow:
    if name in TAKEN:
        raise KitError(f"{where}: state.{name}: every kit already has this fact; choose another name")
    if name in RESERVED:
        raise KitError(f"{where}: state.{name}: is a word of conditions; choose another name")
    least, most = row["range"]
    default = row.get("default", least)
    if not least <= default <= most:
        raise KitError(f"{where}: state.{name}.default: {default} is out of range ({least} to {most})")
    return FactRow(name, **{**row, "default": default})
