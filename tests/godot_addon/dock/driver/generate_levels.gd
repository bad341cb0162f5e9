@tool
extends RefCounted
## A person makes levels: chooses, types, looks, generates, works on, generates again.

const Hands := preload("hands.gd")
const Result := preload("res://addons/undercroft/dock/result.gd")

const STYLES: Array[String] = ["isaac", "rebirth", "gungeon"]
const _MARGIN := 8  # px at the left and at the right of a button's text

var _hands: Hands
var _seen := {}


func play(hands: Hands) -> Dictionary:
	_hands = hands
	await _hands.until(func() -> bool: return _hands.find("Page").visible)
	await _hands.show_dock()
	await _look_at_all_presets()
	await _generate_one()
	await _work_on_it()
	await _take_back()
	await _change_a_file()
	await _take_back_what_was_changed()
	await _several_seeds()
	await _work_that_goes_into_the_level()
	await _mistakes()
	await _cancel()
	await _scan_while_one_runs()
	await _a_spec_of_the_project()
	return _seen


func _look_at_all_presets() -> void:
	var picker := _hands.find("Spec") as OptionButton
	var presets := {}
	for index: int in picker.item_count:
		await _hands.choose(picker, picker.get_item_text(index))
		if picker.text in STYLES:
			await _look_for_cut_texts(picker.text)
		var rows: Array[String] = []
		for row: Node in _hands.find("Values").find_children("*", "HBoxContainer", true, false):
			var declaration: RefCounted = row.get("declaration")
			if declaration:
				rows.append(str(declaration.get("key")))
		presets[picker.get_item_text(index)] = rows
	_seen["presets"] = presets


func _look_for_cut_texts(preset: String) -> void:
	for heading: Node in _hands.dock().find_children("Heading", "Button", true, false):
		(heading as Button).button_pressed = true
	await _hands.frames(3)
	var cut: Array = _seen.get_or_add("cut", [])
	for control: Control in _hands.dock().find_children("*", "Control", true, false):
		if control.is_visible_in_tree() and _is_cut(control):
			cut.append("%s: %s, %d px" % [preset, control.get_path(), control.size.x])


func _is_cut(control: Control) -> bool:
	if control is Label:
		var words := Array((control as Label).text.split(" "))
		return words.any(func(word: String) -> bool: return _width(control, word) > control.size.x)
	if control is EditorSpinSlider:
		var field := control as EditorSpinSlider
		var text := "%s%d %s" % [field.label, field.max_value, field.suffix]
		return _width(control, text) > control.size.x - 2 * _MARGIN
	if control is Button:
		return _width(control, (control as Button).text) > control.size.x - _MARGIN
	return false


func _width(control: Control, text: String) -> float:
	var font := control.get_theme_font("font")
	return font.get_string_size(text, 0, -1, control.get_theme_font_size("font_size")).x


func _generate_one() -> void:
	await _hands.choose(_hands.find("Spec") as OptionButton, "isaac")
	await _hands.set_number("stage", 3)
	await _hands.type(_hands.find("Text", _hands.find("Seed")) as LineEdit, "7")
	await _hands.drawn()
	var picture := (_hands.find("Picture") as TextureRect).texture
	_seen["preview_size"] = [picture.get_width(), picture.get_height()]
	_seen["heading"] = (_hands.find("Heading", _hands.find("Level")) as Button).text
	_seen["name"] = (_hands.find("LevelName") as LineEdit).placeholder_text
	await _hands.click(_hands.find("Generate"))
	_seen["busy"] = _hands.find("Cancel").visible
	await _hands.generated()
	_seen["first"] = _open_scene()
	await _hands.frames(5)
	_seen["folded"] = _folded()


