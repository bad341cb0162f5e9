## Asks physics and navigation of a running level what passes, with the doors as they start and all shut.
extends SceneTree

const Plain := preload("plain.gd")
const TILE := 16.0

var _level: Node2D


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var arguments := Plain.arguments()
	var questions: Dictionary = Plain.read(arguments[1])
	var packed: PackedScene = load(arguments[0])
	_level = packed.instantiate()
	root.add_child(_level)
	_navigate_at_once()
	await _settled()
	var answers := {"rays": _rays(questions["rays"]), "paths": _paths(questions["start"], questions["targets"])}
	answers["stuck"] = _bodies(questions["steps"])
	for door: Node in _level.get_node("Doors").get_children():
		(door.get_node("Shape") as CollisionShape2D).disabled = false
	await _settled()
	answers["rays_shut"] = _rays(questions["rays"])
	for door: Node in _level.get_node("Doors").get_children():
		(door.get_node("Shape") as CollisionShape2D).disabled = true
		if door.has_node("Way"):
			(door.get_node("Way") as NavigationRegion2D).enabled = true
	await _settled()
	answers["rays_open"] = _rays(questions["rays"])
	answers["paths_open"] = _paths(questions["start"], questions["targets"])
	Plain.answer(arguments[2], answers)
	quit()


## Builds navigation within the frame that asks for it, so that no answer depends on the machine's load.
func _navigate_at_once() -> void:
	NavigationServer2D.map_set_use_async_iterations(_level.get_world_2d().navigation_map, false)
	for region: Node in _level.find_children("*", "NavigationRegion2D", true, false):
		NavigationServer2D.region_set_use_async_iterations((region as NavigationRegion2D).get_rid(), false)


func _settled() -> void:
	for i: int in 5:
		await physics_frame


func _middle(x: float, y: float) -> Vector2:
	return Vector2(x + 0.5, y + 0.5) * TILE


## [x, y, dx, dy, mask]: whether something of the mask lies between two tiles' middles.
func _rays(rays: Array) -> Array:
	var space := _level.get_world_2d().direct_space_state
	var hits: Array = []
	for ray: Array in rays:
		var from := _middle(ray[0], ray[1])
		var to := from + Vector2(ray[2], ray[3]) * TILE
		var query := PhysicsRayQueryParameters2D.create(from, to, ray[4])
		hits.append(not space.intersect_ray(query).is_empty())
	return hits


## [x, y, dx, dy]: whether a round body that walks is stopped on its way to the next tile.
func _bodies(steps: Array) -> Array:
	var body := CharacterBody2D.new()
	var shape := CollisionShape2D.new()
	var circle := CircleShape2D.new()
	circle.radius = 6.0
	shape.shape = circle
	body.add_child(shape)
	_level.add_child(body)
	var stopped: Array = []
	for step: Array in steps:
		var from := Transform2D(0.0, _middle(step[0], step[1]))
		stopped.append(body.test_move(from, Vector2(step[2], step[3]) * TILE))
	return stopped


## How far from each target the way to it ends, in px.
func _paths(start: Array, targets: Array) -> Array:
	var map := _level.get_world_2d().navigation_map
	var rest: Array = []
	for target: Array in targets:
		var goal := _middle(target[0], target[1])
		var path := NavigationServer2D.map_get_path(map, _middle(start[0], start[1]), goal, true)
		rest.append(path[-1].distance_to(goal) if path.size() > 0 else INF)
	return rest
