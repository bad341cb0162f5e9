"""Rules: everything in a kit except its kinds, read and checked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from generator.errors import KitError, hint, shown
from generator.kinds.columns import KitNode, RowTable
from generator.kinds.kinds import frozen
from generator.kinds.style_names import GUNGEON, REBIRTH

if TYPE_CHECKING:
    from generator.kinds.chapters import Chapter, InjectionRow
    from generator.kinds.decor_tables import ArrangementRow
    from generator.kinds.gangs import GangRow
    from generator.kinds.heap_tables import CrowdRow, HallwayRow, LedRow
    from generator.kinds.kinds import Kinds, KitTables
    from generator.kinds.rule_tables import DifficultyRow, FactRow, Gift
    from generator.kinds.set_pieces import SetPieceRow
    from generator.kinds.settings import NumberTable
    from generator.kinds.special_rooms import SpecialRoomRow

SEVERAL = frozenset(
    {"special_room", "difficulty", "carried", "crowd", REBIRTH, "led"}
)  # may have lists of rows
MAX_RULES = 100  # with one name


class Rules:
    """The rules of a kit, in the order of their rows.

    A table is read when it is first asked for, since most commands need few; those of a team's kit are all
    read at once. A kit that leaves out a table of numbers has the shipped kit's.

    Raises KitError for a wrong row, and with `check` for an unknown name; `where` begins the message.
    """

    def __init__(
        self, tables: KitTables, kinds: Kinds, where: str, shipped: Rules | None, *, check: bool = True
    ) -> None:
        self._where = where
        self._root = KitNode(tables, where, is_file=True)
        self._shipped = shipped
        self.shipped_chapters: Collection[str] = shipped.chapters if shipped else ()
        if shipped:
            check_keys(tables, where)
            for name, attribute in vars(Rules).items():
                if isinstance(attribute, cached_property):
                    getattr(self, name)
        if check:
            from generator.kinds.rule_checks import rule_problems  # late: the shipped kit is not checked

            for problem in rule_problems(self, kinds):
                raise KitError(f"{where}: {problem}")

    def _rows(self, table: RowTable) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the rows of a table with their names. Raises KitError."""
        for name, row in table.rows(self._root.at(table.key, {})):
            is_list = isinstance(row.value, list) and table.key in SEVERAL
            yield from ((name, table.read(entry)) for entry in (row.items(MAX_RULES) if is_list else [row]))

    def _lists(self, table: RowTable) -> dict[str, list[dict[str, Any]]]:
        """Read the rows of a table by name, each name with one or several. Raises KitError."""
        lists: dict[str, list[dict[str, Any]]] = {name: [] for name in self._names(table.key)}
        for name, row in self._rows(table):
            lists[name].append(row)
        return lists

    def _names(self, key: str) -> tuple[str, ...]:
        return tuple(self._root.at(key, {}).table(f"write [{key}.NAME]"))

    @cached_property
    def special_rooms(self) -> tuple[SpecialRoomRow, ...]:
        """All rules that place rooms."""
        from generator.kinds.special_rooms import SPECIAL_ROOMS, special_room_of

        return tuple(special_room_of(name, row) for name, row in self._rows(SPECIAL_ROOMS))

    @property
    def shipped_rules(self) -> tuple[SpecialRoomRow, ...]:
        """The special rooms of the shipped kit."""
        return (self._shipped or self).special_rooms

    @cached_property
    def facts(self) -> Mapping[str, FactRow]:
        """The kit's own facts of the game."""
        from generator.kinds.rule_tables import STATE

        return frozen({name: _fact(name, row, self._where) for name, row in self._rows(STATE)})

    @cached_property
    def chapters(self) -> Mapping[str, Chapter]:
        """All chapters and their variants."""
        from generator.kinds.chapters import CHAPTERS, Chapter

        return frozen({name: Chapter(name, **row) for name, row in self._rows(CHAPTERS)})

    @cached_property
    def difficulties(self) -> Mapping[str, tuple[DifficultyRow, ...]]:
        """How often rooms are of each difficulty, by style."""
        from generator.kinds.rule_tables import DIFFICULTY, DifficultyRow

        lists = self._lists(DIFFICULTY).items()
        return frozen({style: tuple(DifficultyRow(**row) for row in rows) for style, rows in lists})

    @cached_property
    def carried(self) -> Mapping[str, tuple[Gift, ...]]:
        """What rooms give, by kind."""
        from generator.kinds.rule_tables import CARRIED, Gift

        lists = self._lists(CARRIED).items()
        return frozen({kind: tuple(Gift(**row) for row in rows) for kind, rows in lists})

    @cached_property
    def decor_tables(self) -> Mapping[str, Mapping[str, Any]]:
        """The loose decor of rooms of `gungeon`."""
        from generator.kinds.decor_tables import DECOR_TABLES

        return frozen(dict(self._rows(DECOR_TABLES)))

    @cached_property
    def arrangements(self) -> Mapping[str, ArrangementRow]:
        """Small drawings of decor in rooms of `gungeon`."""
        from generator.kinds.decor_tables import ARRANGEMENTS, ArrangementRow

        return frozen({name: ArrangementRow(**row) for name, row in self._rows(ARRANGEMENTS)})

    @cached_property
    def crowds(self) -> tuple[CrowdRow, ...]:
        """The enemies of rooms of `gungeon`, by danger."""
        from generator.kinds.heap_tables import CROWDS, CrowdRow

        rows = self._lists(CROWDS).get(GUNGEON, ())
        crowds = sorted((CrowdRow(**row) for row in rows), key=attrgetter("danger"))
        return tuple(crowds) or (self._shipped.crowds if self._shipped else ())

    @property
    def crowd_styles(self) -> tuple[str, ...]:
        """The names under `crowd`."""
        return self._names("crowd")

    @cached_property
    def boss_draws(self) -> tuple[Mapping[str, Any], ...]:
        """How the remake draws bosses."""
        from generator.kinds.rule_tables import BOSS_DRAWS

        return tuple(self._lists(BOSS_DRAWS).get("boss", ()))

    @property
    def boss_tables(self) -> tuple[str, ...]:
        """The names under `rebirth`."""
        return self._names(REBIRTH)

    @cached_property
    def led(self) -> Mapping[str, tuple[LedRow, ...]]:
        """Where rooms of led levels lie, by kind."""
        from generator.kinds.heap_tables import LED, LedRow

        return frozen({kind: tuple(LedRow(**row) for row in rows) for kind, rows in self._lists(LED).items()})

    @cached_property
    def hallways(self) -> tuple[HallwayRow, ...]:
        """The kinds of hallways of `gungeon`."""
        from generator.kinds.heap_tables import HALLWAYS, HallwayRow

        return tuple(HallwayRow(name, **row) for name, row in self._rows(HALLWAYS))

    @cached_property
    def set_pieces(self) -> Mapping[str, SetPieceRow]:
        """The places of several rooms in `gungeon`."""
        from generator.kinds.set_pieces import SET_PIECES, SetPieceRow

        return frozen({name: SetPieceRow(name, **row) for name, row in self._rows(SET_PIECES)})

    @cached_property
    def injections(self) -> tuple[InjectionRow, ...]:
        """What runs of `gungeon` add to levels."""
        from generator.kinds.chapters import INJECTIONS, InjectionRow

        return tuple(InjectionRow(name, **row) for name, row in self._rows(INJECTIONS))

    @cached_property
    def gangs(self) -> tuple[GangRow, ...]:
        """Enemies that come together."""
        from generator.kinds.gangs import GANGS, GangRow

        return tuple(GangRow(name, **row) for name, row in self._rows(GANGS))

    @cached_property
    def settings(self) -> Mapping[str, Mapping[str, Any]]:
        """Tables of numbers, by key."""
        from generator.kinds.settings import SETTING_TABLES

        tables = ((table, self._root.at(table.key, {})) for table in SETTING_TABLES)
        return frozen({table.key: settings_of(table, node, self._shipped) for table, node in tables})

    @cached_property
    def numbers(self) -> Mapping[str, Mapping[str, Any]]:
        """The tables of names with a number."""
        from generator.kinds.settings import NUMBER_TABLES

        tables = ((table, self._root.at(table.key, {})) for table in NUMBER_TABLES)
        numbers: dict[str, Mapping[str, Any]] = {table.key: numbers_of(table, node) for table, node in tables}
        if self._shipped and not numbers["motif"]:
            numbers["motif"] = self._shipped.numbers["motif"]
        return frozen(numbers)

    @property
    def encounters(self) -> Mapping[str, Any]:
        """How strong encounters are."""
        return self.settings["encounters"]

    @property
    def chances(self) -> Mapping[str, int]:
        """The chances that apply to every room, in percent."""
        return self.settings["chances"]

    @property
    def gungeon(self) -> Mapping[str, int]:
        """Numbers of the `gungeon` style."""
        return self.settings[GUNGEON]

    @cached_property
    def known_facts(self) -> tuple[str, ...]:
        """The facts that conditions can test."""
        from generator.kinds.conditions import FACTS

        return (*FACTS, *self.facts)

    @cached_property
    def main_chapters(self) -> tuple[Chapter, ...]:
        """The chapters in order, without their variants and those of the alternate path."""
        rows = self.chapters.values()
        return tuple(row for row in rows if not (row.replaces or row.alternate_to))


def check_keys(tables: KitTables, where: str) -> None:
    """Raise KitError for an unknown table."""
    from generator.kinds.all_tables import RULE_TABLES
    from generator.kinds.kind_tables import KIND_TABLES
    from generator.kinds.settings import NUMBER_TABLES, SETTING_TABLES

    rows = [table.key for table in (*KIND_TABLES, *RULE_TABLES, *SETTING_TABLES)]
    known = [*rows, *(table.key for table in NUMBER_TABLES), "rare_markers"]
    for key in tables:
        if key not in known:
            raise KitError(f"{where}: {shown(key)[1:-1]}: unknown table; {hint(key, known)}")


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
    from generator.kinds.conditions import RESERVED, TAKEN
    from generator.kinds.rule_tables import FactRow

    if name in TAKEN:
        raise KitError(f"{where}: state.{name}: every kit already has this fact; choose another name")
    if name in RESERVED:
        raise KitError(f"{where}: state.{name}: is a word of conditions; choose another name")
    least, most = row["range"]
    default = row.get("default", least)
    if not least <= default <= most:
        raise KitError(f"{where}: state.{name}.default: {default} is out of range ({least} to {most})")
    return FactRow(name, **{**row, "default": default})
