extends RefCounted
## A spec to start from, a preset or a TOML file: its values, with their defaults.

const Declaration := preload("declaration.gd")
const Spec := preload("spec.gd")

## The argument for the generator: a preset's name, or a file's path in the project.
var name := ""
var summary := ""
var style := ""
## The default seed, and the help about seeds.
var default_seed := ""
var seed_help := ""
var values: Array[Declaration] = []

var _given: Dictionary = {}


## The spec in one row of the JSON, or null.
static func read(row: Dictionary) -> Spec:
	var spec := Spec.new()
	spec.name = str(row.get("name", ""))
	spec.summary = str(row.get("summary", ""))
	spec.style = str(row.get("style", ""))
	spec.values = Declaration.read_all(row.get("values"))
	var about: Variant = row.get("seed")
	if about is Dictionary:
		var table: Dictionary = about
		spec.default_seed = str(table.get("default", ""))
		spec.seed_help = str(table.get("help", ""))
	var given: Variant = row.get("given")
	if given is Dictionary:
		spec._given = given
	return spec if spec.style and spec.values else null


## The spec's value: from the file or the preset, else the default.
func given(declaration: Declaration) -> Variant:
	var found: Variant = _given
	for part: String in declaration.key.split("."):
		if not found is Dictionary:
			return declaration.default
		var table: Dictionary = found
		if not table.has(part):
			return declaration.default
		found = table[part]
	return declaration.typed(found)


func is_file() -> bool:
	return name.begins_with("res://")
