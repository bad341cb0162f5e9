"""The paths of files, and the names of files that are put beside them.

    tiles.new.tsj           the generator's new version; `tiles.new-2.tsj` if somebody changed the first
    isaac-7.mine.tmj        the old file; never overwritten, so the next one is `isaac-7.mine-2.tmj`
    isaac-7.conflicts.txt   the person's changes that no longer fit

Files that are used because they are in a folder, such as scripts and layouts, get the word after their
suffix: `plugin.gd.new`. So does a person's Godot file that is put aside: Godot writes an id into files that
it saves, and a second file with that id would replace the first one in the whole project.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from exporters.exported import LEVEL
from generator.errors import UndercroftError
from generator.files import real_path
from generator.pattern import pattern

NEW, MINE = "new", "mine"
_WITH_IDS = (".tscn", ".tres", ".gd")
_MAX = 99
_ASIDE = pattern(rf"\.({MINE}|{NEW})(-[0-9]+)?$")


def is_aside(name: str) -> bool:
    """Check whether a file has the name of one that a write put beside another."""
    return _ASIDE.search(PurePosixPath(name).stem) is not None


def target_of(root: Path, path: str) -> Path:
    """Return the real path of a file, with links resolved: a regular file in the folder, or a free path."""
    real = real_path(root)
    target = real_path(real / path)
    if not target.is_relative_to(real):
        raise UndercroftError(
            f"{root / path}: is a link to {target}, outside the folder; remove it, or write to another folder"
        )
    if target.exists() and not target.is_file():
        raise UndercroftError(f"{root / path}: cannot be written: is not a file; remove it")
    return target


def beside(root: Path, path: str, word: str, may_be: Callable[[str], bool], *, inert: bool = False) -> str:
    """Return the first name, made from a path and a word, that is free or `may_be` overwritten.

    Raises UndercroftError if there is no such name.
    """
    for name in names_beside(path, word, inert=inert):
        if not os.path.lexists(root / name) or may_be(name):
            return name
    raise UndercroftError(
        f"{root / path}: has {_MAX} files beside it with {word!r} in their names; remove some"
    )


def names_beside(path: str, word: str, *, inert: bool = False) -> Iterator[str]:
    """Yield the names made from a path and a word, in the order of use."""
    pure = PurePosixPath(path)
    behind = inert or not pure.suffix or (word == MINE and pure.suffix in _WITH_IDS)
    for number in range(1, _MAX + 1):
        mark = word if number == 1 else f"{word}-{number}"
        yield f"{path}.{mark}" if behind else str(pure.with_name(f"{pure.stem}.{mark}{pure.suffix}"))


def names_of_conflicts(path: str) -> Iterator[str]:
    """Yield the names for the list of conflicts of a level's files."""
    pure = PurePosixPath(path)
    stem = pure.name.removesuffix(LEVEL) if pure.name.endswith(LEVEL) else pure.stem
    for number in range(1, _MAX + 1):
        mark = "conflicts" if number == 1 else f"conflicts-{number}"
        yield str(pure.with_name(f"{stem}.{mark}.txt"))
