@tool
extends "../import/scene_importer.gd"
## Imports a separate LDtk level file as a scene.

const Build := preload("build.gd")
const LevelFacts := preload("level_facts.gd")


func _get_importer_name() -> String:
	return "undercroft.ldtkl"


func _get_visible_name() -> String:
	return "LDtk level (Undercroft)"


func _get_recognized_extensions() -> PackedStringArray:
	return ["ldtkl"]


func _get_import_options(path: String, preset: int) -> Array[Dictionary]:
	var ours := LevelFacts.is_ours(path.get_base_dir() + ".ldtk")
	return Build.all_options(LEVEL_PRESET if ours else preset, true)


func _build(
	source: String, options: Dictionary, dependencies: Dependencies, problem: Problem
) -> Node:
	return Build.new(source, options, dependencies, problem).level()
