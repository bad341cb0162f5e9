extends "habit.gd"
## Vanishes now and then, and cannot be hit meanwhile.

const SEEN := 2.6
const AWAY := 1.2


func _act() -> void:
	if left <= 0.0:
		foe.vanished = not foe.vanished
		left = AWAY if foe.vanished else SEEN
