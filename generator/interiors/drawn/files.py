"""The files of a drawing, all in one folder and limited in total size."""

from __future__ import annotations

from pathlib import Path

from generator.errors import LayoutError, shown
from generator.files import parsed_json, read_bytes, real_path
from generator.kinds import Kit, shipped_kit
from generator.level_node import LayoutNode

_MAX_BYTES = 1 << 26  # of all files together; parsed JSON takes ten times its size or more
_MAX_TILES = 1 << 22  # of all layers together


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
        return LayoutNode(parsed_json(self.read(path), str(path), LayoutError), str(path), is_file=True)
