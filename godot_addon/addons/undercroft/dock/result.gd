extends RefCounted
## Brings what was generated into the editor.

const Catalogue := preload("catalogue.gd")
const Declaration := preload("declaration.gd")


## Has Godot import the new files of a run, and opens the scene among them: a person's own, if there
## is one. Returns the scene, or "" if there is none.
static func bring_in(printed: String, tree: SceneTree) -> String:
	var files := EditorInterface.get_resource_filesystem()
	while files.is_scanning():
		await tree.process_frame
	files.scan()
	while files.is_scanning():
		await tree.process_frame
	var scene := _scene_of(Catalogue.table_of(printed))
	if scene:
		_open(scene)
	return scene


# The files are named after the level; the shortest scene that is a person's is the whole level's.
static func _scene_of(told: Dictionary) -> String:
	var level := str(told.get("name", ""))
	var paths: Array[String] = []
	for key: String in ["kept", "files"]:
		for file: String in Declaration.texts(told.get(key)):
			paths.append(ProjectSettings.localize_path(file.replace("\\", "/")))
	for wanted: String in [level + "_edit.tscn", level + ".tscn"]:
		for path: String in paths:
			if path.get_file() == wanted:
				return path
	return ""


static func _open(scene: String) -> void:
	var was_open := EditorInterface.get_open_scenes().has(scene)
	EditorInterface.open_scene_from_path(scene)
	if was_open:
		# What a person changed in it and has not saved would be lost with the old level.
		EditorInterface.save_scene()
		EditorInterface.reload_scene_from_path(scene)
