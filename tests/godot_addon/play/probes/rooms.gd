extends "probe.gd"
## Looks at each room of levels, of which only those near the camera are in the tree, and tells what
## is there; then at small and large levels, and tells how many rooms a frame looked at.

const VIEW := Vector2(288, 162)

var _level: UndercroftLevel
var _scene: Node2D
var _rooms: UndercroftRooms
var _camera: Camera2D
# The nodes that belong to the scene, in their order.
var _owned: Array[Node] = []
# What signals say is in the tree.
var _told: Dictionary = {}


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var levels: Array = []
	var told := {"levels": levels, "looked_at": {}}
	told["documented"] = await _documented(arguments[0])
	for path: String in arguments.slice(1, -1):
		var packed: PackedScene = load(path)
		await _begin(packed.instantiate() as Node2D)
		levels.append(await _tell())
	await _begin(UndercroftPack.open("res://demo/levels/gungeon.ucpack").build(0))
	told["pack"] = [_present(), _rooms_of_markers(), _level.plan.rooms.size()]
	told["entered"] = await _is_there_when_entered(_farthest())
	_rooms.watch(_level)  # once more
	told["watched"] = _present().size()
	UndercroftLights.add(_scene)
	_scene.get_node(^"Occluders").reparent(_level.plan.rooms[0].nodes[0])  # as in scenes of rooms
	UndercroftLights.add(_scene)
	told["occluders"] = _scene.find_children("Occluders", "", true, false).size()
	_scene.free()
	told["freed"] = await _freed()
	for side: int in [10, 30]:
		await _begin(_grid(side))
		told["looked_at"][side * side] = await _most_looked_at()
		_rooms.margin = 5000.0
		await _look_at(_level.plan.rooms[-1])
		told["most"] = _present().size()
		_scene.free()
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(told))
	file.close()
	quit()


## Plays the code of a page: whether its lamp is away while the camera is, and what it says then.
func _documented(title: String) -> Array:
	var game := Node2D.new()
	game.set_script(load("res://%s.gd" % title) as GDScript)
	var packed: PackedScene = load(arguments[1])
	var scene: Node2D = packed.instantiate()
	var foe := CharacterBody2D.new()
	scene.add_child(foe)
	game.add_child(scene)
	game.set("scene", scene)
	game.set("foe", foe)
	root.add_child(game)
	var lamp: PointLight2D = scene.find_children("*", "PointLight2D", true, false)[0]
	foe.position = lamp.position
	var camera := Camera2D.new()
	camera.position = lamp.position
	game.add_child(camera)
	await process_frame
	await process_frame
	var near := [lamp.is_inside_tree(), foe.process_mode]
	camera.position = Vector2(1e5, 1e5)
	await process_frame
	await process_frame
	near += [lamp.is_inside_tree(), foe.process_mode]
	game.free()
	return near


func _begin(scene: Node2D) -> void:
	_scene = scene
	_scene.position = Vector2(300, -200)  # a level need not lie at the origin
	root.add_child(_scene)
	_level = UndercroftLevel.from_scene(_scene)
	_owned = _scene.find_children("*")
	_camera = Camera2D.new()
	_camera.zoom = root.get_visible_rect().size / VIEW
	_scene.add_child(_camera)
	_rooms = UndercroftRooms.new()
	_rooms.margin = 32.0
	_scene.add_child(_rooms)
	_rooms.watch(_level)
	for room: UndercroftRoom in _level.plan.rooms:
		_told[room.id] = true
	_rooms.room_added.connect(func(room: UndercroftRoom) -> void: _told[room.id] = true)
	_rooms.room_removed.connect(func(room: UndercroftRoom) -> void: _told.erase(room.id))
	await _look_at(_level.plan.rooms[0])


func _look_at(room: UndercroftRoom) -> void:
	_camera.position = _level.bounds_of(room).get_center()
	for i: int in 3:
		await process_frame


func _tell() -> Dictionary:
	var told := await _things_away()
	var state := _level.state
	var seen: Array = []
	for room: UndercroftRoom in _level.plan.rooms:
		await _look_at(room)
		seen.append([_present(), _rooms_of_markers(), _ids(_rooms.has), _ids(_is_told)])
	told["seen"] = seen
	told["same_state"] = _level.state == state
	var few := _scene.get_tree().get_node_count()
	_rooms.free()
	told["nodes"] = [few, _scene.get_tree().get_node_count()]
	told["at_end"] = _present()
	var chest: Node = _scene.get_node_or_null(^"%Chest")
	var owned := _scene.find_children("*")
	told["chest"] = chest in owned
	owned.erase(chest)
	told["in_order"] = owned == _owned
	_scene.free()
	return told


## The rooms whose nodes are in the tree.
func _present() -> Array:
	return _ids(func(room: UndercroftRoom) -> bool: return room.nodes[0].is_inside_tree())


func _is_told(room: UndercroftRoom) -> bool:
	return _told.has(room.id)


func _ids(is_wanted: Callable) -> Array:
	var rooms := _level.plan.rooms.filter(is_wanted)
	return rooms.map(func(room: UndercroftRoom) -> int: return room.id)


## The rooms that have markers in the tree, by the markers' nodes.
func _rooms_of_markers() -> Array:
	var found: Dictionary = {}
	for marker: UndercroftMarker in _level.plan.markers:
		if marker.room and marker.nodes[0].is_inside_tree():
			found[marker.room_id] = true
	var ids := found.keys()
	ids.sort()
	return ids


