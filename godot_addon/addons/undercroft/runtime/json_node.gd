extends RefCounted
## A value of a JSON file and its place in the file, with typed access that notes problems.
##
## All methods return a value of the right type, even after a problem. So readers can continue to
## the end and check for a problem once.

const JsonNode := preload("json_node.gd")
const Problem := preload("problem.gd")

## No level has more of anything.
const MAX_ITEMS := 1 << 20

var value: Variant
var place: String
var _file: String
var _problem: Problem


func _init(given: Variant, where: String, file: String, problem: Problem) -> void:
	value = given
	place = where
	_file = file
	_problem = problem


## The value under a key of an object.
func at(key: String) -> JsonNode:
	var table: Dictionary = value if value is Dictionary else {}
	if not table.has(key):
		fail("has no %s" % key)
	return _below(table.get(key), "%s.%s" % [place, key] if place else key)


## Whether an object has a key; some files leave out defaults.
func has(key: String) -> bool:
	var table: Dictionary = value if value is Dictionary else {}
	return table.has(key)


## The values of a list, which must have [param count] items if that is given.
func items(count := -1) -> Array[JsonNode]:
	var result: Array[JsonNode] = []
	if not value is Array:
		fail("is not a list")
		return result
	var list: Array = value
	if list.size() > MAX_ITEMS or (count >= 0 and list.size() != count):
		fail("has %d items, not %s" % [list.size(), str(count) if count >= 0 else "a level's"])
		return result
	for i: int in list.size():
		result.append(_below(list[i], "%s[%d]" % [place, i]))
	return result


func text() -> String:
	if not value is String:
		fail("is not text")
	return value if value is String else ""


func truth() -> bool:
	if not value is bool:
		fail("is neither true nor false")
	return is_same(value, true)


## A whole number from [param least] to [param most].
func number(least: int, most: int) -> int:
	var found := NAN
	if value is float or value is int:
		found = value
	if found != floorf(found) or found < least or found > most:  # NAN is not equal to itself
		fail("is not a whole number from %d to %d" % [least, most])
		return least
	return int(found)


## As [method number], and -1 for null.
func maybe(least: int, most: int) -> int:
	return -1 if value == null else number(least, most)


## [code][x, y][/code], from (0, 0) to below [param end].
func tile(end: Vector2i) -> Vector2i:
	var pair := items(2)
	if pair.size() != 2:
		return Vector2i()
	return Vector2i(pair[0].number(0, end.x - 1), pair[1].number(0, end.y - 1))


func tiles(end: Vector2i) -> Array[Vector2i]:
	var result: Array[Vector2i] = []
	for item: JsonNode in items():
		result.append(item.tile(end))
	return result


## An object of plain values.
func facts() -> Dictionary:
	var result: Dictionary = {}
	if not value is Dictionary:
		fail("is not an object")
		return result
	var table: Dictionary = value
	for key: String in table:
		var fact: Variant = table[key]
		if fact is float:
			var real: float = fact
			if real == floorf(real) and absf(real) < 1 << 53:
				fact = int(real)  # JSON has no whole numbers of its own
		if fact is Array or fact is Dictionary or fact == null:
			_below(fact, "%s.%s" % [place, key]).fail("is not a plain value")
		result[key] = fact
	return result


## An object as it is.
func table() -> Dictionary:
	if not value is Dictionary:
		fail("is not an object")
	return value if value is Dictionary else {}


## Whether the file has a problem, here or elsewhere.
func is_bad() -> bool:
	return _problem.found


func fail(what: String) -> void:
	_problem.note(_file, place, what)


func _below(item: Variant, where: String) -> JsonNode:
	return JsonNode.new(item, where, _file, _problem)
