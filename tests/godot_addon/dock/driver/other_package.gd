@tool
extends RefCounted
## A person makes a level of a style that another package brings; the environment names it.

const Hands := preload("hands.gd")


func play(hands: Hands) -> Dictionary:
	var seen := {}
	await hands.until(func() -> bool: return hands.find("Page").visible)
	await hands.show_dock()
	var style := OS.get_environment("STYLE_TO_CHOOSE")
	await hands.choose(hands.find("Spec") as OptionButton, style)
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
	return seen
