@tool
extends "editor.gd"
## A table of texts, one line each: KEY=VALUE.

var _area := TextEdit.new()


func setup(_declaration: Declaration) -> void:
	_area.placeholder_text = "key=value"
	_area.size_flags_horizontal = SIZE_EXPAND_FILL
	_area.scroll_fit_content_height = true
	_area.text_changed.connect(_on_changed)
	add_child(_area)


func show_value(value: Variant) -> void:
	if value is Dictionary and value != _table():
		var table: Dictionary = value
		var lines: PackedStringArray = []
		for key: Variant in table:
			lines.append("%s=%s" % [key, table[key]])
		_area.text = "\n".join(lines)


func _on_changed() -> void:
	edited.emit(_table())


# As on the command line, a key may contain a `=`; a value may not.
func _table() -> Dictionary:
	var table := {}
	for line: String in _area.text.split("\n", false):
		var at := line.rfind("=")
		if at > 0:
			table[line.left(at).strip_edges()] = line.substr(at + 1).strip_edges()
	return table
