extends RefCounted
## The uses of tiles, from a table in the import options:
##
##     wall=collision            a value of an IntGrid, its number, its group, or a tile's tag
##     Terrain.pit=collision:4   of one layer only; on these bits of the collision layers
##     floor=navigation
##     grass=terrain:Grass       painted with a terrain of the TileSet

const Problem := preload("../runtime/problem.gd")
const ValueTable := preload("value_table.gd")

const KINDS: Array[String] = ["collision", "one_way", "navigation", "occlusion", "terrain"]
const MAX_LINES := 1000

## [ValueTable.Use]s by the beginning of the line.
var _uses: Dictionary = {}


class Use:
	var kind := ""
	## Bits of the collision layers.
	var bits := 1
	## The name of a terrain.
	var terrain := ""


static func parse(file: String, option: String, text: String, problem: Problem) -> ValueTable:
	var table := ValueTable.new()
	var lines := text.split("\n", false)
	if lines.size() > MAX_LINES:
		problem.note(file, "option " + option, "has more than %d lines" % MAX_LINES)
		return table
	for line: String in lines:
		if line.strip_edges():
			table._add(file, option, line.strip_edges(), problem)
	return table


## All uses for something with these names.
func uses(layer: String, names: PackedStringArray) -> Array[Use]:
	var found: Array[Use] = []
	for name: String in names:
		for key: String in [layer + "." + name, name]:
			if _uses.has(key):
				var known: Array[Use] = _uses[key]
				found.append_array(known)
	return found


func is_empty() -> bool:
	return _uses.is_empty()


func _add(file: String, option: String, line: String, problem: Problem) -> void:
	var cut := line.rfind("=")
	var words := line.substr(cut + 1).strip_edges().split(":", true, 1)
	var use := Use.new()
	use.kind = words[0].strip_edges()
	var argument := words[1].strip_edges() if words.size() > 1 else ""
	if cut < 1 or not KINDS.has(use.kind):
		problem.note(
			file,
			"option " + option,
			"%s: write VALUE=KIND, with a kind of %s" % [line, ", ".join(KINDS)]
		)
		return
	if use.kind == "terrain":
		use.terrain = argument if argument else line.left(cut).get_slice(".", 1)
	elif argument:
		use.bits = argument.to_int() if argument.is_valid_int() else -1
		if use.bits < 0 or use.bits > 0xFFFFFFFF:
			problem.note(file, "option " + option, "%s: %s is not a number" % [line, argument])
			return
	var key := line.left(cut).strip_edges()
	if not _uses.has(key):
		var fresh: Array[Use] = []
		_uses[key] = fresh
	var known: Array[Use] = _uses[key]
	known.append(use)
