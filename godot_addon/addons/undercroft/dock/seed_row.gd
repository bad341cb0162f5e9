@tool
extends VBoxContainer
## The seed: typed, a code of the game, or random.

signal changed

var _line := LineEdit.new()
var _throw := Button.new()
var _each_time := CheckBox.new()


func _init() -> void:
	name = "Seed"
	var row := HBoxContainer.new()
	var label := Label.new()
	label.text = "Seed"
	row.add_child(label)
	_line.name = "Text"
	_line.size_flags_horizontal = SIZE_EXPAND_FILL
	_line.text_changed.connect(func(_text: String) -> void: changed.emit())
	row.add_child(_line)
	_throw.name = "Throw"
	_throw.flat = true
	_throw.tooltip_text = "A random seed"
	_throw.pressed.connect(throw)
	row.add_child(_throw)
	add_child(row)
	_each_time.name = "EachTime"
	_each_time.clip_text = true
	_each_time.text = "New each time"
	_each_time.tooltip_text = "Use a new random seed each time you press Generate"
	_each_time.toggled.connect(func(_on: bool) -> void: changed.emit())
	add_child(_each_time)


func setup(default_seed: String, help: String) -> void:
	_line.placeholder_text = default_seed
	_line.tooltip_text = help


func restore(seed_text: String, each_time: bool) -> void:
	_line.text = seed_text
	_each_time.set_pressed_no_signal(each_time)


## As typed, without surrounding spaces.
func seed_text() -> String:
	return _line.text.strip_edges()


func is_new_each_time() -> bool:
	return _each_time.button_pressed


## Sets a random seed: 32 bits, which all styles accept, and never 0, which one style does not.
func throw() -> void:
	var chance := RandomNumberGenerator.new()
	chance.randomize()
	_line.text = str(maxi(1, chance.randi()))
	changed.emit()


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_throw.icon = get_theme_icon("RandomNumberGenerator", "EditorIcons")
