extends RefCounted
## Saves levels as separate scenes in a folder beside the project; the project's scene then
## instances them.

const Problem := preload("../runtime/problem.gd")
const SceneImporter := preload("../import/scene_importer.gd")

const GROUP := "ldtk_level"


## The folder for the scenes of a project's levels.
static func folder(source: String) -> String:
	return source + ".levels"


## Saves every level below a node and replaces it with an instance.
static func split(source: String, root: Node2D, problem: Problem) -> void:
	DirAccess.make_dir_recursive_absolute(folder(source))
	for child: Node in root.get_children():
		var level := child as Node2D
		if level == null:
			continue
		if not level.is_in_group(GROUP):
			split(source, level, problem)
			continue
		var world := "" if level.get_parent().get_parent() == null else root.name + "."
		var path := folder(source).path_join("%s%s.scn" % [world, level.name])
		var scene := _saved(level, path)
		if scene == null:
			problem.note(source, "option level_scenes", "%s cannot be written" % path)
			return
		var instance: Node2D = scene.instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE)
		var place := level.get_index()
		var at := level.position
		root.remove_child(level)
		level.free()
		root.add_child(instance)
		root.move_child(instance, place)
		instance.position = at


static func _saved(level: Node2D, path: String) -> PackedScene:
	var at := level.position
	level.position = Vector2.ZERO
	SceneImporter.own(level, level)
	var scene := PackedScene.new()
	var done := scene.pack(level)
	level.position = at
	if done != OK or ResourceSaver.save(scene, path, ResourceSaver.FLAG_COMPRESS) != OK:
		return null
	# Packing the whole scene needs this one's path and uid, so Godot must know both before it scans
	# the folder.
	scene.take_over_path(path)
	var uid := ResourceLoader.get_resource_uid(path)
	if uid != ResourceUID.INVALID_ID and not ResourceUID.has_id(uid):
		ResourceUID.add_id(uid, path)
	return scene
