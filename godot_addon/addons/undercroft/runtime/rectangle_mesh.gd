extends RefCounted
## A navigation mesh of upright rectangles, from which pieces can be cut out.

const RectIndex := preload("rect_index.gd")
const RectangleMesh := preload("rectangle_mesh.gd")

var _rects: Array[Rect2] = []
# The corners of the rectangles, and other vertices that the mesh needs to join other regions.
var _corners: PackedVector2Array = []


func _init(rects: Array[Rect2], vertices: PackedVector2Array) -> void:
	_rects = rects
	_corners = vertices


## The mesh of a polygon at a place; null if a part of it is not an upright rectangle.
static func of(polygon: NavigationPolygon, place: Transform2D) -> RectangleMesh:
	if polygon == null:
		return null
	var vertices := place * polygon.vertices
	var rects: Array[Rect2] = []
	for i: int in polygon.get_polygon_count():
		var corners: PackedVector2Array = []
		for index: int in polygon.get_polygon(i):
			corners.append(vertices[index])
		var rect := Rect2(corners[0], Vector2())
		for corner: Vector2 in corners:
			rect = rect.expand(corner)
		if not is_equal_approx(_area(corners), rect.get_area()):
			return null
		rects.append(rect)
	return RectangleMesh.new(rects, vertices)


## Cuts rectangles out and returns the mesh of each piece, by the rectangle's number. Where two
## overlap, the first one gets everything.
func cut(holes: RectIndex) -> Dictionary:
	var left: Array[Rect2] = []
	var taken: Dictionary = {}
	for rect: Rect2 in _rects:
		var rest: Array[Rect2] = [rect]
		for number: int in holes.overlapping(rect):
			var hole := holes.rects[number]
			var outside: Array[Rect2] = []
			for part: Rect2 in rest:
				if part.intersects(hole):
					var inside: Array[Rect2] = taken.get_or_add(number, [] as Array[Rect2])
					inside.append(part.intersection(hole))
					outside.append_array(_around(part, inside[-1]))
				else:
					outside.append(part)
			rest = outside
			_add_corners(rest)
		left.append_array(rest)
	_rects = left
	var pieces: Dictionary = {}
	for number: int in taken:
		var inside: Array[Rect2] = taken[number]
		var piece := RectangleMesh.new(inside, [])
		piece._add_corners(inside)
		pieces[number] = piece
	return pieces


## The corners of its rectangles, and its original vertices.
func corners() -> PackedVector2Array:
	return _corners


## The corners of all meshes that may touch, for [method polygon]: by column the rows with a corner,
## and by row the columns, in order.
static func lines(all: PackedVector2Array) -> Array[Dictionary]:
	var turned := Transform2D(Vector2.DOWN, Vector2.RIGHT, Vector2.ZERO) * all
	return [_columns(all), _columns(turned)]


## The mesh, moved to a place, with a vertex wherever a corner touches an edge: paths can only cross
## edges that two parts share.
func polygon(place: Transform2D, lines_of_all: Array[Dictionary]) -> NavigationPolygon:
	var numbers: Dictionary = {}
	var vertices: PackedVector2Array = []
	var result := NavigationPolygon.new()
	for rect: Rect2 in _rects:
		var ring: PackedInt32Array = []
		for corner: Vector2 in _ring(rect, lines_of_all[0], lines_of_all[1]):
			if not numbers.has(corner):
				numbers[corner] = vertices.size()
				vertices.append(corner)
			var number: int = numbers[corner]
			ring.append(number)
		result.add_polygon(ring)
	result.vertices = place * vertices
	return result


func _add_corners(rects: Array[Rect2]) -> void:
	for rect: Rect2 in rects:
		_corners.append(rect.position)
		_corners.append(Vector2(rect.end.x, rect.position.y))
		_corners.append(rect.end)
		_corners.append(Vector2(rect.position.x, rect.end.y))


# By x the values of y, in order and each once.
static func _columns(corners: PackedVector2Array) -> Dictionary:
	var sorted := corners.duplicate()
	sorted.sort()
	var columns: Dictionary = {}
	var column: PackedFloat64Array = []
	for i: int in sorted.size():
		var corner := sorted[i]
		var is_last := i + 1 == sorted.size()
		if is_last or corner != sorted[i + 1]:
			column.append(corner.y)
		if is_last or corner.x != sorted[i + 1].x:
			columns[corner.x] = column
			column = PackedFloat64Array()
	return columns


# The corners on the edges of a rectangle, clockwise, including its own.
static func _ring(rect: Rect2, columns: Dictionary, rows: Dictionary) -> PackedVector2Array:
	var ring: PackedVector2Array = []
	var start := rect.position
	var end := rect.end
	var line: PackedFloat64Array = rows[start.y]
	for i: int in range(line.bsearch(start.x), line.bsearch(end.x)):
		ring.append(Vector2(line[i], start.y))
	line = columns[end.x]
	for i: int in range(line.bsearch(start.y), line.bsearch(end.y)):
		ring.append(Vector2(end.x, line[i]))
	line = rows[end.y]
	for i: int in range(line.bsearch(end.x), line.bsearch(start.x), -1):
		ring.append(Vector2(line[i], end.y))
	line = columns[start.x]
	for i: int in range(line.bsearch(end.y), line.bsearch(start.y), -1):
		ring.append(Vector2(start.x, line[i]))
	return ring


# The rest of a rectangle after one inside it is cut out.
static func _around(rect: Rect2, inside: Rect2) -> Array[Rect2]:
	var parts: Array[Rect2] = [
		_between(rect.position, Vector2(rect.end.x, inside.position.y)),
		_between(Vector2(rect.position.x, inside.end.y), rect.end),
		_between(
			Vector2(rect.position.x, inside.position.y), Vector2(inside.position.x, inside.end.y)
		),
		_between(Vector2(inside.end.x, inside.position.y), Vector2(rect.end.x, inside.end.y)),
	]
	return parts.filter(func(part: Rect2) -> bool: return part.has_area())


static func _between(start: Vector2, end: Vector2) -> Rect2:
	return Rect2(start, end - start)


# The area of a ring of corners, measured from the first one: far from the origin, products of
# coordinates are too large for the engine's vectors.
static func _area(corners: PackedVector2Array) -> float:
	var twice := 0.0
	for i: int in range(1, corners.size() - 1):
		twice += (corners[i] - corners[0]).cross(corners[i + 1] - corners[0])
	return absf(twice) / 2.0
