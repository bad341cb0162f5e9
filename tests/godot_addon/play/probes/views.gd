extends "probe.gd"
## Walks through all rooms of a level as a body that is put there, and tells what the signals, the
## minimap and both cameras make of it.

var _level: UndercroftLevel
var _minimap := UndercroftMinimap.new()
var _camera := UndercroftRoomCamera.new()
var _body := Node2D.new()
var _events: Array = []


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var packed: PackedScene = load(arguments[0])
	var scene: Node2D = packed.instantiate()
	scene.position = Vector2(1000, 500)  # a level need not lie at the origin
	root.add_child(scene)
	_level = UndercroftLevel.from_scene(scene)
	scene.add_child(_body)
	scene.add_child(_camera)
	_camera.level = _level
	_camera.target = _body
	_camera.speed = 0.0
	root.add_child(_minimap)
	_minimap.show_level(_level)
	_level.room_entered.connect(_note.bind("entered"))
	_level.room_left.connect(_note.bind("left"))
	_level.room_cleared.connect(_note.bind("cleared"))
	var told := {"before": _shown(), "steps": await _steps(), "events": _events}
	told["view"] = [root.get_visible_rect().size.x, root.get_visible_rect().size.y]
	told["lost"] = _is_hidden_by("lost")
	told["blind"] = _is_hidden_by("blind")
	var answer := FileAccess.open(arguments[-1], FileAccess.WRITE)
	answer.store_string(JSON.stringify(told))
	answer.close()
	_minimap.free()
	scene.free()
	quit()


## For each room: what the map shows once the body is there, and where both cameras look; in px.
func _steps() -> Array:
	var steps: Array = []
	_level.follow(_body)
	for room: UndercroftRoom in _level.plan.rooms:
		_body.position = _place_in(room)
		var foe := Node.new()
		_level.add_child(foe)
		_level.guard(room, foe)
		await physics_frame
		await physics_frame
		await process_frame
		foe.free()
		var step := {"id": room.id, "in": _level.room.id if _level.room else -1}
		step["at"] = [_body.position.x, _body.position.y]
		step["shown"] = _shown()
		for follow: int in [UndercroftRoomCamera.Follow.ROOM, UndercroftRoomCamera.Follow.TARGET]:
			_camera.follow = follow as UndercroftRoomCamera.Follow
			_camera.snap()
			step["camera%d" % follow] = [_camera.position.x, _camera.position.y]
		steps.append(step)
	return steps


## The first tile of a room that is its own: an L's bounds have others' too.
func _place_in(room: UndercroftRoom) -> Vector2:
	for y: int in range(room.bounds.position.y, room.bounds.end.y):
		for x: int in range(room.bounds.position.x, room.bounds.end.x):
			if _level.plan.room_at_tile(Vector2i(x, y)) == room:
				return _level.middle_of(Vector2i(x, y))
	return Vector2()


func _shown() -> Array:
	return _level.plan.rooms.filter(_minimap.shows).map(
		func(room: UndercroftRoom) -> int: return room.id
	)


func _is_hidden_by(curse: String) -> bool:
	_level.plan.facts["curse"] = curse
	var other := UndercroftMinimap.new()
	root.add_child(other)
	other.show_level(_level)
	var hidden := not other.visible
	other.free()
	return hidden


func _note(room: UndercroftRoom, what: String) -> void:
	_events.append([what, room.id])
