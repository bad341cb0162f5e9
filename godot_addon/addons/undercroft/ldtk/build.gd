extends RefCounted
## Builds the scene of a project, with the [code]options.gd[/code] of the import.

const Dependencies := preload("../import/dependencies.gd")
const Entities := preload("entities.gd")
const Fields := preload("fields.gd")
const Images := preload("images.gd")
const Layers := preload("layers.gd")
const LevelFacts := preload("level_facts.gd")
const LevelScenes := preload("level_scenes.gd")
const Levels := preload("levels.gd")
const Problem := preload("../runtime/problem.gd")
const Project := preload("project.gd")
const Record := preload("record.gd")
const SceneMap := preload("../import/scene_map.gd")
const TileSets := preload("tile_sets.gd")
const ValueTable := preload("value_table.gd")

var _source := ""
var _options: Dictionary
var _dependencies: Dependencies
var _problem: Problem
var _entities: Entities
var _levels: Levels


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
		_levels.world(project.worlds[0], root)
	else:
		_add_worlds(project, root)
	if not _problem.found:
		_entities.resolve()
		_add_contents(project, root)
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
	var root := _levels.level(project.renewed(record), {})
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
	var images := Images.new(project.file, _dependencies, _problem)
	var sets := TileSets.new(project, images, table, _options, _problem)
	var fields := Fields.new(project.definitions, images)
	_entities = Entities.new(project.definitions, fields, scenes, _options)
	var layers := Layers.new(project.definitions, sets, _entities, table, _options)
	_levels = Levels.new(project, images, fields, _entities, layers, _options, _problem)
	return not _problem.found


## Worlds are independent; each is placed below the previous one.
func _add_worlds(project: Project, root: Node2D) -> void:
	root.set_meta("iid", project.iid)
	var names: Dictionary = {}
	var top := 0.0
	for world: Project.World in project.worlds:
		var node := Node2D.new()
		var name := world.name.validate_node_name()
		node.name = Entities.free_name(names, name if name else "World")
		root.add_child(node)
		_levels.world(world, node)
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
		_levels.world(level, node)
		if _problem.found:
			return


## The table of contents: by entity name, the paths of its entries.
func _add_contents(project: Project, root: Node2D) -> void:
	var contents: Dictionary = {}
	for chapter: Record in project.toc:
		var paths: Array[NodePath] = []
		# LDtk 1.5 has more data for each entry, and the old form if the project asks for it.
		for one: Record in chapter.records("instancesData"):
			_add_content(one.record("iids"), root, paths)
		if paths.is_empty():
			for one: Record in chapter.records("instances"):
				_add_content(one, root, paths)
		contents[chapter.text("identifier")] = paths
	if contents:
		root.set_meta("contents", contents)


func _add_content(reference: Record, root: Node2D, paths: Array[NodePath]) -> void:
	if reference:
		var goal: Node = _entities.by_iid.get(reference.text("entityIid", ""))
		if goal:
			paths.append(root.get_path_to(goal))
