extends Node
## Plays the demo with the same inputs that a person has: it presses the buttons of the title
## screen, walks, shoots and goes from room to room. Its only help is a longer life.
##
## It plays a new run of [code]style[/code] and [code]seed[/code], or goes on with the saved one:
## to the next floor, to the end of a [code]whole[/code] run, or, having been in [code]rooms[/code]
## rooms, until it leaves for the title.
##
## On a screen, it takes a [code]picture[/code] of the boss; nothing else is drawn.

const Doors := preload("res://demo/doors.gd")
const Game := preload("res://demo/game.gd")
const Problem := preload("res://addons/undercroft/runtime/problem.gd")
const Run := preload("res://demo/run.gd")
const Saves := preload("res://demo/saves.gd")
const Seeker := preload("seeker.gd")
const Title := preload("res://demo/title.gd")

const LIFE := 60
## Frames for one floor; a person needs some minutes.
const MAX_FRAMES := 60 * 60 * 5

var scenario: Dictionary

var _game: Game
var _told := {"entered": [], "cleared": [], "shut": 0, "opened": 0, "ended": ""}
var _frames := 0
var _began := 0  # the floor, by frames
var _floor := 0
var _is_new := true  # the floor is not begun
var _agent: NavigationAgent2D
# The navigation map's number when the floor came: until the next it is still that of the scene
# before, which for the title is any level.
var _old_map := 0
# Where a level with locks leads next; see the seeker.
var _sought := Vector2()


func _ready() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	RenderingServer.render_loop_enabled = not scenario.has("picture")
	_press_buttons.call_deferred()


func _press_buttons() -> void:
	await get_tree().process_frame
	var title: Title = get_tree().current_scene
	_told["title"] = _texts(title)
	if scenario.has("style"):
		for button: Button in title.get_node("%Styles").get_children():
			if button.text == scenario["style"]:
				button.pressed.emit()
		(title.get_node("%Seed") as LineEdit).text = scenario["seed"]
		(title.get_node("%New") as Button).pressed.emit()
		_told["asked"] = _texts(title)["note"] == Title.GIVE_UP
		if _told["asked"]:
			(title.get_node("%New") as Button).pressed.emit()
	else:
		(title.get_node("%Continue") as Button).pressed.emit()


func _physics_process(_delta: float) -> void:
	_frames += 1
	var scene := get_tree().current_scene
	if scene is Title and _floor:
		_end("left")
	if not scene is Game or not (scene as Game).player:
		return
	var number := (scene as Game).run.floor_number
	if _floor > 0 and number > _floor and scenario.get("reload", false):
		_reload(number)
		return
	if _is_new or (number > _floor and scenario.get("whole", false)):
		_begin(scene as Game)
	_release()
	var ending: CanvasLayer = scene.get_node("Ending")
	if number > _floor:
		_end("down")
	elif ending.visible:
		_end("won" if _game.player.belongings.health > 0 else "lost")
	elif _frames - _began > MAX_FRAMES:
		_end("tired")
	elif _is_to_leave():
		_leave()
	elif NavigationServer2D.map_get_iteration_id(_map()) > _old_map:
		_fight()
		_walk()


## Goes on with the run as it is saved, as if the game had been closed between two floors.
func _reload(number: int) -> void:
	_floor = number
	_is_new = true
	_told["reloaded"] = _told.get("reloaded", 0) + 1
	Run.current = Saves.read(Problem.new())
	get_tree().change_scene_to_file("res://demo/game.tscn")


func _begin(game: Game) -> void:
	_game = game
	_is_new = false
	_began = _frames
	if scenario.has("style"):
		game.player.belongings.health = LIFE
		game.player.belongings.most_health = LIFE  # an item that heals cuts off what is above it
	_floor = game.run.floor_number
	_old_map = NavigationServer2D.map_get_iteration_id(_map())
	_agent = NavigationAgent2D.new()
	_agent.path_desired_distance = 4.0
	_agent.target_desired_distance = 4.0
	game.player.add_child(_agent)
	_told["begin"] = _state()
	_told["red"] = Doors.are_red(game.level)
	_told["path"] = _way().map(func(room: UndercroftRoom) -> int: return room.id)
	var level := game.level
	_told["locks"] = level.plan.doors.filter(_is_locked).size()
	var keys: Array[String] = []
	_told["keys"] = keys
	level.key_given.connect(func(key: String, _held: int) -> void: keys.append(key))
	level.room_entered.connect(_note.bind("entered"))
	level.room_cleared.connect(_note.bind("cleared"))
	level.door_shut.connect(func(_door: UndercroftDoor) -> void: _told["shut"] += 1)
	level.door_opened.connect(func(_door: UndercroftDoor) -> void: _told["opened"] += 1)


static func _is_locked(door: UndercroftDoor) -> bool:
	return not door.needs.is_empty()


func _is_to_leave() -> bool:
	var entered: Array = _told["entered"]
	var room := _game.level.room
	return scenario.has("rooms") and entered.size() >= scenario["rooms"] and room and room.cleared


func _leave() -> void:
	_told["end"] = _state()
	var escape := InputEventAction.new()
	escape.action = &"ui_cancel"
	escape.pressed = true
	Input.parse_input_event(escape)


func _end(how: String) -> void:
	set_physics_process(false)
	_release()
	_told["ended"] = how
	_told["frames"] = _frames
	await get_tree().process_frame
	if how == "left":
		_told["title_after"] = _texts(get_tree().current_scene as Title)
	elif how == "down":
		_game = get_tree().current_scene
		_told["end"] = _state()
	elif how == "tired":
		_told["stuck"] = [_state(), get_tree().get_nodes_in_group("foe").map(str)]
	var file := FileAccess.open(str(scenario["answer"]), FileAccess.WRITE)
	file.store_string(JSON.stringify(_told))
	file.close()
	get_tree().quit()


