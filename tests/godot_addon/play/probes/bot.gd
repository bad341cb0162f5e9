extends SceneTree
## Plays the demo from the start to the way out, with the same inputs that a person has: it walks, shoots
## and goes from room to room. Its only help is a longer life.
##
## Arguments: the style, the folder for pictures ("" for none), the file for what it saw.

const Choice := preload("res://demo/choice.gd")
const Game := preload("res://demo/game.gd")
const UndercroftLevel := preload("res://addons/undercroft/runtime/undercroft_level.gd")

const LIFE := 60
## Frames; a person needs some minutes.
const MOST_FRAMES := 60 * 60 * 5

var _game: Game
var _told := {"entered": [], "cleared": [], "shut": 0, "opened": 0, "won": false}
var _frames := 0
var _stuck := 0
var _last := Vector2()


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	Choice.style = arguments[0]
	seed(1)
	change_scene_to_file("res://demo/game.tscn")


func _physics_process(_delta: float) -> bool:
	_frames += 1
	if _game == null:
		if current_scene is Game:
			_begin(current_scene as Game)
		return false
	var ending: CanvasLayer = _game.get_node("Ending")
	if ending.visible or _frames > MOST_FRAMES:
		_end(ending.visible)
		return true
	_release()
	_fight()
	_walk()
	return false


func _begin(game: Game) -> void:
	_game = game
	_game.player.belongings.health = LIFE
	var level := _game.level
	level.room_entered.connect(_note.bind("entered"))
	level.room_cleared.connect(_note.bind("cleared"))
	level.door_shut.connect(func(_door: UndercroftLevel.Door) -> void: _told["shut"] += 1)
	level.door_opened.connect(func(_door: UndercroftLevel.Door) -> void: _told["opened"] += 1)


func _end(ended: bool) -> void:
	_told["won"] = ended and _game.player.belongings.health > 0
	_told["frames"] = _frames
	_told["health"] = _game.player.belongings.health
	_told["path"] = _way().map(func(room: UndercroftLevel.Room) -> int: return room.id)
	var file := FileAccess.open(OS.get_cmdline_user_args()[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(_told))
	file.close()
	_release()
	paused = false


func _note(room: UndercroftLevel.Room, what: String) -> void:
	(_told[what] as Array).append(room.id)


func _way() -> Array[UndercroftLevel.Room]:
	var plan := _game.level.plan
	return _game.level.path(plan.room_of_kind("start"), plan.room_of_kind("boss"))


# --- what it does -----------------------------------------------------------------------------------


func _fight() -> void:
	var foe := _nearest_foe()
	if foe:
		_press("aim", _game.player.position.direction_to(foe.position))


func _walk() -> void:
	var player := _game.player
	var goal := _goal()
	var foe := _nearest_foe()
	var map := player.get_world_2d().navigation_map
	var way := NavigationServer2D.map_get_path(map, player.global_position, goal, true)
	var step := 0
	while step < way.size() - 1 and way[step].distance_to(player.position) < 6.0:
		step += 1
	if way.is_empty():
		return
	var direction := player.position.direction_to(way[step])
	if foe and foe.position.distance_to(player.position) < 40.0:
		direction = foe.position.direction_to(player.position)  # not nearer than needed
	_stuck = _stuck + 1 if player.position.distance_to(_last) < 0.2 else 0
	_last = player.position
	if _stuck > 20:  # round a corner that the way cuts
		direction = direction.rotated(PI / 2 if _stuck / 20 % 2 else -PI / 2)
	_press("move", direction)


## A place in px: near a foe, the way out, or a room further on the way to the boss.
func _goal() -> Vector2:
	var level := _game.level
	var room := level.room
	var foe := _nearest_foe()
	if foe:
		return foe.position
	var boss := level.plan.room_of_kind("boss")
	if boss.cleared:
		return level.middle_of(boss.markers_of("exit")[0].tile)
	var ahead: UndercroftLevel.Room
	if room == null:
		var hallway := level.hallway_at(level.place_of(_game.player))
		ahead = _nearer_end(hallway) if hallway else boss
	elif room == boss:
		return level.bounds_of(boss).get_center()
	else:
		ahead = level.path(room, boss)[1]
	if not ahead.markers.is_empty():
		return _inside(ahead)
	return level.bounds_of(ahead).get_center()


func _nearer_end(hallway: UndercroftLevel.Hallway) -> UndercroftLevel.Room:
	var level := _game.level
	var boss := level.plan.room_of_kind("boss")
	var first := level.plan.rooms[hallway.rooms[0]]
	var second := level.plan.rooms[hallway.rooms[1]]
	return first if level.path(first, boss).size() < level.path(second, boss).size() else second


## A tile of a room that is none of its doors' and that one can walk to.
func _inside(room: UndercroftLevel.Room) -> Vector2:
	var level := _game.level
	var map := _game.get_world_2d().navigation_map
	var middle := level.bounds_of(room).get_center()
	var place := NavigationServer2D.map_get_closest_point(map, middle)
	if level.room_at(place) == room:
		return place
	for marker: UndercroftLevel.Marker in room.markers:
		if not marker.kind in ["torch", "fire"]:
			return level.middle_of(marker.tile)
	return middle


func _nearest_foe() -> Node2D:
	var nearest: Node2D
	for foe: Node2D in get_nodes_in_group("foe"):
		var here := foe.position.distance_to(_game.player.position)
		if nearest == null or here < nearest.position.distance_to(_game.player.position):
			nearest = foe
	return nearest


# --- its hands --------------------------------------------------------------------------------------


func _press(stick: String, direction: Vector2) -> void:
	var sides := {"left": -direction.x, "right": direction.x, "up": -direction.y, "down": direction.y}
	for side: String in sides:
		var strength: float = sides[side]
		if strength > 0.0:
			Input.action_press("%s_%s" % [stick, side], strength)


func _release() -> void:
	for stick: String in ["aim", "move"]:
		for side: String in ["left", "right", "up", "down"]:
			Input.action_release("%s_%s" % [stick, side])
