extends RefCounted
## The ground of a level and its obstacles, in the form that the engine's navigation baking needs.

const DoorWays := preload("../runtime/door_ways.gd")
const NavigationShapes := preload("navigation_shapes.gd")
const RectIndex := preload("../runtime/rect_index.gd")
const Rings := preload("rings.gd")

const _STEPS_OF_CIRCLE := 16
const _MAX_SQUARES := 10000.0


# The shapes of a tile, relative to its centre: rings of ground, and colliding rings with their
# layers.
class Tile:
	extends RefCounted
	var ground: Array[PackedVector2Array] = []
	var rings: Array[PackedVector2Array] = []
	var layers: PackedInt32Array = []


var _ground := Rings.new()
# Cells, which count as ground if no tile has navigation.
var _cells := Rings.new()
# Colliding rings, by collision layers.
var _solids: Dictionary = {}
var _tiles: Dictionary = {}
var _ground_layers: PackedStringArray = []


## All tiles and bodies of a level except doors and the contents of instanced scenes. If no tile has
## navigation, every tile of the layers named [param ground], or else of all layers, is ground. The
## layers' own navigation is turned off, because two regions must not overlap.
static func of(level: Node2D, ground: PackedStringArray) -> NavigationShapes:
	var shapes := NavigationShapes.new()
	shapes._ground_layers = ground
	shapes._read(level, level)
	return shapes


func has_ground() -> bool:
	return not _ground.is_empty() or not _cells.is_empty()


## A mesh of the ground that keeps a radius away from everything that collides with some of the
## layers, without the holes. If [param clip] has an area, only the part inside it.
func baked(
	radius: float, layers: int, holes: Array[PackedVector2Array], clip: Rect2
) -> NavigationPolygon:
	var polygon := NavigationPolygon.new()
	polygon.agent_radius = radius
	var source := NavigationMeshSourceGeometryData2D.new()
	var near := clip.grow(radius * 4.0 + 1.0) if clip.has_area() else Rect2()
	for ring: PackedVector2Array in (_cells if _ground.is_empty() else _ground).near(near):
		source.add_traversable_outline(ring)
	for solid: int in _solids:
		var rings: Rings = _solids[solid]
		for ring: PackedVector2Array in rings.near(near) if solid & (layers | 1) else []:
			if solid & layers:
				source.add_obstruction_outline(ring)
			else:  # pits and low decor are ground for flyers
				source.add_traversable_outline(ring)
	for hole: PackedVector2Array in holes:
		source.add_projected_obstruction(hole, true)
	if clip.has_area():
		polygon.baking_rect = clip.grow(radius * 2.0)
		polygon.border_size = radius * 2.0
	_bake(polygon, source)
	_drop_doubles(polygon)
	return polygon


# If corners that keep the radius touch each other, the engine may find no polygons, make the mesh
# empty and say that a partition failed, or make slivers whose edges its map cannot tell apart. With
# a slightly larger radius, they do not touch.
static func _bake(polygon: NavigationPolygon, source: NavigationMeshSourceGeometryData2D) -> void:
	var radius := polygon.agent_radius
	var is_told := Engine.print_error_messages
	for more: float in [0.0, 0.03, 0.07]:
		polygon.agent_radius = radius + more
		Engine.print_error_messages = is_told and more > 0.0
		NavigationServer2D.bake_from_source_geometry_data(polygon, source)
		Engine.print_error_messages = is_told
		var is_made := polygon.get_polygon_count() > 0 or not source.has_data()
		if is_made and not _is_crowded(polygon):
			break
	polygon.agent_radius = radius


# Whether more than two polygons have an edge between the same two pixels, as the engine's map takes
# them.
static func _is_crowded(mesh: NavigationPolygon) -> bool:
	var users: Dictionary = {}
	for i: int in mesh.get_polygon_count():
		var numbers := mesh.get_polygon(i)
		for k: int in numbers.size():
			var a := Vector2i(mesh.vertices[numbers[k - 1]].floor())
			var b := Vector2i(mesh.vertices[numbers[k]].floor())
			var edge := [a, b] if a < b else [b, a]
			users[edge] = users.get(edge, 0) + 1
			if users[edge] > 2:
				return true
	return false


# The engine may produce a polygon twice and then report its own edges as an error.
static func _drop_doubles(mesh: NavigationPolygon) -> void:
	var seen: Dictionary = {}
	var kept: Array[PackedInt32Array] = []
	for i: int in mesh.get_polygon_count():
		var ring := Array(corners_of(mesh, i))
		ring.sort()
		if not seen.has(ring):
			seen[ring] = true
			kept.append(mesh.get_polygon(i))
	if kept.size() < mesh.get_polygon_count():
		mesh.clear_polygons()
		for numbers: PackedInt32Array in kept:
			mesh.add_polygon(numbers)