## What became of things in a room while it was away: a lamp of the game, a body, a foe that
## counts, a door that was shut meanwhile.
func _things_away() -> Dictionary:
	var far := _farthest()
	await _look_at(far)
	var lamp := Node2D.new()
	_rooms.add(lamp, far)
	var foe := CharacterBody2D.new()
	foe.position = _camera.position
	foe.process_mode = Node.PROCESS_MODE_ALWAYS
	_scene.add_child(foe)
	_level.guard(far, foe)
	var bodies: Array = []
	_rooms.body_slept.connect(func(body: Node2D) -> void: bodies.append(["slept", body == foe]))
	_rooms.body_woke.connect(func(body: Node2D) -> void: bodies.append(["woke", body == foe]))
	_rooms.add_body(foe)
	far.nodes[0].set_meta(&"mine", 7)
	var chest := Node2D.new()
	chest.name = "Chest"
	chest.unique_name_in_owner = true
	far.nodes[0].add_child(chest)
	chest.owner = _scene
	var door: UndercroftDoor = far.doors.filter(_is_open)[0]
	var before := [lamp.is_inside_tree(), await _passes(door)]
	await _look_at(_level.plan.rooms[0])
	var away := [lamp.is_inside_tree(), foe.process_mode, _level.foes_in(far), far.cleared]
	_level.shut_door(door)
	await process_frame
	await _look_at(far)
	var back := [lamp.is_inside_tree(), foe.process_mode, far.nodes[0].get_meta(&"mine")]
	back.append(await _passes(door))
	_level.open_door(door)
	back.append(await _passes(door))
	return {"before": before, "away": away, "back": back, "bodies": bodies}


func _farthest() -> UndercroftRoom:
	var first := _level.bounds_of(_level.plan.rooms[0]).get_center()
	var found: UndercroftRoom
	var away := 0.0
	for room: UndercroftRoom in _level.plan.rooms:
		var here := _level.bounds_of(room).get_center().distance_to(first)
		if here > away and room.doors.any(_is_open):
			found = room
			away = here
	return found


static func _is_open(door: UndercroftDoor) -> bool:
	return door.is_open


## Whether navigation leads straight through a door, and whether it stops a ray.
func _passes(door: UndercroftDoor) -> Array:
	for i: int in 4:
		await physics_frame
	var world := _scene.get_world_2d()
	var ahead := Vector2(0, 20) if door.side in ["north", "south"] else Vector2(20, 0)
	var middle := _scene.to_global(_level.middle_of_door(door))
	var way := NavigationServer2D.map_get_path(
		world.navigation_map, middle - ahead, middle + ahead, true
	)
	var is_there := way.size() > 1 and way[-1].distance_to(middle + ahead) < 1.0
	var length := 0.0
	for i: int in range(1, way.size()):
		length += way[i].distance_to(way[i - 1])
	var ray := PhysicsRayQueryParameters2D.create(middle - ahead, middle + ahead, 1)
	return [is_there and length < 50.0, not world.direct_space_state.intersect_ray(ray).is_empty()]


## Whether a room comes into the tree as the player enters it, though the camera stands still.
func _is_there_when_entered(room: UndercroftRoom) -> bool:
	var player := Node2D.new()
	_scene.add_child(player)
	_level.follow(player)
	player.position = _level.bounds_of(room).get_center()
	for i: int in 3:
		await physics_frame
		await process_frame
	return _level.room == room and room.nodes[0].is_inside_tree()


## How many nodes are nowhere, and whether a body sleeps, once a level is freed but its rooms' node
## is not; then once that watches another level, and is freed.
func _freed() -> Array:
	var before := Performance.get_monitor(Performance.OBJECT_ORPHAN_NODE_COUNT)
	var pack := UndercroftPack.open("res://demo/levels/gungeon.ucpack")
	await _begin(pack.build(0))
	_rooms.reparent(root)
	var far := _farthest()
	var body := Node2D.new()
	root.add_child(body)
	body.global_position = _scene.to_global(_level.bounds_of(far).get_center())
	_rooms.add_body(body)
	var told: Array = [body.process_mode]
	_scene.free()
	for i: int in 2:
		await process_frame
	var orphans := Performance.get_monitor(Performance.OBJECT_ORPHAN_NODE_COUNT) - before
	told += [orphans, body.process_mode]
	body.free()
	var rooms := _rooms
	await _begin(pack.build(1))
	_rooms.free()
	_rooms = rooms
	_rooms.watch(_level)
	await _look_at(_level.plan.rooms[0])
	told.append(_present().size() < _level.plan.rooms.size())
	_rooms.free()
	told.append(_present().size() == _level.plan.rooms.size())
	_scene.free()
	return told


func _most_looked_at() -> int:
	var most := 0
	for room: UndercroftRoom in _level.plan.rooms.slice(0, 60):
		_camera.position = _level.bounds_of(room).get_center()
		for i: int in 2:
			await process_frame
			most = maxi(most, _rooms.looked_at)
	return most


## A level of as many rooms in a row as in a column.
static func _grid(side: int) -> Node2D:
	var scene := Node2D.new()
	scene.set_meta("tile_size", 16)
	scene.set_meta("size", Vector2i(15, 9) * side)
	for id: int in side * side:
		var area := Area2D.new()
		area.add_to_group("room")
		area.set_meta("id", id)
		var corner := Vector2i(id % side, id / side) * Vector2i(15, 9)
		area.set_meta("bounds", Rect2i(corner, Vector2i(15, 9)))
		scene.add_child(area)
	return scene
