"""A kit: a folder of tables with the contents and rules of levels. The shipped one is beside this module.

    our-kit/
      kit.toml          name, extends, without, and any rows
      *.toml            more rows, if one file gets too long
      layouts/          pools of layouts by room kind

A kit `extends` the shipped one by default, the kits of other folders, or `"none"`. A row with the
name of a row in the other kit replaces it; `without` removes rows.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from generator.errors import KitError, shown
from generator.kinds.columns import KitNode
from generator.kinds.kinds import FIXED, Kinds
from generator.kinds.kit_files import (
    LAYOUTS,
    MAX_ROWS_GONE,
    Stamps,
    in_its_file,
    merge_file,
    stamps_of,
    written,
)
from generator.kinds.parents import parents_of
from generator.kinds.rules import Rules
from generator.kinds.style_names import RED, ULTRA_SECRET
from generator.shipped_files import shipped_folder, shipped_tables


class Kit:
    """A kit that was read: its `kinds`, `rules`, and all `tables`, including those of kits that it extends.

    `folder` is None for the shipped kit. `parent` is the last kit that it extends, over those before it.
    `layouts` are the folders with its layouts, first those of the kits that it extends, and `ships_layouts`
    is False for a kit that is not based on the shipped one. `gone` are the rows that it, or a kit that it
    extends, removes. `own_digest` is a digest of what its files and those of kits that it extends say, except
    the shipped kit's. Equal kits have equal tables and layouts.
    """

    def __init__(
        self,
        name: str,
        tables: Mapping[str, Any],
        folder: Path | None,
        parent: Kit | None,
        files: Mapping[str, str] = MappingProxyType({}),
        without: Iterable[str] = (),
        digest: str = "",
    ) -> None:
        self.name = name
        self.folder = folder
        self.parent = parent
        self.tables = tables
        self.where = str(folder / "kit.toml") if folder else "kit.toml"
        self._files = files
        self.kinds = Kinds(tables, self.where)
        if folder and self.kinds != shipped_kit().kinds:
            self.kinds = Kinds({**tables, "kit": name}, self.where)
        above_all = shipped_kit().rules if folder else None
        self.rules: Rules = Rules(tables, self.kinds, self.where, above_all, check=folder is not None)
        taken = {*without, *(parent.gone if parent else ())}
        self.gone: frozenset[str] = frozenset(row for row in taken if not _has(tables, row))
        own = folder / LAYOUTS if folder else None
        above = parent.layouts if parent else ()
        self.layouts: tuple[Path, ...] = (*above, own) if own and own.is_dir() else above
        self.ships_layouts: bool = parent.ships_layouts if parent else folder is None
        self.own_digest = digest

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Kit) and self.own_digest == other.own_digest and self.layouts == other.layouts
        )

    def __hash__(self) -> int:
        return hash(self.own_digest)

    def __repr__(self) -> str:
        return f"<Kit {self.name}>"

    @property
    def is_shipped(self) -> bool:
        """Whether it is the shipped kit itself."""
        return self.folder is None

    def file_of(self, row: str) -> str:
        """Return the file of a row such as `room.garden`, or kit.toml for one of the shipped kit."""
        if row not in self._files and self.parent is not None and self.parent.has_own(row):
            return self.parent.file_of(row)
        return self._files.get(row, self.where)

    def has_own(self, row: str) -> bool:
        """Check whether a row such as `room.garden` is in its own files or those of a kit that it extends."""
        return row in self._files or (self.parent is not None and self.parent.has_own(row))

    def need(self, style: str, rooms: Iterable[str]) -> None:
        """Raise KitError unless it has the room kinds that a style needs."""
        lacking = [name for name in rooms if name not in self.kinds.rooms]
        if lacking:
            rows = f"row{'s' if len(lacking) > 1 else ''} {' and '.join(lacking)}"
            added = " and ".join(f"[room.{name}]" for name in lacking)
            raise KitError(f"{self.where}: room: has no {rows}, which the style {style} needs; add {added}")

    def table(self, key: str) -> Mapping[str, Any]:
        """Return the rows under a key, in order, or nothing if the kit has no such rows."""
        rows: Mapping[str, Any] = self.tables.get(key, {})
        return rows


@cache
def shipped_kit() -> Kit:
    """Return the kit of every spec that does not name another."""
    tables = {key: value for key, value in _shipped_files().items() if key not in ("name", "late")}
    return Kit(_shipped_files()["name"], tables, None, None)


@cache
def late_rows(table: str) -> frozenset[str]:
    """Return the names of shipped rows of a table, such as `decor`, that came after levels had been saved."""
    names = (row.partition(".") for row in _shipped_files()["late"])
    return frozenset(name for key, _, name in names if key == table)


def shipped_files_of_rows() -> Mapping[str, str]:
    """Return the name of the file of each shipped row, such as `rooms.toml` of `room.shop`."""
    files: dict[str, str] = {}
    _merged_shipped_files(files)
    return files


@cache
def _shipped_files() -> Mapping[str, Any]:
    return _merged_shipped_files({})


def _merged_shipped_files(files: dict[str, str]) -> Mapping[str, Any]:
    tables: dict[str, Any] = {}
    for file, contents in shipped_tables(shipped_folder("generator.kinds") / "shipped").items():
        merge_file(tables, contents, file, files)
    return tables


def read_kit(folder: str | Path, where: str = "kit") -> Kit:
    """Read and check the kit of a folder. Changed files are read again.

    Raises KitError; `where` begins the message if the folder is not a kit.
    """
    known = _known.get()
    if known is not None and (kit := known.get(str(folder))):
        return kit
    root = Path(folder)
    stamps = stamps_of(root, where)
    parent = _parent(root, written(root, stamps).head.get("extends", "shipped"))
    kit = _made(root, stamps, parent, (root / LAYOUTS).is_dir())
    if known is not None:
        known[str(folder)] = kit
    return kit


_known: ContextVar[dict[str, Kit] | None] = ContextVar("known kits", default=None)


@contextmanager
def kits_stay() -> Iterator[None]:
    """Run a block, such as one level, that looks for changed files of each kit only once."""
    before = _known.set({} if _known.get() is None else _known.get())
    try:
        yield
    finally:
        _known.reset(before)


def merged_tables(folder: Path) -> tuple[dict[str, Any], str, Mapping[str, str]]:
    """Merge the rows of a kit over those of the kit that it extends, unchecked.

    Also returns their source for messages, and their files. Raises KitError for files that cannot be read,
    and for an extended kit that is bad.
    """
    own = written(folder, stamps_of(folder, "kit"))
    where = str(folder / "kit.toml")
    parent = _parent(folder, own.head.get("extends", "shipped"))
    tables = _bare() if parent is None else _without(parent, own.head.get("without", []), where)
    return _merged(tables, own.tables), where, own.files


def own_tables(kit: Kit) -> Mapping[str, Any]:
    """Return the rows in a kit's own files. Raises KitError."""
    return written(kit.folder, stamps_of(kit.folder, "kit")).tables if kit.folder else kit.tables


