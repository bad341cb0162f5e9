extends "probe.gd"
## Walks through a level with keys that must be taken, once for each file that it was written to.

const START := Vector2i(4, 4)
const HALLWAY := Vector2i(22, 5)
const BEYOND := Vector2i(31, 5)
const BOSS := Vector2i(8, 17)

var _level: UndercroftLevel
var _body: Node2D


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
		answers.append(await _play())
		top.free()
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(answers))
	file.close()
	quit()


func _play() -> Dictionary:
	var given: Array = []
	_level.key_given.connect(
		func(key: String, held: int) -> void: given.append([key, held, _level.room.id])
	)
	_body = Node2D.new()
	_level.get_parent().add_child(_body)
	_level.follow(_body)
	var told: Dictionary = {}
	await _go(START)
	await _go(HALLWAY)
	told["before"] = given.size()
	await _go(_level.plan.doors[1].tiles[0])
	told["in_doorway"] = given.size()
	await _go(BEYOND)
	told["beyond"] = given.duplicate(true)
	await _go(HALLWAY)
	await _go(BEYOND)
	_level.take_key(_level.plan.rooms[1].markers_of("key")[0])
	await _go(BOSS)
	told["given"] = given
	return told


func _go(tile: Vector2i) -> void:
	_body.position = _level.middle_of(tile)
	for i: int in 4:
		await physics_frame
