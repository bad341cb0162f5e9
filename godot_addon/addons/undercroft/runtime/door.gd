class_name UndercroftDoor
extends "plan_part.gd"
## A door: it joins two rooms, or a room and a hallway.

var kind := ""
## Its direction as seen from the first of its rooms: north, east, south or west.
var side := ""
var tiles: Array[Vector2i] = []
## The names of all keys that are needed to open it; see [member UndercroftLevel.keys]. A name that
## is there several times is a cost: it uses up so many keys of that name.
var needs: PackedStringArray = []
## Whether it only leads into the first of its rooms: it shuts behind the player.
var one_way := false
## A shortcut: the id of the only room from which it can be opened the first time; -1 for none.
var opens_from := -1
## The class of the exits that its connection joins; empty for plain ones.
var joins := ""

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

var _starts_shut := false
var _is_secret := false


## Sets what the level says about it. A secret door, a lock and a shortcut always start shut.
func tell(shut: bool, secret: bool) -> void:
	_starts_shut = shut or secret or not needs.is_empty() or opens_from >= 0
	_is_secret = secret


## Whether it is shut when the level starts.
func starts_shut() -> bool:
	return _starts_shut


## Whether it is hidden until somebody finds it, such as secret and red doors: a bomb opens a secret
## door, and a red key, or the game's equivalent, a red one. Paths do not use it while it is barred.
func is_hidden() -> bool:
	return _is_secret


## The keys that it needs and that are missing in [param held], the number of keys by name. Of a
## cost, the name is there once for each that is missing.
func missing(held: Dictionary) -> PackedStringArray:
	var lacking: PackedStringArray = []
	var left := held.duplicate()
	for key: String in needs:
		var count: int = left.get(key, 0)
		if count > 0:
			left[key] = count - 1
		else:
			lacking.append(key)
	return lacking


## What it costs: how many keys of each name it needs, in the order of [member needs].
func costs() -> Dictionary:
	var counted: Dictionary = {}
	for key: String in needs:
		var count: int = counted.get(key, 0)
		counted[key] = count + 1
	return counted


## Whether it leads out of a room, once everything that can be opened from there is open.
func lets_out_of(room_id: int) -> bool:
	return not one_way or room_ids[0] != room_id


func has_tile(tile: Vector2i) -> bool:
	return tiles.has(tile)
