extends RefCounted
## Brings what was generated into the editor.

const Catalogue := preload("catalogue.gd")
const Declaration := preload("declaration.gd")

# Another scan may be under way, begun before the files were there.
const _MOST_SCANS := 5


## Has Godot import the new files of a run, and opens the scene among them: a person's own, if there
## is one. Returns the scene, or "" if there is none.
static func bring_in(printed: String) -> String:
	var told := Catalogue.table_of(printed)
	var paths := _paths(told, "files")
	var editor_files := EditorInterface.get_resource_filesystem()
	for _scan: int in _MOST_SCANS:
		editor_files.scan()
		# It is told once everything is imported, later than the scan says that it has ended.
		await editor_files.filesystem_changed
		if _are_imported(paths):
			break
	var scene := _scene_of(str(told.get("name", "")), _paths(told, "kept") + paths)
	if scene:
		_open(scene)
	return scene


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


# A person's scene goes before the one below it, which is the generator's.
static func _scene_of(level: String, paths: PackedStringArray) -> String:
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
