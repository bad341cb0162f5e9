extends Area2D
## A shot: flies until it hits somebody or something.

const Art := preload("art.gd")
const Layers := preload("layers.gd")

const SECONDS := 2.0

var _velocity: Vector2
var _damage: int
var _left := SECONDS


## Hits bodies of the layer [param whom] for [param damage].
func _init(velocity: Vector2, damage: int, whom: int) -> void:
	_velocity = velocity
	_damage = damage
	collision_layer = 0
	collision_mask = Layers.SHOTS | whom
	var shape := CollisionShape2D.new()
	var circle := CircleShape2D.new()
	circle.radius = 3.0
	shape.shape = circle
	add_child(shape)
	var colour := Color("a9e0ee") if whom == Layers.FOES else Color("f08a4b")
	add_child(Art.glow(colour, 7.0))
	body_entered.connect(_on_body_entered)


func _physics_process(delta: float) -> void:
	position += _velocity * delta
	_left -= delta
	if _left <= 0.0:
		queue_free()


func _on_body_entered(body: Node2D) -> void:
	if body.has_method("take_hit"):
		body.call("take_hit", _damage)
	queue_free()
