class_name UndercroftRoutes
extends RefCounted
## Paths and distances in a level without navigation: between places, from room to room, in tiles.
## They need no body, wait for no navigation map, and lead through rooms that are not in the tree.
##
## [codeblock]
## var routes := UndercroftRoutes.of(level)
## if routes.steps(level.room, boss_room) < 0:
## 	say("There is no way yet")
## [/codeblock]
##
## Doors that are barred now stop them: locked and hidden ones, and shortcuts from their other side.
## Doors that are only shut, such as during a fight, do not.

const DoorWays := preload("door_ways.gd")
const SceneTiles := preload("scene_tiles.gd")
# The collision layer of what stops bodies that walk.
const _WALKERS := 1

var _level: UndercroftLevel
# The tiles that one can walk on, with the doors of the last question; null before the first.
var _grid: AStarGrid2D


static func of(level: UndercroftLevel) -> UndercroftRoutes:
	var routes := UndercroftRoutes.new()
	routes._level = level
	return routes


## The rooms from one place to another, both included, in px of the level; empty if there is no way.
## From a hallway, the first room is the one at its end that is nearer in rooms.
func rooms(from: Vector2, to: Vector2) -> Array[UndercroftRoom]:
	var best: Array[UndercroftRoom] = []
	for first: UndercroftRoom in _rooms_at(from):
		for last: UndercroftRoom in _rooms_at(to):
			var path := _level.path(first, last, false)
			if path and (best.is_empty() or path.size() < best.size()):
				best = path
	return best


## How many doors or hallways lead from a room to another; -1 if there is no way.
func steps(from: UndercroftRoom, to: UndercroftRoom) -> int:
	return _level.path(from, to, false).size() - 1


## The same for all rooms, by id.
func steps_from(room: UndercroftRoom) -> PackedInt32Array:
	var found: PackedInt32Array = []
	found.resize(_level.plan.rooms.size())
	found.fill(-1)
	found[room.id] = 0
	var queue: Array[UndercroftRoom] = [room]
	for here: UndercroftRoom in queue:  # which grows meanwhile
		for there: UndercroftRoom in _level.neighbours(here, false):
			if found[there.id] < 0:
				found[there.id] = found[here.id] + 1
				queue.append(there)
	return found


## How many tiles one walks from a place to another, not diagonally; -1 if there is no way.
func tiles(from: Vector2, to: Vector2) -> int:
	return path(from, to).size() - 1


## The middles of the tiles that one walks on, in px of the level, both included; empty if there is
## no way. A one-way door or shortcut counts if the path with the fewest rooms leads through it.
func path(from: Vector2, to: Vector2) -> PackedVector2Array:
	if _grid == null:
		_grid = _made()
	var ends: Array[Vector2i] = [_level.tile_at(from), _level.tile_at(to)]
	if not ends.all(_grid.is_in_boundsv):
		return []
	var used := _doors_of(rooms(from, to))
	for door: UndercroftDoor in _level.plan.doors:
		var leads := not door.is_barred
		if door.one_way or door.opens_from >= 0:
			leads = used.has(door) or (leads and not door.one_way)
		for tile: Vector2i in door.tiles:
			_grid.set_point_solid(tile, not leads)
	return _grid.get_point_path(ends[0], ends[1])


func _rooms_at(place: Vector2) -> Array[UndercroftRoom]:
	var room := _level.room_at(place)
	var hallway := _level.hallway_at(place)
	var found: Array[UndercroftRoom] = []
	if room:
		found.append(room)
	for door: UndercroftDoor in hallway.doors if hallway else []:
		if not door.is_barred:
			found.append(door.rooms[0])
	return found


func _doors_of(route: Array[UndercroftRoom]) -> Dictionary:
	var found: Dictionary = {}
	for i: int in range(1, route.size()):
		for door: UndercroftDoor in _level.plan.doors_between(route[i - 1], route[i]):
			found[door] = true
			for end: UndercroftDoor in door.hallway.doors if door.hallway else []:
				found[end] = true
	return found


# --- tiles ------------------------------------------------------------------------------


func _made() -> AStarGrid2D:
	var grid := AStarGrid2D.new()
	grid.region = Rect2i(Vector2i(), _level.plan.size)
	grid.cell_size = Vector2.ONE * _level.tile_size
	grid.offset = grid.cell_size / 2.0
	grid.diagonal_mode = AStarGrid2D.DIAGONAL_MODE_NEVER
	grid.update()
	grid.fill_solid_region(grid.region)
	for hallway: UndercroftHallway in _level.plan.hallways:
		for tile: Vector2i in hallway.tiles:
			grid.set_point_solid(tile, false)
	var layers := _layers()
	for room: UndercroftRoom in _level.plan.rooms:
		for y: int in range(room.bounds.position.y, room.bounds.end.y):
			for x: int in range(room.bounds.position.x, room.bounds.end.x):
				var tile := Vector2i(x, y)
				if _level.plan.room_at_tile(tile) == room and (layers or _is_inside(room, tile)):
					grid.set_point_solid(tile, false)
	for layer: TileMapLayer in layers:
		_fill(grid, layer)
	return grid


# The level's tile layers, also in rooms that are not in the tree.
func _layers() -> Array[TileMapLayer]:
	var found: Dictionary = {}
	var above: Array[Node] = []
	if _level.get_parent():
		above.append(_level.get_parent())
	for room: UndercroftRoom in _level.plan.rooms:
		above.append_array(room.nodes)
	for hallway: UndercroftHallway in _level.plan.hallways:
		above.append_array(hallway.nodes)
	for node: Node in above:
		for layer: TileMapLayer in node.find_children("*", "TileMapLayer", true, false):
			if layer.tile_set:
				found[layer] = true
	var layers: Array[TileMapLayer] = []
	layers.assign(found.keys())
	return layers


# Without tiles, a room's walls are all that the plan knows: the tiles at its edge.
func _is_inside(room: UndercroftRoom, tile: Vector2i) -> bool:
	for y: int in range(-1, 2):
		for x: int in range(-1, 2):
			if _level.plan.room_at_tile(tile + Vector2i(x, y)) != room:
				return false
	return true


# Whoever walks is stopped on tiles whose middle is inside a shape of a layer's tile.
func _fill(grid: AStarGrid2D, layer: TileMapLayer) -> void:
	var place := DoorWays.place_in(_level.get_parent(), layer)
	var shapes: Dictionary = {}
	for cell: Vector2i in layer.get_used_cells():
		var data := layer.get_cell_tile_data(cell)
		if data == null:
			continue
		if not shapes.has(data):
			shapes[data] = _shapes_of(layer.tile_set, data)
		for shape: PackedVector2Array in shapes[data]:
			var ring := place * (Transform2D(0.0, layer.map_to_local(cell)) * shape)
			for tile: Vector2i in SceneTiles.inside(ring, _level.tile_size):
				if grid.is_in_boundsv(tile):
					grid.set_point_solid(tile)


static func _shapes_of(tile_set: TileSet, data: TileData) -> Array[PackedVector2Array]:
	var found: Array[PackedVector2Array] = []
	for layer: int in tile_set.get_physics_layers_count():
		if tile_set.get_physics_layer_collision_layer(layer) & _WALKERS:
			for shape: int in data.get_collision_polygons_count(layer):
				found.append(data.get_collision_polygon_points(layer, shape))
	return found
