extends "habit.gd"
## Shoots at the player; many shots go to all sides.

const FAN := 0.35


func _act() -> void:
	if left <= 0.0 and not foe.vanished and foe.sees_target():
		left = every()
		var count: int = foe.kind.get("shots", 1)
		foe.shoot(TAU if count > 6 else FAN * count)
