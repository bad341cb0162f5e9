@tool
extends "editor.gd"
## One of several names, or of several sizes.

var _button := OptionButton.new()
var _choices: Array = []


func setup(declaration: Declaration) -> void:
	_button.size_flags_horizontal = SIZE_EXPAND_FILL
	_button.item_selected.connect(func(index: int) -> void: edited.emit(_choices[index]))
	add_child(_button)
	limit(declaration)


func limit(declaration: Declaration) -> void:
	_button.clear()
	if declaration.sizes:
		_choices = declaration.sizes
		for size: Array in declaration.sizes:
			_button.add_item(Declaration.size_text(size))
		return
	_choices = Array(declaration.choices)
	for choice: String in declaration.choices:
		_button.add_item(choice.capitalize() if choice.is_valid_identifier() else choice)


func show_value(value: Variant) -> void:
	_button.select(_choices.find(value))
