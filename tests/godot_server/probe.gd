## What a question to a server runs: a node that does its work in `_initialize` and ends with
## `quit`.
##
## It has what a `SceneTree` has of the name, so that a probe reads like a script of its own.
extends Node

## It is done; the status is 0 if all went well.
signal ended(status: int)

var root: Window:
	get:
		return get_tree().root
var current_scene: Node:
	get:
		return get_tree().current_scene
var process_frame: Signal:
	get:
		return get_tree().process_frame
var physics_frame: Signal:
	get:
		return get_tree().physics_frame

## What stands after the script's name in the question.
var arguments: PackedStringArray


func _initialize() -> void:
	pass


func get_nodes_in_group(group: StringName) -> Array[Node]:
	return get_tree().get_nodes_in_group(group)


func get_first_node_in_group(group: StringName) -> Node:
	return get_tree().get_first_node_in_group(group)


func change_scene_to_file(path: String) -> Error:
	return get_tree().change_scene_to_file(path)


func quit(status: int = 0) -> void:
	ended.emit(status)
