extends RefCounted
## Writes the data of tiles into a TileSet: tags and custom data as custom data layers, and the
## shapes given in the options.

const Definitions := preload("definitions.gd")
const TileSetFile := preload("../import/tileset_file.gd")
const ValueTable := preload("value_table.gd")

const MAX_LAYERS := 64
const TAGS := "tags"
const DATA := "data"
const VALUE := "value"

var _file: TileSetFile
var _table: ValueTable
var _square: PackedVector2Array


func _init(file: TileSetFile, grid: int, table: ValueTable) -> void:
	_file = file
	_table = table
	var half := grid / 2.0
	_square = [
		Vector2(-half, -half), Vector2(half, -half), Vector2(half, half), Vector2(-half, half)
	]


## Writes the facts of a tileset's tiles; `origin` moves a tile of another size than the cell from
## the cell's centre to its top left.
func tiles(
	name: String, source: TileSetAtlasSource, tileset: Definitions.Tiles, origin: Vector2i
) -> void:
	var tags: Dictionary = {}
	for tag: String in tileset.tags:
		for number: int in tileset.tags[tag]:
			var own: PackedStringArray = tags.get(number, PackedStringArray())
			if not own.has(tag):
				own.append(tag)
			tags[number] = own
	var data := _custom(tileset)
	var types := _types(data)
	for index: int in source.get_tiles_count():
		var at := source.get_tile_id(index)
		var number := at.y * tileset.columns + at.x
		var tile := source.get_tile_data(at, 0)
		_file.put(tile, "texture_origin", origin)
		var place := "%s %d" % [name, number]
		var own: PackedStringArray = tags.get(number, PackedStringArray())
		if tileset.tags:
			_tell(place, tile, TAGS, TYPE_PACKED_STRING_ARRAY, own)
		var facts: Dictionary = data.get(number, {})
		for key: String in types:
			var type: int = types[key]
			_tell(place, tile, key, type, facts.get(key))
		if not _table.is_empty():
			var names := own.duplicate()
			for key: String in facts:
				names.append("%s=%s" % [key, facts[key]])
			_shape(place, tile, _table.uses(tileset.name, names))


## Writes the facts of IntGrid values: their names and shapes.
func values(name: String, source: TileSetAtlasSource, layer: Definitions.Layer) -> void:
	for index: int in source.get_tiles_count():
		var value := source.get_tile_id(index).x
		var known: Definitions.GridValue = layer.values.get(value)
		if known == null:
			continue
		var tile := source.get_tile_data(Vector2i(value, 0), 0)
		var place := "%s %d" % [name, value]
		_tell(place, tile, VALUE, TYPE_INT, value)
		_tell(place, tile, "name", TYPE_STRING, known.name)
		_shape(place, tile, _table.uses(layer.name, names_of(value, known)))


## The names that a table can use for a value.
static func names_of(value: int, known: Definitions.GridValue) -> PackedStringArray:
	var names: PackedStringArray = [str(value)]
	for name: String in [known.group, known.plain_name, known.name]:
		if name and not names.has(name):
			names.insert(0, name)
	return names


func _tell(place: String, tile: TileData, key: String, type: Variant.Type, value: Variant) -> void:
	var layer := _file.custom_layer(key, type)
	var current: Variant = tile.get_custom_data_by_layer_id(layer)
	var kind := _file.tile_set.get_custom_data_layer_type(layer)
	var empty: Variant = _empty(kind)
	var wanted: Variant = empty
	if value != null:
		wanted = value if kind == TYPE_NIL else type_convert(value, kind)
	if _file.may_write("%s %s" % [place, key], current, wanted, empty):
		tile.set_custom_data_by_layer_id(layer, wanted)


## The default value of a custom data layer, by type.
static func _empty(type: Variant.Type) -> Variant:
	match type:
		TYPE_NIL:
			return null
		TYPE_STRING:
			return ""
		TYPE_PACKED_STRING_ARRAY:
			return PackedStringArray()
	return type_convert(null, type)


func _shape(place: String, tile: TileData, uses: Array[ValueTable.Use]) -> void:
	for use: ValueTable.Use in uses:
		var thing := "%s %s %d" % [place, use.kind, use.bits]
		match use.kind:
			"collision", "one_way":
				_collide(thing, tile, _file.physics_layer(use.bits), use.kind == "one_way")
			"navigation":
				var layer := _file.navigation_layer()
				var now := tile.get_navigation_polygon(layer)
				var outline := PackedVector2Array()
				if now and now.get_outline_count():
					outline = now.get_outline(0)
				if _file.may_write(thing, outline, _square, PackedVector2Array()):
					tile.set_navigation_polygon(layer, _walkable())
			"occlusion":
				var layer := _file.occlusion_layer()
				var now := tile.get_occluder(layer)
				var outline := now.polygon if now else PackedVector2Array()
				if _file.may_write(thing, outline, _square, PackedVector2Array()):
					var occluder := OccluderPolygon2D.new()
					occluder.polygon = _square
					tile.set_occluder(layer, occluder)


func _collide(thing: String, tile: TileData, layer: int, one_way: bool) -> void:
	var now: Array[PackedVector2Array] = []
	for index: int in tile.get_collision_polygons_count(layer):
		now.append(tile.get_collision_polygon_points(layer, index))
	var wanted: Array[PackedVector2Array] = [_square]
	var none: Array[PackedVector2Array] = []
	if _file.may_write(thing, now, wanted, none):
		tile.set_collision_polygons_count(layer, 1)
		tile.set_collision_polygon_points(layer, 0, _square)
		tile.set_collision_polygon_one_way(layer, 0, one_way)


func _walkable() -> NavigationPolygon:
	var polygon := NavigationPolygon.new()
	polygon.add_outline(_square)
	polygon.vertices = _square
	polygon.add_polygon([0, 1, 2, 3])
	return polygon


## By tile number: its custom data, by name. The text may be a JSON object or lines `NAME=VALUE`;
## any other text is a single fact.
static func _custom(tileset: Definitions.Tiles) -> Dictionary:
	var found: Dictionary = {}
	for number: int in tileset.custom:
		found[number] = _parsed(str(tileset.custom[number]))
	return found


static func _parsed(text: String) -> Dictionary:
	var json := JSON.new()
	if text.begins_with("{") and json.parse(text) == OK and json.data is Dictionary:
		return json.data
	var facts: Dictionary = {}
	for line: String in text.split("\n", false):
		var cut := line.find("=")
		var key := line.left(cut).strip_edges()
		if cut < 1 or not key.is_valid_identifier():
			return {DATA: text}
		facts[key] = line.substr(cut + 1).strip_edges()
	return facts


## The common type of all values with a name; none if they differ.
static func _types(data: Dictionary) -> Dictionary:
	var types: Dictionary = {}
	for facts: Dictionary in data.values():
		for key: String in facts:
			var type := typeof(facts[key])
			if not types.has(key) and types.size() < MAX_LAYERS:
				types[key] = type
			elif types.has(key) and types[key] != type:
				types[key] = TYPE_NIL
	return types
