extends CharacterBody2D
## A foe: comes nearer, on a way over the tiles, hurts who it touches, and shoots if it
## can.

signal died

const Art := preload("art.gd")
const FoeKinds := preload("foe_kinds.gd")
const Layers := preload("layers.gd")
const Shot := preload("shot.gd")
const Ways := preload("ways.gd")

const REACH := 12.0
const SHOT_SPEED := 80.0
## Seconds between two looks for the way, and before it does anything.
const THINK := 0.3
const WAKE := 0.6

var role := "walker"
var champion := false
var target: Node2D
var ways: Ways
var health := 1
var most_health := 1

var _kind: Dictionary
var _flies := false
var _way: PackedVector2Array = []
var _until_think := WAKE
var _until_shot := WAKE
var _age := 0.0

@onready var _picture: Sprite2D = $Picture


func _ready() -> void:
	_kind = FoeKinds.of(role)
	var size: float = _kind.get("scale", 1.0)
	var icon: String = _kind.get("icon", role)
	_picture.texture = Art.icon(icon)
	_picture.scale = Vector2.ONE * size
	_picture.modulate = Color("ffb0a0") if champion else Color.WHITE
	_flies = _kind.get("flies", false)
	collision_mask = Layers.FLYERS if _flies else Layers.WALKERS
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
		_look_for_way()
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


func _look_for_way() -> void:
	_way = PackedVector2Array() if _flies else ways.between(position, target.position)
	if _way.is_empty():
		_way = [target.position]


func _walk() -> void:
	var keep: float = _kind.get("keep", 0.0)
	var speed: float = _kind["speed"]
	while _way.size() > 1 and position.distance_to(_way[0]) < 4.0:
		_way.remove_at(0)
	velocity = Vector2()
	if _way and position.distance_to(target.position) > keep:
		velocity = position.direction_to(_way[0]) * speed
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
