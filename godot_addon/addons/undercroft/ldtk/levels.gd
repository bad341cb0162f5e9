extends RefCounted
## Levels and worlds as nodes: a level has its background, then its layers, lowest first.

const Background := preload("background.gd")
const Entities := preload("entities.gd")
const Fields := preload("fields.gd")
const Images := preload("images.gd")
const Layers := preload("layers.gd")
const Placeholder := preload("placeholder.gd")
const Problem := preload("../runtime/problem.gd")
const Project := preload("project.gd")
const Record := preload("record.gd")

const MAX_LAYERS := 1000

var _project: Project
var _images: Images
var _fields: Fields
var _entities: Entities
var _layers: Layers
var _problem: Problem
var _options: Dictionary
## The nodes of levels by iid, and the neighbours by node.
var _levels: Dictionary = {}
var _neighbours: Dictionary = {}


func _init(
	project: Project,
	images: Images,
	fields: Fields,
	entities: Entities,
	layers: Layers,
	options: Dictionary,
	problem: Problem
) -> void:
	_project = project
	_images = images
	_fields = fields
	_entities = entities
	_layers = layers
	_options = options
	_problem = problem


## A world with its levels at their places, deeper ones first.
func world(of: Project.World, to: Node2D) -> void:
	to.add_to_group("ldtk_world", true)
	to.set_meta("iid", of.iid)
	var depths: PackedInt64Array = []
	for index: int in of.levels.size():
		depths.append(of.levels[index].whole("worldDepth", -Record.MAX, Record.MAX, 0))
	var order := range(of.levels.size())
	order.sort_custom(
		func(a: int, b: int) -> bool:
			return a < b if depths[a] == depths[b] else depths[a] < depths[b]
	)
	var names: Dictionary = {}
	for index: int in order:
		var made := level(of.levels[index], names)
		if made:
			made.position = of.places[index]
			to.add_child(made)
		if _problem.found:
			return
	_tell_neighbours()


func level(head: Record, names: Dictionary) -> Node2D:
	var record := _project.level(head)
	if _problem.found:
		return null
	var node := Node2D.new()
	var name := record.text("identifier").validate_node_name()
	node.name = Entities.free_name(names, name if name else "Level")
	node.add_to_group("ldtk_level", true)
	var size := Vector2(
		record.whole("pxWid", 0, Project.MAX_WORLD), record.whole("pxHei", 0, Project.MAX_WORLD)
	)
	node.set_meta("iid", record.text("iid", ""))
	node.set_meta("size", Vector2i(size))
	node.set_meta("world_depth", record.whole("worldDepth", -Record.MAX, Record.MAX, 0))
	var color := record.color("__bgColor", Color.BLACK)
	node.set_meta("color", color)
	_entities.tell(node, _fields.read(record, _project.grid, Vector2.ZERO))
	if _options.get("backgrounds", true):
		Background.add(record, node, size, color, _images)
	var layers := record.records("layerInstances")
	if layers.size() > MAX_LAYERS:
		record.flaw("layerInstances", "are more than %d" % MAX_LAYERS)
		layers = layers.slice(0, MAX_LAYERS)
	var taken: Dictionary = {}
	for index: int in range(layers.size() - 1, -1, -1):
		if _problem.found:
			break
		var made := _layers.make(layers[index], size)
		if made:
			made.name = Entities.free_name(taken, str(made.name))
			node.add_child(made)
	if not record.has("layerInstances"):
		node.add_child(Placeholder.of_level(size))
	if _options.get("level_areas", false):
		_add_area(node, size)
	_levels[record.text("iid", "")] = node
	_neighbours[node] = record.records("__neighbours")
	return node


## Sets the neighbours of each level, with the side: `{"level": NodePath, "side": "n"}`.
func _tell_neighbours() -> void:
	for node: Node2D in _neighbours:
		var told: Array[Dictionary] = []
		for neighbour: Record in _neighbours[node]:
			var other: Node2D = _levels.get(neighbour.text("levelIid", ""))
			if other and other != node and other.get_parent() == node.get_parent():
				var path := node.get_path_to(other)
				told.append({"level": path, "side": neighbour.text("dir", "")})
		if told:
			node.set_meta("neighbours", told)
	_neighbours.clear()


## An area of the level's size, which detects bodies that enter.
static func _add_area(node: Node2D, size: Vector2) -> void:
	var area := Area2D.new()
	area.name = "Area"
	area.add_to_group("ldtk_level_area", true)
	area.collision_layer = 0
	area.monitorable = false
	var shape := CollisionShape2D.new()
	shape.name = "Shape"
	var rectangle := RectangleShape2D.new()
	rectangle.size = size
	shape.shape = rectangle
	shape.position = size / 2
	area.add_child(shape)
	node.add_child(area)
