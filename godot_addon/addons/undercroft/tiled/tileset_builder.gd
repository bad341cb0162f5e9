extends RefCounted
## A tileset as sources of the TileSet: one for an image, one for each image of a collection, one
## for the tiles that lie where Godot plays an animation, one for pictures that were put together.

const BuiltAtlas := preload("built_atlas.gd")
const Fields := preload("../import/fields.gd")
const Frames := preload("frames.gd")
const Grid := preload("grid.gd")
const Lookup := preload("lookup.gd")
const ProjectTypes := preload("project_types.gd")
const SourceFile := preload("../import/source_file.gd")
const Terrains := preload("terrains.gd")
const TileFacts := preload("tile_facts.gd")
const TileSetFile := preload("../import/tileset_file.gd")
const Tileset := preload("tileset.gd")

## Sources are numbered with 16 bits.
const MOST_SOURCES := 30000
const _ONE := Vector2i.ONE

var _file: TileSetFile
var _grid: Grid
var _facts: TileFacts
var _with_terrains: bool
# What of the options counts for tiles.
var _options: Array


func _init(file: TileSetFile, grid: Grid, types: ProjectTypes, options: Dictionary) -> void:
	_file = file
	_grid = grid
	_facts = TileFacts.new(file, types, options)
	_with_terrains = not is_same(options.get("terrains"), false)
	_options = [_with_terrains, options.get("collision_bits", ""), types.digest]


## Makes or renews the sources of a tileset; which tile stands for each of its ids. [param end] is
## the first gid of the tileset after it.
func build(tileset: Tileset, end: int) -> Lookup:
	var most := tileset.count if tileset.image else 0
	for id: int in tileset.tiles:
		most = maxi(most, id + 1)
	var lookup := Lookup.new(tileset.first_gid, mini(most, end - tileset.first_gid))
	if tileset.image:
		_build_image(tileset, lookup)
	else:
		_build_collection(tileset, lookup)
	if tileset.fields.problem.found:
		return lookup
	# What has been told to the TileSet once need not be told again.
	if _file.knows(tileset.key, [tileset.fields.table, _options, lookup.firsts]):
		return lookup
	for id: int in tileset.tiles:
		if lookup.has(id):
			var data := lookup.tile_data(id, _file.tile_set)
			var size := lookup.size_of(id, _file.tile_set)
			var placed := Transform2D(0, size / -2.0 - Vector2(data.texture_origin))
			_facts.give(tileset.tile(id), data, "%s %d" % [tileset.key, id], placed)
	if _with_terrains:
		Terrains.add(tileset, lookup, _file)
	return lookup


func _build_image(tileset: Tileset, lookup: Lookup) -> void:
	var texture := texture_at(tileset.fields, tileset.image)
	if texture == null:
		return
	var frames := Frames.plan(tileset, lookup.firsts.size())
	var number := _source(tileset.key, tileset, texture)
	var atlas := _file.tile_set.get_source(number) as TileSetAtlasSource
	var size := atlas.get_atlas_grid_size()
	_make_room(atlas, frames, tileset, size)
	var covered: PackedInt32Array = []
	var lost := 0
	for id: int in lookup.firsts.size():
		var at := Vector2i(id % tileset.columns, id / tileset.columns)
		if at.x >= size.x or at.y >= size.y:
			lost += 1
		elif frames.covered.has(id) or not _make_tile(atlas, at):
			covered.append(id)
		else:
			lookup.put(id, number, at)
			_place(atlas, at, tileset, lookup)
			if frames.in_place.has(id):
				_animate(atlas, at, tileset.tile(id), frames.columns_of(id))
	if lost:
		tileset.fields.warn("tilecount", "%d tiles lie outside of %s" % [lost, tileset.image])
	_build_covered(tileset, texture, covered, lookup)
	_build_apart(tileset, lookup, frames.apart)


## Tiles that an animation lies over in the first source.
func _build_covered(
	tileset: Tileset, texture: Texture2D, ids: PackedInt32Array, lookup: Lookup
) -> void:
	if not ids:
		return
	var number := _source(tileset.key + " below animations", tileset, texture)
	var atlas := _file.tile_set.get_source(number) as TileSetAtlasSource
	for id: int in ids:
		var at := Vector2i(id % tileset.columns, id / tileset.columns)
		if _make_tile(atlas, at):
			lookup.put(id, number, at)
			_place(atlas, at, tileset, lookup)


