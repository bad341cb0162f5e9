## Edits scenes as the editor does, with the terrain brush for walls, and saves them over themselves.
extends SceneTree


func _initialize() -> void:
	var orders: Array = JSON.parse_string(FileAccess.get_file_as_string("res://orders.json"))
	for order: Dictionary in orders:
		_edit(order)
	quit()


func _edit(order: Dictionary) -> void:
	var path: String = order["scene"]
	var packed: PackedScene = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	var state := PackedScene.GEN_EDIT_STATE_MAIN
	if packed.get_state().get_base_scene_state():
		state = PackedScene.GEN_EDIT_STATE_MAIN_INHERITED
	var level := packed.instantiate(state) as Node2D
	for tile: Array in order["tiles"]:
		var layer: TileMapLayer = level.get_node(NodePath(str(tile[0])))
		var at := Vector2i(int(tile[1]), int(tile[2]))
		if int(tile[3]) < 0:
			layer.erase_cell(at)
		else:
			layer.set_cell(at, 0, Vector2i(int(tile[3]), int(tile[4])))
	if order["walls"]:
		_draw_walls(level.get_node("Walls") as TileMapLayer, order["walls"] as Array)
	for each: Array in order["set"]:
		level.get_node(NodePath(str(each[0]))).set(str(each[1]), str_to_var(str(each[2])))
	for removed: String in order["removed"]:
		var node := level.get_node(removed)
		node.get_parent().remove_child(node)
		node.free()
	for renamed: Array in order["renamed"]:
		level.get_node(NodePath(str(renamed[0]))).name = str(renamed[1])
	for added: Dictionary in order["added"]:
		var node := _made(added, path.get_base_dir())
		node.name = str(added["name"])
		for group: String in added["groups"]:
			node.add_to_group(group, true)
		for key: String in added["values"]:
			node.set(key, str_to_var(str(added["values"][key])))
		level.get_node(NodePath(str(added["parent"]))).add_child(node)
		node.owner = level
	var saved := PackedScene.new()
	saved.pack(level)
	ResourceSaver.save(saved, path)
	level.free()


func _made(added: Dictionary, folder: String) -> Node2D:
	if not added.get("instance", ""):
		return ClassDB.instantiate(str(added["type"])) as Node2D
	var scene: PackedScene = load(folder.path_join(str(added["instance"])))
	return scene.instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE) as Node2D


func _draw_walls(layer: TileMapLayer, tiles: Array) -> void:
	var walls: Array[Vector2i] = []
	for at: Array in tiles:
		walls.append(Vector2i(int(at[0]), int(at[1])))
	for terrain_set: int in layer.tile_set.get_terrain_sets_count():
		for terrain: int in layer.tile_set.get_terrains_count(terrain_set):
			if layer.tile_set.get_terrain_name(terrain_set, terrain) == "wall":
				layer.set_cells_terrain_connect(walls, terrain_set, terrain)
