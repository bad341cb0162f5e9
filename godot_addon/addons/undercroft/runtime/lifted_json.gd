extends RefCounted
## JSON whose large arrays are cut out before it is parsed.
##
## Godot's parser makes a Variant of every number: about 2.5 GB for a map of a million tiles. The
## arrays of tiles have a few known keys. They are cut out of the text and read by code that knows
## their content (see [method numbers]). Godot parses the rest.

const Problem := preload("problem.gd")
const LiftedJson := preload("lifted_json.gd")

## Arrays with fewer characters are not worth cutting out.
const SHORTEST := 1024
const MARK := "undercroft-lifted:"

## The parsed file; each cut-out array is replaced by [constant MARK] and its index in
## [member pieces].
var root: Variant
## The text of the arrays, with their brackets.
var pieces: PackedStringArray = []


## Parses [param text] of [param file]; null and a problem if it is not JSON. [param endings] has
## for each key the end of its array: `\]` for numbers, `\}\s*\]` for flat objects.
static func parse(file: String, text: String, endings: Dictionary, problem: Problem) -> LiftedJson:
	var lifted := LiftedJson.new()
	if text.contains("\\u0000"):
		problem.note(file, "", "contains the character 0; is it damaged?")
		return null
	if text.strip_edges().is_empty():
		problem.note(file, "", "is empty")
		return null
	var json := JSON.new()
	if json.parse(lifted._cut(text, endings)) != OK:
		# Parse the uncut text: the line in the message is then right, and a wrong cut does no harm.
		lifted.pieces.clear()
		if json.parse(text) != OK:
			problem.note(file, "line %d" % (json.get_error_line() + 1), json.get_error_message())
			return null
	lifted.root = json.data
	return lifted


## The text of the array that [param value] replaces, or "" if it is not a mark.
func piece(value: Variant) -> String:
	if not value is String:
		return ""
	var mark: String = value
	var index := mark.trim_prefix(MARK)
	if not mark.begins_with(MARK) or not index.is_valid_int():
		return ""
	return pieces[index.to_int()] if index.to_int() < pieces.size() and index.to_int() >= 0 else ""


## The numbers of an array, cut out or not; empty and a problem if it is something else.
func numbers(file: String, place: String, value: Variant, problem: Problem) -> PackedFloat64Array:
	var text := piece(value)
	if text:
		# Godot's split_floats reads a number after a carriage return as 0.
		var body := text.substr(1, text.length() - 2).replace("\r", " ")
		var foreign := RegEx.create_from_string(r"[^-+.eE0-9,\s]").search(body)
		if foreign == null:
			return body.split_floats(",")
		problem.note(file, place, "%s is not a number" % foreign.get_string())
	elif value is Array:
		var array: Array = value
		for item: Variant in array:
			if not (item is float or item is int):
				problem.note(file, place, "%s is not a number" % JSON.stringify(item).left(40))
				return PackedFloat64Array()
		return PackedFloat64Array(array)
	else:
		problem.note(file, place, "must be an array of numbers")
	return PackedFloat64Array()


func _cut(text: String, endings: Dictionary) -> String:
	var keys := "|".join(PackedStringArray(endings.keys()))
	# A quote inside a string is escaped, so a key whose first quote is not escaped is not part of a
	# string. The quote is checked last: an expression that begins with one is several times as slow.
	# Empty arrays are not cut: their end would be found in another array.
	var behind := "|".join(PackedStringArray(endings.keys().map(_quoted)))
	var starts := RegEx.create_from_string(r'(%s)(?:%s)"\s*:\s*\[(?!\s*\])' % [keys, behind])
	var ends: Dictionary = {}
	for key: String in endings:
		ends[key] = RegEx.create_from_string(str(endings[key]))
	var kept: PackedStringArray = []
	var done := 0
	var start := starts.search(text)
	while start != null:
		var ending: RegEx = ends[start.get_string(1)]
		var end := ending.search(text, start.get_end())
		if end == null:
			break
		if end.get_end() - start.get_end() > SHORTEST:
			var opening := start.get_end() - 1
			kept.append(text.substr(done, opening - done))
			kept.append('"%s%d"' % [MARK, pieces.size()])
			pieces.append(text.substr(opening, end.get_end() - opening))
			done = end.get_end()
			start = starts.search(text, done)
		else:
			start = starts.search(text, start.get_end())
	kept.append(text.substr(done))
	return "".join(kept)


## An expression that matches directly after a key whose first quote is not escaped.
static func _quoted(key: String) -> String:
	return r'(?<=[^\\]"%s)' % key
