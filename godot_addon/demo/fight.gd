extends Node
## Fights: the doors of a room shut behind the player until its foes are gone, wave by wave.

signal begun(room: UndercroftRoom)
signal boss_came(foe: Foe)

const FOE := preload("foe.tscn")
const Foe := preload("foe.gd")
## The player's radius, and a little more, in px.
const BODY := 7.0

var _level: UndercroftLevel
var _player: Node2D
# The room that the player is in and whose foes wait; null if there is none.
var _waiting: UndercroftRoom


func watch(level: UndercroftLevel, player: Node2D) -> void:
	_level = level
	_player = player
	level.room_entered.connect(_on_room_entered)
	level.room_left.connect(func(_room: UndercroftRoom) -> void: _waiting = null)
	level.room_cleared.connect(level.open_doors_of)


func _on_room_entered(room: UndercroftRoom) -> void:
	if not room.cleared and _foes_of(room, 1):
		_waiting = room
	else:
		room.cleared = true


func _physics_process(_delta: float) -> void:
	if _waiting and _is_well_inside(_waiting):
		var room := _waiting
		_waiting = null
		_level.shut_doors_of(room)
		_send(room, 1)
		begun.emit(room)


# Whoever stands in the doorway is not locked into the door, or out of the room.
func _is_well_inside(room: UndercroftRoom) -> bool:
	var place := _level.place_of(_player)
	for away: Vector2 in [Vector2.LEFT, Vector2.RIGHT, Vector2.UP, Vector2.DOWN]:
		var near := place + away * BODY
		if _level.room_at(near) != room or _level.door_at(near):
			return false
	return true


func _send(room: UndercroftRoom, wave: int) -> void:
	for marker: UndercroftMarker in _foes_of(room, wave):
		var foe: Foe = FOE.instantiate()
		foe.role = marker.text("role", marker.text("rank", "walker"))
		foe.champion = marker.is_true("champion")
		foe.target = _player
		foe.position = _level.middle_of(marker.tile)
		foe.died.connect(_on_foe_died.bind(room, wave))
		_level.guard(room, foe)
		_player.add_sibling(foe)
		if marker.kind == "boss":
			boss_came.emit(foe)


# The next wave comes before the last foe of this one is gone, or the room would be cleared.
func _on_foe_died(room: UndercroftRoom, wave: int) -> void:
	if _level.foes_in(room) == 1:
		_send.call_deferred(room, wave + 1)


func _foes_of(room: UndercroftRoom, wave: int) -> Array[UndercroftMarker]:
	return room.markers.filter(
		func(marker: UndercroftMarker) -> bool:
			return marker.kind in ["enemy", "boss"] and marker.number("wave", 1) == wave
	)
