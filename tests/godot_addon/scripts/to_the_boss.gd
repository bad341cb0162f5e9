extends "walker.gd"
## Plays levels as somebody does who wants to see everything: walks into each room, takes each key
## and opens each door that can be opened, always the nearest first, and the boss's room last.
##
## A place is a room, by its id, or a hallway, by its id and the number of rooms. Where the walk
## ends before the boss, `stuck` says what could not be reached.

var _rooms: int
# The door by which a place is reached from where the body is, and how many doors lie between.
var _entrance: Dictionary
var _far: Dictionary
var _told: Dictionary


## Something to do: walk to a place, and there take a key or open a door.
class Errand:
	var what: String
	var at: Vector2
	var far: int
	var door: UndercroftDoor
	var key: UndercroftMarker
	var room: UndercroftRoom


func _play() -> Variant:
	_rooms = level.plan.rooms.size()
	_told = {"level": path.get_file().get_basename(), "stuck": ""}
	var boss := level.plan.room_of_kind("boss")
	var start: UndercroftMarker = level.plan.room_of_kind("start").markers_of("player_start")[0]
	await go(start.tile)
	while not boss.visited and _told["stuck"] == "":
		var errand := _nearest(boss)
		if errand == null:
			_told["stuck"] = "nothing leads on; " + _seen()
		else:
			await _run_errand(errand)
	_told["keys"] = level.plan.markers.filter(_is_taken).size()
	_told["rooms"] = level.plan.rooms.filter(_is_visited).size()
	return _told


func _run_errand(errand: Errand) -> void:
	if errand.room and level.room and level.path(level.room, errand.room, false).is_empty():
		_told["stuck"] = "the plan knows no path for: " + errand.what
		return
	if not await walk(errand.at):
		var at := level.tile_at(body.position)
		_told["stuck"] = "%s, but stopped at %s; %s" % [errand.what, at, _seen()]
	elif errand.key:
		level.take_key(errand.key)
	elif errand.door:
		if not level.open_door(errand.door):
			_told["stuck"] = "%s, but it stayed shut" % errand.what
	elif not errand.room.visited:
		_told["stuck"] = "%s, but the level did not see it" % errand.what


func _nearest(boss: UndercroftRoom) -> Errand:
	_look_around()
	var best: Errand
	for place: int in _far:
		for errand: Errand in _errands(place):
			if best == null or _cost(errand, boss) < _cost(best, boss):
				best = errand
	return best


# What is nearest; the boss, and what lies behind, last.
func _cost(errand: Errand, boss: UndercroftRoom) -> int:
	return errand.far + (1_000_000 if errand.room == boss else 0)


## Finds the places that the body can walk to with the doors as they are now.
func _look_around() -> void:
	var here := level.room.id if level.room else -1
	if here < 0:
		here = _rooms + level.hallway_at(body.position).id
	_entrance = {here: null}
	_far = {here: 0}
	var queue: Array[int] = [here]
	for place: int in queue:
		for door: UndercroftDoor in _doors(place):
			var there := _behind(door, place)
			if _lets(door, place) and not _far.has(there):
				_far[there] = _far[place] + 1
				_entrance[there] = door
				queue.append(there)


func _errands(place: int) -> Array[Errand]:
	var some: Array[Errand] = []
	for door: UndercroftDoor in _doors(place):
		if _opens(door, place):
			var errand := _errand("went to open door %d" % door.id, place, _beside(door, place))
			errand.door = door
			some.append(errand)
	if place >= _rooms:
		return some
	var room := level.plan.rooms[place]
	for key: UndercroftMarker in room.markers_of("key"):
		if not key.taken:
			var middle := level.middle_of(key.tile)
			var errand := _errand("went for the key %s" % key.text("opens"), place, middle)
			errand.key = key
			some.append(errand)
	if not room.visited:
		var entrance: UndercroftDoor = _entrance[place]
		var errand := _errand("went to room %d" % place, place, _beside(entrance, place))
		errand.room = room
		some.append(errand)
	return some


func _errand(what: String, place: int, at: Vector2) -> Errand:
	var errand := Errand.new()
	var from := "room %d" % level.room.id if level.room else "a hallway"
	errand.what = "%s from %s" % [what, from]
	errand.at = at
	errand.far = _far[place]
	return errand


func _doors(place: int) -> Array[UndercroftDoor]:
	if place < _rooms:
		return level.plan.rooms[place].doors
	return level.plan.doors_by_id(level.plan.hallways[place - _rooms].door_ids)


# The place on the other side of a door.
func _behind(door: UndercroftDoor, place: int) -> int:
	if door.room_ids[0] != place:
		return door.room_ids[0]
	return _rooms + door.hallway_id if door.hallway_id >= 0 else door.room_ids[1]


# Whether a door lets somebody pass who comes from a place.
func _lets(door: UndercroftDoor, place: int) -> bool:
	if door.one_way:
		return door.room_ids[0] != place and not door.is_locked
	return not door.is_barred


# Whether somebody in a place can open a door that is barred now. Secrets are found.
func _opens(door: UndercroftDoor, place: int) -> bool:
	if not door.is_barred or not door.missing(level.keys).is_empty():
		return false
	if door.one_way:
		return door.is_locked and door.room_ids[0] != place
	return door.opens_from < 0 or door.opens_from == place


# Where one stands in a place in front of a door, in px.
func _beside(door: UndercroftDoor, place: int) -> Vector2:
	var out: Vector2i = {
		"north": Vector2i.UP, "east": Vector2i.RIGHT, "south": Vector2i.DOWN, "west": Vector2i.LEFT
	}[door.side]
	var rect := Rect2i(door.tiles[0], Vector2i.ONE)
	for tile: Vector2i in door.tiles:
		rect = rect.merge(Rect2i(tile, Vector2i.ONE))
	var away := Vector2(out * (rect.size + Vector2i.ONE)) / 2.0 * level.tile_size
	return level.middle_of_door(door) + (away if door.room_ids[0] != place else -away)


func _seen() -> String:
	var unseen: Array = level.plan.rooms.filter(
		func(room: UndercroftRoom) -> bool: return not room.visited
	)
	var ids: Array = unseen.map(func(room: UndercroftRoom) -> int: return room.id)
	return "rooms %s were not reached, with the keys %s" % [ids, level.keys]


static func _is_taken(marker: UndercroftMarker) -> bool:
	return marker.taken


static func _is_visited(room: UndercroftRoom) -> bool:
	return room.visited
