extends RefCounted
## Adds what general rules cannot give but Undercroft's own scenes have: groups by kind, cells as
## vectors, and door bodies that are off while the door is open.

const DoorFacts := preload("../runtime/door_facts.gd")
const Fields := preload("../import/fields.gd")
const ProjectTypes := preload("project_types.gd")

# Names in maps from our exporter.
const _CLASSES: Array[String] = ["level", "room", "hallway"]


## Whether a map gets them: for `on` or `off` as the option says, for `auto` if the map has the
## fingerprint of one of our levels.
static func are_wanted(map: Fields, option: Variant) -> bool:
	if str(option) != "auto":
		return ["on", "true"].has(str(option))
	if not _CLASSES.has(map.text("class", "")):
		return false
	return ProjectTypes.listed(map).any(_is_fingerprint)


static func _is_fingerprint(property: Fields) -> bool:
	return property.text("name", "") == "fingerprint" and property.text("value", "") != ""


static func add(root: Node) -> void:
	root.add_to_group(&"undercroft_level", true)
	for node: Node in root.find_children("*", "Node2D", true, false):
		var groups := node.get_groups()
		if groups.has(&"room"):
			_add_room(node)
		elif groups.has(&"door"):
			_add_door(node)
		elif groups.has(&"hallway"):
			_switch_area(node)
		elif node.has_meta("kind") and node.has_meta("room"):
			_add_marker(node)
	_leave_doors_to_bodies(root)
	var lights := root.get_node_or_null(^"Lights") as CanvasItem
	if lights:
		lights.visible = true  # hidden in Tiled only to keep the view clear; a game's lights are below it


## If doors have bodies, their tiles must not collide, or nothing could pass an open door.
static func _leave_doors_to_bodies(root: Node) -> void:
	var doors := root.get_node_or_null(^"Doors") as TileMapLayer
	if doors and root.find_children("*", "StaticBody2D", true, false).any(_is_door):
		doors.collision_enabled = false


static func _is_door(node: Node) -> bool:
	return node.is_in_group(&"door")


static func _add_room(node: Node) -> void:
	node.add_to_group("room_%s" % node.get_meta("kind", "normal"), true)
	if node.get_meta("zone", ""):
		node.add_to_group("zone_%s" % node.get_meta("zone"), true)
	_switch_area(node)
	var cells: Array[Vector2i] = []
	for pair: Variant in _parsed(node, "cells"):
		var numbers := _numbers(pair)
		if numbers.size() == 2:
			cells.append(Vector2i(numbers[0], numbers[1]))
	node.set_meta("cells", cells)
	var bounds := _numbers(_parsed(node, "bounds"))
	if bounds.size() == 4:
		node.set_meta("bounds", Rect2i(bounds[0], bounds[1], bounds[2], bounds[3]))


static func _add_door(node: Node) -> void:
	node.add_to_group("door_%s" % node.get_meta("kind", "open"), true)
	var body := node as StaticBody2D
	if body:
		body.collision_layer = 7
		body.collision_mask = 0
	for shape: Node in node.find_children("*", "CollisionShape2D", false, false):
		(shape as CollisionShape2D).disabled = not DoorFacts.starts_shut(node)

	var rooms: Array[int] = []
	for end: String in ["room_a", "room_b"]:
		var room := _id_of(node, end)
		if room >= 0:
			rooms.append(room)
	node.set_meta("rooms", rooms)
	_name_place(node, "hallway")
	_add_gate(node)


## What the door requires of the player, as in the generator's scenes.
static func _add_gate(node: Node) -> void:
	var needs: Array[String] = []
	for key: String in str(node.get_meta("needs", "")).split(",", false):
		needs.append(key.strip_edges())
	node.remove_meta("needs")
	if needs:
		node.set_meta("needs", needs)
		node.add_to_group("lock", true)
	if not is_same(node.get_meta("one_way", false), true):
		node.remove_meta("one_way")
	_name_place(node, "opens_from")


static func _add_marker(node: Node) -> void:
	node.add_to_group(&"marker", true)
	node.add_to_group("marker_%s" % node.get_meta("kind"), true)
	_name_place(node, "room")
	_name_place(node, "hallway")


## Replaces a reference to a room or hallway by its number; removes an empty one.
static func _name_place(node: Node, fact: String) -> void:
	var id := _id_of(node, fact)
	if id < 0:
		node.remove_meta(fact)
	else:
		node.set_meta(fact, id)


static func _id_of(node: Node, fact: String) -> int:
	var path: Variant = node.get_meta(fact, NodePath())
	if not path is NodePath:
		return -1
	var place: NodePath = path
	var target := node.get_node_or_null(place) if place else null
	return int(str(target.get_meta("id", -1))) if target else -1


static func _switch_area(node: Node) -> void:
	var area := node as Area2D
	if area:
		area.collision_layer = 0
		area.collision_mask = 1
		area.monitorable = false


static func _parsed(node: Node, fact: String) -> Array:
	var json := JSON.new()
	if json.parse(str(node.get_meta(fact, "[]"))) == OK and json.data is Array:
		return json.data
	return []


static func _numbers(value: Variant) -> PackedInt32Array:
	var found := PackedInt32Array()
	if value is Array:
		var items: Array = value
		for item: Variant in items:
			found.append(int(str(item).to_float()))
	return found
