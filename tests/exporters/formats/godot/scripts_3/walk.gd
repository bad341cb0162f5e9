# Asks physics and navigation of a running level what passes, with the doors as they start and all shut.
extends SceneTree

const Plain := preload("plain.gd")

var _level: Node2D
var _tile: float
var _bodies := []


func _init() -> void:
	call_deferred("_run")


func _run() -> void:
	var arguments := Plain.arguments()
	var questions: Dictionary = Plain.read(arguments[1])
	_level = load(arguments[0]).instance()
	_tile = _level.get_meta("tile_size")
	root.add_child(_level)
	yield(_settled(), "completed")
	var answers := {
		"rays": _rays(questions["rays"]),
		"paths": _paths(questions["start"], questions["targets"]),
		"stuck": _stuck(questions["steps"]),
	}
	for areas in ["Rooms", "Hallways"]:
		_stand(questions["targets" if areas == "Rooms" else "hallways"])
		yield(_settled(), "completed")
		answers["inside" if areas == "Rooms" else "inside_hallways"] = _noticed(areas)
	_shut(true)
	yield(_settled(), "completed")
	answers["rays_shut"] = _rays(questions["rays"])
	_shut(false)
	for door in get_nodes_in_group("door"):
		if door.has_node("Way"):
			door.get_node("Way").enabled = true
	yield(_settled(), "completed")
	answers["rays_open"] = _rays(questions["rays"])
	answers["paths_open"] = _paths(questions["start"], questions["targets"])
	Plain.answer(arguments[2], answers)
	_level.free()
	quit()


func _settled() -> void:
	for i in 5:
		yield(self, "physics_frame")


func _shut(doors_are: bool) -> void:
	for door in get_nodes_in_group("door"):
		door.get_node("Shape").disabled = not doors_are


func _middle(x: float, y: float) -> Vector2:
	return Vector2(x + 0.5, y + 0.5) * _tile


# [x, y, dx, dy, mask]: whether something of the mask lies between two tiles' middles.
func _rays(rays: Array) -> Array:
	var space := _level.get_world_2d().direct_space_state
	var hits := []
	for ray in rays:
		var from := _middle(ray[0], ray[1])
		var to := from + Vector2(ray[2], ray[3]) * _tile
		hits.append(not space.intersect_ray(from, to, [], int(ray[4])).empty())
	return hits


# [x, y, dx, dy]: whether a round body that walks is stopped on its way to the next tile.
func _stuck(steps: Array) -> Array:
	var body := _body()
	var stopped := []
	for step in steps:
		var from := Transform2D(0.0, _middle(step[0], step[1]))
		stopped.append(body.test_move(from, Vector2(step[2], step[3]) * _tile))
	body.free()
	return stopped


func _body() -> KinematicBody2D:
	var body := KinematicBody2D.new()
	var shape := CollisionShape2D.new()
	var circle := CircleShape2D.new()
	circle.radius = _tile * 0.375
	shape.shape = circle
	body.add_child(shape)
	_level.add_child(body)
	return body


func _stand(targets: Array) -> void:
	for target in targets:
		var body := _body()
		body.position = _middle(target[0], target[1])
		_bodies.append(body)


# For each area, which of the bodies that stand on the targets it notices; and nothing else at all.
func _noticed(areas: String) -> Array:
	var noticed := []
	if _level.has_node(areas):
		for area in _level.get_node(areas).get_children():
			var found := []
			for body in area.get_overlapping_bodies():
				found.append(_bodies.find(body))
			noticed.append(found)
	for body in _bodies:
		body.free()
	_bodies = []
	return noticed


# How far from each target the way to it ends, in px.
func _paths(start: Array, targets: Array) -> Array:
	var map := _level.get_world_2d().navigation_map
	var rest := []
	for target in targets:
		var goal := _middle(target[0], target[1])
		var path := Navigation2DServer.map_get_path(map, _middle(start[0], start[1]), goal, true)
		rest.append(path[-1].distance_to(goal) if path.size() > 0 else INF)
	return rest
