extends RefCounted
## Navigation of imported levels: regions baked by the engine that keep a body's radius away from
## everything that collides. The tiles' own navigation polygons end where collisions begin, so
## bodies would get stuck on them.
##
## In levels of our generator, walkers and flyers use the region [code]Navigation[/code], and flyers
## also use [code]NavigationFly[/code], on navigation layer 2. Each door has a region
## [code]Way[/code], so that paths lead through it only while it is open.

const DoorWays := preload("../runtime/door_ways.gd")
const NavigationShapes := preload("navigation_shapes.gd")
const RectIndex := preload("../runtime/rect_index.gd")
const Rings := preload("rings.gd")
const SceneTiles := preload("../runtime/scene_tiles.gd")

const WALKERS := 1
const FLYERS := 2
# The layers of our levels that have a tile wherever there is ground, in Tiled and in LDtk.
const _GROUND: PackedStringArray = ["Ground", "Terrain", "Terrain_fixed"]
# The number of tiles baked at once, in each direction.
const _TILES_OF_SQUARE := 32.0
const _OFF := -2.0
const _EVERYTHING := 0xFFFFFFFF


## Adds the regions for a radius in px: with -1 that of three eighths of a tile, with -2 none.
## [param ours] are levels of our generator.
static func add(root: Node, wanted: float, ours: bool) -> void:
	var level := root as Node2D
	var tile_size := SceneTiles.size_of_one(root)
	if level == null or tile_size < 1:
		return
	if wanted <= _OFF:
		return
	var radius := minf(wanted, 256.0) if wanted >= 0.0 else floorf(tile_size * 0.375)
	var shapes := NavigationShapes.of(level, _GROUND if ours else PackedStringArray())
	if not shapes.has_ground():
		return
	level.set_meta("agent_radius", radius)
	if not ours:
		_add(level, shapes.baked(radius, _EVERYTHING, [], Rect2()), WALKERS, "")
		return
	var holes := _holes(level, radius)
	var index := RectIndex.new()
	for hole: Rect2 in holes.values():
		index.add(hole)
	# In our levels, all edges are at the sides of tiles, or one radius away from them.
	var side := tile_size * _TILES_OF_SQUARE
	var shift := floorf(tile_size * 0.5) + 0.25
	var walkers := shapes.baked_in_squares(radius, WALKERS, index, side, shift)
	_add(level, walkers, WALKERS | FLYERS, "")
	var taken := _corners(holes.values())
	for i: int in walkers.get_polygon_count():
		taken.append(NavigationShapes.corners_of(walkers, i))
	_add(level, shapes.baked(radius, FLYERS, taken, Rect2()), FLYERS, "Fly")
	# In LDtk a door has one half in each room, and their holes overlap: the first one gets both.
	var before := RectIndex.new()
	for door: Node2D in holes:
		var hole: Rect2 = holes[door]
		var others: Array[Rect2] = []
		for number: int in before.overlapping(hole):
			others.append(before.rects[number])
		_add_way(level, door, shapes.baked(radius, WALKERS, _corners(others), hole))
		before.add(hole)


# The areas that are closed while doors are shut, by door, for doors with a body to switch.
static func _holes(level: Node2D, radius: float) -> Dictionary:
	var holes: Dictionary = {}
	for node: Node in level.find_children("*", "PhysicsBody2D", true, false):
		var door := node as Node2D
		for child: Node in door.get_children() if door.is_in_group(&"door") else []:
			if child is CollisionShape2D and (child as CollisionShape2D).shape:
				var shape: CollisionShape2D = child
				var rect := DoorWays.place_in(level, shape) * shape.shape.get_rect()
				holes[door] = rect.grow(radius)
	return holes


static func _corners(rects: Array) -> Array[PackedVector2Array]:
	var all: Array[PackedVector2Array] = []
	for rect: Rect2 in rects:
		all.append(Rings.corners(rect))
	return all


static func _add(level: Node2D, polygon: NavigationPolygon, layers: int, suffix: String) -> void:
	if polygon.get_polygon_count() == 0:
		return
	var region := NavigationRegion2D.new()
	region.name = "Navigation" + suffix
	region.visible = false
	region.navigation_polygon = polygon
	region.navigation_layers = layers
	level.add_child(region, true)


static func _add_way(level: Node2D, door: Node2D, polygon: NavigationPolygon) -> void:
	var way := NavigationRegion2D.new()
	way.name = "Way"
	way.visible = false
	way.transform = DoorWays.place_in(level, door).affine_inverse()
	way.navigation_polygon = polygon
	way.navigation_layers = WALKERS | FLYERS
	way.enabled = not DoorWays.is_shut(door)
	door.add_child(way, true)
