extends "habit.gd"
## Calls another now and then.

const MAX := 4

var _count := 0


func _act() -> void:
	if left <= 0.0 and _count < MAX:
		left = every()
		_count += 1
		foe.called.emit(str(foe.kind["makes"]), foe.position)
