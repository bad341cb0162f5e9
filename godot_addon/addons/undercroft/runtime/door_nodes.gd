extends RefCounted
## The nodes of a level's doors: a body whose shape is disabled while the door is open, the tiles of
## both states, and the navigation region.

const DoorWays := preload("door_ways.gd")

var _nodes: Dictionary


## [param nodes] has the nodes of each door, by id, below [param root]: one node, or one half in
## each room's scene. [param tile_size] is in px.
func _init(root: Node2D, nodes: Dictionary, tile_size: int) -> void:
	_nodes = nodes
	var all: Array[Node2D] = []
	for halves: Array in nodes.values():
		all.append_array(halves)
	DoorWays.add(root, all, tile_size)


## Shows a door open or shut, at the end of the frame, because physics may be running.
func show(id: int, open: bool) -> void:
	var nodes: Array = _nodes.get(id, [])
	for node: Node2D in nodes:
		if is_instance_valid(node):
			_switch(node, open)


func _switch(node: Node2D, open: bool) -> void:
	for child: Node in node.get_children():
		if child is CollisionShape2D or child is CollisionPolygon2D:
			child.set_deferred(&"disabled", open)
		elif child is NavigationRegion2D or child is NavigationLink2D:
			child.set_deferred(&"enabled", open)
	var layer := node.get_parent() as TileMapLayer
	var cells: Variant = node.get_meta("cells", false)
	var looks: Variant = node.get_meta("open_tiles" if open else "shut_tiles", false)
	if layer == null or not cells is Array or not looks is Array:
		return
	var places: Array = cells
	var tiles: Array = looks
	for i: int in mini(places.size(), tiles.size()):
		var place: Vector2i = places[i]
		var tile: Vector2i = tiles[i]
		var source := layer.get_cell_source_id(place)
		layer.set_cell(place, maxi(source, 0), tile)
