extends RefCounted
## Image layers, and what follows the camera less or more than the rest.

const Fields := preload("../import/fields.gd")
const Placeholders := preload("placeholders.gd")
const Textures := preload("textures.gd")
const Tileset := preload("tileset.gd")

## The side of a picture that is missing, where nobody says how large it is.
const USUAL_PX := 64
## How many copies of a repeated picture there may be on a side of the screen.
const MOST_REPEATS := 64


## The node of an image layer; without an image it is an empty one.
static func make(layer: Fields, placeholders: Placeholders) -> Node2D:
	if not layer.text("image", ""):
		return Node2D.new()
	var sprite := Sprite2D.new()
	sprite.centered = false
	sprite.texture = Textures.at(layer)
	if sprite.texture == null:
		var size := Vector2i(
			layer.integer("imagewidth", 1, Tileset.MOST_PX, USUAL_PX),
			layer.integer("imageheight", 1, Tileset.MOST_PX, USUAL_PX)
		)
		sprite.texture = placeholders.texture(size)
	return sprite


## A layer's node, in a node of its own that moves it with the camera where it has to be moved or
## repeated. Tiled multiplies the factors of groups, Godot adds what each node moves.
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


## As many copies as cover a window twice as wide as the game's.
static func _times(size: Vector2) -> int:
	var window := Vector2(
		float(str(ProjectSettings.get_setting("display/window/size/viewport_width", 1152))),
		float(str(ProjectSettings.get_setting("display/window/size/viewport_height", 648)))
	)
	var times := 1
	for axis: int in 2:
		if size[axis] > 0:
			times = maxi(times, ceili(2 * window[axis] / size[axis]) + 1)
	return mini(times, MOST_REPEATS)
