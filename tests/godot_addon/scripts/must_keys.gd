extends "walker.gd"
## Walks through a level with keys that must be taken, once for each file that it was written to.


func _play() -> Variant:
	var given: Array = []
	level.key_given.connect(
		func(key: String, held: int) -> void: given.append([key, held, level.room.id])
	)
	var told: Dictionary = {}
	await go(START)
	await go(HALLWAY)
	told["before"] = given.size()
	await go(level.plan.doors[1].tiles[0])
	told["in_doorway"] = given.size()
	await go(BEYOND)
	told["beyond"] = given.duplicate(true)
	await go(HALLWAY)
	await go(BEYOND)
	level.take_key(level.plan.rooms[1].markers_of("key")[0])
	await go(BOSS)
	told["given"] = given
	return told
