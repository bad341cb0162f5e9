@tool
extends Node
## Finds the level in the edited scene, and draws an icon at each marker over the 2D view. The scene
## itself stays as it is.

## Another scene is edited, or the same one anew.
signal changed

const EditedLevel := preload("edited_level.gd")
const MarkerIcons := preload("marker_icons.gd")

# Sizes of icons on the screen, in px: they stay visible from afar and small from near.
const _SMALLEST := 12.0
const _LARGEST := 48.0

## Draws the views over the scene anew.
var draw_again: Callable
var icons: MarkerIcons
var level: EditedLevel
var shows_icons := true:
	set(on):
		shows_icons = on
		draw_again.call()

# The edited scene's.
var _id := 0


func _process(_delta: float) -> void:
	var root := EditorInterface.get_edited_scene_root()
	var id := root.get_instance_id() if root else 0
	if id == _id:
		return
	_id = id
	level = EditedLevel.of(root)
	changed.emit()


## Draws the icons of the markers that are seen.
func draw_over(overlay: Control) -> void:
	if level == null or icons == null or not shows_icons or not is_instance_valid(level.root):
		return
	var to_screen := EditorInterface.get_editor_viewport_2d().get_final_transform()
	var side := clampf(
		level.tile_size * to_screen.get_scale().x,
		_SMALLEST * EditorInterface.get_editor_scale(),
		_LARGEST * EditorInterface.get_editor_scale()
	)
	var seen := Rect2(Vector2(), overlay.size).grow(side)
	for marker: UndercroftMarker in level.plan.markers:
		for node: Variant in marker.nodes:
			if not is_instance_valid(node):
				continue
			var shown: Node2D = node
			var place := to_screen * shown.global_position
			var icon := icons.of(marker)
			if icon and seen.has_point(place) and shown.is_visible_in_tree():
				var half := Vector2.ONE * side / 2.0
				overlay.draw_texture_rect(icon, Rect2(place - half, half * 2.0), false)
