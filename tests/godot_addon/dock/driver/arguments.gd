@tool
extends RefCounted
## A person changes values of every kind, and takes one change back.

const Hands := preload("hands.gd")


func play(hands: Hands) -> Dictionary:
	var seen := {}
	await hands.until(func() -> bool: return hands.find("Page").visible)
	await hands.show_dock()
	await hands.choose(hands.find("Spec") as OptionButton, "void")
	seen["untouched"] = _arguments(hands)
	await hands.set_number("stage", 1)
	_change(hands, "hard", true)
	_change(hands, "edition", "afterbirth")
	_change(hands, "room_size", [17, 11])
	_change(hands, "champions", 10)
	_change(hands, "layouts", "res://my layouts")
	_change(hands, "state_coins", 15)
	_change(hands, "godot_tileset", "res://art/tiles.tres")
	_change(
		hands, "godot_scenes", {"enemy.role=shooter": "res://archer.tscn", "chest": "res://c.tscn"}
	)
	seen["changed"] = _arguments(hands)
	_change(hands, "layouts", "7")
	await hands.click(hands.find("hard").get_child(1) as Control)
	seen["quoted"] = _arguments(hands)
	seen["doors"] = hands.field("door_width").step
	_change(hands, "layouts", "")
	_change(hands, "body", 2)
	await hands.set_number("rooms", 20)
	seen["narrowed"] = _arguments(hands)
	await hands.set_number("rooms", 0)
	_change(hands, "body", 1)
	seen["widened"] = _arguments(hands)
	await _choose_from_the_project(hands, seen)
	await _series(hands, seen)
	return seen


func _choose_from_the_project(hands: Hands, seen: Dictionary) -> void:
	await hands.choose(hands.find("Spec") as OptionButton, "gungeon")
	var offered := {}
	for row: String in ["flow", "kit", "layouts", "Theme", "SpecFile"]:
		var button := hands.find(row)
		if not button is Button:
			button = button.find_children("*", "Button", true, false).back()
		offered[row] = await hands.offers(button)
		if row == "flow":
			await hands.pick(button, "res://mine/way.toml")
			seen["flow"] = _arguments(hands)
	seen["offered"] = offered
	_change(hands, "flow", "led")


func _series(hands: Hands, seen: Dictionary) -> void:
	var what := hands.find("What") as OptionButton
	await hands.choose(what, "Several seeds")
	seen["several"] = _arguments(hands)
	await hands.choose(what, "A run")
	seen["run"] = _arguments(hands)
	await hands.choose(what, "One level")


func _change(hands: Hands, row: String, value: Variant) -> void:
	hands.find(row).call("_set_value", value)


func _arguments(hands: Hands) -> PackedStringArray:
	var choice: RefCounted = hands.dock().call("_choice")
	var found: PackedStringArray = choice.call("arguments")
	return found
