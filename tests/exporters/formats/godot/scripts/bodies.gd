## Sends bodies along the navigation of running levels, as a game does, and tells how far each came.
##
## Questions: {"levels": [{"scene", "shut", "legs": [{"from", "to", "flies"}]}], "tile_size", "radius", "desired"}:
## places in tiles, lengths in px. All bodies of a level walk at once and pass through each other. With `shut`, the
## doors stay as they are when the level starts. A `scene` may be a level of a pack: `res://some.ucpack#3`.
extends SceneTree

const SPEED := 120.0  # px a second
const SLOWEST := 24.0  # px a second along a path: a body that takes longer is stuck

var _radius: float
var _desired: float
var _tile: float
var _level: Node2D


## One body, its agent, and where it should go.
class Walker:
	extends CharacterBody2D
	var agent := NavigationAgent2D.new()
	var goal: Vector2
	var frames := 0
	var most_frames := 0
	var path: PackedVector2Array = []
	var is_stuck := false

	func step() -> bool:
		frames += 1
		if agent.is_navigation_finished():
			return false
		velocity = global_position.direction_to(agent.get_next_path_position()) * SPEED
		move_and_slide()
		if frames == 1:
			path = agent.get_current_navigation_path()
			most_frames = ceili(_length() / SLOWEST * 60.0) + 60
		is_stuck = frames >= most_frames
		return not is_stuck

	func _length() -> float:
		var length := 0.0
		for i: int in range(1, path.size()):
			length += path[i].distance_to(path[i - 1])
		return length


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var arguments := OS.get_cmdline_user_args()
	var questions: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(arguments[0]))
	_radius = questions["radius"]
	_desired = questions["desired"]
	_tile = questions["tile_size"]
	var levels: Array = questions["levels"]
	var answers: Array = []
	for asked: Dictionary in levels:
		var scene: String = asked["scene"]
		var wanted: Array = asked["legs"]
		var are_shut: bool = asked.get("shut", false)
		answers.append(await _walked(scene, wanted, are_shut))
	var file := FileAccess.open(arguments[1], FileAccess.WRITE)
	file.store_string(JSON.stringify(answers))
	file.close()
	quit()


func _walked(scene: String, legs: Array, are_shut: bool) -> Array:
	_level = _loaded(scene)
	root.add_child(_level)
	if not are_shut:
		_open_doors()
	var shut := _shut_doors()
	var walkers: Array[Walker] = []
	for leg: Dictionary in legs:
		walkers.append(_walker(leg))
	for i: int in 3:
		await physics_frame
	for walker: Walker in walkers:
		walker.agent.target_position = walker.goal
	var moving: Array[Walker] = walkers.duplicate()
	while not moving.is_empty():
		await physics_frame
		moving = moving.filter(func(one: Walker) -> bool: return one.step())
	var ended: Array = []
	for walker: Walker in walkers:
		var at := walker.position
		var told := {"rest": at.distance_to(walker.goal), "at": [at.x / _tile, at.y / _tile]}
		told["stuck"] = walker.is_stuck
		told["crossed"] = _crossed(walker.path, shut)
		ended.append(told)
	_level.free()
	return ended


## Those that start shut, as a game does.
func _open_doors() -> void:
	for door: Node in get_nodes_in_group("door"):
		for child: Node in door.get_children():
			if child is CollisionShape2D:
				(child as CollisionShape2D).disabled = true
			elif child is NavigationRegion2D or child is NavigationLink2D:
				child.set("enabled", true)


func _loaded(scene: String) -> Node2D:
	if not "#" in scene:
		return (load(scene) as PackedScene).instantiate()
	var packs: GDScript = load("res://addons/undercroft/runtime/undercroft_pack.gd")
	var pack: RefCounted = packs.call("open", scene.get_slice("#", 0))
	return pack.call("build", int(scene.get_slice("#", 1)))


## The names and places of the shapes of doors that are shut, in px.
func _shut_doors() -> Dictionary:
	var shut: Dictionary = {}
	for door: Node in get_nodes_in_group("door"):
		for child: Node in door.get_children():
			var body := child as CollisionShape2D
			if body and not body.disabled:
				shut[_level.get_path_to(door)] = body.global_transform * body.shape.get_rect()
	return shut


## Those that a path crosses.
func _crossed(path: PackedVector2Array, shut: Dictionary) -> Array:
	var crossed: Array = []
	for door: NodePath in shut:
		var rect: Rect2 = shut[door]
		var ring: PackedVector2Array = [
			rect.position, Vector2(rect.end.x, rect.position.y), rect.end, Vector2(rect.position.x, rect.end.y)
		]
		if path.size() > 1 and not Geometry2D.intersect_polyline_with_polygon(path, ring).is_empty():
			crossed.append(str(door))
	return crossed


## The settings of the body are those that the documentation recommends.
func _walker(leg: Dictionary) -> Walker:
	var walker := Walker.new()
	var shape := CollisionShape2D.new()
	var circle := CircleShape2D.new()
	circle.radius = _radius
	shape.shape = circle
	walker.add_child(shape)
	walker.agent.path_desired_distance = _desired
	walker.agent.navigation_layers = 2 if leg["flies"] else 1
	walker.add_child(walker.agent)
	walker.collision_layer = 0
	walker.collision_mask = walker.agent.navigation_layers
	walker.motion_mode = CharacterBody2D.MOTION_MODE_FLOATING
	walker.wall_min_slide_angle = 0.0
	var from: Array = leg["from"]
	var to: Array = leg["to"]
	walker.position = _middle(from)
	walker.goal = _middle(to)
	_level.add_child(walker)
	return walker


func _middle(tile: Array) -> Vector2:
	var x: float = tile[0]
	var y: float = tile[1]
	return Vector2(x + 0.5, y + 0.5) * _tile
