extends "habit.gd"
## Leaves a ring of shots when it dies.


func _begin() -> void:
	foe.died.connect(func() -> void: foe.shoot(TAU))
