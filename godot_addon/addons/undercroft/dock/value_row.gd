@tool
extends HBoxContainer
## A value of the form: its name, a button that takes a change back, and what it is changed with.

signal changed

const Declaration := preload("declaration.gd")
const Editor := preload("editors/editor.gd")
const Flag := preload("editors/flag.gd")
const Choice := preload("editors/choice.gd")
const Numbers := preload("editors/numbers.gd")
const Text := preload("editors/text.gd")
const Texts := preload("editors/texts.gd")

var declaration: Declaration
var value: Variant

var _given: Variant
var _editor: Editor
var _revert := Button.new()


## Shows a value; [param given] is what it is unless changed.
func setup(of: Declaration, given: Variant) -> void:
	declaration = of
	_given = given
	value = given
	name = of.key.replace(".", "_")
	var label := Label.new()
	label.text = of.label()
	label.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	label.mouse_filter = MOUSE_FILTER_STOP
	label.tooltip_text = of.tooltip(given)
	label.size_flags_horizontal = SIZE_EXPAND_FILL
	add_child(label)
	_revert.flat = true
	_revert.tooltip_text = "Back to what it was"
	_revert.pressed.connect(func() -> void: _set_value(_given))
	add_child(_revert)
	_editor = _editor_of(of)
	_editor.setup(of)
	_editor.size_flags_horizontal = SIZE_EXPAND_FILL
	_editor.edited.connect(_set_value)
	_editor.first_control().tooltip_text = label.tooltip_text
	add_child(_editor)
	_show()


## Sets a value that was remembered, without a word.
func restore(remembered: Variant) -> void:
	value = declaration.typed(remembered)
	_show()


func is_changed() -> bool:
	return value != _given


## The change as `KEY=VALUE`, a text for each that `--option` takes, or with [param as_toml] as
## `--set` does.
func arguments(as_toml: bool) -> PackedStringArray:
	if not is_changed():
		return []
	if value is String:
		var text: String = value
		if declaration.form == "folder" and text.begins_with("res://"):
			text = ProjectSettings.globalize_path(text)
		return ["%s=%s" % [declaration.key, _toml(text) if as_toml else text]]
	if value is Dictionary:
		var table: Dictionary = value
		var found: PackedStringArray = []
		for entry: Variant in table:
			found.append("%s.%s=%s" % [declaration.key, entry, table[entry]])
		return found
	return ["%s=%s" % [declaration.key, value]]


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_revert.icon = get_theme_icon("ReloadSmall", "EditorIcons")


func _set_value(new_value: Variant) -> void:
	value = new_value
	_show()
	changed.emit()


func _show() -> void:
	_editor.show_value(value)
	# It keeps its place, so that no row moves under the pointer.
	_revert.modulate.a = 1.0 if is_changed() else 0.0
	_revert.disabled = not is_changed()
	_revert.focus_mode = FOCUS_ALL if is_changed() else FOCUS_NONE


# A text that TOML would take for something else is put in quotes.
func _toml(text: String) -> String:
	var plain := RegEx.create_from_string(r"^(?!(true|false|inf|nan)$)[A-Za-z_./~][^\n\r]*$")
	return text if plain.search(text) else JSON.stringify(text)


func _editor_of(of: Declaration) -> Editor:
	match of.kind:
		"boolean":
			return Flag.new()
		"integer", "integers":
			return Numbers.new()
		"texts":
			return Texts.new()
	return Text.new() if of.choices.is_empty() else Choice.new()
