extends "probe.gd"
## Goes through a level with a lock of two keys, a door that lets nobody back and a shortcut, once
## for each file that it was written to.

## Places of the level, in tiles.
const START := Vector2i(4, 4)
const HALLWAY := Vector2i(22, 5)
const BEYOND := Vector2i(31, 5)
const BOSS := Vector2i(8, 17)

var _level: UndercroftLevel
var _body: Node2D
var _told: Dictionary


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var answers: Array = []
	for path: String in arguments.slice(0, -1):
		var top: Node
		if path.ends_with(".json"):
			_level = UndercroftLevel.from_file(path)
			top = _level
			root.add_child(top)
		else:
			top = (load(path) as PackedScene).instantiate()
			root.add_child(top)
			_level = UndercroftLevel.from_scene(top as Node2D)
		_told = {"has_ways": not path.ends_with(".json")}
		await _play()
		answers.append(_told)
		top.free()
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(answers))
	file.close()
	quit()


func _play() -> void:
	var doors := _level.plan.doors
	var one_way := doors[1]
	var lock := doors[2]
	var shortcut := doors[4]
	var events: Array = []
	_level.door_refused.connect(func(door: UndercroftDoor) -> void: events.append(["no", door.id]))
	_level.key_given.connect(
		func(key: String, held: int) -> void: events.append(["given", key, held])
	)
	_level.key_used.connect(
		func(key: String, held: int) -> void: events.append(["used", key, held])
	)
	_body = Node2D.new()
	_level.get_parent().add_child(_body)
	_level.follow(_body)
	await _go(START)
	_told["doors"] = doors.map(_door)
	_told["at_start"] = _state()
	_told["refused"] = [_level.open_door(lock), Array(lock.missing(_level.keys))]
	await _go(HALLWAY)
	await _go(one_way.tiles[1])
	var in_doorway := one_way.is_open
	await _go(BEYOND)
	_told["one_way"] = [in_doorway, one_way.is_open, _level.open_door(one_way)]
	_told["beyond"] = _state()
	_take("silver_key")
	await _go(shortcut.tiles[0])
	_level.shut_doors_of(_level.room)
	_level.open_doors_of(_level.room)  # as after a fight
	_told["after_fight"] = [one_way.is_open, shortcut.is_open]
	_told["other_side"] = _level.open_door(shortcut, _level.plan.rooms[2])
	_told["own_side"] = _level.open_door(shortcut)
	await _go(BOSS)
	_told["opened_again"] = one_way.is_open
	_take("gold_key")
	_take("gold_key")
	_told["lock"] = [_level.open_door(lock), _level.keys.duplicate()]
	await _go(BOSS)
	_told["at_end"] = _state()
	_take("gate")
	_told["events"] = events
	_body.free()


func _take(key: String) -> void:
	for marker: UndercroftMarker in _level.plan.markers:
		if marker.kind == "key" and marker.text("opens") == key:
			_level.take_key(marker)


func _go(tile: Vector2i) -> void:
	_body.position = _level.middle_of(tile)
	for i: int in 16:
		await physics_frame


static func _door(door: UndercroftDoor) -> Array:
	return [door.kind, Array(door.needs), door.one_way, door.opens_from, door.is_open, door.joins]


## Where one can go from each room, and which ways navigation knows between three places.
func _state() -> Dictionary:
	var places := {"start": START, "beyond": BEYOND, "boss": BOSS}
	var ways: Array = []
	for from: String in places:
		for to: String in places:
			var here: Vector2i = places[from]
			var there: Vector2i = places[to]
			var goal := _level.middle_of(there)
			var way := _way(here, there)
			if from != to and way and way[-1].distance_to(goal) < 1.0:
				ways.append(from + " to " + to)
	return {
		"ways": ways,
		"next": _level.plan.rooms.map(_rooms_beside.bind(true)),
		"unlocked": _level.plan.rooms.map(_rooms_beside.bind(false)),
	}


func _way(from: Vector2i, to: Vector2i) -> PackedVector2Array:
	var map := root.world_2d.navigation_map
	return NavigationServer2D.map_get_path(map, _level.middle_of(from), _level.middle_of(to), true)


func _rooms_beside(room: UndercroftRoom, locked: bool) -> Array:
	return _level.neighbours(room, locked).map(func(other: UndercroftRoom) -> int: return other.id)
