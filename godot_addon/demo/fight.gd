extends Node
## Fights: the doors of a room shut behind the player until its enemies are gone, wave by wave.

signal begun(room: UndercroftRoom)
signal boss_came(foe: Foe)

const BossNames := preload("boss_names.gd")
const FOE := preload("foe.tscn")
const Foe := preload("foe.gd")
const FoeKinds := preload("foe_kinds.gd")
const Habits := preload("habits.gd")
## The player's radius, and a little more, in px.
const BODY := 7.0

var _level: UndercroftLevel
var _player: Node2D
# The player's room, if enemies wait there, or null.
var _waiting: UndercroftRoom
# The last wave, by room id.
var _waves: Dictionary = {}
# The number of living enemies, by room id; for the level, an enemy that has just died still counts.
var _alive: Dictionary = {}


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


# A player in the doorway must not be shut in the door or out of the room.
func _is_well_inside(room: UndercroftRoom) -> bool:
	var place := _level.place_of(_player)
	for away: Vector2 in [Vector2.LEFT, Vector2.RIGHT, Vector2.UP, Vector2.DOWN]:
		var near := place + away * BODY
		if _level.room_at(near) != room or _level.door_at(near):
			return false
	return true


func _send(room: UndercroftRoom, wave: int) -> void:
	_waves[room.id] = wave
	for marker: UndercroftMarker in _foes_of(room, wave):
		var names: Array[String] = [marker.text("name"), marker.text("role", marker.text("rank"))]
		var foe := _foe(names, _level.middle_of(marker.tile))
		foe.champion = marker.is_true("champion")
		foe.flies = foe.flies or marker.is_true("flies")
		foe.wakes_after = float(marker.text("wakes_after", "0"))
		_bring(foe, room)
		if marker.kind == "boss":
			foe.title = BossNames.of(marker, _level.plan)
			boss_came.emit(foe)


func _foe(names: Array[String], place: Vector2) -> Foe:
	var foe: Foe = FOE.instantiate()
	foe.kind = FoeKinds.of(names)
	foe.flies = foe.kind.get("flies", false)
	foe.target = _player
	foe.position = place
	for habit: String in foe.kind.get("habits", []):
		foe.add_child(Habits.new_one(habit))
	return foe


func _bring(foe: Foe, room: UndercroftRoom) -> void:
	_alive[room.id] = _alive.get(room.id, 0) + 1
	_level.guard(room, foe)
	_player.add_sibling(foe)
	foe.called.connect(_on_foe_called.bind(room), CONNECT_DEFERRED)
	foe.died.connect(_on_foe_died.bind(room), CONNECT_DEFERRED)


func _on_foe_called(kind: String, place: Vector2, room: UndercroftRoom) -> void:
	_bring(_foe([kind], place), room)


# The next wave comes before the last enemy of this one is gone, or the room would be cleared.
func _on_foe_died(room: UndercroftRoom) -> void:
	var alive: int = _alive[room.id]
	var wave: int = _waves[room.id]
	_alive[room.id] = alive - 1
	if alive == 1:
		_send(room, wave + 1)


func _foes_of(room: UndercroftRoom, wave: int) -> Array[UndercroftMarker]:
	return room.markers.filter(
		func(marker: UndercroftMarker) -> bool:
			return marker.kind in ["enemy", "boss"] and marker.number("wave", 1) == wave
	)
