extends RefCounted
## An object of an LDtk file, read key by key, with checks of types and ranges.
##
## A missing or null value becomes the caller's default. Without a default, and for a value of a
## wrong type, a flaw is noted and a harmless value returned.

const LiftedJson := preload("../runtime/lifted_json.gd")
const Problem := preload("../runtime/problem.gd")
const Record := preload("record.gd")

## LDtk's numbers and ids have 32 bits.
const MAX := 0x7FFFFFFF
const MAX_TEXT := 1 << 20

var data: Dictionary
var file: String
var lifted: LiftedJson
var problem: Problem

var _above: Record
var _key := ""


## The outermost object of a file; null and a problem if there is none.
static func outermost(of_file: String, json: LiftedJson, to: Problem) -> Record:
	if not json.root is Dictionary:
		to.note(of_file, "", "is not an LDtk file: it does not contain an object")
		return null
	var record := Record.new()
	record.data = json.root
	record.file = of_file
	record.lifted = json
	record.problem = to
	return record


## Notes a problem with a key of this object: nothing can be imported.
func fail(key: String, what: String) -> void:
	problem.note(file, place(key), what)


## Notes a flaw of a key of this object; the rest can still be imported.
func flaw(key: String, what: String) -> void:
	problem.flaw(file, place(key), what)


## The place of a key in the file: `levels[2].layerInstances[0].__gridSize`.
func place(key: String) -> String:
	var own := _key + "." + key if _key and key else _key + key
	return _above.place(own) if _above else own


func has(key: String) -> bool:
	return data.get(key) != null


func text(key: String, otherwise: Variant = null) -> String:
	var value: Variant = data.get(key)
	if value is String:
		var found: String = value
		if found.length() <= MAX_TEXT:
			return found
		flaw(key, "has more than %d characters" % MAX_TEXT)
	elif value != null or otherwise == null:
		flaw(key, _not("text", value))
	return otherwise if otherwise is String else ""


func flag(key: String, otherwise: bool) -> bool:
	var value: Variant = data.get(key)
	if value is bool:
		return value
	if value != null:
		flaw(key, _not("true or false", value))
	return otherwise


## A whole number; required if `otherwise` is null.
func whole(key: String, least: int, most: int, otherwise: Variant = null) -> int:
	var value: Variant = data.get(key)
	if is_whole(value):
		var found: int = value
		if found >= least and found <= most:
			return found
		flaw(key, "is %d; must be from %d to %d" % [found, least, most])
	elif value != null or otherwise == null:
		flaw(key, _not("a whole number", value))
	return otherwise if otherwise is int else least


func number(key: String, least: float, most: float, otherwise: float) -> float:
	var value: Variant = data.get(key)
	if value is float or value is int:
		var found: float = value
		if found >= least and found <= most:
			return found
		flaw(key, "is %s; must be from %s to %s" % [found, least, most])
	elif value != null:
		flaw(key, _not("a number", value))
	return otherwise


## A colour `#RRGGBB`.
func color(key: String, otherwise: Color) -> Color:
	var value: Variant = data.get(key)
	if value is String:
		var found: String = value
		if Color.html_is_valid(found):
			return Color.html(found)
	if value != null:
		flaw(key, _not("a colour #RRGGBB", value))
	return otherwise


## All the numbers of an array, which may have been cut out of the file.
func many(key: String) -> PackedFloat64Array:
	var part := Problem.new()
	var found := lifted.numbers(file, place(key), data.get(key), part)
	problem.absorb(part)
	return found


## Two or more numbers; as many as `otherwise` has.
func numbers(key: String, otherwise: PackedFloat64Array) -> PackedFloat64Array:
	var value: Variant = data.get(key)
	if value == null:
		return otherwise
	var found: PackedFloat64Array = []
	if value is Array:
		var array: Array = value
		for each: Variant in array:
			var number: float = each if each is float or each is int else INF
			if absf(number) <= MAX:
				found.append(number)
	if found.size() == otherwise.size():
		return found
	flaw(key, _not("%d numbers" % otherwise.size(), value))
	return otherwise


func pair(key: String, otherwise: Vector2 = Vector2.ZERO) -> Vector2:
	var value: Variant = data.get(key)
	if value is Array:
		var array: Array = value
		if array.size() == 2 and array[0] is float and array[1] is float:
			var x: float = array[0]
			var y: float = array[1]
			if absf(x) <= MAX and absf(y) <= MAX:
				return Vector2(x, y)
	var found := numbers(key, [otherwise.x, otherwise.y])
	return Vector2(found[0], found[1])


## The object at a key, or null.
func record(key: String) -> Record:
	var value: Variant = data.get(key)
	if value == null:
		return null
	return below(key, value)


## The objects of an array at a key; empty if it is missing.
func records(key: String) -> Array[Record]:
	var found: Array[Record] = []
	var value: Variant = data.get(key)
	if value is Array:
		var array: Array = value
		for index: int in array.size():
			var below := below("%s[%d]" % [key, index], array[index])
			if below:
				found.append(below)
	elif value != null:
		flaw(key, _not("an array of objects", value))
	return found


## The texts of an array at a key.
func texts(key: String) -> PackedStringArray:
	var found: PackedStringArray = []
	var value: Variant = data.get(key)
	if value is Array:
		var array: Array = value
		for each: Variant in array:
			if not each is String:
				flaw(key, _not("an array of texts", each))
				continue
			var one: String = each
			found.append(one)
	elif value != null:
		flaw(key, _not("an array of texts", value))
	return found


## A nested object; null and a flaw if it is something else.
func below(key: String, value: Variant) -> Record:
	if not value is Dictionary:
		flaw(key, _not("an object", value))
		return null
	var below := Record.new()
	below.data = value
	below.file = file
	below.lifted = lifted
	below.problem = problem
	below._above = self
	below._key = key
	return below


## Whether a value of JSON is a number without a fraction, small enough to be exact.
static func is_whole(value: Variant) -> bool:
	if value is int:
		return true
	if value is float:
		var found: float = value
		return absf(found) <= 1e15 and found == floorf(found)
	return false


func _not(wanted: String, value: Variant) -> String:
	if value == null:
		return "is missing; it must be %s" % wanted
	if value is Array or value is Dictionary:
		return "is an %s; it must be %s" % ["array" if value is Array else "object", wanted]
	return "is %s; it must be %s" % [JSON.stringify(value).left(40), wanted]
