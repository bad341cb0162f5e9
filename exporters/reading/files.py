"""The files that a reader may read: on disk, inside one folder and limited in size, or in memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path, PurePosixPath
from typing import TypeVar

from exporters.reading.seen import MAX_TILES
from generator.errors import LayoutError, shown
from generator.files import parsed_json, read_bytes, real_path
from generator.node import LayoutNode

_MAX_FILES = 1 << 14
_MAX_BORROWED = 1 << 20  # properties of objects that are made from templates
_Parsed = TypeVar("_Parsed")


class ExportFiles:
    """Files by their path relative to a folder. Raises BadInput for a missing or too large file.

    `most` limits the total number of bytes. What was parsed is kept until `forget`. `things` has what objects
    and layers show, by all that this depends on, with them: a file of nearly the same ones reads few of them.
    """

    def __init__(self, folder: Path, held: Mapping[str, bytes] | None = None, most: int = 1 << 28) -> None:
        self.folder = folder
        self._held = held
        self._left = most
        self._tiles_left = MAX_TILES
        self._files_left = _MAX_FILES
        self._borrowed_left = _MAX_BORROWED
        self._sizes: dict[str, int] = {}
        self._parsed: dict[str, object] = {}
        self.things: dict[Hashable, tuple[object, object]] = {}

    def where(self, path: str) -> str:
        """Return a file's name in messages."""
        return str(self.folder / path)

    def has(self, path: str) -> bool:
        """Check whether the file exists inside the folder."""
        if self._held is not None:
            return path in self._held
        try:
            real = real_path(self.folder / path)
            return real.is_relative_to(os.path.realpath(self.folder)) and real.is_file()
        except (OSError, ValueError):
            return False

    def read(self, path: str) -> bytes:
        """Read the bytes of a file."""
        if not self.has(path):
            raise LayoutError(
                f"{self.where(path)}: is not a file in {shown(str(self.folder), 200)}; put it there"
            )
        if self._held is not None:
            return self._held[path]
        if path not in self._sizes:
            self._files_left -= 1
        if self._files_left < 0:
            raise LayoutError(
                f"{self.where(path)}: is the file after the first {_MAX_FILES}; give a smaller level"
            )
        self._left += self._sizes.get(path, 0)  # a file that is read again counts once
        data = read_bytes(self.folder / path, self._left, LayoutError)
        self._sizes[path] = len(data)
        self._left -= len(data)
        return data

    def parsed(self, path: str, parser: Callable[[bytes], _Parsed]) -> _Parsed:
        """Return what a parser makes of a file. One file has one parser, and nobody changes the result."""
        if path not in self._parsed:
            self._parsed[path] = parser(self.read(path))
        return self._parsed[path]  # type: ignore[return-value]

    def held(self, path: str) -> object:
        """Return what was parsed of a file, if it is kept."""
        return self._parsed.get(path)

    def thing(self, key: Hashable, node: LayoutNode, read: Callable[[], _Parsed]) -> _Parsed:
        """Return what an object or a layer shows, read only if `things` does not have it."""
        known = self.things.get(key)
        if known is None or known[0] != node.value:
            known = self.things[key] = node.value, read()
        return known[1]  # type: ignore[return-value]

    def forget(self) -> None:
        """Drop what was read."""
        self._parsed.clear()
        self.things = {}

    def json(self, path: str) -> LayoutNode:
        """Parse the value of a JSON file."""
        where = self.where(path)
        table = self.parsed(path, lambda data: parsed_json(data, where, LayoutError))
        return LayoutNode(table, where, is_file=True)

    def spend(self, tiles: int, node: LayoutNode) -> None:
        """Count tiles before they are read. Raises LayoutError at `node` if there are too many."""
        self._tiles_left -= tiles
        if self._tiles_left < 0:
            node.fail(f"brings all layers to more than {MAX_TILES} tiles; give a smaller map")

    def borrow(self, properties: int, node: LayoutNode) -> None:
        """Count properties from templates, as small files can ask for many. Raises LayoutError at `node`."""
        self._borrowed_left -= properties
        if self._borrowed_left < 0:
            node.fail(f"brings templates to more than {_MAX_BORROWED} properties; detach some objects")


def beside(path: str, name: str) -> str:
    """Resolve the path of `name` relative to the file `path`. A `..` that leads out of the folder is kept."""
    parts: list[str] = []
    for part in (PurePosixPath(path).parent / name.replace("\\", "/")).parts:
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
