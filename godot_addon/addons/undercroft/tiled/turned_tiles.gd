extends RefCounted
## Tiles that a map rotates or flips in ways that Godot's cells do not support, or handle
## differently from Tiled: they get separate tiles.

const AtlasSources := preload("atlas_sources.gd")
const BuiltAtlas := preload("built_atlas.gd")
const Lookup := preload("lookup.gd")
const TileFacts := preload("tile_facts.gd")
const TileSetFile := preload("../import/tileset_file.gd")
const Tileset := preload("tileset.gd")

var _file: TileSetFile
var _sources: AtlasSources
var _facts: TileFacts


func _init(file: TileSetFile, sources: AtlasSources, facts: TileFacts) -> void:
	_file = file
	_sources = sources
	_facts = facts


## Adds tiles for rotated hexagons, by their flip bits in [param used].
func turn(tileset: Tileset, lookup: Lookup, used: Array[Vector2i]) -> void:
	var atlas := BuiltAtlas.new()
	var rows: Dictionary = {}
	# Other maps that share the TileSet rotate other tiles; each keeps its row.
	for pair: Vector2i in _file.listed(tileset.key + " turned rows", used):
		var image := lookup.image(pair.x, _file.tile_set) if lookup.has(pair.x) else null
		var images: Array[Image] = [Image.create_empty(1, 1, false, Image.FORMAT_RGBA8)]
		if image:
			var sixths := (pair.y >> 1 & 1) + (pair.y & 1) * 2
			images = [BuiltAtlas.turned(image, sixths, pair.y & 8, pair.y & 4)]
		var row := atlas.add(images)
		if row < 0 or not image:
			tileset.fields.warn("", "tiles that are rotated by 60 degrees are shown upright")
		else:
			rows[pair] = row
	if not rows:
		return
	var number := _sources.built(tileset.key + " turned", atlas)
	var source := _file.tile_set.get_source(number) as TileSetAtlasSource
	for pair: Vector2i in rows:
		var row: int = rows[pair]
		if not _sources.make_tile(source, Vector2i(0, row)):
			continue
		var data := source.get_tile_data(Vector2i(0, row), 0)
		var canvas := BuiltAtlas.canvas_of(lookup.size_of(pair.x, _file.tile_set))
		# It has the same centre as the upright tile, and is at the bottom left of the atlas cell.
		var upright := lookup.tile_data(pair.x, _file.tile_set).texture_origin
		var gap := atlas.cell - canvas
		_file.put(data, "texture_origin", upright + Vector2i(-gap.x, gap.y) / 2)
		lookup.turned[pair] = Vector2i(number, row)


## A tile that does not fill its cell moves when it is flipped, and Godot versions differ in where
## to. So it gets an alternative for each orientation, flipped by its own flags.
func mirror(tileset: Tileset, lookup: Lookup, id: int, bits: int) -> void:
	var size := lookup.size_of(id, _file.tile_set)
	if size.x == size.y and _sources.origin(size, tileset.offset) == Vector2i.ZERO:
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
	_file.put(data, "texture_origin", _sources.origin(seen, tileset.offset))
	if tileset.tiles.has(id):
		var turn := (
			Transform2D(Vector2(0, 1), Vector2(1, 0), Vector2.ZERO) if is_lying else Transform2D()
		)
		turn = turn.scaled(Vector2(-1 if bits & 8 else 1, -1 if bits & 4 else 1))
		var placed := turn.translated(-data.texture_origin) * Transform2D(0, size / -2.0)
		placed *= tileset.fit_of(id)
		_facts.give(tileset.tile(id), data, name, placed)
	lookup.turned[Vector2i(id, bits)] = Vector2i(
		lookup.firsts[id], lookup.seconds[id] | number << 16
	)
