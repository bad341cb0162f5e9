@tool
extends RefCounted
## A person draws on tiles, and renames the folder in the FileSystem dock; then the maps change.

const Hands := preload("hands.gd")
const OLD := "res://maps/"
const NEW := "res://stages/"

var _imported: Dictionary = {}


func play(hands: Hands) -> Dictionary:
	await hands.until(_is_there.bind(OLD))
	await hands.settled()
	var drawing: GDScript = load("res://probes/draw_on_tiles.gd")
	var seen := {"before": {}}
	for file: String in DirAccess.get_files_at(OLD):
		if file.ends_with(".tileset.tres"):
			drawing.call("draw", OLD + file)
			seen["before"][file] = FileAccess.get_file_as_bytes(OLD + file).size()
	await _rename(hands)
	EditorInterface.get_resource_filesystem().resources_reimported.connect(_note)
	var maps := Array(DirAccess.get_files_at(NEW)).filter(_is_map)
	for file: String in maps:
		var changed := FileAccess.open(NEW + file, FileAccess.READ_WRITE)
		changed.seek_end()
		changed.store_string("\n")
		changed.close()
	EditorInterface.get_resource_filesystem().scan()
	await hands.until(
		func() -> bool:
			return maps.all(func(file: String) -> bool: return _imported.has(NEW + file))
	)
	await hands.settled()
	return seen


func _rename(hands: Hands) -> void:
	var dock := EditorInterface.get_file_system_dock()
	dock.navigate_to_path(OLD)
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
	await hands.until(_is_there.bind(NEW))
	await hands.settled()


func _is_there(folder: String) -> bool:
	var files := EditorInterface.get_resource_filesystem()
	return files.get_filesystem_path(folder) != null and not files.is_scanning()


func _is_map(file: String) -> bool:
	return file.get_extension() in ["tmj", "ldtk"]


func _note(paths: PackedStringArray) -> void:
	for path: String in paths:
		_imported[path] = true
