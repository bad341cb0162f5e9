extends RefCounted
## Gives each door of a scene its own navigation regions, so that paths lead through it only
## while it is open.
##
## The generator's scenes have such regions at locks and secret doors, which start shut. Those of
## the other doors are cut out of the regions around them. A shut door keeps bodies as far away
## as a wall does: the root's metadata [code]agent_radius[/code]. This works for meshes of upright
## rectangles, as the generator makes them; any other mesh is left as it is.
##
## A one-way door has a link in one direction instead of a region.

const RectIndex := preload("rect_index.gd")
const RectangleMesh := preload("rectangle_mesh.gd")
const OUT := {
	"north": Vector2.UP, "east": Vector2.RIGHT, "south": Vector2.DOWN, "west": Vector2.LEFT
}
const _UNCUT := (
	"%s: doors cannot close its navigation, which is not made of upright rectangles. Give each door "
	+ "its own NavigationRegion2D as a child, and leave the doors out of this region."
)


## [param doors] are the doors' nodes, [param size] is a tile's in px.
static func add(root: Node2D, doors: Array[Node2D], size: int) -> void:
	var radius := ceilf(str(root.get_meta("agent_radius", 0)).to_float())
	var cut_out: Array[Node2D] = []
	var holes := RectIndex.new()
	for door: Node2D in doors:
		var rect := _rect_of(root, door, size)
		if rect.has_area() and not _has_way(door):
			cut_out.append(door)
			holes.add(rect.grow(radius))
	if cut_out.is_empty():
		return
	var of_doors: Dictionary = {}
	for door: Node2D in doors:
		of_doors[door] = true
	var meshes: Dictionary = {}
	var ways: Dictionary = {}
	var are_whole := true
	for node: Node in root.find_children("*", "NavigationRegion2D", true, false):
		var region: NavigationRegion2D = node
		if region.navigation_polygon == null:
			continue
		var is_way := of_doors.has(region.get_parent())
		var mesh := RectangleMesh.of(region.navigation_polygon, place_in(root, region))
		if mesh and is_way:
			ways[region] = mesh
		elif mesh:
			meshes[region] = mesh
		else:
			are_whole = false
			if not is_way:
				push_warning(_UNCUT % root.get_path_to(region))
	_cut(meshes, cut_out, holes)
	meshes.merge(ways)
	_show(root, meshes)
	if are_whole:
		_join_by_whole_edges(meshes)
	for door: Node2D in cut_out:
		if _is_one_way(door):
			_add_link(root, door, _rect_of(root, door, size).grow(radius + 1.0))


# Moves the part of the meshes in a door's hole to a new region of that door. Meshes are by region.
static func _cut(meshes: Dictionary, doors: Array[Node2D], holes: RectIndex) -> void:
	for region: NavigationRegion2D in meshes.keys():
		var mesh: RectangleMesh = meshes[region]
		var pieces := mesh.cut(holes)
		for number: int in pieces:
			if not _is_one_way(doors[number]):
				meshes[_add_way(doors[number], region)] = pieces[number]


# Sets the meshes of regions. Each gets the corners of all meshes, so that they join where they
# touch.
static func _show(root: Node2D, meshes: Dictionary) -> void:
	var corners: PackedVector2Array = []
	for mesh: RectangleMesh in meshes.values():
		corners.append_array(mesh.corners())
	var lines := RectangleMesh.lines(corners)
	for region: NavigationRegion2D in meshes:
		var mesh: RectangleMesh = meshes[region]
		region.navigation_polygon = mesh.polygon(place_in(root, region).affine_inverse(), lines)


# Regions that share whole edges need not be joined by nearness, for which the engine compares each
# edge on a border with all others whenever a door turns.
static func _join_by_whole_edges(meshes: Dictionary) -> void:
	for region: NavigationRegion2D in meshes:
		region.use_edge_connections = false


static func _add_way(door: Node2D, from: NavigationRegion2D) -> NavigationRegion2D:
	var way := NavigationRegion2D.new()
	way.name = "Way"
	way.navigation_layers = from.navigation_layers
	way.enabled = not is_shut(door)
	door.add_child(way, true)
	return way


# A link across a rectangle (in px of the root), into the door's room.
static func _add_link(root: Node2D, door: Node2D, hole: Rect2) -> void:
	var link := NavigationLink2D.new()
	link.name = "Link"
	link.navigation_layers = 3
	link.bidirectional = false
	var out: Vector2 = OUT.get(str(door.get_meta("side", "")), Vector2.UP)
	var away := out * hole.size / 2.0
	var here := place_in(root, door).affine_inverse()
	link.start_position = here * (hole.get_center() + away)
	link.end_position = here * (hole.get_center() - away)
	link.enabled = not is_shut(door)
	door.add_child(link, true)


static func _is_one_way(door: Node2D) -> bool:
	return is_same(door.get_meta("one_way", false), true)


## Whether the shape of a door's body is on.
static func is_shut(door: Node2D) -> bool:
	for child: Node in door.get_children():
		if child is CollisionShape2D:
			var shape: CollisionShape2D = child
			return not shape.disabled
	return false


## The transform of a node relative to a root.
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
		if child is NavigationRegion2D or child is NavigationLink2D:
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
