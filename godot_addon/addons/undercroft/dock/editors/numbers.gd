@tool
extends "editor.gd"
## A whole number, or several: side by side where there is room.

const _SHORT_UNIT := 6
const _WIDTH := 72
# A slider of more steps than it has pixels is of no use.
const _LONGEST_SLIDER := 100

var _fields: Array[EditorSpinSlider] = []
var _single := true


func setup(declaration: Declaration) -> void:
	_single = declaration.kind == "integer"
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
		_fields.append(field)
		flow.add_child(field)


func show_value(value: Variant) -> void:
	var numbers: Array = value if value is Array else [value]
	for index: int in mini(_fields.size(), numbers.size()):
		_fields[index].set_value_no_signal(Declaration.number(numbers[index]))
		_fields[index].queue_redraw()


func first_control() -> Control:
	return _fields[0]


func _field(declaration: Declaration) -> EditorSpinSlider:
	var field := EditorSpinSlider.new()
	field.step = 1
	field.min_value = declaration.low
	field.max_value = declaration.high
	field.hide_slider = declaration.high - declaration.low > _LONGEST_SLIDER
	if declaration.unit == "percent":
		field.suffix = "%"
	elif _single and declaration.unit.length() <= _SHORT_UNIT:
		field.suffix = declaration.unit
	field.focus_mode = FOCUS_ALL
	field.size_flags_horizontal = SIZE_EXPAND_FILL
	field.custom_minimum_size.x = _WIDTH * EditorInterface.get_editor_scale()
	field.value_changed.connect(_on_changed.unbind(1))
	return field


func _on_changed() -> void:
	var numbers: Array[int] = []
	for field: EditorSpinSlider in _fields:
		numbers.append(int(field.value))
	var value: Variant = numbers[0] if _single else numbers
	edited.emit(value)
