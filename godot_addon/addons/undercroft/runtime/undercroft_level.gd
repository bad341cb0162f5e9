class_name UndercroftLevel
extends Node
## A level while it is played: the player's room, the state of the doors, and the enemies left in
## rooms. It needs neither the editor nor the plugin, and works in exported games.
##
## [codeblock]
## var level := UndercroftLevel.from_scene($"isaac-7")
## level.room_entered.connect(func(room: UndercroftRoom) -> void: print(room.kind))
## level.follow(player)
## [/codeblock]
##
## Places are in px of the level's scene. For a level read only from a level.json, they are in px
## from its top left, with tiles of [member tile_size] px.

## The followed body entered a room, or left it for another room or a hallway.
signal room_entered(room: UndercroftRoom)
signal room_left(room: UndercroftRoom)
## The last enemy of a room is gone; see [method guard].
signal room_cleared(room: UndercroftRoom)
signal door_opened(door: UndercroftDoor)
signal door_shut(door: UndercroftDoor)
## A door did not open: a key is missing, or it opens only from its other side.
signal door_refused(door: UndercroftDoor)
## The player got a key, or a lock used one up; [param held] is how many are left.
signal key_given(key: String, held: int)
signal key_used(key: String, held: int)

const JsonReader := preload("json_reader.gd")
const SceneReader := preload("scene_reader.gd")
const DoorNodes := preload("door_nodes.gd")
const Gates := preload("gates.gd")
const LevelState := preload("level_state.gd")
const Problem := preload("problem.gd")

## In px.
@export var tile_size := 16

## Rooms, doors, hallways and markers.
var plan: UndercroftPlan
## The room that the followed body is in; null in a hallway, or if no body is followed.
var room: UndercroftRoom
## The hallway that it is in, or null.
var hallway: UndercroftHallway:
	get:
		return hallway_at(place_of(_body)) if room == null and is_instance_valid(_body) else null
## How many of each key the player has, by the name that doors need.
var keys: Dictionary:
	get:
		return _gates.held
## What has happened here, for a saved game: rooms that were seen and cleared, doors that were
## opened, markers that were taken, and the level's keys. JSON can hold it. Set it on a level that
## was just built; the state of another level changes nothing and logs one line.
var state: Dictionary:
	get:
		return LevelState.of(plan, keys)
	set(saved):
		LevelState.read(self, saved)

var _body: Node2D
var _must: Array[UndercroftMarker] = []
var _scene: Node2D
var _door_nodes: DoorNodes
var _foes: Dictionary = {}
var _gates: Gates


## Reads a NAME.level.json. If it is not a level: null, and one line in the log.
static func from_file(path: String) -> UndercroftLevel:
	var problem := Problem.new()
	return _made(JsonReader.read_file(path, problem), problem)


## Reads the text of a level.json. If it is not a level: null, and one line in the log, which calls
## it [param name].
static func from_text(text: String, name := "level.json") -> UndercroftLevel:
	var problem := Problem.new()
	return _made(JsonReader.read(name, text, problem), problem)


## Reads the level in a scene. If it is not a level: null, and one line in the log. The node becomes
## a child of [param scene] and controls the scene's doors.
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
	level._gates = Gates.of(read)
	return level


func _physics_process(_delta: float) -> void:
	if is_instance_valid(_body) and _body.is_inside_tree():
		_set_room(room_of(_body))
		# In a doorway, nothing changes: what changes the navigation there makes a body that follows
		# it turn back.
		if door_at(place_of(_body)) == null:
			_take_must_keys()
			_turn_one_ways()


# --- where ------------------------------------------------------------------------------


## The room at a place, including walls and doors; null outside all rooms.
func room_at(position: Vector2) -> UndercroftRoom:
	return plan.room_at_tile(tile_at(position))


## The hallway at a place, or null.
func hallway_at(position: Vector2) -> UndercroftHallway:
	return plan.hallway_at_tile(tile_at(position))


## The door at a place, or null.
func door_at(position: Vector2) -> UndercroftDoor:
	return plan.door_at_tile(tile_at(position))


## The room that a node of the level is in; null in a hallway.
func room_of(node: Node2D) -> UndercroftRoom:
	return room_at(place_of(node))


## The place of a node in the level, in px.
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


## The rectangle around a room, in px.
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


