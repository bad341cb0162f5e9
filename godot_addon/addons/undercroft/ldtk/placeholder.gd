extends RefCounted
## A placeholder for missing pictures: stripes that nobody mistakes for game art.

## The largest placeholder, in px; anything beyond it is cut off.
const MAX := 4096
const STRIPE := 16.0


static func texture(size: Vector2i) -> GradientTexture2D:
	var gradient := Gradient.new()
	gradient.interpolation_mode = Gradient.GRADIENT_INTERPOLATE_CONSTANT
	gradient.offsets = [0, 0.5]
	gradient.colors = [Color.MAGENTA, Color.BLACK]
	var made := GradientTexture2D.new()
	made.gradient = gradient
	made.width = clampi(size.x, 1, MAX)
	made.height = clampi(size.y, 1, MAX)
	made.repeat = GradientTexture2D.REPEAT
	made.fill_to = Vector2(STRIPE / made.width, STRIPE / made.height)
	return made


## The placeholder for a level whose file is missing.
static func of_level(size: Vector2) -> Sprite2D:
	var sprite := Sprite2D.new()
	sprite.name = "Missing"
	sprite.texture = texture(Vector2i(64, 64))
	sprite.centered = false
	sprite.texture_repeat = CanvasItem.TEXTURE_REPEAT_ENABLED
	sprite.region_enabled = true
	sprite.region_rect = Rect2(Vector2.ZERO, size)
	return sprite
