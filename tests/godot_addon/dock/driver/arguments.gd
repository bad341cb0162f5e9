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
	return seen


func _change(hands: Hands, row: String, value: Variant) -> void:
	hands.find(row).call("_set_value", value)


func _arguments(hands: Hands) -> PackedStringArray:
	var choice: RefCounted = hands.dock().call("_choice")
	var found: PackedStringArray = choice.call("arguments")
	return found
