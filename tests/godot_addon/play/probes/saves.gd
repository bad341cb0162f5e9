extends SceneTree
## Puts each file of a folder where the saved run lies, and tells what the title screen makes of it:
## its line, what Continue says, and the style that is played if it is pressed.
##
## Then it tells whether a run that cannot be saved leaves the saved one alone.
##
## Arguments: the folder, the file for the answer.

const Game := preload("res://demo/game.gd")
const Run := preload("res://demo/run.gd")
const Saves := preload("res://demo/saves.gd")

var _told := {"files": {}}


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var folder := OS.get_cmdline_user_args()[0]
	for name: String in DirAccess.get_files_at(folder):
		Run.current = null
		DirAccess.copy_absolute(folder.path_join(name), Saves.PATH)
		_told["files"][name] = await _outcome()
	await _begin_over_what_is_unreadable()
	_fail_to_write()
	Saves.remove()
	var file := FileAccess.open(OS.get_cmdline_user_args()[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(_told))
	file.close()
	quit()


func _outcome() -> Array:
	await _show_title()
	var note := _note()
	var saved: Button = current_scene.get_node("%Continue")
	if not saved.visible:
		return [note, "", ""]
	var text := saved.text
	saved.pressed.emit()
	for i: int in 4:
		await process_frame
	if current_scene is Game and (current_scene as Game).player:
		return [note, text, (current_scene as Game).run.style]
	return [_note(), text, ""]


func _begin_over_what_is_unreadable() -> void:
	var file := FileAccess.open(Saves.PATH, FileAccess.WRITE)
	file.store_string("of another game")
	file.close()
	await _show_title()
	(current_scene.get_node("%New") as Button).pressed.emit()
	for i: int in 4:
		await process_frame
	_told["kept"] = FileAccess.get_file_as_string(Saves.PATH + ".unreadable")
	_told["plays"] = current_scene is Game
	DirAccess.remove_absolute(Saves.PATH + ".unreadable")


func _fail_to_write() -> void:
	var run := Run.begin("isaac", "1")
	Saves.write(run)
	var before := FileAccess.get_file_as_string(Saves.PATH)
	run.descend()
	DirAccess.make_dir_absolute(Saves.PATH + ".part")
	_told["refused"] = Saves.write(run)
	_told["whole"] = FileAccess.get_file_as_string(Saves.PATH) == before
	DirAccess.remove_absolute(Saves.PATH + ".part")


func _show_title() -> void:
	change_scene_to_file("res://demo/title.tscn")
	for i: int in 3:
		await process_frame


func _note() -> String:
	return (current_scene.get_node("%Note") as Label).text
