@tool
extends EditorExportPlugin
## Adds packs of levels to exported games, because Godot exports only resources by itself.

const _ENDING := "ucpack"


func _get_name() -> String:
	return "UndercroftPacks"


func _export_begin(
	_features: PackedStringArray, _is_debug: bool, _path: String, _flags: int
) -> void:
	_add_all("res://")


# A folder with a .gdignore does not belong to the project.
func _add_all(folder: String) -> void:
	if FileAccess.file_exists(folder.path_join(".gdignore")):
		return
	for name: String in DirAccess.get_files_at(folder):
		if name.get_extension().to_lower() == _ENDING:
			var path := folder.path_join(name)
			add_file(path, FileAccess.get_file_as_bytes(path), false)
	for name: String in DirAccess.get_directories_at(folder):
		if not name.begins_with("."):
			_add_all(folder.path_join(name))
