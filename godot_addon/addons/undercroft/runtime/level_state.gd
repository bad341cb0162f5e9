extends RefCounted
## What has happened on a level, as a table that JSON can hold: rooms that were seen and cleared,
## doors that were opened, what was taken, and the level's keys. Used by
## [member UndercroftLevel.state].

const JsonNode := preload("json_node.gd")
const Problem := preload("problem.gd")

const MAX_KEYS := 1 << 16


static func of(plan: UndercroftPlan, keys: Dictionary) -> Dictionary:
	var table := {"fingerprint": plan.fingerprint, "keys": keys.duplicate()}
	table["visited"] = _ids(plan.rooms, func(room: UndercroftRoom) -> bool: return room.visited)
	table["cleared"] = _ids(plan.rooms, func(room: UndercroftRoom) -> bool: return room.cleared)
	table["opened"] = _ids(plan.doors, _was_opened)
	table["taken"] = _ids(plan.markers, func(marker: UndercroftMarker) -> bool: return marker.taken)
	return table


## Restores the state of a level that was just built, perhaps read from JSON. If it is the state of
## another level: false, and one line in the log.
static func read(level: UndercroftLevel, saved: Dictionary) -> bool:
	var problem := Problem.new()
	restore(level, JsonNode.new(saved, "", "saved level", problem))
	if problem.found:
		push_error("Undercroft: " + problem.text)
	return not problem.found


## Restores the state of a level that was just built. Notes a problem, and changes nothing, if the
## table is none or that of another level.
static func restore(level: UndercroftLevel, table: JsonNode) -> void:
	var plan := level.plan
	check(table)
	if table.has("fingerprint") and table.at("fingerprint").text() != plan.fingerprint:
		table.at("fingerprint").fail("is that of another level")
	if table.is_bad():
		return
	for room: UndercroftRoom in _named(plan.rooms, table.at("visited")):
		room.visited = true
	for room: UndercroftRoom in _named(plan.rooms, table.at("cleared")):
		room.cleared = true
	var taken := _numbers(table.at("taken"))
	for marker: UndercroftMarker in plan.markers:
		marker.taken = marker.id in taken
	for key: String in table.at("keys").facts():
		level.give_key(key, table.at("keys").at(key).number(0, MAX_KEYS))
	for door: UndercroftDoor in _named(plan.doors, table.at("opened")):
		door.is_barred = false
		level.open_door(door)


## Notes a problem with a table that is the state of no level.
static func check(table: JsonNode) -> void:
	table.at("fingerprint").text()
	for list: String in ["visited", "cleared", "opened", "taken"]:
		_numbers(table.at(list))
	for key: String in table.at("keys").facts():
		table.at("keys").at(key).number(0, MAX_KEYS)


static func _was_opened(door: UndercroftDoor) -> bool:
	return door.starts_shut() and not (door.is_locked if door.one_way else door.is_barred)


static func _ids(parts: Array, is_wanted: Callable) -> Array:
	return parts.filter(is_wanted).map(func(part: Object) -> int: return part.get("id"))


# The parts with the listed ids.
static func _named(parts: Array, ids: JsonNode) -> Array:
	return (
		_numbers(ids)
		. filter(func(id: int) -> bool: return id < parts.size())
		. map(func(id: int) -> Object: return parts[id])
	)


static func _numbers(list: JsonNode) -> Array[int]:
	var result: Array[int] = []
	for item: JsonNode in list.items():
		result.append(item.number(0, 1 << 31))
	return result
