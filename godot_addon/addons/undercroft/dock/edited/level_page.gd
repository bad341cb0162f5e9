@tool
extends VBoxContainer
## The level in the edited scene: its rooms as a map and as lines, and what can be done with one.

## Arguments of `undercroft reroll`, without the level's file, and what they do.
signal roll(arguments: PackedStringArray, doing: String)
signal icons_switched(on: bool)
## A layout that is no file of the project: its name.
signal layout_wanted(layout: String)

enum Item { LAYOUT, MARKERS, KIND, PIN, OPEN }

const EditedLevel := preload("edited_level.gd")
const Finds := preload("../finds.gd")
const MarkerIcons := preload("marker_icons.gd")
const Memory := preload("../memory.gd")
const RoomMap := preload("room_map.gd")
const RoomTree := preload("room_tree.gd")

const _NONE := "No level is open. Open the scene of a level that Undercroft wrote or imported."
const _POINT := "Point at a room; click on it to roll it again."

var level: EditedLevel

var _map := RoomMap.new()
var _facts := Label.new()
var _tree := RoomTree.new()
var _others := Button.new()
var _icons := CheckBox.new()
var _menu := PopupMenu.new()
# What the menu is about.
var _room: UndercroftRoom


func _init() -> void:
	name = "EditedLevel"
	_facts.name = "RoomFacts"
	_facts.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_facts.text = _NONE
	_map.pointed.connect(_on_pointed)
	_map.picked.connect(ask)
	_tree.asked.connect(ask)
	_others.name = "RollOthers"
	_others.clip_text = true
	_others.pressed.connect(_roll_others)
	_icons.name = "Icons"
	_icons.text = "Icons in the scene"
	_icons.clip_text = true
	_icons.tooltip_text = "Show an icon at each marker in the editor; the scene is not changed"
	_icons.button_pressed = true
	_icons.toggled.connect(func(on: bool) -> void: icons_switched.emit(on))
	_menu.name = "RoomMenu"
	_menu.index_pressed.connect(_on_item)
	for part: Node in [_map, _facts, _tree, _others, _icons, _menu]:
		add_child(part)
	show_level(null, null)


## Shows a level, or that there is none.
func show_level(shown: EditedLevel, icons: MarkerIcons) -> void:
	level = shown
	_room = null
	_menu.hide()
	_map.pins = Memory.pins(level.json, level.identity()) if level else PackedInt32Array()
	_map.show_level(level)
	_tree.show_level(level, icons, _map.pins)
	for part: Control in [_map, _tree, _others, _icons]:
		part.visible = level != null
	_on_pointed(null)
	_show_pins()


## Opens the menu of a room, at the mouse.
func ask(room: UndercroftRoom) -> void:
	_room = room
	_menu.clear()
	_menu.add_item("Re-roll this room", Item.LAYOUT)
	_menu.add_item("Re-roll where its enemies and items are", Item.MARKERS)
	_menu.add_item("Re-roll its kind", Item.KIND)
	_menu.add_separator()
	_menu.add_check_item("Pin", Item.PIN)
	_menu.set_item_checked(_menu.get_item_index(Item.PIN), room.id in _map.pins)
	_menu.add_item("Open the layout", Item.OPEN)
	_menu.set_item_disabled(_menu.get_item_index(Item.OPEN), room.layout.is_empty())
	_menu.reset_size()
	_menu.position = Vector2i(get_screen_position() + get_local_mouse_position())
	_menu.popup()


func _on_pointed(room: UndercroftRoom) -> void:
	if level == null:
		_facts.text = _NONE
	elif room:
		_facts.text = level.room_facts(room)
	else:
		_facts.text = level.problem() if level.problem() else _POINT


func _on_item(index: int) -> void:
	match _menu.get_item_id(index):
		Item.LAYOUT:
			_roll_one("layout")
		Item.MARKERS:
			_roll_one("markers")
		Item.KIND:
			_roll_one("kind")
		Item.PIN:
			_turn_pin()
		Item.OPEN:
			_open_layout()


func _roll_one(what: String) -> void:
	var given: PackedStringArray = ["--room=%d" % _room.id, "--what=" + what]
	roll.emit(given, "Rolling %s" % level.room_name(_room))


func _roll_others() -> void:
	var given: PackedStringArray = []
	for id: int in _map.pins:
		given.append("--pin=%d" % id)
	roll.emit(given, "Rolling the other rooms")


func _turn_pin() -> void:
	var pins := _map.pins.duplicate()
	if _room.id in pins:
		pins.remove_at(pins.find(_room.id))
	else:
		pins.append(_room.id)
		pins.sort()
	_map.pins = pins
	Memory.save_pins(level.json, level.identity(), pins)
	_map.queue_redraw()
	_tree.show_pin(_room, _room.id in pins)
	_show_pins()


func _show_pins() -> void:
	var count := _map.pins.size()
	_others.disabled = count == 0
	_others.text = "Re-roll all but %d pinned" % count if count else "Re-roll all but pinned rooms"
	_others.tooltip_text = "Pin the rooms that you like; the others are rolled again"


# The game's own is opened by the system's editor, a shipped one is shown.
func _open_layout() -> void:
	Finds.search("layouts", _open_layout_in.bind(_room.layout.get_slice("+", 0)))


func _open_layout_in(folders: PackedStringArray, layout: String) -> void:
	for folder: String in folders:
		var file := folder.path_join(layout.trim_prefix("own/") + ".txt")
		if FileAccess.file_exists(file):
			OS.shell_open(ProjectSettings.globalize_path(file))
			return
	layout_wanted.emit(layout)
