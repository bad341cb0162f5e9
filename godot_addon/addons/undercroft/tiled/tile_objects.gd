extends RefCounted
## Tile objects: sprites with the picture of a tile, scaled, flipped and rotated as in Tiled.

const Fields := preload("../import/fields.gd")
const Grid := preload("grid.gd")
const Lookup := preload("lookup.gd")
const Placeholders := preload("placeholders.gd")
const ProjectTypes := preload("project_types.gd")
const SceneMap := preload("../import/scene_map.gd")
const TileBodies := preload("tile_bodies.gd")
const TiledFile := preload("tiled_file.gd")
const TileShapes := preload("tile_shapes.gd")
const Tileset := preload("tileset.gd")

const _FLIP_H := 0x80000000
const _FLIP_V := 0x40000000
# The place of an object's origin in its rectangle, by alignment.
const _POINTS := {
	"topleft": Vector2(0, 0),
	"top": Vector2(0.5, 0),
	"topright": Vector2(1, 0),
	"left": Vector2(0, 0.5),
	"center": Vector2(0.5, 0.5),
	"right": Vector2(1, 0.5),
	"bottomleft": Vector2(0, 1),
	"bottom": Vector2(0.5, 1),
	"bottomright": Vector2(1, 1),
}

var _tilesets: Array[Tileset]
var _lookups: Array[Lookup]
var _tile_set: TileSet
var _grid: Grid
var _placeholders: Placeholders
# Pictures by animated tile.
var _frames: Dictionary = {}


func _init(
	tilesets: Array[Tileset],
	lookups: Array[Lookup],
	tile_set: TileSet,
	grid: Grid,
	placeholders: Placeholders
) -> void:
	_placeholders = placeholders
	_tilesets = tilesets
	_lookups = lookups
	_tile_set = tile_set
	_grid = grid


## The node of a tile object: a sprite, or the scene or class that its class is mapped to.
func make(object: Fields, type: String, facts: Dictionary, scenes: SceneMap) -> Node:
	var gid := object.integer("gid", 0, 0xFFFFFFFF, 0)
	var index := _index(gid & Tileset.MAX_GID)
	var own_type := type if type else _class(index, gid & Tileset.MAX_GID)
	var id := (gid & Tileset.MAX_GID) - _tilesets[index].first_gid if index >= 0 else -1
	if index < 0 or not _lookups[index].has(id):
		if gid & Tileset.MAX_GID and not Lookup.is_lost_at(gid & Tileset.MAX_GID, _lookups):
			object.bad("gid", "%d is in no tileset that could be read" % (gid & Tileset.MAX_GID))
		return _missing(object, scenes.make(own_type, "Sprite2D", facts))
	var is_animated := _tilesets[index].tiles.has(id) and _tilesets[index].tile(id).has("animation")
	var node := scenes.make(own_type, "AnimatedSprite2D" if is_animated else "Sprite2D", facts)
	_place(object, node, index, id, gid)
	if node is AnimatedSprite2D:
		_animate(node as AnimatedSprite2D, index, id)
	elif node is Sprite2D and not node.scene_file_path:
		_show(node as Sprite2D, index, id)
	if (node is Sprite2D or node is AnimatedSprite2D) and not node.scene_file_path:
		var flips := Vector2(-1 if gid & _FLIP_H else 1, -1 if gid & _FLIP_V else 1)
		var data := _lookups[index].tile_data(id, _tile_set)
		TileBodies.add(node as Node2D, data, _tile_set, flips)
	return node


func facts(object: Fields, types: ProjectTypes) -> Dictionary:
	var gid := object.integer("gid", 0, 0xFFFFFFFF, 0) & Tileset.MAX_GID
	var index := _index(gid)
	if index < 0 or not _tilesets[index].tiles.has(gid - _tilesets[index].first_gid):
		return {}
	var tile := _tilesets[index].tile(gid - _tilesets[index].first_gid)
	return types.properties(tile, Tileset.class_of(tile))


## The class of an object, or else of its tile.
func class_of(object: Fields) -> String:
	var own := Tileset.class_of(object)
	var gid := object.integer("gid", 0, 0xFFFFFFFF, 0) & Tileset.MAX_GID
	return own if own else _class(_index(gid), gid)


