@tool
extends EditorPlugin
## Plays a story, a script beside this one, in the editor; writes down what it saw, and quits.
##
## The command line ends with `-- STORY ANSWER`.

const Hands := preload("hands.gd")

# On a screen, the editor reads the documentation of all scripts in a thread that nobody can ask
# about. An editor that ends meanwhile leaves scripts in use, or crashes.
const _FRAMES_OF_READING := 150


func _enter_tree() -> void:
	_play.call_deferred()


func _play() -> void:
	var given := OS.get_cmdline_user_args()
	var hands := Hands.new()
	EditorInterface.get_base_control().add_child(hands)
	EditorInterface.set_main_screen_editor("Script")  # 3D would be drawn by the processor
	await hands.settled()
	if DisplayServer.get_name() != "headless":
		await hands.frames(_FRAMES_OF_READING)
	var script: GDScript = load("res://addons/driver/%s.gd" % given[0])
	if not script.can_instantiate():
		get_tree().quit(1)
		return
	var story: RefCounted = script.new()
	var seen: Dictionary = await story.call("play", hands)
	var file := FileAccess.open(given[1], FileAccess.WRITE)
	file.store_string(JSON.stringify(seen))
	file.close()
	hands.queue_free()
	await get_tree().process_frame
	get_tree().quit()
