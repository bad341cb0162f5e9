extends RefCounted
## The shapes of objects as polygons that Godot accepts: without crossings, relative to an origin.

const Fields := preload("../import/fields.gd")

const MAX_POINTS := 4096
## The number of corners of a polygon for a round shape.
const ROUND := 24
## Corners nearer than this are merged.
const NEAR := 0.01


## The corners of an object's outline relative to the object, in px; empty for a point or a line.
static func outline(object: Fields) -> PackedVector2Array:
	if object.has("polygon"):
		return points(object, "polygon")
	var size := size_of(object)
	if object.has("polyline") or object.boolean("point", false) or not size.x or not size.y:
		return PackedVector2Array()
	if object.boolean("ellipse", false):
		return ellipse(size)
	if object.boolean("capsule", false):
		return capsule(size)
	return PackedVector2Array([Vector2.ZERO, Vector2(size.x, 0), size, Vector2(0, size.y)])


static func size_of(object: Fields) -> Vector2:
	var most := Fields.FARTHEST
	return Vector2(object.number("width", 0, 0, most), object.number("height", 0, 0, most))


static func position_of(object: Fields) -> Vector2:
	return Vector2(object.number("x", 0), object.number("y", 0))


## The corners of a polygon or polyline as in the file.
static func points(object: Fields, key: String) -> PackedVector2Array:
	var found := PackedVector2Array()
	for corner: Fields in object.subs(key, MAX_POINTS):
		found.append(position_of(corner))
	return found


static func ellipse(size: Vector2) -> PackedVector2Array:
	var found := PackedVector2Array()
	for step: int in ROUND:
		found.append(size / 2 + Vector2.from_angle(TAU * step / ROUND) * size / 2)
	return found


## A capsule as long as the longer side.
static func capsule(size: Vector2) -> PackedVector2Array:
	var found := PackedVector2Array()
	var radius := minf(size.x, size.y) / 2
	var reach := size / 2 - Vector2(radius, radius)
	for step: int in ROUND:
		var way := Vector2.from_angle(TAU * (step + 0.5) / ROUND)
		found.append(size / 2 + way * radius + reach * way.sign())
	return found


## The polygon itself if it is simple, or triangles if it crosses or touches itself; empty if it has
## no area.
static func usable(polygon: PackedVector2Array) -> Array[PackedVector2Array]:
	var found: Array[PackedVector2Array] = []
	var clean := _without_doubles(polygon)
	if clean.size() < 3:
		return found
	if _is_simple(clean):
		found.append(clean)
		return found
	var places := Geometry2D.triangulate_polygon(clean)
	for first: int in range(0, places.size() - 2, 3):
		var triangle := PackedVector2Array()
		for place: int in 3:
			triangle.append(clean[places[first + place]])
		if absf((triangle[1] - triangle[0]).cross(triangle[2] - triangle[0])) > NEAR:
			found.append(triangle)
	return found


## The convex parts of a polygon from [method usable].
static func convex(polygon: PackedVector2Array) -> Array[PackedVector2Array]:
	return Geometry2D.decompose_polygon_in_convex(polygon)


static func _without_doubles(polygon: PackedVector2Array) -> PackedVector2Array:
	var found := PackedVector2Array()
	for corner: Vector2 in polygon:
		if not found or found[-1].distance_to(corner) > NEAR:
			found.append(corner)
	while found.size() > 1 and found[0].distance_to(found[-1]) <= NEAR:
		found.remove_at(found.size() - 1)
	return found


## Whether edges meet only at shared corners, and the area is not zero.
static func _is_simple(polygon: PackedVector2Array) -> bool:
	var size := polygon.size()
	var area := 0.0
	for index: int in size:
		area += polygon[index].cross(polygon[(index + 1) % size])
	if absf(area) < NEAR or size > 512:
		return false
	for index: int in size:
		var a := polygon[index]
		var b := polygon[(index + 1) % size]
		var c := polygon[(index + 2) % size]
		if absf((b - a).cross(c - b)) < 1e-6 and (b - a).dot(c - b) < 0:
			return false
		for other: int in range(index + 2, size):
			if index == 0 and other == size - 1:
				continue
			if _touch(a, b, polygon[other], polygon[(other + 1) % size]):
				return false
	return true


static func _touch(a: Vector2, b: Vector2, c: Vector2, d: Vector2) -> bool:
	var nearest := Geometry2D.get_closest_points_between_segments(a, b, c, d)
	return nearest[0].distance_to(nearest[1]) < NEAR
