@tool
extends RefCounted
## A person chooses "import again" when what was imported is lost.

const Hands := preload("hands.gd")
const IMPORTED := "res://.godot/imported"
const ITEM := "Undercroft: import again"
const LIST := "res://other.txt"


func play(hands: Hands) -> Dictionary:
	await hands.until(func() -> bool: return FileAccess.file_exists(LIST) and _ours() != "")
	await hands.settled()
	var seen := {"before": FileAccess.get_file_as_string(LIST)}
	FileAccess.open(_ours(), FileAccess.WRITE).store_string("lost")
	_choose_in(hands.get_tree().root)
	await hands.until(
		func() -> bool:
			return FileAccess.get_file_as_bytes(_ours()).slice(0, 4) != "lost".to_ascii_buffer()
	)
	await hands.settled()
	seen["ours"] = FileAccess.get_file_as_bytes(_ours()).slice(0, 4).get_string_from_ascii()
	seen["after"] = FileAccess.get_file_as_string(LIST)
	return seen


func _ours() -> String:
	for file: String in DirAccess.get_files_at(IMPORTED):
		if file.begins_with("ours.tmj-") and file.ends_with(".scn"):
			return IMPORTED.path_join(file)
	return ""


## Menus lie hidden inside of other controls.
func _choose_in(node: Node) -> void:
	var menu := node as PopupMenu
	for index: int in menu.item_count if menu else 0:
		if menu.get_item_text(index) == ITEM:
			menu.index_pressed.emit(index)
			menu.id_pressed.emit(menu.get_item_id(index))
	for child: Node in node.get_children(true):
		_choose_in(child)
