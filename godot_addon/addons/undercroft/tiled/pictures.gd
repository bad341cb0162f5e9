extends RefCounted
## Image layers, and layers with parallax.

const Fields := preload("../import/fields.gd")
const Placeholders := preload("placeholders.gd")
const Textures := preload("textures.gd")
const Tileset := preload("tileset.gd")

## The side of the placeholder for a picture of unknown size.
const USUAL_PX := 64
## The most copies of a repeated picture along a side of the screen.
const MAX_REPEATS := 64


## The node of an image layer; empty without an image.
static func make(layer: Fields, placeholders: Placeholders) -> Node2D:
	if not layer.text("image", ""):
		return Node2D.new()
	var sprite := Sprite2D.new()
	sprite.centered = false
	sprite.texture = Textures.at(layer)
	if sprite.texture == null:
		var size := Vector2i(
			layer.integer("imagewidth", 1, Tileset.MAX_PX, USUAL_PX),
			layer.integer("imageheight", 1, Tileset.MAX_PX, USUAL_PX)
		)
		sprite.texture = placeholders.texture(size)
	return sprite


## A layer's node, in a Parallax2D if it has parallax or is repeated. Tiled multiplies the factors
## of groups; Godot adds the movements of the nodes.
static func in_parallax(layer: Fields, node: Node, above: Vector2, scroll: Vector2) -> Node:
	var repeats := Vector2(
		float(layer.boolean("repeatx", false)), float(layer.boolean("repeaty", false))
	)
	var size := Vector2.ZERO
	if node is Sprite2D and (node as Sprite2D).texture:
		size = (node as Sprite2D).texture.get_size() * repeats
	if scroll.is_equal_approx(above) and not size:
		return node
	var wrapped := Parallax2D.new()
	wrapped.name = node.name
	wrapped.scroll_scale = Vector2.ONE - above + scroll
	if size:
		wrapped.repeat_size = size
		wrapped.repeat_times = _times(size)
	wrapped.add_child(node)
	return wrapped


## The number of copies that cover twice the width of the game's window.
static func _times(size: Vector2) -> int:
	var window := Vector2(
		float(str(ProjectSettings.get_setting("display/window/size/viewport_width", 1152))),
		float(str(ProjectSettings.get_setting("display/window/size/viewport_height", 648)))
	)
	var times := 1
	for axis: int in 2:
		if size[axis] > 0:
			times = maxi(times, ceili(2 * window[axis] / size[axis]) + 1)
	return mini(times, MAX_REPEATS)
