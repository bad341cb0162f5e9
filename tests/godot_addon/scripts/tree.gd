extends "probe.gd"
## Tells what is in scenes: `SCENE... ANSWER`; for each its nodes by path.

const TOLD: Array[String] = [
	"polygon",
	"points",
	"disabled",
	"collision_layer",
	"collision_mask",
	"text",
	"flip_h",
	"flip_v",
	"region_rect",
	"scroll_scale",
	"repeat_size",
	"autoplay",
	"horizontal_alignment",
	"vertical_alignment",
	"size",
	"one_way_collision",
	"speed",
]


func _initialize() -> void:
	var answer: Dictionary = {}
	for path: String in arguments.slice(0, -1):
		var scene: PackedScene = load(path)
		var root_node := scene.instantiate()
		var nodes: Dictionary = {}
		_tell(root_node, root_node, nodes)
		answer[path] = nodes
		root_node.free()
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(answer))
	quit()


func _tell(root_node: Node, node: Node, nodes: Dictionary) -> void:
	var told: Dictionary = {"class": node.get_class(), "groups": node.get_groups(), "meta": {}}
	var meta: Dictionary = told.meta
	for name: StringName in node.get_meta_list():
		meta[name] = var_to_str(node.get_meta(name))
	if node is CanvasItem:
		var item: CanvasItem = node
		told.visible = item.visible
		told.modulate = item.modulate.to_html()
		told.y_sort = item.y_sort_enabled
		told.z_index = item.z_index
	if node is Node2D:
		var at: Node2D = node
		told.position = [at.position.x, at.position.y]
		told.rotation = rad_to_deg(at.rotation)
		told.scale = [at.scale.x, at.scale.y]
	for property: String in TOLD:
		if property in node:
			told[property] = var_to_str(node.get(property))
	if node is CollisionShape2D:
		var shape: CollisionShape2D = node
		told.shape = _shape(shape.shape)
	if node is TileMapLayer:
		var layer: TileMapLayer = node
		told.cells = _cells(layer)
		told.tiles = _tiles(layer)
	if node is PointLight2D:
		var light: PointLight2D = node
		told.light = [light.color.to_html(), light.energy, light.texture_scale, str(light.offset)]
	if node is LightOccluder2D:
		told.polygon = var_to_str((node as LightOccluder2D).occluder.polygon)
	if node is Path2D:
		var path: Path2D = node
		told.points = _line(path.curve)
	if node is Label:
		var label: Label = node
		told.font_size = label.get_theme_font_size("font_size")
		told.font_color = label.get_theme_color("font_color").to_html()
		var font: SystemFont = label.get_theme_font("font")
		told.label_position = [label.position.x, label.position.y]
		told.label_rotation = rad_to_deg(label.rotation)
		told.font = [font.font_names[0], font.font_weight, font.font_italic]
	var script: Script = node.get_script()
	if script:
		told.exported = _exported(node, script)
	if node.scene_file_path and node != root_node:
		told.scene = node.scene_file_path
	nodes[str(root_node.get_path_to(node))] = told
	for child: Node in node.get_children():
		_tell(root_node, child, nodes)


func _shape(shape: Shape2D) -> Array:
	if shape is RectangleShape2D:
		var rectangle: RectangleShape2D = shape
		return ["rectangle", rectangle.size.x, rectangle.size.y]
	if shape is CircleShape2D:
		var circle: CircleShape2D = shape
		return ["circle", circle.radius]
	if shape is CapsuleShape2D:
		var capsule: CapsuleShape2D = shape
		return ["capsule", capsule.radius, capsule.height]
	return [shape.get_class()]


