extends "probe.gd"
## Reads a level whose kinds nobody here has heard of, from a level.json and from a scene: what its
## rooms, doors and markers are, what the minimap makes of them, and what shutting a door does.

const MinimapIcons := preload("res://addons/undercroft/runtime/minimap_icons.gd")

var _minimap := UndercroftMinimap.new()


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	root.add_child(_minimap)
	_minimap.size = Vector2(300, 300)
	var packed: PackedScene = load(arguments[1])
	var scene: Node2D = packed.instantiate()
	root.add_child(scene)
	var levels: Array[UndercroftLevel] = [
		UndercroftLevel.from_file(arguments[0]), UndercroftLevel.from_scene(scene)
	]
	var told: Array = []
	for level: UndercroftLevel in levels:
		told.append(await _told(level))
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(told))
	file.close()
	levels[0].free()
	_minimap.free()
	scene.free()
	quit()


func _told(level: UndercroftLevel) -> Dictionary:
	var rooms: Dictionary = {}
	var doors: Dictionary = {}
	_minimap.show_level(level)
	for room: UndercroftRoom in level.plan.rooms:
		var icon := _minimap.icon_of(room)
		var look := "none" if icon == null else "own"
		rooms[room.kind] = "other" if icon and icon == _minimap.other_icon else look
		room.visited = true
	for door: UndercroftDoor in level.plan.doors:
		var states := [door.is_open]
		level.shut_door(door)
		states.append(door.is_open)
		level.open_door(door)
		doors[door.kind] = states + [door.is_open]
	_minimap.queue_redraw()
	await process_frame
	await process_frame
	var markers := level.plan.markers.map(func(one: UndercroftMarker) -> String: return one.kind)
	var drawn := _drawn(level.plan.rooms)
	var kept := is_same(MinimapIcons.lock(1), MinimapIcons.lock(1))  # or it is gone before it is drawn
	return {"rooms": rooms, "doors": doors, "markers": markers, "drawn": drawn, "kept": kept}


# The pictures of the rooms that a kit has icons for, by kind: `w` for a dot, without the edge.
func _drawn(rooms: Array[UndercroftRoom]) -> Dictionary:
	var found: Dictionary = {}
	for room: UndercroftRoom in rooms:
		if room.has_icon:
			var image := _minimap.icon_of(room).get_image()
			var lines: PackedStringArray = []
			for y: int in range(1, image.get_height() - 1):
				var line := ""
				for x: int in range(1, image.get_width() - 1):
					var is_dot := image.get_pixel(x, y).get_luminance() > 0.2
					line += "w" if is_dot else "."
				lines.append(line)
			found[room.kind] = lines
	return found
