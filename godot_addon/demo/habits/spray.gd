extends "habit.gd"
## Shoots to all sides.


func _act() -> void:
	if left <= 0.0 and not foe.vanished:
		left = every()
		foe.shoot(TAU)
