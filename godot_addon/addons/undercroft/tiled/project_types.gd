extends RefCounted
## The enums and classes of a `.tiled-project`, and properties of these types.

const Batch := preload("../import/batch.gd")
const Fields := preload("../import/fields.gd")
const OldTilesets := preload("old_tilesets.gd")
const ObjectRef := preload("object_ref.gd")
const Problem := preload("../runtime/problem.gd")
const ProjectTypes := preload("project_types.gd")
const SourceFile := preload("../import/source_file.gd")

## The greatest nesting depth of classes.
const DEEPEST := 16
const MAX := 10_000
const MAX_FLAGS := 32
const _INT32 := 1 << 31

## Changes with the content of the project.
var digest := 0
# Tables of the project file, by name.
var _types: Dictionary = {}


## The types of the project at [param at]; empty if the path is empty; empty with a flaw if it
## cannot be read.
static func read(at: String, problem: Problem) -> ProjectTypes:
	var types := ProjectTypes.new()
	if not at:
		return types
	var key := "types of " + at
	if not Batch.has(key):
		var reading := Problem.new()
		var text := SourceFile.text(at, reading)
		var json := JSON.new()
		if not reading.found and json.parse(text) != OK:
			reading.note(at, "line %d" % (json.get_error_line() + 1), json.get_error_message())
		Fields.new(at, "", json.data, reading)
		Batch.keep(key, [json.data, text.hash(), reading])
	var known: Array = Batch.kept(key)
	var read: Problem = known[2]
	problem.absorb(read)
	var root := Fields.new(at, "", known[0], Problem.new())
	root.problem = problem
	types.digest = known[1]
	for type: Fields in root.subs("propertyTypes", MAX):
		types._types[type.text("name", "")] = type
	return types


## The project of a folder: the one in it or in the nearest parent that has one, or "".
static func nearest(folder: String) -> String:
	var key := "project of " + folder
	if not Batch.has(key):
		var found := ""
		for name: String in DirAccess.get_files_at(folder):
			if not found and name.ends_with(".tiled-project"):
				found = folder.path_join(name)
		if not found and folder != folder.get_base_dir():
			found = nearest(folder.get_base_dir())
		Batch.keep(key, found)
	return Batch.kept(key)


func defaults(type: String, problem: Problem) -> Dictionary:
	return _members(type, {}, DEEPEST, problem)


## The typed properties of a thing, by name, with the defaults of its class.
func properties(thing: Fields, type: String = "") -> Dictionary:
	var found := defaults(type, thing.problem) if type else {}
	for property: Fields in listed(thing):
		var name := property.text("name", "")
		if name:
			found[name] = _property(property, "value", DEEPEST)
		if thing.problem.found:
			return {}
	return found


## The properties of a thing as listed in the file; up to Tiled 1.1, JSON had tables by name.
static func listed(thing: Fields) -> Array[Fields]:
	if thing.table.get("properties") is Dictionary:
		var types: Variant = thing.table.get("propertytypes")
		var known: Dictionary = types if types is Dictionary else {}
		var values: Dictionary = thing.table["properties"]
		thing.table["properties"] = OldTilesets.properties(values, known)
	return thing.subs("properties", MAX)


func _property(property: Fields, key: String, depth: int) -> Variant:
	var own := property.text("propertytype", "")
	var found: Variant = null
	match property.text("type", "string"):
		"string":
			found = _enum(own, property.text(key, ""))
		"int":
			found = _enum(own, property.integer(key, -_INT32, _INT32 * 2 - 1, 0))
		"float":
			found = property.number(key, 0.0, -INF, INF)
		"bool":
			found = property.boolean(key, false)
		"color":
			found = property.color(key, Color.TRANSPARENT)
		"file":
			found = _file(property, property.text(key, ""))
		"object":
			found = ObjectRef.new(property.integer(key, 0, _INT32, 0))
		"class":
			found = _class(property, key, own, depth)
		"list":
			found = _list(property, key, depth)
		_:
			property.bad("type", "%s is not a type of property" % Fields.shown(property.table.type))
	return found


func _class(property: Fields, key: String, type: String, depth: int) -> Variant:
	if depth == 0:
		property.bad(key, "has classes nested more than %d levels deep" % DEEPEST)
		return {}
	var value: Variant = property.table.get(key)
	if value is Array:  # XML: each member has its type
		var found := _members(type, {}, depth - 1, property.problem)
		for member: Fields in property.subs(key, MAX):
			found[member.text("name", "")] = _property(member, "value", depth - 1)
		return found
	var given: Dictionary = value if value is Dictionary else {}
	return _members(type, given, depth - 1, property.problem)


func _list(property: Fields, key: String, depth: int) -> Array:
	var found: Array = []
	if depth == 0:
		property.bad(key, "has lists nested more than %d levels deep" % DEEPEST)
		return found
	for item: Variant in property.array(key, MAX):
		var table: Dictionary = item if item is Dictionary else {}
		if table.has("type"):
			var each := property.below(key, table)
			found.append(_property(each, "value", depth - 1))
		else:
			found.append(plain(item, depth))
	return found


## The members of a class, with the values in [param given].
func _members(type: String, given: Dictionary, depth: int, problem: Problem) -> Dictionary:
	var found: Dictionary = {}
	var known: Fields = _types.get(type)
	if known and not type.is_empty() and depth >= 0:
		for member: Fields in known.subs("members", MAX):
			var name := member.text("name", "")
			var asked := member.table.duplicate()
			asked["propertytype"] = member.table.get("propertyType", "")
			if given.has(name):
				asked["value"] = given[name]
			found[name] = _property(
				Fields.new(member.file, member.place, asked, problem), "value", depth
			)
			if problem.found:
				return {}
	for name: Variant in given:
		if not found.has(name):
			found[name] = plain(given[name], depth)
	return found


## An enum value: a text or number, as the enum is stored; for flags, an array of names.
func _enum(type: String, value: Variant) -> Variant:
	var known: Fields = _types.get(type)
	if known == null or not known.boolean("valuesAsFlags", false):
		return value
	if value is String:
		return str(value).split(",", false)
	var bits: int = value
	var names := PackedStringArray()
	var listed := known.array("values", MAX_FLAGS)
	for index: int in listed.size():
		if bits >> index & 1:
			names.append(str(listed[index]))
	return names


func _file(property: Fields, value: String) -> String:
	if not value or value.is_absolute_path() or value.contains("://"):
		return value
	return property.file.get_base_dir().path_join(value).simplify_path()


## A JSON value, limited in depth.
static func plain(value: Variant, depth: int) -> Variant:
	if depth < 0:
		return null
	if value is Dictionary:
		var table: Dictionary = value
		var copy: Dictionary = {}
		for key: Variant in table:
			copy[key] = plain(table[key], depth - 1)
		return copy
	if value is Array:
		var items: Array = value
		return items.map(func(item: Variant) -> Variant: return plain(item, depth - 1))
	if value is float:
		var number: float = value
		if number == floorf(number) and absf(number) < 1e15:
			return int(number)
	return value
