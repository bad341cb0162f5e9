extends "probe.gd"
## Goes to a door that is locked and lets nobody back, once for each file: what it does in the
## hallway without the key and with it, in the room behind it, and in the hallway again.

const HALLWAY := Vector2i(22, 5)
const BEYOND := Vector2i(31, 5)

var _level: UndercroftLevel
var _body: Node2D


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var answers: Array = []
	for path: String in arguments.slice(0, -1):
		_level = UndercroftLevel.from_file(path)
		root.add_child(_level)
		_body = Node2D.new()
		_level.add_child(_body)
		_level.follow(_body)
		answers.append(await _play())
		_level.free()
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(answers))
	file.close()
	quit()


func _play() -> Dictionary:
	var told: Dictionary = {}
	var door := _level.plan.doors[1]
	await _go(HALLWAY)
	told["without"] = [door.is_open, door.is_barred, _level.open_door(door)]
	var first := _level.plan.rooms[0]
	told["counted_on"] = _level.neighbours(first, false).has(_level.plan.rooms[1])
	await _go(BEYOND)
	_level.open_door(door)
	_level.give_key("gold_key")
	told["from_behind"] = [_level.open_door(door), _level.keys.duplicate()]
	for marker: UndercroftMarker in _level.plan.markers:
		if marker.is_true("lever"):
			_level.take_key(marker)
	told["is_locked"] = door.is_locked
	await _go(HALLWAY)
	told["before"] = door.is_open
	told["with"] = [_level.open_door(door), _level.keys.duplicate()]
	told["now_counted_on"] = _level.neighbours(first, false).has(_level.plan.rooms[1])
	await _go(BEYOND)
	told["behind"] = [door.is_open, _level.open_door(door)]
	await _go(HALLWAY)
	told["again"] = [door.is_open, _level.open_door(door), _level.keys.get("gold_key", 0)]
	return told


func _go(tile: Vector2i) -> void:
	_body.position = _level.middle_of(tile)
	for i: int in 4:
		await physics_frame