@lru_cache(maxsize=64)
def _made(root: Path, stamps: Stamps, parent: Kit | None, _: bool) -> Kit:
    """Make the kit of a folder, cached until files change or a layouts folder appears."""
    head, own, files = written(root, stamps)
    where = str(root / "kit.toml")
    try:
        _check_fixed(own, where)
        if parent is None and head.get("without"):
            raise KitError(
                f"{where}: without: is only for a kit that extends another; leave it out, or leave out "
                'extends = "none"'
            )
        tables = _bare() if parent is None else _without(parent, head.get("without", []), where)
        merged = json.loads(json.dumps(_merged(tables, own)))
        gone = head.get("without", ())
        return Kit(head["name"], merged, root, parent, files, gone, _digest_of(own, gone, parent))
    except KitError as error:
        raise KitError(in_its_file(str(error), where, files)) from None


def _digest_of(own: Mapping[str, Any], gone: Sequence[str], parent: Kit | None) -> str:
    said = [own, sorted(gone), parent.own_digest if parent else "none"]
    return hashlib.blake2b(json.dumps(said).encode(), digest_size=8).hexdigest()


# What a kit that extends none begins with: the rows that arrays and code rely on.
_STRUCTURE = {**FIXED, "door": ("open", "secret", "red"), "marker": ("player_start",)}


def _bare() -> dict[str, Any]:
    """Return the tables that a kit which extends none begins with: the rows that every kit has."""
    shipped = shipped_kit().tables
    return {key: {name: shipped[key][name] for name in names} for key, names in _STRUCTURE.items()}


def _check_fixed(own: Mapping[str, Any], where: str) -> None:
    """Raise KitError if a kit's own row has the name of a row that is the same in every kit."""
    for key, names in FIXED.items():
        rows = own.get(key, {})
        for name in names:
            if isinstance(rows, Mapping) and name in rows:
                raise KitError(f"{where}: {key}.{name}: is the same in every kit; choose another name")


