extends RefCounted
## What the scenes of Undercroft's own exporter have and general rules cannot give: groups by kind,
## cells as vectors, bodies of doors that are off while the door is open.


static func add(root: Node) -> void:
	root.add_to_group(&"undercroft_level", true)
	for node: Node in root.find_children("*", "Node2D", true, false):
		var groups := node.get_groups()
		if groups.has(&"room"):
			_add_room(node)
		elif groups.has(&"door"):
			_add_door(node)
		elif groups.has(&"hallway"):
			_switch_area(node)
		elif node is Marker2D or node.has_meta("room"):
			node.add_to_group(&"marker", true)
			node.add_to_group("marker_%s" % node.get_meta("kind", "other"), true)


static func _add_room(node: Node) -> void:
	node.add_to_group("room_%s" % node.get_meta("kind", "normal"), true)
	_switch_area(node)
	var cells: Array[Vector2i] = []
	for pair: Variant in _numbers(node, "cells"):
		if pair is Array and (pair as Array).size() == 2:
			cells.append(Vector2i(int(str(pair[0])), int(str(pair[1]))))
	node.set_meta("cells", cells)
	var bounds := _numbers(node, "bounds")
	if bounds.size() == 4:
		var whole: Array = bounds.map(func(value: Variant) -> int: return int(str(value)))
		node.set_meta("bounds", Rect2i(whole[0], whole[1], whole[2], whole[3]))


static func _add_door(node: Node) -> void:
	node.add_to_group("door_%s" % node.get_meta("kind", "open"), true)
	var body := node as StaticBody2D
	if body:
		body.collision_layer = 7
		body.collision_mask = 0
	for shape: Node in node.find_children("*", "CollisionShape2D", false, false):
		(shape as CollisionShape2D).disabled = not is_same(node.get_meta("shut", false), true)


static func _switch_area(node: Node) -> void:
	var area := node as Area2D
	if area:
		area.collision_layer = 0
		area.collision_mask = 1
		area.monitorable = false


static func _numbers(node: Node, fact: String) -> Array:
	var json := JSON.new()
	if json.parse(str(node.get_meta(fact, "[]"))) == OK and json.data is Array:
		return json.data
	return []
