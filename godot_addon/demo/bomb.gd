extends Node2D
## A bomb: hurts everybody nearby, and opens hidden doors.

signal burst(place: Vector2)

const Art := preload("art.gd")

const FUSE := 1.2
const RADIUS := 36.0
const DAMAGE := 10

var _left := FUSE
var _picture := Art.sprite("bomb")


func _init() -> void:
	add_to_group("bomb")
	add_child(_picture)


func _process(delta: float) -> void:
	_left -= delta
	_picture.scale = Vector2.ONE * (1.0 + 0.15 * sin(_left * 25.0))
	if _left <= 0.0:
		_burst()


func _burst() -> void:
	set_process(false)
	for foe: Node2D in get_tree().get_nodes_in_group("foe"):
		if foe.position.distance_to(position) < RADIUS:
			foe.call("take_hit", DAMAGE)
	for player: Node2D in get_tree().get_nodes_in_group("player"):
		if player.position.distance_to(position) < RADIUS:
			player.call("take_hit", 2)
	burst.emit(position)
	_picture.hide()
	var flash := Art.glow(Color("fbe27a"), RADIUS)
	add_child(flash)
	var tween := create_tween()
	tween.tween_property(flash, ^"modulate:a", 0.0, 0.4)
	tween.tween_callback(queue_free)