## The same for the whole level, made in squares with a side of [param side] px, because the
## engine's time grows faster than its input. No edge may lie on the sides of the squares, which are
## at multiples of [param side] plus [param shift].
func baked_in_squares(
	radius: float, layers: int, holes: RectIndex, side: float, shift: float
) -> NavigationPolygon:
	var ground := _cells if _ground.is_empty() else _ground
	var bounds := ground.bounds()
	var first := Vector2i(((bounds.position - Vector2(shift, shift)) / side).floor())
	var last := Vector2i(((bounds.end - Vector2(shift, shift)) / side).floor())
	var result := NavigationPolygon.new()
	var vertices: PackedVector2Array = []
	if not bounds.get_area() / side / side <= _MAX_SQUARES:
		return baked(radius, layers, _corners_of(holes, bounds), Rect2())
	for x: int in range(first.x, last.x + 1):
		for y: int in range(first.y, last.y + 1):
			var square := Rect2(x * side + shift, y * side + shift, side, side)
			if ground.near(square).is_empty():
				continue
			var part := baked(radius, layers, _corners_of(holes, square), square)
			for i: int in part.get_polygon_count():
				var ring: PackedInt32Array = []
				for number: int in part.get_polygon(i):
					ring.append(number + vertices.size())
				result.add_polygon(ring)
			vertices.append_array(part.vertices)
	result.vertices = vertices
	result.agent_radius = radius
	return result


static func _corners_of(holes: RectIndex, near: Rect2) -> Array[PackedVector2Array]:
	var all: Array[PackedVector2Array] = []
	for number: int in holes.overlapping(near):
		all.append(Rings.corners(holes.rects[number]))
	return all


## The corners of one polygon of a mesh.
static func corners_of(mesh: NavigationPolygon, number: int) -> PackedVector2Array:
	var ring: PackedVector2Array = []
	for index: int in mesh.get_polygon(number):
		ring.append(mesh.vertices[index])
	return Rings.wound(ring)


func _read(level: Node2D, node: Node) -> void:
	if node is TileMapLayer:
		var layer: TileMapLayer = node
		if layer.enabled and layer.tile_set:
			_read_layer(layer, DoorWays.place_in(level, layer))
	elif node is StaticBody2D and not node.is_in_group(&"door"):
		_read_body(node as StaticBody2D, level)
	for child: Node in node.get_children():
		if not child.scene_file_path:
			_read(level, child)


func _read_layer(layer: TileMapLayer, place: Transform2D) -> void:
	layer.navigation_enabled = false
	for cell: Vector2i in layer.get_used_cells():
		var data := layer.get_cell_tile_data(cell)
		if data == null:
			continue
		var middle := place * Transform2D(0.0, layer.map_to_local(cell))
		var tile := _tile(layer, cell, data)
		var half := Vector2(layer.tile_set.tile_size) / 2.0
		if _ground_layers.is_empty() or layer.name in _ground_layers:
			_cells.add(middle * Rings.corners(Rect2(-half, half * 2.0)))
		for ring: PackedVector2Array in tile.ground:
			_ground.add(middle * ring)
		for i: int in tile.rings.size() if layer.collision_enabled else 0:
			_add_solid(tile.layers[i], middle * tile.rings[i])


# Each tile is read once per orientation: the bits of an alternative say how it is rotated.
func _tile(layer: TileMapLayer, cell: Vector2i, data: TileData) -> Tile:
	var turned := layer.get_cell_alternative_tile(cell)
	var key := [layer.tile_set, data, turned]
	if _tiles.has(key):
		return _tiles[key]
	var flip_h := bool(turned & TileSetAtlasSource.TRANSFORM_FLIP_H)
	var flip_v := bool(turned & TileSetAtlasSource.TRANSFORM_FLIP_V)
	var transpose := bool(turned & TileSetAtlasSource.TRANSFORM_TRANSPOSE)
	var turn := Transform2D(Vector2.RIGHT, Vector2.DOWN, Vector2())
	if transpose:
		turn = Transform2D(Vector2.DOWN, Vector2.RIGHT, Vector2())
	var mirror := Vector2(-1.0 if flip_h else 1.0, -1.0 if flip_v else 1.0)
	turn = Transform2D(turn.x * mirror, turn.y * mirror, Vector2())
	var tile := Tile.new()
	for number: int in layer.tile_set.get_navigation_layers_count():
		var mesh := data.get_navigation_polygon(number)
		for i: int in mesh.get_polygon_count() if mesh else 0:
			tile.ground.append(turn * corners_of(mesh, i))
	for number: int in layer.tile_set.get_physics_layers_count():
		for i: int in data.get_collision_polygons_count(number):
			tile.rings.append(turn * data.get_collision_polygon_points(number, i))
			tile.layers.append(layer.tile_set.get_physics_layer_collision_layer(number))
	_tiles[key] = tile
	return tile


func _read_body(body: StaticBody2D, level: Node2D) -> void:
	for child: Node in body.get_children():
		var ring: PackedVector2Array = []
		if child is CollisionPolygon2D and not (child as CollisionPolygon2D).disabled:
			ring = (child as CollisionPolygon2D).polygon
		elif child is CollisionShape2D and not (child as CollisionShape2D).disabled:
			ring = _ring_of((child as CollisionShape2D).shape)
		if ring.size() > 2:
			_add_solid(body.collision_layer, DoorWays.place_in(level, child) * ring)


func _add_solid(layers: int, ring: PackedVector2Array) -> void:
	var rings: Rings = _solids.get_or_add(layers, Rings.new())
	rings.add(ring)


static func _ring_of(shape: Shape2D) -> PackedVector2Array:
	if shape is ConvexPolygonShape2D:
		return (shape as ConvexPolygonShape2D).points
	if shape is CircleShape2D:
		var ring: PackedVector2Array = []
		for i: int in _STEPS_OF_CIRCLE:
			var angle := TAU * i / _STEPS_OF_CIRCLE
			ring.append(Vector2.from_angle(angle) * (shape as CircleShape2D).radius)
		return ring
	return Rings.corners(shape.get_rect()) if shape else PackedVector2Array()
