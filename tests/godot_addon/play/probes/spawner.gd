extends "probe.gd"
## Goes into the room with the most waves of levels, kills wave after wave, and tells what happened;
## then leaves in the middle of a fight.

var _level: UndercroftLevel
var _player: Node2D
var _log: Array = []
var _foes: Array[Node2D] = []


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var told: Array = []
	for path: String in arguments.slice(1, -1):
		var packed: PackedScene = load(path)
		told.append(await _fight(packed))
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(told))
	file.close()
	quit()


func _fight(packed: PackedScene) -> Dictionary:
	_log = []
	_foes = []
	var game := Node2D.new()
	game.set_script(load("res://%s.gd" % arguments[0]) as GDScript)
	var scene: Node2D = packed.instantiate()
	_player = Node2D.new()
	scene.add_child(_player)
	game.add_child(scene)
	game.set("scene", scene)
	game.set("player", _player)
	game.set("slime", _packed("Slime"))
	game.set("archer", _packed("Archer"))
	root.add_child(game)
	_level = game.get("level")
	var spawner: UndercroftSpawner = game.get("spawner")
	spawner.fight_begun.connect(
		func(room: UndercroftRoom) -> void: _log.append(["fight", room.id, _shut(room)])
	)
	spawner.wave_begun.connect(
		func(_room: UndercroftRoom, wave: int) -> void: _log.append(["wave", wave])
	)
	spawner.spawned.connect(_on_spawned)
	_level.room_cleared.connect(
		func(room: UndercroftRoom) -> void: _log.append(["cleared", room.id, _shut(room)])
	)
	var room := _with_most_waves()
	var start := _level.plan.room_of_kind("start")
	await _go(_level.middle_of(start.markers_of("player_start")[0].tile))
	var door: UndercroftDoor = room.doors[0]
	await _go(_level.middle_of(door.tiles[0 if door.room_ids[0] == room.id else -1]))
	_log.append("in the doorway")
	await _go(_level.middle_of(room.markers_of("enemy")[0].tile))
	spawner.begin(room)  # once more, which changes nothing
	while _foes and _log.size() < 100:
		_log.append(["left", _level.foes_in(room), _shut(room)])
		if _foes.size() == 1 and spawner.get_meta("called", 0) == 0:
			spawner.set_meta("called", 1)
			var called := Node2D.new()
			spawner.bring(called, room)
			_foes.append(called)
		var killed: Node2D = _foes.pop_front()
		killed.free()
		await physics_frame
		await process_frame
	_log.append(["shut", _shut(room)])
	var told := {"room": room.id, "log": _log.duplicate(), "start_cleared": start.cleared}
	told["chosen"] = _choose(spawner, room)
	game.call(&"let_it_rain_slimes")
	var walkers := room.markers_of("enemy").filter(
		func(marker: UndercroftMarker) -> bool: return not marker.is_true("flies")
	)
	told["page"] = [1, 2].map(
		func(left: int) -> String: return spawner.choose.call(walkers[0], left)
	)
	game.free()
	return told


## What comes where the game chooses within the budget of a room that nobody was in, and begins its
## fight before somebody comes, and once more.
func _choose(spawner: UndercroftSpawner, fought: UndercroftRoom) -> Dictionary:
	var room: UndercroftRoom
	for other: UndercroftRoom in _level.plan.rooms:
		if other != fought and not other.cleared and other.markers_of("enemy").size() > 2:
			room = other
	spawner.costs = {"shooter": 3, "enemy": 2, "large": 5}
	spawner.scenes["large"] = _packed("Large")
	var asked: Array = []
	spawner.choose = func(_marker: UndercroftMarker, left: int) -> String:
		asked.append(left)
		return "large" if left > 4 else "" if asked.size() % 2 else "enemy"
	var roles := room.markers_of("enemy").map(
		func(marker: UndercroftMarker) -> String: return marker.text("role")
	)
	var told := {"roles": roles, "budget": spawner.budget(room)}
	_log = []
	_foes = []
	spawner.begin(room)
	told["guarded"] = _level.foes_in(room)
	spawner.begin(room)
	_level.room_entered.emit(room)
	spawner.begin(room)
	told.merge({"asked": asked, "left": spawner.left_of(room), "again": _level.foes_in(room)})
	told["names"] = _foes.map(func(foe: Node2D) -> String: return foe.get_meta("name"))
	told["begun"] = _log.filter(func(entry: Array) -> bool: return entry[0] == "fight").size()
	spawner.watch(_level, _player)  # once more: the fight ends
	return told


func _on_spawned(foe: Node2D, marker: UndercroftMarker) -> void:
	var is_right := _level.tile_at(foe.position) == marker.tile and foe.is_inside_tree()
	is_right = is_right and foe.get_meta("role") == marker.text("role")
	_log.append(["foe", marker.id, str(foe.name).rstrip("0123456789"), is_right])
	_foes.append(foe)


## How many of a room's doors are shut that are not barred.
static func _shut(room: UndercroftRoom) -> int:
	var shut := func(door: UndercroftDoor) -> bool: return not door.is_open and not door.is_barred
	return room.doors.filter(shut).size()


func _with_most_waves() -> UndercroftRoom:
	var found: UndercroftRoom
	var most := 1
	for marker: UndercroftMarker in _level.plan.markers:
		if marker.room and marker.number("wave") > most:
			most = marker.number("wave")
			found = marker.room
	return found


static func _packed(title: String) -> PackedScene:
	var node := Node2D.new()
	node.name = title
	var packed := PackedScene.new()
	packed.pack(node)
	node.free()
	return packed


func _go(place: Vector2) -> void:
	_player.position = place
	for i: int in 3:
		await physics_frame
