extends RefCounted
## A spatial index of rings of corners. Adjacent upright rectangles are joined, because the engine's
## baking takes much longer for many small ones.

const RectIndex := preload("../runtime/rect_index.gd")

var _rings: Array[PackedVector2Array] = []
# The bounds of the last ring if it is an upright rectangle.
var _last := Rect2()
var _index: RectIndex


func is_empty() -> bool:
	return _rings.is_empty()


func add(ring: PackedVector2Array) -> void:
	var rect := _bounds(ring)
	if not _is_upright(ring):
		_last = Rect2()
		_rings.append(wound(ring))
	elif _last.has_area() and _continues(_last, rect):
		_last = _last.merge(rect)
		_rings[-1] = wound(corners(_last))
	else:
		_last = rect
		_rings.append(wound(ring))
	_index = null


## All rings or, if [param clip] has an area, those whose bounds overlap it.
func near(clip: Rect2) -> Array[PackedVector2Array]:
	if not clip.has_area():
		return _rings
	if _index == null:
		_index = RectIndex.new()
		for ring: PackedVector2Array in _rings:
			_index.add(_bounds(ring))
	var found: Array[PackedVector2Array] = []
	for number: int in _index.overlapping(clip):
		found.append(_rings[number])
	return found


func bounds() -> Rect2:
	var all := _bounds(_rings[0]) if _rings else Rect2()
	for ring: PackedVector2Array in _rings:
		all = all.merge(_bounds(ring))
	return all


## The corners, clockwise from the top left one.
static func corners(rect: Rect2) -> PackedVector2Array:
	var right := Vector2(rect.end.x, rect.position.y)
	return [rect.position, right, rect.end, Vector2(rect.position.x, rect.end.y)]


## A ring in the common direction. The engine adds rings up, so two in opposite directions would
## cancel each other.
static func wound(ring: PackedVector2Array) -> PackedVector2Array:
	if Geometry2D.is_polygon_clockwise(ring):
		ring.reverse()
	return ring


static func _continues(rect: Rect2, next: Rect2) -> bool:
	return (
		rect.position.y == next.position.y
		and rect.end.y == next.end.y
		and rect.end.x == next.position.x
	)


static func _is_upright(ring: PackedVector2Array) -> bool:
	if ring.size() != 4:
		return false
	var level := ring[0].y == ring[1].y
	for i: int in 4:
		var edge := ring[(i + 1) % 4] - ring[i]
		if (edge.y if level else edge.x) != 0.0 or edge == Vector2():
			return false
		level = not level
	return true


static func _bounds(ring: PackedVector2Array) -> Rect2:
	var rect := Rect2(ring[0], Vector2()) if ring else Rect2()
	for corner: Vector2 in ring:
		rect = rect.expand(corner)
	return rect
