extends RefCounted
## Builds the scene of a project, with the [code]options.gd[/code] of the import. A level has its
## background, then its layers, lowest first.

const Background := preload("background.gd")
const Dependencies := preload("../import/dependencies.gd")
const Entities := preload("entities.gd")
const FieldValues := preload("field_values.gd")
const Images := preload("images.gd")
const Layers := preload("layers.gd")
const LevelFacts := preload("level_facts.gd")
const LevelScenes := preload("level_scenes.gd")
const Placeholder := preload("placeholder.gd")
const Problem := preload("../runtime/problem.gd")
const Project := preload("project.gd")
const Fields := preload("../import/fields.gd")
const SceneMap := preload("../import/scene_map.gd")
const TileSets := preload("tile_sets.gd")
const ValueTable := preload("value_table.gd")

const MAX_LAYERS := 1000

var _source := ""
var _options: Dictionary
var _dependencies: Dependencies
var _problem: Problem
var _project: Project
var _images: Images
var _fields: FieldValues
var _entities: Entities
var _layers: Layers
## The nodes of levels by iid, and the neighbours by node.
var _levels: Dictionary = {}
var _neighbours: Dictionary = {}


func _init(
	source: String, options: Dictionary, dependencies: Dependencies, problem: Problem
) -> void:
	_source = source
	_options = options
	_dependencies = dependencies
	_problem = problem
	_problem.strict = options.get("strict", false) == true


## The scene of the project at [param source]; null and a problem if it cannot be made.
static func build(
	source: String, options: Dictionary, dependencies: Dependencies, problem: Problem
) -> Node:
	return new(source, options, dependencies, problem).project()


## The scene of the whole project; null and a problem if it cannot be made.
func project() -> Node2D:
	var project := Project.read(_source, _dependencies, _problem)
	if project == null or not _prepare(project):
		return null
	var root := Node2D.new()
	root.name = project.name.validate_node_name()
	var ours: bool = _options.get("level_facts", false)
	var of_run: Array[Project.World] = []
	if ours:
		of_run = project.levels_of_run()
	if of_run:
		_add_levels_of_run(of_run, root)
	elif project.worlds.size() == 1:
		_fill_world(project.worlds[0], root)
	else:
		_add_worlds(root)
	if not _problem.found:
		_entities.resolve()
		_add_contents(root)
		if ours and not _problem.found:
			var centred := is_same(_options.get("entity_position"), "center")
			for level: Node in root.get_children() if of_run else [root]:
				LevelFacts.add(level as Node2D, project, centred)
		if _options.get("level_scenes", false) and not _problem.found:
			LevelScenes.split(_source, root, _problem)
	if _problem.found:
		root.free()
		return null
	return root


## The scene of a level in a separate file, in the folder named after the project. References to
## other levels are not resolved.
static func build_level(
	source: String, options: Dictionary, dependencies: Dependencies, problem: Problem
) -> Node:
	return new(source, options, dependencies, problem).level()


func level() -> Node2D:
	var path := _source.get_base_dir() + ".ldtk"
	_dependencies.add(path)
	if not FileAccess.file_exists(path):
		_problem.note(_source, "", "its project %s is missing" % path)
		return null
	var project := Project.read(path, _dependencies, _problem)
	var record := Project.parse(_source, _problem) if project else null
	if record == null or not _prepare(project):
		return null
	var root := _level(project.renewed(record), {})
	if not _problem.found:
		_entities.resolve()
	elif root:
		root.free()
		return null
	return root


func _prepare(project: Project) -> bool:
	var table := ValueTable.parse(_source, "values", str(_options.get("values", "")), _problem)
	var scenes := SceneMap.from_options(_source, _options.get("scenes", ""), _problem)
	if _problem.found:
		return false
	_project = project
	_images = Images.new(project.file, _dependencies, _problem)
	var sets := TileSets.new(project, _images, table, _options, _problem)
	_fields = FieldValues.new(project.definitions, _images)
	_entities = Entities.new(project.definitions, _fields, scenes, _options)
	_layers = Layers.new(project.definitions, sets, _entities, table, _options)
	return not _problem.found


