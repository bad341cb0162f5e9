extends "habit.gd"
## Calls another now and then.

const MOST := 4

var _count := 0


func _act() -> void:
	if left <= 0.0 and _count < MOST:
		left = every()
		_count += 1
		foe.called.emit(str(foe.kind["makes"]), foe.position)
