# Edits scenes as the editor of Godot 3 does, and saves them over themselves.
extends SceneTree


func _init() -> void:
	var file := File.new()
	file.open("res://orders.json", File.READ)
	for order in JSON.parse(file.get_as_text()).result:
		_edit(order)
	file.close()
	quit()


func _edit(order: Dictionary) -> void:
	var level = load(order["scene"]).instance(PackedScene.GEN_EDIT_STATE_MAIN)
	for tile in order["tiles"]:
		if tile[3] < 0:
			level.get_node(tile[0]).set_cell(tile[1], tile[2], -1)
		else:
			var at := Vector2(tile[4], tile[5])
			level.get_node(tile[0]).set_cell(tile[1], tile[2], tile[3], false, false, false, at)
	for each in order["set"]:
		_give(level.get_node(each[0]), each[1], str2var(each[2]))
	for removed in order["removed"]:
		var node = level.get_node(removed)
		node.get_parent().remove_child(node)
		node.free()
	for renamed in order["renamed"]:
		level.get_node(renamed[0]).name = renamed[1]
	for added in order["added"]:
		var node = ClassDB.instance(added["type"])
		node.name = added["name"]
		for group in added["groups"]:
			node.add_to_group(group, true)
		for key in added["values"]:
			_give(node, key, str2var(added["values"][key]))
		level.get_node(added["parent"]).add_child(node)
		node.owner = level
	var saved := PackedScene.new()
	saved.pack(level)
	ResourceSaver.save(order["scene"], saved)
	level.free()


func _give(node: Node, key: String, value) -> void:
	if key == "__meta__":
		for name in value:
			node.set_meta(name, value[name])
	else:
		node.set(key, value)
