extends "probe.gd"
## Tells the navigation regions of scenes: path, layers, whether they are on, and polygons in px.


func _initialize() -> void:
	var told: Dictionary = {}
	for path: String in arguments.slice(0, -1):
		var packed: PackedScene = load(path)
		var scene: Node2D = packed.instantiate()
		root.add_child(scene)
		var found: Array = []
		for region: NavigationRegion2D in scene.find_children(
			"*", "NavigationRegion2D", true, false
		):
			var rings: Array = []
			for i: int in region.navigation_polygon.get_polygon_count():
				var ring: Array = []
				for corner: int in region.navigation_polygon.get_polygon(i):
					var at: Vector2 = (
						region.global_transform * region.navigation_polygon.vertices[corner]
					)
					ring.append([at.x, at.y])
				rings.append(ring)
			found.append(
				{
					"path": str(scene.get_path_to(region)),
					"layers": region.navigation_layers,
					"enabled": region.enabled,
					"rings": rings
				}
			)
		told[path] = found
		scene.free()
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(told))
	file.close()
	quit()
