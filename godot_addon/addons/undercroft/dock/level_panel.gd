@tool
extends VBoxContainer
## Which level: a preset or a spec's file, the seed, its picture, and every value of the spec.

signal changed
## A spec's file was picked, or is asked for again; whoever has the command describes it.
signal file_wanted(path: String)

const Catalogue := preload("catalogue.gd")
const Choice := preload("choice.gd")
const Form := preload("form.gd")
const Pick := preload("pick.gd")
const Preview := preload("preview.gd")
const SeedRow := preload("seed_row.gd")
const Spec := preload("spec.gd")

const _OPEN_AT_FIRST: PackedStringArray = ["Level"]

var preview := Preview.new()
var seed_row := SeedRow.new()

var _catalogue: Catalogue
var _spec: Spec
var _files: Dictionary = {}
var _memory: Dictionary = {}
var _open: PackedStringArray = _OPEN_AT_FIRST
var _picker := OptionButton.new()
var _pick_file := Button.new()
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
	_pick_file.flat = true
	_pick_file.tooltip_text = "Choose a spec of the project, a TOML file"
	_pick_file.pressed.connect(_on_pick_file)
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


## Shows what there is to choose from, and what was chosen before.
func setup(catalogue: Catalogue, memory: Dictionary) -> void:
	_catalogue = catalogue
	_memory = Catalogue.as_table(memory.get("values"))
	_open = memory.get("open", _OPEN_AT_FIRST)
	var each_time: bool = memory.get("each_time", false)
	seed_row.restore(str(memory.get("seed", "")), each_time)
	_picker.clear()
	for spec: Spec in catalogue.presets:
		_add_item(spec.name, spec.summary)
	for path: String in _files:
		_add_item(path, path)
	var wanted := str(memory.get("spec", ""))
	if wanted.begins_with("res://") and not _files.has(wanted):
		_show(catalogue.presets[0])
		file_wanted.emit(wanted)
	else:
		var chosen := _find(wanted)
		_show(chosen if chosen else catalogue.presets[0])


## Adds a spec's file that was described, and chooses it.
func add_file(spec: Spec) -> void:
	if not _files.has(spec.name):
		_add_item(spec.name, spec.name)
	_files[spec.name] = spec
	_keep()
	_show(spec)
	changed.emit()


## Writes what is chosen here into [param choice].
func fill(choice: Choice) -> void:
	choice.spec = _spec.name
	choice.seed_text = seed_row.seed_text()
	choice.values = _form.arguments(true)


## What to remember.
func remember(memory: Dictionary) -> void:
	_keep()
	memory["spec"] = _spec.name
	memory["seed"] = seed_row.seed_text()
	memory["each_time"] = seed_row.is_new_each_time()
	memory["values"] = _memory
	memory["open"] = _open


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_pick_file.icon = get_theme_icon("Load", "EditorIcons")


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
	for index: int in _picker.item_count:
		if _picker.get_item_metadata(index) == spec.name:
			_picker.select(index)
	_summary.text = spec.summary
	_picker.tooltip_text = spec.name
	seed_row.setup(spec.default_seed, spec.seed_help)
	var remembered := Catalogue.as_table(_memory.get(spec.name))
	_form.setup(spec.values, spec.given, remembered, _open)


# Changes are kept a spec: whoever goes back to one finds it as it was left.
func _keep() -> void:
	_open = _form.open_sections()
	var changes := _form.changes()
	if changes:
		_memory[_spec.name] = changes
	else:
		_memory.erase(_spec.name)


func _on_selected(index: int) -> void:
	var wanted := str(_picker.get_item_metadata(index))
	_keep()
	if wanted.begins_with("res://"):
		file_wanted.emit(wanted)
		return
	_show(_catalogue.preset(wanted))
	changed.emit()


func _on_pick_file() -> void:
	Pick.project_file(self, "*.toml; Specs", func(path: String) -> void: file_wanted.emit(path))
