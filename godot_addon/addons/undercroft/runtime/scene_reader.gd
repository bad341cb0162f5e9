extends RefCounted
## Reads the groups and metadata of a level's scene into a plan. The generator wrote the scene (as a
## whole or with one scene per room), or it was imported and has the same groups and metadata.

const SceneReader := preload("scene_reader.gd")
const DoorFacts := preload("door_facts.gd")
const DoorWays := preload("door_ways.gd")
const Problem := preload("problem.gd")
const MinimapIcons := preload("minimap_icons.gd")
const SceneTiles := preload("scene_tiles.gd")

# Metadata of a marker that are not properties.
const _MARKERS_OWN: PackedStringArray = ["kind", "id", "room", "hallway", "properties", "iid"]

## In px.
var tile_size := 0
## The nodes of each door, by id; with one scene per room, each room has one half.
var door_nodes: Dictionary = {}

var _root: Node2D
var _plan := UndercroftPlan.new()
var _problem: Problem


static func read(root: Node2D, problem: Problem) -> SceneReader:
	var reader := SceneReader.new()
	reader._root = root
	reader._problem = problem
	reader._read()
	return reader


## The plan; null if there was a problem.
func plan() -> UndercroftPlan:
	return null if _problem.found else _plan


func _read() -> void:
	tile_size = _number(_root, "tile_size", SceneTiles.size_of_one(_root))
	if tile_size < 1:
		_fail(
			_root, "has neither metadata tile_size nor a tile layer, so it is not a level's scene"
		)
		return
	var size: Variant = _root.get_meta("size", false)
	_plan.size = size if size is Vector2i else SceneTiles.end_of_all(_root)
	var most := UndercroftPlan.MAX_TILES
	if (
		mini(_plan.size.x, _plan.size.y) < 1
		or _plan.size.x > most
		or _plan.size.y > most / _plan.size.x
	):
		_fail(_root, "metadata size: %s tiles is not the size of a level" % _plan.size)
		return
	_plan.style = str(_root.get_meta("style", ""))
	_plan.seed_text = str(_root.get_meta("seed", ""))
	_plan.fingerprint = str(_root.get_meta("fingerprint", ""))
	var facts: Variant = _root.get_meta("facts", {})
	_plan.facts = facts if facts is Dictionary else {}
	var found: Dictionary = {"room": {}, "door": {}, "hallway": {}, "marker": {}}
	_collect(_root, found)
	for nodes: Array in _in_order(found, "room"):
		_plan.rooms.append(_room(nodes))
	for nodes: Array in _in_order(found, "door"):
		_plan.doors.append(_door(nodes))
	for nodes: Array in _in_order(found, "hallway"):
		_plan.hallways.append(_hallway(nodes))
	# Ids of markers have gaps where rooms were rolled again; the others count from 0.
	var markers: Dictionary = found["marker"]
	var ids: Array = markers.keys()
	ids.sort()
	for id: int in ids:
		var nodes: Array = markers[id]
		_plan.markers.append(_marker(id, nodes))
	if _plan.rooms.is_empty():
		_fail(_root, "has no node in the group room")
	if _plan.is_overfull():
		_fail(_root, "its rooms are larger, or have more corners, than a level allows")
	if not _problem.found:
		door_nodes = found["door"]
		_give_nodes(found)
		_plan.finish()


func _give_nodes(found: Dictionary) -> void:
	var lists := {
		"room": _plan.rooms,
		"door": _plan.doors,
		"hallway": _plan.hallways,
		"marker": _plan.markers,
	}
	for group: String in lists:
		var by_id: Dictionary = found[group]
		for part: UndercroftPlan.PlanPart in lists[group]:
			var nodes: Array = by_id[part.id]
			part.nodes.assign(nodes)


# All nodes of a group by id, each in a list.
func _collect(node: Node, found: Dictionary) -> void:
	if node is Node2D and node.has_meta("id"):
		for group: String in found:
			if node.is_in_group(group):
				var by_id: Dictionary = found[group]
				var same: Array = by_id.get_or_add(_number(node, "id", -1), [])
				same.append(node)
	for child: Node in node.get_children():
		_collect(child, found)


