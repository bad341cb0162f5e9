extends Node
## Something that an enemy does besides walking up to the player.

const Foe := preload("res://demo/foe.gd")

var foe: Foe
## Seconds until the next time.
var left := 0.0


func _ready() -> void:
	foe = get_parent()
	left = randf() * 0.8
	_begin()


func _physics_process(delta: float) -> void:
	if foe.is_awake():
		left -= delta
		_act()


## Called once, when the enemy appears.
func _begin() -> void:
	pass


## Called in each frame while it is awake.
func _act() -> void:
	pass


## How often it shoots or calls, in seconds.
func every() -> float:
	return foe.kind.get("every", 2.0)