func _work_on_it() -> void:
	await _hands.type(_hands.find("LevelName") as LineEdit, "cellar")
	await _hands.click(_hands.find("Generate"))
	await _hands.move_dock()
	await _hands.generated()
	var root := EditorInterface.get_edited_scene_root()
	var mine := Marker2D.new()
	mine.name = "Mine"
	root.add_child(mine)
	mine.owner = root
	EditorInterface.mark_scene_as_unsaved()
	await _hands.type(_hands.find("Text", _hands.find("Seed")) as LineEdit, "9")
	await _hands.click(_hands.find("Generate"))
	await _hands.generated()
	await _hands.drawn()
	_seen["again"] = _open_scene()


func _take_back() -> void:
	await _hands.click(_hands.find("Back"))
	await _hands.generated()
	_seen["back"] = _open_scene()


# The file that a person has changed is put aside.
func _take_back_what_was_changed() -> void:
	_change("res://levels/cellar.tscn")
	await _hands.click(_hands.find("Back"))
	await _hands.generated()
	var refused := _hands.message()
	var dialogs := _hands.dock().find_children("*", "ConfirmationDialog", true, false)
	var dialog: ConfirmationDialog = dialogs.back()
	dialog.confirmed.emit()
	dialog.hide()
	await _hands.generated()
	_seen["aside"] = [refused, _hands.message()]


func _several_seeds() -> void:
	await _hands.type(_hands.find("LevelName") as LineEdit, "")
	await _hands.type(_hands.find("Text", _hands.find("Seed")) as LineEdit, "20")
	await _hands.choose(_hands.find("What") as OptionButton, "Several seeds")
	(_hands.find("Count") as EditorSpinSlider).value = 2
	await _hands.click(_hands.find("Generate"))
	await _hands.generated()
	_seen["several"] = _hands.message()
	EditorInterface.open_scene_from_path("res://levels/cellar_edit.tscn")
	await _hands.frames(3)
	await _hands.click(_hands.find("Back"))
	await _hands.generated()
	_seen["several_back"] = _hands.message()
	await _hands.choose(_hands.find("What") as OptionButton, "One level")


# A marker is moved, taken back, and moved again; then a cell is painted where no level may have
# one.
func _work_that_goes_into_the_level() -> void:
	var seen: Array[Dictionary] = []
	var line := _hands.find("Text", _hands.find("Seed")) as LineEdit
	await _hands.type(_hands.find("LevelName") as LineEdit, "worked")
	await _hands.type(line, "7")
	await _hands.click(_hands.find("Generate"))
	await _hands.generated()
	seen.append(_worked())
	for button: String in ["Generate", "Back", "Generate"]:
		if button == "Generate":
			var start := EditorInterface.get_edited_scene_root().get_node("Markers/PlayerStart")
			var place: Vector2 = (start as Node2D).position + Vector2(16, 0)
			_as_a_person(start, &"set_position", [place], [place - Vector2(16, 0)])
		await _hands.click(_hands.find(button))
		await _hands.generated()
		seen.append(_worked())
	var ground := EditorInterface.get_edited_scene_root().get_node("Ground") as TileMapLayer
	var some := ground.get_used_cells()[0]
	var tile := ground.get_cell_atlas_coords(some)
	var source := ground.get_cell_source_id(some)
	_as_a_person(ground, &"set_cell", [Vector2i(), source, tile], [Vector2i(), -1])
	await _hands.type(line, "21")
	await _hands.click(_hands.find("Generate"))
	await _hands.generated()
	seen.append(_worked())
	_seen["worked"] = seen


# With an entry in the editor's history.
func _as_a_person(node: Node, method: StringName, done: Array, undone: Array) -> void:
	var history: EditorUndoRedoManager = _hands.dock().get("history")
	history.create_action("By hand", UndoRedo.MERGE_DISABLE, node)
	history.callv("add_do_method", [node, method] + done)
	history.callv("add_undo_method", [node, method] + undone)
	history.commit_action()