## Converts a gid in a template, which is relative to its own first gid, to the map's gid.
func gid_in_map(base: Fields, own: Fields, file: TiledFile) -> float:
	var gid := base.integer("gid", 0, 0xFFFFFFFF, 0)
	var body := file.other(own, "source")
	for tileset: Tileset in _tilesets:
		if tileset.fields == body:
			var id := (gid & Tileset.MAX_GID) - own.integer("firstgid", 1, Tileset.MAX_GID, 1)
			return float((gid & ~Tileset.MAX_GID) | (tileset.first_gid + maxi(0, id)))
	return 0.0


## Places the node of an object whose tile is missing; a sprite gets the checkers.
func _missing(object: Fields, made: Node) -> Node:
	var node := made as Node2D
	if node == null:
		return made
	var size := TileShapes.size_of(object)
	if not size.x or not size.y:
		size = Vector2(_grid.cell)
	var angle := deg_to_rad(object.number("rotation", 0))
	node.position = _grid.px(TileShapes.position_of(object)) + (_point("") * size).rotated(angle)
	node.rotation = angle
	var sprite := made as Sprite2D
	if sprite and not sprite.scene_file_path:
		sprite.texture = _placeholders.texture(_grid.cell)
		sprite.scale = size / Vector2(_grid.cell)
	return node


## The centre of an object's rectangle relative to its origin, in fractions of its size.
func _point(alignment: String) -> Vector2:
	var usual := Vector2(0.5, 1) if _grid.is_projected() else Vector2(0, 1)
	var point: Vector2 = _POINTS.get(alignment, usual)
	return Vector2(0.5, 0.5) - point


func _place(object: Fields, made: Node, index: int, id: int, gid: int) -> void:
	var node := made as Node2D
	if node == null:
		return
	var tileset := _tilesets[index]
	var picture := Vector2(_lookups[index].size_of(id, _tile_set))
	var size := TileShapes.size_of(object)
	if not object.has("width") or not object.has("height"):
		size = picture
	var scale := size / picture
	var middle := _point(tileset.alignment) * size + Vector2(tileset.offset) * scale
	var angle := deg_to_rad(object.number("rotation", 0))
	node.position = _grid.px(TileShapes.position_of(object)) + middle.rotated(angle)
	node.rotation = angle
	node.scale = Vector2(maxf(scale.x, 1e-6), maxf(scale.y, 1e-6))
	if node is Sprite2D:
		(node as Sprite2D).flip_h = gid & _FLIP_H
		(node as Sprite2D).flip_v = gid & _FLIP_V
	elif node is AnimatedSprite2D:
		(node as AnimatedSprite2D).flip_h = gid & _FLIP_H
		(node as AnimatedSprite2D).flip_v = gid & _FLIP_V


func _show(sprite: Sprite2D, index: int, id: int) -> void:
	sprite.texture = _lookups[index].texture(id, _tile_set)
	sprite.region_enabled = true
	sprite.region_rect = _lookups[index].region(id, _tile_set)


func _animate(sprite: AnimatedSprite2D, index: int, id: int) -> void:
	var key := Vector2i(index, id)
	if not _frames.has(key):
		var frames := SpriteFrames.new()
		for frame: Fields in _tilesets[index].tile(id).subs("animation", 256):
			var shown := frame.integer("tileid", 0, Tileset.MAX_ID, 0)
			if _lookups[index].has(shown):
				var picture := AtlasTexture.new()
				picture.atlas = _lookups[index].texture(shown, _tile_set)
				picture.region = _lookups[index].region(shown, _tile_set)
				frames.add_frame("default", picture, frame.number("duration", 100, 1, 1e9) / 1000.0)
		frames.set_animation_speed("default", 1.0)
		_frames[key] = frames
	var shown_frames: SpriteFrames = _frames[key]
	sprite.sprite_frames = shown_frames
	sprite.autoplay = "default"


func _index(gid: int) -> int:
	for index: int in range(_tilesets.size() - 1, -1, -1):
		if gid >= _tilesets[index].first_gid:
			return index
	return -1


func _class(index: int, gid: int) -> String:
	if index < 0 or not _tilesets[index].tiles.has(gid - _tilesets[index].first_gid):
		return ""
	return Tileset.class_of(_tilesets[index].tile(gid - _tilesets[index].first_gid))
