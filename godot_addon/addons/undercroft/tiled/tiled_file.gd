extends RefCounted
## A file of Tiled as tables, whichever of its notations it is written in, with what it needs
## besides: tilesets, templates and the types of the project. Files are read once.

const Dependencies := preload("../import/dependencies.gd")
const Fields := preload("../import/fields.gd")
const LiftedJson := preload("../import/lifted_json.gd")
const Problem := preload("../import/problem.gd")
const ProjectTypes := preload("project_types.gd")
const SourceFile := preload("../import/source_file.gd")
const XmlModel := preload("xml_model.gd")
const XmlTree := preload("xml_tree.gd")

## Arrays of tiles are lifted out of the JSON: they hold numbers, or text if they are packed.
const LIFTED := {"data": r"\]"}
const XML := ["tmx", "tsx", "tx"]

var source := ""
var root: Fields
## The arrays that were lifted out of the source; null for XML.
var lifted: LiftedJson
var types: ProjectTypes
var dependencies: Dependencies
var problem: Problem

# By path: the table of a tileset or template.
var _others: Dictionary = {}


func _init(of: String, options: Dictionary, noted: Dependencies, problems: Problem) -> void:
	source = of
	problem = problems
	dependencies = noted
	var project := str(options.get("tiled_project", ""))
	if not project:
		project = ProjectTypes.nearest(source)
	if project:
		dependencies.add(project)
	types = ProjectTypes.read(project, problem)
	root = _read(source)


## The table of another file, named in [param from]; null and a problem where there is none.
func other(from: Fields, key: String) -> Fields:
	var path := SourceFile.beside(from.file, from.text(key, ""), problem)
	if not path:
		return null
	if not _others.has(path):
		dependencies.add(path)
		if not FileAccess.file_exists(path):
			problem.note(from.file, from.where(key), "%s is not there" % path)
			return null
		_others[path] = _read(path)
	return null if problem.found else _others[path]


func _read(path: String) -> Fields:
	var text := SourceFile.text(path, problem)
	if problem.found:
		return null
	if XML.has(path.get_extension().to_lower()):
		var tree := XmlTree.parse(path, text, problem)
		return null if problem.found else Fields.new(path, "", XmlModel.table(tree), problem)
	var json := LiftedJson.parse(path, text, LIFTED, problem)
	if problem.found:
		return null
	if path == source:
		lifted = json
	return Fields.new(path, "", json.root, problem)
