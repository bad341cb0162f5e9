"""Reading what a theme is made of, from outside: bounded files, PNG headers, and tables that know their path.

Nothing here knows a floor from a door; every failure is a ThemeError of one line.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from generator.errors import ThemeError, hint, shown
from generator.files import read_bytes
from generator.shipped_files import shipped_folder, shipped_tables

MOST_TOML_BYTES = 1 << 20
_KIND = re.compile("[a-z][a-z0-9_]{0,103}")  # and of a marker's icon: with a variant
MOST_IMAGE_BYTES = 64 << 20
MOST_SIDE_PX = 16384  # what graphics cards take
MOST_AREA_PX = 1 << 26  # 256 MiB once decoded, and below what Pillow warns about


class PackageFiles:
    """The files of a theme that ships with the package."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._folder = shipped_folder("exporters") / "themes"
        self.read_from: tuple[Path, ...] = ()
        self.path: Path | None = None
        self.where = name

    def read(self, name: str | None, most: int, key: str = "image") -> bytes:
        """The bytes of a file of the theme (None: of the TOML itself), which is trusted to be small."""
        return (self._folder / (name or self._name)).read_bytes()

    def top(self) -> Table:
        """The top table of the TOML."""
        return Table(f"{self.where}: ", "", shipped_tables(self._folder)[self._name])


class FolderFiles:
    """The TOML file `path`, and files that really lie in its folder, links followed.

    Messages begin with `where`, or else with the path. A file is read once: whoever reads the theme again,
    for the kinds of another kit, gets the same.
    """

    def __init__(self, path: Path, where: str = "") -> None:
        self.path = path
        self.where = where or str(path)
        self.read_from: tuple[Path, ...] = ()
        self._kept: dict[str | None, bytes] = {}

    def read(self, name: str | None, most: int, key: str = "image") -> bytes:
        """The bytes of a file that `key` names (None: of the TOML itself), at most so many."""
        if name not in self._kept:
            path = self.path if name is None else self._inside(name, key)
            try:
                self._kept[name] = read_bytes(path, most, ThemeError)
            except ThemeError as error:
                if name is None:
                    raise
                raise ThemeError(f"{self.where}: {key}: {error}") from None
            self.read_from += (path.resolve(),)
        return self._kept[name]

    def top(self) -> Table:
        """The top table of the TOML. Raises ThemeError."""
        return parse_toml(self.read(None, MOST_TOML_BYTES), self.where)

    @property
    def folder(self) -> Path:
        """Where all of a theme's files lie."""
        return self.path.parent

    def _inside(self, name: str, key: str) -> Path:
        """The file that the theme calls `name`, if that is in the theme's folder."""
        folder = self.folder.resolve()
        try:
            found = (folder / name).resolve()
        except (OSError, ValueError, RuntimeError):  # a loop of links, a null byte
            found = folder
        if found == folder or not found.is_relative_to(folder) or "\\" in name:
            what = "is no file in the theme's folder; put it there"
            raise ThemeError(f"{self.where}: {key}: {shown(name)} {what}")
        return found


ThemeFiles = PackageFiles | FolderFiles


