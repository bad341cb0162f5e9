extends RefCounted
## Brings the generated files into the editor.

const Catalogue := preload("catalogue.gd")
const Declaration := preload("declaration.gd")

# Another scan may be running that began before the files existed.
const _MAX_SCANS := 5


## Lets Godot import the new files of a run, and opens their scene: the person's own, if there is
## one. [param done] then gets the scene, or the level's name if there is no scene.
static func bring_in(printed: String, done: Callable) -> void:
	var told := Catalogue.table_of(printed)
	var paths := _paths(told, "files")
	var editor_files := EditorInterface.get_resource_filesystem()
	for _scan: int in _MAX_SCANS:
		editor_files.scan()
		# This comes when everything is imported, which is later than the end of the scan.
		await editor_files.filesystem_changed
		if _are_imported(paths):
			break
	var scene := _scene_of(str(told.get("name", "")), _paths(told, "kept") + paths)
	if scene:
		_open(scene)
	if done.is_valid():  # The plugin may have been turned off meanwhile.
		done.call(scene if scene else str(told.get("name", "")))


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


static func _open(scene: String) -> void:
	var was_open := EditorInterface.get_open_scenes().has(scene)
	EditorInterface.open_scene_from_path(scene)
	if was_open:
		# Unsaved changes would be lost with the old level.
		EditorInterface.save_scene()
		EditorInterface.reload_scene_from_path(scene)
