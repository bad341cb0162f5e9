extends RefCounted
## A door: it joins two rooms, or a room and a hallway.

var id := 0
var kind := ""
## Where it leads, seen from the first of its rooms: north, east, south or west.
var side := ""
## The ids of one or two rooms.
var rooms: PackedInt32Array = []
## The id of the hallway that it leads to; -1 for none.
var hallway := -1
var tiles: Array[Vector2i] = []

## Whether it lets bodies through at the moment.
var is_open := true
## Whether it waits for a key or to be found. A door that was opened once is barred no more.
var is_barred := false


## Whether doors of its kind are shut when a level starts.
func starts_shut() -> bool:
	return kind == "locked" or kind == "secret"


func has_tile(tile: Vector2i) -> bool:
	return tiles.has(tile)
