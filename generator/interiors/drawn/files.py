"""The files of a drawing, all in one folder and limited in total size."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from generator.errors import LayoutError, not_parsed, shown
from generator.files import read_bytes, real_path
from generator.kinds import Kit, shipped_kit
from generator.node import Node

_MAX_BYTES = 1 << 26  # of all files together; parsed JSON takes ten times its size or more
_MAX_TILES = 1 << 22  # of all layers together


class LayoutNode(Node):
    """A value of a Tiled or LDtk file. Its methods raise LayoutError if it is not of the type asked for."""

    __slots__ = ()
    error = LayoutError

    def get(self, key: str) -> LayoutNode | None:
        """Return the value of a key in a table, or None if it is missing or null."""
        if not isinstance(self.value, dict):
            self.fail(f"{shown(self.value)} is not a table")
        return None if self.value.get(key) is None else self[key]

    def word(self, key: str, default: str = "") -> str:
        """Return the text of a key, or the default if the key is missing."""
        node = self.get(key)
        return default if node is None else node.text()

    def whole(self, key: str, low: int, high: int, default: int) -> int:
        """Return a whole number under a key, or the default."""
        node = self.get(key)
        return default if node is None else node.number(low, high)

    def real(self, key: str, default: float = 0.0) -> float:
        """Return a number below 100 million under a key, or the default."""
        node = self.get(key)
        if node is None:
            return default
        if type(node.value) not in (int, float) or not abs(node.value) < 1e8:
            node.fail(f"{shown(node.value)} is not a number below 100 million")
        return float(node.value)

    def list(self, key: str, most: int) -> list[LayoutNode]:
        """Return the values of a list under a key, or no values if the key is missing."""
        node = self.get(key)
        return [] if node is None else node.items(most)


class DrawnFiles:
    """Reads the files of one drawing, which must all be in the folder `root` once links are followed.

    `kit` is the kit that the drawing uses.
    """

    def __init__(self, root: Path, kit: Kit | None = None) -> None:
        self.kit = kit or shipped_kit()
        self.kinds = self.kit.kinds
        self._root = root.resolve()
        self._left = _MAX_BYTES
        self._tiles_left = _MAX_TILES
        self._bytes: dict[Path, bytes] = {}
        self.tilesets: dict[Path, object] = {}  # parsed files that many drawings share

    def read(self, path: Path) -> bytes:
        """Read the bytes of a file. Raises LayoutError."""
        known = real_path(path)
        if known not in self._bytes:
            data = read_bytes(path, self._left, LayoutError)
            self._left -= len(data)
            self._bytes[known] = data
        return self._bytes[known]

    @property
    def others(self) -> tuple[Path, ...]:
        """The files that were read, with links followed."""
        return tuple(self._bytes)

    def beside(self, path: Path, name: str, where: str) -> Path:
        """Find the file that `path` calls `name`, if it is in the folder. Raises LayoutError at `where`."""
        try:
            file = (path.resolve().parent / name).resolve()
            inside = file.is_relative_to(self._root) and file.is_file()
        except (OSError, ValueError, RuntimeError):  # a loop of links, a null byte
            inside = False
        if not inside:
            folder = shown(str(self._root), 200)
            raise LayoutError(f"{where}: {shown(name, 100)} is not a file in {folder}; put it there")
        return file

    def spend(self, tiles: int, node: LayoutNode) -> None:
        """Count tiles that are about to be read. LayoutError at `node` if they are too many."""
        self._tiles_left -= tiles
        if self._tiles_left < 0:
            node.fail(f"brings all layers to more than {_MAX_TILES} tiles; give a smaller map")

    def json(self, path: Path) -> LayoutNode:
        """Read the value of a JSON file. Raises LayoutError."""
        return LayoutNode(parsed(self.read(path), str(path)), str(path), is_file=True)


def parsed(data: bytes, where: str) -> Any:
    """Parse the value of a JSON text. Raises LayoutError, which begins with `where`."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise LayoutError(f"{where}: {not_parsed('JSON', error)}") from None
