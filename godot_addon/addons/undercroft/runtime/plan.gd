class_name UndercroftPlan
extends RefCounted
## A level without its tiles: rooms, doors, hallways and markers, and their connections. Made by
## [code]json_reader.gd[/code] or [code]scene_reader.gd[/code].

const PlanPart := preload("plan_part.gd")

## The same limit as for the generator's level.json.
const MAX_TILES := 1 << 23
## Limit for the corners visited while rooms are filled; 10,000 rooms need less than half.
const MAX_STEPS := 1 << 24

var style := ""
## As decimal text, because Godot's integers are signed.
var seed_text := ""
var fingerprint := ""
## Other facts, such as the curse.
var facts: Dictionary = {}
## In tiles.
var size := Vector2i()

var rooms: Array[UndercroftRoom] = []
var doors: Array[UndercroftDoor] = []
var hallways: Array[UndercroftHallway] = []
var markers: Array[UndercroftMarker] = []

# For each tile, the room's id + 1, or -1 - the hallway's id, or 0.
var _owners: PackedInt32Array = []


## Whether [method finish] would take longer than for any real level, because rooms overlap or
## outlines have far too many corners.
func is_overfull() -> bool:
	var area := 0
	var steps := 0
	for room: UndercroftRoom in rooms:
		area += room.bounds.get_area()
		for ring: PackedVector2Array in room.outline:
			steps += ring.size() * room.bounds.size.y
	return area > 4 * size.x * size.y or steps > MAX_STEPS


## Computes the derived data, once everything else is set.
func finish() -> void:
	var this: WeakRef = weakref(self)
	for parts: Array in [rooms, doors, hallways, markers]:
		for part: PlanPart in parts:
			part.belong_to(this)
	_owners.resize(size.x * size.y)
	_owners.fill(0)
	for hallway: UndercroftHallway in hallways:
		for tile: Vector2i in hallway.tiles:
			_owners[tile.y * size.x + tile.x] = -1 - hallway.id
		hallway.room_ids = PackedInt32Array([-1, -1])
		for end: int in 2:
			var door := doors[hallway.door_ids[end]]
			door.hallway_id = hallway.id
			hallway.room_ids[end] = door.room_ids[0]
	for room: UndercroftRoom in rooms:
		if room.rings_are_solid:
			for ring: PackedVector2Array in room.outline:
				_fill(room, [ring])
		else:
			_fill(room, room.outline)
	for door: UndercroftDoor in doors:
		door.is_barred = door.starts_shut()
		door.is_open = not door.is_barred
		door.is_locked = not door.needs.is_empty()
		for room: int in door.room_ids:
			rooms[room].door_ids.append(door.id)
	for marker: UndercroftMarker in markers:
		if marker.room_id >= 0:
			rooms[marker.room_id].markers.append(marker)


## The room that a tile belongs to, including walls and doors; null outside all rooms.
func room_at_tile(tile: Vector2i) -> UndercroftRoom:
	var owner := _owner(tile)
	return rooms[owner - 1] if owner > 0 else null


func hallway_at_tile(tile: Vector2i) -> UndercroftHallway:
	var owner := _owner(tile)
	return hallways[-1 - owner] if owner < 0 else null


## The room or hallway that a tile belongs to, or null.
func part_at_tile(tile: Vector2i) -> PlanPart:
	var hallway := hallway_at_tile(tile)
	if hallway:
		return hallway
	return room_at_tile(tile)


func door_at_tile(tile: Vector2i) -> UndercroftDoor:
	var room := room_at_tile(tile)
	if room:
		for door: UndercroftDoor in room.doors:
			if door.has_tile(tile):
				return door
	return null


func rooms_by_id(ids: PackedInt32Array) -> Array[UndercroftRoom]:
	var result: Array[UndercroftRoom] = []
	for id: int in ids:
		result.append(rooms[id])
	return result


func doors_by_id(ids: PackedInt32Array) -> Array[UndercroftDoor]:
	var result: Array[UndercroftDoor] = []
	for id: int in ids:
		result.append(doors[id])
	return result


