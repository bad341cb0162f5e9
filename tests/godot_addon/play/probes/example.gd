extends SceneTree
## Plays the tutorial's game, a scene, with the keys of a person: walks on the level's navigation
## from the start through rooms to the boss, and tells what happens there.
##
## With a picture's path in front of the answer's, it takes one of the first fight. Nothing is drawn
## before, so that it takes no longer.

const KEYS := {
	"ui_left": Vector2.LEFT, "ui_right": Vector2.RIGHT, "ui_up": Vector2.UP, "ui_down": Vector2.DOWN
}
const LONGEST := 60 * 120

var _game: Node
var _level: UndercroftLevel
var _player: CharacterBody2D
var _agent := NavigationAgent2D.new()


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
	told["frames"] = await _walk(boss, arguments[1] if arguments.size() > 2 else "")
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(told))
	file.close()
	_game.free()
	quit()


## Goes to the boss with the arrow keys; waits where the doors are shut, and takes a picture of the
## first fight, if one is wanted. How many frames it took.
func _walk(boss: UndercroftRoom, picture: String) -> int:
	var goal := _level.middle_of(boss.markers_of("boss")[0].tile)
	var fought := 0
	for frame: int in LONGEST:
		await physics_frame
		if boss.id in _cleared():
			_press(Vector2())
			return frame
		var fights := _level.room and _level.foes_in(_level.room) > 0
		fought += 1 if fights else 0
		if fought == 30 and picture:
			await _shot(picture)
		if _agent.target_position != goal:  # as in enemy.gd: two paths of one length would alternate
			_agent.target_position = goal
		var next := _agent.get_next_path_position()
		_press(Vector2() if fights else _player.global_position.direction_to(next))
	return LONGEST


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
