extends Node
## Saves the run: in each room, and when the player leaves.

signal failed(what: String)

const Loose := preload("pickup.gd")
const Player := preload("player.gd")
const Run := preload("run.gd")
const Saves := preload("saves.gd")

var _run: Run
var _level: UndercroftLevel
var _player: Player


## Whether the place where the player resumes is in the level.
static func fits(run: Run, level: UndercroftLevel) -> bool:
	var tile := level.tile_at(run.place)
	var hallway := level.plan.hallway_at_tile(tile)
	return not run.is_begun() or level.plan.room_at_tile(tile) != null or hallway != null


func watch(run: Run, level: UndercroftLevel, player: Player) -> void:
	_run = run
	_level = level
	_player = player
	level.room_entered.connect(save.unbind(1))
	level.room_cleared.connect(save.unbind(1), CONNECT_DEFERRED)  # including dropped things


## Records the current state, and saves.
func save() -> void:
	if _player.belongings.health == 0:
		return
	_run.loose.clear()
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
