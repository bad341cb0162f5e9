@tool
extends HBoxContainer
## The base of editors for values. Each kind of value has one in this folder.

## A person changed the value.
signal edited(value: Variant)

const Declaration := preload("../declaration.gd")


func setup(_declaration: Declaration) -> void:
	pass


## Sets new limits for the value; [method show_value] is called next.
func limit(_declaration: Declaration) -> void:
	pass


## Shows a value that was not typed here.
func show_value(_value: Variant) -> void:
	pass


## The control that gets the keyboard focus first.
func first_control() -> Control:
	return get_child(0) as Control
