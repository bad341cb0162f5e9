@tool
extends HBoxContainer
## How many levels to write: one, those of several seeds, or a run.

signal changed

const Choice := preload("choice.gd")

const _MOST := 100
const _FIRST_COUNT := 10
const _TIPS: PackedStringArray = [
	"The level of the seed",
	"A level for each of several seeds, from the seed on",
	"All stages of the seed, as a player meets them",
]

var _what := OptionButton.new()
var _count := EditorSpinSlider.new()


func _init() -> void:
	name = "Series"
	_what.name = "What"
	for text: String in ["One level", "Several seeds", "A run"]:
		_what.add_item(text)
		_what.set_item_tooltip(_what.item_count - 1, _TIPS[_what.item_count - 1])
	_what.size_flags_horizontal = SIZE_EXPAND_FILL
	_what.item_selected.connect(_on_changed.unbind(1))
	add_child(_what)
	_count.name = "Count"
	_count.min_value = 2
	_count.max_value = _MOST
	_count.value = _FIRST_COUNT
	_count.suffix = "levels"
	_count.focus_mode = FOCUS_ALL
	_count.size_flags_horizontal = SIZE_EXPAND_FILL
	_count.value_changed.connect(_on_changed.unbind(1))
	add_child(_count)
	_show()


func restore(memory: Dictionary) -> void:
	_what.select(clampi(str(memory.get("series", 0)).to_int(), 0, _what.item_count - 1))
	_count.set_value_no_signal(str(memory.get("count", _FIRST_COUNT)).to_int())
	_show()


func remember(memory: Dictionary) -> void:
	memory["series"] = _what.selected
	memory["count"] = int(_count.value)


func fill(choice: Choice) -> void:
	choice.series = _what.selected as Choice.Series
	choice.count = int(_count.value)


func _on_changed() -> void:
	_show()
	changed.emit()


func _show() -> void:
	_count.visible = _what.selected == Choice.Series.SEEDS
	_what.tooltip_text = _TIPS[_what.selected]
