extends RefCounted
## A value that can be set, as described by `undercroft describe`.

const Declaration := preload("declaration.gd")

const KINDS: PackedStringArray = ["boolean", "integer", "integers", "string", "texts"]

## Dotted, such as `state.coins`; keys of exporter options begin with the format.
var key := ""
## One of [constant KINDS].
var kind := ""
var default: Variant
## Bounds of numbers, both 0 if there are none, and the step.
var low := 0
var high := 0
var step := 1
## Whether one number outside the bounds is allowed too, and which, such as 0 for no limit.
var has_off := false
var off := 0
## Whether several numbers must be in ascending order.
var ordered := false
var choices: PackedStringArray = []
## The choices for several numbers together.
var sizes: Array[Array] = []
## Limits that depend on other values: `key` and `values` of the other one, and the changes that
## then apply here.
var rules: Array[Dictionary] = []
## The names of several numbers.
var parts: PackedStringArray = []
var unit := ""
var help := ""
## The heading above it.
var group := ""
## The meaning of a text: `folder`, `resource`, `colour`, or empty.
var form := ""
## What the file or folder is that a text may name: `flow`, `kit` or `layouts`.
var holds := ""
## Texts to offer.
var names: PackedStringArray = []

var _row: Dictionary = {}


## The declaration in one row of the JSON; null if its kind is unknown. A newer generator may have
## more kinds of values, which then keep their defaults.
static func read(row: Variant) -> Declaration:
	if not row is Dictionary:
		return null
	var table: Dictionary = row
	var found := Declaration.new()
	found._row = table
	found.key = str(table.get("key", ""))
	found.kind = str(table.get("type", ""))
	if not found.key or not KINDS.has(found.kind):
		return null
	found.step = maxi(1, number(table.get("step", 1)))
	found.has_off = table.has("off")
	found.off = number(table.get("off"))
	found.ordered = table.get("ordered") == true
	found.low = number(table.get("low"))
	found.high = number(table.get("high"))
	found.choices = texts(table.get("choices"))
	for size: Variant in as_list(table.get("sizes")):
		var numbers: Array[int] = found.typed(size)
		found.sizes.append(numbers)
	for rule: Variant in as_list(table.get("when")):
		if rule is Dictionary:
			found.rules.append(rule)
	found.parts = texts(table.get("parts"))
	found.unit = str(table.get("unit", ""))
	found.help = str(table.get("help", ""))
	found.group = str(table.get("group", ""))
	found.form = str(table.get("form", ""))
	found.holds = str(table.get("holds", ""))
	found.names = texts(table.get("names"))
	found.default = found.typed(table.get("default"))
	return found


static func read_all(rows: Variant) -> Array[Declaration]:
	var found: Array[Declaration] = []
	for row: Variant in as_list(rows):
		var declaration := read(row)
		if declaration:
			found.append(declaration)
	return found


## The declaration with some of its rules applied.
func limited(by: Array[Dictionary]) -> Declaration:
	var row := _row.duplicate()
	for rule: Dictionary in by:
		var limits := rule.duplicate()
		limits.erase("key")
		limits.erase("values")
		row.merge(limits, true)
	return read(row)


func nearest(value: Variant) -> Variant:
	if kind == "integer":
		return _nearest_number(number(value))
	if kind == "integers":
		var numbers: Array[int] = typed(value)
		return _nearest_numbers(numbers)
	if not choices or choices.has(str(value)):
		return value
	if choices.has(str(default)):
		return default
	return choices[0] == "true" if kind == "boolean" else choices[0]


func _nearest_numbers(numbers: Array[int]) -> Array[int]:
	if sizes:
		return typed(numbers if sizes.has(numbers) else sizes[0])
	for index: int in numbers.size():
		numbers[index] = _nearest_number(numbers[index])
	if ordered:
		numbers.sort()
	return numbers


func _nearest_number(given: int) -> int:
	if high <= low or (has_off and given == off):
		return given
	var steps := roundi(float(clampi(given, low, high) - low) / step)
	return low + mini(steps, (high - low) / step) * step


## A value converted to this kind: JSON's numbers are floats, and remembered values may be anything.
func typed(value: Variant) -> Variant:
	match kind:
		"boolean":
			return value is bool and value
		"integer":
			return number(value)
		"integers":
			var numbers: Array[int] = []
			for item: Variant in as_list(value):
				numbers.append(number(item))
			return numbers
		"texts":
			return value if value is Dictionary else {}
	return "" if value == null else str(value)


func is_path() -> bool:
	return form == "folder" or holds != ""


## The display name, in the inspector's style.
func label() -> String:
	return key.get_slice(".", key.count(".")).capitalize()


## The tooltip: help, range, default, and the key for specs and command lines.
func tooltip(given: Variant) -> String:
	var lines: PackedStringArray = [help.left(1).to_upper() + help.substr(1)]
	if sizes:
		lines.append("%s %s" % [", ".join(sizes.map(size_text)), unit])
	elif high > low:
		lines.append(_range_text())
	elif unit:
		lines.append(unit)
	if not given is Dictionary:
		lines.append("default: %s" % ("none" if str(given) == "" else str(given)))
	lines.append(key)
	return "\n".join(lines)


func _range_text() -> String:
	var text := "%d to %d" % [low, high]
	if step == 2:
		text += ", odd" if low % 2 else ", even"
	elif step > 1:
		text += " in steps of %d" % step
	if has_off:
		text = "%d, or %s" % [off, text]
	return text + (" " + unit if unit else "")


static func size_text(size: Array) -> String:
	return " × ".join(size.map(str))


static func number(value: Variant) -> int:
	if value is float:
		var real: float = value
		return int(real)
	return value if value is int else 0


static func texts(value: Variant) -> PackedStringArray:
	var found: PackedStringArray = []
	for item: Variant in as_list(value):
		found.append(str(item))
	return found


static func as_list(value: Variant) -> Array:
	return value if value is Array else []
