extends RefCounted
## A pack's header and index, and its blocks as bytes. The file is not trusted: sizes are checked
## before memory is used, and digests before anything is read.
##
## The addon's documentation describes every byte.

const PackFile := preload("pack_file.gd")
const Problem := preload("problem.gd")

const FORMAT_VERSION := 1
## Stands for a number that a level does not have.
const NONE := -(1 << 31)

const _MAGIC: PackedByteArray = [0x55, 0x43, 0x50, 0x41, 0x43, 0x4B, 0x0D, 0x0A]
const _HEADER := 64
const _MAX_LEVELS := 100_000
# Unpacked.
const _MAX_INDEX_BYTES := 1 << 26
const _MAX_BLOCK_BYTES := 1 << 24
const _MAX_RATIO := 1032  # of zlib
const _IMPOSSIBLE := "claims an impossible unpacked size of %d bytes"
# Facts that the index leaves out if no level has them.
const _COUNTS: PackedStringArray = ["count.", "markers."]
const _DISTANCES := "rooms.*.distance"

var path := ""
var count := 0
## By level: its block, its place there, its seed, and 16 bytes of its fingerprint.
var blocks: PackedInt32Array = []
var places: PackedInt32Array = []
var seeds: PackedInt64Array = []
var fingerprints: PackedByteArray = []
## By name, a number for each level; for facts in [member texts], the index there.
var facts: Dictionary = {}
var texts: Dictionary = {}

var _offsets: PackedInt64Array = []
var _sizes: PackedInt32Array = []
var _raw_sizes: PackedInt32Array = []
var _digests: PackedByteArray = []


## Opens the pack in a file, and notes any problem.
static func open(file_path: String, problem: Problem) -> PackFile:
	var pack := PackFile.new()
	pack.path = file_path
	pack._read(problem)
	return pack


## The value of a block; empty and a problem if it is damaged.
func block(number: int, problem: Problem) -> Dictionary:
	var file := FileAccess.open(path, FileAccess.READ)
	if file == null:
		problem.note(path, "", "cannot be read (%s)" % error_string(FileAccess.get_open_error()))
		return {}
	file.seek(_offsets[number])
	var packed := file.get_buffer(_sizes[number])
	var digest := _digests.slice(number * 16, number * 16 + 16)
	var size := _raw_sizes[number]
	if not _is_possible(size, packed.size(), _MAX_BLOCK_BYTES):
		problem.note(path, "block %d" % number, _IMPOSSIBLE % size)
		return {}
	return _unpacked("block %d" % number, packed, size, digest, problem)


## A number for each level. For an unknown fact: empty, and one line in the log.
func column(fact: String) -> PackedInt32Array:
	if facts.has(fact):
		return facts[fact]
	var none: PackedInt32Array = []
	none.resize(count)
	if fact.match(_DISTANCES):
		none.fill(NONE)
		return none
	for prefix: String in _COUNTS:
		if fact.begins_with(prefix):
			return none
	var known := ", ".join(PackedStringArray(facts.keys()))
	push_error("Undercroft: %s: unknown fact %s; known facts: %s" % [path, fact, known])
	return []


## The range of numbers for a wanted value of a fact. For a wrong value: empty, and one line in the
## log.
func bounds(fact: String, wish: Variant) -> PackedInt64Array:
	if texts.has(fact):
		if wish is String or wish is StringName:
			var known: PackedStringArray = texts[fact]
			var place := known.find(str(wish))
			return [place, place] if place >= 0 else []
		push_error("Undercroft: %s: %s: %s is not a text" % [path, fact, wish])
		return []
	var ends: Array = wish if wish is Array else [wish, wish]
	if ends.size() != 2 or not _is_whole(ends[0]) or not _is_whole(ends[1]):
		var what := "is not a whole number or [min, max]"
		push_error("Undercroft: %s: %s: %s %s" % [path, fact, wish, what])
		return []
	var least: int = ends[0]
	var most: int = ends[1]
	return [maxi(least, NONE + 1), most]


# Godot reads all JSON numbers as floats.
static func _is_whole(number: Variant) -> bool:
	if number is float:
		var real: float = number
		return is_finite(real) and real == floorf(real)
	return number is int


## Facts of a level by name.
func facts_of(index: int) -> Dictionary:
	var found: Dictionary = {}
	for fact: String in facts:
		var column: PackedInt32Array = facts[fact]
		var number := column[index]
		if number == NONE:
			continue
		if texts.has(fact):
			var known: PackedStringArray = texts[fact]
			found[fact] = known[number]
		else:
			found[fact] = number
	return found


