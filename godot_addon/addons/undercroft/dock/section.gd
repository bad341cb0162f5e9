@tool
extends VBoxContainer
## Rows under a heading that folds them.

signal folded_changed

const _INDENT := 8

var body := VBoxContainer.new()

var _heading := Button.new()
var _title := ""


func setup(title: String, folded: bool) -> void:
	_title = title
	name = title.validate_node_name()
	_heading.name = "Heading"
	_heading.toggle_mode = true
	_heading.button_pressed = not folded
	_heading.alignment = HORIZONTAL_ALIGNMENT_LEFT
	_heading.clip_text = true
	_heading.toggled.connect(_on_toggled)
	add_child(_heading)
	var margin := MarginContainer.new()
	margin.add_theme_constant_override(
		"margin_left", int(_INDENT * EditorInterface.get_editor_scale())
	)
	margin.add_child(body)
	add_child(margin)
	margin.visible = not folded
	body.size_flags_horizontal = SIZE_EXPAND_FILL
	tell_changes(0)


func is_folded() -> bool:
	return not _heading.button_pressed


## Shows the number of changed values in the heading, for when the section is folded.
func tell_changes(count: int) -> void:
	_heading.text = "%s (%d changed)" % [_title, count] if count else _title


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_show_arrow()


func _on_toggled(open: bool) -> void:
	(get_child(1) as Control).visible = open
	_show_arrow()
	folded_changed.emit()


func _show_arrow() -> void:
	var arrow := "GuiTreeArrowRight" if is_folded() else "GuiTreeArrowDown"
	_heading.icon = get_theme_icon(arrow, "EditorIcons")
