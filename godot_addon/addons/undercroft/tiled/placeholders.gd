extends RefCounted
## Placeholders for missing pictures: checkers in a conspicuous colour.

const Textures := preload("textures.gd")

const COLOR := Color(1, 0, 1)
const SQUARE_PX := 8
## The most px of all placeholders of an import.
const MAX_PX := 4096 * 4096

# By size.
var _made: Dictionary = {}
var _px := 0


## A checkered texture; null if placeholders would take too much memory.
func texture(size: Vector2i) -> Texture2D:
	if _made.has(size):
		return _made[size]
	if size.x < 1 or size.y < 1 or size.x > MAX_PX / size.y - _px / size.y:
		return null
	_px += size.x * size.y
	var made := Textures.of_image(image(size), ["placeholder", size])
	_made[size] = made
	return made


static func image(size: Vector2i) -> Image:
	var made := Image.create_empty(size.x, size.y, false, Image.FORMAT_RGBA8)
	made.fill(COLOR)
	for y: int in range(0, size.y, SQUARE_PX):
		for x: int in range(y % (2 * SQUARE_PX), size.x, 2 * SQUARE_PX):
			made.fill_rect(Rect2i(x, y, SQUARE_PX, SQUARE_PX), Color.BLACK)
	return made
