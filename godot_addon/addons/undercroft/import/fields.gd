extends RefCounted
## A table of a file, read key by key: each value has the requested type and range. If the file has
## something else, that is a flaw, and the default is used. A key without a default must be there.

const LiftedJson := preload("../runtime/lifted_json.gd")
const Problem := preload("../runtime/problem.gd")
const Fields := preload("fields.gd")
const SourceFile := preload("source_file.gd")

## No real place or size in px is larger.
const FARTHEST := 1e8
const MAX_ITEMS := 4_000_000
const LONGEST_TEXT := 16 * 1024 * 1024
## The numbers and ids of most programs have 32 bits.
const MAX_INT := 0x7FFFFFFF

var file := ""
## The table's place in the file, such as `layers[2].objects[0]`.
var place := "":
	get:
		return _above.where(place) if _above else place
var table: Dictionary
var problem: Problem
## The arrays that were cut out of the file, if it was read so.
var lifted: LiftedJson
var _above: Fields


## A table in another one has a place of its own in that, which is not written out until it is told.
func _init(
	of_file: String, at: String, value: Variant, problems: Problem, above: Fields = null
) -> void:
	file = of_file
	place = at
	problem = problems
	_above = above
	if above:
		lifted = above.lifted
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
	var own := place
	return own + "." + key if own and key else own + key


func integer(key: String, low: int, high: int, usual: Variant = null) -> int:
	var value: Variant = table.get(key)
	if value is float or value is int:
		var number: float = value
		if number == floorf(number) and number >= low and number <= high:
			return int(number)
		bad(key, "%s is not a whole number from %d to %d" % [shown(value), low, high])
	elif value != null or usual == null:
		_refuse_type(key, "a whole number", value)
	return usual if usual is int else low


func number(key: String, usual: float, low: float = -FARTHEST, high: float = FARTHEST) -> float:
	var value: Variant = table.get(key)
	if value == null:
		return usual
	if not (value is float or value is int):
		_refuse_type(key, "a number", value)
		return usual
	var given: float = value
	if not is_finite(given) or given < low or given > high:
		bad(key, "%s is not a number from %s to %s" % [shown(value), low, high])
		return usual
	return given


func text(key: String, usual: Variant = null) -> String:
	var value: Variant = table.get(key)
	if value is String:
		var given: String = value
		if given.length() <= LONGEST_TEXT:
			return given
	if value != null or usual == null:
		_refuse_type(key, "text", value)
	return usual if usual is String else ""


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
	_refuse_type(key, "true or false", value)
	return usual


## A colour `#RRGGBB`, or `#AARRGGBB` in Tiled's form, with or without the `#`.
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
		_refuse_type(key, "an array", value)
		return []
	var given: Array = value
	if given.size() > most:
		bad(key, "has %d entries; at most %d can be read" % [given.size(), most])
		return []
	return given


## All the numbers of an array, which may have been cut out of the file.
func all_numbers(key: String) -> PackedFloat64Array:
	var part := Problem.new()
	var found := lifted.numbers(file, where(key), table.get(key), part)
	problem.absorb(part)
	return found


## Two numbers of an array, from a place on.
func pair(key: String, usual: Vector2 = Vector2.ZERO, from: int = 0) -> Vector2:
	var found: PackedFloat64Array = []
	for each: Variant in array(key).slice(from, from + 2):
		var number: float = each if each is float or each is int else INF
		if absf(number) <= MAX_INT:
			found.append(number)
	if found.size() == 2:
		return Vector2(found[0], found[1])
	if table.get(key) is Array:
		_refuse_type(key, "%d numbers" % (from + 2), table[key])
	return usual


func sub(key: String) -> Fields:
	return Fields.new(file, key, table.get(key), problem, self)


## The table at a key, which may be missing: null then, and if it is something else.
func sub_or_null(key: String) -> Fields:
	return below(key, table[key]) if has(key) else null


## A table in this one; null and a flaw if it is something else.
func below(key: String, value: Variant) -> Fields:
	var made := Fields.new(file, key, value, problem, self)
	return made if value is Dictionary else null


## The tables in an array; other values are left out.
func subs(key: String, most: int = MAX_ITEMS) -> Array[Fields]:
	var found: Array[Fields] = []
	var given := array(key, most)
	for index: int in given.size():
		var item := below("%s[%d]" % [key, index], given[index])
		if problem.found:
			return []
		if item:
			found.append(item)
	return found


func _refuse_type(key: String, wanted: String, value: Variant) -> void:
	if value == null:
		bad(key, "is missing; it must be %s" % wanted)
	else:
		bad(key, "must be %s, not %s" % [wanted, shown(value)])


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
