extends RefCounted
## The cells of a layer in Godot's form: a 16-bit 0, then twelve bytes per cell, little endian.
##
## [codeblock]
## i16 x, i16 y, u16 source, u16 column, u16 row, u16 alternative with flip bits
## [/codeblock]

const Fields := preload("../import/fields.gd")
const Grid := preload("grid.gd")
const Lookup := preload("lookup.gd")
const Tileset := preload("tileset.gd")

const TURNS := 0xF0000000
## Godot's cells are numbered with 16 bits.
const FARTHEST := 32767

## Whether tiles overlap, so that the drawing order matters.
var overlaps := false
## [member Lookup.half] for all tiles of the layer.
var half := Vector2.INF

var _layer: Fields
var _lookups: Array[Lookup]
# The source of the placeholder for tiles that are in no tileset, or -1.
var _missing := -1
var _is_hexagonal := false
var _packed := PackedInt32Array()
var _filled := 0
var _unknown := 0


func _init(layer: Fields, lookups: Array[Lookup], missing: int, grid: Grid) -> void:
	_layer = layer
	_lookups = lookups
	_missing = missing
	_is_hexagonal = grid.orientation == "hexagonal"


## Adds a rectangle of gids, row by row.
func add(gids: PackedInt32Array, corner: Vector2i, width: int) -> void:
	if not gids or not width:
		return
	var height := gids.size() / width
	var far := corner + Vector2i(width, height)
	if mini(corner.x, corner.y) < -FARTHEST - 1 or maxi(far.x, far.y) > FARTHEST + 1:
		_layer.bad("", "is beyond %d cells, the most that Godot allows" % FARTHEST)
		return
	_packed.resize((_filled + gids.size()) * 3)
	var out := _filled * 3
	var index := 0
	var low := 0
	var high := 0
	var firsts := PackedInt32Array()
	var seconds := PackedInt32Array()
	var lookup: Lookup = null
	for row: int in height:
		var y := ((corner.y + row) & 0xFFFF) << 16
		for column: int in range(corner.x, far.x):
			var raw := gids[index]
			index += 1
			var gid := raw & Tileset.MAX_GID
			if gid == 0:
				continue
			if gid < low or gid >= high:
				var found := Lookup.of(gid, _lookups)
				if found == null:
					out = _put_missing(gid, out, column, y)
					continue
				lookup = found
				overlaps = overlaps or lookup.overlaps
				half = lookup.half if half == Vector2.INF or half == lookup.half else Vector2.ZERO
				low = lookup.first_gid
				high = low + lookup.firsts.size()
				firsts = lookup.firsts
				seconds = lookup.seconds
			var first := firsts[gid - low]
			if first == Lookup.NONE:
				out = _put_missing(gid, out, column, y)
				continue
			var second := seconds[gid - low]
			if raw & TURNS:
				var turned := Vector2i(gid - low, raw >> 28 & 0xF)
				if lookup.turned.has(turned):
					var own: Vector2i = lookup.turned[turned]
					first = own.x
					second = own.y
				else:
					second |= (raw >> 31 & 1) << 28 | (raw >> 30 & 1) << 29
					if not _is_hexagonal:
						second |= (raw >> 29 & 1) << 30
			_packed[out] = (column & 0xFFFF) | y
			_packed[out + 1] = first
			_packed[out + 2] = second
			out += 3
	_filled = out / 3


## The data of all added cells; empty if there are none.
func data() -> PackedByteArray:
	if _unknown:
		_layer.bad("data", "%d tiles are in no tileset that could be read" % _unknown)
	if not _filled:
		return PackedByteArray()
	_packed.resize(_filled * 3)
	var bytes := PackedByteArray([0, 0])
	bytes.append_array(_packed.to_byte_array())
	return bytes


## Writes the placeholder tile into a cell; returns the place of the next cell.
func _put_missing(gid: int, out: int, column: int, y: int) -> int:
	if not Lookup.is_lost_at(gid, _lookups):
		_unknown += 1
	if _missing < 0:
		return out
	_packed[out] = (column & 0xFFFF) | y
	_packed[out + 1] = _missing
	_packed[out + 2] = 0
	return out + 3
