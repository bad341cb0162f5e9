extends CharacterBody2D
## A foe: comes nearer along the level's navigation, hurts who it touches, and shoots if it can.

signal died

const Art := preload("art.gd")
const FoeKinds := preload("foe_kinds.gd")
const Layers := preload("layers.gd")
const Shot := preload("shot.gd")

const REACH := 12.0
const SHOT_SPEED := 80.0
## Seconds between two looks for the player, and before it does anything.
const THINK := 0.3
const WAKE := 0.6

var role := "walker"
var champion := false
var target: Node2D
var health := 1
var most_health := 1

var _kind: Dictionary
var _until_think := WAKE
var _until_shot := WAKE
var _age := 0.0

@onready var _agent: NavigationAgent2D = $Agent
@onready var _picture: Sprite2D = $Picture


func _ready() -> void:
	_kind = FoeKinds.of(role)
	var size: float = _kind.get("scale", 1.0)
	var icon: String = _kind.get("icon", role)
	_picture.texture = Art.icon(icon)
	_picture.scale = Vector2.ONE * size
	_picture.modulate = Color("ffb0a0") if champion else Color.WHITE
	# A level's navigation has the same bits as its collision: walkers' and flyers'.
	collision_mask = Layers.FLYERS if _kind.has("flies") else Layers.WALKERS
	_agent.navigation_layers = collision_mask
	most_health = _kind["health"]
	most_health *= 2 if champion else 1
	health = most_health
	_until_shot += randf()


func _physics_process(delta: float) -> void:
	_age += delta
	_picture.position.y = -4.0 - absf(sin(_age * 6.0)) * 2.0
	if _age < WAKE or not is_instance_valid(target):
		return
	_until_think -= delta
	if _until_think <= 0.0:
		_until_think = THINK
		_agent.target_position = target.global_position
	_walk()
	if position.distance_to(target.position) < REACH * _picture.scale.x:
		target.call("take_hit", 1)
	_until_shot -= delta
	if _kind.has("shots") and _until_shot <= 0.0:
		_until_shot = _kind["every"]
		_shoot()


## Called by shots and bombs.
func take_hit(amount: int) -> void:
	if health <= 0:
		return
	health -= amount
	var tween := create_tween()
	tween.tween_property(_picture, ^"self_modulate", Color.WHITE, 0.15).from(Color(4, 4, 4))
	if health <= 0:
		died.emit()
		queue_free()


func _walk() -> void:
	var keep: float = _kind.get("keep", 0.0)
	var speed: float = _kind["speed"]
	velocity = Vector2()
	if not _agent.is_navigation_finished() and position.distance_to(target.position) > keep:
		velocity = global_position.direction_to(_agent.get_next_path_position()) * speed
	_picture.flip_h = target.position.x < position.x
	move_and_slide()


func _shoot() -> void:
	var count: int = _kind["shots"]
	var aim := position.direction_to(target.position)
	var fan := TAU if count > 6 else 0.35 * (count - 1)
	for i: int in count:
		var turn := fan * (i / float(maxi(count - 1, 1)) - 0.5) if count > 1 else 0.0
		var shot := Shot.new(aim.rotated(turn) * SHOT_SPEED, 1, Layers.PLAYER)
		shot.position = position
		add_sibling(shot)
