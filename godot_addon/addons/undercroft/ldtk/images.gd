extends RefCounted
## The images of a project, as imported by Godot; each is loaded once. A missing image is a warning,
## and the level is imported without it.

const Dependencies := preload("../import/dependencies.gd")
const Problem := preload("../runtime/problem.gd")
const SourceFile := preload("../import/source_file.gd")

var _file := ""
var _dependencies: Dependencies
var _problem: Problem
var _known: Dictionary = {}
var _pieces: Dictionary = {}


func _init(file: String, dependencies: Dependencies, problem: Problem) -> void:
	_file = file
	_dependencies = dependencies
	_problem = problem


## The texture at a path relative to the project's file, or null.
func texture(relative: String) -> Texture2D:
	if not relative:
		return null
	if not _known.has(relative):
		_known[relative] = _load(relative)
	return _known[relative]


## A piece of an image, which may be missing.
func piece(relative: String, region: Rect2) -> AtlasTexture:
	var key := [relative, region]
	if not _pieces.has(key):
		var made := AtlasTexture.new()
		made.atlas = texture(relative)
		made.region = region
		_pieces[key] = made
	return _pieces[key]


func _load(relative: String) -> Texture2D:
	var refused := Problem.new()
	var path := SourceFile.beside(_file, relative, refused)
	if refused.found:
		_problem.flaw(_file, "", "the image " + refused.reason)
		return null
	if ResourceLoader.exists(path, "Texture2D"):
		var found := ResourceLoader.load(path) as Texture2D
		if found:
			return found
	var other := path.get_basename() + ".png"
	if path.get_extension() in ["aseprite", "ase"] and ResourceLoader.exists(other, "Texture2D"):
		return ResourceLoader.load(other) as Texture2D
	# Godot itself watches only images that exist.
	_dependencies.add(path)
	_dependencies.add(other)
	var hint := "copy it there"
	if FileAccess.file_exists(path):
		hint = "Godot cannot show it; export it as %s" % other.get_file()
	_problem.flaw(_file, "", "the image %s is missing (%s)" % [relative, hint])
	return null