func _build_collection(tileset: Tileset, lookup: Lookup) -> void:
	for id: int in tileset.tiles:
		var tile: Fields = tileset.tiles[id]
		if not tile.has("image") or id >= lookup.firsts.size():
			continue
		var texture := texture_at(tile, tile.text("image", ""))
		if texture == null:
			return
		if _file.tile_set.get_source_count() >= MOST_SOURCES:
			tile.bad("image", "is one of more than %d" % MOST_SOURCES)
			return
		var whole := Vector2i(texture.get_size())
		var region := Rect2i(
			tile.integer("x", 0, Tileset.MOST_PX, 0),
			tile.integer("y", 0, Tileset.MOST_PX, 0),
			tile.integer("width", 1, Tileset.MOST_PX, whole.x),
			tile.integer("height", 1, Tileset.MOST_PX, whole.y)
		)
		if not Rect2i(Vector2i.ZERO, whole).encloses(region):
			tile.bad("width", "lies outside of the image of %d x %d px" % [whole.x, whole.y])
			return
		var number := _source("%s tile %d" % [tileset.key, id], null, texture, region)
		var atlas := _file.tile_set.get_source(number) as TileSetAtlasSource
		if _make_tile(atlas, Vector2i.ZERO):
			lookup.put(id, number, Vector2i.ZERO)
			_place(atlas, Vector2i.ZERO, tileset, lookup)
	_build_apart(tileset, lookup, Frames.of_collection(tileset))


## Animations whose frames do not lie side by side, as pictures of their own.
func _build_apart(tileset: Tileset, lookup: Lookup, apart: Dictionary) -> void:
	var atlas := BuiltAtlas.new()
	var rows: Dictionary = {}
	for id: int in apart:
		var images: Array[Image] = []
		for frame: int in apart[id]:
			var image := lookup.image(frame, _file.tile_set)
			if image:
				images.append(image)
		var listed: PackedInt32Array = apart[id]
		var row := atlas.add(images) if images.size() == listed.size() and lookup.has(id) else -1
		if row < 0:
			var tile: Fields = tileset.tiles[id]
			tile.warn("animation", "cannot be played in Godot; its first picture stands")
		else:
			rows[id] = row
	if not rows:
		return
	var number := _built(tileset.key + " animations", atlas)
	var source := _file.tile_set.get_source(number) as TileSetAtlasSource
	for id: int in rows:
		var row: int = rows[id]
		if _make_tile(source, Vector2i(0, row)):
			_animate(source, Vector2i(0, row), tileset.tile(id), 0)
			lookup.put(id, number, Vector2i(0, row))
			_place(source, Vector2i(0, row), tileset, lookup)


## The tiles of hexagons that a map turns, by the bits that turn them; [param used] are these.
func turn(tileset: Tileset, lookup: Lookup, used: Array[Vector2i]) -> void:
	var atlas := BuiltAtlas.new()
	var rows: Dictionary = {}
	for pair: Vector2i in used:
		var image := lookup.image(pair.x, _file.tile_set) if lookup.has(pair.x) else null
		var images: Array[Image] = []
		if image:
			var sixths := (pair.y >> 1 & 1) + (pair.y & 1) * 2
			images = [BuiltAtlas.turned(image, sixths, pair.y & 8, pair.y & 4)]
		var row := atlas.add(images) if images else -1
		if row < 0:
			tileset.fields.warn("", "tiles that are turned by 60 degrees stand upright")
		else:
			rows[pair] = row
	if not rows:
		return
	var number := _built(tileset.key + " turned", atlas)
	var source := _file.tile_set.get_source(number) as TileSetAtlasSource
	for pair: Vector2i in rows:
		var row: int = rows[pair]
		if not _make_tile(source, Vector2i(0, row)):
			continue
		var data := source.get_tile_data(Vector2i(0, row), 0)
		var canvas := BuiltAtlas.canvas_of(lookup.size_of(pair.x, _file.tile_set))
		# Its middle is the upright tile's middle; it stands at the bottom left of the atlas's cell.
		var upright := lookup.tile_data(pair.x, _file.tile_set).texture_origin
		var gap := atlas.cell - canvas
		_file.put(data, "texture_origin", upright + Vector2i(-gap.x, gap.y) / 2)
		lookup.turned[pair] = Vector2i(number, row)


func _built(name: String, atlas: BuiltAtlas) -> int:
	return _source(name, null, atlas.texture(), Rect2i(Vector2i.ZERO, atlas.cell))


