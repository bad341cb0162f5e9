"""The layouts of the `gungeon` style: rooms of any outline, and where their hallways may begin.

The shipped ones lie in `layouts/ROOM_KIND/` and its subfolders; a team's own have the same tree.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from generator.geometry import Point
from generator.interiors.layouts import Layout
from generator.interiors.own_layouts import OwnLayouts
from generator.interiors.shipped_layouts import shipped_texts
from generator.kinds import DIFFICULTIES, SHIPPED, Kinds
from generator.shipped_files import copy_text, fitting_copy, shipped_folder
from generator.styles.gungeon.furnishing.exit_fits import SHIPPED_FOR, Exits, exits_of, packed, unpacked

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

HUB, CONNECTOR = "hub", "connector"


@dataclass(frozen=True, eq=False)
class GungeonLayout:
    """One image (mirrored or turned) of a layout. A level stores its `name`, and all images share a `file`.

    `copy` has exits that need not be computed: for each pair of widths, those of each image by its name.
    """

    file: str
    layout: Layout
    image: str
    difficulty: int  # 0: any
    copy: Mapping[str, Mapping[str, str | None]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The file, and the image unless it is the drawing itself."""
        return f"{self.file}+{self.image}" if self.image else self.file

    @cached_property
    def size(self) -> Point:
        """Width and height of its room, walls included."""
        width, height = self.layout.size
        return (height + 2, width + 2) if "r" in self.image else (width + 2, height + 2)

    def tile(self, x: int, y: int) -> Point:
        """Locate a tile of the drawing in its room, counted from the corner of the walls."""
        width, height = self.layout.size
        x = width - 1 - x if "h" in self.image else x
        y = height - 1 - y if "v" in self.image else y
        return (height - y, x + 1) if "r" in self.image else (x + 1, y + 1)

    @cached_property
    def weight(self) -> int:
        """The weight of this image: all images of a file together have the weight the file gives."""
        return self.layout.weight * 16 // len(self.layout.mirrors)

    def exits(self, width: int, body: int) -> Exits | None:
        """Find where doors of this width may be. None if a body cannot get from each exit to all others.

        None also if it cannot get to all markers.
        """
        return _exits(self, width, body)


@lru_cache(maxsize=4096)
def _exits(gungeon_layout: GungeonLayout, width: int, body: int) -> Exits | None:
    copied = gungeon_layout.copy.get(_key(width, body))
    if copied is not None:
        return unpacked(copied[gungeon_layout.name])
    return exits_of(gungeon_layout.layout, gungeon_layout.image, width, body)


def _key(width: int, body: int) -> str:
    return f"width {width} body {body}"


# --- the shipped ones --------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def shipped_layouts(kinds: Kinds = SHIPPED) -> Mapping[str, tuple[GungeonLayout, ...]]:
    """List all images of the shipped layouts that these kinds can show, by room kind."""
    root, files = shipped_layouts_folder(), _shipped_files()
    copy = fitting_copy(root, _made_from(files, kinds)) or {}
    by_kind: dict[str, list[GungeonLayout]] = {}
    for path, data in files.items():
        kind = path.partition("/")[0]
        images = by_kind.setdefault(kind, [])
        for layout in shipped_texts([(Path(str(root), path), data.decode("utf-8"))], kind, kinds):
            images.extend(_images(path.removesuffix(".txt"), layout, copy))
    return {kind: tuple(images) for kind, images in by_kind.items()}


def copy_of_exits() -> str:
    """Write the text that the copy of the shipped layouts' exits must have, for `GungeonLayout.copy`."""
    images = [replace(image, copy={}) for group in shipped_layouts().values() for image in group]
    exits = {
        _key(width, body): {image.name: packed(image.exits(width, body)) for image in images}
        for width, body in SHIPPED_FOR
    }
    return copy_text(_made_from(_shipped_files(), SHIPPED), exits)


def shipped_layouts_folder() -> Traversable:
    """Return the folder of the shipped layouts, and of the copy of their exits."""
    return shipped_folder("generator.styles.gungeon") / "layouts"


@cache
def _shipped_files() -> Mapping[str, bytes]:
    """Read the files of the shipped layouts by their paths, those of a room kind together."""
    return dict(_files_in(shipped_layouts_folder(), ""))


def _files_in(folder: Traversable, above: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _files_in(entry, f"{above}{entry.name}/")
        elif entry.name.endswith(".txt"):
            yield above + entry.name, entry.read_bytes()


def _made_from(files: Mapping[str, bytes], kinds: Kinds) -> Mapping[str, bytes]:
    """Return what exits depend on: the layouts' files, and the rows of what is drawn in them."""
    rows = [kinds.tables.get(key) for key in ("terrain", "decor", "marker")]
    return {**files, "rows": json.dumps(rows).encode()}


@lru_cache(maxsize=8)
def own_gungeon_layouts(own: OwnLayouts) -> Mapping[str, tuple[GungeonLayout, ...]]:
    """List all images of a team's own layouts, by room kind."""
    by_kind: dict[str, list[GungeonLayout]] = {}
    for pool, layouts in own.pools.items():
        for layout in layouts:
            images = _images(f"own/{pool}/{layout.name}", layout)
            by_kind.setdefault(pool.partition("/")[0], []).extend(images)
    return {kind: tuple(images) for kind, images in by_kind.items()}


def _images(
    name: str, layout: Layout, copy: Mapping[str, Mapping[str, str | None]] | None = None
) -> list[GungeonLayout]:
    folders = name.split("/")[:-1]
    by_folder = next((DIFFICULTIES[folder] for folder in folders if folder in DIFFICULTIES), 0)
    return [
        GungeonLayout(name, layout, image, layout.difficulty or by_folder, copy or {})
        for image in dict.fromkeys(layout.mirrors)
    ]
