extends CharacterBody2D
## An enemy: follows the level's navigation to the player and hurts on contact. Its habits, which
## are child nodes, do everything else.

signal died
## Calls another enemy of [param kind] to [param place].
signal called(kind: String, place: Vector2)

const Art := preload("art.gd")
const Layers := preload("layers.gd")
const Shot := preload("shot.gd")

const REACH := 12.0
const SHOT_SPEED := 80.0
## Seconds between two searches for the player, and before its first action.
const THINK := 0.3
const WAKE := 0.6

var kind: Dictionary
var champion := false
var flies := false
## Additional seconds to wait, so that nobody is hit in the door.
var wakes_after := 0.0
## The name of a boss; empty for others.
var title := ""
var target: Node2D
var health := 1
var most_health := 1
## Its current forced movement, in px per second; zero while it walks.
var dash := Vector2()
## Its target, if not the player.
var goal := Vector2.INF
var vanished := false:
	set(value):
		vanished = value
		modulate.a = 0.25 if vanished else 1.0

var _until_think := 0.0
var _age := 0.0

@onready var _agent: NavigationAgent2D = $Agent
@onready var _picture: Sprite2D = $Picture


func _ready() -> void:
	var size: float = kind.get("scale", 1.0)
	_picture.texture = Art.icon(str(kind["icon"]))
	_picture.scale = Vector2.ONE * size
	_picture.modulate = Color("ffb0a0") if champion else Color.WHITE
	# Navigation uses the same bits as collision: walkers and flyers.
	collision_mask = Layers.FLYERS if flies else Layers.WALKERS
	_agent.navigation_layers = collision_mask
	most_health = kind["health"]
	most_health *= 2 if champion else 1
	health = most_health


func _physics_process(delta: float) -> void:
	_age += delta
	if not is_awake():
		return
	_picture.position.y = -4.0 - absf(sin(_age * 6.0)) * 2.0
	_until_think -= delta
	if _until_think <= 0.0:
		_until_think = THINK
		_agent.target_position = target.global_position if goal == Vector2.INF else goal
	_walk()
	if not vanished and position.distance_to(target.position) < REACH * _picture.scale.x:
		target.call("take_hit", 1)


## Whether it is active yet.
func is_awake() -> bool:
	return _age >= WAKE + wakes_after and health > 0 and is_instance_valid(target)


## Called by shots and bombs.
func take_hit(amount: int) -> void:
	if health <= 0 or vanished:
		return
	health -= amount
	var tween := create_tween()
	tween.tween_property(_picture, ^"self_modulate", Color.WHITE, 0.15).from(Color(4, 4, 4))
	if health <= 0:
		died.emit()
		queue_free()


## Whether a shot could reach the player.
func sees_target() -> bool:
	var ray := PhysicsRayQueryParameters2D.create(
		global_position, target.global_position, Layers.SHOTS
	)
	return get_world_2d().direct_space_state.intersect_ray(ray).is_empty()


## Fires the kind's number of shots, spread over [param fan].
func shoot(fan: float) -> void:
	var count: int = kind.get("shots", 1)
	var aim := position.direction_to(target.position)
	for i: int in count:
		var turn := fan * (i / float(count) - 0.5 * (count - 1) / float(count))
		var shot := Shot.new(aim.rotated(turn) * SHOT_SPEED, 1, Layers.PLAYER)
		shot.position = position
		add_sibling.call_deferred(shot)


func _walk() -> void:
	var keep: float = kind.get("keep", 0.0)
	var speed: float = kind["speed"]
	velocity = dash
	var is_near := goal == Vector2.INF and position.distance_to(target.position) <= keep
	if dash == Vector2() and not _agent.is_navigation_finished() and not is_near:
		velocity = global_position.direction_to(_agent.get_next_path_position()) * speed
	_picture.flip_h = target.position.x < position.x
	move_and_slide()
