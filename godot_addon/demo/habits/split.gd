extends "habit.gd"
## Turns into two others when it dies.

const APART := Vector2(5, 0)


func _begin() -> void:
	foe.died.connect(_on_died)


func _on_died() -> void:
	for place: Vector2 in [foe.position - APART, foe.position + APART]:
		foe.called.emit(str(foe.kind["makes"]), place)
