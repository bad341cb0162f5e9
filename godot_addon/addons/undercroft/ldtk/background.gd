extends RefCounted
## The background of a level: its colour and its image.

const Images := preload("images.gd")
const Fields := preload("../import/fields.gd")

## Below all tiles, including those that other levels have beyond their edges.
const BEHIND := -10


static func add(level: Fields, to: Node2D, size: Vector2, color: Color, images: Images) -> void:
	var fill := ColorRect.new()
	fill.name = "BackgroundColor"
	fill.color = color
	fill.size = size
	fill.mouse_filter = Control.MOUSE_FILTER_IGNORE
	fill.z_index = BEHIND
	to.add_child(fill)
	var path := level.text("bgRelPath", "")
	var texture := images.texture(path)
	if texture == null:
		return
	var sprite := Sprite2D.new()
	sprite.name = "Background"
	sprite.texture = texture
	sprite.centered = false
	sprite.z_index = BEHIND
	if level.text("bgPos", "") == "Repeat":
		var pivot := Vector2(
			level.number("bgPivotX", 0.5, 0, 1), level.number("bgPivotY", 0.5, 0, 1)
		)
		sprite.texture_repeat = CanvasItem.TEXTURE_REPEAT_ENABLED
		sprite.region_enabled = true
		sprite.region_rect = Rect2(-pivot * (size - texture.get_size()), size)
	else:
		_crop(level, sprite)
	to.add_child(sprite)


## `__bgPos` gives the visible piece of the image, its place and its scale.
static func _crop(level: Fields, sprite: Sprite2D) -> void:
	var place := level.sub_or_null("__bgPos")
	if place == null:
		return
	var crop := Rect2(place.pair("cropRect"), place.pair("cropRect", Vector2.ZERO, 2))
	sprite.position = place.pair("topLeftPx")
	sprite.scale = place.pair("scale", Vector2.ONE)
	if crop.has_area():
		sprite.region_enabled = true
		sprite.region_rect = crop
