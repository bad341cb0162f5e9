extends RefCounted
## Sets the data of the TileSet's tiles from a tileset: collisions, navigation, occluders, custom
## data, probability. A person's later changes stay.

const Fields := preload("../import/fields.gd")
const ObjectRef := preload("object_ref.gd")
const ProjectTypes := preload("project_types.gd")
const TileSetFile := preload("../import/tileset_file.gd")
const TileShapes := preload("tile_shapes.gd")
const Tileset := preload("tileset.gd")

const MAX_SHAPES := 256
## The uses of a collision object, by its class or a property with that name; otherwise it collides.
const NAVIGATION: Array[String] = ["navigation", "nav"]
const OCCLUSION: Array[String] = ["occluder", "occlusion"]

var _file: TileSetFile
var _types: ProjectTypes
# Properties of collision objects that say whom they stop, one name per bit.
var _bits: PackedStringArray


func _init(file: TileSetFile, types: ProjectTypes, options: Dictionary) -> void:
	_file = file
	_types = types
	for name: String in str(options.get("collision_bits", "")).split(",", false):
		_bits.append(name.strip_edges())


## Sets the data of a tile from the file. [param name] is its name in the ledger; [param placed]
## maps a point of the tile's picture to a point relative to the cell's centre.
func give(tile: Fields, data: TileData, name: String, placed: Transform2D) -> void:
	var probability := tile.number("probability", 1.0, 0.0, 1e9)
	if _file.may_write(name + " probability", data.probability, probability, 1.0):
		data.probability = probability
	_give_custom(tile, data, name)
	_give_shapes(tile, data, name, placed)


func _give_custom(tile: Fields, data: TileData, name: String) -> void:
	var type := Tileset.class_of(tile)
	var facts := _types.properties(tile, type)
	if type and not facts.has("class"):
		facts["class"] = type
	for key: String in facts:
		var value: Variant = facts[key]
		if ObjectRef.is_in(value):
			continue
		var layer := _file.custom_layer(key, typeof(value) as Variant.Type)
		var wanted_type := _file.tile_set.get_custom_data_layer_type(layer)
		if wanted_type != TYPE_NIL and wanted_type != typeof(value):
			tile.warn("properties", "%s has values of several types; one was left out" % key)
			continue
		var thing := "%s data %s" % [name, key]
		var nothing: Variant = type_convert(null, wanted_type)
		if wanted_type == TYPE_STRING:
			nothing = ""
		if _file.may_write(thing, data.get_custom_data(key), value, nothing):
			data.set_custom_data(key, value)


func _give_shapes(tile: Fields, data: TileData, name: String, placed: Transform2D) -> void:
	var physics: Dictionary = {}
	var ways: Array[PackedVector2Array] = []
	var shadows: Array[PackedVector2Array] = []
	if tile.has("objectgroup"):
		for object: Fields in tile.sub("objectgroup").subs("objects", MAX_SHAPES):
			var turned := Transform2D(
				deg_to_rad(object.number("rotation", 0)), TileShapes.position_of(object)
			)
			var polygon := placed * turned * TileShapes.outline(object)
			if tile.problem.found:
				return
			if not polygon:
				continue
			var usable := TileShapes.usable(polygon)
			if not usable:
				object.warn("", "has no area that could collide")
			var facts := _types.properties(object, Tileset.class_of(object))
			if _is(object, facts, NAVIGATION):
				ways.append_array(usable)
			elif _is(object, facts, OCCLUSION):
				shadows.append_array(usable)
			else:
				var bits := _collision_bits(facts)
				var parts: Array = physics.get_or_add(bits, [])
				for part: PackedVector2Array in usable:
					parts.append([part, is_same(facts.get("one_way"), true)])
	for bits: int in physics:
		_file.physics_layer(bits)
	for layer: int in _file.tile_set.get_physics_layers_count():
		var bits := _file.tile_set.get_physics_layer_collision_layer(layer)
		var parts: Array = physics.get(bits, [])
		_give_physics(data, layer, parts, "%s physics %d" % [name, bits])
	_give_navigation(data, ways, name + " navigation")
	_give_occlusion(data, shadows, name + " occlusion")


## The collision layers of a shape: those given as a number, else one bit for each name in the
## option that is a true property of it, else the first.
func _collision_bits(facts: Dictionary) -> int:
	if facts.get("collision_layer") is int:
		var given: int = facts["collision_layer"]
		return given & 0xFFFFFFFF
	var bits := 0
	for index: int in _bits.size():
		if is_same(facts.get(_bits[index]), true) and index < 32:
			bits |= 1 << index
	return bits if bits else 1


func _give_physics(data: TileData, layer: int, wanted: Array, name: String) -> void:
	var current: Array = []
	for index: int in data.get_collision_polygons_count(layer):
		var one_way := data.is_collision_polygon_one_way(layer, index)
		current.append([data.get_collision_polygon_points(layer, index), one_way])
	if not _file.may_write(name, current, wanted, []):
		return
	data.set_collision_polygons_count(layer, wanted.size())
	for index: int in wanted.size():
		var part: Array = wanted[index]
		var polygon: PackedVector2Array = part[0]
		var one_way: bool = part[1]
		data.set_collision_polygon_points(layer, index, polygon)
		data.set_collision_polygon_one_way(layer, index, one_way)


func _give_navigation(data: TileData, wanted: Array[PackedVector2Array], name: String) -> void:
	if not wanted and not _file.tile_set.get_navigation_layers_count():
		return
	var layer := _file.navigation_layer()
	var mesh := mesh_of(wanted)
	var current := data.get_navigation_polygon(layer)
	var now: Variant = [current.vertices, current.polygons] if current else []
	if _file.may_write(name, now, [mesh.vertices, mesh.polygons] if wanted else [], []):
		data.set_navigation_polygon(layer, mesh if wanted else null)


func _give_occlusion(data: TileData, wanted: Array[PackedVector2Array], name: String) -> void:
	if not wanted and not _file.tile_set.get_occlusion_layers_count():
		return
	_file.occlusion_layer()
	while _file.tile_set.get_occlusion_layers_count() < wanted.size():
		_file.tile_set.add_occlusion_layer()
	for layer: int in _file.tile_set.get_occlusion_layers_count():
		var current := data.get_occluder(layer)
		var polygon := PackedVector2Array()
		if layer < wanted.size():
			polygon = wanted[layer]
		var now := current.polygon if current else PackedVector2Array()
		if _file.may_write("%s %d" % [name, layer], now, polygon, PackedVector2Array()):
			var occluder := OccluderPolygon2D.new()
			occluder.polygon = polygon
			data.set_occluder(layer, occluder if polygon else null)


## A navigation polygon made from simple polygons, cut into convex ones.
static func mesh_of(polygons: Array[PackedVector2Array]) -> NavigationPolygon:
	var mesh := NavigationPolygon.new()
	var vertices := PackedVector2Array()
	var listed: Array[PackedInt32Array] = []
	for polygon: PackedVector2Array in polygons:
		for part: PackedVector2Array in TileShapes.convex(polygon):
			listed.append(PackedInt32Array(range(vertices.size(), vertices.size() + part.size())))
			vertices.append_array(part)
	mesh.vertices = vertices
	for part: PackedInt32Array in listed:
		mesh.add_polygon(part)
	return mesh


static func _is(object: Fields, facts: Dictionary, names: Array[String]) -> bool:
	if names.has(Tileset.class_of(object).to_lower()):
		return true
	return names.any(func(name: String) -> bool: return is_same(facts.get(name), true))
