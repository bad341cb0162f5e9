@tool
extends HBoxContainer
## A value of the form: its name, a reset button, and its editor.

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
# The user's choice, which other values may currently forbid.
var _wanted: Variant
# The declaration with the current limits from other values.
var _limits: Declaration
var _label := Label.new()
var _editor: Editor
var _revert := Button.new()


## Shows a value; [param given] is the unchanged value.
func setup(of: Declaration, given: Variant) -> void:
	declaration = of
	_given = given
	_wanted = given
	value = given
	name = of.key.replace(".", "_")
	_label.text = of.label()
	_label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_label.mouse_filter = MOUSE_FILTER_STOP
	_label.size_flags_horizontal = SIZE_EXPAND_FILL
	add_child(_label)
	_revert.flat = true
	_revert.tooltip_text = "Reset to its previous value"
	_revert.pressed.connect(func() -> void: _set_value(_given))
	add_child(_revert)
	limit([])


## Sets a remembered value without a signal.
func restore(remembered: Variant) -> void:
	_wanted = declaration.typed(remembered)
	_take()


## Applies the declaration's rules that currently hold. A value that they forbid is replaced by the
## nearest one, and comes back when the rules no longer hold.
func limit(rules: Array[Dictionary]) -> void:
	_limits = declaration.limited(rules)
	var kind := _editor_of(_limits)
	if not _editor or _editor.get_script() != kind:
		if _editor:
			remove_child(_editor)
			_editor.queue_free()
		_editor = kind.new()
		_editor.setup(_limits)
		_editor.size_flags_horizontal = SIZE_EXPAND_FILL
		_editor.edited.connect(_set_value)
		add_child(_editor)
	else:
		_editor.limit(_limits)
	_label.tooltip_text = _limits.tooltip(_given)
	_editor.first_control().tooltip_text = _label.tooltip_text
	_take()


func is_changed() -> bool:
	return value != _given


## The change as `KEY=VALUE` arguments for `--option`, or with [param as_toml] for `--set`.
func arguments(as_toml: bool) -> PackedStringArray:
	if not is_changed():
		return []
	if value is String:
		var text: String = value
		if declaration.is_path() and text.begins_with("res://"):
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
	_wanted = new_value
	_take()
	changed.emit()


func _take() -> void:
	value = _limits.nearest(_wanted)
	_editor.show_value(value)
	# The button keeps its space, so that no row moves under the pointer.
	_revert.modulate.a = 1.0 if is_changed() else 0.0
	_revert.disabled = not is_changed()
	_revert.focus_mode = FOCUS_ALL if is_changed() else FOCUS_NONE


# A text that TOML would read as another type is quoted.
func _toml(text: String) -> String:
	var plain := RegEx.create_from_string(r"^(?!(true|false|inf|nan)$)[A-Za-z_./~][^\n\r]*$")
	return text if plain.search(text) else JSON.stringify(text)


func _editor_of(of: Declaration) -> GDScript:
	match of.kind:
		"boolean":
			return Flag
		"integer", "integers":
			return Choice if of.sizes else Numbers
		"texts":
			return Texts
	return Choice if of.choices else Text
