extends "probe.gd"
## What a person may draw on the first tile of TileSets: a collision, and data of their own.

const MINE := "mine"


func _initialize() -> void:
	for path: String in arguments.slice(0, -1):
		draw(path)
	quit()


static func draw(path: String) -> void:
	var tiles: TileSet = load(path)
	var atlas: TileSetAtlasSource = tiles.get_source(tiles.get_source_id(0))
	if tiles.get_physics_layers_count() == 0:
		tiles.add_physics_layer()
	tiles.add_custom_data_layer()
	var layer := tiles.get_custom_data_layers_count() - 1
	tiles.set_custom_data_layer_name(layer, MINE)
	tiles.set_custom_data_layer_type(layer, TYPE_STRING)
	var tile := atlas.get_tile_data(Vector2i(0, 0), 0)
	var drawn := tile.get_collision_polygons_count(0)
	tile.add_collision_polygon(0)
	tile.set_collision_polygon_points(
		0, drawn, PackedVector2Array([Vector2(-8, -8), Vector2(7, -8), Vector2(7, 3)])
	)
	tile.set_custom_data_by_layer_id(layer, "by hand")
	ResourceSaver.save(tiles, path)
