extends RefCounted
## Builds the scene of a project, with the options of the import.

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
const SceneImporter := preload("../import/scene_importer.gd")
const SceneMap := preload("../import/scene_map.gd")
const TileSets := preload("tile_sets.gd")
const ValueTable := preload("value_table.gd")

## What stops bodies in our levels: bit 1 walkers, 2 flyers, 4 shots.
const LEVEL_TABLE := """Walls=collision:7
Walls=occlusion
pit=collision:1
decor=rock=collision:5
decor=tinted_rock=collision:5
decor=block=collision:5
decor=pot=collision:5
decor=barrel=collision:5
decor=crate=collision:5
decor=grave=collision:5
decor=statue=collision:7
decor=fire=collision:5
decor=red_fire=collision:5
decor=boulder=collision:5
decor=fountain=collision:1
decor=table=collision:1
decor=bookshelf=collision:5
decor=coffin=collision:5
decor=altar=collision:5
decor=brazier=collision:1
decor=stool=collision:1
decor=anvil=collision:5
decor=crystal=collision:5
decor=sack=collision:5
decor=pillar=collision:7
decor=weapon_rack=collision:5
decor=bed=collision:1
decor=workbench=collision:5"""

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


## The options of a project, or of a separate level.
static func all_options(preset: int, of_level: bool = false) -> Array[Dictionary]:
	var common := SceneImporter.common_options(preset)
	if preset == SceneImporter.LEVEL_PRESET:
		common[0].default_value = "Door=StaticBody2D"
	return common + options(preset, of_level)


## The options that only LDtk projects have; for a separate level, the relevant ones.
static func options(preset: int, of_level: bool = false) -> Array[Dictionary]:
	var ours := preset == SceneImporter.LEVEL_PRESET
	var found: Array[Dictionary] = [
		{
			"name": "values",
			"default_value": LEVEL_TABLE if ours else "",
			"property_hint": PROPERTY_HINT_MULTILINE_TEXT,
			"hint_string": "VALUE=collision",
		},
		{
			"name": "int_grid",
			"default_value": "auto",
			"property_hint": PROPERTY_HINT_ENUM_SUGGESTION,
			"hint_string": "auto,shown,hidden",
		},
		{"name": "backgrounds", "default_value": true},
		{
			"name": "entity_position",
			"default_value": "center" if ours else "pivot",
			"property_hint": PROPERTY_HINT_ENUM_SUGGESTION,
			"hint_string": "pivot,center",
		},
		{"name": "entity_tiles", "default_value": false},
		{"name": "level_areas", "default_value": ours},
		{"name": "strict", "default_value": false},
	]
	if not of_level:
		found.append({"name": "level_scenes", "default_value": false})
		found.append({"name": "level_facts", "default_value": ours})
	return found


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