## The rooms that a room's doors lead to, directly or through hallways, by id. Doors that are still
## locked count if [param locked], unopened secret and red doors if [param secret]. A shortcut
## counts only from the side that it opens from until it is open.
func neighbours(room: UndercroftRoom, locked := true, secret := false) -> Array[UndercroftRoom]:
	var found: Dictionary = {}
	for door: UndercroftDoor in room.doors:
		var there := _behind(door, room.id, locked, secret)
		if there >= 0:
			found[there] = true
	var ids: Array = found.keys()
	ids.sort()
	return rooms_by_id(PackedInt32Array(ids))


## The shortest path of rooms from one to another, both included; empty if there is none.
func path(
	from: UndercroftRoom, to: UndercroftRoom, locked := true, secret := false
) -> Array[UndercroftRoom]:
	var came_from: Dictionary = {from.id: from}
	var queue: Array[UndercroftRoom] = [from]
	var next := 0
	while next < queue.size() and not came_from.has(to.id):
		var room := queue[next]
		next += 1
		for neighbour: UndercroftRoom in neighbours(room, locked, secret):
			if not came_from.has(neighbour.id):
				came_from[neighbour.id] = room
				queue.append(neighbour)
	var result: Array[UndercroftRoom] = []
	if not came_from.has(to.id):
		return result
	var step := to
	while step != from:
		result.append(step)
		step = came_from[step.id]
	result.append(from)
	result.reverse()
	return result


## The doors that lead directly, or through one hallway, from one room to another.
func doors_between(from: UndercroftRoom, to: UndercroftRoom) -> Array[UndercroftDoor]:
	var result: Array[UndercroftDoor] = []
	for door: UndercroftDoor in from.doors:
		if _behind(door, from.id, true, true) == to.id:
			result.append(door)
	return result


## The first room of a kind, or null.
func room_of_kind(kind: String) -> UndercroftRoom:
	for room: UndercroftRoom in rooms:
		if room.kind == kind:
			return room
	return null


func _behind(door: UndercroftDoor, room: int, locked: bool, secret: bool) -> int:
	if not door.lets_out_of(room) or not _lets(door, room, locked, secret):
		return -1
	if door.room_ids.size() == 2:
		return door.room_ids[1] if door.room_ids[0] == room else door.room_ids[0]
	if door.hallway_id < 0:
		return -1
	var hallway := hallways[door.hallway_id]
	var far := 1 if hallway.door_ids[0] == door.id else 0
	return (
		hallway.room_ids[far] if _lets(doors[hallway.door_ids[far]], room, locked, secret) else -1
	)


# Whether a door can be passed from a room.
func _lets(door: UndercroftDoor, from: int, locked: bool, secret: bool) -> bool:
	if not door.is_barred or (door.one_way and not door.is_locked):
		return true
	if door.opens_from >= 0 and door.opens_from != from:
		return false
	return secret if door.is_hidden() else locked


func _owner(tile: Vector2i) -> int:
	return _owners[tile.y * size.x + tile.x] if Rect2i(Vector2i(), size).has_point(tile) else 0


# Fills the area inside rings of horizontal and vertical edges, row by row; a ring in a ring is a
# hole.
func _fill(room: UndercroftRoom, rings: Array[PackedVector2Array]) -> void:
	for y: int in range(maxi(room.bounds.position.y, 0), mini(room.bounds.end.y, size.y)):
		var crossings: PackedInt32Array = []
		for ring: PackedVector2Array in rings:
			for i: int in ring.size():
				var a := ring[i]
				var b := ring[(i + 1) % ring.size()]
				if a.x == b.x and minf(a.y, b.y) < y + 0.5 and y + 0.5 < maxf(a.y, b.y):
					crossings.append(int(a.x))
		crossings.sort()
		for i: int in range(0, crossings.size() - 1, 2):
			for x: int in range(maxi(crossings[i], 0), mini(crossings[i + 1], size.x)):
				_owners[y * size.x + x] = room.id + 1
