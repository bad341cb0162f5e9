class_name UndercroftWalker
extends CharacterBody2D
## A body that finds its way through a level, on foot or in the air. Give it a shape, and extend it
## for enemies and companions. A script that has [code]_ready[/code] or
## [code]_physics_process[/code] calls [code]super[/code] in it.
##
## Godot's defaults are made for games seen from the side: such a body stops 20 px before a corner.
## This one has the settings with which bodies get through every door of a level.

## It is where it was sent to, or as near as a path leads.
signal arrived

## How near to a corner of its path it turns to the next, in px: a quarter of a tile of 16.
const NEAR := 4.0
const _WALKERS := 1
const _FLYERS := 2

## In px per second.
@export var speed := 100.0
## Whether it crosses pits and low decor. It then collides with what stops flyers, unless the game
## has set its [member collision_mask].
@export var flies := false:
	set(value):
		flies = value
		_settle()

## Its agent: a child that was there before, or one of its own.
var agent: NavigationAgent2D
# The layers that were set here last, at first Godot's defaults. A game's own are left alone.
var _collides := _WALKERS
var _follows := _WALKERS
var _is_sent := false
var _was_measured := false


func _ready() -> void:
	motion_mode = CharacterBody2D.MOTION_MODE_FLOATING
	wall_min_slide_angle = 0.0
	for child: Node in get_children():
		if child is NavigationAgent2D:
			agent = child
	if agent == null:
		agent = NavigationAgent2D.new()
		add_child(agent)
	agent.path_desired_distance = NEAR
	agent.target_desired_distance = NEAR
	_settle()


func _physics_process(delta: float) -> void:
	if not _is_sent:
		return
	if agent.is_navigation_finished():
		stop()
		arrived.emit()
		return
	var away := agent.get_next_path_position() - global_position
	velocity = (away / delta).limit_length(speed)
	move_and_slide()


## Sends it to a place, in global px. Doors that open or shut on the way change its path.
func walk_to(place: Vector2) -> void:
	if not _was_measured:
		_was_measured = true
		var problem := misfit()
		if problem:
			push_warning(problem)
	agent.target_position = place
	_is_sent = true


func stop() -> void:
	_is_sent = false
	velocity = Vector2.ZERO


func is_walking() -> bool:
	return _is_sent


## Why its shape is too large for the level that it is in, in one line; empty if it is not.
func misfit() -> String:
	var level := _above(self)
	if level == null:
		level = _above(get_tree().get_first_node_in_group("room"))
	if level == null:
		return ""
	var radius := str(level.get_meta("agent_radius")).to_float()
	var scales := global_scale.abs()
	var reach := _reach() * maxf(scales.x, scales.y)
	if reach <= radius:
		return ""
	return (
		(
			"Undercroft: %s reaches %s px from its middle and gets stuck: the navigation of %s is for"
			+ " bodies that reach %s px. Make its shape smaller, or the level with wider doors and a"
			+ " larger godot.agent_radius."
		)
		% [name, snappedf(reach, 0.1), level.name, snappedf(radius, 0.1)]
	)


# The level that a node is in.
func _above(node: Node) -> Node:
	while node and not node.has_meta("agent_radius"):
		node = node.get_parent()
	return node


# How far its shapes reach from its middle, to the side or up and down.
func _reach() -> float:
	var reach := 0.0
	for child: Node in get_children():
		var box := Rect2()
		if child is CollisionShape2D:
			var holder: CollisionShape2D = child
			box = holder.transform * (holder.shape.get_rect() if holder.shape else box)
		elif child is CollisionPolygon2D:
			var ring: CollisionPolygon2D = child
			for corner: Vector2 in ring.polygon:
				box = box.merge(Rect2(ring.transform * corner, Vector2()))
		for corner: Vector2 in [box.position, box.end]:
			reach = maxf(reach, maxf(absf(corner.x), absf(corner.y)))
	return reach


func _settle() -> void:
	var wanted := _FLYERS if flies else _WALKERS
	if collision_mask == _collides:
		collision_mask = wanted
		_collides = wanted
	if agent and agent.navigation_layers == _follows:
		agent.navigation_layers = wanted
		_follows = wanted
