@tool
extends "editor.gd"
## A text; a file, a folder or a colour can also be picked.

const FoundButton := preload("../found_button.gd")

var _line := LineEdit.new()


func setup(declaration: Declaration) -> void:
	_line.size_flags_horizontal = SIZE_EXPAND_FILL
	_line.text_changed.connect(func(text: String) -> void: edited.emit(text))
	add_child(_line)
	if declaration.form == "colour":
		var picker := ColorPickerButton.new()
		picker.edit_alpha = false
		picker.custom_minimum_size.x = 32 * EditorInterface.get_editor_scale()
		picker.color_changed.connect(
			func(color: Color) -> void: _set_text("#" + color.to_html(false))
		)
		add_child(picker)
	elif declaration.form or declaration.holds or declaration.names:
		var button := FoundButton.new()
		button.kind = declaration.holds
		button.names = declaration.names
		if declaration.form == "resource":
			button.filter = "*.tres, *.res; Resources"
		elif declaration.form != "folder":
			button.filter = "*.toml; TOML files"
		button.chosen.connect(_set_text)
		add_child(button)


func show_value(value: Variant) -> void:
	if _line.text != str(value):
		_line.text = str(value)


func _set_text(text: String) -> void:
	_line.text = text
	edited.emit(text)
