extends "probe.gd"
## Tells how far it is from the start of levels to each of their markers and rooms, in rooms and in
## tiles.


func _initialize() -> void:
	var told: Array = []
	_play_page()
	for path: String in arguments.slice(1, -1):
		var level: UndercroftLevel
		if path.ends_with(".json"):
			level = UndercroftLevel.from_file(path)
		else:
			var packed: PackedScene = load(path)
			level = UndercroftLevel.from_scene(packed.instantiate() as Node2D)
		told.append(_told(level))
		var top := level.get_parent() if level.get_parent() else level
		top.free()
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(told))
	file.close()
	quit()


## Runs the code of a page, which answers in the log; all that it says in errors is heard.
func _play_page() -> void:
	var game := Node.new()
	game.set_script(load("res://%s.gd" % arguments[0]) as GDScript)
	var packed: PackedScene = load(arguments[1])
	var scene: Node2D = packed.instantiate()
	game.add_child(scene)
	game.set("scene", scene)
	root.add_child(game)
	game.free()


func _told(level: UndercroftLevel) -> Dictionary:
	var routes := UndercroftRoutes.of(level)
	var start := level.plan.room_of_kind("start")
	var from := level.middle_of(start.markers_of("player_start")[0].tile)
	var told := {"at_start": _ways(level, routes, from)}
	told["alone"] = level.plan.rooms.map(
		func(room: UndercroftRoom) -> int: return routes.steps(start, room)
	)
	for door: UndercroftDoor in level.plan.doors:
		door.is_barred = false
		level.open_door(door)
	told["open"] = _ways(level, routes, from)
	var hallways: Array = []
	for hallway: UndercroftHallway in level.plan.hallways:
		var middle := level.middle_of(hallway.tiles[0])
		hallways.append([routes.rooms(middle, from).map(_id), routes.tiles(middle, from)])
	told["hallways"] = hallways
	told["nowhere"] = routes.tiles(from, Vector2(-50, 0))
	return told


static func _ways(level: UndercroftLevel, routes: UndercroftRoutes, from: Vector2) -> Dictionary:
	var tiles: Array = []
	var rooms: Array = []
	for marker: UndercroftMarker in level.plan.markers:
		var place := level.middle_of(marker.tile)
		tiles.append(routes.tiles(from, place))
		rooms.append(routes.rooms(from, place).map(_id))
	var steps := Array(routes.steps_from(level.room_at(from)))
	return {"tiles": tiles, "rooms": rooms, "steps": steps}


static func _id(room: UndercroftRoom) -> int:
	return room.id
