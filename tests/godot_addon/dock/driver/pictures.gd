@tool
extends RefCounted
## A level is made in the dock, for a picture of the editor.

const Hands := preload("hands.gd")
const Rooms := preload("rooms.gd")

var _hands: Hands


func play(hands: Hands) -> Dictionary:
	_hands = hands
	EditorInterface.set_main_screen_editor("2D")
	DisplayServer.window_set_size(Vector2i(1440, 900))
	await _hands.until(func() -> bool: return _hands.find("Page").visible)
	await _hands.show_dock()
	await _hands.choose(_hands.find("Spec") as OptionButton, "rebirth")
	await _hands.set_number("stage", 4)
	await _hands.type(_hands.find("Text", _hands.find("Seed")) as LineEdit, "TKMG 13C2")
	await _hands.click(_hands.find("Generate"))
	await _hands.generated()
	await _hands.drawn()
	await _look_from_near()
	await _hands.shot("res://.godot/dock.png")
	Rooms.show_tab(_hands, 1)
	await _hands.frames(10)
	await Rooms.point_at(_hands, 2)
	await _hands.shot("res://.godot/edited.png")
	return {}


# The level in the middle, with nothing selected. Scripts cannot scroll the editor: the scene moves.
func _look_from_near() -> void:
	EditorInterface.set_main_screen_editor("2D")
	await _hands.settled()
	var scene := EditorInterface.get_edited_scene_root() as Node2D
	var ground := scene.get_node("Ground") as TileMapLayer
	var view := EditorInterface.get_editor_viewport_2d()
	var seen := view.global_canvas_transform.affine_inverse() * (Vector2(view.size) / 2.0)
	scene.position = seen - Vector2(ground.get_used_rect().get_center() * ground.tile_set.tile_size)
	await _hands.frames(10)
	var selection := EditorInterface.get_selection()  # a change of it draws the markers' crosses anew
	selection.clear()
	selection.add_node(ground)
	await _hands.frames(10)
	selection.clear()
	await _hands.frames(60)
