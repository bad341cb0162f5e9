@tool
extends Tree
## The rooms of the edited level and what is in them, with readable names and icons. A line that is
## chosen selects its node in the scene.

signal asked(room: UndercroftRoom)

const EditedLevel := preload("edited_level.gd")
const MarkerIcons := preload("marker_icons.gd")

const _HEIGHT := 160
const _ICON := 16


func _init() -> void:
	name = "RoomTree"
	hide_root = true
	allow_rmb_select = true
	size_flags_vertical = SIZE_EXPAND_FILL
	texture_filter = TEXTURE_FILTER_NEAREST
	item_selected.connect(_on_selected)
	item_mouse_selected.connect(_on_mouse_selected)


func _ready() -> void:
	custom_minimum_size.y = _HEIGHT * EditorInterface.get_editor_scale()


func show_level(level: EditedLevel, icons: MarkerIcons, pins: PackedInt32Array) -> void:
	clear()
	if level == null:
		return
	create_item()
	for room: UndercroftRoom in level.plan.rooms:
		var line := _add(get_root(), level.room_name(room), room)
		line.set_tooltip_text(0, level.room_facts(room))
		_show_icon(line, EditedLevel.room_sign(room))
		if room.id in pins:
			_add_pin(line)
		for marker: UndercroftMarker in room.markers:
			_show_icon(_add(line, level.marker_name(marker), marker), icons.of(marker))
		line.collapsed = true


## Shows that a room is pinned, or no longer.
func show_pin(room: UndercroftRoom, pinned: bool) -> void:
	var line := get_root().get_child(room.id)
	line.clear_buttons()
	if pinned:
		_add_pin(line)


func _add_pin(line: TreeItem) -> void:
	line.add_button(0, get_theme_icon("Pin", "EditorIcons"), -1, true, "Pinned")


func _add(above: TreeItem, text: String, part: UndercroftPlan.PlanPart) -> TreeItem:
	var line := create_item(above)
	line.set_text(0, text)
	line.set_metadata(0, part)
	return line


func _show_icon(line: TreeItem, icon: Texture2D) -> void:
	if icon:
		line.set_icon(0, icon)
		line.set_icon_max_width(0, int(_ICON * EditorInterface.get_editor_scale()))


func _on_selected() -> void:
	var part: UndercroftPlan.PlanPart = get_selected().get_metadata(0)
	var selection := EditorInterface.get_selection()
	selection.clear()
	for node: Variant in part.nodes:
		if is_instance_valid(node):
			var shown: Node = node
			selection.add_node(shown)


func _on_mouse_selected(_place: Vector2, button: int) -> void:
	var part: UndercroftPlan.PlanPart = get_selected().get_metadata(0)
	if button == MOUSE_BUTTON_RIGHT and part is UndercroftRoom:
		asked.emit(part as UndercroftRoom)
