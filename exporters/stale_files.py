"""Changes that a person made, in files beside a level, to things that the new level no longer has."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from exporters.registry import usable_exporters
from generator.files import real_path
from generator.named_tuple import NamedTuple

_MAX_BYTES = 1 << 25
_MAX_NAMED = 100
_MAX_SAID = 5


class StaleFile(NamedTuple):
    """A file and the things that it changes although they are gone: `total`, and up to a hundred `names`.

    `problem` says why the file could not be read; then the list is empty.
    """

    file: Path
    total: int
    names: list[str]
    problem: str = ""

    def message(self) -> str:
        """Return the message, without the file's name."""
        if self.problem:
            return f"{self.problem}, so its changes were not compared with the new level"
        rest = f" and {self.total - _MAX_SAID} more" if self.total > _MAX_SAID else ""
        names = ", ".join(self.names[:_MAX_SAID])
        effect = "Godot drops these changes when you save the scene"
        return f"changes nodes that no longer exist: {names}{rest}; {effect}"

    def facts(self) -> dict[str, object]:
        """Return the facts for JSON."""
        return {
            "file": str(self.file),
            "count": self.total,
            "nodes": self.names,
            **({"problem": self.problem} if self.problem else {}),
        }


def stale_files(folder: Path, begun: Iterable[str], files: Mapping[str, bytes]) -> Iterator[StaleFile]:
    """Find the starting-point files that people have changed and that no longer fit the new `files`."""
    readers = [exporter.lost for exporter in usable_exporters() if exporter.lost]
    for path in begun:
        for reader in readers:
            file = folder / path
            try:
                names = reader(path, _read(folder, file), files)
            except ValueError as error:
                yield StaleFile(file, 0, [], str(error))
            else:
                if names:
                    yield StaleFile(file, len(names), list(names[:_MAX_NAMED]))


def _read(folder: Path, path: Path) -> bytes:
    """Read a file. Raises ValueError if it lies outside the folder, is huge, or cannot be read."""
    if not real_path(path).is_relative_to(os.path.realpath(folder)):
        raise ValueError("is a link to a place outside the folder")
    try:
        if not path.is_file():
            raise ValueError("is not a file")
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror}") from None
    if len(data) > _MAX_BYTES:
        raise ValueError(f"has more than {_MAX_BYTES >> 20} MB")
    return data