func _in_order(found: Dictionary, group: String) -> Array:
	var by_id: Dictionary = found[group]
	var result: Array = []
	for id: int in by_id.size():
		if not by_id.has(id):
			_fail(_root, "the group %s has no node with the id %d" % [group, id])
			return []
		result.append(by_id[id])
	return result


func _room(nodes: Array) -> UndercroftRoom:
	var node: Node2D = nodes[0]
	var room := UndercroftRoom.new()
	room.id = _plan.rooms.size()
	room.kind = str(node.get_meta("kind", ""))
	room.shape = str(node.get_meta("shape", ""))
	room.distance = _number(node, "distance", -1)
	room.depth = _number(node, "depth", 0)
	room.difficulty = _number(node, "difficulty", 0)
	room.layout = str(node.get_meta("layout", ""))
	room.has_icon = node.has_meta("icon")
	room.icon = str(node.get_meta("icon", ""))
	var colour := str(node.get_meta("color", ""))
	room.colour = Color.from_string(colour, MinimapIcons.colour_of(room.kind))
	var tile: Variant = node.get_meta("icon_tile", room.icon_tile)
	room.icon_tile = tile if tile is Vector2i else room.icon_tile
	room.zone = str(node.get_meta("zone", ""))
	room.name = str(node.get_meta("name", ""))
	room.cells = _points(node, "cells")
	room.rings_are_solid = true
	for child: Node in node.get_children():
		if child is CollisionPolygon2D:
			var polygon: CollisionPolygon2D = child
			var ring: PackedVector2Array = []
			var offset := _place(polygon)
			for corner: Vector2 in polygon.polygon:
				ring.append(((corner + offset) / tile_size).round())
			room.outline.append(ring)
	var bounds: Variant = node.get_meta("bounds", false)
	room.bounds = bounds if bounds is Rect2i else _around(room.outline)
	return room


func _door(nodes: Array) -> UndercroftDoor:
	var door := UndercroftDoor.new()
	door.id = _plan.doors.size()
	for node: Node2D in nodes:
		var here: Array[Vector2i] = []
		door.kind = str(node.get_meta("kind", "open"))
		door.room_ids = _ids(node, "rooms", _plan.rooms.size())
		_read_gate(node, door)
		door.tell(DoorFacts.starts_shut(node), DoorFacts.is_secret(node))
		var origin := Vector2i((_place(node.get_parent()) / tile_size).round())
		for cell: Vector2i in _points(node, "cells"):
			here.append(cell + origin)
		if here.is_empty():
			here = SceneTiles.under_shapes(_root, node, tile_size)
		# Each half has its own side; the door's side is that of the first room's half, which comes
		# first.
		if door.tiles.is_empty() or _number(node, "leads_to", -1) != door.room_ids[0]:
			door.side = str(node.get_meta("side", ""))
			door.tiles = here + door.tiles
		else:
			door.tiles.append_array(here)
	if door.room_ids.is_empty() or door.room_ids.size() > 2:
		var node: Node = nodes[0]
		_fail(node, "metadata rooms: %s is not one room or two" % str(node.get_meta("rooms", "")))
	return door


# What a door requires of the player, and its class.
func _read_gate(node: Node, door: UndercroftDoor) -> void:
	var given: Variant = node.get_meta("needs", [])
	door.needs.clear()
	if given is Array:
		var keys: Array = given
		for key: Variant in keys:
			door.needs.append(str(key))
	door.one_way = is_same(node.get_meta("one_way", false), true)
	var room := _number(node, "opens_from", -1)
	door.opens_from = room if room in door.room_ids else -1
	door.joins = str(node.get_meta("joins", ""))


