extends "probe.gd"
## Draws scenes into pictures: `LIST` has a line `SCENE PICTURE WIDTH HEIGHT` for each.


func _initialize() -> void:
	_draw_all.call_deferred()


func _draw_all() -> void:
	var list := FileAccess.get_file_as_string(arguments[0])
	for line: String in list.split("\n", false):
		var parts := line.split(" ")
		var view := SubViewport.new()
		view.transparent_bg = true
		view.size = Vector2i(parts[2].to_int(), parts[3].to_int())
		view.canvas_item_default_texture_filter = (
			Viewport.DEFAULT_CANVAS_ITEM_TEXTURE_FILTER_NEAREST
		)
		view.render_target_update_mode = SubViewport.UPDATE_ALWAYS
		root.add_child(view)
		var scene: PackedScene = load(parts[0])
		view.add_child(scene.instantiate())
		for frame: int in 3:
			await RenderingServer.frame_post_draw
		view.get_texture().get_image().save_png(parts[1])
		view.free()
	quit()
