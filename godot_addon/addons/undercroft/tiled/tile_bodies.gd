extends RefCounted
## The collisions of a tile for a sprite that shows it: one body per physics layer, with the shapes
## of the TileSet, including a person's changes there.


## Adds the bodies below a sprite at the centre of its picture.
static func add(sprite: Node2D, data: TileData, tile_set: TileSet, flips: Vector2) -> void:
	for layer: int in tile_set.get_physics_layers_count():
		var count := data.get_collision_polygons_count(layer)
		if not count:
			continue
		var body := StaticBody2D.new()
		body.name = "Body%s" % (layer if layer else "")
		body.collision_layer = tile_set.get_physics_layer_collision_layer(layer)
		body.collision_mask = tile_set.get_physics_layer_collision_mask(layer)
		# Bodies must not be scaled, so the corners are scaled instead.
		body.scale = Vector2.ONE / sprite.scale
		sprite.add_child(body)
		var stretch := Transform2D(0, sprite.scale * flips, 0, Vector2.ZERO)
		for index: int in count:
			var polygon := data.get_collision_polygon_points(layer, index)
			var shape := CollisionPolygon2D.new()
			shape.name = "Outline%s" % (index if index else "")
			shape.polygon = (stretch * Transform2D(0, Vector2(data.texture_origin)) * polygon)
			shape.one_way_collision = data.is_collision_polygon_one_way(layer, index)
			body.add_child(shape)
