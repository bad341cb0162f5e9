extends RefCounted
## Objects with a shape: their node, its place, and its children.
##
## The node of a rectangle, ellipse or capsule is at its centre, so that a scene for it is at the
## right place; that of a polygon, line or point is where Tiled has it.

const Fields := preload("../import/fields.gd")
const Grid := preload("grid.gd")
const TileFacts := preload("tile_facts.gd")
const TileShapes := preload("tile_shapes.gd")


## The node class for an object whose class is not mapped.
static func usual(object: Fields) -> String:
	if object.has("polyline"):
		return "Path2D"
	var size := TileShapes.size_of(object)
	if object.has("polygon") or (size.x and size.y and not object.boolean("point", false)):
		return "Area2D"
	return "Marker2D"


## Places the node of an object and adds the object's shape.
static func give(object: Fields, made: Node, grid: Grid) -> void:
	var node := made as Node2D
	if node == null:
		return
	var angle := deg_to_rad(object.number("rotation", 0))
	var at := TileShapes.position_of(object)
	var is_free := object.has("polygon") or object.has("polyline")
	var middle := Vector2.ZERO if is_free else TileShapes.size_of(object) / 2
	if object.boolean("point", false):
		middle = Vector2.ZERO
	node.position = grid.px(at + middle.rotated(angle))
	if not grid.is_projected():
		node.rotation = angle
	if node.scene_file_path:
		return
	if object.has("polyline"):
		_give_line(node, _seen(TileShapes.points(object, "polyline"), at, angle, grid))
		return
	var outline := TileShapes.outline(object)
	if not outline:
		return
	var whole := _primitive(object, grid)
	if whole and node is CollisionObject2D:
		var shape := CollisionShape2D.new()
		shape.name = "Shape"
		shape.shape = whole
		if whole is CapsuleShape2D and TileShapes.size_of(object).x > TileShapes.size_of(object).y:
			shape.rotation = PI / 2
		node.add_child(shape)
		return
	var moved := PackedVector2Array()
	for corner: Vector2 in outline:
		moved.append(corner - middle)
	_give_outline(object, node, _seen(moved, at + middle.rotated(angle), angle, grid))


## Points of an object relative to its node, projected with their rotation.
static func _seen(
	points: PackedVector2Array, at: Vector2, angle: float, grid: Grid
) -> PackedVector2Array:
	if not grid.is_projected():
		return points
	var found := PackedVector2Array()
	for point: Vector2 in points:
		found.append(grid.px(at + point.rotated(angle)) - grid.px(at))
	return found


## Godot's own shape for an object; null if there is none or it would be skewed.
static func _primitive(object: Fields, grid: Grid) -> Shape2D:
	if grid.is_projected() or object.has("polygon"):
		return null
	var size := TileShapes.size_of(object)
	if object.boolean("capsule", false):
		var capsule := CapsuleShape2D.new()
		capsule.radius = minf(size.x, size.y) / 2
		capsule.height = maxf(size.x, size.y)
		return capsule
	if object.boolean("ellipse", false):
		if size.x != size.y:
			return null
		var circle := CircleShape2D.new()
		circle.radius = size.x / 2
		return circle
	var rectangle := RectangleShape2D.new()
	rectangle.size = size
	return rectangle


static func _give_outline(object: Fields, node: Node2D, outline: PackedVector2Array) -> void:
	if node is Polygon2D:
		(node as Polygon2D).polygon = outline
	elif node is Line2D:
		(node as Line2D).points = outline
		(node as Line2D).closed = true
	elif node is Path2D:
		outline.append(outline[0])
		(node as Path2D).curve = _curve(outline)
	elif node is LightOccluder2D:
		var occluder := OccluderPolygon2D.new()
		occluder.polygon = outline
		(node as LightOccluder2D).occluder = occluder
	elif node is NavigationRegion2D:
		(node as NavigationRegion2D).navigation_polygon = TileFacts.mesh_of(
			TileShapes.usable(outline)
		)
	elif node is NavigationObstacle2D:
		(node as NavigationObstacle2D).vertices = outline
	elif node is CollisionObject2D:
		var parts := TileShapes.usable(outline)
		if not parts:
			object.warn("", "has no area that could collide")
		for index: int in parts.size():
			var shape := CollisionPolygon2D.new()
			shape.name = "Outline%s" % (index if index else "")
			shape.polygon = parts[index]
			node.add_child(shape)


static func _give_line(node: Node2D, points: PackedVector2Array) -> void:
	if node is Path2D:
		(node as Path2D).curve = _curve(points)
	elif node is Line2D:
		(node as Line2D).points = points
	elif node is CollisionObject2D:
		var segments := PackedVector2Array()
		for index: int in points.size() - 1:
			segments.append(points[index])
			segments.append(points[index + 1])
		var shape := CollisionShape2D.new()
		shape.name = "Shape"
		var line := ConcavePolygonShape2D.new()
		line.segments = segments
		shape.shape = line
		node.add_child(shape)


static func _curve(points: PackedVector2Array) -> Curve2D:
	var curve := Curve2D.new()
	for point: Vector2 in points:
		curve.add_point(point)
	return curve
