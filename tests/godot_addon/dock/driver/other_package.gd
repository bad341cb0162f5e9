@tool
extends RefCounted
## A person makes a level of a style that another package brings; a file of the project names it.

const Hands := preload("hands.gd")
const TOLD := "res://other_package.json"
const PLUGIN := "undercroft"


func play(hands: Hands) -> Dictionary:
	var seen := {}
	var told: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(TOLD))
	OS.set_environment("PYTHONPATH", str(told["python_path"]))
	EditorInterface.set_plugin_enabled(PLUGIN, false)
	EditorInterface.set_plugin_enabled(PLUGIN, true)
	await hands.until(func() -> bool: return hands.find("Page").visible)
	await hands.show_dock()
	await hands.choose(hands.find("Spec") as OptionButton, str(told["style"]))
	await hands.set_number("chambers", 3)
	await hands.type(hands.find("Text", hands.find("Seed")) as LineEdit, "7")
	await hands.drawn()
	seen["summary"] = (hands.find("Summary") as Label).text
	var picture := (hands.find("Picture") as TextureRect).texture
	seen["preview_size"] = [picture.get_width(), picture.get_height()]
	await hands.click(hands.find("Generate"))
	await hands.generated()
	seen["message"] = hands.message()
	var root := EditorInterface.get_edited_scene_root()
	seen["rooms"] = root.get_node("Rooms").get_child_count() if root else 0
	OS.unset_environment("PYTHONPATH")
	return seen
