extends "probe.gd"
## Goes through the floors of a run and back, and tells what they are like. Between any two floors,
## the run is saved and goes on in a new one.
##
## Arguments: a pack, a seed, a folder of scenes, the file for the answer.

var _pack: UndercroftPack
var _seed := 0
var _floors: Array[Dictionary] = []
var _again: Array[Dictionary] = []
var _scenes: Array[Array] = []
var _told := {"floors": _floors, "again": _again, "scenes": _scenes}


func _initialize() -> void:
	_pack = UndercroftPack.open(arguments[0])
	_seed = arguments[1].to_int()
	var run := UndercroftRun.start(_pack, _seed)
	_told["count"] = run.count
	run = _reopened(_walk(run))
	_told["carried"] = run.carried
	for place: int in range(run.count, 0, -1):
		run.place = place
		var scene := run.enter()
		_again.push_front(_seen(run))
		scene.free()
	_told["after"] = [run.next() != null, run.place]
	run.level.get_parent().free()
	_look_at_scenes()
	var documented: GDScript = load("res://floors/docs.gd")
	_told["documented"] = documented.can_instantiate()
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(_told))
	file.close()
	quit()


func _walk(run: UndercroftRun) -> UndercroftRun:
	var scene := run.enter()
	while scene:
		run.carried["coins"] = run.carried.get("coins", 0) + run.place
		var plan := run.level.plan
		var here := plan.room_of_kind("start")
		for room: UndercroftRoom in run.level.path(here, plan.room_of_kind("boss")):
			room.visited = true
			room.cleared = room.kind != "boss"
		for door: UndercroftDoor in plan.doors:
			if door.kind == "locked":
				door.is_barred = false
				run.level.open_door(door)
		plan.markers[-1].taken = true
		run.level.give_key("brass", run.place)
		run.state[run.place]["own"]["note"] = "floor %d" % run.place
		_floors.append(_seen(run))
		scene.free()
		if not run.has_next():
			break
		run.place += 1
		run = _reopened(run)
		scene = run.enter()
	return run


## The same run, from its saved text.
func _reopened(run: UndercroftRun) -> UndercroftRun:
	var saved: Dictionary = JSON.parse_string(JSON.stringify(run.save()))
	var other := UndercroftRun.start(_pack, 99)
	assert(other.load(saved))
	return other


func _seen(run: UndercroftRun) -> Dictionary:
	var level := run.level
	var told := level.state
	told["exit"] = run.exit().text("to")
	var here: Dictionary = run.state[run.place]
	told["own"] = here["own"]
	told["shut"] = (
		level.plan.doors.filter(func(door: UndercroftDoor) -> bool: return not door.is_open).size()
	)
	return told


func _look_at_scenes() -> void:
	var paths: PackedStringArray = []
	for name: String in DirAccess.get_files_at(arguments[2]):
		if name.ends_with(".tscn") and not name.ends_with("_edit.tscn"):
			paths.append(arguments[2].path_join(name))
	paths.sort()
	var run := UndercroftRun.start_scenes(paths)
	var scene := run.enter()
	while scene:
		_scenes.append([run.level.plan.fingerprint, run.exit().text("to")])
		scene.free()
		scene = run.next()
