extends RefCounted
## A spatial index of rectangles.

# The plane is divided into squares of this size, in px.
const _SQUARE := 256.0
# Rectangles on more squares are compared one by one.
const _MAX_SQUARES := 4096.0

var rects: Array[Rect2] = []
# Numbers of rectangles by square, and those of large rectangles.
var _squares: Dictionary = {}
var _large: PackedInt32Array = []


func add(rect: Rect2) -> void:
	if _is_large(rect):
		_large.append(rects.size())
	for square: Vector2i in _squares_of(rect):
		var numbers: Array = _squares.get_or_add(square, [])
		numbers.append(rects.size())
	rects.append(rect)


## The numbers of the rectangles near the given one: all that overlap it, and some that do not.
func near(rect: Rect2) -> PackedInt32Array:
	var found: Dictionary = {}
	for number: int in range(rects.size()) if _is_large(rect) else Array(_large):
		found[number] = true
	for square: Vector2i in _squares_of(rect):
		for number: int in _squares.get(square, []):
			found[number] = true
	return PackedInt32Array(found.keys())


## The numbers of the rectangles that overlap the given one, in the order of adding.
func overlapping(rect: Rect2) -> PackedInt32Array:
	var found: PackedInt32Array = []
	for number: int in near(rect):
		if rects[number].intersects(rect):
			found.append(number)
	found.sort()
	return found


# Also true for sizes that are not finite.
static func _is_large(rect: Rect2) -> bool:
	var squares := rect.size / _SQUARE + Vector2.ONE
	return not squares.x * squares.y <= _MAX_SQUARES


static func _squares_of(rect: Rect2) -> Array[Vector2i]:
	var squares: Array[Vector2i] = []
	if _is_large(rect):
		return squares
	var first := Vector2i((rect.position / _SQUARE).floor())
	var last := Vector2i((rect.end / _SQUARE).floor())
	for x: int in range(first.x, last.x + 1):
		for y: int in range(first.y, last.y + 1):
			squares.append(Vector2i(x, y))
	return squares
