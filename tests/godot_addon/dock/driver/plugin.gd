@tool
extends EditorPlugin
## Plays stories, scripts beside this one, in the editor; writes down what each saw, and quits.
##
## The command line ends with `-- LIST`: JSON with the stories' names, whether the dock begins anew,
## the commands that it is to call, and the files for answers. What is written between two lines of
## MARK belongs to the story that the first one names.

const Hands := preload("hands.gd")
const Memory := preload("res://addons/undercroft/dock/memory.gd")
const MARK := "--- story "
const PLUGIN := "undercroft"
const SETTING := "undercroft/generator/command"

# On a screen, the editor reads the documentation of all scripts in a thread, which walks through
# the folders of the project. If the project is scanned anew meanwhile, or the editor ends, they
# are freed under it: signal 11. At its end, the thread writes this file.
const _READ := "editor_script_doc_cache.res"


func _enter_tree() -> void:
	_play.call_deferred()


func _play() -> void:
	var list := FileAccess.get_file_as_string(OS.get_cmdline_user_args()[0])
	var hands := Hands.new()
	EditorInterface.get_base_control().add_child(hands)
	EditorInterface.set_main_screen_editor("Script")  # 3D would be drawn by the processor
	await hands.settled()
	if DisplayServer.get_name() != "headless":
		var read := EditorInterface.get_editor_paths().get_project_settings_dir().path_join(_READ)
		await hands.until(func() -> bool: return FileAccess.file_exists(read))
		await hands.frames(30)
	for asked: Dictionary in JSON.parse_string(list):
		var story_name: String = asked["name"]
		var command: String = asked["command"]
		_mark(story_name)
		if asked["anew"]:
			await _begin_anew(hands, command)
		var script: GDScript = load("res://addons/driver/%s.gd" % story_name)
		var story: RefCounted = script.new()
		var seen: Dictionary = await story.call("play", hands)
		var file := FileAccess.open(str(asked["answer"]), FileAccess.WRITE)
		file.store_string(JSON.stringify(seen))
		file.close()
	_mark("")
	hands.queue_free()
	await get_tree().process_frame
	get_tree().quit()


func _mark(story_name: String) -> void:
	print(MARK + story_name)
	printerr(MARK + story_name)


## Has the dock start as for the first time, without what it remembers.
func _begin_anew(hands: Hands, command: String) -> void:
	ProjectSettings.set_setting(SETTING, "")
	EditorInterface.set_plugin_enabled(PLUGIN, false)
	await hands.frames(10)
	Memory.save_choice({})
	ProjectSettings.set_setting(SETTING, command)
	EditorInterface.set_plugin_enabled(PLUGIN, true)
	await hands.frames(30)
