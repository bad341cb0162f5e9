extends RefCounted
## A navigation mesh of upright rectangles, of which pieces can be cut out.

const RectangleMesh := preload("rectangle_mesh.gd")

var _rects: Array[Rect2] = []
# Corners that the mesh must have, for other regions to join on.
var _joints: PackedVector2Array = []


func _init(rects: Array[Rect2]) -> void:
	_rects = rects


## The mesh of a polygon at a place; null where it has a part that is no upright rectangle.
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
	var mesh := RectangleMesh.new(rects)
	mesh._joints = vertices
	return mesh


## Cuts a rectangle out and returns what was in it; null where there was nothing.
func cut(hole: Rect2) -> RectangleMesh:
	var left: Array[Rect2] = []
	var taken: Array[Rect2] = []
	for rect: Rect2 in _rects:
		if not rect.intersects(hole):
			left.append(rect)
			continue
		var inside := rect.intersection(hole)
		var parts: Array[Rect2] = [
			_between(rect.position, Vector2(rect.end.x, inside.position.y)),
			_between(Vector2(rect.position.x, inside.end.y), rect.end),
			Rect2(
				rect.position.x,
				inside.position.y,
				inside.position.x - rect.position.x,
				inside.size.y
			),
			Rect2(inside.end.x, inside.position.y, rect.end.x - inside.end.x, inside.size.y),
		]
		left.append_array(parts.filter(func(part: Rect2) -> bool: return part.has_area()))
		taken.append(inside)
	_rects = left
	return RectangleMesh.new(taken) if taken else null


## The corners of its rectangles, and the vertices that it had before anything was cut out.
func corners() -> PackedVector2Array:
	var all := _joints.duplicate()
	for rect: Rect2 in _rects:
		all.append_array(_corners(rect))
	return all


## What [method polygon] needs to know of the corners of all meshes that may touch: by column the
## rows that have one, and by row the columns.
static func lines(all: PackedVector2Array) -> Array[Dictionary]:
	var columns: Dictionary = {}
	var rows: Dictionary = {}
	for corner: Vector2 in all:
		_note(columns, corner.x, corner.y)
		_note(rows, corner.y, corner.x)
	return [columns, rows]


## The mesh, moved to a place, with a vertex wherever a corner touches an edge: only edges that two
## parts have in common can be crossed.
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


static func _corners(rect: Rect2) -> PackedVector2Array:
	var right := Vector2(rect.end.x, rect.position.y)
	return [rect.position, right, rect.end, Vector2(rect.position.x, rect.end.y)]


static func _note(lines: Dictionary, at: float, value: float) -> void:
	var line: Dictionary = lines.get_or_add(at, {})
	line[value] = true


# The corners on the edges of a rectangle, clockwise, its own among them.
static func _ring(rect: Rect2, columns: Dictionary, rows: Dictionary) -> PackedVector2Array:
	var ring: PackedVector2Array = []
	var start := rect.position
	var end := rect.end
	for x: float in _within(rows, start.y, start.x, end.x):
		ring.append(Vector2(x, start.y))
	for y: float in _within(columns, end.x, start.y, end.y):
		ring.append(Vector2(end.x, y))
	for x: float in _within(rows, end.y, end.x, start.x):
		ring.append(Vector2(x, end.y))
	for y: float in _within(columns, start.x, end.y, start.y):
		ring.append(Vector2(start.x, y))
	return ring


# The values noted on a line, in order from one to another, without the last.
static func _within(lines: Dictionary, at: float, from: float, to: float) -> PackedFloat64Array:
	var line: Dictionary = lines[at]
	var found: PackedFloat64Array = []
	for value: float in line:
		if minf(from, to) <= value and value <= maxf(from, to) and value != to:
			found.append(value)
	found.sort()
	if from > to:
		found.reverse()
	return found


static func _between(start: Vector2, end: Vector2) -> Rect2:
	return Rect2(start, end - start)


# The area of a ring of corners.
static func _area(corners: PackedVector2Array) -> float:
	var twice := 0.0
	for i: int in corners.size():
		twice += corners[i].cross(corners[(i + 1) % corners.size()])
	return absf(twice) / 2.0
