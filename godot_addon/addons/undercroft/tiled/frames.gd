extends RefCounted
## Decides how to play a tileset's animations. Godot plays frames that lie side by side from the
## tile on, in rows of any length; the places of these frames then cannot be tiles.

const Fields := preload("../import/fields.gd")
const Frames := preload("frames.gd")
const Tileset := preload("tileset.gd")

const MAX := 256

## By tile id: the number of columns of its frames (0: all in one row).
var in_place: Dictionary = {}
## By id: the last frame.
var last: Dictionary = {}
## Ids of frames of other tiles, as a set.
var covered: Dictionary = {}
## By id: the ids of frames that lie elsewhere.
var apart: Dictionary = {}


## The plan for a tileset of one image with [param count] tiles.
static func plan(tileset: Tileset, count: int) -> Frames:
	var found := Frames.new()
	for id: int in tileset.tiles:
		var frames := _frames(tileset, id)
		if not frames or id >= count:
			continue
		var columns := _columns(frames, id, tileset.columns)
		if columns < 0 or not found._is_free(frames, tileset, count):
			found.apart[id] = frames
			continue
		found.in_place[id] = columns
		found.last[id] = frames[-1]
		for frame: int in frames.slice(1):
			found.covered[frame] = true
	return found


## The animations of an image collection, whose frames are never side by side.
static func of_collection(tileset: Tileset) -> Dictionary:
	var found: Dictionary = {}
	for id: int in tileset.tiles:
		var frames := _frames(tileset, id)
		if frames:
			found[id] = frames
	return found


func columns_of(id: int) -> int:
	return in_place[id]


static func _frames(tileset: Tileset, id: int) -> PackedInt32Array:
	var found := PackedInt32Array()
	var tile: Fields = tileset.tiles[id]
	for frame: Fields in tile.subs("animation", MAX):
		found.append(frame.integer("tileid", 0, Tileset.MAX_ID, 0))
	return found


## The number of columns of frames that start with the tile; -1 if they are scattered.
static func _columns(frames: PackedInt32Array, id: int, across: int) -> int:
	if frames[0] != id:
		return -1
	var size := frames.size()
	var wide := 1
	while wide < size and frames[wide] == id + wide and (id + wide) / across == id / across:
		wide += 1
	for index: int in size:
		if frames[index] != id + index % wide + index / wide * across:
			return -1
	return 0 if wide == size else wide


## Whether no frame except the first has an animation or is part of another one.
func _is_free(frames: PackedInt32Array, tileset: Tileset, count: int) -> bool:
	if covered.has(frames[0]):
		return false
	for frame: int in frames.slice(1):
		var tile: Fields = tileset.tiles.get(frame)
		if covered.has(frame) or frame >= count or (tile and tile.has("animation")):
			return false
	return true
