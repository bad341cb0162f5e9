class_name UndercroftDoor
extends "plan_part.gd"
## A door: it joins two rooms, or a room and a hallway.

## The kinds that are shut when a level starts, and the hidden ones among them: a bomb opens a
## secret door, and a red key, or the game's equivalent, a red one.
const SHUT: PackedStringArray = ["locked", "secret", "red", "barred"]
## The kinds that a kit need not describe.
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
## Its direction as seen from the first of its rooms: north, east, south or west.
var side := ""
var tiles: Array[Vector2i] = []
## The names of all keys that are needed to open it; see [member UndercroftLevel.keys].
var needs: PackedStringArray = []
## Whether it only leads into the first of its rooms: it shuts behind the player.
var one_way := false
## A shortcut: the id of the only room from which it can be opened the first time; -1 for none.
var opens_from := -1

## The one or two rooms that it belongs to.
var rooms: Array[UndercroftRoom]:
	get:
		var found := plan()
		return found.rooms_by_id(room_ids) if found else ([] as Array[UndercroftRoom])
## The hallway that it leads to, or null.
var hallway: UndercroftHallway:
	get:
		var found := plan()
		return found.hallways[hallway_id] if found and hallway_id >= 0 else null

## The ids of [member rooms], and of [member hallway]: -1 for none.
var room_ids: PackedInt32Array = []
var hallway_id := -1

## Whether bodies can currently pass.
var is_open := true
## Whether it still needs a key or to be found. A door that was opened once is no longer barred.
var is_barred := false
## Whether it still needs its keys. Until it gets them, a one-way door is shut on both sides.
var is_locked := false

# A kit's facts about its own kind of door: starts_shut and secret.
var _told: Dictionary = {}


## Sets a kit's facts about its own kind; they are not needed for shipped kinds.
func tell(shut: bool, hidden: bool) -> void:
	_told = {"starts_shut": shut, "secret": hidden}


## Whether doors of its kind are shut when a level starts.
func starts_shut() -> bool:
	return _told.get("starts_shut", kind in SHUT)


## Whether it is secret or red: paths do not use it while it is barred.
func is_hidden() -> bool:
	return _told.get("secret", kind in HIDDEN)


## The keys that it needs and that are missing in [param held], the number of keys by name.
func missing(held: Dictionary) -> PackedStringArray:
	var lacking: PackedStringArray = []
	for key: String in needs:
		if not held.get(key, 0):
			lacking.append(key)
	return lacking


## Whether it leads out of a room, once everything that can be opened from there is open.
func lets_out_of(room_id: int) -> bool:
	return not one_way or room_ids[0] != room_id


func has_tile(tile: Vector2i) -> bool:
	return tiles.has(tile)
