@tool
extends EditorPlugin
## Has an importer of its own.

const Importer := preload("importer.gd")

var _importer := Importer.new()


func _enter_tree() -> void:
	add_import_plugin(_importer)


func _exit_tree() -> void:
	remove_import_plugin(_importer)
