## Has Godot save a resource again, as the editor would.
extends SceneTree

const Plain := preload("plain.gd")


func _initialize() -> void:
	var arguments := Plain.arguments()
	var failed := ResourceSaver.save(load(arguments[0]), arguments[1])
	quit(0 if failed == OK else 1)
