extends "probe.gd"
## What a person may do to a TileSet: a copy, another polygon, one of their own, a layer, a source.


func _initialize() -> void:
	var path := arguments[0]
	var tiles: TileSet = load(path)
	ResourceSaver.save(tiles, path.get_basename() + ".copy.tres")
	var atlas: TileSetAtlasSource = tiles.get_source(0)
	var square := PackedVector2Array(
		[Vector2(-8, -8), Vector2(-4, -8), Vector2(-4, -4), Vector2(-8, -4)]
	)
	atlas.get_tile_data(Vector2i(0, 0), 0).set_collision_polygon_points(0, 0, square)
	var other := atlas.get_tile_data(Vector2i(1, 0), 0)
	other.add_collision_polygon(0)
	other.set_collision_polygon_points(
		0, 0, PackedVector2Array([Vector2.ZERO, Vector2(8, 0), Vector2(8, 8), Vector2(0, 8)])
	)
	tiles.add_custom_data_layer()
	tiles.set_custom_data_layer_name(tiles.get_custom_data_layers_count() - 1, "mine")
	tiles.add_source(TileSetAtlasSource.new(), 900)
	ResourceSaver.save(tiles, path)
	quit()
