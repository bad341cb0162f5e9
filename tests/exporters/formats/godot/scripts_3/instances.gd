# Tells every node of a level that is an instance of another scene, and which decor tiles are left.
extends SceneTree

const Plain := preload("plain.gd")

var _found := []
var _cells := {}


func _init() -> void:
	var arguments := Plain.arguments()
	var level: Node2D = load(arguments[0]).instance()
	root.add_child(level)  # so that each is ready
	_look(level, Vector2.ZERO)
	Plain.answer(arguments[1], {"instances": _found, "cells": _cells})
	level.free()
	quit()


func _look(node: Node2D, at: Vector2) -> void:
	if node.filename.begins_with("res://game/"):
		var meta := {}
		for key in node.get_meta_list():
			meta[key] = node.get_meta(key)
		_found.append(
			{
				"scene": node.filename,
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
		return
	if node is TileMap:
		var layer_name: String = node.name.trim_suffix("Low").trim_suffix("High")
		if not _cells.has(layer_name):
			_cells[layer_name] = []
		for cell in node.get_used_cells():
			_cells[layer_name].append(at / 16 + cell)
	for child in node.get_children():
		if child is Node2D:
			_look(child, at + node.position)
