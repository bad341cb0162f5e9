@tool
extends "editor.gd"
## One of several names.

var _button := OptionButton.new()
var _choices: PackedStringArray = []


func setup(declaration: Declaration) -> void:
	_choices = declaration.choices
	for choice: String in _choices:
		_button.add_item(choice.capitalize() if choice.is_valid_identifier() else choice)
	_button.size_flags_horizontal = SIZE_EXPAND_FILL
	_button.fit_to_longest_item = false
	_button.clip_text = true
	_button.item_selected.connect(func(index: int) -> void: edited.emit(_choices[index]))
	add_child(_button)


func show_value(value: Variant) -> void:
	_button.select(_choices.find(str(value)))
