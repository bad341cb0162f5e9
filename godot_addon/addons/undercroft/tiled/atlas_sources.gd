extends RefCounted
## Creates or updates the sources of a TileSet: their tiles, the place of tiles in their cells, and
## animations.

const BuiltAtlas := preload("built_atlas.gd")
const Fields := preload("../import/fields.gd")
const Frames := preload("frames.gd")
const Grid := preload("grid.gd")
const Lookup := preload("lookup.gd")
const Textures := preload("textures.gd")
const TileSetFile := preload("../import/tileset_file.gd")
const Tileset := preload("tileset.gd")

const _ONE := Vector2i.ONE

var _file: TileSetFile
var _grid: Grid


func _init(file: TileSetFile, grid: Grid) -> void:
	_file = file
	_grid = grid


## The number of a source with composed pictures.
func built(name: String, atlas: BuiltAtlas) -> int:
	return source(name, null, atlas.texture(), Rect2i(Vector2i.ZERO, atlas.cell))


## Creates or updates a source, and returns its number. Its tiles are those of the tileset, or have
## the region's size.
func source(name: String, tileset: Tileset, texture: Texture2D, region := Rect2i()) -> int:
	var atlas := _file.source(name) as TileSetAtlasSource
	if atlas == null:
		atlas = TileSetAtlasSource.new()
		_file.add_source(name, atlas)
	if tileset:
		_file.put(atlas, "margins", _ONE * tileset.margin)
		_file.put(atlas, "separation", _ONE * tileset.spacing)
		_file.put(atlas, "texture_region_size", tileset.tile_size)
	else:
		_file.put(atlas, "margins", region.position)
		_file.put(atlas, "texture_region_size", region.size)
	if Textures.is_same_picture(atlas.texture, texture):
		atlas.texture = texture  # one of a file that was loaded cannot be saved again
	else:
		_file.put(atlas, "texture", texture)
	return _file.number(name)


func make_tile(atlas: TileSetAtlasSource, at: Vector2i) -> bool:
	if atlas.has_tile(at):
		return true
	if not atlas.has_room_for_tile(at, _ONE, 1, Vector2i.ZERO, 1):
		return false
	atlas.create_tile(at)
	_file.changed = true
	return true


## Makes a tile in a source where nothing can be in its way.
func make_new(atlas: TileSetAtlasSource, at: Vector2i, origin: Vector2i) -> void:
	atlas.create_tile(at)
	if origin:
		atlas.get_tile_data(at, 0).texture_origin = origin


## Removes tiles from the place of an animation.
func make_room(atlas: TileSetAtlasSource, frames: Frames, tileset: Tileset, size: Vector2i) -> void:
	for id: int in frames.in_place.keys():
		var last: int = frames.last[id]
		if last / tileset.columns >= size.y or last % tileset.columns >= size.x:
			frames.in_place.erase(id)
	for id: int in frames.covered:
		var at := Vector2i(id % tileset.columns, id / tileset.columns)
		if atlas.has_tile(at):
			atlas.remove_tile(at)
			_file.changed = true


func animate(atlas: TileSetAtlasSource, at: Vector2i, tile: Fields, columns: int) -> void:
	var listed := tile.subs("animation", Frames.MAX)
	if not listed:
		return
	if atlas.get_tile_animation_columns(at) != columns:
		atlas.set_tile_animation_columns(at, columns)
		_file.changed = true
	if atlas.get_tile_animation_frames_count(at) != listed.size():
		atlas.set_tile_animation_frames_count(at, listed.size())
		_file.changed = true
	for index: int in listed.size():
		var duration := listed[index].number("duration", 100, 1, 1e9) / 1000.0
		if not is_equal_approx(atlas.get_tile_animation_frame_duration(at, index), duration):
			atlas.set_tile_animation_frame_duration(at, index, duration)
			_file.changed = true


## Tiled aligns a tile to the bottom left of its cell, Godot to the centre.
func origin(size: Vector2i, offset: Vector2i) -> Vector2i:
	return Vector2i(_grid.cell.x - size.x, size.y - _grid.cell.y) / 2 - offset


func place(atlas: TileSetAtlasSource, at: Vector2i, tileset: Tileset, lookup: Lookup) -> void:
	var origin := origin(atlas.texture_region_size, tileset.offset)
	_file.put(atlas.get_tile_data(at, 0), "texture_origin", origin)
	note_place(atlas, tileset, lookup)


## Notes how the tiles of a source lie in their cells.
func note_place(atlas: TileSetAtlasSource, tileset: Tileset, lookup: Lookup) -> void:
	var size := atlas.texture_region_size
	var origin := origin(size, tileset.offset)
	var exact := Vector2(_grid.cell.x - size.x, size.y - _grid.cell.y) / 2 - Vector2(tileset.offset)
	var half := Vector2(origin) - exact
	lookup.half = half if lookup.half == Vector2.INF or lookup.half == half else Vector2.ZERO
	var covers := Rect2i(-origin - size / 2, size)
	if _grid.is_staggered() or not Rect2i(-_grid.cell / 2, _grid.cell).encloses(covers):
		lookup.overlaps = true
