@tool
extends "editor.gd"
## A text; a file, a folder or a colour can also be picked.

const Pick := preload("../pick.gd")

var _line := LineEdit.new()
var _button: Button
var _form := ""


func setup(declaration: Declaration) -> void:
	_form = declaration.form
	_line.size_flags_horizontal = SIZE_EXPAND_FILL
	_line.text_changed.connect(func(text: String) -> void: edited.emit(text))
	add_child(_line)
	match _form:
		"folder", "resource":
			var button := Button.new()
			button.flat = true
			button.tooltip_text = "Choose from the project"
			button.pressed.connect(_choose)
			add_child(button)
			_button = button
		"colour":
			var picker := ColorPickerButton.new()
			picker.edit_alpha = false
			picker.custom_minimum_size.x = 32 * EditorInterface.get_editor_scale()
			picker.color_changed.connect(
				func(color: Color) -> void: _set_text("#" + color.to_html(false))
			)
			add_child(picker)


func show_value(value: Variant) -> void:
	if _line.text != str(value):
		_line.text = str(value)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED and _button:
		_button.icon = get_theme_icon("Folder", "EditorIcons")


func _choose() -> void:
	if _form == "folder":
		Pick.project_folder(self, _set_text)
	else:
		Pick.project_file(self, "*.tres, *.res; Resources", _set_text)


func _set_text(text: String) -> void:
	_line.text = text
	edited.emit(text)
