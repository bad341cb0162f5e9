## Reads back the lights of a level, by the tile that they are on, what stops them, and its ambient light.
extends "probe.gd"

const Plain := preload("plain.gd")

var _lights: Array[Dictionary] = []
var _occluders: Array[String] = []
var _area := 0.0
var _occlusion: Dictionary = {}
var _quadrants: Dictionary = {}


func _initialize() -> void:
	var packed: PackedScene = load(arguments[0])
	var level := packed.instantiate() as Node2D
	root.add_child(level)
	var tile_size: int = level.get_meta("tile_size")
	_look_in(level, level, tile_size)
	var ambient := level.get_node("Ambient") as CanvasModulate
	var seen := {
		"lights": _lights,
		"ambient": ambient.color.to_html(false),
		"occluders": _occluders,
		"walls": _area / tile_size / tile_size,
		"occlusion": _occlusion.keys(),
		"quadrants": _quadrants.keys(),
	}
	Plain.answer(arguments[1], seen)
	level.free()
	quit()


func _look_in(level: Node, node: Node, tile_size: int) -> void:
	var light := node as PointLight2D
	if light:
		var shown := light.global_position + light.offset * light.texture_scale
		var at := (shown / tile_size).floor()
		var from := (light.global_position / tile_size).floor()
		var reach := light.texture.get_width() * light.texture_scale / 2 / tile_size
		var found := {"x": at.x, "y": at.y, "from": [from.x, from.y], "reach": reach}
		found["color"] = light.color.to_html(false)
		found["shadow"] = light.shadow_enabled
		_lights.append(found)
	var layer := node as TileMapLayer
	if layer:
		_occlusion[layer.occlusion_enabled] = true
		_quadrants[layer.rendering_quadrant_size] = true
	var occluder := node as LightOccluder2D
	if occluder:
		_occluders.append(str(level.get_path_to(occluder)))
		var ring := occluder.occluder.polygon
		for i: int in ring.size():
			_area += ring[i].cross(ring[(i + 1) % ring.size()]) / 2.0
	for child: Node in node.get_children():
		_look_in(level, child, tile_size)
