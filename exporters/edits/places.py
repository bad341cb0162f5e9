"""Where files go, and the names of what is put beside them.

    isaac-7.new.tmj         what the generator gives now; `isaac-7.new-2.tmj` if somebody changed that
    isaac-7.mine.tmj        what stood there; never written over, so the next one is `isaac-7.mine-2.tmj`
    isaac-7.conflicts.txt   which of a person's changes have no place any more

Files that are read by being in their folder, such as scripts and layouts, get the word behind their ending:
`plugin.gd.new`. So does a person's file of Godot that is put aside: Godot writes an id into what it saves,
and a second file with that id would take the place of the first in the whole project.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from generator.errors import UndercroftError

NEW, MINE = "new", "mine"
_WITH_IDS = (".tscn", ".tres", ".gd")
_LEVEL = ".level.json"
_MOST = 99


def target_of(root: Path, path: str) -> Path:
    """Where a file really goes, links followed: a regular file in the folder, or none yet."""
    real = Path(os.path.realpath(root))
    target = Path(os.path.realpath(real / path))
    if not target.is_relative_to(real):
        raise UndercroftError(
            f"{root / path}: is a link to {target}, out of the folder; remove it, or write elsewhere"
        )
    if target.exists() and not target.is_file():
        raise UndercroftError(f"{root / path}: cannot be written: is not a file; remove it")
    return target


def beside(root: Path, path: str, word: str, may_be: Callable[[str], bool], *, inert: bool = False) -> str:
    """The first name with a word beside a path that is free, or that `may_be` written.

    Raises UndercroftError if there is none.
    """
    for name in names_beside(path, word, inert=inert):
        if not os.path.lexists(root / name) or may_be(name):
            return name
    raise UndercroftError(
        f"{root / path}: has {_MOST} files beside it with {word!r} in their names; remove some"
    )


def names_beside(path: str, word: str, *, inert: bool = False) -> Iterator[str]:
    """The names with a word beside a path, in the order in which they are taken."""
    pure = PurePosixPath(path)
    behind = inert or not pure.suffix or (word == MINE and pure.suffix in _WITH_IDS)
    for number in range(1, _MOST + 1):
        told = word if number == 1 else f"{word}-{number}"
        yield f"{path}.{told}" if behind else str(pure.with_name(f"{pure.stem}.{told}{pure.suffix}"))


def names_of_conflicts(path: str) -> Iterator[str]:
    """The names for the list of what could not be merged into a level's files."""
    pure = PurePosixPath(path)
    stem = pure.name.removesuffix(_LEVEL) if pure.name.endswith(_LEVEL) else pure.stem
    for number in range(1, _MOST + 1):
        told = "conflicts" if number == 1 else f"conflicts-{number}"
        yield str(pure.with_name(f"{stem}.{told}.txt"))
