@tool
extends "../import/scene_importer.gd"
## Imports worlds of Tiled: a scene with an instance of each map where the world has it.

const WorldBuilder := preload("world_builder.gd")


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
	return common_options(preset).slice(2, 3)


func _build(
	source: String, _options: Dictionary, dependencies: Dependencies, problem: Problem
) -> Node:
	return WorldBuilder.build(source, dependencies, problem)
