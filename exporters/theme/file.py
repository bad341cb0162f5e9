"""Read the files of a theme, which are not trusted: bounded files, PNG headers, and tables with their path.

This module knows nothing about the meaning of the tables. Every failure is a ThemeError of one line.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from generator.errors import ThemeError, hint, shown
from generator.files import parsed_toml, read_bytes
from generator.shipped_files import shipped_folder, shipped_tables
from generator.suggestions import nearest

MAX_TOML_BYTES = 1 << 20
KIND = "[a-z][a-z0-9_]{0,103}"  # long enough for an icon's kind and variant
MAX_IMAGE_BYTES = 64 << 20
MAX_SIDE_PX = 16384  # limit of graphics cards
MAX_AREA_PX = 1 << 26  # 256 MiB decoded, and below the size at which Pillow warns


class PackageFiles:
    """The files of a theme that ships with the package."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._folder = shipped_folder("exporters") / "themes"
        self.read_from: tuple[Path, ...] = ()
        self.path: Path | None = None
        self.where = name

    def read(self, name: str | None, most: int, key: str = "image") -> bytes:
        """Read a file of the theme (None: the TOML itself), which is known to be small."""
        return (self._folder / (name or self._name)).read_bytes()

    def top(self) -> Table:
        """Parse the top table of the TOML."""
        return Table(f"{self.where}: ", "", shipped_tables(self._folder)[self._name])


class FolderFiles:
    """The TOML file `path`, and files that are really in its folder, with links resolved.

    Messages begin with `where`, or else with the path. Each file is read once, so its bytes are the same when
    the theme is read again for the kinds of another kit.
    """

    def __init__(self, path: Path, where: str = "") -> None:
        self.path = path
        self.where = where or str(path)
        self.read_from: tuple[Path, ...] = ()
        self._kept: dict[str | None, bytes] = {}

    def read(self, name: str | None, most: int, key: str = "image") -> bytes:
        """Read a file named by `key` (None: the TOML itself), up to a limit."""
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
        """Parse the top table of the TOML. Raises ThemeError."""
        return parse_toml(self.read(None, MAX_TOML_BYTES), self.where)

    @property
    def folder(self) -> Path:
        """The folder of a theme's files."""
        return self.path.parent

    def _inside(self, name: str, key: str) -> Path:
        """Return the path of the file `name`, if it is in the theme's folder."""
        folder = self.folder.resolve()
        try:
            path = (folder / name).resolve()
        except (OSError, ValueError, RuntimeError):  # a loop of links, a null byte
            path = folder
        if path == folder or not path.is_relative_to(folder) or "\\" in name:
            problem = "is not a file in the theme's folder; put it there"
            raise ThemeError(f"{self.where}: {key}: {shown(name)} {problem}")
        return path


ThemeFiles = PackageFiles | FolderFiles


class Faults:
    """The errors of a theme: the first one is raised, or with `keep` all are collected."""

    def __init__(self, keep: bool) -> None:
        self._keep = keep
        self.found: list[str] = []

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Continue after the block if a ThemeError is raised in it and errors are collected."""
        try:
            yield
        except ThemeError as error:
            if not self._keep:
                raise
            if str(error) not in self.found:  # an error of the sheet occurs for each thing
                self.found.append(str(error))


def parse_toml(data: bytes, where: str) -> Table:
    """Parse the top table of a TOML file."""
    return Table(f"{where}: ", "", parsed_toml(data, where, ThemeError))


def png_size(data: bytes, where: str) -> tuple[int, int]:
    """Read the size in px of a theme's PNG file. Raises ThemeError if it is too large, or damaged."""
    width, height = any_png_size(data, where)
    if not (0 < width <= MAX_SIDE_PX and 0 < height <= MAX_SIDE_PX and width * height <= MAX_AREA_PX):
        most = f"at most {MAX_SIDE_PX} px per side and {MAX_AREA_PX} px in all"
        raise ThemeError(f"{where}: {width} x {height} px is not a valid size for a theme; give {most}")
    return width, height


