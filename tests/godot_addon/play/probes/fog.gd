extends "probe.gd"
## Walks through some rooms and hallways of levels, and tells after each how the fog covers all of
## them, and how often it changed.

var _level: UndercroftLevel
var _fog: UndercroftFog
var _body: Node2D
var _changes := 0


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var told: Array = []
	for path: String in arguments.slice(1, -1):
		var packed: PackedScene = load(path)
		told.append(await _walk(packed))
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify([await _documented(), told]))
	file.close()
	quit()


func _begin(packed: PackedScene) -> Node2D:
	var scene: Node2D = packed.instantiate()
	root.add_child(scene)
	_level = UndercroftLevel.from_scene(scene)
	_fog = UndercroftFog.new()
	scene.add_child(_fog)
	return scene


func _walk(packed: PackedScene) -> Dictionary:
	var scene := _begin(packed)
	_body = Node2D.new()
	scene.add_child(_body)
	_fog.show_level(_level)
	_fog.show_level(_level)  # twice, which changes nothing
	_fog.texture.changed.connect(func() -> void: _changes += 1)
	var steps: Array = [await _step("", -1, Vector2(-100, -100))]
	_level.follow(_body)
	for room: UndercroftRoom in _level.plan.rooms.slice(0, 6):
		steps.append(await _step("room", room.id, _inside(room)))
	for hallway: UndercroftHallway in _level.plan.hallways.filter(_is_known).slice(0, 1):
		steps.append(await _step("hallway", hallway.id, _level.middle_of(hallway.tiles[0])))
	await _step("room", 0, _inside(_level.plan.rooms[0]))
	var found := await _find_hallway()
	await _step("", -1, Vector2(-100, -100))
	var left := _image().get_data()
	var saved: Dictionary = JSON.parse_string(JSON.stringify(_level.state))
	scene.free()
	scene = _begin(packed)
	_level.state = saved
	_fog.show_level(_level)
	var restored := _image().get_data() == left
	scene.free()
	return {"steps": steps, "restored": restored, "found": found}


## The cover of a hallway, and whether it is seen, from beside its hidden door: before the door is
## found, and afterwards.
func _find_hallway() -> Array:
	var unseen: Array = _level.plan.hallways.filter(
		func(hallway: UndercroftHallway) -> bool: return not hallway.rooms.any(_is_visited)
	)
	var covers: Array = []
	for hallway: UndercroftHallway in unseen.slice(0, 1):
		var door := hallway.doors[0]
		door.tell(true, true)
		door.is_barred = true
		_level.shut_door(door)
		await _step("room", door.room_ids[0], _inside(door.rooms[0]))
		covers.append([_cover_of(_image(), hallway.tiles), hallway.is_seen])
		_level.open_door(door)
		covers.append([_cover_of(_image(), hallway.tiles), hallway.is_seen])
	return covers


static func _is_visited(room: UndercroftRoom) -> bool:
	return room.visited


func _inside(room: UndercroftRoom) -> Vector2:
	return _level.middle_of(room.bounds.position + Vector2i(2, 2))


static func _is_known(hallway: UndercroftHallway) -> bool:
	return hallway.rooms.any(func(room: UndercroftRoom) -> bool: return room.visited)


func _step(what: String, id: int, place: Vector2) -> Dictionary:
	_changes = 0
	_body.position = place
	for i: int in 4:
		await physics_frame
	var image := _image()
	var rooms := _level.plan.rooms.map(
		func(room: UndercroftRoom) -> String: return _cover_of(image, _tiles_of(room))
	)
	var hallways := _level.plan.hallways.map(
		func(hallway: UndercroftHallway) -> String: return _cover_of(image, hallway.tiles)
	)
	return {"in": [what, id], "rooms": rooms, "hallways": hallways, "changes": _changes}


## What the texture shows: without a screen, it does not give it back.
func _image() -> Image:
	return _fog.get("_image")


## The kinds of cover that tiles have: dark, shade or clear.
static func _cover_of(image: Image, tiles: Array[Vector2i]) -> String:
	var found: Dictionary = {}
	for tile: Vector2i in tiles:
		var alpha := image.get_pixelv(tile).a
		found["dark" if alpha == 1.0 else "shade" if alpha > 0.0 else "clear"] = true
	return " ".join(PackedStringArray(found.keys()))


func _tiles_of(room: UndercroftRoom) -> Array[Vector2i]:
	var tiles: Array[Vector2i] = []
	for y: int in range(room.bounds.position.y, room.bounds.end.y):
		for x: int in range(room.bounds.position.x, room.bounds.end.x):
			if _level.plan.room_at_tile(Vector2i(x, y)) == room:
				tiles.append(Vector2i(x, y))
	return tiles


## Plays the code of a page: the colour of a place that nobody has seen.
func _documented() -> String:
	var game := Node2D.new()
	game.set_script(load("res://%s.gd" % arguments[0]) as GDScript)
	var packed: PackedScene = load(arguments[1])
	var scene: Node2D = packed.instantiate()
	var player := CharacterBody2D.new()
	scene.add_child(player)
	game.add_child(scene)
	game.set("scene", scene)
	game.set("player", player)
	root.add_child(game)
	var fog: Sprite2D = scene.get_node("Fog")
	var colour := fog.texture.get_image().get_pixel(0, 0).to_html(false)
	game.free()
	return colour
