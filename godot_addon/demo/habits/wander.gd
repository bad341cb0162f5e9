extends "habit.gd"
## Often changes its target: half of the time to a place nearby.

const SECONDS := 1.2
const FAR := 48.0


func _act() -> void:
	if left <= 0.0:
		left = SECONDS
		var aside := Vector2.from_angle(randf() * TAU) * FAR
		foe.goal = Vector2.INF if randf() < 0.5 else foe.global_position + aside
