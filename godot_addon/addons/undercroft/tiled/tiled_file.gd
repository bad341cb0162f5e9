extends RefCounted
## A Tiled file as tables, from JSON or XML, with the other files that it needs: tilesets, templates
## and the types of the project. Each file is read once.

const Batch := preload("../import/batch.gd")
const Dependencies := preload("../import/dependencies.gd")
const Fields := preload("../import/fields.gd")
const LiftedJson := preload("../runtime/lifted_json.gd")
const Problem := preload("../runtime/problem.gd")
const ProjectTypes := preload("project_types.gd")
const SourceFile := preload("../import/source_file.gd")
const XmlModel := preload("xml_model.gd")
const XmlTree := preload("xml_tree.gd")

## Arrays of tiles are cut out of the JSON: they contain numbers, or text if compressed.
const LIFTED := {"data": r"\]"}
const XML := ["tmx", "tsx", "tx"]
## How much of a file is read to find its notation.
const HEAD := 256

var source := ""
var root: Fields
var types: ProjectTypes
var dependencies: Dependencies
var problem: Problem

# The table of a tileset or template, or null, by path.
var _others: Dictionary = {}


func _init(of: String, options: Dictionary, noted: Dependencies, problems: Problem) -> void:
	source = of
	problem = problems
	dependencies = noted
	var project := str(options.get("tiled_project", ""))
	if not project:
		project = ProjectTypes.nearest(source.get_base_dir())
	if project:
		dependencies.add(project)
	types = ProjectTypes.read(project, problem)
	root = _read(source, problem)


## The table of another file, named in [param from]; null and a flaw if it is missing.
func other(from: Fields, key: String) -> Fields:
	var path := from.path(key)
	if not path:
		return null
	if not _others.has(path):
		_others[path] = null
		var digest := dependencies.add(path)
		var shared := digest + " " + path
		if not digest:
			from.bad(key, SourceFile.absence(path))
		elif Batch.has(shared):
			_others[path] = Fields.new(path, "", Batch.kept(shared), problem)
		else:
			var theirs := Problem.new()
			var read := _read(path, theirs)
			problem.absorb(theirs)
			if read:
				Batch.keep(shared, read.table)
			_others[path] = read
	return _others[path]


func _read(path: String, reading: Problem) -> Fields:
	var text := SourceFile.text(path, reading)
	if reading.found:
		return null
	var table: Variant = null
	var lifted: LiftedJson = null
	if _is_xml(path, text):
		var tree := XmlTree.parse(path, text, reading)
		table = XmlModel.table(tree) if tree else null
	else:
		lifted = LiftedJson.parse(path, text, LIFTED, reading)
		table = lifted.root if lifted else null
	if reading.found:
		return null
	var made := Fields.new(path, "", table, reading)
	made.problem = problem
	made.lifted = lifted
	return null if reading.found else made


## Whether a file is XML, decided by content, because tilesets may end in `.xml` or `.json`.
static func _is_xml(path: String, text: String) -> bool:
	var head := text.left(HEAD).strip_edges()
	return head.begins_with("<") if head else XML.has(path.get_extension().to_lower())
