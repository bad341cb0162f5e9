@tool
extends RefCounted
## A person has no generator at first, then a broken one, and then says where it is; at last, they
## have the dock install it.

const Hands := preload("hands.gd")
const SETTING := "undercroft/generator/command"


func play(hands: Hands) -> Dictionary:
	var seen := {}
	await hands.show_dock()
	seen["why"] = _why(hands)
	seen["to_install"] = hands.find("Install").is_visible_in_tree()
	seen["line"] = (hands.find("Line") as LineEdit).text
	seen["page"] = hands.find("Page").visible
	(hands.find("Choose") as Button).pressed.emit()
	await hands.frames(2)
	var dialog := hands.dock().find_children("*", "EditorFileDialog", true, false)[0]
	(dialog as EditorFileDialog).file_selected.emit(ProjectSettings.globalize_path("res://wrong"))
	(dialog as EditorFileDialog).hide()
	await hands.until(func() -> bool: return _why(hands).contains("cannot be used"))
	seen["wrong"] = _why(hands)
	ProjectSettings.set_setting(SETTING, "res://.own")
	await hands.until(func() -> bool: return hands.find("Page").visible)
	await hands.drawn()
	seen["picture"] = (hands.find("Picture") as TextureRect).texture != null
	await _install(hands, seen)
	return seen


func _install(hands: Hands, seen: Dictionary) -> void:
	var folder := "res://addons/undercroft/wheel/"
	var version := ConfigFile.new()
	version.load("res://addons/undercroft/plugin.cfg")
	var wheel := "undercroft-%s-py3-none-any.whl" % version.get_value("plugin", "version")
	FileAccess.open(folder + wheel, FileAccess.WRITE).close()
	ProjectSettings.set_setting(SETTING, "res://nowhere")
	await hands.until(func() -> bool: return hands.find("Missing").visible)
	var installer: Node = hands.find("Missing").get("_installer")
	installer.set("pythons", PackedStringArray(["python3"]))
	var path := OS.get_environment("PATH")
	var said: Array[String] = [await _press_install(hands)]
	DirAccess.rename_absolute("res://.venv", "res://.somebodys")
	for python: String in ["old", "bare", "new"]:
		var place := ProjectSettings.globalize_path("res://pythons/" + python)
		OS.set_environment("PATH", place + ":" + path)
		said.append(await _press_install(hands))
	FileAccess.open("res://pythons/network", FileAccess.WRITE).close()
	(hands.find("Install") as Button).pressed.emit()
	await hands.until(func() -> bool: return hands.find("Page").visible)
	OS.set_environment("PATH", path)
	seen["said"] = said
	seen["command"] = hands.dock().get("_command")
	seen["setting"] = ProjectSettings.get_setting(SETTING)


func _press_install(hands: Hands) -> String:
	(hands.find("Install") as Button).pressed.emit()
	await hands.until(func() -> bool: return hands.find("Install").visible)
	return (hands.find("Progress") as Label).text


func _why(hands: Hands) -> String:
	return (hands.find("Why") as Label).text
