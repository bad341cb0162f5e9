@tool
extends VBoxContainer
## What to write, the buttons Generate, Back and Cancel, and the result.

signal generate
signal back
signal cancel

const SeriesRow := preload("series_row.gd")

# A longer message is in the tooltip as a whole: the buttons below it stay in the window.
const _MOST_LINES := 6
const _FRAMES := 8
const _FRAME_SECONDS := 0.1

var series := SeriesRow.new()

var _message := HBoxContainer.new()
var _icon := TextureRect.new()
var _text := Label.new()
var _buttons := HBoxContainer.new()
var _generate := Button.new()
var _back := Button.new()
var _cancel := Button.new()
var _since := 0
# What is being done, and how much of it is done.
var _doing := ""
var _done := ""


func _init() -> void:
	name = "Actions"
	_icon.stretch_mode = TextureRect.STRETCH_KEEP_CENTERED
	_icon.size_flags_vertical = SIZE_SHRINK_BEGIN
	_message.add_child(_icon)
	_text.name = "Message"
	_text.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_text.max_lines_visible = _MOST_LINES
	_text.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	_text.size_flags_horizontal = SIZE_EXPAND_FILL
	_text.mouse_filter = MOUSE_FILTER_STOP
	_message.add_child(_text)
	_message.hide()
	add_child(_message)
	add_child(series)
	_generate.name = "Generate"
	_generate.text = "Generate"
	_generate.tooltip_text = "Write the level into the project and open its scene"
	_generate.clip_text = true
	_generate.size_flags_horizontal = SIZE_EXPAND_FILL
	_generate.pressed.connect(func() -> void: generate.emit())
	_buttons.add_child(_generate)
	_back.name = "Back"
	_back.text = "Back"
	_back.tooltip_text = (
		"Take the last write into the folder back: files that it replaced return, new ones are"
		+ " removed"
	)
	_back.pressed.connect(func() -> void: back.emit())
	_buttons.add_child(_back)
	add_child(_buttons)
	_cancel.name = "Cancel"
	_cancel.text = "Cancel"
	_cancel.pressed.connect(func() -> void: cancel.emit())
	_cancel.hide()
	add_child(_cancel)


func _ready() -> void:
	set_process(false)


## Shows that the generator is running, and what it does.
func begin(doing: String) -> void:
	_since = Time.get_ticks_msec()
	_doing = doing
	_done = ""
	_show_busy(true)
	_process(0)


func tell_done(done: String) -> void:
	_done = done + ", "


## Shows the result; an empty text hides it.
func end(text: String, is_error: bool) -> void:
	_show_busy(false)
	_text.text = text
	_text.tooltip_text = text
	_message.visible = text != ""
	_icon.texture = get_theme_icon("StatusError" if is_error else "StatusSuccess", "EditorIcons")
	if is_error:
		_text.add_theme_color_override("font_color", get_theme_color("error_color", "Editor"))
	else:
		_text.remove_theme_color_override("font_color")


## Shows or hides what is for a new level.
func show_making(makes: bool) -> void:
	series.visible = makes
	_generate.visible = makes


func is_error() -> bool:
	return _message.visible and _text.has_theme_color_override("font_color")


func is_busy() -> bool:
	return _cancel.visible


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_generate.icon = get_theme_icon("Play", "EditorIcons")
		_back.icon = get_theme_icon("UndoRedo", "EditorIcons")
		_cancel.icon = get_theme_icon("Stop", "EditorIcons")


func _process(_delta: float) -> void:
	var seconds := (Time.get_ticks_msec() - _since) / 1000.0
	_text.text = "%s… %s%d s" % [_doing, _done, seconds]
	var frame := int(seconds / _FRAME_SECONDS) % _FRAMES + 1
	_icon.texture = get_theme_icon("Progress%d" % frame, "EditorIcons")


func _show_busy(busy: bool) -> void:
	_buttons.visible = not busy
	_cancel.visible = busy
	if busy:
		_text.remove_theme_color_override("font_color")
		_message.show()
	set_process(busy)
