extends RefCounted
## Facts about an imported scene's tiles, read from its layers; the generator's own scenes have them
## as metadata.

const DoorWays := preload("door_ways.gd")


## The width of a tile in px; 0 without a tile layer.
static func size_of_one(root: Node) -> int:
	for node: Node in root.find_children("*", "TileMapLayer", true, false):
		var layer: TileMapLayer = node
		if layer.tile_set:
			return layer.tile_set.tile_size.x
	return 0


## A tile of the theme's image as a picture; null for a place outside of it.
static func tile_of(root: Node, place: Vector2i) -> Texture2D:
	for node: Node in root.find_children("*", "TileMapLayer", true, false):
		var layer: TileMapLayer = node
		if layer.tile_set and layer.tile_set.get_source_count():
			var id := layer.tile_set.get_source_id(0)
			var source := layer.tile_set.get_source(id) as TileSetAtlasSource
			if source == null or source.texture == null or mini(place.x, place.y) < 0:
				return null
			var step := source.texture_region_size + source.separation
			var cut := AtlasTexture.new()
			cut.atlas = source.texture
			cut.region = Rect2(source.margins + place * step, source.texture_region_size)
			return cut if cut.region.end <= source.texture.get_size() else null
	return null


## The tile to the right of and below all others.
static func end_of_all(root: Node) -> Vector2i:
	var end := Vector2i()
	for node: Node in root.find_children("*", "TileMapLayer", true, false):
		var layer: TileMapLayer = node
		if layer.tile_set:
			var place := DoorWays.place_in(root, layer).origin / Vector2(layer.tile_set.tile_size)
			var used := layer.get_used_rect()
			end = end.max(used.end + Vector2i(place.round()))
	return end


## The tiles whose centres are inside the rectangles and polygons of a node, row by row.
static func under_shapes(root: Node, node: Node, tile_size: int) -> Array[Vector2i]:
	var found: Dictionary = {}
	for child: Node in node.get_children():
		var ring := _ring(child)
		if ring.is_empty():
			continue
		for tile: Vector2i in inside(DoorWays.place_in(root, child) * ring, tile_size):
			found[tile] = true
	var tiles: Array[Vector2i] = []
	tiles.assign(found.keys())
	return tiles


## The tiles whose centres are inside a polygon, in px, row by row.
static func inside(ring: PackedVector2Array, tile_size: int) -> Array[Vector2i]:
	var found: Array[Vector2i] = []
	var bounds := Rect2(ring[0], Vector2())
	for corner: Vector2 in ring:
		bounds = bounds.expand(corner)
	var first := Vector2i((bounds.position / tile_size).floor())
	var end := Vector2i((bounds.end / tile_size).ceil())
	for y: int in range(first.y, end.y):
		for x: int in range(first.x, end.x):
			var middle := (Vector2(x, y) + Vector2(0.5, 0.5)) * tile_size
			if Geometry2D.is_point_in_polygon(middle, ring):
				found.append(Vector2i(x, y))
	return found


static func _ring(node: Node) -> PackedVector2Array:
	if node is CollisionPolygon2D:
		var polygon: CollisionPolygon2D = node
		return polygon.polygon
	if node is CollisionShape2D:
		var shape: CollisionShape2D = node
		if shape.shape is RectangleShape2D:
			var rectangle: RectangleShape2D = shape.shape
			var half := rectangle.size / 2.0
			return [-half, Vector2(half.x, -half.y), half, Vector2(-half.x, half.y)]
	return []
