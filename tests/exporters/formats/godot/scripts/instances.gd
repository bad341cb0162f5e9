## Tells every node of a level that is an instance of another scene, and which decor tiles are left.
extends "probe.gd"

const Plain := preload("plain.gd")

var _found: Array = []
var _cells := {}


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var packed: PackedScene = load(arguments[0])
	var level := packed.instantiate() as Node2D
	root.add_child(level)  # so that each is ready
	_look(level, Vector2.ZERO)
	Plain.answer(arguments[1], {"instances": _found, "cells": _cells})
	level.free()
	quit()


func _look(node: Node2D, at: Vector2) -> void:
	if node.scene_file_path.begins_with("res://game/"):
		var meta := {}
		for key: StringName in node.get_meta_list():
			meta[key] = node.get_meta(key)
		(
			_found
			. append(
				{
					"scene": node.scene_file_path,
					"name": node.name,
					"above": node.get_parent().name,
					"position": at + node.position,
					"groups": node.get_groups(),
					"meta": meta,
					"way": node.has_node("Way"),
					"shape": node.has_node("Shape"),
					"told": node.get("told"),
					"seen": node.get("seen"),
				}
			)
		)
		return
	for layer_name: String in ["Decor", "Doors", "Overlay"]:
		if node.name == layer_name:
			var cells: Array = _cells.get_or_add(layer_name, [])
			var used: Array[Vector2i] = (
				(node as TileMap).get_used_cells(0)
				if node is TileMap
				else (node as TileMapLayer).get_used_cells()
			)
			for cell: Vector2i in used:
				cells.append(at / 16 + Vector2(cell))
	for child: Node in node.get_children():
		if child is Node2D:
			_look(child as Node2D, at + node.position)
