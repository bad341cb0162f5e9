extends "walker.gd"
## Goes through a level with a lock of two keys, a door that lets nobody back and a shortcut, once
## for each file that it was written to.

var _told: Dictionary


func _play() -> Variant:
	_told = {"has_ways": has_scene()}
	var doors := level.plan.doors
	var one_way := doors[1]
	var lock := doors[2]
	var shortcut := doors[4]
	var events: Array = []
	level.door_refused.connect(func(door: UndercroftDoor) -> void: events.append(["no", door.id]))
	level.key_given.connect(
		func(key: String, held: int) -> void: events.append(["given", key, held])
	)
	level.key_used.connect(func(key: String, held: int) -> void: events.append(["used", key, held]))
	await go(START)
	_told["doors"] = doors.map(_door)
	_told["at_start"] = _state()
	_told["refused"] = [level.open_door(lock), Array(lock.missing(level.keys))]
	await go(HALLWAY)
	await go(one_way.tiles[1])
	var in_doorway := one_way.is_open
	await go(BEYOND)
	_told["one_way"] = [in_doorway, one_way.is_open, level.open_door(one_way)]
	_told["beyond"] = _state()
	take("silver_key")
	await go(shortcut.tiles[0])
	level.shut_doors_of(level.room)
	level.open_doors_of(level.room)  # as after a fight
	_told["after_fight"] = [one_way.is_open, shortcut.is_open]
	_told["other_side"] = level.open_door(shortcut, level.plan.rooms[2])
	_told["own_side"] = level.open_door(shortcut)
	await go(BOSS)
	_told["opened_again"] = one_way.is_open
	take("gold_key")
	take("gold_key")
	_told["lock"] = [level.open_door(lock), level.keys.duplicate()]
	await go(BOSS)
	_told["at_end"] = _state()
	take("gate")
	_told["events"] = events
	return _told


static func _door(door: UndercroftDoor) -> Array:
	return [door.kind, Array(door.needs), door.one_way, door.opens_from, door.is_open, door.joins]


## Where one can go from each room, and which ways navigation knows between three places.
func _state() -> Dictionary:
	var places := {"start": START, "beyond": BEYOND, "boss": BOSS}
	var ways: Array = []
	var routes: Array = []
	for from: String in places:
		for to: String in places:
			var here: Vector2i = places[from]
			var there: Vector2i = places[to]
			var goal := level.middle_of(there)
			var way := _way(here, there)
			if from != to and way and way[-1].distance_to(goal) < 1.0:
				ways.append(from + " to " + to)
			if from != to and UndercroftRoutes.of(level).tiles(level.middle_of(here), goal) > 0:
				routes.append(from + " to " + to)
	return {
		"ways": ways,
		"routes": routes,
		"next": level.plan.rooms.map(_rooms_beside.bind(true)),
		"unlocked": level.plan.rooms.map(_rooms_beside.bind(false)),
	}


func _way(from: Vector2i, to: Vector2i) -> PackedVector2Array:
	var map := root.world_2d.navigation_map
	return NavigationServer2D.map_get_path(map, level.middle_of(from), level.middle_of(to), true)


func _rooms_beside(room: UndercroftRoom, locked: bool) -> Array:
	return level.neighbours(room, locked).map(func(other: UndercroftRoom) -> int: return other.id)
