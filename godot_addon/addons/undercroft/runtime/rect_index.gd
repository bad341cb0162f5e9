extends RefCounted
## Rectangles that are found by where they are.

# The plane is divided into squares of this size, in px.
const _SQUARE := 256.0

var rects: Array[Rect2] = []
# Numbers of rectangles, by square.
var _squares: Dictionary = {}


func add(rect: Rect2) -> void:
	for square: Vector2i in _squares_of(rect):
		var numbers: Array = _squares.get_or_add(square, [])
		numbers.append(rects.size())
	rects.append(rect)


## The numbers of the rectangles that overlap one, in the order in which they were added.
func overlapping(rect: Rect2) -> PackedInt32Array:
	var found: PackedInt32Array = []
	for square: Vector2i in _squares_of(rect):
		var numbers: Array = _squares.get(square, [])
		for number: int in numbers:
			if rects[number].intersects(rect) and not number in found:
				found.append(number)
	found.sort()
	return found


static func _squares_of(rect: Rect2) -> Array[Vector2i]:
	var squares: Array[Vector2i] = []
	var first := Vector2i((rect.position / _SQUARE).floor())
	var last := Vector2i((rect.end / _SQUARE).floor())
	for x: int in range(first.x, last.x + 1):
		for y: int in range(first.y, last.y + 1):
			squares.append(Vector2i(x, y))
	return squares
