extends RefCounted
## The demo's pictures: markers and things on the sheet of the levels.

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
	"level_key": Vector2(29, 28),
	"key_lever": Vector2(30, 28),
	"shambler": Vector2(30, 25),
	"cellar_rat": Vector2(31, 25),
	"spitter": Vector2(0, 26),
	"cellar_bat": Vector2(1, 26),
	"cask_breaker": Vector2(2, 26),
	"eye_stalk": Vector2(3, 26),
	"burrower": Vector2(4, 26),
	"lantern_thrower": Vector2(5, 26),
	"dust_moth": Vector2(6, 26),
	"quartz_boar": Vector2(7, 26),
	"crystal_spire": Vector2(8, 26),
	"grave_leaper": Vector2(9, 26),
	"bone_archer": Vector2(10, 26),
	"grave_caller": Vector2(11, 26),
	"bone_servant": Vector2(12, 26),
	"grave_light": Vector2(13, 26),
	"gaoler": Vector2(14, 26),
	"stone_mask": Vector2(15, 26),
	"tar_blob": Vector2(16, 26),
	"tar_drop": Vector2(17, 26),
	"root_witch": Vector2(18, 26),
	"spore_drifter": Vector2(19, 26),
	"brood_mother": Vector2(20, 26),
	"grub": Vector2(21, 26),
	"spore_pod": Vector2(22, 26),
	"war_hound": Vector2(23, 26),
	"arbalester": Vector2(24, 26),
	"gargoyle": Vector2(25, 26),
	"iron_knight": Vector2(26, 26),
	"ballista": Vector2(27, 26),
	"husk": Vector2(28, 26),
	"star_gazer": Vector2(29, 26),
	"rift_eye": Vector2(30, 26),
	"abyss_hulk": Vector2(31, 26),
	"dark_obelisk": Vector2(0, 27),
}


## A picture by name; for an unknown name, the bag with a question mark.
static func icon(name: String) -> AtlasTexture:
	var place: Vector2 = PLACES.get(name, PLACES["any"])
	var texture := AtlasTexture.new()
	texture.atlas = SHEET
	texture.region = Rect2(place * TILE, Vector2(TILE, TILE))
	return texture


## A picture in shades of one colour.
static func tinted(name: String, colour: Color) -> Texture2D:
	var place: Vector2 = PLACES.get(name, PLACES["any"])
	var region := Rect2i(Vector2i(place * TILE), Vector2i.ONE * int(TILE))
	var image := SHEET.get_image().get_region(region)
	for y: int in image.get_height():
		for x: int in image.get_width():
			var pixel := image.get_pixel(x, y)
			image.set_pixel(x, y, Color(colour * pixel.v, pixel.a))
	return ImageTexture.create_from_image(image)


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
