class_name UndercroftFog
extends Sprite2D
## Darkness over what nobody has seen, and a shade over what the player has left: a texture with one
## pixel per tile, so that its edge is soft. It changes only when the player comes into another
## room or hallway.
##
## [codeblock]
## var fog := UndercroftFog.new()
## scene.add_child(fog)     # the level's scene
## fog.show_level(level)
## [/codeblock]
##
## A room was seen if somebody has been in it, which [member UndercroftLevel.state] saves. A hallway
## was seen if a room at one of its ends was, unless the door between them is still hidden.

const PlanPart := preload("plan_part.gd")

const _CLEAR := Color(0, 0, 0, 0)

## Over what nobody has seen.
@export var unseen := Color("0d0b14")
## Over what was seen, but where the player is not.
@export var seen := Color("0d0b1499")

var _level: UndercroftLevel
var _image: Image
# The room or hallway that the player is in.
var _here: PlanPart


func _init() -> void:
	centered = false
	texture_filter = TEXTURE_FILTER_LINEAR
	z_index = 5


## Shows a level, with the rooms that its [member UndercroftLevel.state] says were seen.
func show_level(level: UndercroftLevel) -> void:
	if is_instance_valid(_level):
		_level.room_left.disconnect(_on_moved)
		_level.room_entered.disconnect(_on_moved)
		_level.door_opened.disconnect(_on_door_opened)
	_level = level
	_here = null
	scale = Vector2.ONE * level.tile_size
	var size := level.plan.size
	_image = Image.create_empty(size.x, size.y, false, Image.FORMAT_RGBA8)
	_image.fill(unseen)
	for room: UndercroftRoom in level.plan.rooms:
		if room.visited:
			_paint(room, seen)
	for hallway: UndercroftHallway in level.plan.hallways:
		if hallway.is_seen:
			_paint(hallway, seen)
	texture = ImageTexture.create_from_image(_image)
	level.room_left.connect(_on_moved)
	level.room_entered.connect(_on_moved)
	level.door_opened.connect(_on_door_opened)
	_look()


func _on_moved(_room: UndercroftRoom) -> void:
	_look()


# A hidden door that is found shows its hallway.
func _on_door_opened(door: UndercroftDoor) -> void:
	if door.is_hidden() and door.hallway and door.hallway != _here and door.hallway.is_seen:
		_paint(door.hallway, seen)
		_update()


func _look() -> void:
	var here: PlanPart = _level.room
	if here == null:
		here = _level.hallway
	if here == _here:
		return
	for door: UndercroftDoor in _level.room.doors if _level.room else []:
		if door.hallway and door.hallway != _here and door.hallway.is_seen:
			_paint(door.hallway, seen)
	if _here:
		_paint(_here, seen)
	if here:
		_paint(here, _CLEAR)
	_here = here
	_update()


func _update() -> void:
	var shown: ImageTexture = texture
	shown.update(_image)


func _paint(part: PlanPart, colour: Color) -> void:
	if part is UndercroftRoom:
		var room: UndercroftRoom = part
		# Including one tile around the room: walls extend above and below its outline.
		_paint_area(room.bounds.grow(1), part, colour)
	else:
		var hallway: UndercroftHallway = part
		for tile: Vector2i in hallway.tiles:
			_paint_area(Rect2i(tile - Vector2i.ONE, Vector2i(3, 3)), part, colour)


# Paints what belongs to a part, or to no room and hallway.
func _paint_area(area: Rect2i, part: PlanPart, colour: Color) -> void:
	var inside := area.intersection(Rect2i(Vector2i(), _level.plan.size))
	for y: int in range(inside.position.y, inside.end.y):
		for x: int in range(inside.position.x, inside.end.x):
			var holder := _level.plan.part_at_tile(Vector2i(x, y))
			if holder == null or holder == part:
				_image.set_pixel(x, y, colour)
