extends RefCounted
## What somebody does who plays a level with locks: takes the keys that can be reached, opens what
## can be opened, and looks into rooms, before all that leads to the boss.

## From here on a way counts as one to a place, in px.
const NEAR := 20.0
## How far before a door somebody stands who opens it, in px from its middle.
const BEFORE := 24.0
## From here on somebody stands there, in px.
const CLOSE := 6.0


## Where to go for a key, a door or a room that nobody has seen; [constant Vector2.INF] if there is
## none of them that can be reached, or no need, as the boss can be.
static func goal(level: UndercroftLevel, from: Vector2, map: RID) -> Vector2:
	var boss := level.plan.room_of_kind("boss")
	if boss.visited or _leads(map, from, _inside(level, boss, map)):
		return Vector2.INF
	for marker: UndercroftMarker in level.plan.markers:
		var place := level.middle_of(marker.tile)
		if marker.kind == "key" and not marker.taken and _leads(map, from, place):
			return place
	for door: UndercroftDoor in level.plan.doors:
		var can_open := door.needs and door.missing(level.keys).is_empty()
		if door.opens_from >= 0:
			can_open = level.room != null and level.room.id == door.opens_from
		var place := level.middle_of_door(door)
		if can_open and door.is_barred and _leads(map, from, place):
			return place
		if can_open and door.is_barred:
			var before := _before(map, from, place)
			if before.is_finite():
				return place if is_before(from, place) else before
	for room: UndercroftRoom in level.plan.rooms:
		var place := _inside(level, room, map)
		if not room.visited and _leads(map, from, place):
			return place
	return Vector2.INF


static func _inside(level: UndercroftLevel, room: UndercroftRoom, map: RID) -> Vector2:
	for marker: UndercroftMarker in room.markers:
		var place := level.middle_of(marker.tile)
		if NavigationServer2D.map_get_closest_point(map, place).distance_to(place) < 1.0:
			return place
	return level.bounds_of(room).get_center()


## Whether somebody stands right before the middle of a door.
static func is_before(from: Vector2, door: Vector2) -> bool:
	var aside := (door - from).abs()
	return maxf(aside.x, aside.y) < BEFORE + CLOSE and minf(aside.x, aside.y) < CLOSE


## A place before a door that a way leads to, or [constant Vector2.INF]. A way to the shut door
## itself may be one to its other side, which ends anywhere.
static func _before(map: RID, from: Vector2, door: Vector2) -> Vector2:
	for side: Vector2 in [Vector2.LEFT, Vector2.RIGHT, Vector2.UP, Vector2.DOWN]:
		var place := door + side * BEFORE
		var is_free := NavigationServer2D.map_get_closest_point(map, place).distance_to(place) < 1.0
		if is_free and _leads(map, from, place):
			return place
	return Vector2.INF


static func _leads(map: RID, from: Vector2, to: Vector2) -> bool:
	var way := NavigationServer2D.map_get_path(map, from, to, true)
	return not way.is_empty() and way[-1].distance_to(to) < NEAR
