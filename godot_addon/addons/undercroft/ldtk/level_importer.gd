@tool
extends "../import/scene_importer.gd"
## Imports a separate LDtk level file as a scene.

const Options := preload("options.gd")


func _get_importer_name() -> String:
	return "undercroft.ldtkl"


func _get_visible_name() -> String:
	return "LDtk level (Undercroft)"


func _get_recognized_extensions() -> PackedStringArray:
	return ["ldtkl"]


func _get_import_options(path: String, preset: int) -> Array[Dictionary]:
	var ours := Options.is_ours(path.get_base_dir() + ".ldtk")
	return Options.all_options(LEVEL_PRESET if ours else preset, true)


func _build(
	source: String, options: Dictionary, dependencies: Dependencies, problem: Problem
) -> Node:
	return part("build.gd").call("build_level", source, options, dependencies, problem)
