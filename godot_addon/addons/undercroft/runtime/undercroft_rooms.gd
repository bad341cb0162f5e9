class_name UndercroftRooms
extends Node
## Keeps only the rooms near the camera in the tree. What is in a room is neither drawn nor
## processed while the room is away, and comes back as it was left.
##
## [codeblock]
## var rooms := UndercroftRooms.new()
## add_child(rooms)
## rooms.watch(level)
## [/codeblock]
##
## In a level of one scene per room, all of a room leaves the tree. In any other level, such as one
## from a pack, its area, its markers and its decor scenes do; tile layers, doors and navigation
## belong to all rooms and stay.

## The nodes of a room are in the tree again, or are not any more.
signal room_added(room: UndercroftRoom)
signal room_removed(room: UndercroftRoom)
## A body of the game (see [method add_body]) sleeps, because the room that it stands in is away; or
## it has woken up.
signal body_slept(body: Node2D)
signal body_woke(body: Node2D)

const Away := preload("away.gd")
const PlanPart := preload("plan_part.gd")
const RectIndex := preload("rect_index.gd")

## How far a room leaves the view before it leaves the tree, by the margin within which it comes.
const _LINGER := 1.5

## The most rooms that are in the tree at once: the nearest ones.
@export var most_rooms := 10
## How far from the view rooms come into the tree, in px.
@export var margin := 128.0

## How many rooms the last frame looked at, however many the level has.
var looked_at := 0

var _level: UndercroftLevel
var _scene: Node2D
# The rooms' bounds, in px, by id.
var _bounds := RectIndex.new()
# What was settled last: what is in view, in the level's px, and the player's room.
var _view := Rect2()
var _room: UndercroftRoom
# The ids of the rooms in the tree.
var _present: Dictionary = {}
# The nodes of rooms and hallways, and those that are away.
var _nodes: Dictionary = {}
var _away := Away.new()
var _bodies: Array[Node2D] = []
# The process modes of the bodies that sleep.
var _asleep: Dictionary = {}


## Begins with a level from a scene. All its rooms must be in the tree. What is away of the level
## before comes back, and its bodies wake up.
func watch(level: UndercroftLevel) -> void:
	_let_go(false)
	_bounds = RectIndex.new()
	_view = Rect2()
	_level = level
	_scene = level.get_parent()
	for room: UndercroftRoom in level.plan.rooms:
		_bounds.add(level.bounds_of(room))
		_present[room.id] = true
		_nodes[room] = room.nodes.duplicate()
	for hallway: UndercroftHallway in level.plan.hallways:
		_nodes[hallway] = hallway.nodes.duplicate()
	for marker: UndercroftMarker in level.plan.markers:
		var place: PlanPart = marker.room
		for node: Node2D in marker.nodes:
			_take(node, place if place else marker.hallway)
	var things := _scene.get_node_or_null(^"Things")
	for thing: Node2D in things.get_children() if things else []:
		_take(thing, level.room_of(thing))


## Whether a room is in the tree.
func has(room: UndercroftRoom) -> bool:
	return _present.has(room.id)


## Lets a node of the game leave and enter the tree with a room, such as a chest or a light. A node
## that has no parent becomes a child of the level's scene.
func add(node: Node2D, room: UndercroftRoom) -> void:
	if node.get_parent() == null:
		_scene.add_child(node)
	var nodes: Array = _nodes[room]
	if not nodes.has(node):
		nodes.append(node)
	if not has(room):
		_away.take(node, room)


## Lets a body sleep while the room or hallway that it stands in is away. It stays in the tree, with
## [member Node.process_mode] disabled.
func add_body(body: Node2D) -> void:
	if not _bodies.has(body):
		_bodies.append(body)
	if body.is_inside_tree():
		_settle_body(body)


func _process(_delta: float) -> void:
	looked_at = 0
	if not is_instance_valid(_level):
		_let_go(false)  # also of nodes whose level is gone
		return
	if not _scene.is_inside_tree():
		return
	var to_level := _scene.get_global_transform_with_canvas().affine_inverse()
	var view := to_level * _scene.get_viewport_rect()
	if view != _view or _level.room != _room:
		_view = view
		_room = _level.room
		_settle(_wanted())


