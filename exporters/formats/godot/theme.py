"""Godot 4 TileSets, saved as text: `.tres`.

    terrain_set_0/mode = 0                          0: corners and sides, 1: corners, 2: sides
    terrain_set_0/terrain_0/name = "wall"
    sources/0 = SubResource("TileSetAtlasSource_1")

    [sub_resource type="TileSetAtlasSource" id="TileSetAtlasSource_1"]
    texture = ExtResource("1")
    0:4/0/terrain_set = 0                           for the tile in column 0, row 4
    0:4/0/terrain = 0
    0:4/0/terrains_peering_bit/right_side = 0       where the neighbour has that terrain too

(Property names: `scene/resources/2d/tile_set.cpp`.) A terrain is called `SET/NAME`, with the number of its
set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from exporters import blob
from exporters.formats.godot.syntax.sections import Built, GodotTextError, Section, sections, values_of
from exporters.theme import Animation
from exporters.theme.tileset import AtlasCoords, Terrain, TilesetFile, weight_of
from generator.errors import ThemeError, shown
from generator.pattern import pattern

PEERING_BITS = {
    "top_side": blob.N,
    "top_right_corner": blob.NE,
    "right_side": blob.E,
    "bottom_right_corner": blob.SE,
    "bottom_side": blob.S,
    "bottom_left_corner": blob.SW,
    "left_side": blob.W,
    "top_left_corner": blob.NW,
}
_KINDS = ("mixed", "corner", "edge")  # by TileSet.TerrainMode
_ATLAS = "TileSetAtlasSource"
_NUMBER = "(0|[1-9][0-9]{0,4})"
_TILE = pattern(rf"{_NUMBER}:{_NUMBER}/(.+)")
_SOURCE = pattern(rf"sources/{_NUMBER}")
_SET = pattern(rf"terrain_set_{_NUMBER}/(?:mode|terrain_{_NUMBER}/name)")
_CUSTOM = pattern(rf"custom_data_layer_{_NUMBER}/name")
_FRAME = pattern(rf"animation_frame_{_NUMBER}/duration")


def godot_tileset(data: bytes, file: str, source: int | None) -> TilesetFile:
    """Read a file's tileset. `source` chooses one of several atlas sources. Raises ThemeError."""
    parts = _sections(data, file)
    if not parts or parts[0].kind != "gd_resource" or parts[0].attributes.get("type") != "TileSet":
        raise ThemeError(f"{file}: is not a TileSet; give one that Godot saved as .tres")
    own = next((part.properties for part in parts if part.kind == "resource"), {})
    atlas = _atlas(parts, own, file, source)
    if own.get("tile_shape", 0) != 0:
        raise ThemeError(f"{file}: tile_shape: tiles are not square; only square tiles can be used")
    size = _pair(atlas.get("texture_region_size", 16), "texture_region_size", file)
    if size != _pair(own.get("tile_size", 16), "tile_size", file) or not 8 <= size <= 64:
        raise ThemeError(f"{file}: tile_size: differs from the tiles in the image, or is not 8 to 64 px")
    tiles = _tiles(atlas)
    return TilesetFile(
        file=file,
        images=_images(_texture(parts, atlas, file), file),
        tile_size=size,
        margin=_pair(atlas.get("margins", 0), "margins", file),
        spacing=_pair(atlas.get("separation", 0), "separation", file),
        terrains=dict(_terrains(own, tiles, file)),
        weights={
            tile: weight_of(data["0/probability"], f"{file}: {tile[0]}:{tile[1]}/0/probability")
            for tile, data in tiles.items()
            if "0/probability" in data
        },
        animations={tile: animation for tile, data in tiles.items() if (animation := _animation(data))},
        classes=dict(_classes(own, tiles)),
    )


def _sections(data: bytes, file: str) -> list[Section[object]]:
    """Parse a file into sections. Raises ThemeError with the line number."""
    try:
        text = data.decode("utf-8")
        return [
            Section(section.kind, values_of(text, section.attributes), values_of(text, section.properties))
            for section in sections(text)
        ]
    except UnicodeDecodeError as error:
        problem = f"is not a text resource (byte {error.start} is not UTF-8); save it as .tres"
        raise ThemeError(f"{file}: {problem}") from None
    except GodotTextError as error:
        problem = f"{error.what}; give a TileSet that Godot saved as .tres"
        raise ThemeError(f"{file}:{error.line}: {problem}") from None


def _atlas(
    parts: list[Section[object]], own: Mapping[str, object], file: str, source: int | None
) -> dict[str, object]:
    """Return the properties of the only atlas source, or of the one with the number `source`."""
    by_id = {str(part.attributes.get("id")): part for part in parts if part.kind == "sub_resource"}
    sources = {}
    for key, value in own.items():
        number = _SOURCE.fullmatch(key)
        if number and isinstance(value, Built) and value.name == "SubResource" and value.arguments():
            section = by_id.get(str(value.arguments()[0]))
            if section and section.attributes.get("type") == _ATLAS:
                sources[int(number[1])] = section.properties
    numbers = ", ".join(map(str, list(sources)[:20])) or "none"
    if source is None and len(sources) > 1:
        raise ThemeError(f"{file}: sources: has several atlas sources; give source = one of {numbers}")
    if source is not None and source not in sources:
        raise ThemeError(f"{file}: sources: has no atlas source {source}; it has {numbers}")
    if not sources:
        raise ThemeError(f"{file}: sources: has no atlas source; give a TileSet with one image")
    return sources[source] if source is not None else next(iter(sources.values()))


