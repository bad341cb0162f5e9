extends SceneTree
## Plays the demo from the start to the way out, with the same inputs that a person has: it walks,
## shoots and goes from room to room. Its only help is a longer life.
##
## Arguments: the style, the folder for pictures ("" for none), the file for what it saw.

const Choice := preload("res://demo/choice.gd")
const Game := preload("res://demo/game.gd")

const LIFE := 60
## Frames; a person needs some minutes.
const MOST_FRAMES := 60 * 60 * 5

var _game: Game
var _told := {"entered": [], "cleared": [], "shut": 0, "opened": 0, "won": false}
var _frames := 0


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
	if _game.level.room or _game.level.hallway_at(_game.player.position):
		_fight()
		_walk()
	return false


func _begin(game: Game) -> void:
	_game = game
	_game.player.belongings.health = LIFE
	var level := _game.level
	level.room_entered.connect(_note.bind("entered"))
	level.room_cleared.connect(_note.bind("cleared"))
	level.door_shut.connect(func(_door: UndercroftDoor) -> void: _told["shut"] += 1)
	level.door_opened.connect(func(_door: UndercroftDoor) -> void: _told["opened"] += 1)


func _end(ended: bool) -> void:
	_told["won"] = ended and _game.player.belongings.health > 0
	_told["frames"] = _frames
	_told["room"] = _game.level.room.id if _game.level.room else -1
	_told["place"] = str(_game.player.position / 16)
	_told["foes"] = get_nodes_in_group("foe").map(
		func(foe: Node2D) -> String: return str(foe.position / 16)
	)
	_told["health"] = _game.player.belongings.health
	_told["path"] = _way().map(func(room: UndercroftRoom) -> int: return room.id)
	var file := FileAccess.open(OS.get_cmdline_user_args()[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(_told))
	file.close()
	_release()
	paused = false


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


func _walk() -> void:
	var player := _game.player
	var goal := _goal()
	var foe := _nearest_foe()
	var way := _game.ways.between(player.position, goal)
	var direction := player.position.direction_to(way[0] if way else goal)
	if foe and _sees(foe):  # near enough: aside, round the foe, and away from it
		var away := foe.position.direction_to(player.position)
		var near := foe.position.distance_to(player.position) < 55.0
		direction = (
			(away if near else Vector2()) + away.orthogonal() * (1 if _frames / 90 % 2 else -1)
		)
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
	var ahead: UndercroftRoom
	if room == null:
		var hallway := level.hallway_at(level.place_of(_game.player))
		ahead = _nearer_end(hallway) if hallway else boss
	elif room == boss:
		return level.bounds_of(boss).get_center()
	else:
		ahead = level.path(room, boss)[1]
	return _inside(ahead)


func _nearer_end(hallway: UndercroftHallway) -> UndercroftRoom:
	var level := _game.level
	var boss := level.plan.room_of_kind("boss")
	var first := hallway.rooms[0]
	var second := hallway.rooms[1]
	return first if level.path(first, boss).size() < level.path(second, boss).size() else second


## A place in a room that one can walk to.
func _inside(room: UndercroftRoom) -> Vector2:
	var level := _game.level
	for marker: UndercroftMarker in room.markers:
		var place := level.middle_of(marker.tile)
		if _game.ways.between(_game.player.position, place):
			return place
	return level.bounds_of(room).get_center()


## Whether a shot would get there.
func _sees(foe: Node2D) -> bool:
	var player := _game.player
	var ray := PhysicsRayQueryParameters2D.create(player.global_position, foe.global_position, 4)
	return player.get_world_2d().direct_space_state.intersect_ray(ray).is_empty()


func _nearest_foe() -> Node2D:
	var nearest: Node2D
	for foe: Node2D in get_nodes_in_group("foe"):
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