## A source's number; made or renewed. Its tiles are those of the tileset, or of the region's size.
func _source(name: String, tileset: Tileset, texture: Texture2D, region := Rect2i()) -> int:
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
	_file.put(atlas, "texture", texture)
	return _file.number(name)


## The texture of an image of the project, as Godot imported it; null and a problem where it is not.
static func texture_at(from: Fields, image: String) -> Texture2D:
	var path := SourceFile.beside(from.file, image, from.problem)
	if not path:
		return null
	var found: Texture2D = null
	if ResourceLoader.exists(path, "Texture2D"):
		found = ResourceLoader.load(path, "Texture2D") as Texture2D
	if found == null:
		from.problem.missing.append(path + ".import")
		var why := "Godot has not imported it" if FileAccess.file_exists(path) else "is not there"
		from.bad("image", "%s: %s" % [path, why])
	return found


func _make_tile(atlas: TileSetAtlasSource, at: Vector2i) -> bool:
	if atlas.has_tile(at):
		return true
	if not atlas.has_room_for_tile(at, _ONE, 1, Vector2i.ZERO, 1):
		return false
	atlas.create_tile(at)
	_file.changed = true
	return true


## Takes away what lies where an animation will.
func _make_room(
	atlas: TileSetAtlasSource, frames: Frames, tileset: Tileset, size: Vector2i
) -> void:
	for id: int in frames.in_place.keys():
		var last: int = frames.last[id]
		if last / tileset.columns >= size.y or last % tileset.columns >= size.x:
			frames.in_place.erase(id)
	for id: int in frames.covered:
		var at := Vector2i(id % tileset.columns, id / tileset.columns)
		if atlas.has_tile(at):
			atlas.remove_tile(at)
			_file.changed = true


func _animate(atlas: TileSetAtlasSource, at: Vector2i, tile: Fields, columns: int) -> void:
	var listed := tile.subs("animation", Frames.MOST)
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


## Tiled stands a tile on the bottom left of its cell, Godot hangs its middle on the cell's.
func _origin(size: Vector2i, offset: Vector2i) -> Vector2i:
	return Vector2i(_grid.cell.x - size.x, size.y - _grid.cell.y) / 2 - offset


func _place(atlas: TileSetAtlasSource, at: Vector2i, tileset: Tileset, lookup: Lookup) -> void:
	var origin := _origin(atlas.texture_region_size, tileset.offset)
	_file.put(atlas.get_tile_data(at, 0), "texture_origin", origin)
	var covers := Rect2i(-origin - atlas.texture_region_size / 2, atlas.texture_region_size)
	if _grid.is_staggered() or not Rect2i(-_grid.cell / 2, _grid.cell).encloses(covers):
		lookup.overlaps = true


## A tile that does not fill its cell stands elsewhere when it is turned, and versions of Godot
## differ in where: it gets an alternative for each way, whose own flags turn it.
func mirror(tileset: Tileset, lookup: Lookup, id: int, bits: int) -> void:
	var size := lookup.size_of(id, _file.tile_set)
	if size.x == size.y and _origin(size, tileset.offset) == Vector2i.ZERO:
		return
	var place := lookup.place(id)
	var atlas := _file.tile_set.get_source(place.x) as TileSetAtlasSource
	var at := Vector2i(place.y, place.z)
	var name := "%s %d turned %d" % [tileset.key, id, bits]
	var number := _file.alternative(name, atlas, at)
	var data := atlas.get_tile_data(at, number)
	var is_lying := bits & 2 != 0
	_file.put(data, "flip_h", bits & 8 != 0)
	_file.put(data, "flip_v", bits & 4 != 0)
	_file.put(data, "transpose", is_lying)
	var seen := Vector2i(size.y, size.x) if is_lying else size
	_file.put(data, "texture_origin", _origin(seen, tileset.offset))
	if tileset.tiles.has(id):
		var turn := (
			Transform2D(Vector2(0, 1), Vector2(1, 0), Vector2.ZERO) if is_lying else Transform2D()
		)
		turn = turn.scaled(Vector2(-1 if bits & 8 else 1, -1 if bits & 4 else 1))
		var placed := turn.translated(-data.texture_origin) * Transform2D(0, size / -2.0)
		_facts.give(tileset.tile(id), data, name, placed)
	lookup.turned[Vector2i(id, bits)] = Vector2i(
		lookup.firsts[id], lookup.seconds[id] | number << 16
	)
