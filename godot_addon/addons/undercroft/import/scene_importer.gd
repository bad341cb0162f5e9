@tool
extends EditorImportPlugin
## The base of all importers of levels: common options, the reporting of problems, and the handling
## of failures.
##
## A subclass defines its name and extensions, overrides [method _build], and adds its own options
## to [method common_options]. Importers are made at each start of an editor, so scripts that only
## imports need are a [method part].

const Dependencies := preload("dependencies.gd")
const Problem := preload("../runtime/problem.gd")
const SourceFile := preload("source_file.gd")
const Twin := preload("twin.gd")

## Lower than any other importer (0.1 is the lowest known): others keep their files until somebody
## picks this one in the Import dock.
const PRIORITY := 0.05
const PRESETS: Array[String] = ["Default", "Undercroft level"]
## The end of the message about a file that can no longer be read.
const KEPT := "; the last successful import is kept, but is out of date"
## EditorToaster.SEVERITY_ERROR of Godot 4.4.
const TOAST_ERROR := 2
## The preset for files from Undercroft's own generator.
const LEVEL_PRESET := 1
const _NAVIGATION := "../import/navigation.gd"
const _LIGHTS := "../runtime/undercroft_lights.gd"

# The parts that were needed before, by name.
var _parts: Dictionary = {}


## The scene made from [param source]; null and a note in [param problem] if it cannot be made.
## Other files that are read are added to [param dependencies].
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
		{
			"name": "navigation_agent_radius",
			"default_value": -1.0,
			"property_hint": PROPERTY_HINT_RANGE,
			"hint_string": "-2,256,0.5,suffix:px",
		},
		{"name": "lights", "default_value": false},
		{"name": "darkness", "default_value": false},
	]


## A script, by its path from that of the importer, loaded when it is first asked for.
func part(path: String) -> GDScript:
	if not _parts.has(path):
		var here: Script = get_script()
		_parts[path] = load(here.resource_path.get_base_dir().path_join(path).simplify_path())
	return _parts[path]


## The path of a source's TileSet: from the option; else beside the source if it exists there or
## [param shared] is empty; else [param shared], for all sources with the same tileset.
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


## Sources are imported one after the other, while Godot imports images and sounds in threads.
## Sources that share a TileSet must wait for each other anyway, and loading it in a thread while
## others wait for it can freeze Godot.
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
		var radius := str(options.get("navigation_agent_radius", -1.0)).to_float()
		var ours := _is_ours(root)
		if ours or radius >= 0.0:
			part(_NAVIGATION).call("add", root, radius, ours)
		_light(source, root, options, problem)
	root = _after_import(source, root, str(options.get("post_import", "")), problem)
	report(source, root != null, problem, dependencies, FileAccess.file_exists(target))
	if problem.found:
		if root:
			root.free()
		# The last good import stays usable; Godot would drop it if this one were reported as failed.
		return OK if FileAccess.file_exists(target) else ERR_FILE_CORRUPT
	own(root, root)
	var scene := PackedScene.new()
	var packed := scene.pack(root)
	root.free()
	if packed != OK:
		return packed
	return ResourceSaver.save(scene, target, ResourceSaver.FLAG_COMPRESS)


## Adds lights to levels of ours, and darkness, as far as the options say.
func _light(source: String, root: Node, options: Dictionary, problem: Problem) -> void:
	var lights := is_same(options.get("lights"), true)
	var darkness := is_same(options.get("darkness"), true)
	if not (lights or darkness):
		return
	var levels := root.find_children("*", "Node2D", true, false).filter(_is_level)
	if _is_level(root):
		levels.append(root)
	if levels.is_empty():
		problem.warn(source, "options lights and darkness", "are for levels of Undercroft")
		return
	for level: Node2D in levels if lights else []:
		var flaw := Problem.new()
		part(_LIGHTS).call("add_noting", level, flaw)
		if flaw.found:
			problem.warn(source, "option lights", flaw.reason)
	if darkness:
		part(_LIGHTS).call("darken", levels[0])


## Whether a scene is a level of our generator, or has levels below it.
static func _is_ours(root: Node) -> bool:
	var some: Array[Node] = [root]
	some.append_array(root.get_children())
	return some.any(func(node: Node) -> bool: return node.has_meta("fingerprint"))


static func _is_level(node: Node) -> bool:
	return node is Node2D and node.is_in_group(&"undercroft_level")


## Prints the warnings and the problem, one line each, and saves the dependencies. An import without
## a result is a problem too. If the last import was [param kept], the message says that it is out
## of date.
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
		push_warning("Undercroft: %s: and %d more like this" % [source, problem.more])
	if not problem.found:
		return
	push_error("Undercroft: " + problem.text + (KEPT if kept else ""))
	# In Godot 4.3, scripts cannot show toasts.
	if EditorInterface.has_method("get_editor_toaster"):
		var toaster: Object = EditorInterface.call("get_editor_toaster")
		var short := "Undercroft: %s was not imported" % source.get_file()
		toaster.call("push_toast", short + (KEPT if kept else ""), TOAST_ERROR, problem.text)


## Sets the owner of all nodes below the root, except inside instanced scenes.
static func own(root: Node, below: Node) -> void:
	for child: Node in below.get_children():
		child.owner = root
		if not child.scene_file_path:
			own(root, child)


## The root that the project's own script returns; it may be a new one.
func _after_import(source: String, root: Node, path: String, problem: Problem) -> Node:
	if not path or root == null or problem.found:
		return root
	var script: GDScript = null
	if ResourceLoader.exists(path):
		script = ResourceLoader.load(path) as GDScript
	if script == null or not script.can_instantiate():
		problem.note(source, "option post_import", "%s is not a usable @tool script" % path)
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
			problem.note(source, "option post_import", "%s did not return a node" % path)
			if not is_instance_valid(root):
				root = null
	if object is Node:
		(object as Node).free()
	return root


## Makes a node the root; the previous root is freed unless it is below the new one.
static func _apart(root: Node, made: Node) -> Node:
	if made.get_parent():
		made.get_parent().remove_child(made)
	if is_instance_valid(root) and root != made and not made.is_ancestor_of(root):
		root.free()
	return made
