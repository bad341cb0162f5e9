@tool
extends "../import/scene_importer.gd"
## Imports an LDtk project as a scene: a world with its levels, or several worlds.

const Build := preload("build.gd")
const LevelFacts := preload("level_facts.gd")


func _get_importer_name() -> String:
	return "undercroft.ldtk"


func _get_visible_name() -> String:
	return "LDtk project (Undercroft)"


func _get_recognized_extensions() -> PackedStringArray:
	return ["ldtk"]


func _get_import_options(path: String, preset: int) -> Array[Dictionary]:
	var options := Build.all_options(LEVEL_PRESET if LevelFacts.is_ours(path) else preset)
	options.append(Twin.option())
	return options


func _build(
	source: String, options: Dictionary, dependencies: Dependencies, problem: Problem
) -> Node:
	return Build.new(source, options, dependencies, problem).project()
