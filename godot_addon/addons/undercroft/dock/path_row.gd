@tool
extends HBoxContainer
## A file or a folder of the project, typed or picked.

signal changed

const Pick := preload("pick.gd")

## The filter of a file dialog; empty for folders.
var filter := ""

var _line := LineEdit.new()
var _button := Button.new()


func _init() -> void:
	_line.name = "Text"
	_line.size_flags_horizontal = SIZE_EXPAND_FILL
	_line.text_changed.connect(func(_text: String) -> void: changed.emit())
	add_child(_line)
	_button.name = "Choose"
	_button.flat = true
	_button.tooltip_text = "Choose from the project"
	_button.pressed.connect(_choose)
	add_child(_button)


func setup(placeholder: String, help: String) -> void:
	_line.placeholder_text = placeholder
	_line.tooltip_text = help


## The path in the project; empty if nothing was typed.
func path() -> String:
	var typed := _line.text.strip_edges()
	if not typed or typed.begins_with("res://"):
		return typed
	return "res://".path_join(typed)


func restore(path_text: String) -> void:
	_line.text = path_text


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_button.icon = get_theme_icon("Load" if filter else "Folder", "EditorIcons")


func _choose() -> void:
	if filter:
		Pick.project_file(self, filter, _on_chosen)
	else:
		Pick.project_folder(self, _on_chosen)


func _on_chosen(chosen: String) -> void:
	_line.text = chosen
	changed.emit()
