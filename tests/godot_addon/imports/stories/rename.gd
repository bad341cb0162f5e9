@tool
extends RefCounted
## A person renames a folder in the FileSystem dock.

const Hands := preload("hands.gd")


func play(hands: Hands) -> Dictionary:
	var dock := EditorInterface.get_file_system_dock()
	dock.navigate_to_path("res://levels/")
	await hands.frames(10)
	var tree := dock.find_children("*", "Tree", true, false)[0] as Tree
	var rename := InputEventKey.new()
	rename.keycode = KEY_F2
	rename.pressed = true
	tree.gui_input.emit(rename)
	await hands.frames(10)
	for line: LineEdit in tree.find_children("*", "LineEdit", true, false):
		line.text = "stages"
		line.text_submitted.emit(line.text)
	await hands.until(_is_renamed)
	await hands.settled()
	return {"renamed": true}


func _is_renamed() -> bool:
	var files := EditorInterface.get_resource_filesystem()
	return files.get_filesystem_path("res://stages/") != null and not files.is_scanning()
