extends RefCounted
## The generator's description of itself: the parsed output of `undercroft describe`.
##
## Everything in the dock comes from here; it has no built-in presets, values or formats.

const Catalogue := preload("catalogue.gd")
const Declaration := preload("declaration.gd")
const Spec := preload("spec.gd")


## An export format.
class Format:
	var name := ""
	var summary := ""
	var suffixes: PackedStringArray = []
	var options: Array[Declaration] = []


var version := ""
var presets: Array[Spec] = []
var formats: Array[Format] = []
var theme := ""
var theme_help := ""
## Column and row of the icons in the built-in theme's picture, by marker kind or KIND_VARIANT.
var icons: Dictionary = {}
## How files of each kind are recognised; see [code]finds.gd[/code].
var marks: Dictionary = {}


## The catalogue in the command's output; null if the output is something else.
static func read(printed: String) -> Catalogue:
	var table := table_of(printed)
	var found := Catalogue.new()
	found.version = str(table.get("version", ""))
	var styles := as_table(table.get("styles"))
	for row: Variant in Declaration.as_list(table.get("presets")):
		var preset := as_table(row)
		var style := as_table(styles.get(preset.get("style")))
		var spec := Spec.read(style.merged(preset, true))
		if spec:
			found.presets.append(spec)
	var rows := as_table(table.get("formats"))
	for name: Variant in rows:
		var row := as_table(rows[name])
		var format := Format.new()
		format.name = str(name)
		format.summary = str(row.get("summary", ""))
		format.suffixes = Declaration.texts(row.get("suffixes"))
		format.options = Declaration.read_all(row.get("options"))
		found.formats.append(format)
	var look := as_table(table.get("theme"))
	found.theme = str(look.get("default", ""))
	found.theme_help = str(look.get("help", ""))
	found.icons = as_table(look.get("icons"))
	found.marks = as_table(table.get("files"))
	return null if found.presets.is_empty() or found.formats.is_empty() else found


func preset(name: String) -> Spec:
	for spec: Spec in presets:
		if spec.name == name:
			return spec
	return null


## The JSON table in a command's output, or in its last line; empty if there is none.
static func table_of(printed: String) -> Dictionary:
	var json := JSON.new()
	if json.parse(printed) != OK and json.parse(printed.strip_edges().split("\n")[-1]) != OK:
		return {}
	return as_table(json.data)


static func as_table(value: Variant) -> Dictionary:
	return value if value is Dictionary else {}