## Opens a door from a room, usually the one that the followed body is in. This updates the door's
## tiles, collision and navigation. A lock uses up consumable keys. A locked, secret or red door is
## no longer barred afterwards. Returns false and emits [signal door_refused] if the door does not
## open: a key is missing (see [method UndercroftDoor.missing]), or it opens only from its other
## side. To open a door without its keys, set [member UndercroftDoor.is_barred] to false first.
func open_door(door: UndercroftDoor, from := room) -> bool:
	if not _gates.opens_to(door, from):
		door_refused.emit(door)
		return false
	if door.is_barred and door.is_locked:
		for key: String in door.needs:
			if _gates.is_consumed(key):
				_gates.add(key, -1)
				key_used.emit(key, _gates.how_many(key))
	door.is_barred = false
	door.is_locked = false
	if not door.is_open:
		door.is_open = true
		_show(door)
		door_opened.emit(door)
	return true


## Shuts a door. [method path] still leads through it, because it can be opened again.
func shut_door(door: UndercroftDoor) -> void:
	if door.is_open:
		door.is_open = false
		_show(door)
		door_shut.emit(door)


## Gives the player a key, by the name that doors need.
func give_key(key: String, count := 1) -> void:
	_gates.add(key, count)
	key_given.emit(key, _gates.how_many(key))


## Takes the key of a marker, once. A lever is a key that immediately opens its doors from afar. A
## key with the property [code]must[/code] is taken as soon as the followed body is in its room.
func take_key(marker: UndercroftMarker) -> void:
	if marker.kind != "key" or marker.taken:
		return
	marker.taken = true
	var key := marker.text("opens")
	give_key(key)
	if marker.is_true("lever"):
		for door: UndercroftDoor in plan.doors:
			if not door.is_barred or not door.is_locked or not door.needs.has(key):
				continue
			if door.missing(keys).is_empty():
				open_door(door, null if door.one_way else room)


# Keys with `must` are the player's once they are in the room, past its doors.
func _take_must_keys() -> void:
	var taken := _must
	_must = []
	for marker: UndercroftMarker in taken:
		take_key(marker)


## Shuts all doors of a room.
func shut_doors_of(of: UndercroftRoom) -> void:
	for door: UndercroftDoor in of.doors:
		shut_door(door)


## Opens the doors of a room, except those that need a key or are hidden.
func open_doors_of(of: UndercroftRoom) -> void:
	for door: UndercroftDoor in of.doors:
		if not door.is_barred:
			open_door(door)


# One-way doors open to bodies that come, and shut behind them.
func _turn_one_ways() -> void:
	var turned := _gates.turned(room, place_of(_body) / tile_size)
	for door: UndercroftDoor in turned:
		var barred: bool = turned[door]
		door.is_barred = barred
		if barred:
			shut_door(door)
		else:
			open_door(door)


func _show(door: UndercroftDoor) -> void:
	if _door_nodes:
		_door_nodes.show(door.id, door.is_open)


# --- who ------------------------------------------------------------------------------


## Tracks which room a body is in, usually the player.
func follow(body: Node2D) -> void:
	_body = body


## Adds an enemy to a room, until it leaves the tree. When the last one has left, the room is
## cleared.
func guard(of: UndercroftRoom, foe: Node) -> void:
	var count: int = _foes.get(of.id, 0)
	_foes[of.id] = count + 1
	foe.tree_exited.connect(_foe_left.bind(of), CONNECT_ONE_SHOT)


## The number of enemies in a room.
func foes_in(of: UndercroftRoom) -> int:
	return _foes.get(of.id, 0)


func _foe_left(of: UndercroftRoom) -> void:
	_foes[of.id] = foes_in(of) - 1
	if foes_in(of) == 0 and is_inside_tree():
		of.cleared = true
		room_cleared.emit(of)


static func _must_keys_of(of: UndercroftRoom) -> Array[UndercroftMarker]:
	var keys: Array[UndercroftMarker] = []
	if of:
		for marker: UndercroftMarker in of.markers_of("key"):
			if marker.is_true("must") and not marker.taken:
				keys.append(marker)
	return keys


func _set_room(now: UndercroftRoom) -> void:
	if now == room:
		return
	var before := room
	room = now
	_must = _must_keys_of(now)
	if now:
		now.visited = true
	if before:
		room_left.emit(before)
	if now:
		room_entered.emit(now)
