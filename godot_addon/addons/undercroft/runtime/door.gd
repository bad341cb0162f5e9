class_name UndercroftDoor
extends "plan_part.gd"
## A door: it joins two rooms, or a room and a hallway.

var kind := ""
## Where it leads, seen from the first of its rooms: north, east, south or west.
var side := ""
var tiles: Array[Vector2i] = []

## The one or two rooms that it belongs to.
var rooms: Array[UndercroftRoom]:
	get:
		var found := plan()
		return found.rooms_by_id(room_ids) if found else ([] as Array[UndercroftRoom])
## The hallway that it leads to; null for none.
var hallway: UndercroftHallway:
	get:
		var found := plan()
		return found.hallways[hallway_id] if found and hallway_id >= 0 else null

## The ids of [member rooms], and of [member hallway]: -1 for none.
var room_ids: PackedInt32Array = []
var hallway_id := -1

## Whether it lets bodies through at the moment.
var is_open := true
## Whether it waits for a key or to be found. A door that was opened once is barred no more.
var is_barred := false


## Whether doors of its kind are shut when a level starts.
func starts_shut() -> bool:
	return kind == "locked" or kind == "secret"


func has_tile(tile: Vector2i) -> bool:
	return tiles.has(tile)
