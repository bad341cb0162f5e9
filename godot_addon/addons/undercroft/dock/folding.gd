extends RefCounted
## Folds what a level has most of, in the editor's scene tree, before a scene is opened for the
## first time. Later the tree is as the person left it.

# Of them, a level has one for each room, door, enemy and so on.
const _FULL: PackedStringArray = ["Doors", "Rooms", "Hallways", "Things", "Markers"]


## Writes the file in which the editor remembers a scene's tree, unless there is one.
static func fold(scene: String) -> void:
	var file := "%s-folding-%s.cfg" % [scene.get_file(), scene.md5_text()]
	file = EditorInterface.get_editor_paths().get_project_settings_dir().path_join(file)
	if FileAccess.file_exists(file):
		return
	var nodes: Array = []
	for name: String in _FULL:
		nodes.append(NodePath(name))
	var folding := ConfigFile.new()
	folding.set_value("folding", "node_unfolds", [])
	folding.set_value("folding", "resource_unfolds", [])
	folding.set_value("folding", "nodes_folded", nodes)
	folding.save(file)