func _state() -> Dictionary:
	var place := _game.player.position
	var level := _game.level
	return {
		"floor": _game.run.floor_number,
		"fingerprint": level.plan.fingerprint,
		"belongings": _game.run.belongings.to_table(),
		"visited": _ids(func(room: UndercroftRoom) -> bool: return room.visited),
		"cleared": _ids(func(room: UndercroftRoom) -> bool: return room.cleared),
		"place": [place.x, place.y],
	}


func _ids(is_wanted: Callable) -> Array:
	var rooms := _game.level.plan.rooms.filter(is_wanted)
	return rooms.map(func(room: UndercroftRoom) -> int: return room.id)


func _texts(title: Title) -> Dictionary:
	var saved: Button = title.get_node("%Continue")
	var note: Label = title.get_node("%Note")
	return {"continue": saved.text if saved.visible else "", "note": note.text}


func _note(room: UndercroftRoom, what: String) -> void:
	var rooms: Array = _told[what]
	rooms.append(room.id)


func _way() -> Array[UndercroftRoom]:
	var plan := _game.level.plan
	return _game.level.path(plan.room_of_kind("start"), plan.room_of_kind("boss"))


# --- what it does -----------------------------------------------------------------------------


func _fight() -> void:
	var foe := _nearest_foe()
	if foe:
		_press("aim", _game.player.position.direction_to(foe.position))
	if foe and scenario.has("picture") and _game.level.room == _boss_room():
		_shot(str(scenario["picture"]))
		scenario.erase("picture")


func _boss_room() -> UndercroftRoom:
	return _game.level.plan.room_of_kind("boss")


func _shot(path: String) -> void:
	RenderingServer.render_loop_enabled = true
	for i: int in 2:
		await RenderingServer.frame_post_draw
	get_viewport().get_texture().get_image().save_png(path)
	RenderingServer.render_loop_enabled = false


func _walk() -> void:
	var player := _game.player
	var goal := _goal()
	var foe := _nearest_foe()
	var direction := player.position.direction_to(_next_place(goal))
	# Near enough: aside, round the foe, and away from it; but now and then nearer, for what the bot
	# sees past a corner its shots may not reach.
	if foe and _sees(foe) and _frames / 300 % 3 < 2:
		var away := foe.position.direction_to(player.position)
		var near := foe.position.distance_to(player.position) < 55.0
		direction = (
			(away if near else Vector2()) + away.orthogonal() * (1 if _frames / 90 % 2 else -1)
		)
	_press("move", direction)


## A place in px: near a foe, the way out, the boss's room, or a room further on the way there.
func _goal() -> Vector2:
	var level := _game.level
	var room := level.room
	var foe := _nearest_foe()
	if foe:
		return foe.position
	var boss := level.plan.room_of_kind("boss")
	if boss.cleared:
		return level.middle_of(boss.markers_of("exit")[0].tile)
	if room == boss:
		return level.bounds_of(boss).get_center()
	if _told["locks"] > 0 and (_frames % 20 == 0 or _sought == Vector2()):
		_sought = Seeker.goal(level, _game.player.position, _map())
	if _sought != Vector2() and _sought.is_finite():
		return _sought
	# The shortest way through hallways need not be the one with the fewest rooms.
	if room == null or level.plan.hallways:
		return _inside(boss)
	return _inside(level.path(room, boss)[1])


## A place in a room that one can walk to.
func _inside(room: UndercroftRoom) -> Vector2:
	var level := _game.level
	for marker: UndercroftMarker in room.markers:
		var place := level.middle_of(marker.tile)
		if _can_stand_at(place):
			return place
	return level.bounds_of(room).get_center()


## Where to walk first on the way to a place; at the end, the place itself.
func _next_place(goal: Vector2) -> Vector2:
	if Seeker.is_before(_game.player.position, goal) and not _can_stand_at(goal):
		return goal
	if _frames % 20 == 0 or _agent.target_position.distance_to(goal) > 1.0:
		_agent.target_position = goal
	return goal if _agent.is_navigation_finished() else _agent.get_next_path_position()


func _can_stand_at(place: Vector2) -> bool:
	return NavigationServer2D.map_get_closest_point(_map(), place).distance_to(place) < 1.0


func _map() -> RID:
	return _game.get_world_2d().navigation_map


## Whether a shot would get there.
func _sees(foe: Node2D) -> bool:
	var player := _game.player
	var ray := PhysicsRayQueryParameters2D.create(player.global_position, foe.global_position, 4)
	return player.get_world_2d().direct_space_state.intersect_ray(ray).is_empty()


func _nearest_foe() -> Node2D:
	var nearest: Node2D
	for foe: Node2D in get_tree().get_nodes_in_group("foe"):
		var here := foe.position.distance_to(_game.player.position)
		if nearest == null or here < nearest.position.distance_to(_game.player.position):
			nearest = foe
	return nearest


# --- its hands --------------------------------------------------------------------------------


func _press(stick: String, direction: Vector2) -> void:
	var sides := {
		"left": -direction.x, "right": direction.x, "up": -direction.y, "down": direction.y
	}
	for side: String in sides:
		var strength: float = sides[side]
		if strength > 0.0:
			Input.action_press("%s_%s" % [stick, side], strength)


func _release() -> void:
	for stick: String in ["aim", "move"]:
		for side: String in ["left", "right", "up", "down"]:
			Input.action_release("%s_%s" % [stick, side])
