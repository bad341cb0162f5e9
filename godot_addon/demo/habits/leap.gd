extends "habit.gd"
## Jumps towards the player.

const REST := 1.8
const SECONDS := 0.5
const SPEED := 110.0
const NEAR := 110.0

var _air := 0.0


func _act() -> void:
	if _air > 0.0:
		_air -= get_physics_process_delta_time()
		if _air <= 0.0:
			foe.dash = Vector2()
			foe.scale = Vector2.ONE
	elif left <= 0.0 and foe.position.distance_to(foe.target.position) < NEAR:
		left = REST
		_air = SECONDS
		foe.scale = Vector2.ONE * 1.25
		foe.dash = foe.position.direction_to(foe.target.position) * SPEED