def _parent(root: Path, extends: object) -> Kit | None:
    """Read the kits that a kit extends, each over the one before it. Returns the last one, or None."""
    parents = parents_of(root, extends)
    kit = shipped_kit() if parents.base == "shipped" else None
    for folder, stamps in parents.kits:
        kit = _made(folder, stamps, kit, (folder / LAYOUTS).is_dir())
    return kit


def _merged(tables: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Merge the rows of a kit over those that it extends: a row replaces the one of the same name."""
    merged = dict(tables)
    for key, value in own.items():
        if isinstance(value, Mapping) and isinstance(merged.get(key, {}), Mapping):
            merged[key] = {**merged.get(key, {}), **value}
        else:
            merged[key] = value
    return merged


def _without(parent: Kit, rows: Any, where: str) -> dict[str, Any]:
    """Return the tables of a kit without the named rows, such as `room.shop`."""
    from generator.kinds.settings import SETTING_TABLES

    # Tables that default to the shipped kit's, because every style relies on them.
    always = {*(table.key for table in SETTING_TABLES), "crowd", "motif"}
    node = KitNode({"without": rows}, where, is_file=True)["without"]
    known = [*_row_names(parent), *parent.gone]  # another kit of a list may have left out the same row
    for item in node.items(MAX_ROWS_GONE, remedy='give one of rows such as "room.shop"'):
        row = item.known(known, "row")
        key, _, name = row.partition(".")
        if key in always:
            item.fail(f"{shown(row)} is in every kit; give a value of your own instead")
        if name in _STRUCTURE.get(key, ()):
            item.fail(f"{shown(row)} is in every kit; leave it out of the list")
    return without_rows(parent.tables, [row for row in rows if row not in parent.gone])


def _has(tables: Mapping[str, Any], row: str) -> bool:
    key, _, name = row.partition(".")
    return name in tables.get(key, ())


def _row_names(kit: Kit) -> Iterator[str]:
    for key, rows in kit.tables.items():
        if isinstance(rows, Mapping):
            yield from (f"{key}.{name}" for name in rows)


# The rows that a kit drops from the one that it extends, and what depends on them.
#
# Rules about a removed room kind have no effect any more: its special rooms, what it gives a player, its
# share of the budget. Nor does the name of a removed piece of decor in tables of decor.


def without_rows(tables: Mapping[str, Any], gone: Sequence[str]) -> dict[str, Any]:
    """Remove the named rows, such as `room.shop`, and rows that only belonged to them from the tables."""
    from generator.kinds.settings import NUMBER_TABLES

    left = {key: dict(value) if isinstance(value, Mapping) else value for key, value in tables.items()}
    names: dict[str, set[str]] = defaultdict(set)
    letters: set[str] = set()
    for dropped in gone:
        key, _, name = dropped.partition(".")
        row = left[key].pop(name, None)
        if key == "decor" and row:
            letters.add(row.get("glyph", ""))
        names[key].add(name)
    for name, row in left.get("chapter", {}).copy().items():  # variants go with their chapter
        if {row.get("replaces"), row.get("alternate_to")} & names["chapter"]:
            del left["chapter"][name]
            names["chapter"].add(name)
    _without_rooms(left, names["room"])
    _without_led(left, names)
    _without_set_pieces(left, names)
    _without_injections(left, names)
    _without_decor(left, names["decor"])
    _without_arrangements(left, names, letters)
    for table in NUMBER_TABLES:
        rows = left.get(table.key, {})
        if not names[table.column.names].isdisjoint(rows):
            left[table.key] = {
                name: value for name, value in rows.items() if name not in names[table.column.names]
            }
    return left


def _without_rooms(tables: dict[str, Any], gone: set[str]) -> None:
    if not gone:
        return
    tables["special_room"] = {
        name: kept
        for name, rows in tables.get("special_room", {}).items()
        if (kept := [_without_other(row, gone) for row in _several(rows) if not _is_about(name, row, gone)])
    }
    for key in ("carried", "led"):
        tables[key] = {name: row for name, row in tables.get(key, {}).items() if name not in gone}
    for name, row in tables.get("room", {}).items():
        if not gone.isdisjoint(row.get("becomes", ())):
            left = [kind for kind in row["becomes"] if kind not in gone]
            tables["room"][name] = {**row, "becomes": left}


def _without_led(tables: dict[str, Any], gone: Mapping[str, set[str]]) -> None:
    """Drop the rows of led levels that are about a place beside removed rooms, or give removed markers."""
    for name, rows in tables.get("led", {}).items():
        tables["led"][name] = [
            row
            for row in _several(rows)
            if row.get("place", "").removeprefix("beside:") not in gone["room"]
            and row.get("gives") not in gone["marker"]
        ]


def _without_set_pieces(tables: dict[str, Any], gone: Mapping[str, set[str]]) -> None:
    """Drop the set pieces with rooms of removed kinds, and those of removed chapters alone."""
    for name, row in list(tables.get("set_piece", {}).items()):
        is_whole = gone["room"].isdisjoint(room.get("kind", "normal") for room in row["rooms"].values())
        _keep_if(is_whole, tables["set_piece"], name, gone)


def _without_injections(tables: dict[str, Any], gone: Mapping[str, set[str]]) -> None:
    """Drop the injections that need removed rows, and those of removed chapters alone."""
    for name, row in list(tables.get("injection", {}).items()):
        kind = row.get("room", {}).get("kind", row.get("into"))
        is_bare = kind in gone["room"] or row.get("marker") in gone["marker"]
        is_bare |= row.get("along_with", name) not in tables["injection"]
        _keep_if(not is_bare, tables["injection"], name, gone)


def _keep_if(is_whole: bool, rows: dict[str, Any], name: str, gone: Mapping[str, set[str]]) -> None:
    """Keep a row with the chapters that are left. Drop it if there are none, or if it is not whole."""
    chapters = rows[name].get("chapters", ())
    left = [chapter for chapter in chapters if chapter not in gone["chapter"]]
    if not is_whole or (chapters and not left):
        del rows[name]
    elif left:
        rows[name] = {**rows[name], "chapters": left}


def _is_about(name: str, row: Mapping[str, Any], gone: set[str]) -> bool:
    """Return whether a special room is of a removed kind, beside one, or behind removed red rooms."""
    if row.get("place") == ULTRA_SECRET and RED in gone:
        return True
    return row.get("room", name) in gone or row.get("place", "").removeprefix("beside:") in gone


def _without_other(row: Mapping[str, Any], gone: set[str]) -> Mapping[str, Any]:
    """Return a special room's row that no longer turns into a removed kind."""
    if row.get("becomes", {}).get("room") in gone:
        row = {key: value for key, value in row.items() if key != "becomes"}
    return row


def _several(row: Any) -> Sequence[Mapping[str, Any]]:
    return row if isinstance(row, list) else [row]


def _without_decor(tables: dict[str, Any], gone: set[str]) -> None:
    if not gone:
        return
    for name, row in tables.get("decor_table", {}).items():
        kept = {key: _without_things(value, gone) for key, value in row.items()}
        if "rows" in row:
            kept["rows"] = [pair for pair in row["rows"] if gone.isdisjoint(pair)]
        tables["decor_table"][name] = kept
    for name, row in tables.get("hallway", {}).items():
        tables["hallway"][name] = {key: _without_things(value, gone) for key, value in row.items()}


def _without_things(value: Any, gone: set[str]) -> Any:
    """Return a part of a row without removed decor among its things."""
    if not isinstance(value, Mapping) or "things" not in value:
        return value
    return {
        **value,
        "things": {piece: weight for piece, weight in value["things"].items() if piece not in gone},
    }


_NAMED_BY_ARRANGEMENTS = (
    ("decor", "decor_table"),
    ("chapters", "chapter"),
    ("at", "marker"),
    ("doors", "door"),
)


def _without_arrangements(tables: dict[str, Any], gone: Mapping[str, set[str]], letters: set[str]) -> None:
    """Drop the arrangements that draw removed decor, and those that lose all rooms or chapters, for example.

    `letters` are those of the removed decor.
    """
    for name, row in list(tables.get("arrangement", {}).items()):
        kept = dict(row)
        for key, table in _NAMED_BY_ARRANGEMENTS:
            if key in row:
                kept[key] = [named for named in row[key] if named not in gone[table]]
        own = row.get("letters", {})
        drawn = {sign for line in row.get("drawing", ()) for sign in line} - set(own)
        is_left = gone["decor"].isdisjoint(own.values()) and drawn.isdisjoint(letters)
        if kept.get("leads") in gone["decor"]:
            del kept["leads"]
        if is_left and all(kept[key] for key, _ in _NAMED_BY_ARRANGEMENTS if row.get(key)):
            tables["arrangement"][name] = kept
        else:
            del tables["arrangement"][name]
