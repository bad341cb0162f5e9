extends Sprite2D
## Darkness over unseen places: a texture with one pixel per tile, so that its edge is soft.

const DARK := Color("0d0b14")
const SEEN := Color(DARK, 0.0)

var _level: UndercroftLevel
var _image: Image


func watch(level: UndercroftLevel) -> void:
	_level = level
	var size := level.plan.size
	_image = Image.create_empty(size.x, size.y, false, Image.FORMAT_RGBA8)
	_image.fill(DARK)
	texture = ImageTexture.create_from_image(_image)
	texture_filter = TEXTURE_FILTER_LINEAR
	centered = false
	scale = Vector2.ONE * level.tile_size
	z_index = 5
	for room: UndercroftRoom in level.plan.rooms:
		if room.visited:
			_show_room(room)
	level.room_entered.connect(_show_room)


func _show_room(room: UndercroftRoom) -> void:
	# Including one tile around the room: walls extend above and below its outline.
	_show(room.bounds.grow(1))
	for door: UndercroftDoor in room.doors:
		if door.hallway:
			for tile: Vector2i in door.hallway.tiles:
				_show(Rect2i(tile - Vector2i.ONE, Vector2i(3, 3)))
	var shown: ImageTexture = texture
	shown.update(_image)


# The part of a rectangle that belongs to no undiscovered room.
func _show(area: Rect2i) -> void:
	var inside := area.intersection(Rect2i(Vector2i(), _level.plan.size))
	for y: int in range(inside.position.y, inside.end.y):
		for x: int in range(inside.position.x, inside.end.x):
			var owner := _level.plan.room_at_tile(Vector2i(x, y))
			if owner == null or owner.visited:
				_image.set_pixel(x, y, SEEN)
