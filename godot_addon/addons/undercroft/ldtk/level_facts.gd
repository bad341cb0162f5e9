extends RefCounted
## Adds the data for the runtime to the scene of a project from Undercroft: groups by kind, and
## rooms, doors, hallways and markers with the metadata of the generator's own scenes.
##
## The file lacks room outlines and hallway tiles; both are computed from the values of the layer
## Terrain (see `room_tiles.gd`).

const Definitions := preload("definitions.gd")
const DoorFacts := preload("../runtime/door_facts.gd")
const Project := preload("project.gd")
const RoomTiles := preload("room_tiles.gd")

## The fields of a level with facts about its room.
const ROOM_FACTS: Array[String] = [
	"kind", "room", "shape", "distance", "depth", "difficulty", "layout", "zone", "name"
]
## The greatest width of a door, in tiles.
const MAX_DOOR := 64

# The sides of a door that belong to its first room.
const _FIRST_SIDES: Array[String] = ["east", "south"]

var _root: Node2D
var _tile := 16
var _grid := Vector2i.ZERO
var _centred := false
var _tiles: RoomTiles
## By id: the nodes of doors, and the door numbers of hallways.
var _doors: Dictionary = {}
var _hallways: Dictionary = {}
# Marker kinds by entity name.
var _kinds: Dictionary = {}


## Adds the facts to a scene; [param centred] says whether entity nodes are at the centre.
static func add(root: Node2D, project: Project, centred: bool) -> void:
	var facts := new()
	facts._root = root
	facts._tile = project.grid
	facts._grid = project.world_grid / project.grid
	facts._centred = centred
	facts._tiles = RoomTiles.new(project)
	for entity: Definitions.Entity in project.definitions.entities.values():
		if entity.tags.has("marker"):
			facts._kinds[StringName(entity.name)] = entity.name.to_snake_case()
	facts._add()


func _add() -> void:
	_root.add_to_group(&"undercroft_level", true)
	_root.set_meta("tile_size", _tile)
	var end := Vector2i.ONE
	for level: Node2D in _levels(_root):
		end = end.max(_tile_of(level.position) + _size_of(level))
		for fact: String in ["style", "seed", "fingerprint"]:
			if level.has_meta(fact):
				_root.set_meta(fact, level.get_meta(fact))
		_add_level(level)
	_root.set_meta("size", end)
	for nodes: Array in _doors.values():
		_join(nodes)
	_add_hallways()


static func _levels(below: Node) -> Array[Node2D]:
	var found: Array[Node2D] = []
	for node: Node in below.find_children("*", "Node2D", true, false):
		if node.is_in_group("ldtk_level"):
			found.append(node)
	return found


func _add_level(level: Node2D) -> void:
	var place := _tile_of(level.position)
	_tiles.read(level, place)
	if _number(level, "room") >= 0:
		var bounds := Rect2i(place, _size_of(level))
		var area := level.get_node_or_null("Area") as Area2D
		if area == null:
			area = Area2D.new()
			area.name = "Area"
			level.add_child(area)
		for fact: String in ROOM_FACTS:
			if level.has_meta(fact):
				area.set_meta(fact, level.get_meta(fact))
		_add_room(area, bounds, place)
	for layer: Node in level.get_children():
		for node: Node in layer.get_children():
			var entity := node as Node2D
			if entity == null:
				continue
			if entity.is_in_group("door") and _number(entity, "id") >= 0:
				_add_door(entity)
			elif entity.is_in_group("marker") and _number(entity, "id") >= 0:
				_add_marker(entity)
			elif entity.is_in_group("Room") and _number(entity, "room") >= 0:
				var room := _rect_of(entity)
				_add_room(entity, Rect2i(room.position + place, room.size), place)


## Completes a room's area; [param bounds] are in tiles, [param place] is its level's.
func _add_room(area: Node2D, bounds: Rect2i, place: Vector2i) -> void:
	area.add_to_group(&"room", true)
	area.add_to_group("room_%s" % area.get_meta("kind", "normal"), true)
	if area.get_meta("zone", ""):
		area.add_to_group("zone_%s" % area.get_meta("zone"), true)
	area.set_meta("id", area.get_meta("room"))
	area.set_meta("bounds", bounds)
	var rects: Array[Rect2i] = []
	if _grid.x > 1 and _grid.y > 1 and not area.is_in_group("Room"):
		var cells := _tiles.cells(bounds, _grid)
		area.set_meta("cells", cells)
		for cell: Vector2i in cells:
			rects.append(Rect2i(cell * _grid, _grid))
	else:
		rects = RoomTiles.rects(_tiles.around(bounds))
	var shape := area.get_node_or_null("Shape")
	if shape:
		area.remove_child(shape)
		shape.free()
	var origin := place * _tile
	if area.is_in_group("Room"):
		origin += Vector2i(area.position)
	_outline(area, rects, origin)
	_switch_area(area)


## Adds shapes for rectangles of tiles below a node at [param origin], in px.
func _outline(area: Node2D, rects: Array[Rect2i], origin: Vector2i) -> void:
	for rect: Rect2i in rects:
		var polygon := CollisionPolygon2D.new()
		var first := Vector2(rect.position * _tile - origin)
		var last := Vector2(rect.end * _tile - origin)
		polygon.polygon = [first, Vector2(last.x, first.y), last, Vector2(first.x, last.y)]
		polygon.name = "Shape%d" % area.get_child_count()
		area.add_child(polygon)


