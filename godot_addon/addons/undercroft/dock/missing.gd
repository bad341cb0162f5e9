@tool
extends VBoxContainer
## Shown if the generator's command is missing: why, and what to do.

## The user may have installed or chosen the command.
signal look_again

const Command := preload("command.gd")
const Install := preload("install.gd")
const Pick := preload("pick.gd")

var _why := Label.new()
var _icon := TextureRect.new()
var _installer := Install.new()
var _to_install := VBoxContainer.new()
var _start: Button
var _stop: Button
var _progress := Label.new()


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
	add_child(_installer)
	_installer.told.connect(func(line: String) -> void: _progress.text = line)
	_installer.finished.connect(_on_installed)
	add_child(_to_install)
	_add_text(
		(
			"Install it into the project, in res://.venv. This needs Python 3.11 or newer, and a"
			+ " network for numpy and other packages."
		),
		_to_install
	)
	_start = _add_button("Install", "Install", _on_install, _to_install)
	_stop = _add_button("Stop", "Stop", _on_stop, _to_install)
	_progress.name = "Progress"
	_progress.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_to_install.add_child(_progress)
	_show_busy(false)
	_add_text("Or with Python 3.11 or newer, in a terminal, in a checkout of Undercroft:")
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


func tell(why: String) -> void:
	_why.text = "\n".join(PackedStringArray([why, _installer.wheel_problem()])).strip_edges()
	_to_install.visible = _installer.wheel() != ""


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_icon.texture = get_theme_icon("StatusWarning", "EditorIcons")


func _on_install() -> void:
	_show_busy(true)
	_installer.start()


func _on_stop() -> void:
	_installer.stop()
	_show_busy(false)
	_progress.text = "Stopped; press Install to go on."


func _on_installed(problem: String) -> void:
	_show_busy(false)
	_progress.text = problem
	if problem:
		return
	if Command.setting():  # which named no command
		ProjectSettings.set_setting(Command.SETTING, "")
		ProjectSettings.save()
	look_again.emit()


func _show_busy(busy: bool) -> void:
	_start.visible = not busy
	_stop.visible = busy


func _add_text(text: String, to: Control = self) -> void:
	var label := Label.new()
	label.text = text
	label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	to.add_child(label)


func _add_button(node_name: String, text: String, pressed: Callable, to: Control = self) -> Button:
	var button := Button.new()
	button.name = node_name
	button.text = text
	button.clip_text = true
	button.pressed.connect(pressed)
	to.add_child(button)
	return button


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
