extends RefCounted
## The keys, locks, shortcuts and one-way doors of a level while it is played.
##
## A one-way door ([member UndercroftDoor.one_way]) is open to bodies that come from
## its hallway, and shut to bodies in its room. If it is locked, it is shut to both until
## somebody in the hallway opens it with its keys.

const Gates := preload("gates.gd")

## How far from such a door a body must be before it shuts, in tiles.
const CLEAR_TILES := 1.0

## How many of each key the player has, by name.
var held: Dictionary = {}

# One-way doors by the room that they lead into, and those that are barred and wait to open again.
var _one_ways: Dictionary = {}
var _waiting: Dictionary = {}
# Names of keys that a lock takes.
var _consumed: Dictionary = {}


static func of(plan: UndercroftPlan) -> Gates:
	var gates := Gates.new()
	for door: UndercroftDoor in plan.doors:
		if door.one_way:
			var beside: Array = gates._one_ways.get_or_add(door.room_ids[0], [])
			beside.append(door)
			gates._waiting[door] = true
	for marker: UndercroftMarker in plan.markers:
		if marker.kind == "key" and marker.is_true("consumed"):
			gates._consumed[marker.text("opens")] = true
	return gates


func add(key: String, count: int) -> void:
	held[key] = how_many(key) + count
	if held[key] == 0:
		held.erase(key)


func how_many(key: String) -> int:
	return held.get(key, 0)


func is_consumed(key: String) -> bool:
	return _consumed.has(key)


## Whether a door opens to somebody in a room, or in a hallway if that is null.
func opens_to(door: UndercroftDoor, from: UndercroftRoom) -> bool:
	var id := from.id if from else -1
	if not door.is_barred:
		return true
	if door.one_way and id == door.room_ids[0]:
		return false
	if door.is_locked and not door.missing(held).is_empty():
		return false
	return door.opens_from < 0 or door.opens_from == id


## The doors that must change now, and whether each is barred from now on. [param place] is the
## body's place, in tiles.
func turned(room: UndercroftRoom, place: Vector2) -> Dictionary:
	var changes: Dictionary = {}
	var doors: Array = _one_ways.get(room.id, []) if room else []
	for door: UndercroftDoor in doors + _waiting.keys():
		door.is_locked = door.is_locked and door.is_barred
		var inside := room != null and room.id == door.room_ids[0]
		if not inside or door.is_locked:
			_waiting.erase(door)
		if door.is_locked:
			continue
		if inside != door.is_barred and (not inside or _is_clear(door, place)):
			changes[door] = inside
			if inside:
				_waiting[door] = true
	return changes


func _is_clear(door: UndercroftDoor, place: Vector2) -> bool:
	return door.tiles.all(
		func(tile: Vector2i) -> bool:
			var away := (place - Vector2(tile) - Vector2(0.5, 0.5)).abs()
			return maxf(away.x, away.y) > 0.5 + CLEAR_TILES
	)
