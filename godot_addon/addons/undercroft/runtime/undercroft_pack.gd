class_name UndercroftPack
extends RefCounted
## Many levels in one file, made by [code]undercroft pack[/code]. Finds a level and builds its scene
## while the game runs. It needs neither Python nor the plugin.
##
## [codeblock]
## var pack := UndercroftPack.open("res://dungeon.ucpack")
## var level := pack.build(pack.pick(randi()))
## add_child(level)
## [/codeblock]
##
## All methods can be called in any thread.

const PackFile := preload("pack_file.gd")
const PackBlocks := preload("pack_blocks.gd")
const PackScene := preload("pack_scene.gd")
const Problem := preload("problem.gd")

## The number of levels.
var count: int:
	get:
		return _file.count

var _file: PackFile
var _blocks: PackBlocks


## Opens a pack; returns null and logs one line if the file is not a valid pack. Only the index is
## read.
## [param tile_set] is used instead of the one beside the file; a pack outside
## [code]res://[/code] needs it, because a resource from outside could contain a script.
static func open(path: String, tile_set: TileSet = null) -> UndercroftPack:
	var problem := Problem.new()
	var file := PackFile.open(path, problem)
	if problem.found:
		push_error("Undercroft: " + problem.text)
		return null
	var pack := UndercroftPack.new()
	pack._file = file
	pack._blocks = PackBlocks.new(file, tile_set)
	return pack


## Builds the scene of a level, with the same nodes as in the scene that the generator writes. The
## caller owns it. If the pack is damaged: null, and one line in the log.
func build(index: int) -> Node2D:
	if not _has(index):
		return null
	var problem := Problem.new()
	var scene := _built(_blocks.block(_file.blocks[index], problem), index, problem)
	if problem.found:
		push_error("Undercroft: " + problem.text)
	return scene


func _built(block: PackBlocks.PackBlock, index: int, problem: Problem) -> Node2D:
	if problem.found:
		return null
	var place := _file.places[index]
	if place >= block.rows.size():
		problem.note(_file.path, "level %d" % index, "does not exist")
		return null
	var scene := PackScene.build(block, place)
	if scene.problem():
		problem.note(_file.path, "level %d" % index, scene.problem())
	var root := scene.root()
	return _lit(root, problem) if root else null


# Adds what the pack was asked to have, by options that it has as metadata of the root.
static func _lit(root: Node2D, problem: Problem) -> Node2D:
	var lights := is_same(root.get_meta("lights", false), true)
	var darkness := is_same(root.get_meta("darkness", false), true)
	root.remove_meta("lights")
	root.remove_meta("darkness")
	if lights:
		UndercroftLights.add_noting(root, problem)
	if darkness:
		UndercroftLights.darken(root)
	return root


## The index of a level for any seed: the level with exactly this seed if there is one, else one
## determined by the seed. Only levels with the [param wanted] facts are considered (see
## [method find]); -1 if no level has them.
func pick(seed_number: int, wanted := {}) -> int:
	if wanted.is_empty():
		var same := _file.seeds.find(seed_number)
		return same if same >= 0 else posmod(_mixed(seed_number), count)
	var found := find(wanted)
	for index: int in found:
		if _file.seeds[index] == seed_number:
			return index
	return found[posmod(_mixed(seed_number), found.size())] if found else -1


## The indexes of all levels with certain facts: a whole number, a text, or a range of numbers, as
## in [code]{"rooms": [12, 20], "stage": 3}[/code]. See [method facts_of].
func find(wanted: Dictionary) -> PackedInt32Array:
	var found := PackedInt32Array(range(count))
	for fact: String in wanted:
		var column := _file.column(fact)
		var bounds: PackedInt64Array = []
		if column:
			bounds = _file.bounds(fact, wanted[fact])
		if bounds.is_empty():
			return []
		var left: PackedInt32Array = []
		for index: int in found:
			if column[index] >= bounds[0] and column[index] <= bounds[1]:
				left.append(index)
		found = left
	return found


## The names of all facts.
func facts() -> PackedStringArray:
	return PackedStringArray(_file.facts.keys())


## The facts of a level: numbers and texts by name.
func facts_of(index: int) -> Dictionary:
	return _file.facts_of(index) if _has(index) else {}


## The seed of a level, as text, because Godot's int is signed.
func seed_of(index: int) -> String:
	return String.num_uint64(_file.seeds[index]) if _has(index) else ""


## The same as a number for [method pick]. Godot's numbers have a sign: seeds from 2^63 on are
## negative.
func seed_number_of(index: int) -> int:
	return _file.seeds[index] if _has(index) else 0


## A level's fingerprint, which is also in its level.json.
func fingerprint_of(index: int) -> String:
	if not _has(index):
		return ""
	return _file.fingerprints.slice(index * 16, index * 16 + 16).hex_encode()


func _has(index: int) -> bool:
	if index >= 0 and index < count:
		return true
	push_error("Undercroft: %s: has no level %d, only %d levels" % [_file.path, index, count])
	return false


# The last step of SplitMix64: similar seeds give very different numbers.
static func _mixed(number: int) -> int:
	number ^= (number >> 30) & 0x3FFFFFFFF
	number *= -4658895280553007687  # 0xBF58476D1CE4E5B9
	number ^= (number >> 27) & 0x1FFFFFFFFF
	number *= -7723592293110705685  # 0x94D049BB133111EB
	return number ^ ((number >> 31) & 0x1FFFFFFFF)
