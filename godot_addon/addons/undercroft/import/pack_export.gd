@tool
extends EditorExportPlugin
## Puts the project's packs into exported games: Godot exports what it can import, and whoever
## ships a pack should not have to write a filter for it.

const SUFFIX := ".ucpack"


func _get_name() -> String:
	return "UndercroftPacks"


func _export_begin(
	_features: PackedStringArray, _is_debug: bool, _path: String, _flags: int
) -> void:
	_add_below("res://")


func _add_below(folder: String) -> void:
	var here := DirAccess.open(folder)
	if here == null or here.file_exists(".gdignore"):
		return
	for file: String in here.get_files():
		if file.ends_with(SUFFIX):
			var path := folder.path_join(file)
			add_file(path, FileAccess.get_file_as_bytes(path), false)
	for below: String in here.get_directories():
		if not below.begins_with(".") and not here.is_link(below):
			_add_below(folder.path_join(below))
