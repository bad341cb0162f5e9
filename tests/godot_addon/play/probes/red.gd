extends "probe.gd"
## Walks from a room beside a red one into the ultra secret room: against the red door without a
## red key and with one, and on through the red room.

const Belongings := preload("res://demo/belongings.gd")
const Doors := preload("res://demo/doors.gd")
const Player := preload("res://demo/player.gd")

const MAX_FRAMES := 60 * 60

var _level: UndercroftLevel
var _player: Player
var _map: RID
var _said := ""
var _entered: Array[int] = []
var _opened: Array[int] = []


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	_begin((load(arguments[0]) as PackedScene).instantiate() as Node2D)
	var ultra := _level.plan.room_of_kind("ultra_secret")
	var red := _level.neighbours(ultra, true, true)[0]
	var beside := _level.neighbours(red, true, true).filter(
		func(room: UndercroftRoom) -> bool: return room != ultra
	)
	var first: UndercroftRoom = beside[0]
	_player.position = _before(_level.plan.doors_between(first, red)[0], first)
	_level.follow(_player)
	await _frames(3)
	var map := UndercroftMinimap.new()
	root.add_child(map)
	map.show_level(_level)
	var shown: Array[bool] = [map.shows(red)]
	await _go_through(first, red)
	var without_key := [_level.plan.doors_between(first, red)[0].is_open, _said]
	_player.belongings.take("red_key")
	await _go_through(first, red)
	shown.append(map.shows(red))
	await _go_through(red, ultra)
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	var told := {"without_key": without_key, "shown": shown}
	file.store_string(JSON.stringify(told.merged({"entered": _entered, "opened": _opened})))
	file.close()
	quit()


func _begin(scene: Node2D) -> void:
	_level = UndercroftLevel.from_scene(scene)
	root.add_child(scene)
	_map = scene.get_world_2d().navigation_map
	_player = (load("res://demo/player.tscn") as PackedScene).instantiate() as Player
	_player.decor = scene.get_node("Decor")
	_player.belongings = Belongings.new()
	_player.belongings.health = 1000  # a red room may burn
	scene.add_child(_player)
	var doors := Doors.new()
	root.add_child(doors)
	doors.watch(_level, _player)
	doors.said.connect(func(what: String) -> void: _said = what)
	_level.room_entered.connect(func(room: UndercroftRoom) -> void: _entered.append(room.id))
	_level.door_opened.connect(func(door: UndercroftDoor) -> void: _opened.append(door.id))


## Walks up to the door from one room to another, and against it until it has been passed or says
## what it wants.
func _go_through(from: UndercroftRoom, to: UndercroftRoom) -> void:
	var door := _level.plan.doors_between(from, to)[0]
	var ahead := _ahead(door, from)
	_said = ""
	for i: int in MAX_FRAMES:
		var goal := _before(door, from)
		var is_there := _player.position.distance_to(goal) < 3.0
		if is_there:
			break
		_walk(_next_place(goal) - _player.position)
		await physics_frame
	var aside := ahead.orthogonal().abs()
	for i: int in MAX_FRAMES:
		if _level.room == to or _said:
			break
		var off := (_level.middle_of_door(door) - _player.position) * aside
		_walk(ahead * 20.0 + off)
		await physics_frame
	_walk(Vector2())


func _next_place(goal: Vector2) -> Vector2:
	var path := NavigationServer2D.map_get_path(_map, _player.position, goal, true)
	for place: Vector2 in path:
		if place.distance_to(_player.position) > 3.0:
			return place
	return goal


func _ahead(door: UndercroftDoor, from: UndercroftRoom) -> Vector2:
	var ahead := Vector2(door.tiles[-1] - door.tiles[0]).sign()
	return ahead if door.room_ids[0] == from.id else -ahead


## In front of a door, within a room.
func _before(door: UndercroftDoor, from: UndercroftRoom) -> Vector2:
	return _level.middle_of_door(door) - _ahead(door, from) * _level.tile_size * 1.5


func _walk(direction: Vector2) -> void:
	var unit := direction.normalized()
	for axis: String in ["move_left", "move_right", "move_up", "move_down"]:
		Input.action_release(axis)
	if unit:
		_press("move_left", -unit.x)
		_press("move_right", unit.x)
		_press("move_up", -unit.y)
		_press("move_down", unit.y)


func _press(action: String, strength: float) -> void:
	if strength > 0.0:
		Input.action_press(action, strength)


func _frames(count: int) -> void:
	for i: int in count:
		await physics_frame
