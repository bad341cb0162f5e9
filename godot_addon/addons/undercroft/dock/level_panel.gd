@tool
extends VBoxContainer
## The level: a preset or a spec file, the seed, its picture, and all values of the spec.

signal changed
## A spec file was picked or must be read again. The receiver describes it with the command.
signal file_wanted(path: String)

const Catalogue := preload("catalogue.gd")
const Choice := preload("choice.gd")
const Declaration := preload("declaration.gd")
const Form := preload("form.gd")
const FoundButton := preload("found_button.gd")
const Preview := preload("preview.gd")
const SeedRow := preload("seed_row.gd")
const Spec := preload("spec.gd")

# For values without a heading.
const _HEADING := "Level"
# What a new project begins with, where there is such a preset.
const _FIRST := "gungeon"

var preview := Preview.new()
var seed_row := SeedRow.new()

var _catalogue: Catalogue
var _spec: Spec
var _files: Dictionary = {}
# The file requested last, unless something else was chosen since.
var _wanted := ""
var _memory: Dictionary = {}
# Whether sections are folded, by heading; at first, all except a spec's first.
var _folds: Dictionary = {}
var _picker := OptionButton.new()
var _pick_file := FoundButton.new()
var _summary := Label.new()
var _form := Form.new()


func _init() -> void:
	var row := HBoxContainer.new()
	_picker.name = "Spec"
	_picker.size_flags_horizontal = SIZE_EXPAND_FILL
	_picker.fit_to_longest_item = false
	_picker.clip_text = true
	_picker.item_selected.connect(_on_selected)
	row.add_child(_picker)
	_pick_file.name = "SpecFile"
	_pick_file.tooltip_text = "Choose a spec in the project (a TOML file)"
	_pick_file.kind = "spec"
	_pick_file.filter = "*.toml; Specs"
	_pick_file.chosen.connect(_want)
	row.add_child(_pick_file)
	add_child(row)
	_summary.name = "Summary"
	_summary.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_summary.modulate.a = 0.7
	add_child(_summary)
	seed_row.changed.connect(func() -> void: changed.emit())
	add_child(seed_row)
	add_child(preview)
	_form.name = "Values"
	_form.changed.connect(func() -> void: changed.emit())
	add_child(_form)


## Shows the choices, and restores those made before.
func setup(catalogue: Catalogue, memory: Dictionary) -> void:
	_catalogue = catalogue
	_memory = Catalogue.as_table(memory.get("values"))
	_folds = Catalogue.as_table(memory.get("folds"))
	seed_row.restore(str(memory.get("seed", "")), str(memory.get("each_time")) == "true")
	_picker.clear()
	for spec: Spec in catalogue.presets:
		_add_item(spec.name, spec.summary)
	for path: String in _files:
		_add_item(path, path)
	var wanted := str(memory.get("spec", ""))
	var first := _find(_FIRST)
	if first == null:
		first = catalogue.presets[0]
	if wanted.begins_with("res://") and not _files.has(wanted):
		_show(first)
		_want(wanted)
	else:
		var chosen := _find(wanted)
		_show(chosen if chosen else first)


## Adds a spec file that was described, and selects it, unless something else was chosen meanwhile.
func add_file(spec: Spec) -> void:
	if not _files.has(spec.name):
		_add_item(spec.name, spec.name)
	_files[spec.name] = spec
	if spec.name != _wanted:
		return
	_wanted = ""
	_keep()
	_show(spec)
	changed.emit()


## If a spec file is chosen, requests it again and returns true.
func read_file_again() -> bool:
	if _spec.is_file():
		_want(_spec.name)
	return _spec.is_file()


## Returns to the previous choice after a file turned out not to be a spec.
func give_up_file() -> void:
	_wanted = ""
	_select(_spec.name)


## Copies the choices made here to [param choice].
func fill(choice: Choice) -> void:
	choice.spec = _spec.name
	choice.seed_text = seed_row.seed_text()
	choice.default_seed = _spec.default_seed
	choice.values = _form.arguments(true)
	choice.paths = _form.paths()


func remember(memory: Dictionary) -> void:
	_keep()
	memory["spec"] = _spec.name
	memory["seed"] = seed_row.seed_text()
	memory["each_time"] = seed_row.is_new_each_time()
	memory["values"] = _memory
	memory["folds"] = _folds


func _add_item(spec_name: String, tooltip: String) -> void:
	_picker.add_item(spec_name.get_file())
	var index := _picker.item_count - 1
	_picker.set_item_metadata(index, spec_name)
	_picker.set_item_tooltip(index, tooltip)


func _find(spec_name: String) -> Spec:
	if _files.has(spec_name):
		return _files[spec_name]
	return _catalogue.preset(spec_name)


func _show(spec: Spec) -> void:
	_spec = spec
	_select(spec.name)
	_summary.text = spec.summary
	_picker.tooltip_text = spec.name
	seed_row.setup(spec.default_seed, spec.seed_help)
	var remembered := Catalogue.as_table(_memory.get(spec.name))
	var open: PackedStringArray = []
	for heading: String in _headings():
		if not _folds.get(heading, heading != _headings()[0]):
			open.append(heading)
	_form.setup(spec.values, spec.given, remembered, open, _HEADING)


func _headings() -> PackedStringArray:
	var found: PackedStringArray = []
	for declaration: Declaration in _spec.values:
		var heading := declaration.group if declaration.group else _HEADING
		if not found.has(heading):
			found.append(heading)
	return found


func _select(spec_name: String) -> void:
	for index: int in _picker.item_count:
		if _picker.get_item_metadata(index) == spec_name:
			_picker.select(index)


# Changes are kept per spec, for when it is chosen again.
func _keep() -> void:
	for heading: String in _headings():
		_folds[heading] = not _form.open_sections().has(heading)
	var changes := _form.changes()
	if changes:
		_memory[_spec.name] = changes
	else:
		_memory.erase(_spec.name)


func _on_selected(index: int) -> void:
	var wanted := str(_picker.get_item_metadata(index))
	_keep()
	_wanted = ""
	if wanted.begins_with("res://"):
		_want(wanted)
		return
	_show(_catalogue.preset(wanted))
	changed.emit()


func _want(path: String) -> void:
	_wanted = path
	file_wanted.emit(path)
