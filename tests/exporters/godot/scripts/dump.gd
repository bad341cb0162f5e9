## Reads back everything that a scene holds.
extends SceneTree

const Plain := preload("plain.gd")


func _initialize() -> void:
	var arguments := Plain.arguments()
	var packed: PackedScene = load(arguments[0])
	var level := packed.instantiate() as Node2D
	var layers := {}
	for layer_name: String in ["Ground", "Walls", "Doors", "Decor", "Overlay"]:
		layers[layer_name] = _layer(level.get_node(layer_name) as TileMapLayer)
	var first := level.get_node("Ground") as TileMapLayer
	Plain.answer(
		arguments[1],
		{
			"name": level.name,
			"children": level.get_children().map(_name),
			"meta": _meta(level),
			"types": _types(level),
			"groups": level.get_groups(),
			"texture_filter": level.texture_filter,
			"y_sort": level.y_sort_enabled,
			"layers": layers,
			"tileset": _tileset(first.tile_set),
			"rooms": level.get_node("Rooms").get_children().map(_area),
			"doors": level.get_node("Doors").get_children().map(_door),
			"hallways": _hallways(level),
			"markers": level.get_node("Markers").get_children().map(_marker),
			"navigation": _navigation(level.get_node("Navigation") as NavigationRegion2D),
		}
	)
	level.free()
	quit()


func _meta(node: Node) -> Dictionary:
	var table := {}
	for key: StringName in node.get_meta_list():
		table[key] = node.get_meta(key)
	return table


func _types(node: Node) -> Dictionary:
	var table := {}
	for key: StringName in node.get_meta_list():
		table[key] = type_string(typeof(node.get_meta(key)))
	return table


func _name(node: Node) -> String:
	return node.name


func _layer(layer: TileMapLayer) -> Dictionary:
	var cells: Array = []
	for cell: Vector2i in layer.get_used_cells():
		var tile := layer.get_cell_atlas_coords(cell)
		cells.append([cell.x, cell.y, tile.x, tile.y])
	return {
		"cells": cells,
		"z_index": layer.z_index,
		"y_sort": layer.y_sort_enabled,
		"navigation": layer.navigation_enabled,
		"collision": layer.collision_enabled,
		"occlusion": layer.occlusion_enabled,
		"tile_set": layer.tile_set.resource_path,
	}


func _tileset(tiles: TileSet) -> Dictionary:
	var layers: Array = range(tiles.get_physics_layers_count()).map(tiles.get_physics_layer_collision_layer)
	var masks: Array = range(tiles.get_physics_layers_count()).map(tiles.get_physics_layer_collision_mask)
	var data: Array = range(tiles.get_custom_data_layers_count()).map(tiles.get_custom_data_layer_name)
	var terrains: Array = []
	for terrain_set: int in tiles.get_terrain_sets_count():
		var names: Array = []
		for terrain: int in tiles.get_terrains_count(terrain_set):
			names.append(tiles.get_terrain_name(terrain_set, terrain))
		terrains.append({"mode": tiles.get_terrain_set_mode(terrain_set), "names": names})
	var source := tiles.get_source(0) as TileSetAtlasSource
	var found := {}
	for i: int in source.get_tiles_count():
		var at := source.get_tile_id(i)
		found["%d,%d" % [at.x, at.y]] = _tile(tiles, source, at)
	return {
		"tile_size": tiles.tile_size,
		"margins": source.margins,
		"separation": source.separation,
		"region": source.texture_region_size,
		"physics": layers,
		"masks": masks,
		"terrains": terrains,
		"custom_data": data,
		"occlusion": tiles.get_occlusion_layers_count(),
		"navigation": tiles.get_navigation_layers_count(),
		"texture": [source.texture.get_width(), source.texture.get_height()],
		"tiles": found,
	}


