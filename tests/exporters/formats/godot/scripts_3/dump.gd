# Reads back everything that a scene holds, that of the rooms' own scenes at their place in the level.
extends SceneTree

const Plain := preload("plain.gd")
const LAYERS := ["Ground", "Walls", "Doors", "Decor", "Overlay"]
const SUFFIXES := ["", "Low", "Middle", "High"]

# What has tile layers: the level itself, or its rooms and hallways.
var _parts := []
var _tile_size: int


func _init() -> void:
	var arguments := Plain.arguments()
	var level: Node2D = load(arguments[0]).instance()
	_tile_size = level.get_meta("tile_size")
	_parts = [level] if level.has_node("Ground") else _areas(level)
	var layers := {}
	for layer_name in LAYERS:
		layers[layer_name] = _layer(layer_name)
	var answer := {
		"name": level.name,
		"children": _names(level),
		"part_children": [],
		"meta": _meta(level),
		"types": _types(level),
		"groups": level.get_groups(),
		"y_sort": level is YSort,
		"layers": layers,
		"tileset": _tileset(_parts[0].get_node("Ground").tile_set),
		"rooms": [],
		"hallways": [],
		"doors": [],
		"markers": [],
		"navigation": _navigation("Navigation"),
		"navigation_fly": _navigation("NavigationFly"),
	}
	for part in _parts:
		answer["part_children"].append(_names(part))
		answer["doors"] += _doors(part)
		answer["markers"] += _markers(part)
	for kind in ["Rooms", "Hallways"]:
		if level.has_node(kind):
			for area in level.get_node(kind).get_children():
				answer[kind.to_lower()].append(_area(area))
	answer["markers"].sort_custom(self, "_by_id")
	Plain.answer(arguments[1], answer)
	_parts = []
	level.free()
	quit()


func _by_id(a: Dictionary, b: Dictionary) -> bool:
	return a["meta"]["id"] < b["meta"]["id"]


func _by_place(a: Array, b: Array) -> bool:
	return a[1] < b[1] or (a[1] == b[1] and a[0] < b[0])


func _areas(level: Node2D) -> Array:
	var areas := level.get_node("Rooms").get_children()
	if level.has_node("Hallways"):
		areas += level.get_node("Hallways").get_children()
	return areas


func _names(node: Node) -> Array:
	var names := []
	for child in node.get_children():
		names.append(child.name)
	return names


func _meta(node: Object) -> Dictionary:
	var table := {}
	for key in node.get_meta_list():
		table[key] = node.get_meta(key)
	return table


func _types(node: Object) -> Dictionary:
	var table := {}
	for key in node.get_meta_list():
		table[key] = Plain.type_name(node.get_meta(key))
	return table


# A layer of every part in one, row by row: the layer's own map, and those of what stops others.
func _layer(layer_name: String) -> Dictionary:
	var cells := []
	var drawn := []
	var shared := true
	var first: TileMap = _parts[0].get_node(layer_name)
	for part in _parts:
		for suffix in SUFFIXES:
			if not part.has_node(layer_name + suffix):
				continue
			var map: TileMap = part.get_node(layer_name + suffix)
			shared = shared and map.tile_set == first.tile_set and map.z_index == first.z_index
			var at: Vector2 = part.position / _tile_size
			for cell in map.get_used_cells():
				var tile := map.get_cell_autotile_coord(cell.x, cell.y)
				cells.append([at.x + cell.x, at.y + cell.y, tile.x, tile.y])
				drawn.append([at.x + cell.x, at.y + cell.y, _source(map, cell)])
	cells.sort_custom(self, "_by_place")
	return {
		"cells": cells,
		"drawn": drawn,
		"z_index": first.z_index,
		"y_sort": first.cell_y_sort,
		"navigation": first.bake_navigation,
		"collision": first.collision_layer != 0,
		"occlusion": first.occluder_light_mask != 0,
		"tile_set": first.tile_set.resource_path,
		"shared": shared,
	}


