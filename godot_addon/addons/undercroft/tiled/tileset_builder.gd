extends RefCounted
## A tileset as sources of the TileSet: one for its image or for each image of a collection, one for
## tiles covered by an animation in Godot, and one for composed pictures.

const AtlasSources := preload("atlas_sources.gd")
const BuiltAtlas := preload("built_atlas.gd")
const Fields := preload("../import/fields.gd")
const Fitted := preload("fitted.gd")
const Frames := preload("frames.gd")
const Grid := preload("grid.gd")
const Lookup := preload("lookup.gd")
const Placeholders := preload("placeholders.gd")
const ProjectTypes := preload("project_types.gd")
const Terrains := preload("terrains.gd")
const Textures := preload("textures.gd")
const TileFacts := preload("tile_facts.gd")
const TileSetFile := preload("../import/tileset_file.gd")
const Tileset := preload("tileset.gd")
const TurnedTiles := preload("turned_tiles.gd")

## Sources are numbered with 16 bits.
const MAX_SOURCES := 30000
## The name of the source for gids that are in no tileset, with a number that tilesets do not use.
const MISSING := "missing tiles"
const _MISSING_NUMBER := MAX_SOURCES + 1

## For tiles that the map rotates or flips.
var turned: TurnedTiles
var _file: TileSetFile
var _sources: AtlasSources
var _facts: TileFacts
var _with_terrains: bool
var _cell: Vector2i
var _placeholders: Placeholders
# The options that affect tiles.
var _options: Array


func _init(
	file: TileSetFile,
	grid: Grid,
	types: ProjectTypes,
	options: Dictionary,
	placeholders: Placeholders
) -> void:
	_file = file
	_cell = grid.cell
	_placeholders = placeholders
	_sources = AtlasSources.new(file, grid)
	_facts = TileFacts.new(file, types, options)
	turned = TurnedTiles.new(file, _sources, _facts)
	_with_terrains = not is_same(options.get("terrains"), false)
	_options = [_with_terrains, options.get("collision_bits", ""), types.digest]


## Creates or updates the sources of a tileset, and returns the tiles for its ids. [param end] is
## the first gid of the next tileset.
func build(tileset: Tileset, end: int) -> Lookup:
	var most := tileset.count if tileset.has_image else 0
	for id: int in tileset.tiles:
		most = maxi(most, id + 1)
	var lookup := Lookup.new(tileset.first_gid, mini(most, end - tileset.first_gid))
	lookup.is_lost = tileset.is_lost
	if tileset.is_lost:
		return lookup
	tileset.enter(_file)
	if tileset.has_image:
		_build_image(tileset, lookup)
	else:
		_build_collection(tileset, lookup)
	if tileset.fields.problem.found:
		return lookup
	# Data already in the TileSet need not be set again.
	if _file.knows(tileset.key, [tileset.fields.table, _options, lookup.firsts]):
		return lookup
	for id: int in tileset.tiles:
		if lookup.has(id):
			var data := lookup.tile_data(id, _file.tile_set)
			var size := lookup.size_of(id, _file.tile_set)
			var placed := Transform2D(0, size / -2.0 - Vector2(data.texture_origin))
			placed *= tileset.fit_of(id)
			_facts.give(tileset.tile(id), data, "%s %d" % [tileset.key, id], placed)
	if _with_terrains:
		Terrains.add(tileset, lookup, _file)
	return lookup


## The source of the placeholder for gids that are in no tileset, or -1.
func missing_tile(cell: Vector2i) -> int:
	var texture := _placeholders.texture(cell)
	if texture == null:
		return -1
	if _file.source(MISSING) == null:
		_file.add_source(MISSING, TileSetAtlasSource.new(), _MISSING_NUMBER)
	var number := _sources.source(MISSING, null, texture, Rect2i(Vector2i.ZERO, cell))
	_sources.make_tile(_file.tile_set.get_source(number) as TileSetAtlasSource, Vector2i.ZERO)
	return number


