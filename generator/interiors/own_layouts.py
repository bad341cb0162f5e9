"""A team's own layouts: a folder of pools, with every file read and checked before a level is made."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from generator.errors import LayoutError, SpecError, shown
from generator.files import is_digest, read_text, slashes, why_not_read
from generator.geometry import Point
from generator.interiors.drawings import (
    DrawnFiles,
    check_name,
    drawn_rooms,
    is_drawn,
    pool_of_room,
    suffixes,
)
from generator.interiors.layout_file import MAX_BYTES, parse_layout
from generator.interiors.layout_rules import check_map, check_rules
from generator.interiors.layouts import Layout
from generator.interiors.pool_rules import (
    check_family,
    check_markers,
    check_only,
    check_size,
    is_any_pool,
    is_layout_name,
    pool_of_file,
)
from generator.interiors.team_layouts import NO_OWN, OwnLayouts
from generator.kinds import Kit
from generator.kinds.kit_files import check_no_link
from generator.named_tuple import NamedTuple

_MAX_ENTRIES = 10_000
_MAX_SHOWN = 200  # characters of a path in a message


class _LayoutFile(NamedTuple):
    """A layout file: its path below the team's folder, with `/`, and a stamp that changes with edits."""

    name: str
    stamp: tuple[int, ...]


def own_layouts(folder: str, room_size: Point | None, kit: Kit) -> OwnLayouts:
    """Read the layouts of a folder or drawing, none without a name. Changed files are read again.

    They must be drawn for cells of `room_size` tiles, walls included; None means layouts with exits. They use
    the kinds of `kit`.

    Raises SpecError if the folder cannot be used, and LayoutError for any bad file in it, whether or not this
    level would draw it.
    """
    if not folder:
        return NO_OWN
    root, on_grid = Path(folder), room_size is not None
    own = _read(root, _files(root, "layouts"), on_grid, kit, _others(root))[on_grid]
    if room_size is not None:
        for layout in (layout for layouts in own.pools.values() for layout in layouts):
            check_size(layout, room_size)
    return own


def kit_layouts(kit: Kit, *, on_grid: bool) -> OwnLayouts:
    """Read the layouts of a kit and of those that it extends: rooms on a grid, or with exits.

    A layout replaces one with the same name and pool in an extended kit. Raises SpecError
    and LayoutError like `own_layouts`.
    """
    layouts = NO_OWN
    for folder in kit.layouts:
        files = tuple(file for file in _files(folder, "kit") if not is_dropped(kit, folder, file.name))
        try:
            layouts = over(layouts, _read(folder, files, None, kit, _others(folder))[on_grid])
        except LayoutError as error:
            raise LayoutError(with_blame(kit, folder, str(error))) from None
    return layouts


def is_dropped(kit: Kit, folder: Path, name: str) -> bool:
    """Check whether an inherited layout's room kind is gone. `name` is its path in the folder."""
    return _is_inherited(kit, folder) and f"room.{name.partition('/')[0]}" in kit.gone


def with_blame(kit: Kit, folder: Path, message: str) -> str:
    """Name the dropped rows that may be the cause in a message about an inherited layout."""
    if not kit.gone or not _is_inherited(kit, folder):
        return message
    rows = ", ".join(sorted(kit.gone))
    return f"{kit.where}: without: an inherited layout does not fit without {rows}: {message}"


def _is_inherited(kit: Kit, folder: Path) -> bool:
    return folder.parent != kit.folder


@lru_cache(maxsize=64)
def over(below: OwnLayouts, above: OwnLayouts) -> OwnLayouts:
    """Join two sets of layouts, with the digest of `above`, which wins if both name one in a pool."""
    pools = dict(below.pools)
    for pool, layouts in above.pools.items():
        named = {layout.name.lower(): layout for layout in (*pools.get(pool, ()), *layouts)}
        pools[pool] = tuple(named.values())
    return OwnLayouts(pools, above.digest)


def _others(root: Path) -> tuple[tuple[int, ...], ...]:
    return tuple(map(_stamp, _DRAWN_WITH.get(root, ())))


def _stamp(path: Path) -> tuple[int, ...]:
    """Return a stamp that changes when a file is edited, empty for a file that cannot be read."""
    try:
        state = path.stat()
    except OSError:
        return ()
    return state.st_ino, state.st_mtime_ns, state.st_size


# --- the folder --------------------------------------------------------------------------------------


