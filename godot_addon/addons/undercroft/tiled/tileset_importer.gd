@tool
extends "../import/scene_importer.gd"
## Imports Tiled tilesets as TileSets, for maps made in Godot.

const MapImporter := preload("map_importer.gd")


func _get_importer_name() -> String:
	return "undercroft.tiled.tileset"


func _get_visible_name() -> String:
	return "Tiled tileset (Undercroft)"


func _get_recognized_extensions() -> PackedStringArray:
	return ["tsj", "tsx"]


func _get_resource_type() -> String:
	return "TileSet"


func _get_save_extension() -> String:
	return "res"


## After images, before maps.
func _get_import_order() -> int:
	return ResourceImporter.IMPORT_ORDER_SCENE - 10


func _get_import_options(_path: String, _preset: int) -> Array[Dictionary]:
	var options := MapImporter.tiled_options()
	options.append(Twin.option())
	return options


func _get_preset_count() -> int:
	return 1


func _import(
	source: String,
	save_path: String,
	options: Dictionary,
	_platform_variants: Array[String],
	_gen_files: Array[String]
) -> Error:
	var problem := Problem.new()
	problem.strict = is_same(options.get("strict"), true)
	var dependencies := Dependencies.new(source)
	var target := "%s.%s" % [save_path, _get_save_extension()]
	var twin := Twin.tile_set_of(source, options)
	if twin:
		dependencies.add_place(twin)
		dependencies.save()
		Twin.tell(source, twin, "tileset")
		return ResourceSaver.save(TileSet.new(), target)
	var builder := part("tileset_resource.gd")
	var made: TileSet = builder.call("build", source, options, dependencies, problem)
	report(source, made != null, problem, dependencies, FileAccess.file_exists(target))
	if problem.found:
		return OK if FileAccess.file_exists(target) else ERR_FILE_CORRUPT
	return ResourceSaver.save(made, target, ResourceSaver.FLAG_COMPRESS)
