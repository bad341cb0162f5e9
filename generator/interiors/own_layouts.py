"""A team's own layouts: a folder of pools, every file read and checked before a level is made of them."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from generator.errors import LayoutError, SpecError, shown
from generator.files import read_text
from generator.geometry import Point
from generator.interiors.chapters import chapter_names
from generator.interiors.layout_file import MOST_BYTES, load_layout, parse_layout
from generator.interiors.layouts import Layout
from generator.kinds import DIFFICULTIES, ROOM_KINDS, SECRET_ROOM_KINDS
from generator.spec import GridSpec

_MOST_ENTRIES = 10_000
_MOST_SHOWN = 200  # characters of a path in a message
_NAME = re.compile(r"[A-Za-z0-9 ._/-]+\Z")  # spelled the same by every system
_MANY = 1 << 16
_ALL = dict.fromkeys(ROOM_KINDS, (0, _MANY))
_FIGHTS = dict.fromkeys(("normal", "boss", "mini_boss", "boss_challenge", "curse", "grave"), (0, _MANY))

# How many markers of a kind a layout holds, least and most, by room kind. Room kinds that are not listed
# hold none; marker kinds that are not listed may stand anywhere.
_MARKERS: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "player_start": {"start": (1, 1)},
    "boss": {"boss": (1, 1), "mini_boss": (1, _MANY), "boss_challenge": (1, _MANY)},
    "exit": {"boss": (0, 1)},
    "enemy": {**_FIGHTS, "challenge": (1, _MANY)},
    "item": {**_ALL, "treasure": (1, _MANY)},
    "chest": {**_ALL, "chest": (1, _MANY), "vault": (1, _MANY)},
    "machine": {**_ALL, "arcade": (1, _MANY)},
    "ware": {"shop": (1, _MANY)},
    "shopkeeper": {"shop": (0, 1), **dict.fromkeys(SECRET_ROOM_KINDS, (0, 1))},
}


_SHAPED = ("normal", "boss")  # the rooms that have other shapes than 1x1


@dataclass(frozen=True, eq=False)
class OwnLayouts:
    """A team's layouts by pool (`shop`, `normal/any/easy`), and a digest of their names and contents."""

    pools: Mapping[str, tuple[Layout, ...]]
    digest: str


NO_OWN = OwnLayouts({}, "")


class _File(NamedTuple):
    """A layout file: its path below the team's folder, with `/`, and what changes when it is edited."""

    name: str
    stamp: tuple[int, ...]


def own_layouts(spec: GridSpec) -> OwnLayouts:
    """The layouts of the folder that a spec names; files that changed since the last time are read anew.

    Raises SpecError if the folder cannot be used, and LayoutError for any bad file in it, whether this
    level would draw it or not.
    """
    if not spec.layouts:
        return NO_OWN
    return _read(Path(spec.layouts), _files(Path(spec.layouts)), spec.room_size)


def check_layout(path: Path) -> None:
    """Check a layout file, and if it lies in a pool, that it holds what the pool's rooms need."""
    layout = load_layout(path)
    folders = path.absolute().parent.parts
    for pool in (folders[-1:], folders[-3:]):
        if _is_pool(pool):
            _check_markers(layout, pool[0])


# --- the folder --------------------------------------------------------------------------------------


def _files(root: Path) -> tuple[_File, ...]:
    """Every layout file below a folder, by name; it gives up early on a folder that is too full."""
    found, seen, folders = [], 0, [""]
    label = shown(str(root), _MOST_SHOWN)
    try:
        if not root.is_dir():
            raise SpecError(f"layouts: {label} is no folder; name the one that holds the team's pools")
        for folder in folders:
            with os.scandir(root / folder) as entries:
                for entry in entries:
                    seen += 1
                    if seen > _MOST_ENTRIES:
                        raise SpecError(
                            f"layouts: {label} holds more than {_MOST_ENTRIES} files and folders; "
                            "name the layouts' own folder"
                        )
                    name = folder + entry.name
                    if entry.name.startswith("."):  # a tool's, such as .git
                        continue
                    if entry.is_dir():
                        folders.append(f"{name}/")
                    elif name.lower().endswith(".txt"):
                        state = Path(entry.path).stat()
                        found.append(_File(name, (state.st_ino, state.st_mtime_ns, state.st_size)))
    except OSError as error:
        where = shown(str(error.filename), _MOST_SHOWN)
        raise SpecError(f"layouts: {where} cannot be read: {error.strerror}") from None
    if not found:
        raise SpecError(f"layouts: {label} holds no layouts (.txt); name the folder of the team's pools")
    return tuple(sorted(found))


