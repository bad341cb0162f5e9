extends RefCounted
## Where the animations of a tileset can be played: Godot plays frames that lie side by side, from
## the tile on, in rows of any length; the places of the frames are then no tiles of their own.

const Fields := preload("../import/fields.gd")
const Frames := preload("frames.gd")
const Tileset := preload("tileset.gd")

const MOST := 256

## By id of a tile: in how many columns its frames lie (0: all in a row).
var in_place: Dictionary = {}
## By id: the last frame.
var last: Dictionary = {}
## Frames of other tiles, as a set.
var covered: Dictionary = {}
## By id: frames that lie elsewhere, as ids.
var apart: Dictionary = {}


## The plan for a tileset of one image with so many tiles.
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


## The animations of an image collection; all lie apart.
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
	for frame: Fields in tile.subs("animation", MOST):
		found.append(frame.integer("tileid", 0, Tileset.MOST_ID, 0))
	return found


## In how many columns frames lie that begin with the tile; -1 if they are strewn.
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


## Whether no frame but the first is a tile with an animation, or lies in another's.
func _is_free(frames: PackedInt32Array, tileset: Tileset, count: int) -> bool:
	if covered.has(frames[0]):
		return false
	for frame: int in frames.slice(1):
		var tile: Fields = tileset.tiles.get(frame)
		if covered.has(frame) or frame >= count or (tile and tile.has("animation")):
			return false
	return true