func _add_door(door: Node2D) -> void:
	var cells: Array[Vector2i] = []
	var rect := _rect_of(door)
	rect.size = rect.size.clamp(Vector2i.ZERO, Vector2i.ONE * MAX_DOOR)
	for y: int in range(rect.position.y, rect.end.y):
		for x: int in range(rect.position.x, rect.end.x):
			cells.append(Vector2i(x, y))
	door.set_meta("cells", cells)
	door.add_to_group("door_%s" % door.get_meta("kind", "open"), true)
	var nodes: Array = _doors.get_or_add(door.get_meta("id"), [])
	nodes.append(door)
	var body := door as StaticBody2D
	if body:
		_tiles.clear(cells)
		body.collision_layer = 7
		body.collision_mask = 0
		var shut := DoorFacts.starts_shut(door)
		for shape: Node in body.find_children("*", "CollisionShape2D", false, false):
			(shape as CollisionShape2D).disabled = not shut
	_add_gate(door)
	var hallway := _number(door, "hallway")
	if hallway >= 0:
		var ends: Array = _hallways.get_or_add(hallway, [])
		ends.append(door.get_meta("id"))


## What the door requires of the player, as in the generator's scenes.
static func _add_gate(door: Node2D) -> void:
	for fact: String in ["needs", "keys"]:
		if str(door.get_meta(fact, "")) == "[]":
			door.remove_meta(fact)
	if door.has_meta("needs"):
		door.add_to_group(&"lock", true)
	if not is_same(door.get_meta("one_way", false), true):
		door.remove_meta("one_way")


## Sets the rooms that a door connects on its one or two sides, the first room's side first.
func _join(nodes: Array) -> void:
	nodes.sort_custom(
		func(a: Node, b: Node) -> bool:
			return (
				a.get_meta("side", "") in _FIRST_SIDES
				and not b.get_meta("side", "") in _FIRST_SIDES
			)
	)
	var rooms: Array[int] = []
	for node: Node in nodes:
		if _number(node, "room") >= 0:
			rooms.append(_number(node, "room"))
	for node: Node in nodes:
		node.set_meta("rooms", rooms)
		if rooms.size() == 2:
			node.set_meta("leads_to", rooms[1] if node == nodes[0] else rooms[0])


func _add_hallways() -> void:
	var starts: Dictionary = {}
	for hallway: int in _hallways:
		var tiles: Array[Vector2i] = []
		for door: int in _hallways[hallway]:
			for node: Node2D in _doors[door]:
				var place := _tile_of((node.get_parent().get_parent() as Node2D).position)
				for cell: Vector2i in node.get_meta("cells"):
					tiles.append(cell + place)
		starts[hallway] = tiles
	var found := _tiles.hallways(starts)
	if found.is_empty():
		return
	var above := Node2D.new()
	above.name = "Hallways"
	_root.add_child(above)
	for hallway: int in _hallways:
		var area := Area2D.new()
		area.name = "Hallway%d" % hallway
		area.add_to_group(&"hallway", true)
		var ends: Array = _hallways[hallway]
		var doors: Array[int] = []
		doors.assign(ends)
		doors.sort()
		var cells: Array[Vector2i] = found[hallway]
		area.set_meta("id", hallway)
		area.set_meta("doors", doors)
		area.set_meta("cells", cells)
		_outline(area, RoomTiles.rects(cells), Vector2i.ZERO)
		_switch_area(area)
		above.add_child(area)


func _add_marker(marker: Node2D) -> void:
	for group: StringName in marker.get_groups():
		if _kinds.has(group):
			marker.set_meta("kind", _kinds[group])
			marker.add_to_group("marker_%s" % _kinds[group], true)
			break
	if marker.get_meta("size", 0) is Vector2:
		marker.remove_meta("size")
	if marker.has_meta("properties"):
		marker.set_meta("properties", _parsed(str(marker.get_meta("properties"))))


## A whole number in a node's metadata, or -1.
static func _number(node: Node, fact: String) -> int:
	var value: Variant = node.get_meta(fact, -1)
	return value if value is int else -1


static func _switch_area(node: Node2D) -> void:
	var area := node as Area2D
	if area:
		area.collision_layer = 0
		area.collision_mask = 1
		area.monitorable = false


## The properties of a marker without separate fields: `NAME=VALUE; NAME=VALUE`.
static func _parsed(text: String) -> Dictionary:
	var found: Dictionary = {}
	for line: String in text.split("; ", false):
		var value := line.substr(line.find("=") + 1)
		var json := JSON.new()
		found[line.get_slice("=", 0)] = json.data if json.parse(value) == OK else value
	return found


## The tiles of an entity, relative to its level's top left.
func _rect_of(entity: Node2D) -> Rect2i:
	var size := Vector2(_size_of(entity) * _tile)
	var corner := entity.position - size / 2 if _centred else entity.position
	return Rect2i(_tile_of(corner), _size_of(entity))


## The size of a level or an entity in tiles; one tile if a field has taken that name.
func _size_of(node: Node2D) -> Vector2i:
	var size: Variant = node.get_meta("size", 0)
	var px := Vector2.ONE * _tile
	if size is Vector2i:
		var whole: Vector2i = size
		px = Vector2(whole)
	elif size is Vector2:
		px = size
	return _tile_of(px)


func _tile_of(place: Vector2) -> Vector2i:
	return Vector2i((place / _tile).round())
