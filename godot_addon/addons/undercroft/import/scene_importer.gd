@tool
extends EditorImportPlugin
## What all importers of levels share: their options, where problems go, and what happens when one
## fails.
##
## A subclass says what it is (name, extensions) and overrides [method _build].

const Problem := preload("problem.gd")

## Below every importer that people may already have (0.1 is the lowest of those): they keep their
## files until somebody picks this one in the Import dock.
const PRIORITY := 0.05


## The scene made of [param source]; null, and a note in [param problem], where it cannot be made.
func _build(_source: String, _options: Dictionary, _problem: Problem) -> Node:
	return null


func _get_resource_type() -> String:
	return "PackedScene"


func _get_save_extension() -> String:
	return "scn"


func _get_priority() -> float:
	return PRIORITY


func _get_import_order() -> int:
	return ResourceImporter.IMPORT_ORDER_SCENE


func _can_import_threaded() -> bool:
	return true


func _import(
	source: String,
	save_path: String,
	options: Dictionary,
	_platform_variants: Array[String],
	_gen_files: Array[String]
) -> Error:
	var problem := Problem.new()
	var target := "%s.%s" % [save_path, _get_save_extension()]
	var root := _build(source, options, problem)
	if problem.found:
		push_error("Undercroft: " + problem.text)
		if root:
			root.free()
		# The last good import stays usable: Godot would forget it if this one were reported as failed.
		return OK if FileAccess.file_exists(target) else ERR_FILE_CORRUPT
	var scene := PackedScene.new()
	var packed := scene.pack(root)
	root.free()
	if packed != OK:
		return packed
	return ResourceSaver.save(scene, target, ResourceSaver.FLAG_COMPRESS)
