extends RefCounted
## A table of a file, read key by key: each value has the requested type and range. If the file has
## something else, that is a flaw, and the default is used.

const Problem := preload("../runtime/problem.gd")
const Fields := preload("fields.gd")
const SourceFile := preload("source_file.gd")

## No real place or size in px is larger.
const FARTHEST := 1e8
const MAX_ITEMS := 4_000_000
const LONGEST_TEXT := 16 * 1024 * 1024

var file := ""
## The table's place in the file, such as `layers[2].objects[0]`.
var place := ""
var table: Dictionary
var problem: Problem


func _init(of_file: String, at: String, value: Variant, problems: Problem) -> void:
	file = of_file
	place = at
	problem = problems
	if value is Dictionary:
		table = value
	elif place:
		bad("", "must be an object")
	else:
		refuse("", "must be an object")


func has(key: String) -> bool:
	return table.get(key) != null


## Notes that a key is wrong; the file can be imported without it.
func bad(key: String, what: String) -> void:
	problem.flaw(file, where(key), what)


## Notes that a key is wrong and that the file cannot be imported without it.
func refuse(key: String, what: String) -> void:
	problem.note(file, where(key), what)


## Notes what happens to a key that cannot be used as written.
func warn(key: String, what: String) -> void:
	problem.warn(file, where(key), what)


func where(key: String) -> String:
	return place + "." + key if place and key else place + key


func integer(key: String, low: int, high: int, usual: int) -> int:
	var value: Variant = table.get(key)
	if value == null:
		return usual
	if not (value is float or value is int):
		bad(key, "must be a whole number, not %s" % shown(value))
		return usual
	var number: float = value
	if number != floorf(number) or number < low or number > high:
		bad(key, "%s is not a whole number from %d to %d" % [shown(value), low, high])
		return usual
	return int(number)


func number(key: String, usual: float, low: float = -FARTHEST, high: float = FARTHEST) -> float:
	var value: Variant = table.get(key)
	if value == null:
		return usual
	if not (value is float or value is int):
		bad(key, "must be a number, not %s" % shown(value))
		return usual
	var given: float = value
	if not is_finite(given) or given < low or given > high:
		bad(key, "%s is not a number from %s to %s" % [shown(value), low, high])
		return usual
	return given


func text(key: String, usual: String) -> String:
	var value: Variant = table.get(key)
	if value == null:
		return usual
	if value is String:
		var given: String = value
		if given.length() <= LONGEST_TEXT:
			return given
	bad(key, "must be text, not %s" % shown(value))
	return usual


func choice(key: String, choices: Array[String], usual: String) -> String:
	var given := text(key, usual)
	if not choices.has(given):
		bad(key, "%s is not one of %s" % [shown(given), ", ".join(choices)])
		return usual
	return given


func boolean(key: String, usual: bool) -> bool:
	var value: Variant = table.get(key)
	if value == null:
		return usual
	if value is bool:
		return value
	if value is float and (value == 0.0 or value == 1.0):
		return value == 1.0
	bad(key, "must be true or false, not %s" % shown(value))
	return usual


## A colour in Tiled's form, `#AARRGGBB` or `#RRGGBB`, with or without the `#`.
func color(key: String, usual: Color) -> Color:
	var given := text(key, "").trim_prefix("#")
	if given.is_empty():
		return usual
	if given.length() == 8 and given.is_valid_hex_number():
		return Color.html(given.substr(2) + given.left(2))
	if (given.length() == 6 or given.length() == 3) and given.is_valid_hex_number():
		return Color.html(given)
	bad(key, "%s is not a colour #AARRGGBB" % shown(given))
	return usual


## The path in the project that a key names; "" and a flaw if it is not valid.
func path(key: String) -> String:
	var refused := Problem.new()
	var found := SourceFile.beside(file, text(key, ""), refused)
	if refused.found:
		bad(key, refused.reason)
	return found


func array(key: String, most: int = MAX_ITEMS) -> Array:
	var value: Variant = table.get(key)
	if value == null:
		return []
	if not value is Array:
		bad(key, "must be an array, not %s" % shown(value))
		return []
	var given: Array = value
	if given.size() > most:
		bad(key, "has %d entries; at most %d can be read" % [given.size(), most])
		return []
	return given


func sub(key: String) -> Fields:
	return Fields.new(file, where(key), table.get(key), problem)


## The tables in an array; other values are left out.
func subs(key: String, most: int = MAX_ITEMS) -> Array[Fields]:
	var found: Array[Fields] = []
	var given := array(key, most)
	if not given:
		return found
	var before := where(key) + "["
	for index: int in given.size():
		var item := Fields.new(file, before + str(index) + "]", given[index], problem)
		if problem.found:
			return []
		if given[index] is Dictionary:
			found.append(item)
	return found


## A value for a message: short, and on one line.
static func shown(value: Variant) -> String:
	if value is float:
		var number: float = value
		return String.num(number).left(40)
	if value is Dictionary:
		return "an object"
	if value is Array:
		return "an array"
	return JSON.stringify(value).left(60)
