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
# the editor's list of folders. If the project is scanned anew meanwhile, or the editor ends, the
# list is freed under it: signal 11. Nobody can ask it whether it is done, but a script that is
# loaded already costs it nothing. So all are loaded first, and then it gets its frames.
const _FRAMES_OF_READING := 300


func _enter_tree() -> void:
	_play.call_deferred()


func _play() -> void:
	var list := FileAccess.get_file_as_string(OS.get_cmdline_user_args()[0])
	var hands := Hands.new()
	EditorInterface.get_base_control().add_child(hands)
	EditorInterface.set_main_screen_editor("Script")  # 3D would be drawn by the processor
	RenderingServer.render_loop_enabled = false
	await hands.settled()
	var is_seen := DisplayServer.get_name() != "headless"
	if is_seen:
		var loaded: Array[Resource] = []
		_load_scripts(EditorInterface.get_resource_filesystem().get_filesystem(), loaded)
		await hands.frames(_FRAMES_OF_READING)
	for asked: Dictionary in JSON.parse_string(list):
		var story_name: String = asked["name"]
		var command: String = asked["command"]
		_mark(story_name)
		if asked["anew"]:
			await _begin_anew(hands, command)
		var script: GDScript = load("res://addons/driver/%s.gd" % story_name)
		var story: RefCounted = script.new()
		var seen: Dictionary = await story.call("play", hands)
		if is_seen:
			await hands.shot("%s.png" % asked["answer"])
		var file := FileAccess.open(str(asked["answer"]), FileAccess.WRITE)
		file.store_string(JSON.stringify(seen))
		file.close()
	_mark("")
	hands.queue_free()
	await get_tree().process_frame
	get_tree().quit()


func _load_scripts(folder: EditorFileSystemDirectory, loaded: Array[Resource]) -> void:
	for index: int in folder.get_file_count():
		if folder.get_file_type(index) == &"GDScript":
			loaded.append(load(folder.get_file_path(index)))
	for index: int in folder.get_subdir_count():
		_load_scripts(folder.get_subdir(index), loaded)


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
