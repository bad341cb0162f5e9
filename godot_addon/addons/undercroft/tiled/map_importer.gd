@tool
extends "../import/scene_importer.gd"
## Imports Tiled maps as scenes.


func _get_importer_name() -> String:
	return "undercroft.tiled.map"


func _get_visible_name() -> String:
	return "Tiled map (Undercroft)"


func _get_recognized_extensions() -> PackedStringArray:
	return ["tmj", "tmx"]


func _get_import_options(_path: String, preset: int) -> Array[Dictionary]:
	var options := common_options(preset)
	if preset == LEVEL_PRESET:
		options[0].default_value = "door=StaticBody2D"
	options.append_array(tiled_options())
	(
		options
		. append(
			{
				"name": "level_facts",
				"default_value": "on" if preset == LEVEL_PRESET else "auto",
				"property_hint": PROPERTY_HINT_ENUM,
				"hint_string": "auto,on,off",
			}
		)
	)
	options.append(Twin.option())
	return options


static func tiled_options() -> Array[Dictionary]:
	return [
		{"name": "terrains", "default_value": true},
		{"name": "collision_bits", "default_value": "walk, fly, shoot"},
		{
			"name": "tiled_project",
			"default_value": "",
			"property_hint": PROPERTY_HINT_FILE,
			"hint_string": "*.tiled-project",
		},
		{"name": "strict", "default_value": false},
	]


func _build(
	source: String, options: Dictionary, dependencies: Dependencies, problem: Problem
) -> Node:
	problem.strict = is_same(options.get("strict"), true)
	return part("map_builder.gd").call("build", source, options, dependencies, problem)
