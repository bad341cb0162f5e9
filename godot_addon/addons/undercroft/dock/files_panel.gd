@tool
extends VBoxContainer
## The files to write: the folder, their name, the formats and their options, and the theme.

signal changed

const Catalogue := preload("catalogue.gd")
const Choice := preload("choice.gd")
const Declaration := preload("declaration.gd")
const Form := preload("form.gd")
const Memory := preload("memory.gd")
const PathRow := preload("path_row.gd")
const Section := preload("section.gd")

const _FOLDER := "res://levels"
## For the editor, and for the addon's node at run time.
const _FORMATS: PackedStringArray = ["godot", "json"]

var _section := Section.new()
var _folder := PathRow.new()
var _name := LineEdit.new()
var _theme := PathRow.new()
var _boxes: Array[CheckBox] = []
var _formats := HFlowContainer.new()
var _forms := VBoxContainer.new()


func _init() -> void:
	name = "Files"
	_folder.name = "Folder"
	_name.name = "LevelName"
	_theme.name = "Theme"
	_theme.button.kind = "theme"
	_theme.button.filter = "*.toml; Themes"
	for row: PathRow in [_folder, _theme]:
		row.changed.connect(func() -> void: changed.emit())
	_name.text_changed.connect(func(_text: String) -> void: changed.emit())
	_name.tooltip_text = "The name of the files; if empty, the generator chooses one"
	_folder.setup(_FOLDER, "The project's folder to write to; it is created if it is missing")
	_section.setup("Files", false)
	_section.folded_changed.connect(func() -> void: changed.emit())
	_add_row("Folder", _folder)
	_add_row("Name", _name)
	_add_row("Theme", _theme)
	_add_row("Formats", _formats)
	add_child(_section)
	add_child(_forms)


func setup(catalogue: Catalogue, memory: Dictionary) -> void:
	_folder.restore(str(memory.get("folder", "")))
	_name.text = str(memory.get("name", ""))
	_theme.restore(str(memory.get("theme", "")))
	_theme.setup(catalogue.theme, catalogue.theme_help)
	var open := Memory.texts(memory, "open_options", [])
	var options := Catalogue.as_table(memory.get("options"))
	var formats := Memory.texts(memory, "formats", _FORMATS)
	for child: Node in _formats.get_children() + _forms.get_children():
		child.get_parent().remove_child(child)
		child.queue_free()
	_boxes.clear()
	for format: Catalogue.Format in catalogue.formats:
		var box := CheckBox.new()
		box.name = format.name
		box.text = format.name
		box.tooltip_text = "%s (%s)" % [format.summary, ", ".join(format.suffixes)]
		box.button_pressed = formats.has(format.name)
		_formats.add_child(box)
		_boxes.append(box)
		var form := Form.new()
		form.name = format.name
		form.visible = box.button_pressed
		form.setup(format.options, _default_of, options, open, format.name.capitalize())
		form.changed.connect(func() -> void: changed.emit())
		_forms.add_child(form)
		box.toggled.connect(_on_format.bind(form))


## Shows the name that the generator would give the files.
func suggest_name(level_name: String) -> void:
	_name.placeholder_text = level_name


## Why the chosen files cannot be written; "" if they can.
func problem() -> String:
	var folder := _folder_path()
	if folder.simplify_path().begins_with("res://.."):
		return "%s is outside the project." % folder
	for box: CheckBox in _boxes:
		if box.button_pressed:
			return ""
	return "Choose a format to write."


## Copies the choices made here to [param choice].
func fill(choice: Choice) -> void:
	choice.folder = _folder_path()
	choice.name = _name.text.strip_edges()
	choice.theme = _theme.path()
	choice.formats = []
	choice.options = []
	for index: int in _boxes.size():
		if _boxes[index].button_pressed:
			choice.formats.append(_boxes[index].text)
			choice.options.append_array(_form(index).arguments(false))


func remember(memory: Dictionary) -> void:
	var options := {}
	var open: PackedStringArray = []
	var formats: PackedStringArray = []
	for index: int in _boxes.size():
		options.merge(_form(index).changes())
		open.append_array(_form(index).open_sections())
		if _boxes[index].button_pressed:
			formats.append(_boxes[index].text)
	memory["folder"] = _folder.path()
	memory["name"] = _name.text.strip_edges()
	memory["theme"] = _theme.path()
	memory["formats"] = formats
	memory["options"] = options
	memory["open_options"] = open


func _folder_path() -> String:
	var folder := _folder.path()
	return folder if folder else _FOLDER


func _form(index: int) -> Form:
	return _forms.get_child(index) as Form


func _default_of(declaration: Declaration) -> Variant:
	return declaration.default


func _on_format(on: bool, form: Form) -> void:
	form.visible = on
	changed.emit()


func _add_row(title: String, control: Control) -> void:
	var row := HBoxContainer.new()
	var label := Label.new()
	label.text = title
	label.size_flags_horizontal = SIZE_EXPAND_FILL
	label.size_flags_stretch_ratio = 0.5
	label.size_flags_vertical = SIZE_SHRINK_BEGIN
	row.add_child(label)
	control.size_flags_horizontal = SIZE_EXPAND_FILL
	row.add_child(control)
	_section.body.add_child(row)
