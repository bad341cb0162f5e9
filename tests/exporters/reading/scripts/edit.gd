## Edits scenes as the editor does, with the terrain brush for walls, and saves them over themselves.
extends SceneTree


func _initialize() -> void:
	var orders: Array = JSON.parse_string(FileAccess.get_file_as_string("res://orders.json"))
	for order: Dictionary in orders:
		_edit(order)
	quit()


func _edit(order: Dictionary) -> void:
	var path: String = order["scene"]
	var packed: PackedScene = load(path)
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
	var walls: Array[Vector2i] = []
	for at: Array in order["walls"]:
		walls.append(Vector2i(int(at[0]), int(at[1])))
	if walls:
		var layer: TileMapLayer = level.get_node("Walls")
		for terrain_set: int in layer.tile_set.get_terrain_sets_count():
			for terrain: int in layer.tile_set.get_terrains_count(terrain_set):
				if layer.tile_set.get_terrain_name(terrain_set, terrain) == "wall":
					layer.set_cells_terrain_connect(walls, terrain_set, terrain)
	for moved: Array in order["moved"]:
		(level.get_node(NodePath(str(moved[0]))) as Node2D).position = Vector2(moved[1], moved[2])
	for removed: String in order["removed"]:
		var node := level.get_node(removed)
		node.get_parent().remove_child(node)
		node.free()
	for added: Array in order["added"]:
		var node := Marker2D.new()
		node.name = "Mine"
		node.position = Vector2(added[1], added[2])
		node.set_meta("kind", added[0])
		for key: String in (added[3] as Dictionary):
			node.set_meta(key, (added[3] as Dictionary)[key])
		level.get_node("Markers").add_child(node)
		node.owner = level
	for set_: Array in order["properties"]:
		level.get_node(NodePath(str(set_[0]))).set_meta(str(set_[1]), set_[2])
	var saved := PackedScene.new()
	saved.pack(level)
	ResourceSaver.save(saved, path)
	level.free()
