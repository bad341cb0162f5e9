extends RefCounted
## Brings what the generator has written, or taken back, into the editor.

const Catalogue := preload("catalogue.gd")
const Declaration := preload("declaration.gd")
const Folding := preload("folding.gd")

# A picture may be there only after a further scan.
const _MAX_SCANS := 5
# In the frame after a scan, Godot still takes in what it has found, and ignores another one.
const _CALM_FRAMES := 2

# The scene that was in front when a command began, how far its history was, and its file's digest.
static var _before: Array = []
static var _digest := ""


## Lets Godot import the new files of a run, and opens the scene of its first level: the person's
## own, if there is one. [param done] then gets the scene, or the level's name if there is no scene,
## and how many levels there are.
static func bring_in(printed: String, history: EditorUndoRedoManager, done: Callable) -> void:
	var levels: Array[Dictionary] = []
	var paths: PackedStringArray = []
	for line: String in printed.split("\n", false):
		var told := Catalogue.table_of(line)
		paths.append_array(_paths(told, "files"))
		if is_level(told):
			levels.append(told)
	await _import(paths)
	var first := levels[0] if levels else {}
	var what := str(first.get("name", ""))
	var scene := _scene_of(what, _paths(first, "kept") + _paths(first, "files"))
	if scene:
		await _open(scene, history)
	if done.is_valid():  # The plugin may have been turned off meanwhile.
		done.call(scene if scene else what, levels.size())


## Whether a line of the command tells of a level that was written.
static func is_level(told: Dictionary) -> bool:
	return told.has("fingerprint")


## Whether a command has told of files that it wrote; it may do so and then name a problem.
static func has_written(printed: String) -> bool:
	for line: String in printed.split("\n", false):
		if _paths(Catalogue.table_of(line), "files"):
			return true
	return false


## Whether a command has written a list of a person's changes that have no place in the new level.
static func has_conflicts(printed: String) -> bool:
	for line: String in printed.split("\n", false):
		for path: String in _paths(Catalogue.table_of(line), "files"):
			if path.ends_with(".conflicts.txt"):
				return true
	return false


## Saves the scene that is open if a person has changed it: whoever takes its file back is told.
static func save_changes(folder: String, history: EditorUndoRedoManager) -> void:
	_before = []
	if _open_scene_in(folder):
		var id := history.get_object_history_id(EditorInterface.get_edited_scene_root())
		if history.get_history_undo_redo(id).has_undo():
			EditorInterface.save_scene()
		_before = _moment(history)
		_digest = FileAccess.get_md5(EditorInterface.get_edited_scene_root().scene_file_path)


static func _moment(history: EditorUndoRedoManager) -> Array:
	var root := EditorInterface.get_edited_scene_root()
	if not root:
		return []
	var id := history.get_object_history_id(root)
	return [root.scene_file_path, history.get_history_undo_redo(id).get_version()]


## Shows files that were taken back in a folder. [param done] then gets what came back, in one line.
static func show_undone(printed: String, folder: String, done: Callable) -> void:
	var told := Catalogue.table_of(printed)
	var restored := _paths(told, "restored")
	var removed := _paths(told, "removed")
	await _import(restored)
	var scene := _open_scene_in(folder)
	if removed.has(scene):
		if EditorInterface.has_method("close_scene"):
			EditorInterface.call("close_scene")
	elif scene:
		await _read_again(scene)
	var parts: PackedStringArray = []
	for part: Array in [[restored, "restored"], [removed, "removed"]]:
		var files: PackedStringArray = part[0]
		if files.size() == 1:
			parts.append("%s was %s" % [files[0], part[1]])
		elif files:
			parts.append("%d files were %s (%s …)" % [files.size(), part[1], files[0]])
	var said := "Taken back: %s." % ", ".join(parts)
	# To bring a tab to the front, the editor would read the removed files.
	for open_scene: String in EditorInterface.get_open_scenes():
		if removed.has(open_scene):
			said += "\nClose the tab of %s without saving: its file is gone." % open_scene
	if done.is_valid():
		done.call(said)


# The editor crashes if a node is selected that goes with the scene, or if it still puts the scene
# before away.
static func _read_again(scene: String) -> void:
	var tree := EditorInterface.get_base_control().get_tree()
	EditorInterface.get_selection().clear()
	await tree.process_frame
	await tree.process_frame
	EditorInterface.reload_scene_from_path(scene)
	await tree.process_frame


# The scene in front, if its file is in the folder.
static func _open_scene_in(folder: String) -> String:
	var root := EditorInterface.get_edited_scene_root()
	var path := root.scene_file_path if root else ""
	return path if path.begins_with(folder.path_join("")) else ""


## Has the editor look for new files and import them. A scan that runs already may have begun before
## the files existed.
static func scan() -> void:
	var files := EditorInterface.get_resource_filesystem()
	var calm := 0
	while calm < _CALM_FRAMES:
		await EditorInterface.get_base_control().get_tree().process_frame
		calm = 0 if files.is_scanning() else calm + 1
	files.scan()
	# This comes when everything is imported, which is later than the end of the scan.
	await files.filesystem_changed


static func _import(paths: PackedStringArray) -> void:
	for _scan: int in _MAX_SCANS:
		await scan()
		if _are_imported(paths):
			return


static func _paths(told: Dictionary, key: String) -> PackedStringArray:
	var found: PackedStringArray = []
	for file: String in Declaration.texts(told.get(key)):
		found.append(ProjectSettings.localize_path(file.replace("\\", "/")))
	return found


static func _are_imported(paths: PackedStringArray) -> bool:
	for path: String in paths:
		if path.get_extension() == "png" and not ResourceLoader.exists(path):
			return false
	return true


# A person's scene comes before the generator's scene, which it inherits.
static func _scene_of(level: String, paths: PackedStringArray) -> String:
	for wanted: String in [level + "_edit.tscn", level + ".tscn"]:
		for path: String in paths:
			if path.get_file() == wanted:
				return path
	return ""


static func _open(scene: String, history: EditorUndoRedoManager) -> void:
	var was_open := EditorInterface.get_open_scenes().has(scene)
	Folding.fold(scene)
	EditorInterface.open_scene_from_path(scene)
	if was_open:
		# Unsaved changes would be lost with the old level. But if the generator has moved what a
		# person did in this scene into the level, the editor's scene still has it, and would hide it.
		var was_written := _moment(history) == _before and FileAccess.get_md5(scene) != _digest
		if not was_written:
			EditorInterface.save_scene()
		await _read_again(scene)