func _tile(tiles: TileSet, source: TileSetAtlasSource, at: Vector2i) -> Dictionary:
	var tile := source.get_tile_data(at, 0)
	var stopped := 0
	for layer: int in tiles.get_physics_layers_count():
		if tile.get_collision_polygons_count(layer) > 0:
			stopped |= tiles.get_physics_layer_collision_layer(layer)
	var data := {}
	for layer: int in tiles.get_custom_data_layers_count():
		var key := tiles.get_custom_data_layer_name(layer)
		data[key] = tile.get_custom_data(key)
	var bits := 0
	if tile.terrain_set >= 0 and tile.terrain_set < 2:
		var neighbours: Array[TileSet.CellNeighbor] = [
			TileSet.CELL_NEIGHBOR_TOP_SIDE,
			TileSet.CELL_NEIGHBOR_TOP_RIGHT_CORNER,
			TileSet.CELL_NEIGHBOR_RIGHT_SIDE,
			TileSet.CELL_NEIGHBOR_BOTTOM_RIGHT_CORNER,
			TileSet.CELL_NEIGHBOR_BOTTOM_SIDE,
			TileSet.CELL_NEIGHBOR_BOTTOM_LEFT_CORNER,
			TileSet.CELL_NEIGHBOR_LEFT_SIDE,
			TileSet.CELL_NEIGHBOR_TOP_LEFT_CORNER,
		]
		for i: int in 8:
			if tile.get_terrain_peering_bit(neighbours[i]) == 0:
				bits |= 1 << i
	var seconds: Array = []
	for frame: int in source.get_tile_animation_frames_count(at):
		seconds.append(source.get_tile_animation_frame_duration(at, frame))
	var navigation := tile.get_navigation_polygon(0)
	return {
		"stopped": stopped,
		"data": data,
		"terrain_set": tile.terrain_set,
		"terrain": tile.terrain,
		"bits": bits,
		"probability": tile.probability,
		"navigation": navigation.get_polygon_count() if navigation else 0,
		"occluders": tile.get_occluder_polygons_count(0),
		"y_sort_origin": tile.y_sort_origin,
		"frames": source.get_tile_animation_frames_count(at),
		"seconds": seconds,
	}


func _area(area: Area2D) -> Dictionary:
	var outlines: Array = []
	for child: CollisionPolygon2D in area.get_children():
		outlines.append(child.polygon)
	return {
		"name": area.name,
		"groups": area.get_groups(),
		"meta": _meta(area),
		"types": _types(area),
		"outlines": outlines,
		"layer": area.collision_layer,
		"mask": area.collision_mask,
		"monitorable": area.monitorable,
	}


func _hallways(level: Node2D) -> Array:
	if not level.has_node("Hallways"):
		return []
	return level.get_node("Hallways").get_children().map(_area)


func _door(door: StaticBody2D) -> Dictionary:
	var shape := door.get_node("Shape") as CollisionShape2D
	var way := door.get_node_or_null("Way") as NavigationRegion2D
	return {
		"name": door.name,
		"groups": door.get_groups(),
		"meta": _meta(door),
		"types": _types(door),
		"position": door.position,
		"layer": door.collision_layer,
		"size": (shape.shape as RectangleShape2D).size,
		"disabled": shape.disabled,
		"way": way != null and not way.enabled,
		"way_vertices": _placed(way) if way else PackedVector2Array(),
	}


## A region's vertices in the level's px; the door's own place undoes the region's.
func _placed(way: NavigationRegion2D) -> PackedVector2Array:
	var door := way.get_parent() as Node2D
	return door.transform * way.transform * way.navigation_polygon.vertices


func _marker(marker: Marker2D) -> Dictionary:
	return {
		"name": marker.name,
		"groups": marker.get_groups(),
		"meta": _meta(marker),
		"types": _types(marker),
		"position": marker.position,
	}


func _navigation(region: NavigationRegion2D) -> Dictionary:
	var polygon := region.navigation_polygon
	var polygons: Array = range(polygon.get_polygon_count()).map(polygon.get_polygon)
	var outlines: Array = range(polygon.get_outline_count()).map(polygon.get_outline)
	return {"vertices": polygon.vertices, "polygons": polygons, "outlines": outlines}
