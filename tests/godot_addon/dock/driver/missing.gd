extends RefCounted
## A person has no generator at first, then a broken one, and then says where it is.

const Hands := preload("hands.gd")
const SETTING := "undercroft/generator/command"


func play(hands: Hands) -> Dictionary:
	var seen := {}
	await hands.show_dock()
	seen["why"] = _why(hands)
	seen["line"] = (hands.find("Line") as LineEdit).text
	seen["page"] = hands.find("Page").visible
	await hands.click(hands.find("Choose"))
	var dialog := hands.dock().find_children("*", "EditorFileDialog", true, false)[0]
	(dialog as EditorFileDialog).file_selected.emit(ProjectSettings.globalize_path("res://wrong"))
	(dialog as EditorFileDialog).hide()
	await hands.until(func() -> bool: return _why(hands).contains("cannot be used"))
	seen["wrong"] = _why(hands)
	ProjectSettings.set_setting(SETTING, "res://.venv")
	await hands.until(func() -> bool: return hands.find("Page").visible)
	await hands.drawn()
	seen["picture"] = (hands.find("Picture") as TextureRect).texture != null
	return seen


func _why(hands: Hands) -> String:
	return (hands.find("Why") as Label).text
