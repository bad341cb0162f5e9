@tool
extends RefCounted
## A person works with a style and a format that the dock has never heard of, and with values whose
## ranges have steps, gaps and conditions.

const Hands := preload("hands.gd")

var _hands: Hands
var _seen := {}


func play(hands: Hands) -> Dictionary:
	_hands = hands
	await _hands.until(func() -> bool: return _hands.find("Page").visible)
	await _hands.show_dock()
	await _hands.choose(_hands.find("Spec") as OptionButton, "grotto")
	await _hands.drawn()
	_seen["summary"] = (_hands.find("Summary") as Label).text
	_seen["untouched"] = _arguments()
	_steps()
	await _turn_on_and_off()
	_pairs()
	_sizes()
	_conditions()
	await _hands.click(_hands.find("voxels", _hands.find("Files")))
	_hands.find("voxels_depth").call("_set_value", 4)
	_seen["all"] = _arguments()
	return _seen


func _steps() -> void:
	var field := _hands.field("width")
	var met: Array[int] = []
	field.value = field.min_value
	for _press: int in 4:
		met.append(int(field.value))
		field.value += field.step
	_seen["steps"] = met
	field.value = 6  # typed
	_seen["typed"] = _value("width")


func _turn_on_and_off() -> void:
	var box := _hands.find("rooms").find_children("*", "CheckBox", true, false)[0] as CheckBox
	var values := [_value("rooms")]
	await _hands.click(box)
	values.append(_value("rooms"))
	_hands.field("rooms").value = 3
	values.append(_value("rooms"))
	await _hands.click(box)
	values.append(_value("rooms"))
	await _hands.click(box)
	_hands.field("rooms").value = 99
	values.append(_value("rooms"))
	_seen["off"] = values


func _pairs() -> void:
	_hands.field("pools", 0).value = 7
	_seen["pair"] = _value("pools")
	_hands.field("pools", 1).value = 2
	_seen["pair_back"] = _value("pools")


func _sizes() -> void:
	var list := (
		_hands.find("cell").find_children("*", "OptionButton", true, false)[0] as OptionButton
	)
	_seen["sizes"] = range(list.item_count).map(
		func(index: int) -> String: return list.get_item_text(index)
	)
	list.select(1)
	list.item_selected.emit(1)
	_seen["size"] = _value("cell")


# What is flooded has few lakes, and no torches.
func _conditions() -> void:
	var seen: Array = []
	_hands.find("lakes").call("_set_value", 9)
	_hands.find("torches").call("_set_value", true)
	for flooded: bool in [false, true, false]:
		_hands.find("flooded").call("_set_value", flooded)
		seen.append([_value("lakes"), _hands.field("lakes").max_value, _value("torches")])
	_seen["conditions"] = seen


func _value(row: String) -> Variant:
	return _hands.find(row).get("value")


func _arguments() -> PackedStringArray:
	var choice: RefCounted = _hands.dock().call("_choice")
	var found: PackedStringArray = choice.call("arguments")
	return found
