@tool
extends "editor.gd"
## Yes or no.

var _box := CheckBox.new()


func setup(_declaration: Declaration) -> void:
	_box.text = "On"
	_box.size_flags_horizontal = SIZE_EXPAND_FILL
	_box.toggled.connect(func(on: bool) -> void: edited.emit(on))
	add_child(_box)


# If only one value is allowed, there is nothing to choose.
func limit(declaration: Declaration) -> void:
	_box.disabled = declaration.choices.size() == 1


func show_value(value: Variant) -> void:
	var on: bool = value
	_box.set_pressed_no_signal(on)
