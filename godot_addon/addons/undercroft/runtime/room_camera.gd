class_name UndercroftRoomCamera
extends Camera2D
## A camera that shows the room that its target is in, and scrolls inside rooms larger than the
## view. It can also follow its target through the level.

enum Follow { ROOM, TARGET }

@export var follow := Follow.ROOM
## How fast it moves, per second; 0 snaps.
@export var speed := 8.0
## The margin around a room or level, in px: walls extend beyond their outline by a tile.
@export var margin := 16.0

var level: UndercroftLevel
var target: Node2D

var _room: UndercroftRoom


## Moves to its goal at once.
func snap() -> void:
	if level and is_instance_valid(target):
		_room = level.room_of(target)
		position = _goal()
		reset_smoothing()


func _process(delta: float) -> void:
	if level == null or not is_instance_valid(target):
		return
	var now := level.room_of(target)
	if now:
		_room = now
	var weight := 1.0 if speed <= 0.0 else 1.0 - exp(-speed * delta)
	position = position.lerp(_goal(), weight)


func _goal() -> Vector2:
	var place := level.place_of(target)
	if follow == Follow.TARGET or _room == null:
		return _inside(place, Rect2(Vector2(), level.plan.size * level.tile_size))
	return _inside(place, level.bounds_of(_room).grow(margin))


# The place for the view's centre that shows as little as possible beyond the frame.
func _inside(place: Vector2, frame: Rect2) -> Vector2:
	var half := get_viewport_rect().size / zoom / 2.0
	var result := frame.get_center()
	for axis: int in 2:
		if frame.size[axis] > half[axis] * 2.0:
			var low := frame.position[axis] + half[axis]
			result[axis] = clampf(place[axis], low, frame.end[axis] - half[axis])
	return result
