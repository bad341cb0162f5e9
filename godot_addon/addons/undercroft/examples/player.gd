extends CharacterBody2D
## A player who walks with the arrow keys.

@export var speed := 90.0


func _physics_process(_delta: float) -> void:
	velocity = Input.get_vector("ui_left", "ui_right", "ui_up", "ui_down") * speed
	move_and_slide()
