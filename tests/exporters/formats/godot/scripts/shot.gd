## Draws the tiles of a level on a viewport of its size and saves the picture.
extends "probe.gd"

const Plain := preload("plain.gd")

var _frames := 0
var _viewport := SubViewport.new()


func _initialize() -> void:
	var packed: PackedScene = load(arguments[0])
	var level := packed.instantiate() as Node2D
	_viewport.transparent_bg = true
	_viewport.size = (level.get_meta("size") as Vector2i) * (level.get_meta("tile_size") as int)
	_viewport.render_target_update_mode = SubViewport.UPDATE_ALWAYS
	_viewport.add_child(level)
	root.add_child(_viewport)
	RenderingServer.frame_post_draw.connect(_drawn)


func _drawn() -> void:
	_frames += 1
	if _frames == 3:
		_viewport.get_texture().get_image().save_png(arguments[1])
		quit()
