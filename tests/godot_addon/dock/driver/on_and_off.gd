@tool
extends RefCounted
## A person turns the plugin off and on, also while it is at work, and has the layers named.

const Hands := preload("hands.gd")
const LayerNames := preload("res://addons/undercroft/layer_names.gd")
const PLUGIN := "undercroft"
const ROUNDS := 3


func play(hands: Hands) -> Dictionary:
	var seen := {"docks": [], "settings": []}
	var docks: Array = seen["docks"]
	var settings: Array = seen["settings"]
	await hands.until(func() -> bool: return hands.find("Page").visible)
	await hands.set_number("loop_length", 50)
	for _round: int in ROUNDS:
		(hands.find("Generate") as Button).pressed.emit()
		EditorInterface.set_plugin_enabled(PLUGIN, false)
		await hands.frames(10)
		docks.append(hands.dock() != null)
		settings.append(ProjectSettings.has_setting("undercroft/generator/command"))
		EditorInterface.set_plugin_enabled(PLUGIN, true)
		await hands.frames(10)
		docks.append(hands.dock() != null)
		settings.append(ProjectSettings.has_setting("undercroft/generator/command"))
		await hands.until(func() -> bool: return hands.find("Page").visible)
	await hands.drawn()
	seen["remembered"] = hands.find("loop_length").get("value")
	ProjectSettings.set_setting("layer_names/2d_physics/layer_2", "Birds")
	LayerNames.give()
	return seen
