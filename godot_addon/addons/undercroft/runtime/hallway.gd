class_name UndercroftHallway
extends "plan_part.gd"
## A hallway: floor between two doors.

var tiles: Array[Vector2i] = []

## The two doors at its ends.
var doors: Array[UndercroftDoor]:
	get:
		var found := plan()
		return found.doors_by_id(door_ids) if found else ([] as Array[UndercroftDoor])
## The rooms behind its doors.
var rooms: Array[UndercroftRoom]:
	get:
		var found := plan()
		return found.rooms_by_id(room_ids) if found else ([] as Array[UndercroftRoom])

## Whether somebody has been in a room at one of its ends, unless the door between is still hidden.
var is_seen: bool:
	get:
		return doors.any(_shows)

## The ids of [member doors] and [member rooms].
var door_ids: PackedInt32Array = []
var room_ids: PackedInt32Array = []


static func _shows(door: UndercroftDoor) -> bool:
	return door.rooms[0].visited and not (door.is_hidden() and door.is_barred)
