extends "probe.gd"
## Shuts and opens every door of levels and asks the tiles, physics and navigation what passes.

var _level: UndercroftLevel
var _scene: Node2D


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var answers: Array = []
	for path: String in arguments.slice(0, -1):
		var packed: PackedScene = load(path)
		_scene = packed.instantiate()
		root.add_child(_scene)
		_level = UndercroftLevel.from_scene(_scene)
		answers.append(await _told())
		_scene.free()
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(answers))
	file.close()
	quit()


## What passes each door: as the level starts, with all open, and with all shut.
func _told() -> Dictionary:
	var opened: Array[int] = []
	var shut: Array[int] = []
	_level.door_opened.connect(func(door: UndercroftDoor) -> void: opened.append(door.id))
	_level.door_shut.connect(func(door: UndercroftDoor) -> void: shut.append(door.id))
	await _settled()
	var told := {"start": _state(), "told_opened": opened, "told_shut": shut}
	for door: UndercroftDoor in _level.plan.doors:
		_level.open_door(door)
	await _settled()
	told["open"] = _state()
	for room: UndercroftRoom in _level.plan.rooms:
		_level.shut_doors_of(room)
	await _settled()
	told["shut"] = _state()
	var regions := _scene.find_children("*", "NavigationRegion2D", true, false)
	told["compared"] = regions.map(_is_compared).count(true)
	return told


## Whether the engine compares each edge on a region's border with those of all others.
static func _is_compared(region: NavigationRegion2D) -> bool:
	return region.use_edge_connections


func _settled() -> void:
	for i: int in 4:
		await physics_frame


## For each door: whether navigation leads walkers and flyers through, a ray is stopped, and the
## tiles that are shown.
func _state() -> Array:
	var space := _scene.get_world_2d().direct_space_state
	var state: Array = []
	for door: UndercroftDoor in _level.plan.doors:
		var ahead := Vector2(0, 1) if door.side in ["north", "south"] else Vector2(1, 0)
		var half := ahead * (_level.tile_size * (1.0 if door.rooms.size() == 2 else 0.5))
		var middle := _level.middle_of_door(door)
		var from := middle - half - ahead * 4.0
		var to := middle + half + ahead * 4.0
		var ray := PhysicsRayQueryParameters2D.create(from, to, 1)
		var ways := [_leads(from, to, 1), _leads(from, to, 2)]
		state.append([ways, not space.intersect_ray(ray).is_empty(), _looks(door)])
	return state


## Whether those on some navigation layers get from a place to another without a detour.
func _leads(from: Vector2, to: Vector2, layers: int) -> bool:
	var map := _scene.get_world_2d().navigation_map
	var way := NavigationServer2D.map_get_path(map, from, to, true, layers)
	var length := 0.0
	for i: int in range(1, way.size()):
		length += way[i].distance_to(way[i - 1])
	var straight := length < from.distance_to(to) * 1.5 and way.size() > 1
	return straight and way[-1].distance_to(to) < 1.0


func _looks(door: UndercroftDoor) -> Array:
	var looks: Array = []
	for node: Node2D in get_nodes_in_group("door"):
		if node.get_meta("id") == door.id and node.has_meta("open_tiles"):
			var layer: TileMapLayer = node.get_parent()
			var cells: Array[Vector2i] = node.get_meta("cells")
			var open: Array[Vector2i] = node.get_meta("open_tiles")
			var shut: Array[Vector2i] = node.get_meta("shut_tiles")
			for i: int in cells.size():
				var at := layer.get_cell_atlas_coords(cells[i])
				looks.append([at == open[i], at == shut[i]])
	return looks
