@tool
extends HBoxContainer
## A file or a folder of the project, typed or picked.

signal changed

const FoundButton := preload("found_button.gd")

## Finds what the path may be.
var button := FoundButton.new()

var _line := LineEdit.new()


func _init() -> void:
	_line.name = "Text"
	_line.size_flags_horizontal = SIZE_EXPAND_FILL
	_line.text_changed.connect(func(_text: String) -> void: changed.emit())
	add_child(_line)
	button.name = "Choose"
	button.chosen.connect(_on_chosen)
	add_child(button)


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


func _on_chosen(chosen: String) -> void:
	_line.text = chosen
	changed.emit()
