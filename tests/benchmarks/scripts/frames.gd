extends SceneTree
## Prints for each scene that is named: how many rooms it has, and what a frame costs the main
## thread, in ms of CPU: without the nodes of a game, with rooms and fog, and with fights too.

const FRAMES := 300
const STEP := 4.0  # px that the player walks in a frame


func _initialize() -> void:
	for path: String in OS.get_cmdline_user_args():
		var packed: PackedScene = load(path)
		var scene: Node2D = packed.instantiate()
		root.add_child(scene)
		var level := UndercroftLevel.from_scene(scene)
		var player := _player(level)
		scene.add_child(player)
		level.follow(player)
		for frame: int in FRAMES:  # until the navigation is there
			await process_frame
		var alone := await _walk(level, player)
		var rooms := UndercroftRooms.new()
		var fog := UndercroftFog.new()
		for node: Node in [rooms, fog]:
			scene.add_child(node)
		rooms.watch(level)
		fog.show_level(level)
		var with_fog := await _walk(level, player)
		var spawner := UndercroftSpawner.new()
		scene.add_child(spawner)
		spawner.make = func(_marker: UndercroftMarker) -> Node2D: return Node2D.new()
		spawner.watch(level, player)
		var with_all := await _walk(level, player)
		var found := [level.plan.rooms.size(), alone, with_fog, with_all]
		print("%d rooms: alone %.3f, with rooms and fog %.3f, with fights too %.3f" % found)
		scene.free()
	quit()


static func _player(level: UndercroftLevel) -> Node2D:
	var player := Node2D.new()
	var camera := Camera2D.new()
	player.add_child(camera)
	player.position = level.bounds_of(level.plan.room_of_kind("start")).get_center()
	return player


# Walks toward the boss and back again.
func _walk(level: UndercroftLevel, player: Node2D) -> float:
	var from := player.position
	var to := level.bounds_of(level.plan.room_of_kind("boss")).get_center()
	var way := UndercroftRoutes.of(level).path(from, to)
	var length := mini(way.size(), ceili(FRAMES / 2.0 * STEP / level.tile_size))
	for frame: int in 10:  # the rooms that are far away leave once
		await process_frame
	var begun := _cpu()
	for frame: int in FRAMES:
		var part := pingpong(frame / (FRAMES / 2.0), 1.0) * (length - 1)
		player.position = way[int(part)] if way else from
		await process_frame
	player.position = from
	return (_cpu() - begun) / float(FRAMES)


# What the thread has used, in ms.
static func _cpu() -> float:
	var file := FileAccess.open("/proc/thread-self/schedstat", FileAccess.READ)
	return file.get_line().get_slice(" ", 0).to_float() / 1e6
