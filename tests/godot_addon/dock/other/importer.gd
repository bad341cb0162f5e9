@tool
extends EditorImportPlugin
## Imports Tiled maps as empty scenes, and keeps a list of what it has imported.

const LIST := "res://other.txt"


func _get_importer_name() -> String:
	return "other.map"


func _get_visible_name() -> String:
	return "Other map"


func _get_recognized_extensions() -> PackedStringArray:
	return ["tmj"]


func _get_resource_type() -> String:
	return "PackedScene"


func _get_save_extension() -> String:
	return "scn"


func _get_priority() -> float:
	return 0.01


func _get_import_order() -> int:
	return 0


func _get_import_options(_path: String, _preset: int) -> Array[Dictionary]:
	return []


func _get_preset_count() -> int:
	return 0


func _import(
	source: String,
	save_path: String,
	_options: Dictionary,
	_platform_variants: Array[String],
	_gen_files: Array[String]
) -> Error:
	var known := FileAccess.get_file_as_string(LIST) if FileAccess.file_exists(LIST) else ""
	FileAccess.open(LIST, FileAccess.WRITE).store_string(known + source + "\n")
	var scene := PackedScene.new()
	var root := Node2D.new()
	scene.pack(root)
	root.free()
	return ResourceSaver.save(scene, "%s.scn" % save_path)