# Where in the texture a cell's picture lies, as TileMap draws it.
func _source(map: TileMap, cell: Vector2) -> Rect2:
	var tiles := map.tile_set
	var id := map.get_cellv(cell)
	var size := tiles.autotile_get_size(id)
	var step := size + Vector2.ONE * tiles.autotile_get_spacing(id)
	return Rect2(tiles.tile_get_region(id).position + step * map.get_cell_autotile_coord(cell.x, cell.y), size)


func _tileset(tiles: TileSet) -> Dictionary:
	var found := {}
	var facts: Dictionary = tiles.get_meta("tiles")
	for id in tiles.get_tiles_ids():
		var shapes := []
		for shape in tiles.tile_get_shapes(id):
			shapes.append([shape["autotile_coord"], shape["shape"].points])
		var places := {}
		for coord in facts:
			var occluder := tiles.autotile_get_light_occluder(id, coord)
			var navigation := tiles.autotile_get_navigation_polygon(id, coord)
			places["%d,%d" % [coord.x, coord.y]] = {
				"facts": facts[coord],
				"occluder": occluder.polygon if occluder else [],
				"navigation": navigation.vertices if navigation else [],
				"priority": tiles.autotile_get_subtile_priority(id, coord),
				"bits": tiles.autotile_get_bitmask(id, coord),
			}
		found[tiles.tile_get_name(id)] = {
			"id": id,
			"mode": tiles.tile_get_tile_mode(id),
			"bitmask_mode": tiles.autotile_get_bitmask_mode(id),
			"shapes": shapes,
			"places": places,
			"texture": tiles.tile_get_texture(id).get_size(),
		}
	return found


func _area(area: Area2D) -> Dictionary:
	var outlines := []
	for child in area.get_children():
		if child is CollisionPolygon2D:
			outlines.append(area.transform.xform(child.polygon))
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


func _doors(part: Node2D) -> Array:
	var found := []
	for door in part.get_node("Doors").get_children():
		var shape: CollisionShape2D = door.get_node("Shape")
		var way: NavigationPolygonInstance = door.get_node_or_null("Way")
		var place: Transform2D = part.transform * door.transform
		var vertices := []
		if way:
			vertices = (place * way.transform).xform(way.navpoly.vertices)
		found.append(
			{
				"name": door.name,
				"part": part.name,
				"groups": door.get_groups(),
				"meta": _meta(door),
				"types": _types(door),
				"at": part.position / _tile_size,
				"position": place.origin,
				"layer": door.collision_layer,
				"size": shape.shape.extents * 2,
				"disabled": shape.disabled,
				"way": way != null and not way.enabled,
				"way_vertices": vertices,
			}
		)
	return found


func _markers(part: Node2D) -> Array:
	var found := []
	for marker in part.get_node("Markers").get_children():
		found.append(
			{
				"name": marker.name,
				"part": part.name,
				"class": "Marker2D" if marker is Position2D else marker.get_class(),
				"groups": marker.get_groups(),
				"meta": _meta(marker),
				"types": _types(marker),
				"position": part.position + marker.position,
			}
		)
	return found


# The regions of a name, one in each part, as one, in the level's px.
func _navigation(name: String) -> Dictionary:
	var vertices := []
	var polygons := []
	var outlines := []
	var layers := []
	for part in _parts:
		if not part.has_node(name):
			continue
		var region: NavigationPolygonInstance = part.get_node(name)
		var polygon := region.navpoly
		for i in polygon.get_polygon_count():
			var moved := []
			for corner in polygon.get_polygon(i):
				moved.append(vertices.size() + corner)
			polygons.append(moved)
		for i in polygon.get_outline_count():
			outlines.append(part.transform.xform(polygon.get_outline(i)))
		vertices += Array((part.transform * region.transform).xform(polygon.vertices))
		layers.append(region.navigation_layers)
	return {"vertices": vertices, "polygons": polygons, "outlines": outlines, "layers": layers}
