extends SceneTree
## Loads every script of the runtime and the demo: whatever does not compile is told on standard
## error.


func _initialize() -> void:
	for folder: String in ["res://addons/undercroft/runtime", "res://demo"]:
		_load(folder)
	quit()


func _load(folder: String) -> void:
	for file: String in DirAccess.get_files_at(folder):
		if file.get_extension() in ["gd", "tscn"]:
			load(folder.path_join(file))
	for below: String in DirAccess.get_directories_at(folder):
		_load(folder.path_join(below))
