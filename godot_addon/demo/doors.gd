extends Node
## What the player does to doors: a key opens a locked one, a red key a red one, a bomb a hidden
## one, a curse takes its toll.

signal said(what: String)

const LevelKey := preload("level_key.gd")
const Player := preload("player.gd")

## How near to a hidden door a bomb must explode, in px.
const REACH := 40.0

var _level: UndercroftLevel
var _player: Player
# A player who starts in a room is not hurt by its curse again.
var _has_started := false


func watch(level: UndercroftLevel, player: Player) -> void:
	_level = level
	_player = player
	player.bumped.connect(_on_bumped)
	level.room_entered.connect(_on_room_entered)
	get_tree().node_added.connect(_on_node_added)


func _on_bumped(node: Node2D) -> void:
	var id: int = node.get_meta("id", -1)
	if id < 0:
		return
	var door := _level.plan.doors[id]
	var fights := _level.room and _level.foes_in(_level.room) > 0
	if not door.is_barred or fights:
		return
	if door.needs or door.one_way or door.opens_from >= 0:
		if not _level.open_door(door):
			said.emit(_why(door))
		return
	match door.kind:
		"locked":
			if _player.belongings.use_key():
				_level.open_door(door)
			else:
				said.emit("Locked: find a key")
		"red":
			if _player.belongings.red_keys > 0:
				_level.open_door(door)
			else:
				said.emit("The outline of a door: find a red key")


# Why a door with a lock or a direction does not open.
func _why(door: UndercroftDoor) -> String:
	if door.one_way:
		return "It fell shut: there is no way back"
	var missing := Array(door.missing(_level.keys))
	if missing.is_empty():
		return "Barred from the other side"
	return "Locked: find " + " and ".join(missing.map(LevelKey.title))


## Whether a level has doors for a red key.
static func are_red(level: UndercroftLevel) -> bool:
	return level.plan.doors.any(func(door: UndercroftDoor) -> bool: return door.kind == "red")


func _on_room_entered(room: UndercroftRoom) -> void:
	if room.kind == "curse" and _has_started:
		_player.take_hit(1)
		said.emit("A curse bites")
	_has_started = true


func _on_node_added(node: Node) -> void:
	if node.is_in_group("bomb"):
		node.connect("burst", _on_burst)


func _on_burst(place: Vector2) -> void:
	for door: UndercroftDoor in _level.plan.doors:
		var near := _level.middle_of_door(door).distance_to(place) < REACH
		if near and door.is_barred and door.kind == "secret":
			_level.open_door(door)
			said.emit("A hidden door!")
