## Asks physics and navigation of a running level what passes, with the doors as they start and all shut.
extends "probe.gd"

const Plain := preload("plain.gd")

var _level: Node2D
var _tile: float


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var questions: Dictionary = Plain.read(arguments[1])
	var packed: PackedScene = load(arguments[0])
	_level = packed.instantiate()
	_tile = _level.get_meta("tile_size")
	root.add_child(_level)
	await _settled()
	var answers := {"rays": _rays(questions["rays"]), "paths": _paths(questions["start"], questions["targets"])}
	answers["stuck"] = _stuck(questions["steps"])
	answers["inside"] = await _inside("Rooms", questions["targets"])
	answers["inside_hallways"] = await _inside("Hallways", questions["hallways"])
	for door: Node in get_nodes_in_group("door"):
		(door.get_node("Shape") as CollisionShape2D).disabled = false
	await _settled()
	answers["rays_shut"] = _rays(questions["rays"])
	for door: Node in get_nodes_in_group("door"):
		(door.get_node("Shape") as CollisionShape2D).disabled = true
		if door.has_node("Way"):
			(door.get_node("Way") as NavigationRegion2D).enabled = true
	await _settled()
	answers["rays_open"] = _rays(questions["rays"])
	answers["paths_open"] = _paths(questions["start"], questions["targets"])
	Plain.answer(arguments[2], answers)
	quit()


func _settled() -> void:
	for i: int in 5:
		await physics_frame


func _middle(x: float, y: float) -> Vector2:
	return Vector2(x + 0.5, y + 0.5) * _tile


## [x, y, dx, dy, mask]: whether something of the mask lies between two tiles' middles.
func _rays(rays: Array) -> Array:
	var space := _level.get_world_2d().direct_space_state
	var hits: Array = []
	for ray: Array in rays:
		var from := _middle(ray[0], ray[1])
		var to := from + Vector2(ray[2], ray[3]) * _tile
		var query := PhysicsRayQueryParameters2D.create(from, to, ray[4])
		hits.append(not space.intersect_ray(query).is_empty())
	return hits


## [x, y, dx, dy]: whether a round body that walks is stopped on its way to the next tile.
func _stuck(steps: Array) -> Array:
	var body := _body()
	var stopped: Array = []
	for step: Array in steps:
		var from := Transform2D(0.0, _middle(step[0], step[1]))
		stopped.append(body.test_move(from, Vector2(step[2], step[3]) * _tile))
	body.free()
	return stopped


func _body() -> CharacterBody2D:
	var body := CharacterBody2D.new()
	var shape := CollisionShape2D.new()
	var circle := CircleShape2D.new()
	circle.radius = _tile * 0.375
	shape.shape = circle
	body.add_child(shape)
	_level.add_child(body)
	return body


## For each area, which of the bodies that stand on the targets it notices; and nothing else at all.
func _inside(areas: String, targets: Array) -> Array:
	if not _level.has_node(areas):
		return []
	var bodies: Array[Node2D] = []
	for target: Array in targets:
		var body := _body()
		body.position = _middle(target[0], target[1])
		bodies.append(body)
	await _settled()
	var noticed: Array = []
	for area: Area2D in _level.get_node(areas).get_children():
		noticed.append(area.get_overlapping_bodies().map(bodies.find))
	for body: Node2D in bodies:
		body.free()
	return noticed


## How far from each target the way to it ends, in px.
func _paths(start: Array, targets: Array) -> Array:
	var map := _level.get_world_2d().navigation_map
	var rest: Array = []
	for target: Array in targets:
		var goal := _middle(target[0], target[1])
		var path := NavigationServer2D.map_get_path(map, _middle(start[0], start[1]), goal, true)
		rest.append(path[-1].distance_to(goal) if path.size() > 0 else INF)
	return rest
