extends RefCounted
## Gives each door of a scene a navigation region of its own, so that ways lead through it only
## while it is open.
##
## The generator's scenes have such regions at secret doors, which start out of the way. Those of
## the other doors are cut out of the regions that hold them. That is done for meshes of upright
## rectangles, as the generator makes them; any other mesh is left as it is.

const RectangleMesh := preload("rectangle_mesh.gd")


## [param doors] are the doors' nodes, [param size] is a tile's in px.
static func add(root: Node2D, doors: Array[Node2D], size: int) -> void:
	var holes: Dictionary = {}
	for door: Node2D in doors:
		var rect := _rect_of(root, door, size)
		if rect.has_area() and not _has_way(door):
			holes[door] = rect
	if holes.is_empty():
		return
	for node: Node in root.find_children("*", "NavigationRegion2D", true, false):
		var region: NavigationRegion2D = node
		if not region.get_parent() in doors:
			_cut(root, region, holes)


static func _cut(root: Node2D, region: NavigationRegion2D, holes: Dictionary) -> void:
	var mesh := RectangleMesh.of(region.navigation_polygon)
	if mesh == null:
		return
	var to_region := place_in(root, region).affine_inverse()
	var touched := false
	for door: Node2D in holes:
		var rect: Rect2 = holes[door]
		if mesh.cut(to_region * rect):
			touched = true
			_add_way(root, door, rect)
	if touched:
		region.navigation_polygon = mesh.polygon()


static func _add_way(root: Node2D, door: Node2D, rect: Rect2) -> void:
	if _has_way(door):
		return
	var way := NavigationRegion2D.new()
	way.name = "Way"
	way.navigation_polygon = (
		RectangleMesh.new([place_in(root, door).affine_inverse() * rect]).polygon()
	)
	way.enabled = not is_shut(door)
	door.add_child(way)


## Whether the shape of a door's body is on.
static func is_shut(door: Node2D) -> bool:
	for child: Node in door.get_children():
		if child is CollisionShape2D:
			var shape: CollisionShape2D = child
			return not shape.disabled
	return false


## How a node lies below a root.
static func place_in(root: Node, node: Node) -> Transform2D:
	var place := Transform2D()
	var step := node
	while step != null and step != root:
		if step is Node2D:
			var part: Node2D = step
			place = part.transform * place
		step = step.get_parent()
	return place


static func _has_way(door: Node2D) -> bool:
	for child: Node in door.get_children():
		if child is NavigationRegion2D:
			return true
	return false


# The tiles of a door's node, in px of the root.
static func _rect_of(root: Node2D, door: Node2D, size: int) -> Rect2:
	var cells: Variant = door.get_meta("cells", false)
	if not cells is Array:
		return Rect2()
	var tiles: Array = cells
	var rect := Rect2i()
	for cell: Variant in tiles:
		if cell is Vector2i:
			var tile: Vector2i = cell
			var one := Rect2i(tile, Vector2i.ONE)
			rect = rect.merge(one) if rect.has_area() else one
	return place_in(root, door.get_parent()) * Rect2(rect.position * size, rect.size * size)