def _files(root: Path, key: str) -> tuple[_LayoutFile, ...]:
    """List every layout file below a folder, by name. Stops early if the folder has too many."""
    files, seen, folders = [], 0, [""]
    label = shown(str(root), _MAX_SHOWN)
    try:
        if is_digest(str(root)):
            raise SpecError(
                f"{key}: {label} is a digest, which a level stores in place of the folder of your own "
                "layouts; give that folder as `layouts`"
            )
        if is_drawn(root) and root.is_file():
            return (_LayoutFile(root.name, _stamp(root)),)
        if not root.is_dir():
            raise SpecError(
                f"{key}: {label} is not a folder; give the folder of your own layouts, or a drawing "
                f"({', '.join(suffixes())}){slashes(root)}"
            )
        for folder in folders:
            with os.scandir(root / folder) as entries:
                for entry in entries:
                    seen += 1
                    if seen > _MAX_ENTRIES:
                        raise SpecError(
                            f"{key}: {label} contains more than {_MAX_ENTRIES} files and folders; give the "
                            "folder that contains only layouts"
                        )
                    name = folder + entry.name
                    if entry.name.startswith("."):  # a tool's, such as .git
                        continue
                    if key == "kit" and (entry.is_dir() or _is_layout(name)):
                        check_no_link(Path(entry.path))
                    if entry.is_dir():
                        folders.append(f"{name}/")
                    elif _is_layout(name):
                        files.append(_LayoutFile(name, _stamp(Path(entry.path))))
    except OSError as error:
        where = shown(str(error.filename), _MAX_SHOWN)
        raise SpecError(f"{key}: {where} cannot be read: {why_not_read(error, root)}") from None
    if not files and key == "layouts":
        raise SpecError(
            f"{key}: {label} contains no layouts ({', '.join(('.txt', *suffixes()))}); give the folder of "
            "your own layouts"
        )
    return tuple(sorted(files))


def _is_layout(name: str) -> bool:
    return name.lower().endswith((".txt", *suffixes()))


class _Read(NamedTuple):
    """A layout that was read, its pool, and its text for the digest."""

    pool: str
    layout: Layout
    text: str


_DRAWN_WITH: dict[Path, tuple[Path, ...]] = {}  # the other files of each drawing, such as tilesets


@lru_cache(maxsize=8)
def _read(
    root: Path,
    files: tuple[_LayoutFile, ...],
    on_grid: bool | None,
    kit: Kit,
    _others: tuple[tuple[int, ...], ...],
) -> tuple[OwnLayouts, OwnLayouts]:
    """Parse and check all files: layouts with exits, and layouts of rooms on a grid.

    `on_grid` says which of the two they must be; None allows both. The stamps are part of the cache's key, so
    that an edited file is read again.
    """
    pools: tuple[dict[str, dict[str, Layout]], dict[str, dict[str, Layout]]] = {}, {}
    digest = hashlib.blake2b(digest_size=8)
    drawn = DrawnFiles(root if root.is_dir() else root.parent, kit)
    for file in files:
        if not is_layout_name(file.name):
            raise SpecError(
                f"layouts: {shown(file.name)} cannot be the name of a layout; use letters A to Z, digits, - "
                "and _"
            )
        for pool, layout, text in _of_file(root, file, drawn, on_grid):
            by_name = pools[not layout.exits].setdefault(pool, {})
            check_only(layout, by_name)
            check_markers(layout, pool.partition("/")[0])
            by_name[layout.name.lower()] = layout
            # As lines, because line ends differ on Windows.
            digest.update(json.dumps([pool, layout.name, *text.splitlines()]).encode())
    _DRAWN_WITH[root] = drawn.others
    with_exits, of_grids = (
        OwnLayouts({pool: tuple(layouts.values()) for pool, layouts in by_pool.items()}, digest.hexdigest())
        for by_pool in pools
    )
    return with_exits, of_grids


# --- one file ----------------------------------------------------------------------------------------


def _of_file(root: Path, file: _LayoutFile, drawn: DrawnFiles, on_grid: bool | None) -> Iterator[_Read]:
    """Yield the layouts of a file: one in a text, any number in a drawing. Raises LayoutError."""
    path = root / file.name if root.is_dir() else root
    if is_drawn(path):
        from generator.interiors.drawing_text import layout_of, layout_text  # few need it

        folder = file.name.rpartition("/")[0]
        for room in drawn_rooms(path, drawn):
            check_name(room)
            layout = layout_of(room)
            check_family(layout, on_grid)
            of_grid = not layout.exits
            in_pool = root.is_dir() and is_any_pool(folder, drawn.kit, on_grid=of_grid)
            pool = folder if in_pool else pool_of_room(room, on_grid=of_grid)
            if not pool:
                raise room.fail("kind: is missing; add the room kind, or move the file into a pool's folder")
            yield _Read(pool, layout, layout_text(room))
    else:
        if on_grid is not None:
            pool_of_file(file.name, path, drawn.kit, on_grid=on_grid)
        text = read_text(path, MAX_BYTES, LayoutError)
        layout = parse_layout(text, path, drawn.kinds, check=False)
        check_family(layout, on_grid)
        pool = pool_of_file(file.name, path, drawn.kit, on_grid=not layout.exits)
        check_map(layout)
        check_rules(layout)
        yield _Read(pool, layout, text)
