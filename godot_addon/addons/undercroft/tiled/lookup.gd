extends RefCounted
## Maps the gids of a map to tiles in its TileSet: source and place, packed as in
## [member TileMapLayer.tile_map_data].

const BuiltAtlas := preload("built_atlas.gd")
const Lookup := preload("lookup.gd")
const Textures := preload("textures.gd")

const NONE := -1

var first_gid := 1
## See [member Tileset.is_lost].
var is_lost := false
## By local id: source | column << 16, or [constant NONE]; row | alternative << 16.
var firsts: PackedInt32Array = []
var seconds: PackedInt32Array = []
## By local id and the four flip bits: the tile to use then, as a pair of numbers.
var turned: Dictionary = {}

## Whether a tile extends beyond its cell.
var overlaps := false
## The half px by which tiles are off, because Godot uses whole px: the same for all, or unknown.
var half := Vector2.INF

# The texture that the last picture was cut from, and its image: many frames are in one sheet.
var _sheet: Texture2D
var _image_of_sheet: Image


func _init(first: int, count: int) -> void:
	first_gid = first
	firsts.resize(count)
	firsts.fill(NONE)
	seconds.resize(count)


## The lookup that contains a gid, or null.
static func of(gid: int, lookups: Array[Lookup]) -> Lookup:
	for lookup: Lookup in lookups:
		if gid >= lookup.first_gid and gid < lookup.first_gid + lookup.firsts.size():
			return lookup
	return null


## Whether a gid belongs to a missing tileset.
static func is_lost_at(gid: int, lookups: Array[Lookup]) -> bool:
	var nearest: Lookup = null
	for lookup: Lookup in lookups:
		if gid >= lookup.first_gid:
			nearest = lookup
	return nearest != null and nearest.is_lost


func put(id: int, source: int, at: Vector2i) -> void:
	firsts[id] = source | at.x << 16
	seconds[id] = at.y


## Source, column and row of an id.
func place(id: int) -> Vector3i:
	return Vector3i(firsts[id] & 0xFFFF, firsts[id] >> 16, seconds[id] & 0xFFFF)


func has(id: int) -> bool:
	return id >= 0 and id < firsts.size() and firsts[id] != NONE


## The data of the tile for an id.
func tile_data(id: int, tile_set: TileSet) -> TileData:
	var atlas := tile_set.get_source(firsts[id] & 0xFFFF) as TileSetAtlasSource
	return atlas.get_tile_data(Vector2i(firsts[id] >> 16, seconds[id] & 0xFFFF), 0)


## The size of the picture of an id, in px.
func size_of(id: int, tile_set: TileSet) -> Vector2i:
	var atlas := tile_set.get_source(firsts[id] & 0xFFFF) as TileSetAtlasSource
	return atlas.texture_region_size


## The picture of an id, or null.
func image(id: int, tile_set: TileSet) -> Image:
	if not has(id):
		return null
	var atlas := tile_set.get_source(firsts[id] & 0xFFFF) as TileSetAtlasSource
	var at := Vector2i(firsts[id] >> 16, seconds[id] & 0xFFFF)
	if atlas.texture != _sheet:
		_sheet = atlas.texture
		_image_of_sheet = Textures.image_of(_sheet)
	return BuiltAtlas.cut(_image_of_sheet, atlas.get_tile_texture_region(at))


func texture(id: int, tile_set: TileSet) -> Texture2D:
	return (tile_set.get_source(firsts[id] & 0xFFFF) as TileSetAtlasSource).texture


## The region of an id's picture in its texture.
func region(id: int, tile_set: TileSet) -> Rect2i:
	var atlas := tile_set.get_source(firsts[id] & 0xFFFF) as TileSetAtlasSource
	return atlas.get_tile_texture_region(Vector2i(firsts[id] >> 16, seconds[id] & 0xFFFF))
