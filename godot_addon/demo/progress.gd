extends Node
## Records what happens on a floor, saves the run, and restores the floor of a saved run.

signal failed(what: String)

const Loose := preload("pickup.gd")
const Player := preload("player.gd")
const Problem := preload("../addons/undercroft/runtime/problem.gd")
const Run := preload("run.gd")
const Saves := preload("saves.gd")

var _run: Run
var _level: UndercroftLevel
var _player: Player


## Whether a level is the one of the saved run.
static func fits(run: Run, level: UndercroftLevel) -> bool:
	if run.visited.is_empty():
		return true
	var tile := level.tile_at(run.place)
	return (
		run.fingerprint == level.plan.fingerprint
		and _are_below(run.visited + run.cleared, level.plan.rooms.size())
		and _are_below(run.opened, level.plan.doors.size())
		and (level.plan.room_at_tile(tile) != null or level.plan.hallway_at_tile(tile) != null)
	)


## Restores the state of a level from the run.
static func restore(run: Run, level: UndercroftLevel) -> void:
	for id: int in run.visited:
		level.plan.rooms[id].visited = true
	for id: int in run.cleared:
		level.plan.rooms[id].cleared = true
	for key: String in run.level_keys:
		var count: int = run.level_keys[key]
		level.give_key(key, count)
	for id: int in run.opened:
		level.plan.doors[id].is_barred = false
		level.open_door(level.plan.doors[id])


func watch(run: Run, level: UndercroftLevel, player: Player) -> void:
	_run = run
	_level = level
	_player = player
	run.fingerprint = level.plan.fingerprint
	level.room_entered.connect(save.unbind(1))
	level.room_cleared.connect(save.unbind(1), CONNECT_DEFERRED)  # including dropped things


## Records the current state, and saves.
func save() -> void:
	if _player.belongings.health == 0:
		return
	_run.visited.clear()
	_run.cleared.clear()
	_run.opened.clear()
	_run.loose.clear()
	_run.level_keys = _level.keys.duplicate()
	for room: UndercroftRoom in _level.plan.rooms:
		if room.visited:
			_run.visited.append(room.id)
		if room.cleared:
			_run.cleared.append(room.id)
	for door: UndercroftDoor in _level.plan.doors:
		if door.starts_shut() and not (door.is_locked if door.one_way else door.is_barred):
			_run.opened.append(door.id)
	for pickup: Loose in get_tree().get_nodes_in_group("loose"):
		if not pickup.is_gone:
			_run.loose.append({"kind": pickup.kind, "place": pickup.position})
	var problem := Saves.write(_run)
	if problem:
		failed.emit(problem)


## A player who quits during a fight continues from before the fight.
func _physics_process(_delta: float) -> void:
	if _level and (_level.room == null or _level.room.cleared):
		_run.place = _player.position


func _notification(what: int) -> void:
	var leaves := [NOTIFICATION_WM_CLOSE_REQUEST, NOTIFICATION_APPLICATION_PAUSED]
	if what in leaves and _level:
		save()


static func _are_below(ids: PackedInt32Array, end: int) -> bool:
	for id: int in ids:
		if id >= end:
			return false
	return true