func _notification(what: int) -> void:
	if what == NOTIFICATION_PREDELETE:
		_let_go(true)


# Without this node, the rooms are back and bodies awake; without the level, its nodes are gone.
func _let_go(is_last: bool) -> void:
	for part: PlanPart in _nodes:
		_away.bring(part, is_last)
	for body: Variant in _asleep:
		if is_instance_valid(body):
			var sleeper: Node2D = body
			sleeper.process_mode = _asleep[body]
	for held: Dictionary in [_asleep, _nodes, _present]:
		held.clear()
	_bodies.clear()
	_level = null


# The ids of the rooms that are to be in the tree, of which there is always the player's.
func _wanted() -> Dictionary:
	var wanted: Dictionary = {}
	if _level.room:
		wanted[_level.room.id] = true
	var middle := _view.get_center()
	var near := _bounds.near(_view.grow(margin * _LINGER))
	looked_at = near.size()
	var order: PackedVector2Array = []
	for id: int in near:
		var bounds := _bounds.rects[id]
		var reach := margin * (_LINGER if _present.has(id) else 1.0)
		if bounds.intersects(_view.grow(reach)):
			var nearest := middle.clamp(bounds.position, bounds.end)
			order.append(Vector2(middle.distance_to(nearest), id))
	order.sort()
	for one: Vector2 in order:
		if wanted.size() < most_rooms:
			wanted[int(one.y)] = true
	return wanted


func _settle(wanted: Dictionary) -> void:
	var gone: Array[UndercroftRoom] = []
	var back: Array[UndercroftRoom] = []
	for id: int in _present:
		if not wanted.has(id):
			gone.append(_level.plan.rooms[id])
	for id: int in wanted:
		if not _present.has(id):
			back.append(_level.plan.rooms[id])
	if gone.is_empty() and back.is_empty():
		return
	_present = wanted
	for room: UndercroftRoom in gone:
		_remove(room)
		for hallway: UndercroftHallway in _hallways_of(room):
			if not _is_present(hallway):
				_remove(hallway)
		room_removed.emit(room)
	for room: UndercroftRoom in back:
		_away.bring(room)
		for hallway: UndercroftHallway in _hallways_of(room):
			_away.bring(hallway)
		room_added.emit(room)
	_forget_freed()
	for body: Node2D in _bodies:
		_settle_body(body)


func _settle_body(body: Node2D) -> void:
	var place := _level.place_of(body)
	var room := _level.room_at(place)
	var hallway := _level.hallway_at(place)
	var is_away := room != null and not has(room)
	is_away = is_away or (hallway != null and not _is_present(hallway))
	if is_away and not _asleep.has(body):
		_asleep[body] = body.process_mode
		body.process_mode = Node.PROCESS_MODE_DISABLED
		body_slept.emit(body)
	elif not is_away and _asleep.has(body):
		body.process_mode = _asleep[body]
		_asleep.erase(body)
		body_woke.emit(body)


# A node of the level: a body of its own, or a part of a room unless one of the room's nodes has it.
func _take(node: Node2D, part: PlanPart) -> void:
	if part == null:
		return
	if part.nodes.any(func(above: Node2D) -> bool: return above.is_ancestor_of(node)):
		return
	if node is CharacterBody2D or node is RigidBody2D:
		add_body(node)
		return
	var nodes: Array = _nodes[part]
	nodes.append(node)


func _is_present(hallway: UndercroftHallway) -> bool:
	return hallway.rooms.any(has)


static func _hallways_of(room: UndercroftRoom) -> Array[UndercroftHallway]:
	var found: Array[UndercroftHallway] = []
	for door: UndercroftDoor in room.doors:
		if door.hallway:
			found.append(door.hallway)
	return found


func _remove(part: PlanPart) -> void:
	var nodes: Array = _nodes[part]
	nodes = nodes.filter(is_instance_valid)
	_nodes[part] = nodes
	for node: Node2D in nodes:
		_away.take(node, part)


func _forget_freed() -> void:
	_bodies = _bodies.filter(is_instance_valid)
	for body: Variant in _asleep.keys():
		if not is_instance_valid(body):
			_asleep.erase(body)
