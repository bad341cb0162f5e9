@tool
extends Button
## Offers names, and what the project holds of a kind; anything else can be picked in a dialog.

signal chosen(text: String)

const Finds := preload("finds.gd")
const Pick := preload("pick.gd")

## One of the kinds of [Finds], or empty.
var kind := ""
## Names to offer first.
var names: PackedStringArray = []
## The filter of the file dialog; empty for folders.
var filter := ""

var _menu := PopupMenu.new()


func _init() -> void:
	flat = true
	tooltip_text = "Choose from the project"
	add_child(_menu)
	_menu.index_pressed.connect(_on_pressed)
	pressed.connect(_offer)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		icon = get_theme_icon("Load" if filter else "Folder", "EditorIcons")


func _offer() -> void:
	disabled = true
	Finds.search(kind, _show)


func _show(paths: PackedStringArray) -> void:
	disabled = false
	_menu.clear()
	for text: String in names:
		_menu.add_item(text)
	for path: String in paths:
		_menu.add_item(path)
	if _menu.item_count == 0:
		_choose()
		return
	_menu.add_separator()
	_menu.add_item("Choose a file…" if filter else "Choose a folder…")
	_menu.reset_size()
	_menu.position = Vector2i(get_screen_position() + Vector2(size.x - _menu.size.x, size.y))
	_menu.popup()


func _on_pressed(index: int) -> void:
	if index == _menu.item_count - 1:
		_choose()
	else:
		chosen.emit(_menu.get_item_text(index))


func _choose() -> void:
	if filter:
		Pick.project_file(self, filter, chosen.emit)
	else:
		Pick.project_folder(self, chosen.emit)
