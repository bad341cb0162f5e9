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

## The ids of [member doors] and [member rooms].
var door_ids: PackedInt32Array = []
var room_ids: PackedInt32Array = []
