extends RefCounted
## The walls of a level that stop light, as outlines, apart for each room and hallway.
##
## A wall is lit, and stops light at its far side: only the edges that face away from a light cast a
## shadow. So a light must not be inside a wall.

const DoorWays := preload("door_ways.gd")
const LightWalls := preload("light_walls.gd")

const LAYER := "Walls"
## The layer of an LDtk project's values; those of walls have occluders.
const VALUES := "Values"
const NAME := "Occluders"

const _BESIDE: Array[Vector2i] = [Vector2i.DOWN, Vector2i.UP, Vector2i.LEFT, Vector2i.RIGHT]

var _plan: UndercroftPlan
var _tile_size := 0
# By tile: the room's id, or the number of rooms plus the hallway's id.
var _owners: Dictionary = {}


## The walls that the layers show, without their tops and outer faces, which are drawn in the void.
static func of(
	scene: Node2D, plan: UndercroftPlan, layers: Array[TileMapLayer], tile_size: int
) -> LightWalls:
	var walls := LightWalls.new()
	walls._plan = plan
	walls._tile_size = tile_size
	var beside := walls._beside_hallways()
	for layer: TileMapLayer in layers:
		if layer.name != LAYER and layer.name != VALUES:
			continue
		if layer.name == VALUES and layer.tile_set.get_occlusion_layers_count() == 0:
			continue
		var place := Vector2i((DoorWays.place_in(scene, layer).origin / tile_size).round())
		for cell: Vector2i in layer.get_used_cells():
			if layer.name == VALUES and not _is_wall(layer.get_cell_tile_data(cell)):
				continue
			var tile := cell + place
			var room := plan.room_at_tile(tile)
			if room:
				walls._owners[tile] = room.id
			elif beside.has(tile):
				walls._owners[tile] = beside[tile]
	return walls


static func _is_wall(data: TileData) -> bool:
	return data != null and data.get_occluder(0) != null


## The step from a tile out of the wall; zero if it is in none.
func way_out(tile: Vector2i) -> Vector2i:
	if _owners.has(tile):
		for step: Vector2i in _BESIDE:
			var there := tile + step
			var is_inside := _plan.room_at_tile(there) or _plan.hallway_at_tile(there)
			if is_inside and not _owners.has(there):
				return step
	return Vector2i.ZERO


## Adds an occluder for each outline, unless the scene has some, or its rooms do.
func add_to(scene: Node2D) -> void:
	if scene.find_child(NAME, true, false):
		return
	var above := Node2D.new()
	above.name = NAME
	scene.add_child(above)
	above.owner = scene
	var areas: Dictionary = {}
	for tile: Vector2i in _owners:
		var area: Dictionary = areas.get_or_add(_owners[tile], {})
		area[tile] = true
	var owners: Array = areas.keys()
	owners.sort()
	var met: Dictionary = {}
	for owner: int in owners:
		var area: Dictionary = areas[owner]
		for ring: PackedVector2Array in outlines(area):
			var polygon := OccluderPolygon2D.new()
			polygon.cull_mode = OccluderPolygon2D.CULL_COUNTER_CLOCKWISE
			polygon.polygon = Transform2D().scaled(Vector2.ONE * _tile_size) * ring
			var occluder := LightOccluder2D.new()
			occluder.name = _name(ring[0], met)
			occluder.occluder = polygon
			occluder.sdf_collision = false
			above.add_child(occluder)
			occluder.owner = scene


# A second outline from the same corner has a number.
static func _name(corner: Vector2, met: Dictionary) -> String:
	var count: int = met.get(corner, 0) + 1
	met[corner] = count
	var usual := "Wall_%d_%d" % [corner.x, corner.y]
	return usual if count == 1 else "%s_%d" % [usual, count]


## The rings of corners around some tiles, clockwise, and around their holes, counterclockwise. None
## visits a corner twice; each starts at its leftmost, then uppermost corner, and they are sorted.
static func outlines(tiles: Dictionary) -> Array[PackedVector2Array]:
	# By corner: the steps along the edges that start there, with the tiles on their right.
	var edges: Dictionary = {}
	for tile: Vector2i in tiles:
		var corner := tile
		for step: Vector2i in [Vector2i.RIGHT, Vector2i.DOWN, Vector2i.LEFT, Vector2i.UP]:
			if not tiles.has(tile + Vector2i(step.y, -step.x)):
				var here: Array = edges.get_or_add(corner, [])
				here.append(step)
			corner += step
	var rings: Array[PackedVector2Array] = []
	while edges:
		var start: Vector2i = edges.keys()[0]
		_add_rings(rings, _ring(edges, start))
	rings.sort_custom(_is_before)
	return rings


static func _is_before(one: PackedVector2Array, other: PackedVector2Array) -> bool:
	return one[0] < other[0]


# Cuts a ring wherever it returns to a corner.
static func _add_rings(rings: Array[PackedVector2Array], ring: PackedVector2Array) -> void:
	var way: PackedVector2Array = []
	for corner: Vector2 in ring:
		var before := way.find(corner)
		if before >= 0:
			rings.append(_from_first(way.slice(before)))
			way.resize(before)
		way.append(corner)
	rings.append(_from_first(way))


static func _from_first(ring: PackedVector2Array) -> PackedVector2Array:
	var first := 0
	for i: int in ring.size():
		if ring[i] < ring[first]:
			first = i
	return ring.slice(first) + ring.slice(0, first)


# Follows edges from a corner until the ring closes, and takes them away.
static func _ring(edges: Dictionary, start: Vector2i) -> PackedVector2Array:
	var ring: PackedVector2Array = []
	var here := start
	var last := Vector2i.ZERO
	while edges.has(here):
		var steps: Array = edges[here]
		var step: Vector2i = steps[0]
		var right := Vector2i(-last.y, last.x)
		if steps.has(right):  # where two tiles touch only at a corner, stay at the same one
			step = right
		steps.erase(step)
		if steps.is_empty():
			edges.erase(here)
		if step != last:
			ring.append(Vector2(here))
		last = step
		here += step
	if ring.size() > 4 and last == Vector2i((ring[1] - ring[0]).sign()):
		ring.remove_at(0)  # it began in the middle of a side
	return ring


# The tiles beside hallways' floors, which are their walls if they are walls.
func _beside_hallways() -> Dictionary:
	var found: Dictionary = {}
	for hallway: UndercroftHallway in _plan.hallways:
		for tile: Vector2i in hallway.tiles:
			for y: int in range(tile.y - 1, tile.y + 2):
				for x: int in range(tile.x - 1, tile.x + 2):
					found.get_or_add(Vector2i(x, y), _plan.rooms.size() + hallway.id)
	return found
