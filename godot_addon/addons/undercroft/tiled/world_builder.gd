extends RefCounted
## Builds a Tiled world: listed maps, and maps whose names contain their place.
##
## [codeblock]
## {"maps": [{"fileName": "a.tmj", "x": 0, "y": 0}],
##  "patterns": [{"regexp": "ow-p0*(\\d+)-n0*(\\d+)\\.tmx", "multiplierX": 640, "offsetX": -6400}]}
## [/codeblock]

const Dependencies := preload("../import/dependencies.gd")
const Fields := preload("../import/fields.gd")
const Names := preload("../import/names.gd")
const Problem := preload("../runtime/problem.gd")
const SourceFile := preload("../import/source_file.gd")

const MAX_MAPS := 10_000
const MAX_PATTERNS := 100
const _FAR := 1 << 30


static func build(source: String, dependencies: Dependencies, problem: Problem) -> Node:
	var json := JSON.new()
	var text := SourceFile.text(source, problem)
	if problem.found:
		return null
	if json.parse(text) != OK:
		problem.note(source, "line %d" % (json.get_error_line() + 1), json.get_error_message())
		return null
	var world := Fields.new(source, "", json.data, problem)
	var places: Dictionary = {}
	for map: Fields in world.subs("maps", MAX_MAPS):
		var path := map.path("fileName")
		if path:
			places[path] = Vector2i(
				map.integer("x", -_FAR, _FAR, 0), map.integer("y", -_FAR, _FAR, 0)
			)
	for pattern: Fields in world.subs("patterns", MAX_PATTERNS):
		_match(source, pattern, places)
	if problem.found:
		return null
	return _scene(source, places, dependencies, problem)


## Adds the files beside the world whose names match a pattern, at the place in the name.
static func _match(source: String, pattern: Fields, places: Dictionary) -> void:
	var names := RegEx.new()
	if names.compile(pattern.text("regexp", ""), false) != OK or names.get_group_count() < 2:
		pattern.bad("regexp", "must be a regular expression with two groups, for x and y")
		return
	for name: String in DirAccess.get_files_at(source.get_base_dir()):
		var found := names.search(name)
		if found == null or not ["tmx", "tmj"].has(name.get_extension().to_lower()):
			continue
		if found.get_start() != 0 or found.get_end() != name.length():
			continue
		var at := Vector2i(
			_place(pattern, "X", found.get_string(1)), _place(pattern, "Y", found.get_string(2))
		)
		var path := source.get_base_dir().path_join(name)
		if not places.has(path):
			places[path] = at
		if places.size() > MAX_MAPS:
			pattern.bad("regexp", "matches more than %d maps" % MAX_MAPS)
			return


static func _place(pattern: Fields, axis: String, number: String) -> int:
	var factor := pattern.integer("multiplier" + axis, -_FAR, _FAR, 1)
	var place := number.left(9).to_int() * factor + pattern.integer("offset" + axis, -_FAR, _FAR, 0)
	return clampi(place, -_FAR, _FAR)


static func _scene(
	source: String, places: Dictionary, dependencies: Dependencies, problem: Problem
) -> Node:
	var root := Node2D.new()
	root.name = Names.new().unique(source.get_file().get_basename())
	var names := Names.new()
	for path: String in places:
		dependencies.add(path)
		var scene: PackedScene = null
		if ResourceLoader.exists(path, "PackedScene"):
			scene = ResourceLoader.load(path, "PackedScene") as PackedScene
		if scene == null or not scene.can_instantiate():
			problem.warn(source, "", "%s is not an imported map, so it was left out" % path)
			continue
		var map := scene.instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE)
		map.name = names.unique(path.get_file().get_basename())
		if map is Node2D:
			(map as Node2D).position = places[path]
		root.add_child(map)
	return root
