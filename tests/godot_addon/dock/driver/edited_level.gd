@tool
extends RefCounted
## A person looks at the level in the edited scene, pins a room, and rolls others.

const Hands := preload("hands.gd")
const Rooms := preload("rooms.gd")

var _hands: Hands
var _seen := {}


func play(hands: Hands) -> Dictionary:
	_hands = hands
	await _hands.until(func() -> bool: return _hands.find("Page").visible)
	await _hands.show_dock()
	EditorInterface.set_main_screen_editor("2D")
	await _hands.choose(_hands.find("Spec") as OptionButton, "isaac")
	await _hands.type(_hands.find("Text", _hands.find("Seed")) as LineEdit, "7")
	await _hands.type(_hands.find("LevelName") as LineEdit, "vault")
	await _hands.click(_hands.find("Generate"))
	await _hands.generated()
	await _hands.drawn()
	Rooms.show_tab(_hands, 1)
	await _hands.frames(10)
	_look()
	if DisplayServer.get_name() != "headless":
		await _hands.shot("res://.godot/edited.png")
	await _pin_and_roll()
	Rooms.show_tab(_hands, 0)
	(_hands.find("Generate") as Button).pressed.emit()  # the windows of before may hold the mouse
	await _hands.generated()
	_seen["again"] = _hands.message()
	return _seen


func _look() -> void:
	var lines: Array[String] = []
	var tree := _hands.find("RoomTree") as Tree
	for room: TreeItem in tree.get_root().get_children():
		lines.append(room.get_text(0))
		for marker: TreeItem in room.get_children():
			if marker.get_icon(0) == null:
				_seen["bare"] = marker.get_text(0)
	_seen["lines"] = lines
	_seen["in_room"] = tree.get_root().get_child(1).get_children().map(
		func(line: TreeItem) -> String: return line.get_text(0)
	)
	tree.get_root().get_child(6).select(0)
	_seen["selected"] = str(EditorInterface.get_selection().get_selected_nodes()[0].name)
	_seen["layouts"] = _layouts()


func _pin_and_roll() -> void:
	await _choose(5, "Pin")
	await _choose(6, "Re-roll this room")
	await _hands.generated()
	await _hands.frames(10)
	_seen["rolled"] = [_hands.message(), _layouts()]
	(_hands.find("RollOthers") as Button).pressed.emit()  # the menu still holds the mouse
	await _hands.generated()
	await _hands.frames(10)
	_seen["others"] = [_hands.message(), _layouts()]
	await _choose(6, "Open the layout")
	await _hands.until(func() -> bool: return _hands.find("Drawing") != null)
	_seen["drawing"] = (_hands.find("Drawing") as TextEdit).text
	(_hands.find("Drawing").get_parent() as Window).hide()


func _layouts() -> Array:
	var rooms := EditorInterface.get_edited_scene_root().get_node("Rooms").get_children()
	return rooms.map(func(room: Node) -> String: return str(room.get_meta("layout")))


func _choose(room: int, text: String) -> void:
	await Rooms.point_at(_hands, room, true)
	var menu := _hands.dock().find_child("RoomMenu", true, false) as PopupMenu
	for index: int in menu.item_count:
		if menu.get_item_text(index) == text:
			menu.hide()
			menu.index_pressed.emit(index)
	await _hands.frames(2)
