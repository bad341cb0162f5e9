extends CharacterBody2D
## An enemy that follows its target and disappears when it has caught it.

const FLYERS := 2

@export var speed := 45.0

var target: Node2D

@onready var _agent: NavigationAgent2D = $Agent


func _ready() -> void:
	if get_meta("flies", false):  # over pits and low decor
		collision_mask = FLYERS
		_agent.navigation_layers = FLYERS


func _physics_process(_delta: float) -> void:
	# A new path in every frame could alternate between two of the same length and lead nowhere.
	if _agent.target_position.distance_to(target.global_position) > 8.0:
		_agent.target_position = target.global_position
	var next := _agent.get_next_path_position()
	if _agent.is_navigation_finished():  # perhaps with a corner before it, and the target went on
		next = target.global_position
	velocity = global_position.direction_to(next) * speed
	move_and_slide()
	if global_position.distance_to(target.global_position) < 14.0:
		queue_free()
