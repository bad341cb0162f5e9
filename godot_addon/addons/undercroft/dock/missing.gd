@tool
extends VBoxContainer
## Shown if the generator's command is missing: why, and what to do.

## The user may have installed or chosen the command.
signal look_again

const Command := preload("command.gd")
const Pick := preload("pick.gd")

var _why := Label.new()
var _icon := TextureRect.new()


func _init() -> void:
	name = "Missing"
	var head := HBoxContainer.new()
	_icon.stretch_mode = TextureRect.STRETCH_KEEP_CENTERED
	head.add_child(_icon)
	_why.name = "Why"
	_why.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_why.size_flags_horizontal = SIZE_EXPAND_FILL
	head.add_child(_why)
	add_child(head)
	_add_text("Install it with Python 3.11 or newer, in a terminal, in a checkout of Undercroft:")
	var line := LineEdit.new()
	line.name = "Line"
	line.text = Command.INSTALL
	line.editable = false
	line.selecting_enabled = true
	add_child(line)
	_add_button("Copy", "Copy the line", func() -> void: DisplayServer.clipboard_set(line.text))
	_add_text("Or choose where it is: the command, or the folder of a virtual environment.")
	_add_button("Choose", "Choose the command or the folder…", _choose)
	_add_button("Again", "Look again", func() -> void: look_again.emit())


## Shows why the command cannot be used.
func tell(why: String) -> void:
	_why.text = why


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_icon.texture = get_theme_icon("StatusWarning", "EditorIcons")


func _add_text(text: String) -> void:
	var label := Label.new()
	label.text = text
	label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	add_child(label)


func _add_button(node_name: String, text: String, pressed: Callable) -> void:
	var button := Button.new()
	button.name = node_name
	button.text = text
	button.clip_text = true
	button.pressed.connect(pressed)
	add_child(button)


func _choose() -> void:
	Pick.path(
		self,
		EditorFileDialog.FILE_MODE_OPEN_ANY,
		EditorFileDialog.ACCESS_FILESYSTEM,
		"",
		_on_chosen
	)


func _on_chosen(path: String) -> void:
	ProjectSettings.set_setting(Command.SETTING, ProjectSettings.localize_path(path))
	ProjectSettings.save()
	look_again.emit()
