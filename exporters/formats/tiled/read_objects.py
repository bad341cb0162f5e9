"""Objects of Tiled maps as things of a level: their tiles, their class and their properties."""

from __future__ import annotations

from pathlib import PurePosixPath

from exporters.formats.tiled.names import CHOICES, plain_name
from exporters.formats.tiled.syntax.data import TURNED as TURNED_GID
from exporters.formats.tiled.syntax.reader import tiled_table
from exporters.merge.tree import UNIQUE_NAME
from exporters.reading.files import ExportFiles, beside
from exporters.reading.meaning import icon_markers
from exporters.reading.seen import SeenThing, ShownLevel
from exporters.theme import Theme
from generator.errors import LayoutError, shown
from generator.geometry import Rect
from generator.level import Property
from generator.node import LayoutNode

MAX_ENTRIES = 256  # layers, tilesets or properties in one list
MAX_OBJECTS = 1 << 18
_MAX_GID = (1 << 28) - 1
_NUMBERS = ("room_id", "door_id", "hallway_id", "marker_id")


def in_part(name: str) -> str:
    """Return the start of a message about one of several maps."""
    return f"{name}: " if name else ""


def add_object(
    seen: ShownLevel,
    node: LayoutNode,
    files: ExportFiles,
    at: tuple[int, int],
    theme: Theme,
    first: int,
    part: str,
) -> None:
    """Add an object to what a map shows. `at` is the map's first tile, `first` the theme's first gid."""
    number = node.whole("id", 0, 1 << 31, 0)
    if node.get("template"):
        gone = shown(node.word("template"))
        seen.notes.append(
            f"{in_part(part)}object {number}: its template {gone} is not there, so it is not read; "
            "put that back or detach the object"
        )
        return
    kind = node.word("type") or node.word("class")
    place = part, number, at, first
    item = files.thing(place, node, lambda: _thing(node, kind, number, at, theme, first, part))
    {"room": seen.rooms, "door": seen.doors, "hallway": []}.get(kind, seen.markers).append(item)


def with_template(node: LayoutNode, path: str, files: ExportFiles, theme: Theme, first: int) -> LayoutNode:
    """Return an object of the map `path` with all that its template gives, or as it is if this is not there.

    `first` is the number of the map's first tile. Raises LayoutError for a damaged template.
    """
    source = beside(path, node.word("template"))
    if not files.has(source):
        return node
    where = files.where(source)
    table = files.parsed(source, lambda data: tiled_table(data, where, "template", LayoutError))
    template = LayoutNode(table, where, is_file=True)
    base = template["object"]
    made = {**base.table(), **node.table()}
    del made["template"]
    named = {
        each["name"].text(): each.value
        for one in (base, node)
        for each in one.list("properties", MAX_ENTRIES)
    }
    made["properties"] = list(named.values())
    files.borrow(len(named), node)
    if "gid" in base.table() and "gid" not in node.table():  # of the template's own tileset
        tileset = template["tileset"]
        lowest = int(tileset["firstgid"].number(1, _MAX_GID))
        tile = base["gid"].number(lowest, (1 << 32) - 1) - lowest
        is_ours = PurePosixPath(tileset.word("source")).stem == theme.name
        made["gid"] = first + tile if is_ours else _MAX_GID  # which no tileset of the map has
    return LayoutNode(made, node.place)


def _thing(
    node: LayoutNode, kind: str, number: int, at: tuple[int, int], theme: Theme, first: int, part: str
) -> SeenThing:
    listed = node.list("properties", MAX_ENTRIES)
    names = [property_.table().get("name") for property_ in listed]
    old_kind = str(listed[names.index("kind")]["value"].value) if "kind" in names else ""
    own: dict[str, Property] = {}
    choices: dict[str, Property] = {}
    gid = node.whole("gid", 0, (1 << 32) - 1, 0) & ~TURNED_GID
    if gid and not kind:  # an icon from the tileset: its tile has the class
        kind, shown_values = icon_markers(theme).get(gid - first, ("", {}))
        own |= shown_values
    ours: object = None
    for name, property_ in zip(names, listed, strict=True):
        if name in _NUMBERS:
            ours = property_["value"].value if ours is None else ours
        elif name in CHOICES:
            picked = next(iter(property_of(property_).values()), "")
            choices |= {plain_name(CHOICES[name], kind): picked} if picked else {}
        elif name != UNIQUE_NAME:
            own |= property_of(property_, kind, old_kind)
    own |= choices
    tiles = _tiles(node, theme.tile_size)
    tiles = tiles._replace(x=tiles.x + at[0], y=tiles.y + at[1])
    called = f"{in_part(part)}object {number} ({shown(node.word('name') or kind or 'no class')[1:-1]})"
    return SeenThing(
        f"{part}#{number}",
        ours if type(ours) is int else -1,
        kind or str(own.get("kind", "")),
        tiles,
        own,
        called,
        part,
        node.word("name"),
    )


def _tiles(node: LayoutNode, size: int) -> Rect:
    """Find the tiles that a rectangle or polygon covers, or else the tile of the object's centre."""
    x, y = node.real("x"), node.real("y")
    width, height = node.real("width"), node.real("height")
    if node.get("gid"):  # the position of a tile object is its lower left corner
        y -= height
    corners = node.list("polygon", MAX_OBJECTS)
    if corners:
        xs, ys = ([corner.real(key) for corner in corners] for key in ("x", "y"))
        x, y, width, height = x + min(xs), y + min(ys), max(xs) - min(xs), max(ys) - min(ys)
    left, top, right, bottom = (round(edge / size) for edge in (x, y, x + width, y + height))
    if node.get("gid") is None and right > left and bottom > top:
        return Rect(left, top, right - left, bottom - top)
    return Rect(int((x + width / 2) // size), int((y + height / 2) // size), 1, 1)


def property_of(property_: LayoutNode, *owners: str) -> dict[str, Property]:
    """Read a property that a level can hold, by its name in the level. Empty for a reference.

    `owners` are the classes that may prefix its name; see `exporters.formats.tiled.names`.
    """
    name = property_.word("name") or property_["name"].text()
    value, type_ = property_["value"].value, property_.value.get("type")
    type_ = type_ if type(type_) is str else property_.word("type", "string")
    if type_ in ("object", "file", "class") or not isinstance(value, (bool, int, float, str)):
        return {}
    if type_ == "float" and not isinstance(value, str):
        value = float(value)  # Tiled writes 0 for 0.0
    for owner in owners:
        if (plain := plain_name(name, owner)) != name:
            return {plain: value}
    return {name: value}