func _hallway(nodes: Array) -> UndercroftHallway:
	var node: Node2D = nodes[0]
	var hallway := UndercroftHallway.new()
	hallway.id = _plan.hallways.size()
	hallway.door_ids = _ids(node, "doors", _plan.doors.size())
	if hallway.door_ids.is_empty():
		hallway.door_ids = _referred(node, "door_")
	if hallway.door_ids.size() != 2:
		_fail(node, "metadata doors: %s are not two" % str(node.get_meta("doors", "")))
	var inside := Rect2i(Vector2i(), _plan.size)
	var tiles := _points(node, "cells")
	if tiles.is_empty():
		tiles = SceneTiles.under_shapes(_root, node, tile_size)
	for tile: Vector2i in tiles:
		if inside.has_point(tile):
			hallway.tiles.append(tile)
	return hallway


func _marker(id: int, nodes: Array) -> UndercroftMarker:
	var node: Node2D = nodes[0]
	var marker := UndercroftMarker.new()
	if id < 0:
		_fail(node, "metadata id: is not a whole number from 0 up")
	marker.id = id
	marker.kind = str(node.get_meta("kind", ""))
	marker.tile = Vector2i((_place(node) / tile_size).floor())
	marker.room_id = clampi(_number(node, "room", -1), -1, _plan.rooms.size() - 1)
	marker.hallway_id = clampi(_number(node, "hallway", -1), -1, _plan.hallways.size() - 1)
	var further: Variant = node.get_meta("properties", {})
	if further is Dictionary:
		var more: Dictionary = further
		marker.properties.merge(more)
	for key: StringName in node.get_meta_list():
		if not key in _MARKERS_OWN:
			marker.properties[str(key)] = node.get_meta(key)
	return marker


# --- values ------------------------------------------------------------------------------


func _number(node: Node, key: String, otherwise: int) -> int:
	var value: Variant = node.get_meta(key, otherwise)
	return int(str(value)) if value is int or value is float else otherwise


func _points(node: Node, key: String) -> Array[Vector2i]:
	var result: Array[Vector2i] = []
	var value: Variant = node.get_meta(key, [])
	if value is Array:
		var points: Array = value
		for point: Variant in points:
			if point is Vector2i:
				var tile: Vector2i = point
				result.append(tile)
	return result


func _ids(node: Node, key: String, end: int) -> PackedInt32Array:
	var result: PackedInt32Array = []
	var value: Variant = node.get_meta(key, [])
	if value is PackedInt32Array:
		var numbers: PackedInt32Array = value
		value = Array(numbers)
	if value is Array:
		var given: Array = value
		for id: Variant in given:
			var number := int(str(id))
			if number < 0 or number >= end:
				_fail(node, "metadata %s: %s is not one of %d" % [key, str(id), end])
				return PackedInt32Array()
			result.append(number)
	return result


# The ids of the nodes that metadata with a prefix refer to, in imported scenes.
func _referred(node: Node, beginning: String) -> PackedInt32Array:
	var ids: PackedInt32Array = []
	for key: StringName in node.get_meta_list():
		var value: Variant = node.get_meta(key)
		if str(key).begins_with(beginning) and value is NodePath:
			var path: NodePath = value
			var found := node.get_node_or_null(path)
			if found:
				ids.append(clampi(_number(found, "id", 0), 0, _plan.doors.size() - 1))
	return ids


# The place of a node in the level, in px.
func _place(node: Node) -> Vector2:
	return DoorWays.place_in(_root, node).origin


static func _around(rings: Array[PackedVector2Array]) -> Rect2i:
	if rings.is_empty() or rings[0].is_empty():
		return Rect2i()
	var bounds := Rect2(rings[0][0], Vector2())
	for ring: PackedVector2Array in rings:
		for corner: Vector2 in ring:
			bounds = bounds.expand(corner)
	return Rect2i(bounds)


func _fail(node: Node, what: String) -> void:
	var path := _root.scene_file_path if _root.scene_file_path else str(_root.name)
	_problem.note(path, "" if node == _root else str(node.name), what)