func _worked() -> Dictionary:
	var root := EditorInterface.get_edited_scene_root()
	var start: Node2D = root.get_node("Markers/PlayerStart")
	return {
		"said": _hands.message(),
		"is_error": _hands.find("Actions").call("is_error"),
		"seed": str(root.get_meta("seed")),
		"start": start.position.x,
		"painted": (root.get_node("Ground") as TileMapLayer).get_cell_source_id(Vector2i()) >= 0,
		"in_my_scene": FileAccess.get_file_as_string(root.scene_file_path).count("[node") - 1,
	}


# As Godot does when somebody saves the scene itself.
func _change_a_file() -> void:
	_change("res://levels/cellar.tscn")
	await _hands.type(_hands.find("Text", _hands.find("Seed")) as LineEdit, "11")
	await _hands.click(_hands.find("Generate"))
	await _hands.generated()
	_seen["changed"] = _hands.message()


func _change(path: String) -> void:
	var file := FileAccess.open(path, FileAccess.READ_WRITE)
	file.seek_end()
	file.store_string("metadata/changed = %d\n" % Engine.get_process_frames())  # of the last node
	file.close()


func _mistakes() -> void:
	var line := _hands.find("Text", _hands.find("Seed")) as LineEdit
	await _hands.type(line, "-1")
	await _hands.drawn()
	_seen["mistake_seen"] = _hands.message()
	await _hands.click(_hands.find("Generate"))
	await _hands.generated()
	_seen["mistake"] = _hands.message()
	await _hands.type(line, "9")
	await _hands.drawn()
	_seen["mended"] = _hands.message()


func _cancel() -> void:
	await _hands.choose(_hands.find("Spec") as OptionButton, "gungeon")
	await _hands.set_number("rooms", 5000)
	await _hands.type(_hands.find("LevelName") as LineEdit, "endless")
	await _hands.click(_hands.find("Generate"))
	await _hands.frames(30)
	_seen["still_busy"] = _hands.find("Cancel").visible  # the editor goes on while the generator works
	_seen["progress"] = _hands.message()
	await _hands.click(_hands.find("Cancel"))
	_seen["cancelled"] = _hands.message()
	await _hands.set_number("rooms", 0)


# The files of a level may be younger than a scan that runs already.
func _scan_while_one_runs() -> void:
	var files := EditorInterface.get_resource_filesystem()
	await _hands.settled()
	var ends := [0]
	var count := func() -> void: ends[0] += 1
	files.filesystem_changed.connect(count)
	files.scan()
	await Result.scan()
	_seen["scans"] = ends[0]
	files.filesystem_changed.disconnect(count)


func _a_spec_of_the_project() -> void:
	await _hands.pick(_hands.find("SpecFile"), "res://specs/deep.toml")
	var picker := _hands.find("Spec") as OptionButton
	await _hands.until(func() -> bool: return picker.text == "deep.toml")
	await _hands.type(_hands.find("LevelName") as LineEdit, "")
	await _hands.type(_hands.find("Text", _hands.find("Seed")) as LineEdit, "TKMG 13C2")
	await _hands.click(_hands.find("tiled", _hands.find("Files")))
	await _hands.click(_hands.find("Generate"))
	await _hands.generated()
	_seen["own"] = _open_scene()


# The nodes right below the root that are folded in the editor's scene tree.
func _folded() -> Array[String]:
	var folded: Array[String] = []
	for editor: Node in _hands.tree_editors():
		for tree: Tree in editor.find_children("*", "Tree", true, false):
			var top := tree.get_root()
			if top and top.get_text(0) == EditorInterface.get_edited_scene_root().name:
				for item: TreeItem in top.get_children():
					if item.collapsed and item.get_child_count():
						folded.append(item.get_text(0))
	return folded


func _open_scene() -> Dictionary:
	var root := EditorInterface.get_edited_scene_root()
	if not root:
		return {"message": _hands.message()}
	return {
		"message": _hands.message(),
		"scene": root.scene_file_path,
		"rooms": root.get_node("Rooms").get_child_count(),
		"seed": str(root.get_meta("seed", "")),
		"mine": root.has_node("Mine"),
	}
