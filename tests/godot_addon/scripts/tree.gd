extends SceneTree
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
	"speed",
]


func _init() -> void:
	var args := OS.get_cmdline_user_args()
	var answer: Dictionary = {}
	for path: String in args.slice(0, -1):
		var scene: PackedScene = load(path)
		var root_node := scene.instantiate()
		var nodes: Dictionary = {}
		_tell(root_node, root_node, nodes)
		answer[path] = nodes
		root_node.free()
	var file := FileAccess.open(args[-1], FileAccess.WRITE)
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