func _build_image(tileset: Tileset, lookup: Lookup) -> void:
	var texture := Textures.at(tileset.fields)
	if texture == null:
		texture = _placeholders.texture(tileset.image_size)
	if texture == null:
		return
	if Fitted.is_wanted(tileset, tileset.tile_size, _cell):
		texture = Fitted.sheet(texture, tileset, _cell)
	var frames := Frames.plan(tileset, lookup.firsts.size())
	var number := _sources.source(tileset.key, tileset, texture)
	var atlas := _file.tile_set.get_source(number) as TileSetAtlasSource
	var size := atlas.get_atlas_grid_size()
	_sources.make_room(atlas, frames, tileset, size)
	var is_empty := not (atlas.get_tiles_count() or frames.in_place or frames.covered)
	var is_plain := is_empty and not tileset.fields.array("wangsets")
	var origin := _sources.origin(atlas.texture_region_size, tileset.offset)
	var origins: Dictionary = {}
	var covered: PackedInt32Array = []
	var lost := 0
	for id: int in _by_column(lookup.firsts.size(), tileset.columns):
		var at := Vector2i(id % tileset.columns, id / tileset.columns)
		if at.x >= size.x or at.y >= size.y:
			lost += 1
		elif is_empty:
			_sources.make_new(atlas, at, origin)
			lookup.put(id, number, at)
			if is_plain and not tileset.tiles.has(id):
				origins[at] = origin
		elif frames.covered.has(id) or not _sources.make_tile(atlas, at):
			covered.append(id)
		else:
			lookup.put(id, number, at)
			_sources.place(atlas, at, tileset, lookup)
			if frames.in_place.has(id):
				_sources.animate(atlas, at, tileset.tile(id), frames.columns_of(id))
	if is_empty and atlas.get_tiles_count():
		_file.changed = true
		_file.plain[atlas] = origins
		_sources.note_place(atlas, tileset, lookup)
	if lost:
		tileset.fields.warn("tilecount", "%d tiles are outside the image" % lost)
	_build_covered(tileset, texture, covered, lookup)
	_build_apart(tileset, lookup, frames.apart)


## The ids of tiles, column by column. Godot sorts a source's tiles like this after each new one,
## which takes less than half the time if they come in this order.
static func _by_column(count: int, columns: int) -> PackedInt32Array:
	var found: PackedInt32Array = []
	for column: int in columns:
		found.append_array(PackedInt32Array(range(column, count, columns)))
	return found


## Tiles that an animation covers in the first source.
func _build_covered(
	tileset: Tileset, texture: Texture2D, ids: PackedInt32Array, lookup: Lookup
) -> void:
	if not ids:
		return
	var number := _sources.source(tileset.key + " below animations", tileset, texture)
	var atlas := _file.tile_set.get_source(number) as TileSetAtlasSource
	for id: int in ids:
		var at := Vector2i(id % tileset.columns, id / tileset.columns)
		if _sources.make_tile(atlas, at):
			lookup.put(id, number, at)
			_sources.place(atlas, at, tileset, lookup)


func _build_collection(tileset: Tileset, lookup: Lookup) -> void:
	for id: int in tileset.tiles:
		var tile: Fields = tileset.tiles[id]
		if not tile.has("image") or id >= lookup.firsts.size():
			continue
		if _file.tile_set.get_source_count() >= MAX_SOURCES:
			tile.bad("image", "is one of more than %d" % MAX_SOURCES)
			return
		var texture := Textures.at(tile)
		if texture == null:
			texture = _placeholders.texture(_size_of(tile, tileset))
		if texture == null:
			continue
		var region := _region(tile, Vector2i(texture.get_size()))
		if Fitted.is_wanted(tileset, region.size, _cell):
			var fitted := Fitted.picture(texture, region, tileset, id, _cell)
			texture = fitted if fitted else texture
			region = Rect2i(Vector2i.ZERO, _cell) if fitted else region
		var number := _sources.source("%s tile %d" % [tileset.key, id], null, texture, region)
		var atlas := _file.tile_set.get_source(number) as TileSetAtlasSource
		if _sources.make_tile(atlas, Vector2i.ZERO):
			lookup.put(id, number, Vector2i.ZERO)
			_sources.place(atlas, Vector2i.ZERO, tileset, lookup)
	_build_apart(tileset, lookup, Frames.of_collection(tileset))


## The size of a missing picture.
static func _size_of(tile: Fields, tileset: Tileset) -> Vector2i:
	return Vector2i(
		tile.integer("imagewidth", 1, Tileset.MAX_PX, maxi(1, tileset.tile_size.x)),
		tile.integer("imageheight", 1, Tileset.MAX_PX, maxi(1, tileset.tile_size.y))
	)


## The part of its image for a tile of a collection.
static func _region(tile: Fields, whole: Vector2i) -> Rect2i:
	var region := Rect2i(
		tile.integer("x", 0, Tileset.MAX_PX, 0),
		tile.integer("y", 0, Tileset.MAX_PX, 0),
		tile.integer("width", 1, Tileset.MAX_PX, whole.x),
		tile.integer("height", 1, Tileset.MAX_PX, whole.y)
	)
	if Rect2i(Vector2i.ZERO, whole).encloses(region):
		return region
	tile.bad("width", "is outside the image of %d x %d px" % [whole.x, whole.y])
	return Rect2i(Vector2i.ZERO, whole)


## Animations whose frames are not side by side, as composed pictures.
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
			tile.warn("animation", "cannot be played in Godot; only its first picture is shown")
		else:
			rows[id] = row
	if not rows:
		return
	var number := _sources.built(tileset.key + " animations", atlas)
	var source := _file.tile_set.get_source(number) as TileSetAtlasSource
	for id: int in rows:
		var row: int = rows[id]
		if _sources.make_tile(source, Vector2i(0, row)):
			_sources.animate(source, Vector2i(0, row), tileset.tile(id), 0)
			lookup.put(id, number, Vector2i(0, row))
			_sources.place(source, Vector2i(0, row), tileset, lookup)