## What is seen and felt of each cell, whatever the numbers of sources: picture, polygons, data.
func _cells(layer: TileMapLayer) -> Dictionary:
	var found: Dictionary = {}
	for cell: Vector2i in layer.get_used_cells():
		var source: TileSetAtlasSource = layer.tile_set.get_source(layer.get_cell_source_id(cell))
		var at := layer.get_cell_atlas_coords(cell)
		var data := layer.get_cell_tile_data(cell)
		var region := source.get_tile_texture_region(at)
		var built := "::" in source.texture.resource_path
		var solid: Array = []
		for physics: int in layer.tile_set.get_physics_layers_count():
			var bits := layer.tile_set.get_physics_layer_collision_layer(physics)
			for index: int in data.get_collision_polygons_count(physics):
				var polygon := data.get_collision_polygon_points(physics, index)
				solid.append([bits, _box(polygon)])
		found["%d,%d" % [cell.x, cell.y]] = [
			source.texture.resource_path.get_file() if not built else "",
			[region.position.x, region.position.y, region.size.x, region.size.y],
			layer.get_cell_alternative_tile(cell) >> 12,
			solid,
			source.get_tile_animation_frames_count(at),
		]
	return found


func _box(polygon: PackedVector2Array) -> Array:
	var box := Rect2(polygon[0], Vector2.ZERO)
	for point: Vector2 in polygon:
		box = box.expand(point)
	return [box.position.x, box.position.y, box.size.x, box.size.y]


func _line(curve: Curve2D) -> Array:
	var found: Array = []
	for index: int in curve.point_count:
		var point := curve.get_point_position(index)
		found.append([point.x, point.y])
	return found


## What a script's own properties are, exported or not.
func _exported(node: Node, script: Script) -> Dictionary:
	var found: Dictionary = {}
	for property: Dictionary in script.get_script_property_list():
		var usage: int = property.usage
		if usage & PROPERTY_USAGE_SCRIPT_VARIABLE:
			found[property.name] = var_to_str(node.get(str(property.name)))
	return found


## What is known of the tile in each cell besides: navigation, occluders, terrains, data; of each
## tile once.
func _tiles(layer: TileMapLayer) -> Dictionary:
	var found: Dictionary = {}
	var known: Dictionary = {}
	for cell: Vector2i in layer.get_used_cells():
		var data := layer.get_cell_tile_data(cell)
		if not known.has(data):
			known[data] = true
			found["%d,%d" % [cell.x, cell.y]] = _tile(layer.tile_set, data)
	return found


func _tile(tiles: TileSet, data: TileData) -> Dictionary:
	var ways: Array = []
	for index: int in tiles.get_navigation_layers_count():
		var mesh := data.get_navigation_polygon(index)
		for part: int in mesh.get_polygon_count() if mesh else 0:
			var corners := PackedVector2Array()
			for corner: int in mesh.get_polygon(part):
				corners.append(mesh.vertices[corner])
			ways.append(_corners(corners))
	var shadows: Array = []
	for index: int in tiles.get_occlusion_layers_count():
		var occluder := data.get_occluder(index)
		if occluder:
			shadows.append(_corners(occluder.polygon))
	var one_way: Array = []
	for index: int in tiles.get_physics_layers_count():
		for part: int in data.get_collision_polygons_count(index):
			one_way.append(data.is_collision_polygon_one_way(index, part))
	var custom: Dictionary = {}
	for index: int in tiles.get_custom_data_layers_count():
		var value: Variant = data.get_custom_data_by_layer_id(index)
		custom[tiles.get_custom_data_layer_name(index)] = var_to_str(value)
	var told := {"ways": ways, "shadows": shadows, "one_way": one_way, "data": custom}
	if data.terrain_set >= 0:
		told.terrain = _terrain(tiles, data)
	return told


func _corners(polygon: PackedVector2Array) -> Array:
	var found: Array = []
	for point: Vector2 in polygon:
		found.append([point.x, point.y])
	return found


func _terrain(tiles: TileSet, data: TileData) -> Dictionary:
	var index := data.terrain_set
	var bits: Dictionary = {}
	for side: int in 16:
		if data.is_valid_terrain_peering_bit(side as TileSet.CellNeighbor):
			bits[str(side)] = data.get_terrain_peering_bit(side as TileSet.CellNeighbor)
	var names: Array = []
	for terrain: int in tiles.get_terrains_count(index):
		names.append(
			[
				tiles.get_terrain_name(index, terrain),
				tiles.get_terrain_color(index, terrain).to_html(false)
			]
		)
	return {
		"set": index,
		"mode": tiles.get_terrain_set_mode(index),
		"terrain": data.terrain,
		"bits": bits,
		"names": names,
	}
