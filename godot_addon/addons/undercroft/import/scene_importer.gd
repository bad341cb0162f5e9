@tool
extends EditorImportPlugin
## What all importers of levels share: their options, where problems go, and what happens when one
## fails.
##
## A subclass says what it is (name, extensions) and overrides [method _build]; it adds its own
## options to [method common_options].

const Dependencies := preload("dependencies.gd")
const Navigation := preload("navigation.gd")
const Problem := preload("../runtime/problem.gd")
const SourceFile := preload("source_file.gd")
const Twin := preload("twin.gd")

## Below every importer that people may already have (0.1 is the lowest of those): they keep their
## files until somebody picks this one in the Import dock.
const PRIORITY := 0.05
const PRESETS: Array[String] = ["Default", "Undercroft level"]
## What became of a file that cannot be read any more.
const KEPT := "; the last successful import is kept and is out of date"
## EditorToaster.SEVERITY_ERROR of Godot 4.4.
const TOAST_ERROR := 2
## The preset of files that Undercroft's own generator wrote.
const LEVEL_PRESET := 1


## The scene made of [param source]; null, and a note in [param problem], where it cannot be made.
## Files that are read besides the source are told to [param dependencies].
func _build(
	_source: String, _options: Dictionary, _dependencies: Dependencies, _problem: Problem
) -> Node:
	return null


## The options that all importers of levels have.
static func common_options(_preset: int) -> Array[Dictionary]:
	return [
		{
			"name": "scenes",
			"default_value": "",
			"property_hint": PROPERTY_HINT_MULTILINE_TEXT,
			"hint_string": "CLASS=res://scene.tscn",
		},
		{
			"name": "tileset",
			"default_value": "",
			"property_hint": PROPERTY_HINT_SAVE_FILE,
			"hint_string": "*.tres,*.res",
		},
		{
			"name": "post_import",
			"default_value": "",
			"property_hint": PROPERTY_HINT_FILE,
			"hint_string": "*.gd",
		},
		Navigation.option(),
	]


## Where the TileSet of a source lies: as the option says; else beside the source if there is one
## already or [param shared] is empty; else beside what it was made of, for all sources of that.
static func tileset_path(source: String, options: Dictionary, shared: String = "") -> String:
	var wished: String = str(options.get("tileset", ""))
	if wished:
		return wished
	var own := source + ".tileset.tres"
	return own if not shared or FileAccess.file_exists(own) else shared


func _get_import_options(_path: String, preset: int) -> Array[Dictionary]:
	return common_options(preset)


func _get_option_visibility(_path: String, _option: StringName, _options: Dictionary) -> bool:
	return true


func _get_preset_count() -> int:
	return PRESETS.size()


func _get_preset_name(preset: int) -> String:
	return PRESETS[preset]


func _get_resource_type() -> String:
	return "PackedScene"


func _get_save_extension() -> String:
	return "scn"


func _get_priority() -> float:
	return PRIORITY


func _get_import_order() -> int:
	return ResourceImporter.IMPORT_ORDER_SCENE


## One after the other, while Godot imports images and sounds in threads: sources that share a
## TileSet have to wait for each other anyway, and loading it in a thread while others wait for it
## can stop Godot for good.
func _can_import_threaded() -> bool:
	return false


func _import(
	source: String,
	save_path: String,
	options: Dictionary,
	_platform_variants: Array[String],
	_gen_files: Array[String]
) -> Error:
	var problem := Problem.new()
	var target := "%s.%s" % [save_path, _get_save_extension()]
	var dependencies := Dependencies.new(source)
	var twin := Twin.scene_of(source, options)
	var stand_in := Twin.inherited(twin) if twin else null
	if stand_in:
		dependencies.add_place(twin)
		for tileset: String in Twin.tilesets_of(source, SourceFile.text(source, problem)):
			dependencies.add(tileset)
		dependencies.save()
		Twin.tell(source, twin, "level")
		return ResourceSaver.save(stand_in, target, ResourceSaver.FLAG_COMPRESS)
	var root := _build(source, options, dependencies, problem)
	if root and not problem.found:
		Navigation.add(root, options)
	root = _after_import(source, root, str(options.get("post_import", "")), problem)
	report(source, root != null, problem, dependencies, FileAccess.file_exists(target))
	if problem.found:
		if root:
			root.free()
		# The last good import stays usable: Godot would forget it if this one were reported as failed.
		return OK if FileAccess.file_exists(target) else ERR_FILE_CORRUPT
	own(root, root)
	var scene := PackedScene.new()
	var packed := scene.pack(root)
	root.free()
	if packed != OK:
		return packed
	return ResourceSaver.save(scene, target, ResourceSaver.FLAG_COMPRESS)


## Prints the warnings and the problem, a line each, and keeps what the import depended on; that
## nothing was made is a problem too. If the last import was [param kept], it is said that this is
## older than the file.
static func report(
	source: String, made: bool, problem: Problem, dependencies: Dependencies, kept: bool
) -> void:
	if not made:
		problem.note(source, "", "cannot be imported")
	dependencies.add_missing(problem.missing)
	if problem.found:
		dependencies.add_failure(problem.text + (KEPT if kept else ""))
	dependencies.save()
	for warning: String in problem.warnings():
		push_warning("Undercroft: " + warning)
	if problem.more:
		push_warning("Undercroft: %s: and %d more of the kind" % [source, problem.more])
	if not problem.found:
		return
	push_error("Undercroft: " + problem.text + (KEPT if kept else ""))
	# Godot 4.3 shows scripts no toasts.
	if EditorInterface.has_method("get_editor_toaster"):
		var toaster: Object = EditorInterface.call("get_editor_toaster")
		var short := "Undercroft: %s was not imported" % source.get_file()
		toaster.call("push_toast", short + (KEPT if kept else ""), TOAST_ERROR, problem.text)


## Everything below the root is the root's own, but for what lies inside of instances of scenes.
static func own(root: Node, below: Node) -> void:
	for child: Node in below.get_children():
		child.owner = root
		if not child.scene_file_path:
			own(root, child)


## The root that the project's own script made of the root; it may be another one.
func _after_import(source: String, root: Node, path: String, problem: Problem) -> Node:
	if not path or root == null or problem.found:
		return root
	var script: GDScript = null
	if ResourceLoader.exists(path):
		script = ResourceLoader.load(path) as GDScript
	if script == null or not script.can_instantiate():
		problem.note(source, "option post_import", "%s is no @tool script that can be made" % path)
		return root
	var object: Object = script.new()
	if not object.has_method("post_import"):
		problem.note(
			source, "option post_import", "%s has no post_import(root: Node) -> Node" % path
		)
	else:
		var made: Variant = object.call("post_import", root)
		var given: Node = null
		if is_instance_valid(made) and made is Node:
			given = made
		if given:
			root = _apart(root, given)
		else:
			problem.note(source, "option post_import", "%s gave back no node" % path)
			if not is_instance_valid(root):
				root = null
	if object is Node:
		(object as Node).free()
	return root


## A node as a root of its own; the root before it goes unless it lies below.
static func _apart(root: Node, made: Node) -> Node:
	if made.get_parent():
		made.get_parent().remove_child(made)
	if is_instance_valid(root) and root != made and not made.is_ancestor_of(root):
		root.free()
	return made