## Worlds are independent; each is placed below the previous one.
func _add_worlds(root: Node2D) -> void:
	root.set_meta("iid", _project.iid)
	var names: Dictionary = {}
	var top := 0.0
	for world: Project.World in _project.worlds:
		var node := Node2D.new()
		var name := world.name.validate_node_name()
		node.name = Entities.free_name(names, name if name else "World")
		root.add_child(node)
		_fill_world(world, node)
		node.position.y = top - world.bounds.position.y
		top += world.bounds.size.y + Project.GAP
		if _problem.found:
			return


## Each level of a run is a node of its own, at its place in LDtk's world.
func _add_levels_of_run(levels: Array[Project.World], root: Node2D) -> void:
	var names: Dictionary = {}
	for level: Project.World in levels:
		var node := Node2D.new()
		var name := level.name.validate_node_name()
		node.name = Entities.free_name(names, name if name else "Level")
		root.add_child(node)
		node.position = level.bounds.position
		for index: int in level.places.size():
			level.places[index] -= node.position
		_fill_world(level, node)
		if _problem.found:
			return


## The table of contents: by entity name, the paths of its entries.
func _add_contents(root: Node2D) -> void:
	var contents: Dictionary = {}
	for chapter: Fields in _project.toc:
		var paths: Array[NodePath] = []
		# LDtk 1.5 has more data for each entry, and the old form if the project asks for it.
		for one: Fields in chapter.subs("instancesData"):
			_add_content(one.sub_or_null("iids"), root, paths)
		if paths.is_empty():
			for one: Fields in chapter.subs("instances"):
				_add_content(one, root, paths)
		contents[chapter.text("identifier")] = paths
	if contents:
		root.set_meta("contents", contents)


func _add_content(reference: Fields, root: Node2D, paths: Array[NodePath]) -> void:
	if reference:
		var goal: Node = _entities.by_iid.get(reference.text("entityIid", ""))
		if goal:
			paths.append(root.get_path_to(goal))


## A world with its levels at their places, deeper ones first.
func _fill_world(of: Project.World, to: Node2D) -> void:
	to.add_to_group("ldtk_world", true)
	to.set_meta("iid", of.iid)
	var depths: PackedInt64Array = []
	for index: int in of.levels.size():
		depths.append(of.levels[index].integer("worldDepth", -Fields.MAX_INT, Fields.MAX_INT, 0))
	var order := range(of.levels.size())
	order.sort_custom(
		func(a: int, b: int) -> bool:
			return a < b if depths[a] == depths[b] else depths[a] < depths[b]
	)
	var names: Dictionary = {}
	for index: int in order:
		var made := _level(of.levels[index], names)
		if made:
			made.position = of.places[index]
			to.add_child(made)
		if _problem.found:
			return
	_tell_neighbours()


func _level(head: Fields, names: Dictionary) -> Node2D:
	var record := _project.level(head)
	if _problem.found:
		return null
	var node := Node2D.new()
	var name := record.text("identifier").validate_node_name()
	node.name = Entities.free_name(names, name if name else "Level")
	node.add_to_group("ldtk_level", true)
	var size := Vector2(
		record.integer("pxWid", 0, Project.MAX_WORLD), record.integer("pxHei", 0, Project.MAX_WORLD)
	)
	node.set_meta("iid", record.text("iid", ""))
	node.set_meta("size", Vector2i(size))
	node.set_meta("world_depth", record.integer("worldDepth", -Fields.MAX_INT, Fields.MAX_INT, 0))
	var color := record.color("__bgColor", Color.BLACK)
	node.set_meta("color", color)
	_entities.tell(node, _fields.read(record, _project.grid, Vector2.ZERO))
	if _options.get("backgrounds", true):
		Background.add(record, node, size, color, _images)
	var layers := record.subs("layerInstances")
	if layers.size() > MAX_LAYERS:
		record.bad("layerInstances", "are more than %d" % MAX_LAYERS)
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
	_neighbours[node] = record.subs("__neighbours")
	return node


## Sets the neighbours of each level, with the side: `{"level": NodePath, "side": "n"}`.
func _tell_neighbours() -> void:
	for node: Node2D in _neighbours:
		var told: Array[Dictionary] = []
		for neighbour: Fields in _neighbours[node]:
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
