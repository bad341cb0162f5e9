@tool
extends "../import/scene_importer.gd"
## Imports an LDtk project as a scene: a world with its levels, or several worlds.

const Options := preload("options.gd")


func _get_importer_name() -> String:
	return "undercroft.ldtk"


func _get_visible_name() -> String:
	return "LDtk project (Undercroft)"


func _get_recognized_extensions() -> PackedStringArray:
	return ["ldtk"]


func _get_import_options(path: String, preset: int) -> Array[Dictionary]:
	var options := Options.all_options(LEVEL_PRESET if Options.is_ours(path) else preset)
	options.append(Twin.option())
	return options


func _build(
	source: String, options: Dictionary, dependencies: Dependencies, problem: Problem
) -> Node:
	return part("build.gd").call("build", source, options, dependencies, problem)
