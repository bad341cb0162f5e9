class_name UndercroftDoor
extends "plan_part.gd"
## A door: it joins two rooms, or a room and a hallway.

## The kinds that are shut when a level starts, and those of them that nobody sees: a bomb opens a
## secret door, and a red key, or whatever a game has for it, a red one.
const SHUT: PackedStringArray = ["locked", "secret", "red", "barred"]
## The kinds that a kit need not tell of.
const SHIPPED: PackedStringArray = [
	"open",
	"locked",
	"secret",
	"boss",
	"curse",
	"treasure",
	"challenge",
	"arcade",
	"red",
	"one_way",
	"barred",
]
const HIDDEN: PackedStringArray = ["secret", "red"]

var kind := ""
## Where it leads, seen from the first of its rooms: north, east, south or west.
var side := ""
var tiles: Array[Vector2i] = []
## The names of the keys that open it, all of them; see [member UndercroftLevel.keys].
var needs: PackedStringArray = []
## Whether it leads into the first of its rooms only: it falls shut behind whoever came in.
var one_way := false
## A shortcut: the id of the room from which alone it is opened the first time; -1 for none.
var opens_from := -1

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
## Whether the keys that it needs have not opened it yet. Until then a door that lets nobody back is
## shut to everybody.
var is_locked := false

# What a kit says of a kind of its own: starts_shut and secret.
var _told: Dictionary = {}


## Takes over what a kit says of the kind; of one that is shipped it says nothing.
func tell(shut: bool, hidden: bool) -> void:
	_told = {"starts_shut": shut, "secret": hidden}


## Whether doors of its kind are shut when a level starts.
func starts_shut() -> bool:
	return _told.get("starts_shut", kind in SHUT)


## Whether it is secret or red: as long as it is barred, nothing counts on it.
func is_hidden() -> bool:
	return _told.get("secret", kind in HIDDEN)


## Which of the keys that it needs are none of [param held], where each name has its number.
func missing(held: Dictionary) -> PackedStringArray:
	var lacking: PackedStringArray = []
	for key: String in needs:
		if not held.get(key, 0):
			lacking.append(key)
	return lacking


## Whether one can walk through it out of a room, once all is opened that can be opened there.
func lets_out_of(room_id: int) -> bool:
	return not one_way or room_ids[0] != room_id


func has_tile(tile: Vector2i) -> bool:
	return tiles.has(tile)
