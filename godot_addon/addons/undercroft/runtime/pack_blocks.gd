extends RefCounted
## The blocks of a pack, read on demand, with the resources that their scenes use. The last few are
## kept.

const PackBlock := preload("pack_block.gd")
const PackFile := preload("pack_file.gd")
const Problem := preload("problem.gd")

const _MAX_KEPT := 4
# Types of resources that scenes may use, and the suffixes of their files.
const _ENDINGS := {"TileSet": ["tres", "res"], "PackedScene": ["tscn", "scn"]}

var _file: PackFile
var _tile_set: TileSet
var _mutex := Mutex.new()
var _kept: Dictionary = {}
var _resources: Dictionary = {}
# The properties of classes.
var _properties: Dictionary = {}


func _init(file: PackFile, tile_set: TileSet) -> void:
	_file = file
	_tile_set = tile_set


## A block by its number; null and a problem if it is damaged. Can be called in any thread.
##
## Resources are loaded outside the lock: Godot loads in its own threads, which may be waiting here.
func block(number: int, problem: Problem) -> PackBlock:
	_mutex.lock()
	var found: PackBlock = _kept.get(number)
	_mutex.unlock()
	if found == null:
		found = _read(number, problem)
	if found == null:
		return null
	_mutex.lock()
	_kept.erase(number)
	_kept[number] = found  # the last one requested is dropped last
	if _kept.size() > _MAX_KEPT:
		_kept.erase(_kept.keys()[0])
	_mutex.unlock()
	return found


func _read(number: int, problem: Problem) -> PackBlock:
	var table := _file.block(number, problem)
	if problem.found:
		return null
	_mutex.lock()
	var found := PackBlock.read(table, _properties)
	_mutex.unlock()
	if found == null:
		problem.note(_file.path, "block %d" % number, "is inconsistent; rebuild the pack")
		return null
	for i: int in range(0, found.files.size(), 2):
		found.resources.append(_resource(found.files[i], found.files[i + 1], problem))
	return null if problem.found else found


# A scene of the game, or a TileSet: the given one, or the one beside the pack.
func _resource(type: String, name: String, problem: Problem) -> Resource:
	if type == "TileSet" and _tile_set:
		return _tile_set
	var path := name if name.begins_with("res://") else _file.path.get_base_dir().path_join(name)
	_mutex.lock()
	var resource: Resource = _resources.get(path)
	_mutex.unlock()
	if resource == null:
		resource = _loaded(type, path, problem)
		_mutex.lock()
		_resources[path] = resource
		_mutex.unlock()
	return resource


func _loaded(type: String, path: String, problem: Problem) -> Resource:
	var endings: Array = _ENDINGS.get(type, [])
	if not endings.has(path.get_extension()) or path.simplify_path() != path:
		problem.note(_file.path, path, "is not a %s that a pack can use" % type)
	elif not path.begins_with("res://"):
		problem.note(_file.path, path, "is not in res://; give open() a TileSet")
	elif not ResourceLoader.exists(path, type):
		problem.note(_file.path, path, "is missing; it belongs to the pack")
	else:
		return load(path)
	return null
