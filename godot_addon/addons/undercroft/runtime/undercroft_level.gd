class_name UndercroftLevel
extends Node
## A level while it is played: who is in which room, what its doors let through, and what is left
## to fight. Needs neither the editor nor the plugin, and works in exported games.
##
## [codeblock]
## var level := UndercroftLevel.from_scene($"isaac-7")
## level.room_entered.connect(func(room: UndercroftRoom) -> void: print(room.kind))
## level.follow(player)
## [/codeblock]
##
## Places are in px of the level's scene, or, of a level that was read from a level.json alone, in
## tiles of [member tile_size] px from its top left.

## The followed body came into a room, or left it: for another room or a hallway.
signal room_entered(room: UndercroftRoom)
signal room_left(room: UndercroftRoom)
## The last foe of a room is gone; see [method guard].
signal room_cleared(room: UndercroftRoom)
signal door_opened(door: UndercroftDoor)
signal door_shut(door: UndercroftDoor)

const JsonReader := preload("json_reader.gd")
const SceneReader := preload("scene_reader.gd")
const DoorNodes := preload("door_nodes.gd")
const Problem := preload("../import/problem.gd")

## In px.
@export var tile_size := 16

## Rooms, doors, hallways and markers.
var plan: UndercroftPlan
## The room that the followed body is in; null in a hallway, or while none is followed.
var room: UndercroftRoom

var _body: Node2D
var _scene: Node2D
var _door_nodes: DoorNodes
var _foes: Dictionary = {}


## The level of a NAME.level.json; null, and one line in the log, where it is none.
static func from_file(path: String) -> UndercroftLevel:
	var problem := Problem.new()
	return _made(JsonReader.read_file(path, problem), problem)


## The level of the text of a level.json; null, and one line in the log, where it is none. [param
## name] is what that line calls it.
static func from_text(text: String, name := "level.json") -> UndercroftLevel:
	var problem := Problem.new()
	return _made(JsonReader.read(name, text, problem), problem)


## The level that a scene shows; null, and one line in the log, where it shows none. It becomes a
## child of [param scene], and its doors are the scene's.
static func from_scene(scene: Node2D) -> UndercroftLevel:
	var problem := Problem.new()
	if scene == null:
		problem.note(
			"UndercroftLevel.from_scene", "", "there is no scene; was the pack's level built?"
		)
		return _made(null, problem)
	var reader := SceneReader.read(scene, problem)
	var level := _made(reader.plan(), problem)
	if level:
		level.tile_size = reader.tile_size
		level._scene = scene
		level._door_nodes = DoorNodes.new(scene, reader.door_nodes, reader.tile_size)
		scene.add_child(level)
	return level


static func _made(read: UndercroftPlan, problem: Problem) -> UndercroftLevel:
	if problem.found:
		push_error("Undercroft: " + problem.text)
		return null
	var level := UndercroftLevel.new()
	level.name = "UndercroftLevel"
	level.plan = read
	return level


func _physics_process(_delta: float) -> void:
	if is_instance_valid(_body) and _body.is_inside_tree():
		_set_room(room_of(_body))


# --- where ------------------------------------------------------------------------------


## The room at a place, its walls and doors included; null outside of every room.
func room_at(position: Vector2) -> UndercroftRoom:
	return plan.room_at_tile(tile_at(position))


## The hallway at a place; null where none is.
func hallway_at(position: Vector2) -> UndercroftHallway:
	return plan.hallway_at_tile(tile_at(position))


## The door at a place; null where none is.
func door_at(position: Vector2) -> UndercroftDoor:
	return plan.door_at_tile(tile_at(position))


## The room that a node of the level stands in; null in a hallway.
func room_of(node: Node2D) -> UndercroftRoom:
	return room_at(place_of(node))


## Where a node stands in the level, in px.
func place_of(node: Node2D) -> Vector2:
	return _scene.to_local(node.global_position) if _scene else node.global_position


func tile_at(position: Vector2) -> Vector2i:
	return Vector2i((position / tile_size).floor())


## The middle of a tile, in px.
func middle_of(tile: Vector2i) -> Vector2:
	return (Vector2(tile) + Vector2(0.5, 0.5)) * tile_size


## The middle of a door, in px.
func middle_of_door(door: UndercroftDoor) -> Vector2:
	var sum := Vector2()
	for tile: Vector2i in door.tiles:
		sum += middle_of(tile)
	return sum / maxi(door.tiles.size(), 1)


## The rectangle round a room, in px.
func bounds_of(of: UndercroftRoom) -> Rect2:
	return Rect2(of.bounds.position * tile_size, of.bounds.size * tile_size)


## The rooms that a room's doors lead to; see [code]plan.gd[/code].
func neighbours(of: UndercroftRoom, locked := true, secret := false) -> Array[UndercroftRoom]:
	return plan.neighbours(of, locked, secret)


## The rooms walked from one to another, both included; see [code]plan.gd[/code].
func path(
	from: UndercroftRoom, to: UndercroftRoom, locked := true, secret := false
) -> Array[UndercroftRoom]:
	return plan.path(from, to, locked, secret)


# --- doors ------------------------------------------------------------------------------


## Opens a door: its tiles, its collision and the navigation follow. One that was locked or hidden
## is barred no more.
func open_door(door: UndercroftDoor) -> void:
	door.is_barred = false
	if not door.is_open:
		door.is_open = true
		_show(door)
		door_opened.emit(door)


## Shuts a door; [method path] still leads through it, for it opens again.
func shut_door(door: UndercroftDoor) -> void:
	if door.is_open:
		door.is_open = false
		_show(door)
		door_shut.emit(door)


## Shuts all doors of a room.
func shut_doors_of(of: UndercroftRoom) -> void:
	for door: UndercroftDoor in of.doors:
		shut_door(door)


## Opens the doors of a room that nobody needs a key for, or has to find.
func open_doors_of(of: UndercroftRoom) -> void:
	for door: UndercroftDoor in of.doors:
		if not door.is_barred:
			open_door(door)


func _show(door: UndercroftDoor) -> void:
	if _door_nodes:
		_door_nodes.show(door.id, door.is_open)


# --- who ------------------------------------------------------------------------------


## Tells from now on which room a body is in, usually the player's.
func follow(body: Node2D) -> void:
	_body = body


## Counts a foe to a room, until it leaves the tree. When the last one has, the room is cleared.
func guard(of: UndercroftRoom, foe: Node) -> void:
	var count: int = _foes.get(of.id, 0)
	_foes[of.id] = count + 1
	foe.tree_exited.connect(_foe_left.bind(of), CONNECT_ONE_SHOT)


## How many foes a room has.
func foes_in(of: UndercroftRoom) -> int:
	return _foes.get(of.id, 0)


func _foe_left(of: UndercroftRoom) -> void:
	_foes[of.id] = foes_in(of) - 1
	if foes_in(of) == 0 and is_inside_tree():
		of.cleared = true
		room_cleared.emit(of)


func _set_room(now: UndercroftRoom) -> void:
	if now == room:
		return
	var before := room
	room = now
	if before:
		room_left.emit(before)
	if now:
		now.visited = true
		room_entered.emit(now)