class Faults:
    """What is wrong with a theme: the first is raised, or, if all are wanted, each is kept."""

    def __init__(self, keep: bool) -> None:
        self._keep = keep
        self.found: list[str] = []

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Go on behind the block if a ThemeError is raised in it and all are wanted."""
        try:
            yield
        except ThemeError as error:
            if not self._keep:
                raise
            if str(error) not in self.found:  # a fault of the sheet comes up with each thing
                self.found.append(str(error))


def parse_toml(data: bytes, where: str) -> Table:
    """The top table of a TOML file."""
    import tomllib  # the built-in theme needs none

    try:
        return Table(f"{where}: ", "", tomllib.loads(data.decode("utf-8")))
    except UnicodeDecodeError as error:
        raise ThemeError(f"{where}: is not UTF-8 at byte {error.start}") from None
    except (ValueError, RecursionError) as error:  # ValueError: bad TOML, or a number of 5000 digits
        raise ThemeError(f"{where}: is not TOML: {str(error).splitlines()[0]}") from None


def png_size(data: bytes, where: str) -> tuple[int, int]:
    """Width and height in px of a PNG file, whose chunks are walked but not unpacked.

        89 P N G \\r \\n 1A \\n | length, "IHDR", width, height, ... | length, type, data, CRC | ... "IEND"

    Raises ThemeError if it is not a PNG file, cut short, or too large to be unpacked safely. A second header
    could tell whoever unpacks it another size.
    """
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[8:16] != b"\0\0\0\rIHDR":
        raise ThemeError(f"{where}: is no PNG image")
    at, kind = 8, b""
    while kind != b"IEND":
        if at + 12 > len(data):
            raise ThemeError(f"{where}: is cut short; give the whole PNG image")
        length, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"IHDR" and at > 8:
            raise ThemeError(f"{where}: has two headers; save it again as PNG")
        at += 12 + length
    if at > len(data):
        raise ThemeError(f"{where}: is cut short; give the whole PNG image")
    width, height = struct.unpack_from(">II", data, 16)
    if not (0 < width <= MOST_SIDE_PX and 0 < height <= MOST_SIDE_PX and width * height <= MOST_AREA_PX):
        most = f"at most {MOST_SIDE_PX} px a side and {MOST_AREA_PX} px in all"
        raise ThemeError(f"{where}: {width} x {height} px is no size for a theme; give {most}")
    return width, height


class Table:
    """A TOML table that knows where it stands and which of its keys were asked for.

    `done` refuses the rest, so what a reader asks for is what the format knows.
    """

    def __init__(self, file: str, path: str, values: dict[str, object]) -> None:
        self.file = file  # "FILE: "
        self.path = path  # "door.boss.north"; empty for the top
        self._values = values
        self._asked: dict[str, None] = {}

    @property
    def name(self) -> str:
        """The last part of the table's path."""
        return self.path.rpartition(".")[2]

    def where(self, key: str) -> str:
        """How messages call a key of this table: `FILE: door.boss.north.open`."""
        return f"{self.file}{self.path}{'.' if self.path else ''}{key}"

    def has(self, key: str) -> bool:
        """Whether the key is given; it counts as asked for."""
        self._asked[key] = None
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        """Every key that is given."""
        return iter(self._values)

    def raw(self, key: str) -> object:
        """A value as it stands; ThemeError if it is missing."""
        if not self.has(key):
            raise ThemeError(f"{self.where(key)}: is missing")
        return self._values[key]

    def text(self, key: str) -> str:
        """A text."""
        given = self.raw(key)
        if not isinstance(given, str):
            raise ThemeError(f"{self.where(key)}: {shown(given)} is not a text")
        return given

    def integer(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number from `low` to `high`."""
        if default is not None and not self.has(key):
            return default
        return self.checked_integer(key, self.raw(key), low, high)

    def checked_integer(self, key: str, given: object, low: int, high: int) -> int:
        """`given`, a part of the key's value, as a whole number from `low` to `high`."""
        if type(given) is not int or not low <= given <= high:  # `true` is an int for Python
            raise ThemeError(f"{self.where(key)}: {shown(given)} is no whole number from {low} to {high}")
        return given

    def sequence(self, key: str) -> list[object]:
        """A list that is not empty."""
        given = self.raw(key)
        if given == []:
            raise ThemeError(f"{self.where(key)}: is empty; give at least one")
        if not isinstance(given, list):
            raise ThemeError(f"{self.where(key)}: {shown(given)} is no list")
        return given

    def table(self, key: str) -> Table:
        """A table below this one, empty if it is not given."""
        given = self.raw(key) if self.has(key) else {}
        return self._table(key, given)

    def tables(self, key: str) -> list[Table]:
        """An array of tables below this one, empty if it is not given."""
        given = self.raw(key) if self.has(key) else []
        if not isinstance(given, list):
            raise ThemeError(f"{self.where(key)}: is not a list of tables; write [[{key}]]")
        return [self._table(f"{key}[{i}]", one) for i, one in enumerate(given)]

    def _table(self, key: str, given: object) -> Table:
        if not isinstance(given, dict):
            raise ThemeError(f"{self.where(key)}: {shown(given)} is not a table")
        return Table(self.file, f"{self.path}{'.' if self.path else ''}{key}", given)

    def only(self, known: Iterable[str]) -> None:
        """Refuse keys that are not in `known`, with the nearest name as a hint."""
        names = list(known)
        for key in self._values:
            if key not in names:
                where = self.where(shown(key)[1:-1])
                raise ThemeError(f"{where}: is no key of a theme; {hint(key, names)}")

    def others(self, known: Iterable[str], never_slips: Container[str]) -> list[str]:
        """The keys that are not in `known`: kinds of another kit.

        Refuses what is the name of no kind, and what looks like a slip for one that is not given.
        """
        names, others = list(known), []
        for key, given in self._values.items():
            if key in names:
                continue
            if key not in never_slips:
                from difflib import get_close_matches  # only for kits of a team's own

                left = [name for name in names if name not in self._values]
                if get_close_matches(key[:80], left, 1):
                    Table(self.file, self.path, {key: None}).only(left)
                if not given or not _KIND.fullmatch(key):
                    Table(self.file, self.path, {key: None}).only(names)
            others.append(key)
        return others

    def done(self) -> None:
        """Refuse keys that nobody asked for."""
        self.only(self._asked)
