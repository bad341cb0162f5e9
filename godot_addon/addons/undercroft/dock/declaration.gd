extends RefCounted
## One value that people may set, as `undercroft describe` tells it.

const Declaration := preload("declaration.gd")

const KINDS: PackedStringArray = ["boolean", "integer", "integers", "string", "texts"]

## Dotted, such as `state.coins`; an exporter's begins with its format.
var key := ""
## One of [constant KINDS].
var kind := ""
var default: Variant
## Bounds of numbers; both 0 where there are none.
var low := 0
var high := 0
var choices: PackedStringArray = []
## What each of several numbers is.
var parts: PackedStringArray = []
var unit := ""
var help := ""
## The heading that it is shown under.
var group := ""
## What a text stands for: `folder`, `resource`, `colour`, or nothing in particular.
var form := ""


## The declaration in one row of the JSON; null where it is none that is known here: a newer
## generator may have more kinds of values, which then keep their defaults.
static func read(row: Variant) -> Declaration:
	if not row is Dictionary:
		return null
	var table: Dictionary = row
	var found := Declaration.new()
	found.key = str(table.get("key", ""))
	found.kind = str(table.get("type", ""))
	if not found.key or not KINDS.has(found.kind):
		return null
	found.low = number(table.get("low", 0))
	found.high = number(table.get("high", 0))
	found.choices = texts(table.get("choices"))
	found.parts = texts(table.get("parts"))
	found.unit = str(table.get("unit", ""))
	found.help = str(table.get("help", ""))
	found.group = str(table.get("group", ""))
	found.form = str(table.get("form", ""))
	found.default = found.typed(table.get("default"))
	return found


## All declarations of a list.
static func read_all(rows: Variant) -> Array[Declaration]:
	var found: Array[Declaration] = []
	if rows is Array:
		var list: Array = rows
		for row: Variant in list:
			var declaration := read(row)
			if declaration:
				found.append(declaration)
	return found


## A value of this kind: JSON's numbers are floats, and what was remembered may be anything.
func typed(value: Variant) -> Variant:
	match kind:
		"boolean":
			return value is bool and value
		"integer":
			return number(value)
		"integers":
			var numbers: Array[int] = []
			if value is Array:
				var list: Array = value
				for item: Variant in list:
					numbers.append(number(item))
			return numbers
		"texts":
			return value if value is Dictionary else {}
	return "" if value == null else str(value)


## The name that people read, as the inspector writes names.
func label() -> String:
	return key.get_slice(".", key.count(".")).capitalize()


## What it is, for a tooltip: help, range, default, and the key for specs and command lines.
func tooltip(given: Variant) -> String:
	var lines: PackedStringArray = [help.left(1).to_upper() + help.substr(1)]
	if high > low:
		lines.append("%d to %d %s" % [low, high, unit])
	elif unit:
		lines.append(unit)
	if not given is Dictionary:
		lines.append("default: %s" % ("none" if str(given) == "" else str(given)))
	lines.append(key)
	return "\n".join(lines)


static func number(value: Variant) -> int:
	if value is float:
		var real: float = value
		return int(real)
	return value if value is int else 0


static func texts(value: Variant) -> PackedStringArray:
	var found: PackedStringArray = []
	if value is Array:
		var list: Array = value
		for item: Variant in list:
			found.append(str(item))
	return found
