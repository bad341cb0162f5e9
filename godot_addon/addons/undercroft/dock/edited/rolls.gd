extends RefCounted
## The commands that roll rooms of a level again, and the layout that was asked for.

const Catalogue := preload("../catalogue.gd")
const EditedLevel := preload("edited_level.gd")
const Pick := preload("../pick.gd")

# Outside of the project's files. The level is written from there in one go, so that one Back takes
# it back.
const _FOLDER := "res://.godot/undercroft/rolled"
# Folders of the team's own, which a level only names.
const _OWN: PackedStringArray = ["layouts", "kit"]
const _SIZE := Vector2i(520, 420)


## The arguments to roll rooms; [param values] are those of the new level in the dock, as for
## `--set`.
func reroll(
	level: EditedLevel, rooms: PackedStringArray, values: PackedStringArray
) -> PackedStringArray:
	var given: PackedStringArray = ["reroll", "--out=-"]
	given.append_array(rooms)
	for value: String in values:
		if value.get_slice("=", 0) in _OWN:
			given.append("--" + value)
	return given + PackedStringArray(["--", ProjectSettings.globalize_path(level.json)])


## Keeps the level that was made until it is written; "" or why not.
func keep(level: EditedLevel, text: String) -> String:
	DirAccess.make_dir_recursive_absolute(_FOLDER)
	var file := FileAccess.open(_kept(level), FileAccess.WRITE)
	if file:
		file.store_string(text)
	if file == null or file.get_error() != OK:
		return "%s cannot be written." % _kept(level)
	return ""


## The arguments to write it in all formats that the level has, with a person's work in them.
func export(level: EditedLevel, catalogue: Catalogue) -> PackedStringArray:
	var given: PackedStringArray = ["export", "--json", "--edits=merge"]
	for format: String in level.formats(catalogue):
		given.append("--to=" + format)
	given.append("--out=" + ProjectSettings.globalize_path(level.json.get_base_dir()))
	return given + PackedStringArray(["--", ProjectSettings.globalize_path(_kept(level))])


func _kept(level: EditedLevel) -> String:
	return _FOLDER.path_join(level.json.get_file())


static func show_text(owner: Control, title: String, text: String) -> void:
	var window := AcceptDialog.new()
	window.title = title
	var drawing := TextEdit.new()
	drawing.name = "Drawing"
	drawing.text = text
	drawing.editable = false
	drawing.custom_minimum_size = Vector2(_SIZE) * EditorInterface.get_editor_scale()
	drawing.add_theme_font_override("font", owner.get_theme_font("source", "EditorFonts"))
	window.add_child(drawing)
	Pick.add_once(owner, window)
	window.popup_centered()
