extends "walker.gd"
## Goes to a door that is locked and lets nobody back, once for each file: what it does in the
## hallway without the key and with it, in the room behind it, and in the hallway again, for a
## price.


func _play() -> Variant:
	var told: Dictionary = {}
	var door := level.plan.doors[1]
	await go(HALLWAY)
	told["without"] = [door.is_open, door.is_barred, level.open_door(door)]
	var first := level.plan.rooms[0]
	told["counted_on"] = level.neighbours(first, false).has(level.plan.rooms[1])
	await go(BEYOND)
	level.open_door(door)
	level.give_key("gold_key")
	told["from_behind"] = [level.open_door(door), level.keys.duplicate()]
	for marker: UndercroftMarker in level.plan.markers:
		if marker.is_true("lever"):
			level.take_key(marker)
	told["is_locked"] = door.is_locked
	await go(HALLWAY)
	told["before"] = door.is_open
	told["with"] = [level.open_door(door), level.keys.duplicate()]
	told["now_counted_on"] = level.neighbours(first, false).has(level.plan.rooms[1])
	await go(BEYOND)
	told["behind"] = [door.is_open, level.open_door(door)]
	await go(HALLWAY)
	told["again"] = [door.is_open, level.open_door(door), level.keys.get("gold_key", 0)]
	_pay(door, told)
	return told


# The door once more, for three keys that it uses up: with two of them, and with four.
func _pay(door: UndercroftDoor, told: Dictionary) -> void:
	level.shut_door(door)
	door.needs = ["gold_key", "gold_key", "gold_key"]
	door.is_barred = true
	door.is_locked = true
	var held: int = level.keys.get("gold_key", 0)
	level.give_key("gold_key", 2 - held)
	told["poor"] = [door.missing(level.keys), level.open_door(door), level.keys["gold_key"]]
	level.give_key("gold_key", 2)
	told["paid"] = [door.costs(), level.open_door(door), level.keys["gold_key"]]