func _read(problem: Problem) -> void:
	var file := FileAccess.open(path, FileAccess.READ)
	if file == null:
		problem.note(path, "", "cannot be read (%s)" % error_string(FileAccess.get_open_error()))
		return
	var header := file.get_buffer(_HEADER)
	if header.size() < _HEADER or header.slice(0, 8) != _MAGIC:
		problem.note(path, "", "not an Undercroft pack; make one with `undercroft pack`")
		return
	var version := header.decode_u32(8)
	if version != FORMAT_VERSION:
		var why := "is %d, but this addon reads %d; use the addon of the generator that made the pack"
		problem.note(path, "format version", why % [version, FORMAT_VERSION])
		return
	count = header.decode_u32(12)
	var start := header.decode_s64(16)
	var size := header.decode_u32(24)
	if count < 1 or count > _MAX_LEVELS:
		problem.note(path, "", "level count %d is out of range (1 to %d)" % [count, _MAX_LEVELS])
	elif start < _HEADER or start > file.get_length() or size != file.get_length() - start:
		problem.note(path, "", "the file is truncated; copy it again")
	if problem.found:
		return
	file.seek(start)
	var digest := header.slice(32, 64)
	var raw_size := header.decode_u32(28)
	if not _is_possible(raw_size, size, _MAX_INDEX_BYTES):
		problem.note(path, "index", _IMPOSSIBLE % raw_size)
		return
	var index := _unpacked("index", file.get_buffer(size), raw_size, digest, problem)
	if not problem.found and not _is_taken(index, start):
		problem.note(path, "index", "is inconsistent; rebuild the pack")


static func _is_possible(size: int, packed: int, most: int) -> bool:
	return size >= 1 and size <= mini(most, packed * _MAX_RATIO)


# The value in a zlib stream, after its digest was checked.
func _unpacked(
	place: String, packed: PackedByteArray, size: int, digest: PackedByteArray, problem: Problem
) -> Dictionary:
	var hashing := HashingContext.new()
	hashing.start(HashingContext.HASH_SHA256)
	hashing.update(packed)
	if hashing.finish().slice(0, digest.size()) != digest:
		problem.note(path, place, "is damaged; copy the pack again, or rebuild it")
		return {}
	var raw := packed.decompress(size, FileAccess.COMPRESSION_DEFLATE)
	var value: Variant = bytes_to_var(raw) if raw.size() == size else false
	if value is Dictionary:
		return value
	problem.note(path, place, "does not contain a table; rebuild the pack")
	return {}


func _is_taken(index: Dictionary, end: int) -> bool:
	var found := {}
	for member: String in ["facts", "texts"]:
		found[member] = index.get(member)
		if not found[member] is Dictionary:
			return false
	facts = found["facts"]
	texts = found["texts"]
	blocks = _int32s(index, "blocks")
	places = _int32s(index, "places")
	_sizes = _int32s(index, "block_sizes")
	_raw_sizes = _int32s(index, "block_raw_sizes")
	seeds = _int64s(index, "seeds")
	_offsets = _int64s(index, "block_offsets")
	fingerprints = _bytes(index, "fingerprints")
	_digests = _bytes(index, "block_digests")
	return _fits(end) and _facts_fit()


func _fits(end: int) -> bool:
	var number := _offsets.size()
	if [_sizes.size(), _raw_sizes.size(), _digests.size()] != [number, number, number * 16]:
		return false
	if [blocks.size(), places.size(), seeds.size()] != [count, count, count]:
		return false
	for i: int in number:
		if _sizes[i] < 1 or _offsets[i] < _HEADER or _offsets[i] > end - _sizes[i]:
			return false
	for i: int in count:
		if blocks[i] < 0 or blocks[i] >= number or places[i] < 0:
			return false
	return fingerprints.size() == count * 16


func _facts_fit() -> bool:
	for fact: Variant in facts:
		if not fact is String or not facts[fact] is PackedInt32Array:
			return false
		var column: PackedInt32Array = facts[fact]
		if column.size() != count:
			return false
	for fact: Variant in texts:
		if not facts.has(fact) or not texts[fact] is PackedStringArray:
			return false
		var known: PackedStringArray = texts[fact]
		var column: PackedInt32Array = facts[fact]
		for number: int in column:
			if number != NONE and (number < 0 or number >= known.size()):
				return false
	return true


static func _int32s(table: Dictionary, key: String) -> PackedInt32Array:
	var value: Variant = table.get(key)
	return value if value is PackedInt32Array else PackedInt32Array()


static func _int64s(table: Dictionary, key: String) -> PackedInt64Array:
	var value: Variant = table.get(key)
	return value if value is PackedInt64Array else PackedInt64Array()


static func _bytes(table: Dictionary, key: String) -> PackedByteArray:
	var value: Variant = table.get(key)
	return value if value is PackedByteArray else PackedByteArray()
