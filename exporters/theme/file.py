"""Read the files of a theme, which are not trusted: bounded files, PNG headers, and nodes.

This module knows nothing about the meaning of the tables. Every failure is a ThemeError of one line.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Collection, Container, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from generator.errors import ThemeError, nearest, shown
from generator.files import parsed_toml, read_bytes
from generator.node import Node
from generator.shipped_files import shipped_folder, shipped_tables

# The limits of a theme, shared by its reader and its JSON Schema.
TILE_SIZE = (8, 64)  # px
SPACING = (0, 64)  # px
SOURCE = (0, 65535)  # in a Godot TileSet
FRAMES = (1, 64)
FRAME_MS = (10, 60_000)
WEIGHT = (1, 10_000)
MAX_TILES = 256  # per list
NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
COLOUR = "#[0-9a-fA-F]{6}"
OUTSIDES = ("open", "solid")

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

    def top(self) -> ThemeNode:
        """Parse the top table of the TOML."""
        return ThemeNode(shipped_tables(self._folder)[self._name], self.where, is_file=True)


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

    def top(self) -> ThemeNode:
        """Parse the top table of the TOML. Raises ThemeError."""
        from exporters.theme.tileset import tileset_readers  # it imports this module

        if self.path.suffix.lower() in (".png", *tileset_readers()) and self.path.is_file():
            remedy = f"begin one for it with `undercroft theme new {self.path}`"
            raise ThemeError(f"{self.where}: is not a theme; {remedy}")
        return parse_toml(self.read(None, MAX_TOML_BYTES), self.where)

    @property
    def folder(self) -> Path:
        """The folder of a theme's files."""
        return self.path.parent

    def _inside(self, name: str, key: str) -> Path:
        """Return the path of the file `name`, if it is in the theme's folder."""
        path = inside(self.folder, name)
        if path is None or "\\" in name:
            problem = "is not a file in the theme's folder; put it there"
            raise ThemeError(f"{self.where}: {key}: {shown(name)} {problem}")
        return path


def inside(folder: Path, relative: str) -> Path | None:
    """Return the file of a relative path, if it is really in the folder, with links resolved."""
    try:
        root = folder.resolve()
        path = (root / relative.replace("\\", "/")).resolve()
    except (OSError, ValueError, RuntimeError):  # a loop of links, a null byte
        return None
    return path if path != root and path.is_relative_to(root) else None


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


def parse_toml(data: bytes, where: str) -> ThemeNode:
    """Parse the top table of a TOML file."""
    return ThemeNode(parsed_toml(data, where, ThemeError), where, is_file=True)


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


class ThemeNode(Node):
    """A value of a theme, or of the tileset that it is based on.

    A table remembers which of its keys were read; `done` refuses all others, so the keys that are read define
    the format.
    """

    __slots__ = ("_asked", "_path")
    error = ThemeError

    def __init__(
        self, value: Any, key: str | int, above: Node | None = None, *, is_file: bool = False
    ) -> None:
        super().__init__(value, key, above, is_file=is_file)
        self._asked: dict[str, None] = {}
        self._path: str | None = None

    @property
    def path(self) -> str:
        """Join the keys that lead to it, once: a theme keeps the paths of hundreds of tiles in few lists."""
        if self._path is None:
            self._path = super().path
        return self._path

    def has(self, key: str) -> bool:
        """Check whether a table has a key, which then counts as read."""
        self._asked[key] = None
        return super().has(key)

    def needed(self, key: str, remedy: str = "add it") -> Self:
        """Return the value of a key, which must be there. Raises at another key that is nearly this one."""
        if not self.has(key):
            left = [other for other in self.value if other not in self._asked]
            if slip := nearest(key, left):
                self.instead({slip: None}).only([key])
        return super().needed(key, remedy)

    def others(self, known: Collection[str], never_slips: Container[str]) -> list[str]:
        """List the keys that are not in `known`: kinds of other kits.

        Refuses keys that cannot be names of kinds, and keys that look like a misspelled kind that is missing.
        """
        others = []
        for key, given in self.table().items():
            if key in known:
                continue
            if key not in never_slips:
                left = [name for name in known if name not in self.value]
                if nearest(key, left):
                    self.instead({key: None}).only(left)
                if not given or not re.fullmatch(KIND, key):
                    self.instead({key: None}).only(known)
            others.append(key)
        return others

    def done(self) -> None:
        """Refuse keys that were not read."""
        self.only(self._asked)
