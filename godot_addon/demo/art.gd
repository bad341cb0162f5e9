extends RefCounted
## The demo's pictures: those of markers and things on the levels' own sheet.

const SHEET := preload("levels/undercroft.png")
const TILE := 16.0

## Places on the sheet, in tiles.
const PLACES := {
	"player_start": Vector2(0, 24),
	"walker": Vector2(1, 24),
	"shooter": Vector2(2, 24),
	"flyer": Vector2(3, 24),
	"brute": Vector2(4, 24),
	"turret": Vector2(5, 24),
	"boss": Vector2(6, 24),
	"chest": Vector2(7, 24),
	"chest_wood": Vector2(8, 24),
	"chest_gold": Vector2(9, 24),
	"chest_red": Vector2(10, 24),
	"item": Vector2(11, 24),
	"ware": Vector2(12, 24),
	"any": Vector2(13, 24),
	"coin": Vector2(14, 24),
	"heart": Vector2(15, 24),
	"key": Vector2(16, 24),
	"bomb": Vector2(17, 24),
	"shopkeeper": Vector2(18, 24),
	"machine": Vector2(19, 24),
	"exit": Vector2(20, 24),
}


## A picture by name; the bag with a question mark for a name that there is none for.
static func icon(name: String) -> AtlasTexture:
	var place: Vector2 = PLACES.get(name, PLACES["any"])
	var texture := AtlasTexture.new()
	texture.atlas = SHEET
	texture.region = Rect2(place * TILE, Vector2(TILE, TILE))
	return texture


## The left half of a heart.
static func half_heart() -> AtlasTexture:
	var texture := icon("heart")
	texture.region.size.x = TILE / 2.0
	texture.margin = Rect2(0, 0, TILE / 2.0, 0)
	return texture


static func sprite(name: String) -> Sprite2D:
	var result := Sprite2D.new()
	result.texture = icon(name)
	return result


## A soft round light, for shots and torches.
static func glow(colour: Color, radius: float) -> Sprite2D:
	var gradient := Gradient.new()
	gradient.set_color(0, colour)
	gradient.set_color(1, Color(colour, 0.0))
	var texture := GradientTexture2D.new()
	texture.gradient = gradient
	texture.fill = GradientTexture2D.FILL_RADIAL
	texture.fill_from = Vector2(0.5, 0.5)
	texture.fill_to = Vector2(1.0, 0.5)
	texture.width = 32
	texture.height = 32
	var material := CanvasItemMaterial.new()
	material.blend_mode = CanvasItemMaterial.BLEND_MODE_ADD
	var result := Sprite2D.new()
	result.texture = texture
	result.material = material
	result.texture_filter = CanvasItem.TEXTURE_FILTER_LINEAR
	result.scale = Vector2.ONE * radius / 16.0
	return result
