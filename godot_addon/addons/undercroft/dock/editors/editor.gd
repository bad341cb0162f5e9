@tool
extends HBoxContainer
## What a value is changed with. Each kind of value has one, in this folder.

## A person changed the value.
signal edited(value: Variant)

const Declaration := preload("../declaration.gd")


## Builds the controls for a value.
func setup(_declaration: Declaration) -> void:
	pass


## Takes other limits for the value; [method show_value] follows.
func limit(_declaration: Declaration) -> void:
	pass


## Shows a value that nobody typed here.
func show_value(_value: Variant) -> void:
	pass


## The control that the keyboard goes to first.
func first_control() -> Control:
	return get_child(0) as Control
