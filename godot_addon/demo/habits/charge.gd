extends "habit.gd"
## Runs straight at the player when there is a clear line; stops first as a warning.

const REST := 2.2
const WARNING := 0.35
const SECONDS := 0.7
const SPEED := 130.0
const NEAR := 120.0

var _until_run := 0.0
var _run_left := 0.0
var _way: Vector2


func _act() -> void:
	var delta := get_physics_process_delta_time()
	if _until_run > 0.0:
		_until_run -= delta
		foe.dash = _way * 0.1
		_run_left = SECONDS if _until_run <= 0.0 else 0.0
	elif _run_left > 0.0:
		_run_left -= delta
		foe.dash = _way * SPEED if _run_left > 0.0 else Vector2()
	elif left <= 0.0 and foe.position.distance_to(foe.target.position) < NEAR and foe.sees_target():
		left = REST
		_until_run = WARNING
		_way = foe.position.direction_to(foe.target.position)
