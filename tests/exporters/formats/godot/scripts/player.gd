## Runs a level's scene as F6 does, and walks its player with real keys, one after the other, until
## it stops.
##
## Questions: {"keys": [name of a key], "picture": path or ""}.
extends SceneTree

const Plain := preload("plain.gd")
const MAX_FRAMES := 1200


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var arguments := Plain.arguments()
	var asked: Dictionary = Plain.read(arguments[1])
	change_scene_to_file(arguments[0])
	await process_frame
	await process_frame
	var players := get_nodes_in_group("player")
	var player: CharacterBody2D = players[0]
	var start := player.global_position
	var ends: Array = []
	var is_seen := true
	for name: String in asked["keys"]:
		player.global_position = start
		ends.append(await _walk(player, OS.find_keycode_from_string(name)))
		var camera := root.get_camera_2d()
		is_seen = (
			is_seen and camera.get_screen_center_position().distance_to(ends[-1] as Vector2) < 1.0
		)
	if asked["picture"]:
		player.global_position = start
		await _shot(player, asked["picture"] as String)
	Plain.answer(
		arguments[2], {"players": players.size(), "start": start, "ends": ends, "is_seen": is_seen}
	)
	quit()


func _walk(player: CharacterBody2D, key: Key) -> Vector2:
	_press(key, true)
	var last := Vector2.INF
	var frames := 0
	while frames < MAX_FRAMES and (frames < 5 or player.global_position != last):
		last = player.global_position
		await physics_frame
		frames += 1
	_press(key, false)
	await physics_frame
	await process_frame
	await process_frame
	return player.global_position


# As a keyboard tells it.
func _press(key: Key, is_pressed: bool) -> void:
	var event := InputEventKey.new()
	event.keycode = key
	event.physical_keycode = key
	event.pressed = is_pressed
	Input.parse_input_event(event)


func _shot(player: CharacterBody2D, path: String) -> void:
	_press(KEY_RIGHT, true)
	for i: int in 40:
		await physics_frame
	_press(KEY_RIGHT, false)
	await RenderingServer.frame_post_draw
	player.get_viewport().get_texture().get_image().save_png(path)
