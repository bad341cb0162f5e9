"""What `build --prune` must not remove: files that a person changed, and those that a scene still uses."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from exporters.edits.digests import digest_of_file
from exporters.edits.policy import WORKPLACE
from exporters.edits.state import Ours
from generator.pattern import pattern

_SCENE = ".tscn"
_PATH = pattern(rb'^\[ext_resource [^\n]*?\bpath="([^"\n]*)"')
_RESOURCE = "res://"
BY_HAND = "it was changed by hand; remove it yourself"


def can_prune(root: Path, ours: Ours) -> bool:
    """Check whether a leftover is in the folder, and nobody changed it."""
    path = root / ours.path
    inside = Path(os.path.realpath(path.parent)).is_relative_to(os.path.realpath(root))
    return inside and not path.is_symlink() and digest_of_file(path) in (ours.digest, ours.pending)


def said_of(root: Path, ours: Ours) -> str:
    """Say what to do with a leftover."""
    unasked = "the manifest no longer asks for it"
    return f"{unasked}; remove it with --prune" if can_prune(root, ours) else f"{unasked}, but {BY_HAND}"


def used_files(root: Path, changed: Collection[str], unchanged: Collection[str]) -> dict[str, str]:
    """Return those of the unchanged files that scenes use which stay, each with such a scene or resource.

    All are files that nobody asks for, by their paths in a folder. A scene stays if a person has changed it,
    or if it is the one to work in and Undercroft did not write it.
    """
    work = (path.removesuffix(_SCENE) + WORKPLACE for path in unchanged if path.endswith(_SCENE))
    theirs = [path for path in work if path not in unchanged and (root / path).is_file()]
    users = [*changed, *theirs]
    used: dict[str, str] = {}
    for user in users:  # which grows meanwhile
        for path in _used_by(root, user):
            if path in unchanged and path not in used:
                used[path] = user
                users.append(path)
    return used


def _used_by(root: Path, user: str) -> Iterator[str]:
    """Yield the paths that a scene or a resource may mean: a folder of Godot begins above, or in `root`."""
    if not user.endswith((_SCENE, ".tres")):
        return
    with suppress(OSError), (root / user).open("rb") as file:
        for line in file:
            if not (found := _PATH.match(line)):
                continue
            path = found[1].decode("utf-8", "replace")
            if not path.startswith(_RESOURCE):
                yield posixpath.normpath(posixpath.join(posixpath.dirname(user), path))
                continue
            parts = path.removeprefix(_RESOURCE).split("/")
            yield from ("/".join(parts[number:]) for number in range(len(parts)))
