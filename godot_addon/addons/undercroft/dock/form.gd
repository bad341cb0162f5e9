@tool
extends VBoxContainer
## Rows for a list of values, grouped by heading.

signal changed

const Declaration := preload("declaration.gd")
const Section := preload("section.gd")
const ValueRow := preload("value_row.gd")

var _rows: Array[ValueRow] = []
var _sections: Dictionary = {}


## Rebuilds the rows. [param given] returns the unchanged value of a declaration;
## [param remembered] has changed values by key; sections whose heading is in [param open] are
## unfolded. Values without a heading are put under [param heading].
func setup(
	values: Array[Declaration],
	given: Callable,
	remembered: Dictionary,
	open: PackedStringArray,
	heading := ""
) -> void:
	for section: Node in get_children():
		remove_child(section)
		section.queue_free()
	_rows.clear()
	_sections.clear()
	for declaration: Declaration in values:
		var title := declaration.group if declaration.group else heading
		if not _sections.has(title):
			_sections[title] = _add_section(title, not open.has(title))
		var section: Section = _sections[title]
		var row := ValueRow.new()
		section.body.add_child(row)
		row.setup(declaration, given.call(declaration))
		if remembered.has(declaration.key):
			row.restore(remembered[declaration.key])
		row.changed.connect(_on_changed)
		_rows.append(row)
	_limit_rows()
	_tell_changes()


## The changed values by key.
func changes() -> Dictionary:
	var found := {}
	for row: ValueRow in _rows:
		if row.is_changed():
			found[row.declaration.key] = row.value
	return found


## The changed values as arguments for `--option`, or with [param as_toml] for `--set`.
func arguments(as_toml: bool) -> PackedStringArray:
	var found: PackedStringArray = []
	for row: ValueRow in _rows:
		found.append_array(row.arguments(as_toml))
	return found


## The files and folders in values.
func paths() -> PackedStringArray:
	var found: PackedStringArray = []
	for row: ValueRow in _rows:
		if row.declaration.is_path() and row.value:
			found.append(str(row.value))
	return found


func open_sections() -> PackedStringArray:
	var found: PackedStringArray = []
	for title: String in _sections:
		var section: Section = _sections[title]
		if not section.is_folded():
			found.append(title)
	return found


func _add_section(title: String, folded: bool) -> Section:
	var section := Section.new()
	section.setup(title, folded)
	section.folded_changed.connect(func() -> void: changed.emit())
	add_child(section)
	return section


func _on_changed() -> void:
	_limit_rows()
	_tell_changes()
	changed.emit()


# Some values limit others.
func _limit_rows() -> void:
	for row: ValueRow in _rows:
		if row.declaration.rules:
			row.limit(row.declaration.rules.filter(_holds))


func _holds(rule: Dictionary) -> bool:
	for row: ValueRow in _rows:
		if row.declaration.key == rule.get("key"):
			for value: Variant in rule.get("values", []):
				if row.declaration.typed(value) == row.value:
					return true
	return false


func _tell_changes() -> void:
	for title: String in _sections:
		var section: Section = _sections[title]
		var count := 0
		for row: Node in section.body.get_children():
			if row is ValueRow and (row as ValueRow).is_changed():
				count += 1
		section.tell_changes(count)