def _pair(value: object, key: str, file: str) -> int:
    """Return a whole number, given as such or as a Vector2i with two equal numbers."""
    args = value.arguments() if isinstance(value, Built) and value.name == "Vector2i" else (value, value)
    number = args[0] if len(args) == 2 and args[0] == args[1] else None
    if type(number) is not int or not 0 <= number <= 4096:
        written = f"{value.name}{value.arguments()}" if isinstance(value, Built) else value
        raise ThemeError(f"{file}: {key}: {shown(written)} is not the same whole number in both directions")
    return number


def _texture(parts: list[Section[object]], atlas: Mapping[str, object], file: str) -> str:
    """Return the path of the image in the file."""
    reference = atlas.get("texture")
    if isinstance(reference, Built) and reference.name == "ExtResource" and reference.arguments():
        for part in parts:
            path, own_id = part.attributes.get("path"), part.attributes.get("id")
            if part.kind == "ext_resource" and own_id == reference.arguments()[0] and isinstance(path, str):
                return path
    raise ThemeError(f"{file}: texture: is not an image file; give the atlas a texture from a PNG file")


def _images(path: str, file: str) -> tuple[str, ...]:
    """List possible paths of the image. `res://` is some parent folder of the TileSet."""
    folders = file.split("/")[:-1]
    if path.startswith("res://"):
        inner = path.removeprefix("res://")
        roots = ["/".join([*folders[:i], inner]) for i in range(len(folders) + 1)]
        return tuple(dict.fromkeys([*roots, "/".join([*folders, inner.rpartition("/")[2]])]))
    return ("/".join([*folders, path]),)


def _tiles(atlas: Mapping[str, object]) -> dict[AtlasCoords, dict[str, object]]:
    """Return the properties of every tile. The names still contain the numbers of alternatives."""
    tiles: dict[AtlasCoords, dict[str, object]] = {}
    for key, value in atlas.items():
        if match := _TILE.fullmatch(key):
            tiles.setdefault((int(match[1]), int(match[2])), {})[match[3]] = value
    return tiles


def _terrains(
    own: Mapping[str, object], tiles: Mapping[AtlasCoords, Mapping[str, object]], file: str
) -> Iterator[tuple[str, Terrain]]:
    modes: dict[int, object] = {}
    names: dict[tuple[int, int], str] = {}
    for key, value in own.items():
        if match := _SET.fullmatch(key):
            if match[2] is None:
                modes[int(match[1])] = value
            elif isinstance(value, str):
                names[int(match[1]), int(match[2])] = value
    members: dict[tuple[int, int], dict[AtlasCoords, int]] = {}
    for tile, data in tiles.items():
        terrain_set, terrain = data.get("0/terrain_set"), data.get("0/terrain")
        if type(terrain_set) is int and type(terrain) is int and (terrain_set, terrain) in names:
            bits = (
                bit
                for name, bit in PEERING_BITS.items()
                if data.get(f"0/terrains_peering_bit/{name}") == terrain
            )
            members.setdefault((terrain_set, terrain), {})[tile] = sum(bits)
    for (terrain_set, terrain), found_tiles in sorted(members.items()):
        mode = modes.get(terrain_set, 0)
        if type(mode) is not int or not 0 <= mode < len(_KINDS):
            raise ThemeError(f"{file}: terrain_set_{terrain_set}/mode: {shown(mode)} is not one of 0, 1, 2")
        yield f"{terrain_set}/{names[terrain_set, terrain]}", Terrain(_KINDS[mode], found_tiles)


def _animation(data: Mapping[str, object]) -> Animation | None:
    """Read frames side by side with equal durations, the only animations that all formats support."""
    durations = [value for key, value in data.items() if _FRAME.fullmatch(key)]
    count = data.get("animation_frames_count", len(durations))
    columns, speed = data.get("animation_columns", 0), data.get("animation_speed", 1.0)
    apart = data.get("animation_separation")
    alike = len({str(duration) for duration in durations}) <= 1
    if type(count) is not int or not 2 <= count <= 64 or not alike or len(durations) not in (0, count):
        return None
    if (
        type(columns) is not int
        or 0 < columns < count
        or (isinstance(apart, Built) and any(apart.arguments()))
    ):
        return None
    seconds = durations[0] if durations else 1.0
    if not (isinstance(seconds, (int, float)) and isinstance(speed, (int, float)) and speed > 0):
        return None
    frame_ms = seconds * 1000 / speed
    return Animation(count, round(frame_ms)) if 10 <= frame_ms <= 60_000 else None


def _classes(
    own: Mapping[str, object], tiles: Mapping[AtlasCoords, Mapping[str, object]]
) -> Iterator[tuple[AtlasCoords, str]]:
    """Yield the classes of tiles, from a custom data layer called `decor`."""
    for key, value in own.items():
        match = _CUSTOM.fullmatch(key)
        if match and value == "decor":
            for tile, data in tiles.items():
                named = data.get(f"0/custom_data_{match[1]}")
                if isinstance(named, str) and named:
                    yield tile, named