@lru_cache(maxsize=8)
def _read(root: Path, files: tuple[_File, ...], room_size: Point) -> OwnLayouts:
    """Parse and check all files. They are told apart by their stamps, so that an edited one is read again."""
    pools: dict[str, dict[str, Layout]] = {}
    digest = hashlib.blake2b(digest_size=8)
    for file in files:
        if not _NAME.match(file.name):
            raise SpecError(
                f"layouts: {shown(file.name)} is no name for a layout; use letters a to z, digits, - and _"
            )
        path = root / file.name
        pool = _pool_of(file.name, path)
        text = read_text(path, MOST_BYTES, LayoutError)
        layout = parse_layout(text, path)
        others = pools.setdefault(pool, {})
        _check_only(layout, others)
        _check_size(layout, room_size)
        _check_markers(layout, pool.partition("/")[0])
        others[layout.name.lower()] = layout
        # As lines, for Windows ends them in another way.
        digest.update(json.dumps([pool, layout.name, *text.splitlines()]).encode())
    return OwnLayouts({pool: tuple(some.values()) for pool, some in pools.items()}, digest.hexdigest())


# --- one file ----------------------------------------------------------------------------------------


def _pool_of(name: str, path: Path) -> str:
    pool = name.rpartition("/")[0]
    if not _is_pool(tuple(pool.split("/"))):
        raise LayoutError(
            f"{path}: is in no pool; put it into normal/CHAPTER/DIFFICULTY, or ROOM_KIND/ "
            f"(chapters are any, {', '.join(chapter_names())}; difficulties {', '.join(DIFFICULTIES)})"
        )
    return pool


def _is_pool(folders: tuple[str, ...]) -> bool:
    match folders:
        case ("normal", chapter, difficulty):
            return difficulty in DIFFICULTIES and chapter in ("any", *chapter_names())
        case (kind,):
            return kind in ROOM_KINDS and kind != "normal"
    return False


def _check_only(layout: Layout, others: Mapping[str, Layout]) -> None:
    """A level names its layouts, and some systems tell `Pond` from `pond`, others do not."""
    other = others.get(layout.name.lower())
    if other:
        raise LayoutError(f"{layout.path}: has the same name as {other.path.name}; rename one of the two")


def _check_size(layout: Layout, pitch: Point) -> None:
    if layout.pitch != pitch:
        width, height = (side * cells - 2 for side, cells in zip(pitch, layout.shape.size, strict=True))
        given, rooms = (f"{size[0]} x {size[1]}" for size in (layout.size, pitch))
        raise LayoutError(
            f"{layout.path}: is {given} tiles; rooms of room_size {rooms} are {width} x {height} inside"
            f"{_in_shape(layout)}: draw it so, or keep layouts of other sizes in another folder"
        )


def _in_shape(layout: Layout) -> str:
    return "" if layout.shape.size == (1, 1) else f" if they are {layout.shape.name}"


def _check_markers(layout: Layout, room_kind: str) -> None:
    if layout.shape.name != "1x1" and room_kind not in _SHAPED:
        raise LayoutError(
            f"{layout.path}: shape: {room_kind} rooms are 1x1; {' and '.join(_SHAPED)} rooms have others too"
        )
    counts = Counter(marker.kind for marker in layout.interior().markers)
    for kind, rooms in _MARKERS.items():
        least, most = rooms.get(room_kind, (0, 0))
        if counts[kind] < least:
            wanted = f"at least {least}"
        elif counts[kind] > most:
            wanted = f"at most {most}" if most else "none"
        else:
            continue
        raise LayoutError(f"{layout.path}: {kind} markers: {counts[kind]}; {room_kind} rooms take {wanted}")