def any_png_size(data: bytes, where: str) -> tuple[int, int]:
    """Read the size in px of a PNG file, however large. Its chunks are read but not unpacked.

        89 P N G \\r \\n 1A \\n | length, "IHDR", width, height, ... | length, type, data, CRC | ... "IEND"

    Raises ThemeError if it is not a PNG file, or is cut short. A second header is refused, because it could
    give a decoder another size.
    """
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[8:16] != b"\0\0\0\rIHDR":
        raise ThemeError(f"{where}: is not a PNG image; save it as one")
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
    return width, height


class Table:
    """A TOML table that records its place and which of its keys were read.

    `done` refuses all other keys, so the keys that are read define the format.
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
        """Name a key of this table in messages: `FILE: door.boss.north.open`."""
        return f"{self.file}{self.path}{'.' if self.path else ''}{key}"

    def has(self, key: str) -> bool:
        """Check whether the key is present. It then counts as read."""
        self._asked[key] = None
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        """Iterate over all keys that are present."""
        return iter(self._values)

    def raw(self, key: str) -> object:
        """Return the value in the file. Raises ThemeError if it is missing."""
        if not self.has(key):
            raise ThemeError(f"{self.where(key)}: is missing; add it")
        return self._values[key]

    def text(self, key: str) -> str:
        """Return a text."""
        value = self.raw(key)
        if not isinstance(value, str):
            raise ThemeError(f"{self.where(key)}: {shown(value)} is not text; give one in quotes")
        return value

    def integer(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number from `low` to `high`."""
        if default is not None and not self.has(key):
            return default
        return self.checked_integer(key, self.raw(key), low, high)

    def checked_integer(self, key: str, value: object, low: int, high: int) -> int:
        """Check that `value`, a part of the key's value, is a whole number from `low` to `high`."""
        if type(value) is not int or not low <= value <= high:  # in Python, `true` is an int
            raise ThemeError(
                f"{self.where(key)}: {shown(value)} is not a whole number from {low} to {high}; give one"
            )
        return value

    def sequence(self, key: str) -> list[object]:
        """Return a non-empty list."""
        value = self.raw(key)
        if value == []:
            raise ThemeError(f"{self.where(key)}: is empty; give at least one")
        if not isinstance(value, list):
            raise ThemeError(f"{self.where(key)}: {shown(value)} is not a list; give one")
        return value

    def table(self, key: str) -> Table:
        """Return a table in this one, empty if missing."""
        value = self.raw(key) if self.has(key) else {}
        return self._table(key, value)

    def tables(self, key: str) -> list[Table]:
        """Return an array of tables in this one, empty if missing."""
        value = self.raw(key) if self.has(key) else []
        if not isinstance(value, list):
            raise ThemeError(f"{self.where(key)}: is not a list of tables; write [[{key}]]")
        return [self._table(f"{key}[{i}]", item) for i, item in enumerate(value)]

    def _table(self, key: str, value: object) -> Table:
        if not isinstance(value, dict):
            raise ThemeError(f"{self.where(key)}: {shown(value)} is not a table; give one")
        return Table(self.file, f"{self.path}{'.' if self.path else ''}{key}", value)

    def only(self, known: Iterable[str]) -> None:
        """Refuse keys that are not in `known`. The message suggests the nearest name."""
        names = list(known)
        for key in self._values:
            if key not in names:
                where = self.where(shown(key)[1:-1])
                raise ThemeError(f"{where}: unknown key; {hint(key, names)}")

    def others(self, known: Iterable[str], never_slips: Container[str]) -> list[str]:
        """List the keys that are not in `known`: kinds of other kits.

        Refuses keys that cannot be names of kinds, and keys that look like a misspelled kind that is missing.
        """
        names, foreign = list(known), []
        for key, value in self._values.items():
            if key in names:
                continue
            if key not in never_slips:
                left = [name for name in names if name not in self._values]
                if nearest(key, left):
                    Table(self.file, self.path, {key: None}).only(left)
                if not value or not re.fullmatch(KIND, key):
                    Table(self.file, self.path, {key: None}).only(names)
            foreign.append(key)
        return foreign

    def done(self) -> None:
        """Refuse keys that were not read."""
        self.only(self._asked)
