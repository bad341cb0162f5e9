## Reads back everything that a scene holds, that of the rooms' own scenes at their place in the level.
extends "probe.gd"

const Plain := preload("plain.gd")
const LAYERS: Array[String] = ["Ground", "Walls", "Doors", "Decor", "Overlay"]

## What has tile layers: the level itself, or its rooms and hallways.
var _parts: Array[Node2D] = []
var _tile_size: int


func _initialize() -> void:
	var packed: PackedScene = load(arguments[0])
	var level := packed.instantiate() as Node2D
	_tile_size = level.get_meta("tile_size")
	_parts.assign([level] if level.has_node("Ground") else _areas(level))
	var layers := {}
	for layer_name: String in LAYERS:
		layers[layer_name] = _layer(layer_name)
	Plain.answer(
		arguments[1],
		{
			"name": level.name,
			"children": level.get_children().map(_name),
			"part_children": _parts.map(_children),
			"meta": _meta(level),
			"types": _types(level),
			"groups": level.get_groups(),
			"texture_filter": level.texture_filter,
			"y_sort": level.y_sort_enabled,
			"sorted": _parts.all(_sorted),
			"layers": layers,
			"tileset": _tileset(_parts[0].get_node("Ground").get("tile_set") as TileSet),
			"rooms": level.get_node("Rooms").get_children().map(_area),
			"doors": _parts.reduce(_doors, []),
			"hallways": _hallways(level),
			"markers": _markers(level),
			"navigation": _navigation("Navigation"),
			"navigation_fly": _navigation("NavigationFly"),
		}
	)
	level.free()
	quit()


func _areas(level: Node2D) -> Array:
	var areas := level.get_node("Rooms").get_children()
	if level.has_node("Hallways"):
		areas.append_array(level.get_node("Hallways").get_children())
	return areas


## Whether the tiles of a part's things sort with the bodies that are added to the level.
func _sorted(part: Node2D) -> bool:
	return part.y_sort_enabled and (part.get_parent() == null or (part.get_parent() as Node2D).y_sort_enabled)


func _children(part: Node2D) -> Array:
	return part.get_children().map(_name)


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


## A layer of every part in one, row by row, with the settings of the first.
func _layer(layer_name: String) -> Dictionary:
	var cells: Array = []
	var tiles: Array[TileSet] = []
	for part: Node2D in _parts:
		var node := part.get_node(layer_name) as Node2D
		tiles.append(node.get("tile_set"))
		var at := Vector2i(part.position) / _tile_size
		if node is TileMap:
			_map_cells(node as TileMap, at, cells)
			continue
		var layer := node as TileMapLayer
		for cell: Vector2i in layer.get_used_cells():
			var place := at + cell
			var tile := layer.get_cell_atlas_coords(cell)
			cells.append([place.x, place.y, tile.x, tile.y])
	cells.sort_custom(func(a: Array, b: Array) -> bool: return [a[1], a[0]] < [b[1], b[0]])
	var first := _parts[0].get_node(layer_name) as Node2D
	var found := _does(first)
	found.merge(
		{
			"cells": cells,
			"z_index": first.z_index,
			"y_sort": first.y_sort_enabled,
			"tile_set": tiles[0].resource_path,
			"shared": tiles.all(func(each: TileSet) -> bool: return each == tiles[0]),
		}
	)
	return found


func _map_cells(map: TileMap, at: Vector2i, cells: Array) -> void:
	for cell: Vector2i in map.get_used_cells(0):
		var place := at + cell
		var tile := map.get_cell_atlas_coords(0, cell)
		cells.append([place.x, place.y, tile.x, tile.y])


## Whether tiles of a layer do something; those of a TileMap do what their alternative can.
func _does(layer: Node2D) -> Dictionary:
	if layer is TileMapLayer:
		var own := layer as TileMapLayer
		return {
			"navigation": own.navigation_enabled,
			"collision": own.collision_enabled,
			"occlusion": own.occlusion_enabled,
		}
	var map := layer as TileMap
	var does := {"navigation": map.is_layer_navigation_enabled(0), "collision": false, "occlusion": false}
	for cell: Vector2i in map.get_used_cells(0):
		var tile := map.get_cell_tile_data(0, cell)
		for physics: int in map.tile_set.get_physics_layers_count():
			does["collision"] = does["collision"] or tile.get_collision_polygons_count(physics) > 0
		does["occlusion"] = does["occlusion"] or tile.get_occluder_polygons_count(0) > 0
	return does


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
	for child: Node in area.get_children():
		if child is CollisionPolygon2D:
			outlines.append(area.transform * (child as CollisionPolygon2D).polygon)
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


func _doors(found: Array, part: Node2D) -> Array:
	for door: StaticBody2D in part.get_node("Doors").get_children():
		var shape := door.get_node("Shape") as CollisionShape2D
		var way := door.get_node_or_null("Way") as NavigationRegion2D
		var place := part.transform * door.transform
		(
			found
			. append(
				{
					"name": door.name,
					"part": part.name,
					"groups": door.get_groups(),
					"meta": _meta(door),
					"types": _types(door),
					"at": part.position / _tile_size,
					"position": place.origin,
					"layer": door.collision_layer,
					"size": (shape.shape as RectangleShape2D).size,
					"disabled": shape.disabled,
					"way": way != null and not way.enabled,
					"way_vertices": _placed(place * way.transform, way) if way else PackedVector2Array(),
				}
			)
		)
	return found


## A region's vertices in the level's px.
func _placed(place: Transform2D, region: NavigationRegion2D) -> PackedVector2Array:
	return place * region.navigation_polygon.vertices


func _markers(level: Node2D) -> Array:
	var found: Array = []
	for part: Node2D in [level] if _parts[0] == level else [level] + _parts:
		for marker: Node2D in part.get_node("Markers").get_children():
			(
				found
				. append(
					{
						"name": marker.name,
						"part": part.name,
						"class": marker.get_class(),
						"groups": marker.get_groups(),
						"meta": _meta(marker),
						"types": _types(marker),
						"position": part.position + marker.position,
					}
				)
			)
	found.sort_custom(func(a: Dictionary, b: Dictionary) -> bool: return a["meta"]["id"] < b["meta"]["id"])
	return found


## The regions of a name, one in each part, as one, in the level's px; and what Godot bakes of their outlines.
func _navigation(name: String) -> Dictionary:
	var found := _no_mesh()
	found["outlines"] = []
	found["layers"] = []
	found["baked"] = _no_mesh()
	for part: Node2D in _parts:
		if not part.has_node(name):
			continue
		var region := part.get_node(name) as NavigationRegion2D
		var polygon := region.navigation_polygon
		var place := part.transform * region.transform
		_add_mesh(found, polygon, place)
		for i: int in polygon.get_outline_count():
			found["outlines"].append(place * polygon.get_outline(i))
		found["layers"].append(region.navigation_layers)
		var again := polygon.duplicate() as NavigationPolygon
		var nothing_else := NavigationMeshSourceGeometryData2D.new()
		NavigationServer2D.bake_from_source_geometry_data(again, nothing_else)
		_add_mesh(found["baked"], again, place)
	return found


func _no_mesh() -> Dictionary:
	return {"vertices": PackedVector2Array(), "polygons": []}


func _add_mesh(to: Dictionary, polygon: NavigationPolygon, place: Transform2D) -> void:
	var before: int = to["vertices"].size()
	for i: int in polygon.get_polygon_count():
		to["polygons"].append(Array(polygon.get_polygon(i)).map(func(corner: int) -> int: return before + corner))
	to["vertices"].append_array(place * polygon.vertices)
