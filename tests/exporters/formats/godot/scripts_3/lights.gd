# Reads back the lights of a level, by the tile that they are on, and its ambient light.
extends SceneTree

const Plain := preload("plain.gd")

var _lights := []


func _init() -> void:
	var arguments := Plain.arguments()
	var scene: PackedScene = load(arguments[0])
	if scene == null:  # Godot 3 would wait for ever after an error
		quit()
		return
	var level: Node2D = scene.instance()
	_look_in(level, level.get_meta("tile_size"), Vector2.ZERO)
	Plain.answer(arguments[1], {"lights": _lights, "ambient": level.get_node("Ambient").color.to_html(false)})
	level.free()
	quit()


func _look_in(node: Node, tile_size: int, origin: Vector2) -> void:
	var place: Vector2 = origin + (node.position if node is Node2D else Vector2.ZERO)
	if node is Light2D:
		var at: Vector2 = (place / tile_size).floor()
		var reach: float = node.texture.get_width() * node.texture_scale / 2 / tile_size
		_lights.append({"x": at.x, "y": at.y, "reach": reach, "color": node.color.to_html(false)})
	for child in node.get_children():
		_look_in(child, tile_size, place)
