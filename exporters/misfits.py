"""Changes that a person made, in files beside a level, to things that the new level no longer has."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from exporters.registry import usable_exporters
from generator.files import real_path

_MOST_BYTES = 1 << 25
_MOST_NAMED = 100
_MOST_SAID = 5


class Misfit(NamedTuple):
    """A file and the things that it changes although they are gone: `total`, and up to a hundred `names`.

    `problem` says why the file could not be read; then the list is empty.
    """

    file: Path
    total: int
    names: list[str]
    problem: str = ""

    def said(self) -> str:
        """Return the message, without the file's name."""
        if self.problem:
            return f"{self.problem}, so its changes were not compared with the new level"
        more = f" and {self.total - _MOST_SAID} more" if self.total > _MOST_SAID else ""
        names = ", ".join(self.names[:_MOST_SAID])
        then = "Godot drops these changes when you save the scene"
        return f"changes nodes that no longer exist: {names}{more}; {then}"

    def facts(self) -> dict[str, object]:
        """Return the facts for JSON."""
        return {
            "file": str(self.file),
            "count": self.total,
            "nodes": self.names,
            **({"problem": self.problem} if self.problem else {}),
        }


def misfits(folder: Path, begun: Iterable[str], files: Mapping[str, bytes]) -> Iterator[Misfit]:
    """Find the starting-point files that people have changed and that no longer fit the new `files`."""
    readers = [one.lost for one in usable_exporters() if one.lost]
    for path in begun:
        for reader in readers:
            place = folder / path
            try:
                found = reader(path, _read(folder, place), files)
            except ValueError as error:
                yield Misfit(place, 0, [], str(error))
            else:
                if found:
                    yield Misfit(place, len(found), list(found[:_MOST_NAMED]))


def _read(folder: Path, place: Path) -> bytes:
    """Read a file. Raises ValueError if it lies outside the folder, is huge, or cannot be read."""
    if not real_path(place).is_relative_to(os.path.realpath(folder)):
        raise ValueError("is a link to a place outside the folder")
    try:
        if not place.is_file():
            raise ValueError("is not a file")
        with place.open("rb") as file:
            found = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror}") from None
    if len(found) > _MOST_BYTES:
        raise ValueError(f"has more than {_MOST_BYTES >> 20} MB")
    return found
