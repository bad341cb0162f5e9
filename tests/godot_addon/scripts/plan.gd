extends "probe.gd"
## Tells what the runtime knows of levels, each read from its level.json and from its scene.


func _initialize() -> void:
	var answers: Array = []
	for path: String in arguments.slice(0, -1):
		var level: UndercroftLevel
		if path.ends_with(".json"):
			level = UndercroftLevel.from_file(path)
		else:
			var packed: PackedScene = load(path)
			level = UndercroftLevel.from_scene(packed.instantiate() as Node2D)
		if level == null:  # the log says why
			quit(1)
			return
		var told := _told(level)
		var kept := level.plan.rooms[0]
		var top := level.get_parent() if level.get_parent() else level
		top.free()
		told["kept"] = [kept.plan() != null, kept.doors.size()]
		answers.append(told)
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(answers))
	file.close()
	quit()


func _told(level: UndercroftLevel) -> Dictionary:
	var plan := level.plan
	var rooms: Array = []
	var start := plan.room_of_kind("start")
	for room: UndercroftRoom in plan.rooms:
		var markers := room.markers.map(_marker)
		(
			rooms
			. append(
				{
					"kind": room.kind,
					"name": room.name,
					"shape": room.shape,
					"distance": room.distance,
					"bounds":
					[
						room.bounds.position.x,
						room.bounds.position.y,
						room.bounds.size.x,
						room.bounds.size.y
					],
					"neighbours": level.neighbours(room).map(_id),
					"with_secrets": level.neighbours(room, true, true).map(_id),
					"unlocked": level.neighbours(room, false, false).map(_id),
					"path": level.path(start, room).map(_id),
					"markers": markers,
					"doors": room.doors.map(_door_id),
					"secret": room.is_secret(),
				}
			)
		)
	return {
		"rooms": rooms,
		"owners": _owners(level),
		"doors": plan.doors.map(_door),
		"hallways": plan.hallways.map(_hallway),
		"standing": plan.markers.map(_standing),
		"curse": plan.facts.get("curse"),
		"size": [plan.size.x, plan.size.y],
	}


## For each tile the room's id, or -2 - the hallway's, or -1; asked for by its middle in px.
func _owners(level: UndercroftLevel) -> Array:
	var owners: Array = []
	for y: int in level.plan.size.y:
		for x: int in level.plan.size.x:
			var place := (Vector2(x, y) + Vector2(0.5, 0.5)) * level.tile_size
			var room := level.room_at(place)
			var hallway := level.hallway_at(place)
			owners.append(room.id if room else (-2 - hallway.id if hallway else -1))
	return owners


func _id(room: UndercroftRoom) -> int:
	return room.id


func _marker(marker: UndercroftMarker) -> Array:
	return [marker.id, marker.kind, marker.tile.x, marker.tile.y, marker.properties]


func _door(door: UndercroftDoor) -> Array:
	var tiles := door.tiles.map(func(tile: Vector2i) -> Array: return [tile.x, tile.y])
	var hallway := door.hallway.id if door.hallway else -1
	return [door.kind, door.side, door.rooms.map(_id), hallway, tiles, door.is_open]


func _door_id(door: UndercroftDoor) -> int:
	return door.id


func _hallway(hallway: UndercroftHallway) -> Array:
	return [hallway.doors.map(_door_id), hallway.rooms.map(_id)]


## The ids of the room and the hallway that a marker stands in; -1 for none.
func _standing(marker: UndercroftMarker) -> Array:
	return [marker.room.id if marker.room else -1, marker.hallway.id if marker.hallway else -1]
