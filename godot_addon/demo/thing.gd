extends Area2D
## A thing that reacts when the player touches it.

## It was taken, opened or bought.
signal gone

const Art := preload("art.gd")
const Layers := preload("layers.gd")
const Player := preload("player.gd")

var picture: Sprite2D
var is_gone := false


func _init(icon: String) -> void:
	picture = Art.sprite(icon)
	picture.position.y = -3.0
	add_child(picture)
	collision_layer = 0
	collision_mask = Layers.PLAYER
	var shape := CollisionShape2D.new()
	var circle := CircleShape2D.new()
	circle.radius = 8.0
	shape.shape = circle
	add_child(shape)
	body_entered.connect(_on_body_entered)


## What happens when the player touches it.
func _touched(_player: Player) -> void:
	pass


## Hides it: it can be neither seen nor taken before [method appear].
func wait() -> void:
	hide()
	monitoring = false


func appear() -> void:
	show()
	set_deferred(&"monitoring", true)


## Rises, fades and disappears.
func vanish() -> void:
	is_gone = true
	gone.emit()
	set_deferred(&"monitoring", false)
	var tween := create_tween().set_parallel()
	tween.tween_property(picture, ^"position:y", -16.0, 0.3)
	tween.tween_property(self, ^"modulate:a", 0.0, 0.3)
	tween.chain().tween_callback(queue_free)


func _on_body_entered(body: Node2D) -> void:
	if body is Player:
		var player: Player = body
		_touched(player)
