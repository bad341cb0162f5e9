extends RefCounted
## A parsed LDtk project: its definitions, and its worlds with their levels.
##
## For levels in separate files, only the head is kept; [method level] reads the rest when needed.

const Definitions := preload("definitions.gd")
const Dependencies := preload("../import/dependencies.gd")
const LiftedJson := preload("../runtime/lifted_json.gd")
const Older := preload("older.gd")
const Problem := preload("../runtime/problem.gd")
const Project := preload("project.gd")
const Fields := preload("../import/fields.gd")
const SourceFile := preload("../import/source_file.gd")

## The oldest format that can be read, and the first one in the current form.
const OLDEST := "0.6.0"
const TODAYS := "1.0.0"
const MAX_LEVELS := 20_000
const MAX_WORLD := 1 << 30
## Pixels between two levels of a linear world, as in LDtk.
const GAP := 48

# The arrays of tiles. They end with an object or with a number.
const _ENDINGS := {
	"intGridCsv": r"\]",
	"gridTiles": r"\}\s*\]",
	"autoLayerTiles": r"\}\s*\]",
	"tileIds": r"\]",
}

var file := ""
var name := ""
var iid := ""
var grid := 16
## The grid of a GridVania world, in px; zero for other worlds.
var world_grid := Vector2i.ZERO
var definitions: Definitions
var worlds: Array[World] = []
var toc: Array[Fields] = []

var _older: Older
var _dependencies: Dependencies
var _problem: Problem


class World:
	var name := ""
	var iid := ""
	var levels: Array[Fields] = []
	## The place of each level, in px.
	var places: PackedVector2Array = []
	## The world's bounds, in px.
	var bounds := Rect2()

	func add(level: Fields, at: Vector2, size: Vector2) -> void:
		bounds = bounds.merge(Rect2(at, size)) if places else Rect2(at, size)
		levels.append(level)
		places.append(at)


## Reads a project; null and a problem if it is not a project.
static func read(file: String, dependencies: Dependencies, problem: Problem) -> Project:
	var root := parse(file, problem)
	if root == null:
		return null
	var project := Project.new()
	project.file = file
	project._dependencies = dependencies
	project._problem = problem
	project.name = file.get_file().get_basename()
	var version := root.text("jsonVersion", "")
	if not version:
		root.refuse("", "is not an LDtk project: it has no jsonVersion")
	elif _is_older(version, OLDEST):
		root.refuse("jsonVersion", "is %s; open and save the project with LDtk 1.5" % version)
	elif _is_older(version, TODAYS):
		project._older = Older.new(root.table)
	var defs := root.sub_or_null("defs")
	if defs == null:
		root.refuse("defs", "is missing")
		return null
	project.definitions = Definitions.read(defs)
	project.iid = root.text("iid", "")
	project.grid = root.integer("defaultGridSize", 1, Definitions.MAX_GRID, 16)
	if root.text("worldLayout", "") == "GridVania":
		project.world_grid = Vector2i(
			root.integer("worldGridWidth", 0, MAX_WORLD, 0),
			root.integer("worldGridHeight", 0, MAX_WORLD, 0)
		)
	project.toc = root.subs("toc")
	var worlds := root.subs("worlds")
	if worlds.is_empty():
		project.worlds.append(_world(root, project.name))
	var levels := 0
	for one: Fields in worlds:
		project.worlds.append(_world(one, one.text("identifier")))
	for world: World in project.worlds:
		levels += world.levels.size()
	if levels > MAX_LEVELS:
		root.refuse("levels", "are %d; at most %d can be read" % [levels, MAX_LEVELS])
	return null if problem.found else project


## Reads an LDtk file: a project or a level.
static func parse(file: String, problem: Problem) -> Fields:
	var text := SourceFile.text(file, problem)
	if problem.found:
		return null
	var json := LiftedJson.parse(file, text, _ENDINGS, problem)
	if json == null:
		return null
	if not json.root is Dictionary:
		problem.note(file, "", "is not an LDtk file: it does not contain an object")
		return null
	var root := Fields.new(file, "", json.root, problem)
	root.lifted = json
	return root


## A whole level, from its separate file if it has one; only its head if that cannot be read.
func level(head: Fields) -> Fields:
	if head.table.get("layerInstances") != null or not head.has("externalRelPath"):
		return head
	var relative := head.text("externalRelPath")
	var part := Problem.new()
	var path := SourceFile.beside(head.file, relative, part)
	if path:
		_dependencies.add(path)
	if path and not FileAccess.file_exists(path):
		head.bad("externalRelPath", "is %s, which is missing" % relative)
		return head
	var found := parse(path, part) if path else null
	_problem.absorb(part)
	if found == null:
		return head
	found.problem = _problem
	return renewed(found)


## A level from a separate file, in the current form.
func renewed(level: Fields) -> Fields:
	if _older:
		_older.renew_level(level.table)
	return level


## The levels of a run of Undercroft's, each as a world with its LDtk levels, which share a
## fingerprint; levels without one, which somebody added, come last. Empty for other projects.
func levels_of_run() -> Array[World]:
	var whole := worlds[0]
	var parts: Dictionary = {}
	for index: int in whole.levels.size():
		var level := whole.levels[index]
		var size := Vector2(
			level.integer("pxWid", 0, MAX_WORLD), level.integer("pxHei", 0, MAX_WORLD)
		)
		var fingerprint := _fingerprint(level)
		if not parts.has(fingerprint):
			parts[fingerprint] = World.new()
		var part: World = parts[fingerprint]
		part.add(level, whole.places[index], size)
		# Level_2_Room_0_start belongs to Level_2.
		part.name = "_".join(level.text("identifier").split("_").slice(0, 2))
	var added: World = parts.get("")
	parts.erase("")
	var found: Array[World] = []
	if worlds.size() == 1 and parts.size() > 1:
		found.assign(parts.values())
		if added:
			added.name = "Others"
			found.append(added)
	return found


static func _fingerprint(level: Fields) -> String:
	for field: Fields in level.subs("fieldInstances"):
		if field.text("__identifier") == "fingerprint":
			var value: Variant = field.table.get("__value")
			return value if value is String else ""
	return ""


static func _is_older(version: String, other: String) -> bool:
	var own := version.split_floats(".")
	var least := other.split_floats(".")
	for index: int in mini(own.size(), least.size()):
		if own[index] != least[index]:
			return own[index] < least[index]
	return false


static func _world(record: Fields, name: String) -> World:
	var world := World.new()
	world.name = name
	world.iid = record.text("iid", "")
	var layout := record.text("worldLayout", "Free")
	var next := Vector2.ZERO
	for level: Fields in record.subs("levels"):
		var size := Vector2(
			level.integer("pxWid", 0, MAX_WORLD), level.integer("pxHei", 0, MAX_WORLD)
		)
		var at := next
		if layout == "LinearHorizontal":
			next.x += size.x + GAP
		elif layout == "LinearVertical":
			next.y += size.y + GAP
		else:
			at.x = level.integer("worldX", -MAX_WORLD, MAX_WORLD, 0)
			at.y = level.integer("worldY", -MAX_WORLD, MAX_WORLD, 0)
		world.add(level, at, size)
	return world
