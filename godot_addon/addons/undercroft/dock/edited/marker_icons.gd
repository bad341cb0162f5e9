extends RefCounted
## The icons of markers in the editor: the theme's own tile for the kind and role, else a sign.

const Catalogue := preload("../catalogue.gd")
const Declaration := preload("../declaration.gd")
const EditedLevel := preload("edited_level.gd")
const MinimapIcons := preload("../../runtime/minimap_icons.gd")

var _sheet: Texture2D
var _tile_size := 0
# Column and row of each icon, by kind or KIND_VARIANT.
var _places: Dictionary = {}
var _made: Dictionary = {}


## For a level; [param catalogue], which knows the theme's icons, may be null.
func _init(level: EditedLevel, catalogue: Catalogue) -> void:
	_tile_size = level.tile_size
	if catalogue:
		_sheet = _sheet_of(level.root, catalogue.theme)
		_places = catalogue.icons if _sheet else {}


func of(marker: UndercroftMarker) -> Texture2D:
	var key := _key_of(marker)
	if not _made.has(key):
		_made[key] = _icon(key)
	return _made[key]


# What a property says, or that it is true, may have an icon of its own: `enemy_shooter`,
# `key_lever`.
func _key_of(marker: UndercroftMarker) -> String:
	for property: String in marker.properties:
		var what := property if marker.is_true(property) else marker.text(property)
		var variant := "%s_%s" % [marker.kind, what]
		if _places.has(variant):
			return variant
	return marker.kind


func _icon(key: String) -> Texture2D:
	if not _places.has(key):
		return MinimapIcons.named(key[0], MinimapIcons.colour_of("")) if key else null
	var place := Declaration.as_list(_places[key])
	var at := Vector2(str(place[0]).to_float(), str(place[1]).to_float()) * _tile_size
	var icon := AtlasTexture.new()
	icon.atlas = _sheet
	icon.region = Rect2(at, Vector2.ONE * _tile_size)
	return icon


# The theme's picture, in the TileSet of a layer.
static func _sheet_of(root: Node, theme: String) -> Texture2D:
	for layer: Node in root.find_children("*", "TileMapLayer", true, false):
		var tiles := (layer as TileMapLayer).tile_set
		for index: int in tiles.get_source_count() if tiles else 0:
			var source := tiles.get_source(tiles.get_source_id(index)) as TileSetAtlasSource
			var sheet := source.texture if source else null
			if sheet and sheet.resource_path.get_file().begins_with(theme):
				return sheet
	return null
