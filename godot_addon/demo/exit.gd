extends "thing.gd"
## The way down, or out of the last floor, which opens when the boss is gone.

signal taken


func _init() -> void:
	super("exit")
	picture.position.y = 0.0
	hide()
	monitoring = false


func open() -> void:
	show()
	set_deferred(&"monitoring", true)


func _touched(_player: Player) -> void:
	taken.emit()
