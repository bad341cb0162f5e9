## Reads back the lights of a level, by the tile that they are on, and its ambient light.
extends "probe.gd"

const Plain := preload("plain.gd")

var _lights: Array[Dictionary] = []


func _initialize() -> void:
	var packed: PackedScene = load(arguments[0])
	var level := packed.instantiate() as Node2D
	root.add_child(level)
	_look_in(level, (level.get_meta("tile_size") as int))
	var ambient := level.get_node("Ambient") as CanvasModulate
	Plain.answer(arguments[1], {"lights": _lights, "ambient": ambient.color.to_html(false)})
	level.free()
	quit()


func _look_in(node: Node, tile_size: int) -> void:
	var light := node as PointLight2D
	if light:
		var at := (light.global_position / tile_size).floor()
		var reach := light.texture.get_width() * light.texture_scale / 2 / tile_size
		_lights.append({"x": at.x, "y": at.y, "reach": reach, "color": light.color.to_html(false)})
	for child: Node in node.get_children():
		_look_in(child, tile_size)
