extends "probe.gd"
## Cuts a door out of a navigation mesh and tells the bounds of the door's ways, from the mesh's
## corner. Arguments: the mesh's distance from the origin in tiles, the radius, "rectangle" or
## "triangle".

const DoorWays := preload("res://addons/undercroft/runtime/door_ways.gd")
const TILE := 16


func _initialize() -> void:
	var far := int(arguments[0])
	var level := Node2D.new()
	level.set_meta("agent_radius", float(arguments[1]))
	var size := Vector2(31 * TILE + 1, 3 * TILE - 1)
	var ring: PackedVector2Array = [Vector2(), Vector2(size.x, 0), size, Vector2(0, size.y)]
	if arguments[2] == "triangle":
		ring.remove_at(3)
	var mesh := NavigationPolygon.new()
	mesh.vertices = Transform2D(0.0, Vector2(far, far) * TILE) * ring
	mesh.add_polygon(PackedInt32Array(range(ring.size())))
	var region := NavigationRegion2D.new()
	region.name = "Navigation"
	region.navigation_polygon = mesh
	level.add_child(region)
	var tiles := Node2D.new()
	level.add_child(tiles)
	var door := Node2D.new()
	door.set_meta("cells", [Vector2i(far + 10, far + 1)])
	tiles.add_child(door)
	DoorWays.add(level, [door], TILE)
	var ways: Array = []
	for way: NavigationRegion2D in door.get_children():
		var bounds := Rect2(way.navigation_polygon.vertices[0], Vector2())
		for vertex: Vector2 in way.navigation_polygon.vertices:
			bounds = bounds.expand(vertex)
		var from := bounds.position - Vector2(far, far) * TILE
		ways.append([from.x, from.y, bounds.size.x, bounds.size.y])
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(ways))
	file.close()
	level.free()
	quit()
