extends SceneTree
## Plays the tutorial's game, a scene, with the keys of a person: walks on the level's navigation
## from the start through rooms to the boss, and tells what happens there.
##
## With a picture's path in front of the answer's, it takes one of the first fight, and fetches all
## keys and opens the locked doors before it goes to the boss. Nothing is drawn before the picture,
## so that it takes no longer.

const KEYS := {
	"ui_left": Vector2.LEFT, "ui_right": Vector2.RIGHT, "ui_up": Vector2.UP, "ui_down": Vector2.DOWN
}
const LONGEST := 60 * 120

var _game: Node
var _level: UndercroftLevel
var _player: CharacterBody2D
var _agent := NavigationAgent2D.new()
var _picture := ""
var _frames := 0
var _fought := 0


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var arguments := OS.get_cmdline_user_args()
	RenderingServer.render_loop_enabled = false
	var packed: PackedScene = load(arguments[0])
	_game = packed.instantiate()
	root.add_child(_game)
	_level = _game.get("level")
	_player = _game.get("_player")
	_agent.path_desired_distance = 6.0
	_player.add_child(_agent)
	var entered: Array[int] = []
	var shut: Array[int] = []
	var opened: Array[int] = []
	_level.room_entered.connect(func(room: UndercroftRoom) -> void: entered.append(room.id))
	_level.door_shut.connect(func(door: UndercroftDoor) -> void: shut.append(door.id))
	_level.door_opened.connect(func(door: UndercroftDoor) -> void: opened.append(door.id))
	var told := {"entered": entered, "shut": shut, "opened": opened}
	var boss := _level.plan.room_of_kind("boss")
	told["path"] = _level.path(_level.plan.room_of_kind("start"), boss).map(
		func(room: UndercroftRoom) -> int: return room.id
	)
	if arguments.size() > 2:
		_picture = arguments[1]
		await _unlock(told)
	var goal := _level.middle_of(boss.markers_of("boss")[0].tile)
	await _walk(goal, func() -> bool: return boss.id in _cleared())
	told["frames"] = _frames
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(told))
	file.close()
	_game.free()
	quit()


## Walks against each locked door, first without a key and then with one, and into its room. Tells
## how many keys it had before and after each door.
func _unlock(told: Dictionary) -> void:
	var locked := _level.plan.doors.filter(
		func(door: UndercroftDoor) -> bool: return door.kind == "locked"
	)
	var first: UndercroftDoor = locked[0]
	await _bump(first)
	told["without_key"] = [_held(), first.is_open]
	for marker: UndercroftMarker in _level.plan.markers:
		if marker.kind == "pickup" and marker.text("item") == "key":
			await _walk(_level.middle_of(marker.tile), _agent.is_navigation_finished)
	var spent: Array = []
	for door: UndercroftDoor in locked:
		var before := _held()
		await _bump(door)
		spent.append([door.id, before, _held(), door.is_open])
		for room: UndercroftRoom in door.rooms:
			var inside := _level.bounds_of(room).get_center()
			await _walk(inside, func() -> bool: return _level.room == room)
	told["spent"] = spent


## Walks to a door and half a second against it, or until it opens.
func _bump(door: UndercroftDoor) -> void:
	var middle := _level.middle_of_door(door)
	await _walk(middle, _agent.is_navigation_finished)
	for frame: int in 30:
		if not door.is_open:
			_press(_player.position.direction_to(middle))
			await physics_frame
	_press(Vector2())


func _held() -> int:
	return _game.get("keys")


## Goes somewhere with the arrow keys until it [param is_there]; waits while there is a fight.
func _walk(goal: Vector2, is_there: Callable) -> void:
	while _frames < LONGEST:
		_frames += 1
		await physics_frame
		if _agent.target_position == goal and is_there.call():
			_press(Vector2())
			return
		var fights := _level.room and _level.foes_in(_level.room) > 0
		_fought += 1 if fights else 0
		if _fought == 30 and _picture:
			await _shot(_picture)
			_picture = ""
		if _agent.target_position != goal:  # as in enemy.gd: two paths of one length would alternate
			_agent.target_position = goal
		var next := _agent.get_next_path_position()
		_press(Vector2() if fights else _player.global_position.direction_to(next))


func _shot(path: String) -> void:
	RenderingServer.render_loop_enabled = true
	for i: int in 2:
		await RenderingServer.frame_post_draw
	root.get_texture().get_image().save_png(path)
	RenderingServer.render_loop_enabled = false


func _cleared() -> Array:
	return (
		_level
		. plan
		. rooms
		. filter(
			func(room: UndercroftRoom) -> bool: return room.cleared and _level.foes_in(room) == 0
		)
		. map(func(room: UndercroftRoom) -> int: return room.id)
	)


func _press(direction: Vector2) -> void:
	for action: String in KEYS:
		var along: Vector2 = KEYS[action]
		var strength := maxf(direction.dot(along), 0.0)
		var event := InputEventAction.new()
		event.action = action
		event.pressed = strength > 0.1
		event.strength = strength
		Input.parse_input_event(event)
