@tool
extends "editor.gd"
## A whole number, or several, side by side if there is space. A number that may be off has a check
## box in front of it.

const _SHORT_UNIT := 6
const _WIDTH := 72
const _LETTER := 8
# A slider with more steps than pixels is useless.
const _LONGEST_SLIDER := 100

var _declaration: Declaration
var _fields: Array[EditorSpinSlider] = []
var _on: CheckBox


func setup(declaration: Declaration) -> void:
	_declaration = declaration
	if declaration.has_off and declaration.kind == "integer":
		_on = CheckBox.new()
		_on.toggled.connect(_on_changed.bind(0).unbind(1))
		add_child(_on)
	var flow := HFlowContainer.new()
	flow.size_flags_horizontal = SIZE_EXPAND_FILL
	add_child(flow)
	var several: Variant = declaration.default
	var count := 1
	if several is Array:
		var list: Array = several
		count = list.size()
	for index: int in count:
		var field := _field(declaration)
		if index < declaration.parts.size():
			field.label = declaration.parts[index]
		field.value_changed.connect(_on_changed.bind(index).unbind(1))
		_fields.append(field)
		flow.add_child(field)
	limit(declaration)


func limit(declaration: Declaration) -> void:
	_declaration = declaration
	for field: EditorSpinSlider in _fields:
		field.set_block_signals(true)
		field.step = declaration.step
		field.min_value = declaration.low
		field.max_value = declaration.high
		field.allow_lesser = declaration.high <= declaration.low
		field.allow_greater = field.allow_lesser
		field.set_block_signals(false)
		field.hide_slider = declaration.high - declaration.low > _LONGEST_SLIDER


func show_value(value: Variant) -> void:
	var numbers: Array = value if value is Array else [value]
	var is_off: bool = _on != null and value == _declaration.off
	if _on:
		_on.set_pressed_no_signal(not is_off)
	for index: int in mini(_fields.size(), numbers.size()):
		_fields[index].read_only = is_off
		if not is_off:
			_fields[index].set_value_no_signal(Declaration.number(numbers[index]))
		_fields[index].queue_redraw()


func first_control() -> Control:
	return _on if _on else _fields[0]


func _field(declaration: Declaration) -> EditorSpinSlider:
	var field := EditorSpinSlider.new()
	if declaration.unit == "percent":
		field.suffix = "%"
	elif declaration.kind == "integer" and declaration.unit.length() <= _SHORT_UNIT:
		field.suffix = declaration.unit
	field.focus_mode = FOCUS_ALL
	field.size_flags_horizontal = SIZE_EXPAND_FILL
	var width := _WIDTH + _LETTER * field.suffix.length()
	field.custom_minimum_size.x = width * EditorInterface.get_editor_scale()
	return field


func _on_changed(index: int) -> void:
	if _declaration.kind == "integer":
		var is_off := _on != null and not _on.button_pressed
		edited.emit(_declaration.off if is_off else int(_fields[0].value))
		return
	var numbers: Array[int] = []
	for field: EditorSpinSlider in _fields:
		numbers.append(int(field.value))
	if _declaration.ordered:
		# The changed one stays, and the others follow.
		for other: int in numbers.size():
			if (other < index) == (numbers[other] > numbers[index]):
				numbers[other] = numbers[index]
	edited.emit(numbers)
