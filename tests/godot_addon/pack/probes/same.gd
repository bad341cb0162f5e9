extends "probe.gd"
## Holds what a pack builds against the scenes that the generator wrote: `PACK SCENE... ANSWER`, a
## scene for each level of the pack. Tells what differs, and how much was looked at.

# What says where a resource lies.
const _OF_FILES: PackedStringArray = ["resource_path", "resource_scene_unique_id"]

var _differences: PackedStringArray = []
var _nodes := 0
var _properties := 0
var _cells := 0


func _initialize() -> void:
	var pack := UndercroftPack.open(arguments[0])
	var scenes := arguments.slice(1, -1)
	for index: int in scenes.size():
		var packed: PackedScene = load(scenes[index])
		pack.build(index).free()  # leaves nothing behind that the next one could notice
		_compare_level(packed.instantiate() as Node2D, pack.build(index))
	var answer := {
		"count": pack.count,
		"differences": _differences,
		"nodes": _nodes,
		"properties": _properties,
		"cells": _cells,
	}
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(answer))
	quit()


func _compare_level(scene: Node2D, built: Node2D) -> void:
	_compare(scene, built, scene, built)
	var plans: Array[String] = []
	for root_node: Node2D in [scene, built]:
		var level := UndercroftLevel.from_scene(root_node)
		var rooms: Array = []
		for room: UndercroftRoom in level.plan.rooms:
			rooms.append(
				[room.kind, room.bounds, room.outline, room.doors.size(), room.markers.size()]
			)
		plans.append(
			var_to_str([rooms, level.tile_size, level.plan.fingerprint, level.plan.seed_text])
		)
	if plans[0] != plans[1]:
		_differences.append("%s: the levels differ" % scene.name)
	scene.free()
	built.free()


func _compare(one: Node, other: Node, one_root: Node, other_root: Node) -> void:
	var where := str(one_root.name) + "/" + str(one_root.get_path_to(one))
	_nodes += 1
	_is_same(where + " name", one.name, other.name)
	_is_same(where + " class", one.get_class(), other.get_class())
	_is_same(where + " groups", one.get_groups(), other.get_groups())
	_is_same(where + " owner", one.owner == one_root, other.owner == other_root)
	_is_same(where + " children", one.get_child_count(), other.get_child_count())
	if one != one_root:
		_is_same(where + " scene", one.scene_file_path, other.scene_file_path)
	_compare_properties(where, one, other)
	if one is TileMapLayer and other is TileMapLayer:
		_compare_cells(where, one as TileMapLayer, other as TileMapLayer)
	for i: int in mini(one.get_child_count(), other.get_child_count()):
		_compare(one.get_child(i), other.get_child(i), one_root, other_root)


## All that would be saved of an object, metadata among it.
func _compare_properties(where: String, one: Object, other: Object) -> void:
	var keys := _stored(one)
	_is_same(where + " keys", keys, _stored(other))
	for key: String in keys:
		_properties += 1
		var value: Variant = one.get(key)
		var there: Variant = other.get(key)
		if key == "tile_map_data":
			continue  # the cells are compared: their order tells nothing
		if value is Resource and there is Resource:
			var first: Resource = value
			var second: Resource = there
			_compare_resources("%s %s" % [where, key], first, second)
		else:
			_is_same("%s %s" % [where, key], value, there)


func _compare_resources(where: String, one: Resource, other: Resource) -> void:
	var own := "::" in one.resource_path
	if own:
		_is_same(where + " class", one.get_class(), other.get_class())
		_compare_properties(where, one, other)
	else:
		_is_same(where, one, other)


func _stored(object: Object) -> PackedStringArray:
	var keys: PackedStringArray = []
	for property: Dictionary in object.get_property_list():
		var usage: int = property["usage"]
		if usage & PROPERTY_USAGE_STORAGE and not property["name"] in _OF_FILES:
			keys.append(str(property["name"]))
	return keys


func _compare_cells(where: String, one: TileMapLayer, other: TileMapLayer) -> void:
	var places := one.get_used_cells()
	_is_same(where + " cells", places.size(), other.get_used_cells().size())
	for place: Vector2i in places:
		_cells += 1
		if _cell(one, place) != _cell(other, place):
			_differences.append("%s %s: the tiles differ" % [where, place])


func _cell(layer: TileMapLayer, place: Vector2i) -> Array:
	var tile := layer.get_cell_atlas_coords(place)
	return [layer.get_cell_source_id(place), tile, layer.get_cell_alternative_tile(place)]


func _is_same(where: String, one: Variant, other: Variant) -> void:
	if typeof(one) != typeof(other) or one != other or var_to_str(one) != var_to_str(other):
		_differences.append("%s: %s and %s" % [where, one, other])
