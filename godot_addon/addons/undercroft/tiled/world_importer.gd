@tool
extends "../import/scene_importer.gd"
## Imports Tiled worlds as scenes with an instance of each map at its place.


func _get_importer_name() -> String:
	return "undercroft.tiled.world"


func _get_visible_name() -> String:
	return "Tiled world (Undercroft)"


func _get_recognized_extensions() -> PackedStringArray:
	return ["world"]


## After the maps.
func _get_import_order() -> int:
	return ResourceImporter.IMPORT_ORDER_SCENE + 10


func _get_import_options(_path: String, preset: int) -> Array[Dictionary]:
	var options := common_options(preset).slice(2, 3)
	options.append({"name": "strict", "default_value": false})
	return options


func _build(
	source: String, options: Dictionary, dependencies: Dependencies, problem: Problem
) -> Node:
	problem.strict = is_same(options.get("strict"), true)
	return part("world_builder.gd").call("build", source, dependencies, problem)
